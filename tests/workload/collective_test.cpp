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
             std::optional<double> ring_chunk = std::nullopt) {
  Emitted emitted;
  TaskletGraphBuilder builder;
  CollectiveCall call;
  call.bytes = Bytes(bytes);
  call.chunk = Bytes(chunk);
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

std::vector<double> bytes_sent(const Emitted& emitted, std::size_t members) {
  std::vector<double> sent(members, 0);
  for (const Tasklet& task : emitted.graph.tasklets())
    if (is_transfer(task.kind)) sent[task.device.value] += task.bytes.value;
  return sent;
}

}  // namespace

TEST_CASE("every collective leaves every rank with what every rank gave") {
  for (const Collective& collective : collectives()) {
    if (!collective.synchronises) continue;
    for (std::size_t members = 2; members <= 9; ++members) {
      INFO(collective.name << " with " << members);
      const Emitted emitted = emit(collective, members, 1000, 300);
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

TEST_CASE("every collective emits as many tasklets as its table line says") {
  const auto count = [](const Emitted& emitted) {
    return static_cast<double>(emitted.graph.size() - emitted.sources.size());
  };
  for (const Collective& collective : collectives())
    for (std::size_t members = 2; members <= 9; ++members)
      for (const double bytes : {0.0, 299.0, 300.0, 1000.0}) {
        INFO(collective.name << " with " << members << " of " << bytes);
        CollectiveCall call;
        call.ranks.resize(members);
        call.bytes = Bytes(bytes);
        call.chunk = Bytes(300);
        CHECK(collective.tasklets(call) == count(emit(collective, members, bytes, 300)));
        call.ring_chunk = Bytes(70);
        CHECK(collective.tasklets(call) == count(emit(collective, members, bytes, 300, 70)));
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
