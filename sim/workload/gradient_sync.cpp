#include "sim/workload/gradient_sync.hpp"

#include "sim/workload/whole_ring.hpp"

namespace longhaul {
namespace {

// When a member has compressed its gradients; at once if nobody says how long that takes.
std::vector<TaskletId> compressed_after(const Plan& plan, const CollectiveCall& call, std::size_t member, Bytes bytes,
                                        TaskletGraphBuilder& graph) {
  if (!plan.gradient_compression.compresses(reach_of(call)) || !plan.compression_rate) return call.ready[member];
  Tasklet compressing;
  compressing.kind = TaskletKind::reduction;
  compressing.rank = call.ranks[member];
  compressing.device = compressing.target = call.devices[member];
  compressing.handling = bytes / *plan.compression_rate;
  const TaskletId id = graph.add(compressing);
  graph.order(call.ready[member], id);
  return {id};
}

}  // namespace

CollectiveCall gradient_call(const Job& job, const Plan& plan, CollectiveCall call, Bytes gradient) {
  call.bytes = compressed_bytes(plan.gradient_compression.over(reach_of(call)), gradient, job.value_bytes());
  return call;
}

CollectiveResult emit_gradient_call(const Job& job, const Plan& plan, const CollectiveCall& call, Bytes gradient,
                                    TaskletGraphBuilder& graph) {
  CollectiveCall compressed = gradient_call(job, plan, call, gradient);
  for (std::size_t member = 0; member < call.ranks.size(); ++member)
    compressed.ready[member] = compressed_after(plan, call, member, gradient, graph);
  return emit_collective(plan.zero > 0 ? "reduce_scatter" : plan.gradient_sync, compressed, graph);
}

CollectiveResult emit_parameter_gather(const CollectiveCall& call, Bytes parameters, TaskletGraphBuilder& graph) {
  CollectiveCall gather = call;
  gather.kind = TaskletKind::parameter_transfer;
  gather.bytes = parameters;
  return emit_collective("all_gather", gather, graph);
}

CollectiveResult emit_gradient_sync(const Job& job, const Plan& plan, const CollectiveCall& call,
                                    const SyncTeam& team, const std::vector<std::size_t>& places,
                                    const CompleteGradients& complete, TaskletGraphBuilder& graph) {
  CollectiveCall piece_call = call;
  CollectiveResult done(call.ranks.size());
  for (const SyncTeam::Piece& piece : team.pieces) {
    for (std::size_t member = 0; member < call.ranks.size(); ++member)
      piece_call.ready[member] = complete[call.ranks[member].value][piece.group[places[member]]];
    const CollectiveResult synchronised =
        emit_gradient_call(job, plan, piece_call, team.gradient * piece.share, graph);
    for (std::size_t member = 0; member < call.ranks.size(); ++member)
      done[member].insert(done[member].end(), synchronised[member].begin(), synchronised[member].end());
  }
  return done;
}

}  // namespace longhaul
