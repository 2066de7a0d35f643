#include "sim/base/parallel.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <thread>

#include <poll.h>

#include "sim/base/child_process.hpp"
#include "sim/base/error.hpp"

namespace longhaul {
namespace {

struct Running {
  std::size_t position;  // among the indices
  std::unique_ptr<ChildProcess> child;
};

// Waits until one of the children has something to say, and returns which.
std::size_t wait_for_one(const std::vector<Running>& running) {
  std::vector<pollfd> descriptors;
  for (const Running& one : running) descriptors.push_back({one.child->descriptor(), POLLIN, 0});
  while (poll(descriptors.data(), descriptors.size(), -1) < 0)
    if (errno != EINTR) throw InternalError(std::string("cannot wait for children: ") + std::strerror(errno));
  const auto ready =
      std::find_if(descriptors.begin(), descriptors.end(), [](const pollfd& one) { return one.revents != 0; });
  require(ready != descriptors.end(), "poll named no descriptor");
  return static_cast<std::size_t>(ready - descriptors.begin());
}

}  // namespace

std::size_t processor_count() { return std::max(1U, std::thread::hardware_concurrency()); }

void parallel_for_each(const std::vector<std::size_t>& indices, std::size_t processes,
                       const std::function<std::string(std::size_t)>& work,
                       const std::function<void(std::size_t index, std::string answer)>& take) {
  require(processes > 0, "parallel_for_each needs a process");
  std::vector<Running> running;
  std::size_t next = 0;
  std::size_t failed = indices.size();  // smallest position that failed; nothing after it is begun
  std::exception_ptr failure;
  while (true) {
    while (next < failed && running.size() < processes) {
      running.push_back({next, std::make_unique<ChildProcess>([&, next] { return work(indices[next]); })});
      ++next;
    }
    if (running.empty()) break;
    const auto one = running.begin() + static_cast<std::ptrdiff_t>(wait_for_one(running));
    if (one->child->receive(nullptr)) continue;
    std::string answer;
    bool answered = false;
    try {
      answer = one->child->answer();
      answered = true;
    } catch (...) {
      if (one->position < failed) {
        failed = one->position;
        failure = std::current_exception();
      }
    }
    const std::size_t position = one->position;
    running.erase(one);
    if (answered) take(indices[position], std::move(answer));
  }
  if (failure) std::rethrow_exception(failure);
}

std::vector<std::string> parallel_map(std::size_t count, std::size_t processes,
                                      const std::function<std::string(std::size_t)>& work,
                                      const std::function<void(double)>& progress) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0);
  std::vector<std::string> answers(count);
  std::size_t ended = 0;
  parallel_for_each(indices, processes, work, [&](std::size_t index, std::string answer) {
    answers[index] = std::move(answer);
    if (progress) progress(static_cast<double>(++ended) / static_cast<double>(count));
  });
  return answers;
}

}  // namespace longhaul
