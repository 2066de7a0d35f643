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

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool drawn_ = false;
  std::string what_;
  Clock::time_point start_;  // of what is being done now
  Clock::time_point last_;   // drawing
};

}  // namespace longhaul
