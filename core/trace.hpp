// The tree that a search walked, for people to step through: limited in size, and off unless asked for.
#pragma once

#include <string>
#include <vector>

#include "types.hpp"

namespace mossa {

/// One visited position. Values are for the side to move there.
struct TraceNode {
  std::optional<int> parent{};         // index into the trace; a root has none
  std::optional<Move> move{};          // that led here
  Side side = Side::first;             // to move
  int depth = 0;                       // still to search
  std::optional<int> alpha{}, beta{};  // the window it was searched with
  std::optional<int> value{};          // mcts: 1, 0 or -1 where that is proven
  std::string_view end{};    // why it went no deeper: "over", "horizon", "table", "cut", "early", "proven"
  std::uint64_t visits = 0;  // mcts
  double mean = 0;           // mcts: mean result, 0 to 1, for the side that moved here
  int unvisited = 0;         // mcts: the moves here that were never tried
};

/// Nodes in the order in which they were entered (mcts: most visited first, parents before children); no
/// more than `capacity` are kept, the rest only noted.
struct Trace {
  std::size_t capacity = 0;
  std::vector<TraceNode> nodes;
  bool truncated = false;
};

/// Writes a trace, if there is one to write. A node whose parent was not kept is not kept either.
class Tracer {
 public:
  /// A node of the trace, or none. One word, for it is handed down at every node of a search.
  class Id {
   public:
    Id() = default;
    explicit Id(int index) : index_(index) {}
    explicit operator bool() const { return index_ >= 0; }
    int index() const { return index_; }

   private:
    int index_ = -1;
  };

  explicit Tracer(Trace* trace = nullptr) : trace_(trace) {}

  bool on() const { return trace_ != nullptr; }

  /// A tree's root: every iteration of a deepening search has one.
  Id root(const TraceNode& node) const { return add(node); }
  Id child(Id parent, TraceNode node) const {
    if (!parent) return {};
    node.parent = parent.index();
    return add(std::move(node));
  }
  void leave(Id id, int value, std::string_view end = "") const {
    if (!id) return;
    trace_->nodes[static_cast<std::size_t>(id.index())].value = value;
    trace_->nodes[static_cast<std::size_t>(id.index())].end = end;
  }

 private:
  Id add(TraceNode node) const {
    if (!trace_) return {};
    if (trace_->nodes.size() >= trace_->capacity) {
      trace_->truncated = true;
      return {};
    }
    trace_->nodes.push_back(std::move(node));
    return Id(static_cast<int>(trace_->nodes.size()) - 1);
  }

  Trace* trace_;
};

/// What a search is asked to do.
struct Task {
  Limits limits;
  Poll poll;               // asked now and then whether to stop
  Report report;           // told of every better answer
  Trace* trace = nullptr;  // filled in if given
};

}  // namespace mossa
