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

// One chunk up the tree and down again.
void pass_chunk(const CollectiveCall& call, const Tree& tree, Bytes bytes, TaskletGraphBuilder& graph,
                CollectiveResult& result) {
  std::vector<std::vector<TaskletId>> arrived(call.ranks.size());
  for (auto member = tree.down.rbegin(); member + 1 != tree.down.rend(); ++member) {
    const TaskletId sent = send(call, *member, tree.parent[*member], bytes, graph);
    graph.order(call.ready[*member], sent);
    graph.order(arrived[*member], sent);
    arrived[tree.parent[*member]].push_back(sent);
  }
  const std::size_t root = tree.down.front();
  result[root].insert(result[root].end(), arrived[root].begin(), arrived[root].end());
  for (const std::size_t member : tree.down) {
    for (const std::size_t child : tree.children[member]) {
      const TaskletId sent = send(call, member, child, bytes, graph);
      if (member == root) graph.order(call.ready[root], sent);
      graph.order(arrived[member], sent);
      arrived[child] = {sent};
      result[child].push_back(sent);
    }
  }
}

}  // namespace

double in_double_binary_tree(const CollectiveCall& call) {
  return 4 * (members_of(call) - 1) * pieces(call.bytes / 2, call.chunk);
}

CollectiveResult double_binary_tree(const CollectiveCall& call, TaskletGraphBuilder& graph) {
  const std::size_t members = call.ranks.size();
  const bool even = members % 2 == 0;
  const Tree first = tree_of(members, [](std::size_t position) { return position; });
  const Tree second = tree_of(members, [members, even](std::size_t position) {
    return even ? members - 1 - position : (position + 1) % members;
  });
  const auto chunks = static_cast<std::size_t>(pieces(call.bytes / 2, call.chunk));
  const Bytes piece = call.bytes / 2 / static_cast<double>(chunks);
  CollectiveResult result = call.ready;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    pass_chunk(call, first, piece, graph, result);
    pass_chunk(call, second, piece, graph, result);
  }
  return result;
}

}  // namespace longhaul
