#include "sim/workload/pipeline_build.hpp"

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

// Activations of all micro-batches between two ranks, and their gradients back.
void add_messages(PipelineBuild& build, const PassSteps& steps, RankId from, std::size_t chunk, const ChunkPeer& to) {
  const std::array<Bytes, 3> bytes = compressed_bytes(
      build.plan.activation_compression, to.of(build.times.load(from).activation), build.job.value_bytes());
  for (std::size_t i = 0; i < steps.micro_batches(from); ++i) {
    add_message(build, steps.work(from, Direction::forward, i, chunk),
                steps.work(to.rank, Direction::forward, i, to.chunk), steps.micro_batch(from, i), bytes);
    add_message(build, steps.work(to.rank, Direction::backward, i, to.chunk),
                steps.work(from, Direction::backward, i, chunk), steps.micro_batch(from, i), bytes);
  }
}

}  // namespace

void emit_activation_messages(PipelineBuild& build, const PassSteps& steps) {
  for (std::size_t rank = 0; rank < build.layout().ranks(); ++rank)
    for (std::size_t chunk = 0; chunk < build.plan.virtual_stages; ++chunk)
      for (const ChunkPeer& to : build.times.chain().after(RankId(rank), chunk))
        add_messages(build, steps, RankId(rank), chunk, to);
}

}  // namespace longhaul
