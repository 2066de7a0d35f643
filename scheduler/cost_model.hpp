// DT-FM's cost of a layout, arXiv 2206.01288 section 3: communication only, nothing overlapped. It ranks layouts; it
// does not predict seconds.
#pragma once

#include <vector>

#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// Bytes that the cost model counts.
struct CostSizes {
  Bytes gradient;    // c_DP: gradients of one stage
  Bytes activation;  // c_PP: activations of one macro-batch (what a pipeline processes in an iteration), per hop
};

struct Cost {
  Seconds data_parallel;  // DATAP-COST
  Seconds pipeline;       // PIPELINEP-COST
  Seconds total() const { return data_parallel + pipeline; }
};

/// What an edge between two devices costs, symmetrised as DT-FM does: delay and bandwidth (not time) averaged over
/// the two directions. Row-major N x N matrices, computed once for a search.
struct CostMatrices {
  std::size_t size = 0;
  std::vector<double> data_parallel;  // 2 (alpha + c_DP / (D_DP beta)), seconds; diagonal 0
  std::vector<double> pipeline;       // 2 (alpha + c_PP / beta), seconds; diagonal 0

  CostMatrices(const PlatformView& platform, const CostSizes& sizes, std::size_t data_degree);
  double data_parallel_edge(std::size_t a, std::size_t b) const { return data_parallel[a * size + b]; }
  double pipeline_edge(std::size_t a, std::size_t b) const { return pipeline[a * size + b]; }
};

/// The cost of a complete placement as laid out:
///   DATAP     = max over stages j, max over d in C_j, of the sum over other d' in C_j of 2 (alpha + c_DP / (D_DP beta))
///   PIPELINEP = sum over hops j -> j+1 of the max over pipelines of 2 (alpha + c_PP / beta)
/// With tensor parallelism each slice counts as a stage of its own with its share of the bytes.
/// Takes time proportional to devices x replicas; the searches' matrices take the square of the devices, in memory too.
/// With the groups of a partition matched and ordered at best, this is the paper's COMM-COST of the partition.
Cost cost_of_placement(const PlatformView& platform, const Plan& plan, const CostSizes& sizes);

}  // namespace longhaul
