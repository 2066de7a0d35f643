// A cluster description: which machines stand where, and what the links between them were measured to carry.
// It compiles to a SimGrid platform file (platform_xml.hpp); the file is what gets simulated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/description/config.hpp"

namespace longhaul {

/// Where a bandwidth limit between two machines sits.
enum class BandwidthLimit {
  per_sender_and_class,  // on the sender's egress, one limiter per distinct (delay, bandwidth) pair: all destinations
                         // with the same pair share it (tc/netem, as on DT-FM's testbed)
  per_pair,              // every pair of devices has its own: a flow is limited only by itself (SimGrid FATPIPE)
  shared_trunk,          // all flows from one region to another share one link (SimGrid SHARED)
};

const char* name_of(BandwidthLimit limit);

/// What "no limit" is in figures, and the most that a description may state: 1000 Tbps.
constexpr BytesPerSecond unlimited_bandwidth{1e15 / 8};

/// A directed link measurement or setting. No bandwidth = limited by the NICs only.
struct LinkFigures {
  Seconds delay;  // one way
  std::optional<BytesPerSecond> bandwidth;
};

/// A machine's network card, shared by its devices, per direction.
struct Nic {
  BytesPerSecond up;
  BytesPerSecond down;
};

/// A fabric of fast network cards (InfiniBand, RoCE, Slingshot, …) that joins machines of one region. Two machines on one
/// fabric talk over it and over nothing else; a machine talks to any other over its ordinary card and links.
struct Fabric {
  std::string name;     // unique in its region
  LinkFigures figures;  // with a bandwidth: of a machine's card into it, each way, shared by its devices
};

struct Machine {
  std::string name;         // region and number within it from 0, such as oregon-0
  std::size_t region = 0;   // index into Cluster::regions
  std::string device_type;  // name of one of device_types()
  std::size_t devices = 1;
  LinkFigures inside;      // between two of its devices, with a bandwidth; meaningless where there is one
  std::optional<Nic> nic;  // no value = the card never limits
  std::optional<Fabric> fabric = std::nullopt;
  /// Of a device through its host's memory, each way, for what does not go over a fabric. The copy goes on while the bytes are
  /// sent, so that it limits the rate and adds no delay.
  std::optional<BytesPerSecond> host_copy = std::nullopt;
};

/// Whether two machines of one region talk over a fabric.
bool share_fabric(const Machine& a, const Machine& b);

/// Invariants: every region has a machine; at most most_devices devices; something limits every path; no bandwidth
/// exceeds unlimited_bandwidth.
struct Cluster {
  std::string name;
  std::string source;  // where the figures come from, in words
  std::string delay;   // "one_way" or "round_trip": what the measured delays were taken to be
  BandwidthLimit limit = BandwidthLimit::per_pair;
  std::vector<std::string> regions;
  std::vector<Machine> machines;     // devices are numbered in this order
  std::vector<LinkFigures> between;  // row-major regions x regions, from * size + to; the diagonal is "inside a
                                     // region, between two machines", meaningless where no two need it
  std::vector<std::size_t> limiter_classes;  // as `between`: pairs of different classes share no limiter; empty = the
                                             // figures alone say which do

  const LinkFigures& link(std::size_t from, std::size_t to) const { return between[from * regions.size() + to]; }
};

/// Name of one device of a machine: the machine's own where it has one device, else with its number, oregon-0-gpu3.
std::string device_name(const Machine& machine, std::size_t device);

/// Reads a cluster description and the measurement table it names. Every mistake is a UserError with its location.
/// The format is described in platforms/README.md.
Cluster read_cluster(const std::string& path);
/// The same for a description inside another file; paths in it are relative to that file.
Cluster read_cluster(const Config& description);

}  // namespace longhaul
