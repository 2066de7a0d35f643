#include "sim/workload/sync_choice.hpp"

#include "sim/workload/gradient_sync.hpp"
#include "sim/workload/sync_call.hpp"

namespace longhaul {

std::vector<std::string> chosen_collectives(const Job& job, const Plan& plan, const PlatformView& platform,
                                            const NetworkModel& network) {
  std::vector<std::string> chosen;
  if (plan.gradient_sync != "auto" || plan.degrees.copies() == 1) return chosen;
  const std::vector<DeviceId> devices = plan.device_of_rank();
  for (const SyncTeam& team : sync_teams(job, plan, RankLayout(plan)).teams) {
    const CollectiveCall call = sync_call(plan, team.ranks, chosen.size(), devices, platform, network);
    std::string names;
    for (const SyncTeam::Piece& piece : team.pieces) {
      const std::string name = fastest_collective(gradient_call(job, plan, call, team.gradient * piece.share)).name;
      if (names.find(name) == std::string::npos) names += (names.empty() ? "" : " + ") + name;
    }
    chosen.push_back(names);
  }
  return chosen;
}

}  // namespace longhaul
