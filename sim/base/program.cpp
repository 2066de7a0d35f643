#include "sim/base/program.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/error.hpp"
#include "sim/base/temporary_file.hpp"

namespace longhaul {
namespace {

// The three standard streams of a program, as files in memory: neither side ever waits for the other.
class Streams {
 public:
  explicit Streams(std::string_view input) : input_(input), out_(""), error_("") {
    posix_spawn_file_actions_init(&actions_);
    open(STDIN_FILENO, input_, O_RDONLY);
    open(STDOUT_FILENO, out_, O_WRONLY);
    open(STDERR_FILENO, error_, O_WRONLY);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  std::string out() const { return out_.text(); }
  std::string error() const { return error_.text(); }

 private:
  void open(int descriptor, const TemporaryFile& file, int mode) {
    require(posix_spawn_file_actions_addopen(&actions_, descriptor, file.path().c_str(), mode, 0) == 0,
            "cannot prepare the streams of a program");
  }

  TemporaryFile input_;
  TemporaryFile out_;
  TemporaryFile error_;
  posix_spawn_file_actions_t actions_{};
};

pid_t spawn(const ProgramCall& call, const Streams& streams) {
  std::string program = call.program;
  std::vector<std::string> arguments = call.arguments;
  std::vector<char*> words{program.data()};
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t process = -1;
  const int failure = posix_spawnp(&process, call.program.c_str(), streams.actions(), nullptr, words.data(), environ);
  if (failure == ENOENT || failure == EACCES)
    throw UserError({}, "the program '" + call.program + "' is not installed", "it is not on PATH",
                    "apt-get install " + call.package);
  if (failure != 0) throw InternalError("cannot run " + call.program + ": " + std::strerror(failure));
  return process;
}

int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

ProgramAnswer run_program(const ProgramCall& call, std::string_view input) {
  const Streams streams(input);
  const pid_t process = spawn(call, streams);
  const auto seconds = static_cast<rlim_t>(call.processor_seconds);
  const rlimit limit{seconds, seconds + 1};
  prlimit(process, RLIMIT_CPU, &limit, nullptr);
  const int status = status_of(process);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    throw UserError({},
                    "'" + call.program + "' computed for more than " + std::to_string(call.processor_seconds) + " s",
                    "it was stopped", "less to draw");
  if (WIFSIGNALED(status))
    throw UserError({}, "'" + call.program + "' was killed by signal " + std::to_string(WTERMSIG(status)), "", "");
  return {WEXITSTATUS(status), streams.out(), streams.error()};
}

}  // namespace longhaul
