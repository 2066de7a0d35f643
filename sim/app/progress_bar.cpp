#include "sim/app/progress_bar.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace longhaul {

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(const std::string& what, double fraction) { draw(what, "", fraction); }

void ProgressBar::show_count(const std::string& things, std::size_t ended, std::size_t all) {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(ended) / elapsed : 0;
  draw(things, fmt::format(": {} of {}, {:.1f} a second", ended, all, rate),
       static_cast<double>(ended) / static_cast<double>(all));
}

void ProgressBar::draw(const std::string& what, const std::string& details, double fraction) {
  using std::chrono::duration;
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (what != what_) {
    what_ = what;
    start_ = now;
  }
  const double elapsed = duration<double>(now - start_).count();
  if (elapsed < 2 || (drawn_ && duration<double>(now - last_).count() < 0.1)) return;
  constexpr int width = 30;
  const double share = std::clamp(fraction, 0.0, 1.0);
  const int full = static_cast<int>(share * width);
  const double left = share > 0 ? elapsed / share - elapsed : 0;
  const std::string bar = fmt::format("\r\033[K{}{} [{:=<{}}{: <{}}] {:3.0f} %, {:.0f} s left", what, details, "",
                                      full, "", width - full, share * 100, left);
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
  last_ = now;
}

}  // namespace longhaul
