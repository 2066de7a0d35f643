// Every collective followed as data: each member ends with every contribution that it should have, once.
#include <catch2/catch.hpp>

#include "tests/support/collective_data.hpp"

using namespace longhaul;

namespace {

constexpr std::size_t sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 16};

CollectiveCall call_of(double bytes) {
  CollectiveCall call;
  call.bytes = Bytes(bytes);
  call.chunk = Bytes(400);
  return call;
}

// 1 : 2 : … : n, and for three and more the second owns nothing.
std::vector<double> uneven_shares(std::size_t members) {
  std::vector<double> shares;
  double sum = 0;
  for (std::size_t i = 0; i < members; ++i) {
    shares.push_back(members > 2 && i == 1 ? 0 : static_cast<double>(i + 1));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

std::string wrong(const char* name, const CollectiveCall& call, std::size_t members) {
  const Collective& collective = *find_collective(name);
  return wrong_with(collective, emit_data(collective, call, members));
}

}  // namespace

TEST_CASE("every collective gives each member every contribution that is promised, once") {
  for (const Collective& collective : collectives()) {
    if (collective.name == std::string("auto")) continue;
    for (const std::size_t members : sizes) {
      INFO(collective.name << " with " << members);
      CHECK(wrong(collective.name, call_of(1000), members) == "");
      CollectiveCall uneven = call_of(1000);
      uneven.shares = uneven_shares(members);
      CHECK(wrong(collective.name, uneven, members) == "");
      if (members > 9) continue;
      uneven.ring_chunk = Bytes(150);
      CHECK(wrong(collective.name, uneven, members) == "");
    }
  }
}

TEST_CASE("hierarchical rings do so however regions and machines lie, and whatever their shares") {
  const std::vector<std::vector<std::size_t>> places{{0, 1},
                                                     {0, 0, 1},
                                                     {0, 1, 1, 0},
                                                     {0, 0, 0, 0},
                                                     {0, 1, 2, 3, 4},
                                                     {3, 3, 3, 7, 7, 7, 1},
                                                     {0, 1, 0, 1, 0, 1},
                                                     {0, 1, 1, 1, 2, 2},
                                                     {0, 0, 0, 0, 1, 1, 1, 2, 2},
                                                     {0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4}};
  for (const char* name : {"hierarchical_ring", "hierarchical_ring_3"})
    for (const std::vector<std::size_t>& machines : places)
      for (const std::size_t machines_per_region : {1U, 2U, 9U})
        for (const bool even : {true, false}) {
          CollectiveCall call = call_of(1000);
          call.machines = machines;
          for (const std::size_t machine : machines) call.regions.push_back(machine / machines_per_region);
          if (!even) call.shares = uneven_shares(machines.size());
          INFO(name << " of " << machines.size() << ", " << machines_per_region << " machines per region, even "
                    << even);
          CHECK(wrong(name, call, machines.size()) == "");
        }
}

TEST_CASE("the bytes of every member equal the closed form, with even and uneven shards") {
  const double bytes = 1000;
  for (const std::size_t members : sizes)
    for (const bool even : {true, false}) {
      INFO(members << " members, even " << even);
      CollectiveCall call = call_of(bytes);
      if (!even) call.shares = uneven_shares(members);
      const auto sent = [&](const char* name) {
        std::vector<double> sums(members, 0);
        const EmittedData data = emit_data(*find_collective(name), call, members);
        for (const Tasklet& task : data.graph.tasklets())
          if (is_transfer(task.kind)) sums[task.device.value] += task.bytes.value;
        return sums;
      };
      const auto share = [&](std::size_t member) {
        return even ? 1 / static_cast<double>(members) : call.shares[member % members];
      };
      const auto all_to_all = sent("all_to_all");
      const auto server = sent("sharded_server");
      const auto scattered = sent("reduce_scatter");
      const auto gathered = sent("all_gather");
      const auto ring = sent("ring_all_reduce");
      for (std::size_t i = 0; i < members; ++i) {
        const auto others = static_cast<double>(members - 1);
        CHECK(all_to_all[i] == Approx(bytes * (1 - share(i))));
        CHECK(server[i] == Approx(bytes * (1 - share(i) + others * share(i))));
        CHECK(scattered[i] == Approx(bytes * (1 - share(i))));
        CHECK(gathered[i] == Approx(bytes * (1 - share(i + 1))));
        CHECK(ring[i] == Approx(bytes * (2 - share(i) - share(i + 1))));
      }
      double sum = 0;
      for (const double tree : sent("broadcast_tree")) sum += tree;
      for (const double tree : sent("reduce_tree")) sum += tree;
      CHECK(sum == Approx(2 * bytes * static_cast<double>(members - 1)));
    }
}

TEST_CASE("the checker notices a wrong stretch, a wrong merge, a missing and a doubled message") {
  for (const char* name : {"ring_all_reduce", "sharded_server", "recursive_halving_doubling", "double_binary_tree",
                           "central_server", "hierarchical_ring"}) {
    INFO(name);
    const Collective& collective = *find_collective(name);
    CollectiveCall call = call_of(1000);
    call.regions = {0, 0, 0, 1, 1};
    const EmittedData right = emit_data(collective, call, 5);
    CHECK(wrong_with(collective, right) == "");
    for (std::size_t i = 0; i < right.carried.size(); i += 3) {
      INFO("message " << i);
      EmittedData wrong = right;
      const Bytes shift(right.carried[i].begin.value < 500 ? 1 : -1);
      wrong.carried[i].begin += shift;
      wrong.carried[i].end += shift;
      CHECK_FALSE(wrong_with(collective, wrong).empty());
      wrong = right;
      wrong.carried[i].merge = wrong.carried[i].merge == Merge::adds ? Merge::replaces : Merge::adds;
      CHECK_FALSE(wrong_with(collective, wrong).empty());
      wrong = right;
      wrong.carried.erase(wrong.carried.begin() + static_cast<std::ptrdiff_t>(i));
      CHECK_FALSE(wrong_with(collective, wrong).empty());
    }
  }
}
