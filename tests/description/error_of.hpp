// The message of a user's error, for tests that look at it.
#pragma once

#include <string>

#include "sim/base/error.hpp"

namespace longhaul {

/// What UserError `call` throws says; "no error" if it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace longhaul
