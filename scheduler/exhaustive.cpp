// The true optimum of the partition cost, by trying every balanced partition. Answers to at most kMostPartitions.
#include <optional>
#include <sstream>

#include "scheduler/partition_cost.hpp"
#include "scheduler/placement.hpp"
#include "sim/base/error.hpp"

namespace longhaul {
namespace {

// A few seconds' work; 16 devices in 4 groups of 4 are 2 627 625 partitions.
constexpr double kMostPartitions = 3e6;

class Exhaustion {
 public:
  Exhaustion(const Problem& problem, const CostMatrices& matrices)
      : problem_(problem),
        cost_(matrices, problem.fixed.degrees),
        partitions_(count_partitions(matrices.size, problem.fixed.degrees.pipeline)),
        partition_(consecutive_partition(matrices.size, problem.fixed.degrees.pipeline)),
        size_(problem.fixed.degrees.data),
        free_(matrices.size, true) {}

  Decision best() {
    open_group(0);
    decision_.plan = problem_.fixed;
    decision_.plan.rank_of_device = cost_.layout(best_partition_);
    return decision_;
  }

 private:
  // Groups are opened by the lowest free device, so that each partition comes up once.
  void open_group(std::uint32_t group) {
    if (group == partition_.groups) return score();
    std::size_t lowest = 0;
    while (!free_[lowest]) ++lowest;
    take(lowest, group);
    fill_group(group, 1, lowest + 1);
    free_[lowest] = true;
  }

  void fill_group(std::uint32_t group, std::size_t filled, std::size_t from) {
    if (filled == size_) return open_group(group + 1);
    for (std::size_t device = from; device < free_.size(); ++device) {
      if (!free_[device]) continue;
      take(device, group);
      fill_group(group, filled + 1, device + 1);
      free_[device] = true;
    }
  }

  void take(std::size_t device, std::uint32_t group) {
    free_[device] = false;
    partition_.group_of_device[device] = group;
  }

  void score() {
    PartitionScore score = known_ ? cost_.score(partition_, scored_, *known_) : cost_.score(partition_);
    ++decision_.evaluations;
    if (!known_ || score.cost.total() < best_cost_) {
      best_cost_ = score.cost.total();
      best_partition_ = partition_;
      decision_.best_evaluation = decision_.evaluations;
    }
    known_ = std::move(score);
    scored_ = partition_;
    const double done = static_cast<double>(decision_.evaluations) / partitions_;
    if (problem_.progress && (done >= reported_ + 0.01 || done >= 1)) problem_.progress(reported_ = done);
  }

  const Problem& problem_;
  PartitionCost cost_;
  double partitions_;
  Partition partition_;
  std::size_t size_;
  std::vector<bool> free_;
  Partition scored_;  // the partition before this one: most of its groups are the same
  std::optional<PartitionScore> known_;
  Partition best_partition_;
  Seconds best_cost_;
  double reported_ = 0;
  Decision decision_;
};

}  // namespace

Decision plan_exhaustive(const Problem& problem) {
  check_one_rank_per_device(problem);
  check_replicas_alike(problem);
  check_no_tensor_parallelism(problem);
  const Degrees& degrees = problem.fixed.degrees;
  const double partitions = count_partitions(problem.platform.size(), degrees.pipeline);
  if (partitions > kMostPartitions) {
    std::ostringstream what;
    what << problem.platform.size() << " devices make " << partitions << " partitions into " << degrees.pipeline
         << " groups";
    throw UserError(Location{}, what.str(), "the scheduler exhaustive tries every one of at most 3 million",
                    "fewer devices, or the scheduler dtfm");
  }
  const CostMatrices matrices(problem.platform, problem.sizes, degrees.data);
  return Exhaustion(problem, matrices).best();
}

}  // namespace longhaul
