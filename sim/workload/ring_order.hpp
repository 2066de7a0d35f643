// In which order the members of a group pass data on.
#pragma once

#include <vector>

#include "sim/description/job.hpp"
#include "sim/description/platform_view.hpp"
#include "sim/workload/plan.hpp"

namespace longhaul {

/// A short closed tour over 0 … members - 1 that starts with 0. `edges` is row-major members x members, from * members + to,
/// directed; the diagonal is ignored. Up to 10 members it is a shortest one (Held and Karp 1962), and of several the first
/// in lexicographic order; above that nearest neighbour from 0, improved by reversals (2-opt) until none helps
/// (above 1000 members not improved).
std::vector<std::size_t> short_tour(const std::vector<double>& edges, std::size_t members);

/// plan.ring_orders with a short tour for every group, an edge being the time of one member's share of the gradients alone
/// on the path: latency + gradient / (replicas x bandwidth). The plan must be placed.
std::vector<std::vector<Replica>> nearest_ring_orders(const Job& job, const Plan& plan, const PlatformView& platform);

}  // namespace longhaul
