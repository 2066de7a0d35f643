// Runs the program as a user would.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/scratch.hpp"

namespace longhaul {

struct Answer {
  int exit_code = -1;  // 128 + signal when killed
  std::string out;
  std::string error;
};

/// `arguments` as typed in a shell, from the root of the source tree.
inline Answer longhaul_program(const std::string& arguments) {
  const Scratch scratch;
  const auto contents = [](const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string command = std::string("cd '") + LONGHAUL_SOURCE_DIR + "' && exec '" + LONGHAUL_PROGRAM + "' " +
                              arguments + " >'" + scratch.path("out") + "' 2>'" + scratch.path("error") +
                              "' </dev/null";
  const int status = std::system(command.c_str());
  Answer answer;
  answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  answer.out = contents(scratch.path("out"));
  answer.error = contents(scratch.path("error"));
  return answer;
}

}  // namespace longhaul
