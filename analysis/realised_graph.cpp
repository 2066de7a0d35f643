#include "analysis/realised_graph.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/topological_sort.hpp>

#include "sim/base/error.hpp"
#include "sim/workload/graph_analysis.hpp"

namespace longhaul {
namespace {

struct Edge {
  std::uint32_t after;
  Cause cause;
};

enum class StreamKind { compute, send, receive };

// The tasklets in the order in which their streams began to serve them. Those that take no time stand before what
// starts at the same moment, among themselves in an order that the graph allows.
std::vector<TaskletId> by_start(const TaskletGraph& graph, const Timeline& timeline) {
  std::vector<TaskletId> tasklets = topological_order(graph);
  std::stable_sort(tasklets.begin(), tasklets.end(), [&](TaskletId a, TaskletId b) {
    const Span &x = timeline.spans[a.value], &y = timeline.spans[b.value];
    return std::tie(x.start.value, x.released.value) < std::tie(y.start.value, y.released.value);
  });
  return tasklets;
}

void add_dependencies(const TaskletGraph& graph, std::vector<Edge>& edges) {
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (const TaskletId* next = graph.successors_begin(TaskletId(i)); next != graph.successors_end(TaskletId(i));
         ++next)
      edges.push_back({next->value, {TaskletId(i), Wait::result}});
}

void add_queues(const TaskletGraph& graph, const std::vector<TaskletId>& served, std::vector<Edge>& edges) {
  std::map<std::pair<StreamKind, std::uint32_t>, TaskletId> last;  // served by each stream
  const auto join = [&](StreamKind kind, DeviceId device, TaskletId id) {
    const auto [place, is_first] = last.emplace(std::pair(kind, device.value), id);
    if (!is_first) edges.push_back({id.value, {std::exchange(place->second, id), Wait::stream}});
  };
  for (const TaskletId id : served) {
    const Tasklet& task = graph.tasklet(id);
    if (task.kind == TaskletKind::barrier_message) continue;
    if (is_transfer(task.kind)) {
      join(StreamKind::send, task.device, id);
      join(StreamKind::receive, task.target, id);
    } else {
      join(StreamKind::compute, task.device, id);
    }
  }
}

std::vector<TaskletId> topological(const std::vector<Edge>& edges, std::size_t size) {
  using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS>;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  pairs.reserve(edges.size());
  for (const Edge& edge : edges) pairs.emplace_back(edge.cause.tasklet.value, edge.after);
  const BoostGraph graph(boost::edges_are_unsorted_multi_pass, pairs.begin(), pairs.end(), size);
  std::vector<std::size_t> reversed;
  reversed.reserve(size);
  try {
    boost::topological_sort(graph, std::back_inserter(reversed));
  } catch (const boost::not_a_dag&) {
    throw InternalError("the timeline's waits form a circle");
  }
  std::vector<TaskletId> order;
  order.reserve(size);
  for (auto vertex = reversed.rbegin(); vertex != reversed.rend(); ++vertex) order.emplace_back(*vertex);
  return order;
}

}  // namespace

RealisedGraph::RealisedGraph(const TaskletGraph& graph, const Timeline& timeline) {
  require(timeline.spans.size() == graph.size(), "a realised graph needs one span per tasklet");
  std::vector<Edge> edges;
  add_dependencies(graph, edges);
  const std::vector<TaskletId> served = by_start(graph, timeline);
  add_queues(graph, served, edges);
  served_.resize(graph.size());
  for (std::size_t place = 0; place < served.size(); ++place)
    served_[served[place].value] = static_cast<std::uint32_t>(place);
  first_cause_.assign(graph.size() + 1, 0);
  for (const Edge& edge : edges) ++first_cause_[edge.after + 1];
  for (std::size_t i = 0; i < graph.size(); ++i) first_cause_[i + 1] += first_cause_[i];
  causes_.resize(edges.size());
  std::vector<std::size_t> next(first_cause_.begin(), first_cause_.end() - 1);
  for (const Edge& edge : edges) causes_[next[edge.after]++] = edge.cause;
  order_ = topological(edges, graph.size());
}

}  // namespace longhaul
