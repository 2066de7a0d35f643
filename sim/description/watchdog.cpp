#include "sim/description/watchdog.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>

#include <sys/time.h>
#include <unistd.h>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr int ticks_per_second = 4;

// What the signal handler reads. No words = no step has begun, or it is being described just now.
volatile std::sig_atomic_t ticks_left = 0;
volatile std::sig_atomic_t word_count = 0;
const char* step_words[6];

void on_tick(int) {
  if (word_count == 0) return;
  ticks_left = ticks_left - 1;
  if (ticks_left >= 0) return;
  for (int i = 0; i < word_count; ++i)
    if (write(STDERR_FILENO, step_words[i], std::strlen(step_words[i])) < 0) break;
  _exit(1);
}

void tick_every(long microseconds) {
  const itimerval interval{{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_VIRTUAL, &interval, nullptr);
}

}  // namespace

Watchdog::Watchdog() {
  word_count = 0;
  static_cast<void>(std::signal(SIGVTALRM, on_tick));
  tick_every(1'000'000 / ticks_per_second);
}

Watchdog::~Watchdog() { tick_every(0); }

void Watchdog::expect(int seconds, std::initializer_list<const char*> words) {
  require(words.size() <= std::size(step_words), "too many words for a watchdog");
  word_count = 0;
  std::copy(words.begin(), words.end(), step_words);
  ticks_left = seconds * ticks_per_second;
  word_count = static_cast<std::sig_atomic_t>(words.size());
}

}  // namespace longhaul
