// An environment variable with another value, until the end of the block.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace longhaul {

class Environment {
 public:
  Environment(const std::string& name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name.c_str())) before_ = before;
    setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    if (before_)
      setenv(name_.c_str(), before_->c_str(), 1);
    else
      unsetenv(name_.c_str());
  }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace longhaul
