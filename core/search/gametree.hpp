// The game tree of the MNK report: kept in memory between moves, grown at its leaves, valued by alpha-beta.
//
// Nodes are the candidate moves of a position, critical ones alone if there are any (see priority.hpp),
// else no more than `width`. The tree is grown to an odd height, so that a line holds as many moves of
// either side after the first; heights 1, 3, 5 ... are tried until a limit is reached. Children are kept
// in the order of their last value, so the next search of the tree begins with the best.
#pragma once

#include "tree.hpp"

namespace mossa {

struct GameTreeNode : TreeNode {
  int rank = 0;           // greater is tried earlier: the candidate's rank, then its last value
  bool left_out = false;  // some legal moves have no child
};

template <Game G>
class GameTree {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options() {
    std::vector<Option> options = Selector<G>::options(LineGame<G> ? "priority" : "store", "8", "1");
    options.push_back(evaluation_option());
    options.push_back(Option::integer("memory", 1, 65'536, "512", "megabytes for the tree"));
    return options;
  }

  GameTree(const G& game, const Options& options)
      : game_(game),
        evaluator_(make_evaluator(game, options.text("evaluate"))),
        selector_(game, options),
        max_nodes_((static_cast<std::size_t>(options.integer("memory")) << 20) / sizeof(GameTreeNode)),
        tree_(game, max_nodes_ + G::max_moves) {}

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    Budget budget(task.limits, task.poll);
    budget_ = &budget;
    evaluations_ = cutoffs_ = 0;
    tracer_ = Tracer(task.trace);
    tree_.set_root(root, {});
    Info info;
    info.move = game_.moves(root)[0];
    info.line = {info.move};
    const int most = std::min(task.limits.depth.value_or(deepest<G>), deepest<G>);
    // Odd heights, unless an even depth was asked for.
    const int lowest = task.limits.depth && most % 2 == 0 ? 2 : 1;
    for (int height = lowest; height <= most && !info.exact; height += 2) {
      evaluator_->reset(root, game_.side(root));
      reached_horizon_ = left_out_ = false;
      const auto id =
          tracer_.root({.side = game_.side(root), .depth = height, .alpha = -infinity, .beta = infinity});
      const int value = search(0, root, height, 0, -infinity, infinity, id);
      if (!lines_[0].empty()) info.line.assign(lines_[0].begin(), lines_[0].end());
      info.move = info.line[0];
      if (budget.stopped()) break;
      set_value(game_, root, info, value,
                !left_out_ && (!reached_horizon_ || (LineGame<G> && is_decided(value))));
      info.depth = height;
      fill(info, budget);
      if (task.report) task.report(info);
      if (LineGame<G> && is_decided(value)) break;
    }
    fill(info, budget);
    return info;
  }

 private:
  void fill(Info& info, const Budget& budget) const {
    info.nodes = budget.nodes();
    info.evaluations = evaluations_;
    info.cutoffs = cutoffs_;
    info.time = budget.seconds();
    info.memory = sizeof(*this) + tree_.bytes() + lines_.bytes();
  }

  int search(std::int32_t node, const Position& position, int height, int ply, int alpha, int beta,
             Tracer::Id id) {
    lines_.clear(ply);
    if (!tree_[node].grown()) grow(node, position);
    left_out_ |= tree_[node].left_out;
    const auto by_rank = [](const GameTreeNode& a, const GameTreeNode& b) { return a.rank > b.rank; };
    std::ranges::stable_sort(tree_.children(tree_[node]), by_rank);
    int best = -infinity;
    for (std::int32_t i = 0; i < tree_[node].child_count; ++i) {
      // Growing moves the nodes: none is held by reference across the call below.
      const std::int32_t child = tree_[node].first_child + i;
      const Move move = tree_[child].move;
      Position next = position;
      game_.play(next, move);
      if (budget_->tick()) return best;
      const bool turn_passed = game_.side(next) != game_.side(position);
      lines_.clear(ply + 1);
      const int low = std::max(alpha, best);
      const int from = turn_passed ? -beta : low, to = turn_passed ? -low : beta;
      Tracer::Id below;
      if (id)
        below = tracer_.child(
            id, {.move = move, .side = game_.side(next), .depth = height - 1, .alpha = from, .beta = to});
      int value = 0;
      if (game_.is_over(next)) {
        value = final_value(game_, next, ply + 1);
        if (below) tracer_.leave(below, value, "over");
      } else if (height == 1 || tree_.size() >= max_nodes_) {
        ++evaluations_;
        reached_horizon_ = true;
        value = leaf_value(position, move, next, ply + 1);
        if (below) tracer_.leave(below, value, "horizon");
      } else {
        evaluator_->play(position, move);
        value = search(child, next, height - 1, ply + 1, from, to, below);
        evaluator_->undo();
        if (budget_->stopped()) return best;
      }
      if (turn_passed) value = -value;
      tree_[child].rank = value;
      if (value <= best) continue;
      best = value;
      lines_.extend(ply, move);
      if (best >= beta) {
        ++cutoffs_;
        // What was not searched comes last next time.
        for (std::int32_t j = i + 1; j < tree_[node].child_count; ++j)
          tree_[tree_[node].first_child + j].rank = -infinity;
        break;
      }
    }
    if (id) tracer_.leave(id, best, best >= beta ? "cut" : "");
    return best;
  }

  void grow(std::int32_t node, const Position& position) {
    tree_[node].left_out = selector_.select(position, *evaluator_, ranked_);
    tree_.grow(node, ranked_, [](const RankedMove& ranked) {
      GameTreeNode child;
      child.move = ranked.move();
      child.rank = ranked.rank();
      return child;
    });
  }

  /// A side that is to move and can win at once has won; otherwise what the evaluation says.
  int leaf_value(const Position& before, Move move, const Position& after, int ply) {
    if constexpr (LineGame<G>) {
      const Priorities<G> priorities(game_);
      for (const Move reply : game_.moves(after))
        if (priorities.wins(after, game_.landing(after, reply))) return win_value - (ply + 1);
    }
    return evaluator_->value_after(before, move, after);
  }

  const G& game_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  Selector<G> selector_;
  std::size_t max_nodes_;
  Tree<G, GameTreeNode> tree_;
  RankedList<G> ranked_;
  Budget* budget_ = nullptr;
  Tracer tracer_;
  Lines lines_{deepest<G>};
  std::uint64_t evaluations_ = 0, cutoffs_ = 0;
  bool reached_horizon_ = false, left_out_ = false;
};

}  // namespace mossa
