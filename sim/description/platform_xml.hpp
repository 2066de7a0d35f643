// Cluster -> SimGrid platform file, format 4.1, loadable by any SimGrid program.
#pragma once

#include <string>

#include "sim/description/cluster.hpp"

namespace longhaul {

/// Clusters up to this size are one zone; larger ones consist of racks (platform_racks.hpp).
constexpr std::size_t most_devices_of_a_zone = 128;

/// The XML text. Deterministic: the same cluster gives the same bytes; every figure reads back in SimGrid as the very
/// double of the cluster.
///
/// One zone with DijkstraCache routing holds a graph: devices, one switch per machine of several devices, an ingress
/// (and, without per-sender limiters, an egress) router per region. Its size is linear in the number of devices. The path
/// between
///   two devices of a machine:    device's inside-up (with the delay), device's inside-down
///   two machines on one fabric:  machine's fabric-up, the fabric with the delay, machine's fabric-down
///   two machines, per sender:    machine's nic-up, machine's limiter of that (delay, bandwidth) class, machine's nic-down
///   two machines, otherwise:     machine's nic-up, link region:region (FATPIPE per pair, SHARED trunk), machine's nic-down
/// With host copies the sender's host-up comes before nic-up, the receiver's host-down after nic-down. A machine on a fabric without
/// them has one unlimited link more on its ordinary way out: SimGrid 3.32 takes the way of fewest links.
/// Only limiters, region links, fabrics and inside-up links have latency. Where nothing limits stands the link "unlimited" or
/// a FATPIPE of unlimited_bandwidth. Hosts carry the properties device_type, region, machine and memory (such as
/// 16GB); the zone carries source, bandwidth_limit and delay_is.
std::string platform_xml(const Cluster& cluster, std::size_t largest_zone = most_devices_of_a_zone);

}  // namespace longhaul
