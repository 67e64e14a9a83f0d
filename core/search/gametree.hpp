// The game tree of the MNK report: kept in memory between moves, grown at its leaves, valued by alpha-beta.
//
// Nodes are the candidate moves of a position, critical ones alone if there are any (see priority.hpp),
// else no more than `width`. The tree grows to odd heights, so that both sides have equally many moves after
// the first; it tries 1, 3, 5 ... until a limit is reached. Children stay in the order of their last values,
// so the next search of the tree begins with the best.
//
// With threads=n, n workers grow the tree together (principal-variation splitting: T. A. Marsland and
// M. Campbell 1982). Along the best line so far the first child of a node is searched alone; it sets a bound,
// and then each worker takes the next of its siblings. No two workers are ever below the same sibling, so
// only the room for new nodes is shared. The value is the same as with one thread; among equal moves the
// choice may differ.
#pragma once

#include <mutex>
#include <thread>

#include "tree.hpp"

namespace mossa {

struct GameTreeNode : TreeNode {
  int rank = 0;           // greater is tried earlier: the candidate's rank, then its last value
  bool left_out = false;  // some legal moves have no child
};

std::vector<Option> game_tree_options(const Traits& traits);

/// Puts the children of a node into the order in which they are tried.
void sort_by_rank(std::span<GameTreeNode> children);

/// What the workers share.
template <Game G>
struct SharedGameTree {
  SharedGameTree(const G& game, std::size_t most_nodes, std::size_t threads)
      : most_nodes(most_nodes), tree(game, most_nodes + threads * G::max_moves) {}

  /// Gives a node its children. Only one thread asks for this node, but others may grow theirs meanwhile.
  void grow(std::int32_t node, const RankedList<G>& moves) {
    const std::lock_guard lock(growing);
    tree.grow(node, moves, {}, [](GameTreeNode& child, const RankedMove& ranked) {
      child.move = ranked.move();
      child.rank = ranked.rank();
    });
    full = tree.size() >= most_nodes;
  }

  std::size_t most_nodes;
  Tree<G, GameTreeNode> tree;
  std::mutex growing;
  std::atomic<bool> full{false};
  std::atomic<bool> stop{false};
};

/// One thread's search of the tree.
template <Game G>
class GameTreeWorker {
 public:
  using Position = typename G::Position;
  using Workers = std::vector<std::unique_ptr<GameTreeWorker>>;

  GameTreeWorker(const G& game, const Options& options, const NetworkPointer& network,
                 SharedGameTree<G>& shared)
      : game_(game),
        shared_(shared),
        evaluator_(make_evaluator(game, options.text("evaluate"), network)),
        selector_(game, options) {}

  /// Gets ready for a new search.
  void begin(Budget& budget, Trace* trace) {
    budget_ = &budget;
    tracer_ = Tracer(trace);
    counts_.reset();
  }

  /// Searches the whole tree to a height, alone or with helpers.
  int iterate(const Position& root, int height, std::span<const std::unique_ptr<GameTreeWorker>> helpers) {
    helpers_ = helpers;
    follow(root, {});
    const auto id =
        tracer_.root({.side = game_.side(root), .depth = height, .alpha = -infinity, .beta = infinity});
    return search({0, root, height, 0, -infinity, infinity, id});
  }

  bool reached_horizon() const { return reached_horizon_; }
  bool left_out() const { return left_out_; }
  std::span<const Move> best_line() const { return lines_[0]; }
  const SearchCounts& counts() const { return counts_; }
  std::size_t bytes() const { return sizeof(*this) + lines_.bytes(); }

 private:
  /// A node on the way down, and the question that is asked of it.
  struct Node {
    std::int32_t index;
    const Position& position;  // not over
    int height;                // above the horizon
    int ply;                   // from the root
    int alpha, beta;
    Tracer::Id id;
  };

  /// A node whose children all workers search.
  struct Split {
    const Node& node;
    std::atomic<std::int32_t> next;  // the child that nobody has taken yet
    std::atomic<int> best;
    std::vector<Move> line{};  // that of the best child, if a worker found a better one
    std::mutex finding{};      // guards `best` and `line` together
    std::atomic<int> working{0};
  };

  /// Threads that are stopped and awaited at the end, also when an error ends the search.
  class Threads {
   public:
    explicit Threads(std::atomic<bool>& stop) : stop_(stop) {}
    ~Threads() {
      if (std::uncaught_exceptions()) stop_ = true;
      for (std::thread& thread : threads_) thread.join();
    }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    template <class Work>
    void start(Work&& work) {
      threads_.emplace_back(std::forward<Work>(work));
    }

   private:
    std::atomic<bool>& stop_;
    std::vector<std::thread> threads_;
  };

  static constexpr int split_height = 4;  // lower trees are searched before a thread has started

  Tree<G, GameTreeNode>& tree() { return shared_.tree; }
  bool stopped() const { return budget_->stopped() || shared_.stop.load(std::memory_order_relaxed); }

  /// Goes to the position after these moves, and forgets what the last search rested on.
  void follow(const Position& root, std::span<const Move> moves) {
    root_ = &root;
    path_.assign(moves.begin(), moves.end());
    evaluator_->reset(root, game_.side(root));
    Position position = root;
    for (const Move move : moves) {
      evaluator_->play(position, move);
      game_.play(position, move);
    }
    reached_horizon_ = left_out_ = false;
  }

  int search(const Node& node) {
    lines_.clear(node.ply);
    if (!tree()[node.index].grown()) grow(node);
    left_out_ |= tree()[node.index].left_out;
    sort_by_rank(tree().children(tree()[node.index]));
    int best = -infinity;
    for (std::int32_t i = 0; i < tree()[node.index].child_count; ++i) {
      if (i > 0 && worth_splitting(node, i)) {
        best = split(node, i, best);
        break;
      }
      // Growing moves the nodes: none is held by reference across the call below.
      const std::int32_t child = tree()[node.index].first_child + i;
      const int value = search_move(node, child, std::max(node.alpha, best));
      if (stopped()) return best;
      tree()[child].rank = value;
      if (value <= best) continue;
      best = value;
      lines_.extend(node.ply, tree()[child].move);
      if (best >= node.beta) {
        ++counts_.cutoffs;
        // What was not searched comes last next time.
        for (std::int32_t j = i + 1; j < tree()[node.index].child_count; ++j)
          tree()[tree()[node.index].first_child + j].rank = -infinity;
        break;
      }
    }
    if (!stopped()) tracer_.leave(node.id, best, best >= node.beta ? "cut" : "");
    return best;
  }

  /// The value of a child for the side that makes its move; `low` is what that side is sure of already. Means
  /// nothing once the search is stopped.
  int search_move(const Node& node, std::int32_t child, int low) {
    const Move move = tree()[child].move;
    Position next = node.position;
    game_.play(next, move);
    if (budget_->tick()) return 0;
    const bool turn_passed = game_.side(next) != game_.side(node.position);
    lines_.clear(node.ply + 1);
    Node below{child,
               next,
               node.height - 1,
               node.ply + 1,
               turn_passed ? -node.beta : low,
               turn_passed ? -low : node.beta,
               {}};
    if (node.id)
      below.id = tracer_.child(node.id, {.move = move,
                                         .side = game_.side(next),
                                         .depth = below.height,
                                         .alpha = below.alpha,
                                         .beta = below.beta});
    int value = 0;
    if (game_.is_over(next)) {
      value = final_value(game_, next, below.ply);
      tracer_.leave(below.id, value, "over");
    } else if (below.height == 0 || shared_.full.load(std::memory_order_relaxed)) {
      ++counts_.evaluations;
      reached_horizon_ = true;
      value = leaf_value(node.position, move, next, below.ply);
      tracer_.leave(below.id, value, "horizon");
    } else {
      evaluator_->play(node.position, move);
      path_.push_back(move);
      value = search(below);
      path_.pop_back();
      evaluator_->undo();
    }
    return turn_passed ? -value : value;
  }

  /// True for the later children of the nodes on the best line: their window is open until the first child
  /// has been searched, and no cutoff can come before all of them have been.
  bool worth_splitting(const Node& node, std::int32_t next) const {
    return !helpers_.empty() && node.height >= split_height && node.alpha == -infinity &&
           node.beta == infinity && next + 1 < shared_.tree[node.index].child_count;
  }

  /// Lets all workers search the children of a node from `next` on. Returns the best value of all children.
  int split(const Node& node, std::int32_t next, int best) {
    Split split{.node = node, .next = next, .best = best};
    split.working = static_cast<int>(helpers_.size());
    const std::vector<Move> path = path_;  // which goes on changing as this worker searches
    {
      Threads threads(shared_.stop);
      for (const std::unique_ptr<GameTreeWorker>& helper : helpers_)
        threads.start([&root = *root_, &path, &split, &helper = *helper] {
          helper.follow(root, path);
          helper.share(split);
          --split.working;
        });
      share(split);
      // Only this thread knows the clock.
      while (split.working > 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        budget_->check();
        if (budget_->stopped()) shared_.stop = true;
      }
    }
    for (const std::unique_ptr<GameTreeWorker>& helper : helpers_) {
      reached_horizon_ |= helper->reached_horizon_;
      left_out_ |= helper->left_out_;
    }
    if (!split.line.empty()) lines_.assign(node.ply, split.line);
    return split.best;
  }

  /// Searches children that nobody else has taken until there are none left.
  void share(Split& split) {
    const Node& node = split.node;
    while (!stopped()) {
      const std::int32_t i = split.next.fetch_add(1);
      if (i >= tree()[node.index].child_count) return;
      const std::int32_t child = tree()[node.index].first_child + i;
      const int value = search_move(node, child, split.best);
      if (stopped()) return;
      tree()[child].rank = value;
      const std::lock_guard lock(split.finding);
      if (value <= split.best) continue;
      split.best = value;
      split.line.assign(1, tree()[child].move);
      const std::span<const Move> rest = lines_[node.ply + 1];
      split.line.insert(split.line.end(), rest.begin(), rest.end());
    }
  }

  void grow(const Node& node) {
    tree()[node.index].left_out = selector_.select(node.position, *evaluator_, ranked_);
    shared_.grow(node.index, ranked_);
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
  SharedGameTree<G>& shared_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  Selector<G> selector_;
  RankedList<G> ranked_;
  Budget* budget_ = nullptr;
  Tracer tracer_;
  std::span<const std::unique_ptr<GameTreeWorker>> helpers_;  // of the leading worker only
  const Position* root_ = nullptr;
  std::vector<Move> path_;  // from the root to the node that is searched
  Lines lines_{deepest<G>};
  SearchCounts counts_;
  bool reached_horizon_ = false, left_out_ = false;
};

template <Game G>
class GameTree {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options(const Traits& traits) { return game_tree_options(traits); }

  GameTree(const G& game, const Options& options, const NetworkPointer& network = {})
      : game_(game),
        shared_(game, (static_cast<std::size_t>(options.integer("memory")) << 20) / sizeof(GameTreeNode),
                static_cast<std::size_t>(options.integer("threads"))) {
    for (int i = 0; i < options.integer("threads"); ++i)
      workers_.push_back(std::make_unique<GameTreeWorker<G>>(game, options, network, shared_));
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    Budget budget(task.limits, task.poll);
    shared_.stop = false;
    shared_.tree.set_root(root, {});
    shared_.full = shared_.tree.size() >= shared_.most_nodes;
    // A trace is one thread's, and nodes must not move while several threads hold them.
    const std::size_t helper_count =
        task.trace || !shared_.tree.has_room() ? 0 : static_cast<std::size_t>(workers_.size() - 1);
    std::vector<std::unique_ptr<Budget>> budgets;
    for (std::size_t i = 1; i <= helper_count; ++i) {
      budgets.push_back(std::make_unique<Budget>(Limits{}, Poll{}));
      budget.include(*budgets.back());
      workers_[i]->begin(*budgets.back(), nullptr);
    }
    GameTreeWorker<G>& lead = *workers_[0];
    lead.begin(budget, task.trace);
    Info info;
    info.move = game_.moves(root)[0];
    info.line = {info.move};
    const int most = std::min(task.limits.depth.value_or(deepest<G>), deepest<G>);
    // Odd heights, unless an even depth was asked for.
    const int lowest = task.limits.depth && most % 2 == 0 ? 2 : 1;
    for (int height = lowest; height <= most && !info.exact; height += 2) {
      const int value = lead.iterate(root, height, std::span(workers_).subspan(1, helper_count));
      if (!lead.best_line().empty()) info.line.assign(lead.best_line().begin(), lead.best_line().end());
      info.move = info.line[0];
      if (budget.stopped()) break;
      set_value(game_, root, info, value,
                !lead.left_out() && (!lead.reached_horizon() || says_who_wins<G>(value)));
      info.depth = height;
      fill(info, budget);
      if (task.report) task.report(info);
      // A tree that ends above the horizon is as high as it gets, even if moves were left out.
      if (says_who_wins<G>(value) || !lead.reached_horizon()) break;
    }
    fill(info, budget);
    return info;
  }

 private:
  void fill(Info& info, const Budget& budget) const {
    info.nodes = budget.nodes();
    info.evaluations = info.cutoffs = info.table_hits = 0;
    for (const auto& worker : workers_) worker->counts().add_to(info);
    info.time = budget.seconds();
    info.memory = sizeof(*this) + shared_.tree.bytes() + workers_.size() * workers_[0]->bytes();
  }

  const G& game_;
  SharedGameTree<G> shared_;
  std::vector<std::unique_ptr<GameTreeWorker<G>>> workers_;
};

}  // namespace mossa
