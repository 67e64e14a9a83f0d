// A game tree that stays in memory from move to move. When the game goes on, the part below the moves that
// were made becomes the new tree; an unforeseen position starts a new one.
//
// Only moves are stored; positions are made by playing them on the way down.
#pragma once

#include <vector>

#include "search.hpp"

namespace mossa {

/// What every node has; an algorithm adds its own.
struct TreeNode {
  Move move;                      // that led here
  std::int32_t first_child = -1;  // -1: not grown yet
  std::uint16_t child_count = 0;  // children lie side by side

  bool grown() const { return first_child >= 0; }
};

/// The nodes of a tree, without the game.
template <std::derived_from<TreeNode> Node>
class TreeNodes {
 public:
  /// Room for `most_nodes` is asked for at once. The system gives memory as it is used, and moving a large
  /// tree to more room would exceed a deadline.
  explicit TreeNodes(std::size_t most_nodes) : most_nodes_(most_nodes) { take_room(nodes_); }

  // By the address alone: another thread may be adding nodes, but moves none as long as there is room.
  Node& operator[](std::int32_t i) { return nodes_.data()[i]; }
  const Node& operator[](std::int32_t i) const { return nodes_.data()[i]; }
  const Node& root() const { return nodes_[0]; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.size() * sizeof(Node); }
  std::span<const Node> children(const Node& node) const {
    if (!node.grown()) return {};
    return {nodes_.data() + node.first_child, node.child_count};
  }
  std::span<Node> children(const Node& node) {
    if (!node.grown()) return {};
    return {nodes_.data() + node.first_child, node.child_count};
  }
  /// True if the system promised all the room that was asked for, so that nodes never move as the tree grows.
  bool has_room() const { return nodes_.capacity() >= most_nodes_; }
  void clear() { nodes_.clear(); }

  /// Adds a node that no other knows of yet, and says where. References to nodes become invalid.
  std::int32_t add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }

  /// Gives node `i` a child for each move: a copy of `like`, to which `set(child, move)` adds its own.
  /// References to nodes become invalid.
  template <class Moves, class Set>
  void grow(std::int32_t i, const Moves& moves, const Node& like, Set&& set) {
    const std::size_t first = nodes_.size();
    nodes_.resize(first + static_cast<std::size_t>(moves.size()), like);
    Node* child = nodes_.data() + first;
    for (const auto& move : moves) set(*child++, move);
    (*this)[i].first_child = static_cast<std::int32_t>(first);
    (*this)[i].child_count = static_cast<std::uint16_t>(moves.size());
  }

 protected:
  /// Makes a node the root: copies what is below it to a new tree, children side by side.
  void keep_only(std::int32_t top) {
    std::vector<Node> kept;
    take_room(kept);
    kept.push_back((*this)[top]);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!kept[i].grown()) continue;
      const auto begin = nodes_.begin() + kept[i].first_child;
      kept[i].first_child = static_cast<std::int32_t>(kept.size());
      kept.insert(kept.end(), begin, begin + kept[i].child_count);
    }
    nodes_.swap(kept);
  }
  void start_with(const Node& root) { nodes_.assign(1, root); }

 private:
  void take_room(std::vector<Node>& nodes) const {
    try {
      nodes.reserve(most_nodes_);
    } catch (const std::bad_alloc&) {
      // More than the system promises: the tree then moves as it grows.
    }
  }

  std::size_t most_nodes_;
  std::vector<Node> nodes_;
};

template <Game G, std::derived_from<TreeNode> Node>
class Tree : public TreeNodes<Node> {
 public:
  using Position = typename G::Position;

  Tree(const G& game, std::size_t most_nodes) : TreeNodes<Node>(most_nodes), game_(game) {}

  const Position& root_position() const { return root_; }

  /// Makes `root` the root, keeping what the tree holds below it; `fresh` is the root otherwise.
  void set_root(const Position& root, const Node& fresh) {
    const auto found = this->size() == 0 ? std::nullopt : find(0, root_, game_.key(root), max_moves_between);
    if (found)
      this->keep_only(*found);
    else
      this->start_with(fresh);
    root_ = root;
  }

 private:
  static constexpr int max_moves_between = 8;  // a Kalah turn may have several moves

  /// The node of the position with this key, at most `deep` moves below `from`.
  std::optional<std::int32_t> find(std::int32_t from, const Position& position, const auto& key,
                                   int deep) const {
    if (game_.key(position) == key) return from;
    const Node& node = (*this)[from];
    if (deep == 0 || !node.grown()) return {};
    for (std::int32_t c = node.first_child; c < node.first_child + node.child_count; ++c) {
      if (!(*this)[c].grown()) continue;  // nothing worth keeping below
      Position next = position;
      game_.play(next, (*this)[c].move);
      // Two turns at most: the own move and the reply.
      const bool turn_passed = game_.side(next) != game_.side(position);
      if (const auto found = find(c, next, key, turn_passed ? deep / 2 : deep - 1)) return found;
    }
    return {};
  }

  const G& game_;
  Position root_{};
};

}  // namespace mossa
