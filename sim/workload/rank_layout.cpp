#include "sim/workload/rank_layout.hpp"

#include <algorithm>
#include <utility>

namespace longhaul {

RankLayout::RankLayout(const Plan& plan) : parts_(plan.degrees.context), first_cell_{0}, first_rank_{0} {
  const bool even = plan.pipelines.empty();
  const std::vector<std::size_t> common(even ? plan.degrees.pipeline : 0, plan.degrees.tensor);
  for (std::size_t replica = 0; replica < plan.degrees.data; ++replica) {
    for (const std::size_t slices : even ? common : plan.pipelines[replica].tensor) {
      replica_of_cell_.emplace_back(replica);
      cell_of_rank_.insert(cell_of_rank_.end(), slices * parts_, replica_of_cell_.size() - 1);
      first_rank_.push_back(cell_of_rank_.size());
    }
    first_cell_.push_back(replica_of_cell_.size());
  }
}

std::vector<RankId> RankLayout::copies(Stage stage, std::size_t slice, Replica first, std::size_t step) const {
  std::vector<RankId> ranks;
  for (std::size_t replica = first.value; replica < replicas(); replica += step)
    for (std::size_t part = 0; part < parts_; ++part)
      ranks.push_back(rank(Replica(replica), stage, part * slices(Replica(replica), stage) + slice));
  return ranks;
}

StagePlans::StagePlans(const Plan& plan, const RankLayout& layout) : plan_(plan) {
  if (plan.pipelines.empty()) return;
  for (std::size_t cell = 0; cell < layout.cells(); ++cell) {
    const PipelinePlan& pipeline = plan.pipelines[layout.replica_of_cell(cell).value];
    Plan seen = plan;
    seen.pipelines.clear();
    seen.rank_of_device.clear();
    seen.ring_orders.clear();
    seen.degrees = {pipeline.layers.size(), plan.degrees.data, pipeline.tensor[layout.stage_of_cell(cell).value]};
    seen.layers_per_stage = pipeline.layers;
    seen.micro_batch_size = pipeline.micro_batch_size;
    seen.micro_batches = pipeline.micro_batches;
    seen.warm_up = pipeline.warm_up;
    number_.push_back(static_cast<std::size_t>(std::find(seen_.begin(), seen_.end(), seen) - seen_.begin()));
    if (number_.back() == seen_.size()) seen_.push_back(std::move(seen));
  }
}

}  // namespace longhaul
