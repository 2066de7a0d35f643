#include "sim/results/timeline_files.hpp"

#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace longhaul {
namespace {

enum class Row { compute = 0, send = 1, receive = 2, control = 3 };
constexpr const char* row_names[] = {"compute", "send", "receive", "control"};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_event(std::string& out, const Tasklet& task, std::size_t id, DeviceId device, Row row, Seconds from,
                 Seconds to) {
  std::string name = name_of(task.kind);
  if (task.micro_batch != no_micro_batch) name += fmt::format(" {}", task.micro_batch.value);
  fmt::format_to(
      std::back_inserter(out),
      ",\n{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f},"
      "\"args\":{{\"tasklet\":{},\"rank\":{},\"bytes\":{:.0f}}}}}",
      name, name_of(task.kind), device.value, static_cast<int>(row), from.value * 1e6, (to - from).value * 1e6, id,
      task.rank.value, task.bytes.value);
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char character : text) field += character == '"' ? std::string("\"\"") : std::string(1, character);
  return field + "\"";
}

std::string timeline_csv(const PlatformView& platform, const TaskletGraph& graph, const Timeline& timeline) {
  std::string out = "tasklet,kind,rank,device,target,micro_batch,flop,bytes,start_s,released_s,finish_s\n";
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    const Span& span = timeline.spans[i];
    const std::string target = is_transfer(task.kind) ? csv_field(platform.device(task.target).name) : "";
    const std::string micro = task.micro_batch == no_micro_batch ? "" : std::to_string(task.micro_batch.value);
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{:.0f},{:.0f},{:.9f},{:.9f},{:.9f}\n", i,
                   name_of(task.kind), task.rank.value, csv_field(platform.device(task.device).name), target, micro,
                   task.flops.value, task.bytes.value, span.start.value, span.released.value, span.finish.value);
  }
  return out;
}

std::string chrome_trace(const PlatformView& platform, const TaskletGraph& graph, const Timeline& timeline) {
  std::string out =
      "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":0,\"args\":{"
      "\"labels\":\"Longhaul\"}}";
  for (std::size_t device = 0; device < platform.size(); ++device) {
    const Device& described = platform.device(DeviceId(device));
    fmt::format_to(std::back_inserter(out),
                   ",\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":{}}}}}", device,
                   quoted(fmt::format("{} ({})", described.name, described.region)));
    for (int row = 0; row < 4; ++row)
      fmt::format_to(
          std::back_inserter(out),
          ",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", device,
          row, row_names[row]);
  }
  std::vector<std::optional<Seconds>> arrivals(platform.size());  // at the barrier where the device is
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Tasklet& task = graph.tasklet(TaskletId(i));
    const Span& span = timeline.spans[i];
    if (task.kind == TaskletKind::barrier_message) continue;  // several pass at a time, between arrival and departure
    if (task.kind == TaskletKind::barrier) {
      std::optional<Seconds>& arrival = arrivals[task.device.value];
      if (arrival) write_event(out, task, i, task.device, Row::control, *arrival, span.finish);
      arrival = arrival ? std::nullopt : std::optional<Seconds>(span.start);
    } else if (is_transfer(task.kind)) {
      write_event(out, task, i, task.device, Row::send, span.start, span.released);
      write_event(out, task, i, task.target, Row::receive, span.start, span.released);
    } else {
      write_event(out, task, i, task.device, Row::compute, span.start, span.finish);
    }
  }
  return out + "\n]}\n";
}

}  // namespace longhaul
