#include "scheduler/plan_text.hpp"

#include <sstream>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

void write(std::ostream& out, const std::vector<std::size_t>& values) {
  out << values.size() << ' ';
  for (const std::size_t value : values) out << value << ' ';
}

std::vector<std::size_t> read_list(std::istream& in) {
  std::size_t size = 0;
  in >> size;
  std::vector<std::size_t> values(size);
  for (std::size_t& value : values) in >> value;
  return values;
}

template <class Id>
std::vector<std::size_t> numbers(const std::vector<Id>& ids) {
  std::vector<std::size_t> values;
  for (const Id id : ids) values.push_back(id.value);
  return values;
}

template <class Id>
std::vector<Id> ids(const std::vector<std::size_t>& values) {
  std::vector<Id> result;
  for (const std::size_t value : values) result.emplace_back(value);
  return result;
}

}  // namespace

std::string text_of(const TriedPlan& tried) {
  const Plan& plan = tried.plan;
  std::ostringstream out;
  out << std::hexfloat << tried.seconds.value << ' ' << plan.degrees.pipeline << ' ' << plan.degrees.data << ' '
      << plan.degrees.tensor << ' ' << plan.degrees.context << ' ' << plan.micro_batch_size << ' '
      << plan.micro_batches << ' ' << plan.passes << ' ' << plan.schedule << ' ' << plan.virtual_stages << ' '
      << plan.phase_barrier << ' ' << plan.synchronous_transfers << ' ' << plan.gradient_sync << ' ' << plan.zero
      << ' ' << plan.sync_groups << ' ';
  write(out, plan.layers_per_stage);
  write(out, plan.warm_up);
  write(out, numbers(plan.rank_of_device));
  out << plan.pipelines.size() << ' ';
  for (const PipelinePlan& pipeline : plan.pipelines) {
    write(out, pipeline.layers);
    write(out, pipeline.tensor);
    write(out, pipeline.warm_up);
    out << pipeline.micro_batch_size << ' ' << pipeline.micro_batches << ' '
        << (pipeline.device_type.empty() ? "-" : pipeline.device_type) << ' ';
  }
  out << plan.ring_orders.size() << ' ';
  for (const auto& order : plan.ring_orders) write(out, numbers(order));
  return out.str();
}

TriedPlan tried_of(const Plan& base, const std::string& text) {
  TriedPlan tried{base, {}};
  Plan& plan = tried.plan;
  std::istringstream in(text);
  std::string seconds;
  in >> seconds >> plan.degrees.pipeline >> plan.degrees.data >> plan.degrees.tensor >> plan.degrees.context >>
      plan.micro_batch_size >> plan.micro_batches >> plan.passes >> plan.schedule >> plan.virtual_stages >>
      plan.phase_barrier >> plan.synchronous_transfers >> plan.gradient_sync >> plan.zero >> plan.sync_groups;
  tried.seconds = Seconds(std::strtod(seconds.c_str(), nullptr));
  plan.layers_per_stage = read_list(in);
  plan.warm_up = read_list(in);
  plan.rank_of_device = ids<RankId>(read_list(in));
  std::size_t pipelines = 0;
  in >> pipelines;
  plan.pipelines.assign(pipelines, {});
  for (PipelinePlan& pipeline : plan.pipelines) {
    pipeline.layers = read_list(in);
    pipeline.tensor = read_list(in);
    pipeline.warm_up = read_list(in);
    in >> pipeline.micro_batch_size >> pipeline.micro_batches >> pipeline.device_type;
    if (pipeline.device_type == "-") pipeline.device_type.clear();
  }
  std::size_t orders = 0;
  in >> orders;
  plan.ring_orders.clear();
  for (std::size_t i = 0; i < orders; ++i) plan.ring_orders.push_back(ids<Replica>(read_list(in)));
  require(!in.fail(), "a child's plan is cut off");
  return tried;
}

}  // namespace longhaul
