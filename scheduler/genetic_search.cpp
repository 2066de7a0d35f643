#include "scheduler/genetic_search.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/layout_annealing.hpp"
#include "scheduler/open_path.hpp"
#include "scheduler/partition_cost.hpp"
#include "scheduler/placement.hpp"
#include "sim/base/error.hpp"

namespace longhaul {
namespace {

constexpr std::size_t kCopiedGenes = 5;
constexpr std::size_t kSwapTournament = 10;

enum class Improvement { kLocalSearch, kAnnealing };

struct Individual {
  Partition partition;
  PartitionScore score;
};

Seconds total(const Individual& individual) { return individual.score.cost.total(); }

// Moves random devices of groups that are too large to the groups that are too small, lowest group first.
void repair_sizes(Partition& partition, RandomStream& random) {
  std::vector<std::vector<std::uint32_t>> members(partition.groups);
  for (std::uint32_t device = 0; device < partition.group_of_device.size(); ++device)
    members[partition.group_of_device[device]].push_back(device);
  const std::size_t size = partition.group_size();
  std::uint32_t small = 0;
  for (std::vector<std::uint32_t>& group : members) {
    while (group.size() > size) {
      while (members[small].size() >= size) ++small;
      const auto chosen = group.begin() + static_cast<std::ptrdiff_t>(random.below(group.size()));
      partition.group_of_device[*chosen] = small;
      members[small].push_back(*chosen);
      group.erase(chosen);
    }
  }
}

class GeneticSearch {
 public:
  GeneticSearch(const Problem& problem, const CostMatrices& matrices, Gain gain, BeyondThePaper beyond_the_paper)
      : problem_(problem),
        devices_(matrices.size),
        groups_(problem.fixed.degrees.pipeline),
        beyond_the_paper_(beyond_the_paper),
        cost_(matrices, problem.fixed.degrees),
        local_search_(matrices, groups_, gain),
        annealing_(matrices, problem.fixed.degrees),
        random_(problem.seed, "genetic search") {}

  Decision run() {
    for (std::size_t i = 0; i < problem_.search.population; ++i) {
      Partition partition = random_partition(devices_, groups_, random_);
      PartitionScore score = cost_.score(partition);
      population_.push_back({std::move(partition), std::move(score)});
      note(population_.back());
    }
    for (std::size_t trial = 1; trial <= problem_.search.trials; ++trial) run_trial(trial);
    Decision decision = decide(problem_, cost_.layout(renumbered(best_.partition)));
    decision.evaluations = evaluations_;
    decision.best_evaluation = best_evaluation_;
    decision.stage_order = OpenPath::method(groups_);
    return decision;
  }

 private:
  void run_trial(std::size_t trial) {
    if (beyond_the_paper_.annealing_interval > 0 && trial % beyond_the_paper_.annealing_interval == 0)
      try_offspring(Improvement::kAnnealing);
    else if (beyond_the_paper_.swap_interval > 0 && trial % beyond_the_paper_.swap_interval == 0 && groups_ > 1)
      try_swap();
    else
      try_offspring(Improvement::kLocalSearch);
  }

  void try_offspring(Improvement improvement) {
    const std::size_t first = random_.below(population_.size());
    const std::size_t other = random_.below(population_.size() - 1);
    const std::size_t second = other < first ? other : other + 1;
    const Individual& parent = population_[first];
    const bool first_is_dearer = total(parent) > total(population_[second]);
    Individual& dearer = population_[first_is_dearer ? first : second];

    const bool anneal = improvement == Improvement::kAnnealing;
    const Partition crossed = cross(parent.partition, population_[second].partition);
    Individual offspring;
    offspring.partition = anneal ? annealed(crossed) : local_search_.improve(crossed);
    offspring.score = cost_.score(offspring.partition, parent.partition, parent.score);
    note(offspring);
    if (!anneal || total(offspring) <= total(dearer)) dearer = std::move(offspring);
  }

  void try_swap() {
    std::size_t chosen = random_.below(population_.size());
    for (std::size_t i = 1; i < kSwapTournament; ++i) {
      const std::size_t rival = random_.below(population_.size());
      if (total(population_[rival]) < total(population_[chosen])) chosen = rival;
    }
    Individual& parent = population_[chosen];
    Individual offspring;
    offspring.partition = parent.partition;
    std::vector<std::uint32_t>& group = offspring.partition.group_of_device;
    const std::size_t first = random_.below(devices_);
    std::size_t second = random_.below(devices_);
    while (group[first] == group[second]) second = random_.below(devices_);
    std::swap(group[first], group[second]);
    offspring.score = cost_.score(offspring.partition, parent.partition, parent.score);
    note(offspring);
    if (total(offspring) <= total(parent)) parent = std::move(offspring);
  }

  Partition cross(const Partition& receiver, const Partition& giver) {
    std::vector<std::size_t> genes;
    while (genes.size() < std::min(kCopiedGenes, devices_)) {
      const std::size_t gene = random_.below(devices_);
      if (std::find(genes.begin(), genes.end(), gene) == genes.end()) genes.push_back(gene);
    }
    Partition offspring = receiver;
    for (const std::size_t gene : genes) offspring.group_of_device[gene] = giver.group_of_device[gene];
    repair_sizes(offspring, random_);
    return offspring;
  }

  Partition annealed(const Partition& start) {
    const std::vector<RankId> layout = annealing_.improve(
        cost_.layout(start), problem_.search.annealing_steps * devices_, problem_.search.annealing_heat, random_);
    Partition partition{groups_, std::vector<std::uint32_t>(devices_)};
    for (std::size_t device = 0; device < devices_; ++device)
      partition.group_of_device[device] = problem_.fixed.degrees.stage(layout[device]).value;
    return partition;
  }

  // Counts an evaluation, remembers the best, reports progress.
  void note(const Individual& scored) {
    ++evaluations_;
    if (best_evaluation_ == 0 || total(scored) < total(best_)) {
      best_ = scored;
      best_evaluation_ = evaluations_;
    }
    const std::size_t all = problem_.search.population + problem_.search.trials;
    if (problem_.progress && (evaluations_ % (all / 100 + 1) == 0 || evaluations_ == all))
      problem_.progress(static_cast<double>(evaluations_) / static_cast<double>(all));
  }

  const Problem& problem_;
  std::size_t devices_;
  std::size_t groups_;
  BeyondThePaper beyond_the_paper_;
  PartitionCost cost_;
  CyclicLocalSearch local_search_;
  LayoutAnnealing annealing_;
  RandomStream random_;
  std::vector<Individual> population_;
  Individual best_;
  std::size_t evaluations_ = 0;
  std::size_t best_evaluation_ = 0;
};

}  // namespace

Decision search_genetically(const Problem& problem, Gain gain, BeyondThePaper beyond_the_paper) {
  check_one_rank_per_device(problem);
  check_replicas_alike(problem);
  check_no_tensor_parallelism(problem);
  if (problem.search.population < 2)
    throw UserError(Location{}, "a population of " + std::to_string(problem.search.population) + " has no parents",
                    "an offspring has two", "a population of at least 2");
  if (!(problem.search.annealing_heat >= 0 && problem.search.annealing_heat <= 1))
    throw UserError(Location{}, "an annealing heat of " + std::to_string(problem.search.annealing_heat),
                    "it is a share of the cost", "a number from 0 to 1");
  const CostMatrices matrices(problem.platform, problem.sizes, problem.fixed.degrees.data);
  return GeneticSearch(problem, matrices, gain, beyond_the_paper).run();
}

}  // namespace longhaul
