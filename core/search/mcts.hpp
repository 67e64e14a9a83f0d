// Monte Carlo tree search: play games at random from a tree that grows where they go well.
//
// Each iteration walks down the tree to a leaf by UCB1 (Kocsis and Szepesvari 2006), gives the leaf all
// its children, plays one of them out to the end and notes the result on the way back. A node counts
// results for the side that moved into it. Positions whose outcome is certain are marked and never
// played out again (MCTS-Solver: Winands et al. 2008). The search chooses the move with the most visits, and
// keeps the part of the tree below the moves that are really made for its next run.
//
// With threads=n, n trees grow independently and their visits are added up (root parallelisation).
#pragma once

#include <cmath>
#include <thread>

#include "../random.hpp"
#include "tree.hpp"

namespace mossa {

struct MctsNode : TreeNode {
  enum class Proof : std::uint8_t { none, win, draw, loss };

  // First what fits into the padding of the base: half a line of the cache holds a node then.
  Side mover = Side::first;          // who moved here
  Proof proof = Proof::none;         // for the mover
  std::uint16_t children_tried = 0;  // those with visits lie before the others
  std::uint16_t move_count = 0;      // once it is grown: until a second one is tried, one child is in memory
  std::uint32_t visits = 0;
  float inverse_root = 0.0F;  // 1 / sqrt(visits): read for every child on the way down, changed on the way up
  double mean = 0.5;          // of the results of the side that moved here; a draw counts what `draws` says
};
static_assert(sizeof(MctsNode) == 32);

/// What UCB1 asks of numbers of visits. Most nodes have few: theirs is looked up.
class VisitTable {
 public:
  VisitTable();

  float inverse_root(std::uint32_t visits) const {
    return visits < size ? inverse_roots_[visits] : compute_inverse_root(visits);
  }
  /// sqrt(log(visits)), 0 if there are none.
  float root_of_log(std::uint32_t visits) const {
    return visits < size ? roots_of_logs_[visits] : compute_root_of_log(visits);
  }

  /// One for all.
  static const VisitTable& shared();

 private:
  static constexpr std::size_t size = 16'384;

  static float compute_inverse_root(std::uint32_t visits) {
    return static_cast<float>(1.0 / std::sqrt(static_cast<double>(visits)));
  }
  static float compute_root_of_log(std::uint32_t visits) {
    return static_cast<float>(std::sqrt(std::log(static_cast<double>(visits))));
  }

  std::array<float, size> inverse_roots_{};
  std::array<float, size> roots_of_logs_{};
};

struct MctsParams {
  double exploration;
  double draws;
  bool tactical;
  bool solver;
  std::size_t max_nodes;

  bool reuse;
  int threads;
  int seed;

  static std::vector<Option> options();
  explicit MctsParams(const Options& options);
};

using MctsNodes = TreeNodes<MctsNode>;

/// What trees of the same position say together, but for time and iterations. `fallback` is the move if they
/// say nothing; `proves_outcome` holds if who wins is all there is to know.
Info summary_of(std::span<const MctsNodes* const> trees, Move fallback, bool proves_outcome);

/// The nodes of a tree, the most visited first; what was never visited is only counted. `side_after` tells
/// who is to move after the moves from the root.
void write_trace(const MctsNodes& tree, const std::function<Side(std::span<const Move>)>& side_after,
                 Trace& trace);

/// One thread's tree.
template <Game G>
class MctsTree {
 public:
  using Position = typename G::Position;
  using Proof = MctsNode::Proof;

  MctsTree(const G& game, const MctsParams& params, std::uint64_t seed)
      // Half as much again for spare places; memory that is never touched costs nothing.
      : game_(game), params_(params), random_(seed), tree_(game, params.max_nodes + params.max_nodes / 2) {}

  void set_root(const Position& root, bool reuse) {
    if (!reuse) tree_.clear();
    MctsNode fresh;
    fresh.mover = other(game_.side(root));
    tree_.set_root(root, fresh);
    spare_.clear();
    size_ = 1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(tree_.size()); ++i) size_ += tree_[i].move_count;
    if (tree_.root().grown()) complete(0, root);
  }

  bool decided() const { return tree_.root().proof != Proof::none; }
  const Tree<G, MctsNode>& tree() const { return tree_; }
  /// The nodes of the tree, also those that are not in memory yet.
  std::size_t size() const { return size_; }

  /// One iteration: select, expand, play out, note. `stop` is asked during long play-outs; an unfinished
  /// one counts for nothing.
  void iterate(const std::function<bool()>& stop) {
    path_.clear();
    std::int32_t at = 0;
    path_.push_back(at);
    Position position = tree_.root_position();
    // 1. Down to a leaf, which grows, and into one of its new nodes.
    for (bool at_leaf = false; !at_leaf && tree_[at].proof == Proof::none;) {
      at_leaf = !tree_[at].grown();
      if (at_leaf && !grow(at, position)) break;
      at = at_leaf ? tree_[at].first_child : select(at, position);
      path_.push_back(at);
      game_.play(position, tree_[at].move);
      ++plies_;
    }
    MctsNode& last = tree_[at];
    // 2. What comes of it: who wins, +1 first, -1 second.
    bool proved = false;  // just now, the node that was looked at last
    if (params_.solver && last.proof == Proof::none && game_.is_over(position)) {
      prove_end(last, position);
      proved = true;
    }
    int winner = 0;
    if (last.proof == Proof::none) {
      if (!play_out(position, stop)) return ungrow();
      winner = sign(game_.value(position));
    } else if (last.proof != Proof::draw) {
      winner = (last.proof == Proof::win) == (last.mover == Side::first) ? 1 : -1;
    }
    // 3. Note it on every node of the path. What is proved may prove the node above.
    const std::array results{0.0, params_.draws, 1.0};
    const std::array result_of{results[static_cast<std::size_t>(1 + winner)],
                               results[static_cast<std::size_t>(1 - winner)]};  // by side
    bool child_is_new = false;
    for (auto i = path_.rbegin(); i != path_.rend(); ++i) {
      MctsNode& here = tree_[*i];
      here.children_tried = static_cast<std::uint16_t>(here.children_tried + child_is_new);
      child_is_new = here.visits == 0;
      note(here, result_of[index(here.mover)]);
      if (proved && &here != &last) proved = prove_by_children(here);
    }
  }

 private:
  static constexpr std::uint64_t plies_per_check = 64;

  void note(MctsNode& node, double result) const {
    ++node.visits;
    node.mean += (result - node.mean) / node.visits;
    node.inverse_root = visit_table_.inverse_root(node.visits);
  }

  static int sign(int value) { return (value > 0) - (value < 0); }

  /// Gives a leaf its children; false if its game is over or the memory is full. Only a random one, which is
  /// to be tried now, comes into memory: most leaves that grow are not reached again soon, if ever.
  bool grow(std::int32_t leaf, const Position& position) {
    if (game_.is_over(position) || size_ + G::max_moves > params_.max_nodes) return false;
    int count = 0;
    Move move;
    if constexpr (requires { game_.nth_move(position, 0); }) {
      count = game_.count_moves(position);
      move = game_.nth_move(position, random_.below(count));
    } else {
      const auto moves = game_.moves(position);
      count = moves.size();
      move = moves[random_.below(count)];
    }
    const std::int32_t place = take_place();
    MctsNode& child = tree_[place];
    child.move = move;
    child.mover = game_.side(position);
    MctsNode& parent = tree_[leaf];
    parent.first_child = place;
    parent.child_count = 1;
    parent.move_count = static_cast<std::uint16_t>(count);
    size_ += static_cast<std::size_t>(count);
    if (leaf == 0) complete(leaf, position);  // the summary tells of every move from the root
    return true;
  }

  /// Takes back what an iteration grew that was stopped: the moves of nodes that were not tried may still
  /// change places. The root keeps its children.
  void ungrow() {
    if (path_.size() < 3) return;
    MctsNode& parent = tree_[path_[path_.size() - 2]];
    if (parent.children_tried > 0) return;
    spare_.push_back(path_.back());
    size_ -= parent.move_count;
    parent.first_child = -1;
    parent.child_count = parent.move_count = 0;
  }

  /// A place for a new node: one that was given up, or at the end.
  std::int32_t take_place() {
    if (spare_.empty()) return tree_.add(untried_);
    const std::int32_t place = spare_.back();
    spare_.pop_back();
    tree_[place] = untried_;
    return place;
  }

  /// Brings the other children of a node into memory, if there is only one yet: it stays the first.
  void complete(std::int32_t parent, const Position& position) {
    if (tree_[parent].child_count == tree_[parent].move_count) return;
    const std::int32_t place = tree_[parent].first_child;
    const Move tried = tree_[place].move;
    const Side side = game_.side(position);
    auto moves = game_.moves(position);
    const auto found = std::ranges::find(moves, tried);
    if (found == moves.end() || moves.size() != tree_[parent].move_count)
      throw GameError("the same moves lead to different positions");
    std::swap(moves[0], *found);
    tree_.grow(parent, moves, untried_, [side](MctsNode& node, Move move) {
      node.move = move;
      node.mover = side;
    });
    tree_[tree_[parent].first_child] = tree_[place];
    spare_.push_back(place);
  }

  /// The child with the highest upper confidence bound; before that any that was not tried yet, all alike.
  std::int32_t select(std::int32_t at, const Position& position) {
    const int tried = tree_[at].children_tried;
    if (tried < tree_[at].move_count) {
      complete(at, position);
      const std::int32_t first = tree_[at].first_child;
      // Those that were not tried differ in their moves only.
      std::swap(tree_[first + tried].move,
                tree_[first + tried + random_.below(tree_[at].move_count - tried)].move);
      return first + tried;
    }
    const MctsNode& parent = tree_[at];
    const std::int32_t first = parent.first_child;
    // UCB1: mean + c sqrt(log N / n).
    const float spread = exploration_ * visit_table_.root_of_log(parent.visits);
    // Positive floats are in the order of their bits. With the child below them one comparison chooses both,
    // and the compiler needs no branch, which nothing could predict.
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    const MctsNode* children = &tree_[first];
    for (int c = 0; c < tried; ++c) {
      const MctsNode& child = children[c];
      // A proven loss is only taken when everything else loses too.
      const float penalty = penalties[static_cast<std::size_t>(child.proof)];
      const float bound = static_cast<float>(child.mean) + spread * child.inverse_root - penalty;
      best = std::max(best, std::int64_t{std::bit_cast<std::int32_t>(bound)} << 32 | c);
    }
    return first + static_cast<std::int32_t>(best & 0xFFFF);
  }
  static constexpr std::array<float, 4> penalties{0.0F, 0.0F, 0.0F, 1e6F};  // by proof

  void prove_end(MctsNode& node, const Position& position) const {
    const int value = game_.value(position);
    const bool first_moved = node.mover == Side::first;
    node.proof = value == 0 ? Proof::draw : (value > 0) == first_moved ? Proof::win : Proof::loss;
  }

  /// The side to move takes a win if there is one; if all is known, the best there is. True if that is news.
  bool prove_by_children(MctsNode& parent) {
    if (parent.proof != Proof::none) return false;
    bool all_known = parent.child_count == parent.move_count;
    Proof best = Proof::loss;  // for the side to move
    Side side = Side::first;
    for (const MctsNode& child : tree_.children(parent)) {
      side = child.mover;
      all_known &= child.proof != Proof::none;
      if (child.proof == Proof::win) best = Proof::win;
      if (child.proof == Proof::draw && best == Proof::loss) best = Proof::draw;
    }
    if (best != Proof::win && !all_known) return false;
    const bool same_side = side == parent.mover;
    parent.proof = best == Proof::draw                 ? Proof::draw
                   : (best == Proof::win) == same_side ? Proof::win
                                                       : Proof::loss;
    return true;
  }

  /// Plays at random to the end; false if it was stopped before.
  bool play_out(Position& position, const std::function<bool()>& stop) {
    while (!game_.is_over(position)) {
      if constexpr (requires { game_.play_random(position, random_); }) {
        if (!params_.tactical)
          game_.play_random(position, random_);
        else
          game_.play(position, choose(position));
      } else {
        game_.play(position, choose(position));
      }
      if (is_due() && stop()) return false;
    }
    return true;
  }

  /// True every so many plies: asking whether to stop reads the clock, which takes as long as a short
  /// play-out.
  bool is_due() {
    if (++plies_ < next_check_) return false;
    next_check_ = plies_ + plies_per_check;
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
  const VisitTable& visit_table_ = VisitTable::shared();
  const float exploration_ = static_cast<float>(params_.exploration);
  std::vector<std::int32_t> path_;
  // What new nodes are copies of. One that was written field by field just now would make the copy wait.
  const MctsNode untried_;
  std::vector<std::int32_t> spare_;  // places in the tree that are free
  std::size_t size_ = 1;
  std::uint64_t plies_ = 0;  // made so far
  std::uint64_t next_check_ = plies_per_check;
};

template <Game G>
class Mcts {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options(const Traits&) { return MctsParams::options(); }

  Mcts(const G& game, const Options& options) : game_(game), params_(options) {
    for (int i = 0; i < params_.threads; ++i) {
      trees_.push_back(
          std::make_unique<MctsTree<G>>(game, params_, static_cast<std::uint64_t>(params_.seed + i)));
      nodes_.push_back(&trees_.back()->tree());
    }
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    Budget budget(task.limits, task.poll);
    for (auto& tree : trees_) tree->set_root(root, params_.reuse);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> iterations{0};
    const std::uint64_t most = task.limits.iterations.value_or(~std::uint64_t{0});
    // Counts an iteration if one is left. A thread that is alone needs no locked addition, which takes as
    // long as a ply.
    const auto take = [&, alone = trees_.size() == 1] {
      if (!alone) return iterations.fetch_add(1) < most;
      const std::uint64_t before = iterations.load(std::memory_order_relaxed);
      iterations.store(before + 1, std::memory_order_relaxed);
      return before < most;
    };
    std::vector<std::thread> helpers;
    const auto finish = [&] {
      stop = true;
      for (std::thread& helper : helpers) helper.join();
    };
    for (std::size_t i = 1; i < trees_.size(); ++i)
      helpers.emplace_back([&, &tree = *trees_[i]] {
        const std::function<bool()> stopped = [&] { return stop.load(std::memory_order_relaxed); };
        while (!stopped() && !tree.decided() && take()) tree.iterate(stopped);
      });
    try {
      const std::function<bool()> out_of_time = [&] {
        budget.check();
        return budget.stopped();
      };
      MctsTree<G>& first = *trees_[0];
      double next_report = seconds_per_report;
      while (!budget.stopped() && !first.decided() && take()) {
        first.iterate(out_of_time);
        budget.tick();
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
    if (task.trace)
      write_trace(
          *nodes_[0], [&](std::span<const Move> path) { return side_after(root, path); }, *task.trace);
    return info;
  }

 private:
  static constexpr double seconds_per_report = 0.1;

  Info summary(const Position& root, const Budget& budget, std::uint64_t iterations) const {
    Info info = summary_of(nodes_, game_.moves(root)[0], OutcomeGame<G>);
    info.iterations = info.evaluations = iterations;
    info.nodes = tree_nodes();
    info.time = budget.seconds();
    info.memory += sizeof(*this);
    return info;
  }

  std::uint64_t tree_nodes() const {
    std::uint64_t nodes = 0;
    for (const auto& tree : trees_) nodes += tree->size();
    return nodes;
  }

  Side side_after(Position position, std::span<const Move> path) const {
    for (const Move move : path) game_.play(position, move);
    return game_.side(position);
  }

  const G& game_;
  MctsParams params_;
  std::vector<std::unique_ptr<MctsTree<G>>> trees_;
  std::vector<const MctsNodes*> nodes_;  // of each tree
};

}  // namespace mossa
