#include "sim/workload/graph_analysis.hpp"

#include <algorithm>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>

#include "sim/base/error.hpp"

namespace longhaul {
namespace {

using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS>;
using Vertex = boost::graph_traits<BoostGraph>::vertex_descriptor;

BoostGraph boost_graph(const TaskletGraph& graph) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t i = 0; i < graph.size(); ++i)
    for (const TaskletId* next = graph.successors_begin(TaskletId(i)); next != graph.successors_end(TaskletId(i));
         ++next)
      edges.emplace_back(i, next->value);
  return {boost::edges_are_sorted, edges.begin(), edges.end(), graph.size()};
}

// Stops the search at the first edge that closes a cycle.
struct CycleFound {
  Vertex from;
  Vertex to;
};

class CycleFinder : public boost::default_dfs_visitor {
 public:
  explicit CycleFinder(std::vector<Vertex>& parents) : parents_(&parents) {}
  template <class Edge>
  void tree_edge(Edge edge, const BoostGraph& graph) {
    (*parents_)[target(edge, graph)] = source(edge, graph);
  }
  template <class Edge>
  void back_edge(Edge edge, const BoostGraph& graph) {
    throw CycleFound{source(edge, graph), target(edge, graph)};
  }

 private:
  std::vector<Vertex>* parents_;
};

std::string name_cycle(const TaskletGraph& graph, const BoostGraph& boosted) {
  std::vector<Vertex> parents(graph.size());
  try {
    boost::depth_first_search(boosted, boost::visitor(CycleFinder(parents)));
  } catch (const CycleFound& cycle) {
    std::vector<Vertex> members{cycle.from};
    while (members.back() != cycle.to) members.push_back(parents[members.back()]);
    std::reverse(members.begin(), members.end());
    std::string text = "the tasklets wait for each other in a circle: ";
    for (const Vertex member : members) text += graph.describe(TaskletId(member)) + " -> ";
    return text + graph.describe(TaskletId(members.front()));
  }
  return "no cycle";
}

}  // namespace

std::vector<TaskletId> topological_order(const TaskletGraph& graph) {
  std::vector<TaskletId> order;
  order.reserve(graph.size());
  std::vector<std::uint32_t> missing(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    missing[i] = graph.predecessor_count(TaskletId(i));
    if (missing[i] == 0) order.emplace_back(i);
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    const TaskletId* const end = graph.successors_end(order[done]);
    for (const TaskletId* next = graph.successors_begin(order[done]); next != end; ++next)
      if (--missing[next->value] == 0) order.push_back(*next);
  }
  if (order.size() < graph.size()) throw InternalError(name_cycle(graph, boost_graph(graph)));
  return order;
}

CriticalPath critical_path(const TaskletGraph& graph, const std::vector<Seconds>& durations) {
  require(durations.size() == graph.size(), "critical_path needs one duration per tasklet");
  std::vector<Seconds> start(graph.size());
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> cause(graph.size(), none);
  CriticalPath path;
  std::uint32_t last = none;
  for (const TaskletId id : topological_order(graph)) {
    const Seconds finish = start[id.value] + durations[id.value];
    if (last == none || finish > path.length) {
      path.length = finish;
      last = id.value;
    }
    for (const TaskletId* next = graph.successors_begin(id); next != graph.successors_end(id); ++next)
      if (cause[next->value] == none || finish > start[next->value]) {
        start[next->value] = finish;
        cause[next->value] = id.value;
      }
  }
  for (; last != none; last = cause[last]) path.tasklets.emplace_back(last);
  std::reverse(path.tasklets.begin(), path.tasklets.end());
  return path;
}

}  // namespace longhaul
