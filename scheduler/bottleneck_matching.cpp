#include "scheduler/bottleneck_matching.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr std::size_t kWordBits = 64;

std::size_t lowest_bit(std::uint64_t word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

// All columns in, the bits beyond the last column out.
void fill(std::vector<std::uint64_t>& set, std::size_t columns) {
  std::fill(set.begin(), set.end(), ~std::uint64_t{0});
  if (columns % kWordBits != 0) set.back() = (std::uint64_t{1} << (columns % kWordBits)) - 1;
}

}  // namespace

BottleneckMatcher::BottleneckMatcher(std::size_t group_size)
    : size_(group_size),
      words_((group_size + kWordBits - 1) / kWordBits),
      block_(group_size * group_size),
      column_minimum_(group_size),
      adjacent_(group_size * words_),
      free_(words_),
      unseen_(words_),
      row_of_column_(group_size),
      column_of_row_(group_size) {
  require(group_size > 0, "a group needs at least one device");
}

double BottleneckMatcher::match(const double* weights, std::size_t stride, const std::uint32_t* left,
                                const std::uint32_t* right) {
  double threshold = gather(weights, stride, left, right);
  connect(threshold);
  fill(free_, size_);
  for (std::size_t row = 0; row < size_; ++row) {
    fill(unseen_, size_);
    while (!augment(row)) {
      threshold = lightest_way_out(row);
      connect(threshold);
      fill(unseen_, size_);
    }
  }
  return threshold;
}

// Copies the weights next to each other; returns the largest of the row and column minima.
double BottleneckMatcher::gather(const double* weights, std::size_t stride, const std::uint32_t* left,
                                 const std::uint32_t* right) {
  std::fill(column_minimum_.begin(), column_minimum_.end(), std::numeric_limits<double>::infinity());
  double bound = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < size_; ++row) {
    const double* from = weights + left[row] * stride;
    double* to = block_.data() + row * size_;
    double row_minimum = std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; column < size_; ++column) {
      const double weight = from[right[column]];
      to[column] = weight;
      row_minimum = std::min(row_minimum, weight);
      column_minimum_[column] = std::min(column_minimum_[column], weight);
    }
    bound = std::max(bound, row_minimum);
  }
  for (const double minimum : column_minimum_) bound = std::max(bound, minimum);
  return bound;
}

void BottleneckMatcher::connect(double threshold) {
  const double* weight = block_.data();
  for (std::size_t row = 0; row < size_; ++row) {
    for (std::size_t word = 0; word < words_; ++word) {
      const std::size_t columns = std::min(kWordBits, size_ - word * kWordBits);
      std::uint64_t bits = 0;
      for (std::size_t column = 0; column < columns; ++column)
        bits |= std::uint64_t{*weight++ <= threshold} << column;
      adjacent_[row * words_ + word] = bits;
    }
  }
}

// Matches `row` along an augmenting path through unseen columns, if there is one.
bool BottleneckMatcher::augment(std::size_t row) {
  const std::uint64_t* adjacent = adjacent_.data() + row * words_;
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t open = adjacent[word] & free_[word];
    if (open == 0) continue;
    const std::size_t column = word * kWordBits + lowest_bit(open);
    free_[word] &= ~(std::uint64_t{1} << (column % kWordBits));
    pair(row, column);
    return true;
  }
  for (std::size_t word = 0; word < words_; ++word) {
    while (const std::uint64_t taken = adjacent[word] & unseen_[word]) {
      const std::size_t column = word * kWordBits + lowest_bit(taken);
      unseen_[word] &= ~(std::uint64_t{1} << (column % kWordBits));
      if (!augment(row_of_column_[column])) continue;
      pair(row, column);
      return true;
    }
  }
  return false;
}

// After a failed search from `root`: the lightest edge from a row that it reached to a column that it did not.
double BottleneckMatcher::lightest_way_out(std::size_t root) const {
  const auto seen = [&](std::size_t column) {
    return (unseen_[column / kWordBits] >> (column % kWordBits) & 1) == 0;
  };
  double lightest = std::numeric_limits<double>::infinity();
  const auto leave = [&](std::size_t row) {
    for (std::size_t column = 0; column < size_; ++column)
      if (!seen(column)) lightest = std::min(lightest, block_[row * size_ + column]);
  };
  leave(root);
  for (std::size_t column = 0; column < size_; ++column)
    if (seen(column)) leave(row_of_column_[column]);
  return lightest;
}

void BottleneckMatcher::pair(std::size_t row, std::size_t column) {
  row_of_column_[column] = static_cast<std::uint32_t>(row);
  column_of_row_[row] = static_cast<std::uint32_t>(column);
}

}  // namespace longhaul
