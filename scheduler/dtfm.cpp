// DT-FM's scheduler, arXiv 2206.01288 section 3.4: the genetic search with the paper's gain. Beyond the paper it
// anneals some offspring and swaps devices; with both intervals of SearchOptions at 0 it is the search of the paper.
#include "scheduler/genetic_search.hpp"

namespace longhaul {

Decision plan_dtfm(const Problem& problem) {
  return search_genetically(problem, Gain::kFastestLink,
                            {problem.search.annealing_interval, problem.search.swap_interval});
}

}  // namespace longhaul
