// A progress bar on standard error, for people who wait: only on a terminal, only after two seconds.
#pragma once

#include <chrono>
#include <string>

namespace longhaul {

class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();  // wipes the bar

  void show(const std::string& what, double fraction);
  /// The same for things that are counted, with their rate: "points: 120 of 200, 3.4 a second".
  void show_count(const std::string& things, std::size_t ended, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& what, const std::string& details, double fraction);

  bool terminal_;
  bool drawn_ = false;
  std::string what_;
  Clock::time_point start_;  // of what is being done now
  Clock::time_point last_;   // drawing
};

}  // namespace longhaul
