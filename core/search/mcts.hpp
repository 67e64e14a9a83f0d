// Monte Carlo tree search: play games at random from a tree that grows where they go well.
//
// Each iteration walks down the tree to a leaf by UCB1 (Kocsis and Szepesvari 2006), gives the leaf all
// its children, plays one of them out to the end and notes the result on the way back. A node counts
// results for the side that moved into it. Positions whose outcome is certain are marked and never
// played out again (MCTS-Solver: Winands et al. 2008). The move with most visits is played. The part of
// the tree below the moves really made is kept for the next search.
//
// With threads=n, n trees grow independently and their visits are added up (root parallelisation).
#pragma once

#include <cmath>
#include <queue>
#include <thread>

#include "../random.hpp"
#include "tree.hpp"

namespace mossa {

struct MctsNode : TreeNode {
  enum class Proof : std::uint8_t { none, win, draw, loss };

  std::uint32_t visits = 0;
  double wins = 0;            // of the side that moved here; a draw counts what `draws` says
  Side mover = Side::first;   // who moved here
  Proof proof = Proof::none;  // for the mover

  float mean = 0.5F;          // wins / visits, and 1 / sqrt(visits): read for every child on the way
  float inverse_root = 0.0F;  // down, changed only on the way back

  void note(double result) {
    ++visits;
    wins += result;
    mean = static_cast<float>(wins / visits);
    inverse_root = static_cast<float>(1.0 / std::sqrt(static_cast<double>(visits)));
  }
};

struct MctsParams {
  double exploration;
  double draws;
  bool tactical;
  bool solver;
  std::size_t max_nodes;

  explicit MctsParams(const Options& options)
      : exploration(options.real("c")),
        draws(options.real("draws")),
        tactical(options.text("playout") == "tactical"),
        solver(options.flag("solver")),
        max_nodes((static_cast<std::size_t>(options.integer("memory")) << 20) / sizeof(MctsNode) /
                  static_cast<std::size_t>(options.integer("threads"))) {}
};

/// One thread's tree.
template <Game G>
class MctsTree {
 public:
  using Position = typename G::Position;
  using Proof = MctsNode::Proof;

  MctsTree(const G& game, const MctsParams& params, std::uint64_t seed)
      : game_(game), params_(params), random_(seed), tree_(game, params.max_nodes) {}

  void set_root(const Position& root, bool reuse) {
    if (!reuse) tree_.clear();
    MctsNode fresh;
    fresh.mover = other(game_.side(root));
    tree_.set_root(root, fresh);
  }

  bool decided() const { return tree_.root().proof != Proof::none; }
  const Tree<G, MctsNode>& tree() const { return tree_; }

  /// One iteration: select, expand, play out, note. `stop` is asked during long play-outs; an unfinished
  /// one counts for nothing.
  template <class Stop>
  void iterate(Stop&& stop) {
    path_.assign(1, 0);
    Position position = tree_.root_position();
    // 1. Down to a leaf.
    while (node().grown() && node().proof == Proof::none) descend(position, select());
    // 2. Grow it and step into one of the new nodes.
    if (!game_.is_over(position) && node().proof == Proof::none &&
        tree_.size() + G::max_moves <= params_.max_nodes) {
      const Side mover = game_.side(position);
      tree_.grow(path_.back(), game_.moves(position), [&](Move move) {
        MctsNode child;
        child.move = move;
        child.mover = mover;
        return child;
      });
      descend(position, node().first_child + random_.below(node().child_count));
    }
    // 3. What comes of it: who wins, +1 first, -1 second.
    if (params_.solver && game_.is_over(position)) prove_end(position);
    int winner = 0;
    if (node().proof == Proof::none) {
      if (!play_out(position, stop)) return;
      winner = sign(game_.value(position));
    } else if (node().proof != Proof::draw) {
      winner = (node().proof == Proof::win) == (node().mover == Side::first) ? 1 : -1;
    }
    // 4. Note it on every node of the path.
    for (std::size_t i = path_.size(); i-- > 0;) {
      MctsNode& here = tree_[path_[i]];
      const int won = here.mover == Side::first ? winner : -winner;
      here.note(won > 0 ? 1.0 : won == 0 ? params_.draws : 0.0);
      if (params_.solver && i + 1 < path_.size()) prove_by_children(here);
    }
  }

 private:
  MctsNode& node() { return tree_[path_.back()]; }

  static int sign(int value) { return (value > 0) - (value < 0); }

  void descend(Position& position, std::int32_t child) {
    path_.push_back(child);
    game_.play(position, node().move);
  }

  /// The child with the highest upper confidence bound; unvisited ones first, any of them.
  std::int32_t select() {
    const MctsNode& parent = node();
    // UCB1: mean + c sqrt(log N / n).
    const double visits = std::max<std::uint32_t>(parent.visits, 1);
    const auto spread = static_cast<float>(params_.exploration * std::sqrt(std::log(visits)));
    float best = -1e30F;
    std::int32_t chosen = parent.first_child;
    int unvisited = 0;
    for (std::int32_t c = parent.first_child; c < parent.first_child + parent.child_count; ++c) {
      const MctsNode& child = tree_[c];
      if (child.visits == 0) {
        if (random_.below(++unvisited) == 0) chosen = c;
        continue;
      }
      if (unvisited) continue;
      float bound = child.mean + spread * child.inverse_root;
      // A proven loss is only taken when everything else loses too.
      if (child.proof == Proof::loss) bound -= 1e6F;
      if (bound > best) {
        best = bound;
        chosen = c;
      }
    }
    return chosen;
  }

  void prove_end(const Position& position) {
    const int value = game_.value(position);
    const bool first_moved = node().mover == Side::first;
    node().proof = value == 0 ? Proof::draw : (value > 0) == first_moved ? Proof::win : Proof::loss;
  }

  /// The side to move takes a win if there is one; if all is known, the best there is.
  void prove_by_children(MctsNode& parent) {
    if (parent.proof != Proof::none || !parent.grown()) return;
    bool all_known = true;
    Proof best = Proof::loss;  // for the side to move
    Side side = Side::first;
    for (const MctsNode& child : tree_.children(parent)) {
      side = child.mover;
      all_known &= child.proof != Proof::none;
      if (child.proof == Proof::win) best = Proof::win;
      if (child.proof == Proof::draw && best == Proof::loss) best = Proof::draw;
    }
    if (best != Proof::win && !all_known) return;
    const bool same_side = side == parent.mover;
    parent.proof = best == Proof::draw                 ? Proof::draw
                   : (best == Proof::win) == same_side ? Proof::win
                                                       : Proof::loss;
  }

  /// Plays at random to the end; false if it was stopped before.
  template <class Stop>
  bool play_out(Position& position, Stop&& stop) {
    constexpr int plies_per_check = 64;
    for (int ply = 1; !game_.is_over(position); ++ply) {
      game_.play(position, choose(position));
      if (ply % plies_per_check == 0 && stop()) return false;
    }
    return true;
  }

  /// Random, or with `tactical` a move that wins, else one that stops a win, else random.
  Move choose(const Position& position) {
    if constexpr (LineGame<G>) {
      if (!params_.tactical) return game_.random_move(position, random_);
      const Priorities<G> priorities(game_);
      std::optional<Move> block;
      for (const Move move : game_.moves(position)) {
        const int rank = priorities.rank(position, game_.landing(position, move));
        if (rank >= 4 * Priorities<G>::critical) return move;
        if (rank >= 3 * Priorities<G>::critical) block = move;
      }
      return block ? *block : game_.random_move(position, random_);
    } else {
      return game_.random_move(position, random_);
    }
  }

  const G& game_;
  const MctsParams& params_;
  Random random_;
  Tree<G, MctsNode> tree_;
  std::vector<std::int32_t> path_;
};

template <Game G>
class Mcts {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options() {
    return {Option::real("c", 0, 100, "1.4", "how much to explore: the constant of UCB1"),
            Option::choice("playout", {"random", "tactical"},
                           "tactical: win at once, else stop a win, else random"),
            Option::real("draws", 0, 1, "0.5", "what a draw is worth to either side"),
            Option::flag("solver", true, "mark positions whose outcome is certain"),
            Option::flag("reuse", true, "keep the tree from move to move"),
            Option::integer("memory", 1, 65'536, "256", "megabytes for the tree"),
            Option::integer("seed", 0, 2'000'000'000, "1", "of the random numbers"),
            Option::integer("threads", 1, 256, "1", "trees that grow at the same time")};
  }

  Mcts(const G& game, const Options& options) : game_(game), params_(options), reuse_(options.flag("reuse")) {
    for (int i = 0; i < options.integer("threads"); ++i)
      trees_.push_back(std::make_unique<MctsTree<G>>(
          game, params_, static_cast<std::uint64_t>(options.integer("seed") + i)));
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    Budget budget(task.limits, task.poll);
    for (auto& tree : trees_) tree->set_root(root, reuse_);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> iterations{0};
    const std::uint64_t most = task.limits.iterations.value_or(~std::uint64_t{0});
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < trees_.size(); ++i)
      helpers.emplace_back([&, i] {
        while (!stop.load(std::memory_order_relaxed) && !trees_[i]->decided() &&
               iterations.fetch_add(1) < most)
          trees_[i]->iterate([&] { return stop.load(std::memory_order_relaxed); });
      });
    const auto finish = [&] {
      stop = true;
      for (std::thread& helper : helpers) helper.join();
    };
    try {
      double next_report = seconds_per_report;
      while (!budget.stopped() && !trees_[0]->decided() && iterations.fetch_add(1) < most) {
        const auto out_of_time = [&] {
          budget.check();
          return budget.stopped();
        };
        trees_[0]->iterate(out_of_time);
        budget.tick();
        budget.check();
        if (task.limits.nodes && tree_nodes() >= *task.limits.nodes) break;
        if (task.report && budget.nodes() % 1024 == 0 && budget.seconds() >= next_report &&
            trees_.size() == 1) {
          next_report = budget.seconds() + seconds_per_report;
          task.report(summary(root, budget, iterations));
        }
      }
    } catch (...) {
      finish();
      throw;
    }
    finish();
    const Info info = summary(root, budget, std::min<std::uint64_t>(iterations, most));
    if (task.report) task.report(info);
    if (task.trace) write_trace(root, *task.trace);
    return info;
  }

 private:
  static constexpr double seconds_per_report = 0.1;

  struct Tally {
    Move move;
    std::uint64_t visits = 0;
    double wins = 0;
    MctsNode::Proof proof = MctsNode::Proof::none;
  };

  /// The root's children, summed over the trees.
  std::vector<Tally> tally() const {
    std::vector<Tally> sums;
    for (const auto& tree : trees_)
      for (const MctsNode& child : tree->tree().children(tree->tree().root())) {
        auto found = std::ranges::find(sums, child.move, &Tally::move);
        if (found == sums.end()) found = sums.insert(sums.end(), Tally{child.move});
        found->visits += child.visits;
        found->wins += child.wins;
        if (child.proof != MctsNode::Proof::none) found->proof = child.proof;
      }
    return sums;
  }

  Info summary(const Position& root, const Budget& budget, std::uint64_t iterations) const {
    using Proof = MctsNode::Proof;
    Info info;
    info.move = game_.moves(root)[0];
    const std::vector<Tally> sums = tally();
    const auto rank = [](const Tally& t) {
      return std::pair(t.proof == Proof::win ? 2 : t.proof == Proof::loss ? 0 : 1, t.visits);
    };
    const auto best = std::ranges::max_element(sums, {}, rank);
    if (best != sums.end()) {
      info.move = best->move;
      const double mean = best->visits ? best->wins / static_cast<double>(best->visits) : 0.5;
      info.value = static_cast<int>(std::lround((2 * mean - 1) * 1000));
      const bool all_known = std::ranges::all_of(sums, [](const Tally& t) { return t.proof != Proof::none; });
      const bool certain = best->proof == Proof::win || (best->proof != Proof::none && all_known);
      if (certain) {
        const int sign = best->proof == Proof::win ? 1 : best->proof == Proof::draw ? 0 : -1;
        // Of a margin only the sign is proven, unless it is a draw.
        info.exact = OutcomeGame<G> || sign == 0;
        info.value = info.exact ? sign : 1000 * sign;
      }
    }
    info.line = line_from(info.move);
    info.depth = static_cast<int>(info.line.size());
    info.iterations = iterations;
    info.nodes = tree_nodes();
    info.evaluations = iterations;
    info.time = budget.seconds();
    info.memory = sizeof(*this);
    for (const auto& tree : trees_) info.memory += tree->tree().bytes();
    return info;
  }

  /// The most visited line of the first tree that begins with `move`.
  std::vector<Move> line_from(Move move) const {
    std::vector<Move> line{move};
    const auto& tree = trees_[0]->tree();
    auto children = tree.children(tree.root());
    auto at = std::ranges::find(children, move, &MctsNode::move);
    while (at != children.end() && at->grown()) {
      children = tree.children(*at);
      at = std::ranges::max_element(children, {}, &MctsNode::visits);
      if (at == children.end() || at->visits == 0) break;
      line.push_back(at->move);
    }
    return line;
  }

  std::uint64_t tree_nodes() const {
    std::uint64_t nodes = 0;
    for (const auto& tree : trees_) nodes += tree->tree().size();
    return nodes;
  }

  /// The first tree, the most visited nodes first; what was never visited is only counted.
  void write_trace(const Position& root, Trace& trace) const {
    struct Reached {
      const MctsNode* node;
      Position position;
      Tracer::Id parent;
      std::uint64_t order;  // of two with as many visits, the one that was found first

      bool operator<(const Reached& b) const {
        return node->visits != b.node->visits ? node->visits < b.node->visits : order > b.order;
      }
    };
    const auto& tree = trees_[0]->tree();
    const Tracer tracer(&trace);
    std::uint64_t found = 0;
    std::priority_queue<Reached> queue;
    queue.push({&tree.root(), root, {}, found++});
    while (!queue.empty() && !trace.truncated) {
      const auto [node, position, parent, order] = queue.top();
      queue.pop();
      const auto children = tree.children(*node);
      const bool is_root = node == &tree.root();
      TraceNode described{.side = game_.side(position), .visits = node->visits};
      described.mean = static_cast<double>(node->mean);
      described.unvisited = static_cast<int>(std::ranges::count(children, 0U, &MctsNode::visits));
      if (node->proof != MctsNode::Proof::none) {
        described.end = "proven";
        const bool mover_to_move = node->mover == described.side;
        described.value = node->proof == MctsNode::Proof::draw                     ? 0
                          : (node->proof == MctsNode::Proof::win) == mover_to_move ? 1
                                                                                   : -1;
      }
      if (!is_root) described.move = node->move;
      const Tracer::Id id = is_root ? tracer.root(described) : tracer.child(parent, described);
      for (const MctsNode& child : children) {
        if (child.visits == 0) continue;
        Position next = position;
        game_.play(next, child.move);
        queue.push({&child, next, id, found++});
      }
    }
  }

  const G& game_;
  MctsParams params_;
  bool reuse_;
  std::vector<std::unique_ptr<MctsTree<G>>> trees_;
};

}  // namespace mossa
