// Whether a plan fits the memory of its devices, and what would make it fit.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/workload/memory.hpp"

namespace longhaul {

/// Changes to job and plan, each of which alone makes the plan fit devices of `memory`, found by trying; as keys to set. From
/// cheap to dear: 1F1B (where nothing keeps the phases apart), smaller micro-batches in the same pass, fewer micro-batches per
/// pass, an offloaded optimizer, full recomputation, more stages and fewer replicas; each as little as fits.
std::vector<std::string> memory_remedies(const Job& job, const Plan& plan, Bytes memory);

/// UserError at `where` if a stage does not fit its devices: which, how much is missing, and the three cheapest remedies.
void check_memory(const Job& job, const Plan& plan, const PlatformView& platform, const Location& where);

}  // namespace longhaul
