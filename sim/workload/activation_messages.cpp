#include "sim/workload/pipeline_build.hpp"
#include "sim/workload/stage_part.hpp"

namespace longhaul {
namespace {

using Direction = PipelineStep::Direction;

void add_message(PipelineBuild& build, const Work& producer, const Work& consumer, MicroBatch micro,
                 const std::array<Bytes, 3>& by_reach) {
  const RankId sender = build.graph.tasklet(producer.computation).rank;
  Tasklet transfer = build.local(TaskletKind::activation_transfer, sender);
  transfer.target = build.graph.tasklet(consumer.computation).device;
  transfer.micro_batch = micro;
  const bool depends = !build.plan.activation_compression.is_uniform();
  const Reach reach =
      depends ? reach_between(build.platform, transfer.device, transfer.target) : Reach::inside_machine;
  transfer.bytes = by_reach[static_cast<std::size_t>(reach)];
  const TaskletId id = build.graph.add(transfer);
  build.graph.order(producer.output, id);
  build.graph.order(id, consumer.computation);
  if (!build.plan.synchronous_transfers) return;
  if (consumer.previous) build.graph.order(*consumer.previous, id);
  if (producer.next) {
    build.graph.order(id, *producer.next);
  } else {
    build.last[sender.value].push_back(id);
  }
}

}  // namespace

void emit_activation_messages(PipelineBuild& build, const PassSteps& steps) {
  const Plan& plan = build.plan;
  const std::array<Bytes, 3> bytes =
      compressed_bytes(plan.activation_compression, build.activation_share(), build.job.value_bytes());
  for (std::size_t rank = 0; rank < plan.degrees.ranks(); ++rank)
    for (std::size_t chunk = 0; chunk < plan.virtual_stages; ++chunk) {
      const RankId from(rank);
      const auto to = chunk_after(plan, from, chunk);
      if (!to) continue;
      for (std::size_t i = 0; i < plan.micro_batches; ++i) {
        add_message(build, steps.work(from, Direction::forward, i, chunk),
                    steps.work(to->rank, Direction::forward, i, to->chunk), steps.micro_batch(i), bytes);
        add_message(build, steps.work(to->rank, Direction::backward, i, to->chunk),
                    steps.work(from, Direction::backward, i, chunk), steps.micro_batch(i), bytes);
      }
    }
}

}  // namespace longhaul
