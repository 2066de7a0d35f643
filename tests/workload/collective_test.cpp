#include "sim/workload/collective.hpp"

#include <set>

#include <catch2/catch.hpp>

#include "sim/workload/graph_analysis.hpp"

using namespace longhaul;

namespace {

// A collective over `members`, each with one source tasklet, and what each result depends on.
struct Emitted {
  std::vector<TaskletId> sources;
  CollectiveResult results;
  TaskletGraph graph;
};

Emitted emit(const Collective& collective, std::size_t members, double bytes, double chunk,
             std::optional<double> ring_chunk = std::nullopt, const std::vector<std::size_t>& regions = {}) {
  Emitted emitted;
  TaskletGraphBuilder builder;
  CollectiveCall call;
  call.bytes = Bytes(bytes);
  call.chunk = Bytes(chunk);
  call.regions = regions;
  if (ring_chunk) call.ring_chunk = Bytes(*ring_chunk);
  for (std::size_t i = 0; i < members; ++i) {
    Tasklet source;
    source.kind = TaskletKind::backward;
    source.rank = RankId(i);
    source.device = source.target = DeviceId(i);
    emitted.sources.push_back(builder.add(source));
    call.ranks.emplace_back(i);
    call.devices.emplace_back(i);
    call.ready.push_back({emitted.sources.back()});
  }
  emitted.results = collective.emit(call, builder);
  emitted.graph = builder.build();
  return emitted;
}

// For every tasklet, the sources that it depends on.
std::vector<std::set<std::uint32_t>> origins(const Emitted& emitted) {
  std::vector<std::set<std::uint32_t>> known(emitted.graph.size());
  for (const TaskletId source : emitted.sources) known[source.value].insert(source.value);
  for (const TaskletId id : topological_order(emitted.graph))
    for (const TaskletId* next = emitted.graph.successors_begin(id); next != emitted.graph.successors_end(id); ++next)
      known[next->value].insert(known[id.value].begin(), known[id.value].end());
  return known;
}

std::set<std::uint32_t> held_by(const Emitted& emitted, std::size_t member) {
  const std::vector<std::set<std::uint32_t>> known = origins(emitted);
  std::set<std::uint32_t> held;
  for (const TaskletId result : emitted.results[member])
    held.insert(known[result.value].begin(), known[result.value].end());
  return held;
}

void check_complete(const Emitted& emitted) {
  const std::size_t members = emitted.sources.size();
  const std::vector<std::set<std::uint32_t>> known = origins(emitted);
  for (std::size_t member = 0; member < members; ++member) {
    std::set<std::uint32_t> held;
    for (const TaskletId result : emitted.results[member])
      held.insert(known[result.value].begin(), known[result.value].end());
    CHECK(held.size() == members);
    // Nothing that a member's result waits for was received by somebody else.
    for (const TaskletId result : emitted.results[member])
      CHECK(emitted.graph.tasklet(result).target == DeviceId(member));
  }
}

std::vector<double> bytes_sent(const Emitted& emitted, std::size_t members) {
  std::vector<double> sent(members, 0);
  for (const Tasklet& task : emitted.graph.tasklets())
    if (is_transfer(task.kind)) sent[task.device.value] += task.bytes.value;
  return sent;
}

}  // namespace

TEST_CASE("every collective leaves every rank with what every rank gave") {
  for (const Collective& collective : collectives()) {
    const std::string name = collective.name;
    if (name == "auto" || name.rfind("broadcast", 0) == 0 || name == "reduce" || name == "reduce_tree") continue;
    for (const std::size_t members : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 15U, 16U, 17U, 23U, 32U, 33U}) {
      INFO(collective.name << " with " << members);
      check_complete(emit(collective, members, 1000, 300));
      check_complete(emit(collective, members, 1000, 300, 20));
    }
  }
}

TEST_CASE("a hierarchical ring leaves every rank with what every rank gave, however the regions lie") {
  const Collective& collective = *find_collective("hierarchical_ring");
  const std::vector<std::vector<std::size_t>> places{{0, 1},
                                                     {0, 0, 1},
                                                     {0, 1, 1, 0},
                                                     {0, 1, 2, 3, 4},
                                                     {0, 1, 0, 1, 0, 1},
                                                     {0, 0, 1, 1, 2, 2},
                                                     {3, 3, 3, 7, 7, 7, 1},
                                                     {0, 1, 1, 1, 2, 2},
                                                     {0, 0, 0, 0},
                                                     {0, 1, 2, 0, 1, 2, 0, 1, 2}};
  for (const std::vector<std::size_t>& regions : places) {
    check_complete(emit(collective, regions.size(), 1000, 300, std::nullopt, regions));
    check_complete(emit(collective, regions.size(), 1000, 300, 20, regions));
  }
}

TEST_CASE("broadcast and reduce bring what they say") {
  for (std::size_t members = 2; members <= 9; ++members) {
    const Emitted down = emit(*find_collective("broadcast"), members, 1000, 300);
    for (std::size_t member = 1; member < members; ++member) CHECK(held_by(down, member).count(0) == 1);
    CHECK(held_by(emit(*find_collective("reduce"), members, 1000, 300), 0).size() == members);
  }
}

TEST_CASE("the bytes that each rank sends equal the closed form") {
  const double bytes = 1200;
  for (std::size_t members = 2; members <= 8; ++members) {
    const auto n = static_cast<double>(members);
    for (const double sent : bytes_sent(emit(*find_collective("ring_all_reduce"), members, bytes, 100), members))
      CHECK(sent == Approx(2 * (n - 1) * bytes / n));
    for (const double sent : bytes_sent(emit(*find_collective("sharded_server"), members, bytes, 100), members))
      CHECK(sent == Approx(2 * (n - 1) * bytes / n));
    for (const char* half : {"reduce_scatter", "all_gather", "all_to_all"})
      for (const double sent : bytes_sent(emit(*find_collective(half), members, bytes, 100), members))
        CHECK(sent == Approx((n - 1) * bytes / n));
    // Chain: member 0 sends only down, the last sends only up, member 1 starts the reduce and passes the broadcast
    // on.
    const std::vector<double> central =
        bytes_sent(emit(*find_collective("central_server"), members, bytes, 100), members);
    for (std::size_t member = 0; member < members; ++member) {
      const double hops = (member != 0 ? 1 : 0) + (member + 1 != members ? 1 : 0);
      CHECK(central[member] == Approx(hops * bytes));
    }
  }
}

TEST_CASE("halving and doubling sends 2 (p - 1) / p of the bytes, and all of them for who stands in") {
  const double bytes = 1920;
  for (std::size_t members = 2; members <= 17; ++members) {
    std::size_t power = 1;
    while (2 * power <= members) power *= 2;
    const std::size_t extra = members - power;
    const std::vector<double> sent =
        bytes_sent(emit(*find_collective("recursive_halving_doubling"), members, bytes, 100), members);
    const double share = 2 * static_cast<double>(power - 1) / static_cast<double>(power) * bytes;
    for (std::size_t member = 0; member < members; ++member) {
      INFO(member << " of " << members);
      const bool stands_in = member < 2 * extra && member % 2 == 1;
      const bool is_stood_for = member < 2 * extra && member % 2 == 0;
      CHECK(sent[member] == Approx(is_stood_for ? bytes : share + (stands_in ? bytes : 0)));
    }
  }
}

TEST_CASE("two trees send 2 (n - 1) times the bytes, nobody more than twice and a half") {
  for (std::size_t members = 2; members <= 40; ++members) {
    double sum = 0;
    for (const double sent : bytes_sent(emit(*find_collective("double_binary_tree"), members, 1200, 100), members)) {
      INFO(members);
      CHECK(sent <= 2.5 * 1200);
      sum += sent;
    }
    CHECK(sum == Approx(2 * (static_cast<double>(members) - 1) * 1200));
  }
}

TEST_CASE("rings on two levels send 2 (m - 1) / m of the bytes inside and 2 (R - 1) / (m R) between") {
  // Two regions of three, and three of two.
  for (const std::vector<std::size_t>& regions :
       {std::vector<std::size_t>{0, 0, 0, 1, 1, 1}, std::vector<std::size_t>{0, 1, 2, 0, 1, 2}}) {
    const Emitted emitted = emit(*find_collective("hierarchical_ring"), 6, 1200, 100, std::nullopt, regions);
    const auto groups = static_cast<double>(regions.back() + 1);
    const double size = 6 / groups;
    std::vector<double> inside(6, 0);
    std::vector<double> between(6, 0);
    for (const Tasklet& task : emitted.graph.tasklets()) {
      if (!is_transfer(task.kind)) continue;
      const bool same = regions[task.device.value] == regions[task.target.value];
      (same ? inside : between)[task.device.value] += task.bytes.value;
    }
    for (std::size_t member = 0; member < 6; ++member) {
      CHECK(inside[member] == Approx(2 * (size - 1) / size * 1200));
      CHECK(between[member] == Approx(2 * (groups - 1) / groups / size * 1200));
    }
  }
}

TEST_CASE("every collective emits as many tasklets as its table line says") {
  const auto count = [](const Emitted& emitted) {
    return static_cast<double>(emitted.graph.size() - emitted.sources.size());
  };
  for (const Collective& collective : collectives())
    for (std::size_t members = 2; members <= 9; ++members)
      for (const double bytes : {0.0, 299.0, 300.0, 1000.0}) {
        if (collective.name == std::string("auto")) continue;
        INFO(collective.name << " with " << members << " of " << bytes);
        CollectiveCall call;
        call.ranks.resize(members);
        call.bytes = Bytes(bytes);
        call.chunk = Bytes(300);
        CHECK(collective.tasklets(call) == count(emit(collective, members, bytes, 300)));
        call.ring_chunk = Bytes(70);
        CHECK(collective.tasklets(call) == count(emit(collective, members, bytes, 300, 70)));
        for (std::size_t member = 0; member < members; ++member) call.regions.push_back(member % 3);
        CHECK(collective.tasklets(call) == count(emit(collective, members, bytes, 300, 70, call.regions)));
      }
}

TEST_CASE("a ring in rounds leaves every rank with what every rank gave, and few dependencies") {
  for (std::size_t members = 2; members <= 9; ++members) {
    INFO(members);
    const Emitted emitted = emit(*find_collective("ring_all_reduce"), members, 9000, 300, 10);
    const std::vector<std::set<std::uint32_t>> known = origins(emitted);
    for (const std::vector<TaskletId>& result : emitted.results) {
      std::set<std::uint32_t> held;
      for (const TaskletId one : result) held.insert(known[one.value].begin(), known[one.value].end());
      CHECK(held.size() == members);
    }
    std::size_t dependencies = 0;
    for (std::size_t i = 0; i < emitted.graph.size(); ++i)
      dependencies += emitted.graph.predecessor_count(TaskletId(i));
    CHECK(dependencies < 4 * emitted.graph.size());
  }
}
