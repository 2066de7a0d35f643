#include <algorithm>
#include <array>

#include "sim/workload/collective_parts.hpp"

namespace longhaul {
namespace {

// A binary tree over the members; in `down` each stands after its parent, the root first.
struct Tree {
  std::vector<std::size_t> parent;                 // of the root: itself
  std::vector<std::vector<std::size_t>> children;  // at most two
  std::vector<std::size_t> down;
};

// In-order tree over 1 … n - 1 below the root 0: the height of a position is that of its lowest set bit. Where the tree is
// not full, a position whose parent does not exist hangs from its nearest ancestor that does.
std::size_t parent_in_order(std::size_t position, std::size_t members) {
  if (position == 0) return 0;
  const std::size_t height = position & (~position + 1);
  const std::size_t above = (position ^ height) | (2 * height);
  return above < members ? above : position ^ height;
}

// `place` maps positions to members: mirrored or shifted by one, inner positions become leaves.
template <class Place>
Tree tree_of(std::size_t members, Place place) {
  Tree tree;
  tree.parent.resize(members);
  tree.children.resize(members);
  for (std::size_t position = 0; position < members; ++position) {
    const std::size_t parent = place(parent_in_order(position, members));
    tree.parent[place(position)] = parent;
    if (position > 0) tree.children[parent].push_back(place(position));
  }
  tree.down.push_back(place(0));
  for (std::size_t i = 0; i < tree.down.size(); ++i) {
    const std::vector<std::size_t>& below = tree.children[tree.down[i]];
    tree.down.insert(tree.down.end(), below.begin(), below.end());
  }
  return tree;
}

// One chunk, `bytes` from `begin` on, up the tree and down again.
void pass_chunk(const CollectiveCall& call, const Tree& tree, Bytes begin, Bytes bytes, TaskletGraphBuilder& graph,
                CollectiveResult& result) {
  std::vector<std::vector<TaskletId>> arrived(call.ranks.size());
  for (auto member = tree.down.rbegin(); member + 1 != tree.down.rend(); ++member) {
    const TaskletId sent = send(call, *member, tree.parent[*member], {begin, bytes, Merge::adds}, graph);
    graph.order(call.ready[*member], sent);
    graph.order(arrived[*member], sent);
    arrived[tree.parent[*member]].push_back(sent);
  }
  const std::size_t root = tree.down.front();
  result[root].insert(result[root].end(), arrived[root].begin(), arrived[root].end());
  for (const std::size_t member : tree.down) {
    for (const std::size_t child : tree.children[member]) {
      const TaskletId sent = send(call, member, child, {begin, bytes, Merge::replaces}, graph);
      if (member == root) graph.order(call.ready[root], sent);
      graph.order(arrived[member], sent);
      arrived[child] = {sent};
      result[child].push_back(sent);
    }
  }
}

std::array<Tree, 2> two_trees(std::size_t members) {
  const bool even = members % 2 == 0;
  return {tree_of(members, [](std::size_t position) { return position; }),
          tree_of(members, [members, even](std::size_t position) {
            return even ? members - 1 - position : (position + 1) % members;
          })};
}

}  // namespace

double in_double_binary_tree(const CollectiveCall& call) {
  return 4 * (members_of(call) - 1) * pieces(call.bytes / 2, call.chunk);
}

CollectiveResult double_binary_tree(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const auto trees = two_trees(call.ranks.size());
  const auto chunks = static_cast<std::size_t>(pieces(call.bytes / 2, call.chunk));
  const Bytes piece = call.bytes / 2 / static_cast<double>(chunks);
  CollectiveResult result = call.ready;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Bytes begin = piece * static_cast<double>(chunk);
    pass_chunk(call, trees[0], begin, piece, graph, result);
    pass_chunk(call, trees[1], call.bytes / 2 + begin, piece, graph, result);
  }
  return result;
}

// The first chunk's way up and down the deeper tree, then as long as the busiest member sends or receives.
Seconds double_binary_tree_seconds(const CollectiveCall& call) {
  const std::size_t members = call.ranks.size();
  const double chunks = pieces(call.bytes / 2, call.chunk);
  const Bytes piece = call.bytes / 2 / chunks;
  std::vector<Seconds> sending(members);
  std::vector<Seconds> receiving(members);
  Seconds deepest;
  for (const Tree& tree : two_trees(members)) {
    std::vector<Seconds> way(members);  // from the root and back
    for (const std::size_t member : tree.down) {
      const std::size_t parent = tree.parent[member];
      if (parent == member) continue;
      const Hop up = hop(call, member, parent, piece);
      const Hop down = hop(call, parent, member, piece);
      way[member] = way[parent] + up.total() + down.total();
      deepest = std::max(deepest, way[member]);
      sending[member] += up.on_wire * (chunks - 1);
      receiving[member] += down.on_wire * (chunks - 1);
      sending[parent] += down.on_wire * (chunks - 1);
      receiving[parent] += up.on_wire * (chunks - 1);
    }
  }
  return deepest + std::max(*std::max_element(sending.begin(), sending.end()),
                            *std::max_element(receiving.begin(), receiving.end()));
}

}  // namespace longhaul
