#include "analysis/timeline_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/file.hpp"

namespace longhaul {
namespace {

constexpr std::size_t largest_file = 1U << 30U;  // bytes
constexpr std::string_view header =
    "tasklet,kind,rank,device,target,micro_batch,flop,bytes,start_s,released_s,finish_s";
constexpr const char* accepted = "what `longhaul run --out` writes";

enum Column { tasklet, kind, rank, device, target, micro_batch, flop, bytes, start, released, finish, column_count };

class Reader {
 public:
  Reader(const std::string& path, const PlatformView& platform)
      : path_(path), text_(read_text_file(path, largest_file)), rest_(text_) {
    for (std::size_t i = 0; i < platform.size(); ++i)
      devices_.emplace(platform.device(DeviceId(i)).name, DeviceId(i));
    for (int i = 0; i <= static_cast<int>(TaskletKind::barrier); ++i)
      kinds_.emplace(name_of(static_cast<TaskletKind>(i)), static_cast<TaskletKind>(i));
  }

  TimelineFile read() {
    read_line();
    if (fields_.size() != column_count || line_ != header) fail("the columns are others", std::string(header));
    TimelineFile file;
    while (!rest_.empty()) {
      read_line();
      if (fields_.size() != column_count) fail("the line has not one field per column", accepted);
      if (number(tasklet) != static_cast<double>(file.tasklets.size()))
        fail("tasklets are not numbered 0, 1, 2, …", accepted);
      file.tasklets.push_back(read_tasklet());
      const Span span{Seconds(number(start)), Seconds(number(released)), Seconds(number(finish))};
      if (span.released < span.start || span.finish < span.released) fail("the times are not in order", accepted);
      file.timeline.spans.push_back(span);
      file.timeline.end = std::max(file.timeline.end, span.finish);
    }
    if (file.tasklets.empty()) fail("no tasklets", accepted);
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& expected) const {
    throw UserError({path_, number_, 1}, what, "", expected);
  }

  // Splits the next line; a quoted field may hold commas, line breaks and doubled quotes.
  void read_line() {
    ++number_;
    fields_.clear();
    const std::string_view before = rest_;
    do {
      fields_.emplace_back();
    } while (read_field(fields_.back()));
    line_ = before.substr(0, before.size() - rest_.size() - 1);
  }

  // Whether another field follows on the line.
  bool read_field(std::string& field) {
    bool quoted = !rest_.empty() && rest_.front() == '"';
    std::size_t at = quoted ? 1 : 0;
    for (; at < rest_.size(); ++at) {
      const char character = rest_[at];
      if (quoted && character == '"') {
        if (at + 1 < rest_.size() && rest_[at + 1] == '"')
          field += rest_[++at];
        else
          quoted = false;
      } else if (!quoted && (character == ',' || character == '\n')) {
        rest_.remove_prefix(at + 1);
        return character == ',';
      } else {
        field += character;
      }
    }
    throw UserError({path_, number_, 1}, "the line is cut off", "the file does not end with a newline", accepted);
  }

  double number(Column column) const {
    const std::string& digits = fields_[column];
    double value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value) || value < 0)
      fail(fmt::format("'{}' is no number", shortened(digits)), "a number from 0");
    return value;
  }

  std::uint32_t whole(Column column) const {
    const double value = number(column);
    if (value != std::floor(value) || value >= 4294967295.0) fail("a number is not whole, or too large", accepted);
    return static_cast<std::uint32_t>(value);
  }

  DeviceId device_in(Column column) const {
    const auto found = devices_.find(fields_[column]);
    if (found == devices_.end())
      fail(fmt::format("platform.xml has no device '{}'", shortened(fields_[column])), accepted);
    return found->second;
  }

  Tasklet read_tasklet() const {
    Tasklet task;
    const auto found = kinds_.find(fields_[kind]);
    if (found == kinds_.end()) fail(fmt::format("there is no kind '{}'", shortened(fields_[kind])), accepted);
    task.kind = found->second;
    task.rank = RankId(whole(rank));
    task.device = device_in(device);
    task.target = is_transfer(task.kind) ? device_in(target) : task.device;
    if (!fields_[micro_batch].empty()) task.micro_batch = MicroBatch(whole(micro_batch));
    task.flops = Flops(number(flop));
    task.bytes = Bytes(number(bytes));
    return task;
  }

  std::string path_;
  std::string text_;
  std::string_view rest_;
  std::string_view line_;
  std::vector<std::string> fields_;
  int number_ = 0;
  std::unordered_map<std::string, DeviceId> devices_;
  std::unordered_map<std::string, TaskletKind> kinds_;
};

}  // namespace

TimelineFile read_timeline(const std::string& path, const PlatformView& platform) {
  return Reader(path, platform).read();
}

}  // namespace longhaul
