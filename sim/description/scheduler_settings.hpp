// What a scenario says about its scheduler: keys `scheduler.*`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/description/search_options.hpp"

namespace longhaul {

struct SchedulerSettings {
  std::string name = "identity";
  Location name_where;
  std::uint64_t seed = 1;
  SearchOptions search;
  std::optional<Bytes> gradient_bytes;    // c_DP of the cost model, instead of the job's
  std::optional<Bytes> activation_bytes;  // c_PP of the cost model, instead of the job's
  std::vector<RankId> rank_map;           // for `rank_map`: rank of each device
  Location rank_map_where;
  bool megatron_order = false;  // the rank map numbers ranks as Megatron-LM does
};

}  // namespace longhaul
