#include "sim/workload/kernel_time.hpp"

#include <algorithm>

#include "sim/workload/tensor_sum.hpp"

namespace longhaul {
namespace {

constexpr double mask = 1;  // bytes per value
constexpr double update_bytes = 46;

// Times of one layer, or of the head, on one slice.
struct Times {
  Seconds forward;
  Seconds backward;
  Seconds attention;  // of the forward, what selective recomputation repeats
};

// One device, one slice's shapes.
class Kernels {
 public:
  Kernels(const Job& job, const Plan& plan, const Device& device)
      : model_(job.model),
        speed_(device.peak * (job.compute.peak_factor_on(device.type) * job.compute.kernels->multiply_efficiency)),
        memory_(job.compute.kernels->memory_bandwidth_of(device.type).value * job.compute.kernels->memory_efficiency),
        start_(job.compute.kernels->half_work / speed_),
        value_(job.value_bytes()),
        slices_(static_cast<double>(plan.degrees.tensor)),
        parts_(static_cast<double>(plan.degrees.context)),
        tokens_(static_cast<double>(job.model.sequence) * static_cast<double>(plan.micro_batch_size) / parts_),
        whole_(tokens_ * static_cast<double>(job.model.hidden) / (plan.sequence_parallel ? slices_ : 1)) {}

  Times layer() const {
    const auto hidden = static_cast<double>(model_.hidden);
    const auto inner = static_cast<double>(model_.feed_forward * model_.experts_per_token);
    const auto heads = static_cast<double>(model_.heads);
    const double rows = hidden * (1 + 2 * static_cast<double>(model_.key_value_heads) / heads);
    const double scores = heads * static_cast<double>(model_.sequence) * tokens_ / slices_;
    const double slice = tokens_ / slices_;

    const Seconds weights = with_weights(hidden, rows / slices_) + with_weights(hidden / slices_, hidden) +
                            with_weights(hidden, inner / slices_) * (model_.gated ? 2 : 1) +
                            with_weights(inner / slices_, hidden);
    const Seconds attention = multiply(2 * scores * hidden / heads, (1 + parts_) * slice * hidden + scores) * 2;
    const Seconds scoring = moved(scores * (4 * value_ + mask));

    const double arranged = slice * rows * 2 * value_;
    Times times;
    times.attention = attention + scoring;
    times.forward = weights + times.attention +
                    moved(whole_ * (2 * 2 * value_ + 2 * (3 * value_ + mask)) +
                          slice * inner * (model_.gated ? 3 : 2) * value_ + arranged);
    times.backward = (weights + attention) * 2 + moved(scores * (5 * value_ + mask)) +
                     moved(whole_ * (2 * 3 * value_ + 2 * (2 * value_ + mask)) +
                           slice * inner * (model_.gated ? 5 : 3) * value_ + arranged);
    return times;
  }

  Times head() const {
    Times times;
    if (model_.head == Head::none) return times;
    if (model_.head == Head::classifier) {
      const double sequences = tokens_ / static_cast<double>(model_.sequence);
      times.forward = multiply(head_forward_flops(model_).value * sequences / slices_, 0);
      times.backward = times.forward * 2;
      return times;
    }
    const double columns = static_cast<double>(model_.vocabulary) / slices_;
    const Seconds product = with_weights(static_cast<double>(model_.hidden), columns);
    times.forward = product + moved(tokens_ * columns * (value_ + 8));
    times.backward = product * 2 + moved(tokens_ * columns * (value_ + 4));
    return times;
  }

  Seconds moved(double bytes) const { return Seconds(bytes / memory_); }

 private:
  Seconds multiply(double flops, double values) const {
    return std::max(Flops(flops) / speed_, moved(values * value_)) + start_;
  }

  // All tokens times a matrix.
  Seconds with_weights(double rows, double columns) const {
    return multiply(2 * tokens_ * rows * columns, tokens_ * (rows + columns) + rows * columns);
  }

  const Model& model_;
  FlopsPerSecond speed_;
  double memory_;  // bytes per second
  Seconds start_;  // of each multiplication
  double value_;   // bytes
  double slices_;
  double parts_;
  double tokens_;  // of a part of the sequences
  double whole_;   // values of an activation that only sequence parallelism splits
};

}  // namespace

KernelTimes kernel_times(const Job& job, const Plan& plan, const StageLoad& load, Stage stage, const Device& device) {
  using Direction = PipelineStep::Direction;
  const Kernels kernels(job, plan, device);
  const std::size_t count = plan.layers_per_stage[stage.value];
  const auto layers = static_cast<double>(count);
  const auto slices = static_cast<double>(plan.degrees.tensor);
  Times layer = kernels.layer();
  double launches = 2;  // of a layer's backward, in forwards
  if (job.recompute == Recompute::full) {
    layer.backward += layer.forward;
    launches += 1;
  } else if (job.recompute == Recompute::selective) {
    layer.backward += layer.attention;
    launches += 1.0 / 3;
  }
  KernelTimes times;
  times.forward = layer.forward * layers;
  times.backward = layer.backward * layers;
  if (stage.value + 1 == plan.degrees.pipeline) {
    const Times head = kernels.head();
    times.forward += head.forward;
    times.backward += head.backward;
  }
  const double held = load.parameters / slices * job.value_bytes();
  if (plan.sharding() == 3) {
    times.forward += kernels.moved(2 * held);
    times.backward += kernels.moved(2 * held);
  }
  if (plan.sharding() >= 2) times.backward += kernels.moved(4 * held);
  times.weight_update = kernels.moved(update_bytes * load.parameters / slices);

  const KernelModel& model = *job.compute.kernels;
  const Seconds waiting = model.host_per_sum * (slices - 1);
  times.host_forward =
      model.host * layers + waiting * static_cast<double>(tensor_sums(job, count, Direction::forward));
  times.host_backward =
      model.host * (layers * launches) + waiting * static_cast<double>(tensor_sums(job, count, Direction::backward));
  return times;
}

}  // namespace longhaul
