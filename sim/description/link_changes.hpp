// What if links were different: the `links` section of a scenario changes the figures of its cluster.
#pragma once

#include "sim/description/cluster.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// Applies `links: {SELECTOR: {bandwidth_factor | bandwidth, delay_factor | delay}, …}` in file order. Selectors:
///   all, between_regions, inside_regions, inside_machines, fabrics, nics
///                         every link of that class, which may be none; inside_regions also changes fabrics
///   A->B, A->*, *->B                                              from region A to region B; inside one, fabrics included: A->A
/// Links without a bandwidth of their own keep none under a factor. Under per_sender_and_class, links whose measured figures
/// differ never come to share a limiter, and links that differ after the change no longer do.
/// UserError for unknown selectors and regions, figures out of range, and keys that mean nothing there.
void change_links(Cluster& cluster, const Config& changes);

}  // namespace longhaul
