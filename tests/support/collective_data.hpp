// A collective's tasklets followed as data: who ends with whose contributions to which bytes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/workload/collective_parts.hpp"
#include "sim/workload/graph_analysis.hpp"

namespace longhaul {

/// A collective as emitted: each member has one source tasklet, the moment its own data is there.
struct EmittedData {
  CollectiveCall call;
  std::vector<TaskletId> sources;
  CollectiveResult results;
  TaskletGraph graph;
  std::vector<Carried> carried;
};

/// Emits it; whatever `call` lacks of ranks and devices are those numbered 0 to `members` - 1.
inline EmittedData emit_data(const Collective& collective, CollectiveCall call, std::size_t members) {
  EmittedData data;
  TaskletGraphBuilder builder;
  for (std::size_t i = 0; i < members; ++i) {
    Tasklet source;
    source.kind = TaskletKind::barrier;
    source.rank = RankId(i);
    source.device = source.target = DeviceId(i);
    data.sources.push_back(builder.add(source));
    call.ranks.emplace_back(i);
    call.devices.emplace_back(i);
    call.ready.push_back({data.sources.back()});
  }
  call.carried = &data.carried;
  data.results = collective.emit(call, builder);
  data.graph = builder.build();
  data.call = call;
  data.call.carried = nullptr;
  return data;
}

/// What follows from the dependencies alone, as if everything else came as late as it may: a member sends what it had itself and
/// what had arrived before the transfer was allowed to start, as the notes in `carried` say.
class CollectiveData {
 public:
  /// How often each member's contribution is in it.
  using Content = std::vector<int>;

  explicit CollectiveData(const EmittedData& data, bool only_own_shard = false)
      : data_(data), members_(data.sources.size()), only_own_shard_(only_own_shard) {
    words_ = (data.graph.size() + 63) / 64;
    before_.assign(data.graph.size() * words_, 0);
    std::vector<std::size_t> place(data.graph.size());
    std::size_t places = 0;
    for (const TaskletId id : topological_order(data.graph)) {
      place[id.value] = places++;
      for (const TaskletId* next = data.graph.successors_begin(id); next != data.graph.successors_end(id); ++next) {
        for (std::size_t word = 0; word < words_; ++word)
          before_[next->value * words_ + word] |= before_[id.value * words_ + word];
        before_[next->value * words_ + id.value / 64] |= std::uint64_t{1} << (id.value % 64);
      }
    }
    notes_ = data.carried;
    std::sort(notes_.begin(), notes_.end(),
              [&](const Carried& a, const Carried& b) { return place[a.transfer.value] < place[b.transfer.value]; });
    cut();
    for (const Carried& note : data.carried) {
      const Tasklet& task = data.graph.tasklet(note.transfer);
      if (std::abs((note.end - note.begin).value - task.bytes.value) > tolerance())
        complaint_ = "bytes and note differ";
    }
    const auto transfers = std::count_if(data.graph.tasklets().begin(), data.graph.tasklets().end(),
                                         [](const Tasklet& task) { return is_transfer(task.kind); });
    if (static_cast<std::size_t>(transfers) != data.carried.size()) complaint_ = "a transfer without note";
  }

  std::size_t cells() const { return cuts_.size() - 1; }
  double middle(std::size_t cell) const { return (cuts_[cell] + cuts_[cell + 1]) / 2; }

  /// The member whose shard a cell belongs to.
  std::size_t owner(std::size_t cell) const {
    for (std::size_t member = members_; member-- > 0;)
      if (middle(cell) >= shard_begin(data_.call, member).value) return member;
    return 0;
  }

  /// What each member ends with, of each cell: [member][cell].
  std::vector<std::vector<Content>> held() {
    std::vector<std::vector<Content>> result(members_, std::vector<Content>(cells()));
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      follow(cell);
      for (std::size_t member = 0; member < members_; ++member) {
        std::vector<std::uint64_t> known(words_, 0);
        for (const TaskletId id : data_.results[member]) {
          for (std::size_t word = 0; word < words_; ++word) known[word] |= before_[id.value * words_ + word];
          known[id.value / 64] |= std::uint64_t{1} << (id.value % 64);
        }
        result[member][cell] = state(member, cell, known.data());
      }
    }
    return result;
  }

  const std::string& complaint() const { return complaint_; }

 private:
  double tolerance() const { return 1e-6 * std::max(1.0, data_.call.bytes.value); }

  static bool has(const std::uint64_t* known, TaskletId id) {
    return (known[id.value / 64] >> (id.value % 64) & 1) != 0;
  }

  // Cells: the bytes cut wherever a transfer begins or ends, or a shard does.
  void cut() {
    std::vector<double> cuts{0, data_.call.bytes.value};
    for (const Carried& note : data_.carried) {
      cuts.push_back(note.begin.value);
      cuts.push_back(note.end.value);
    }
    for (std::size_t member = 0; member < members_; ++member) cuts.push_back(shard_begin(data_.call, member).value);
    std::sort(cuts.begin(), cuts.end());
    for (const double place : cuts)
      if (cuts_.empty() || place - cuts_.back() > tolerance()) cuts_.push_back(place);
    if (cuts_.front() < 0 || cuts_.back() > data_.call.bytes.value + tolerance())
      complaint_ = "bytes that nobody has";
  }

  // The content of every transfer of a cell, in an order that dependencies allow.
  void follow(std::size_t cell) {
    contents_.clear();
    arrivals_.assign(members_, {});
    for (const Carried& note : notes_) {
      if (note.begin.value > middle(cell) || note.end.value < middle(cell)) continue;
      const Tasklet& task = data_.graph.tasklet(note.transfer);
      contents_.emplace_back(note, state(task.device.value, cell, before_.data() + note.transfer.value * words_));
      arrivals_[task.target.value].push_back(contents_.size() - 1);
    }
  }

  Content state(std::size_t member, std::size_t cell, const std::uint64_t* known) {
    Content content(members_, 0);
    if (has(known, data_.sources[member]) && (!only_own_shard_ || owner(cell) == member)) content[member] = 1;
    for (const std::size_t arrival : arrivals_[member]) {
      const auto& [note, carried] = contents_[arrival];
      if (!has(known, note.transfer)) continue;
      for (std::size_t i = 0; i < members_; ++i)
        content[i] = carried[i] + (note.merge == Merge::adds ? content[i] : 0);
      if (note.merge == Merge::adds) continue;
      for (const std::size_t other : arrivals_[member])  // what takes the place of something comes after it
        if (other < arrival && has(known, contents_[other].first.transfer) &&
            !has(before_.data() + note.transfer.value * words_, contents_[other].first.transfer))
          complaint_ = "it depends on chance what is replaced";
    }
    return content;
  }

  const EmittedData& data_;
  std::size_t members_;
  bool only_own_shard_;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> before_;  // per tasklet, a bit for each that must be finished before it
  std::vector<Carried> notes_;         // in an order that dependencies allow
  std::vector<double> cuts_;
  std::vector<std::pair<Carried, Content>> contents_;  // of the transfers of one cell
  std::vector<std::vector<std::size_t>> arrivals_;     // of each member, of that cell: indices into contents_
  std::string complaint_;
};

/// Empty if everybody ends with what the collective promises, each contribution once; otherwise what is wrong.
inline std::string wrong_with(const Collective& collective, const EmittedData& emitted) {
  const std::string name = collective.name;
  const std::size_t members = emitted.sources.size();
  CollectiveData data(emitted, name == "all_gather");
  const auto held = data.held();
  if (!data.complaint().empty()) return data.complaint();
  const CollectiveData::Content everybody(members, 1);
  const auto one = [&](std::size_t member) {
    CollectiveData::Content content(members, 0);
    content[member] = 1;
    return content;
  };
  for (std::size_t member = 0; member < members; ++member)
    for (std::size_t cell = 0; cell < data.cells(); ++cell) {
      CollectiveData::Content promised = everybody;
      if (name == "all_gather") promised = one(data.owner(cell));
      if (name.rfind("broadcast", 0) == 0) promised = one(0);
      if (name.rfind("reduce", 0) == 0 && name != "reduce_scatter" && member != 0) continue;
      if ((name == "reduce_scatter" || name == "all_to_all") && data.owner(cell) != member) continue;
      if (held[member][cell] != promised)
        return "member " + std::to_string(member) + " lacks or doubles something at byte " +
               std::to_string(data.middle(cell));
    }
  return "";
}

}  // namespace longhaul
