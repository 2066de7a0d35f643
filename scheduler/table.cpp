#include "scheduler/scheduler.hpp"

namespace longhaul {

Decision plan_identity(const Problem& problem);
Decision plan_random(const Problem& problem);
Decision plan_megatron(const Problem& problem);
Decision plan_megatron_heuristic(const Problem& problem);
Decision plan_rank_map(const Problem& problem);
Decision plan_dtfm(const Problem& problem);
Decision plan_kernighan_lin(const Problem& problem);
Decision plan_exhaustive(const Problem& problem);
Decision plan_longhaul(const Problem& problem);

const std::vector<Scheduler>& schedulers() {
  static const std::vector<Scheduler> table{
      {"identity", "device i runs rank i: pipelines on consecutive devices", plan_identity},
      {"random", "a random placement, drawn from the seed", plan_random},
      {"megatron", "Megatron-LM's default order: data-parallel groups on consecutive devices", plan_megatron},
      {"megatron_heuristic",
       "Megatron-LM's rules: tensor up to a machine, pipeline until it fits, data; micro-batch by formula",
       plan_megatron_heuristic, Needs::job},
      {"rank_map", "the placement written in the scenario", plan_rank_map},
      {"dtfm",
       "genetic search with DT-FM's local search (arXiv 2206.01288), swaps and annealing; order of the stages "
       "optimal up "
       "to 16, beyond by 2-opt and or-opt",
       plan_dtfm},
      {"kernighan_lin", "DT-FM's baseline: the same search with the plain Kernighan-Lin gain", plan_kernighan_lin},
      {"exhaustive", "the true optimum of DT-FM's cost, for small platforms", plan_exhaustive},
      {"longhaul",
       "simulates instead of guessing: degrees, micro-batches, schedule, placement and gradient sync at once",
       plan_longhaul, Needs::simulation},
  };
  return table;
}

const Scheduler* find_scheduler(const std::string& name) {
  for (const Scheduler& scheduler : schedulers())
    if (name == scheduler.name) return &scheduler;
  return nullptr;
}

}  // namespace longhaul
