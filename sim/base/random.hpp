// Random numbers that are the same on every machine: one seed, one named stream per purpose.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace longhaul {

/// A stream of random numbers for one purpose. Two purposes never share a stream, so drawing more for one
/// does not change the other. std::mt19937_64 is specified bit for bit; the standard distributions are not,
/// so bounded draws and shuffles are made here.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view purpose);

  /// Uniform in [0, bound); bound must be positive. Unbiased (rejection).
  std::uint64_t below(std::uint64_t bound);

  /// Fisher-Yates; every permutation equally likely.
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace longhaul
