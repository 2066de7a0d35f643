#include "sim/base/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// What the child sends: messages of one kind byte, an 8-byte length and that many bytes.
enum class Message : char { progress = 'p', answer = 'a', user_error = 'u', internal_error = 'i' };

int answer_pipe = -1;  // in the child: where messages go

void write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // the parent is gone
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void send(Message kind, const std::string& body) {
  const std::uint64_t length = body.size();
  std::string frame(1, static_cast<char>(kind));
  frame.append(reinterpret_cast<const char*>(&length), sizeof length);
  write_all(answer_pipe, frame.data(), frame.size());
  write_all(answer_pipe, body.data(), body.size());
}

bool read_all(int descriptor, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = read(descriptor, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, pid_t parent, int answers, int printed) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  answer_pipe = answers;
  for (const int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM}) std::signal(number, SIG_DFL);
  dup2(printed, STDOUT_FILENO);  // nothing that a library prints may reach the user's terminal
  dup2(printed, STDERR_FILENO);
  Message kind = Message::answer;
  std::string body;
  try {
    body = work();
  } catch (const UserError& error) {
    kind = Message::user_error;
    body = error.what();
  } catch (const std::bad_alloc&) {
    kind = Message::user_error;
    body = out_of_memory().what();
  } catch (const std::exception& error) {
    kind = Message::internal_error;
    body = error.what();
  }
  send(kind, body);
  _exit(0);  // no destructors: SimGrid's teardown has nothing to tell
}

std::string contents(std::FILE* file) {
  std::string text;
  char block[4096];
  std::rewind(file);
  for (std::size_t got = 0; (got = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, got);
  return text;
}

}  // namespace

void report_progress(double fraction) {
  if (answer_pipe < 0) return;
  std::string body(sizeof fraction, '\0');
  std::memcpy(body.data(), &fraction, sizeof fraction);
  send(Message::progress, body);
}

ChildProcess::ChildProcess(const std::function<std::string()>& work) : printed_(std::tmpfile(), std::fclose) {
  int ends[2];
  if (!printed_ || pipe(ends) != 0)
    throw InternalError(std::string("cannot prepare a child: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) {
    const std::string why = std::strerror(errno);
    close(ends[0]);
    close(ends[1]);
    throw InternalError("cannot fork: " + why);
  }
  if (process_ == 0) {
    close(ends[0]);
    be_the_child(work, parent, ends[1], fileno(printed_.get()));
  }
  close(ends[1]);
  answers_ = ends[0];
}

ChildProcess::~ChildProcess() {
  close(answers_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  wait_for_end();
}

int ChildProcess::wait_for_end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

bool ChildProcess::receive(const std::function<void(double)>& progress) {
  char header[1 + sizeof(std::uint64_t)];
  std::uint64_t length = 0;
  kind_ = 0;
  if (!read_all(answers_, header, sizeof header)) return false;
  std::memcpy(&length, header + 1, sizeof length);
  body_.resize(length);
  if (!read_all(answers_, body_.data(), body_.size())) return false;
  kind_ = header[0];
  if (static_cast<Message>(kind_) != Message::progress) return false;
  double fraction = 0;
  std::memcpy(&fraction, body_.data(), sizeof fraction);
  if (progress) progress(fraction);
  return true;
}

std::string ChildProcess::answer() {
  const int status = wait_for_end();
  if (kind_ == 0) throw ChildDied(contents(printed_.get()), WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  if (static_cast<Message>(kind_) == Message::user_error) throw UserError({}, body_, "", "");
  if (static_cast<Message>(kind_) == Message::internal_error) throw InternalError(body_);
  return body_;
}

std::string run_in_child(const std::function<std::string()>& work) { return run_in_child(work, nullptr); }

std::string run_in_child(const std::function<std::string()>& work, const std::function<void(double)>& progress) {
  ChildProcess child(work);
  while (child.receive(progress)) {
  }
  return child.answer();
}

}  // namespace longhaul
