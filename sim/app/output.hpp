// What the program prints. Its streams may be closed, full, or read by nobody: that ends it with one line at most.
#pragma once

#include <string>

namespace longhaul {

/// Call first of all: a closed standard stream would else be the first file that the program opens, and a reader that
/// goes away would kill it.
void prepare_streams();

/// On standard output, at once. Throws UserError when that is impossible.
void print_text(const std::string& text);

/// One line on standard error, whatever the message holds.
void print_error(std::string message);

}  // namespace longhaul
