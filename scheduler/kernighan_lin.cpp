// The baseline that DT-FM is compared against: the same genetic search with Kernighan and Lin's gain, and nothing
// beyond the paper.
#include "scheduler/genetic_search.hpp"

namespace longhaul {

Decision plan_kernighan_lin(const Problem& problem) {
  return search_genetically(problem, Gain::kCutWeight, BeyondThePaper{});
}

}  // namespace longhaul
