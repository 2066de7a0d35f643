// Runs another program that is installed on this machine: text in, text out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace longhaul {

struct ProgramCall {
  std::string program;                 // sought on PATH
  std::vector<std::string> arguments;  // as they are: no shell sees them
  std::string package;                 // Debian's, for those who lack it
  int processor_seconds = 60;          // it is killed when it has computed for longer
};

struct ProgramAnswer {
  int exit_code = 0;
  std::string out;    // what it wrote to standard output
  std::string error;  // and to standard error
};

/// Runs the program with `input` as its standard input and waits for its end. UserError when it is not installed,
/// computes for too long or is killed.
ProgramAnswer run_program(const ProgramCall& call, std::string_view input);

}  // namespace longhaul
