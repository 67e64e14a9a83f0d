// Alpha-beta, with every technique as a switch that can be measured.
//
// A window (alpha, beta) holds what either side is already sure of elsewhere; a move that proves too good
// for the opponent to allow ends the search of its position (a cutoff). A child's value is negated, and
// its window turned round, only if the turn passed: in Kalah the same side may move again.
//
// With threads=n, n workers search the same tree and share the table. A worker puts off a move that
// another is searching at this moment, so that they spread over the tree instead of walking it together
// (simplified ABDADA: J.-C. Weill 1996, T. Kerrigan 2017). The first worker leads: its result counts. The
// others begin when the search has become long enough to be worth a thread.
#pragma once

#include <thread>
#include <utility>

#include "../busy.hpp"
#include "../table.hpp"
#include "search.hpp"

namespace mossa {

struct AlphaBetaParams {
  bool early;      // a decided child ends the search of its position
  bool table;      // remember positions
  int table_mb;    // its size
  bool deepen;     // depth 1, 2, 3 ... instead of the full depth at once
  int start;       // the first depth
  bool resume;     // the first depth is at least the last completed one of the previous move, less two
  bool pvs;        // other moves than the first are first only asked whether they are better
  int aspiration;  // half the width of the root window around the last value; 0: open
  bool killers;    // moves that cut elsewhere at this ply come early
  bool history;    // moves that cut often come early
  bool strict;     // cut only on values beyond the bound, not on equal ones
  bool forget;     // the Bantumi report's way: one bound is forgotten when the turn passes
  int threads;

  explicit AlphaBetaParams(const Options& options)
      : early(options.flag("early")),
        table(options.flag("table")),
        table_mb(options.integer("memory")),
        deepen(options.flag("deepen")),
        start(options.integer("start")),
        resume(options.flag("resume")),
        pvs(options.flag("pvs")),
        aspiration(options.integer("aspiration")),
        killers(options.flag("killers")),
        history(options.flag("history")),
        strict(options.flag("strict")),
        forget(options.flag("forget")),
        threads(options.integer("threads")) {
    if (forget && (pvs || table || aspiration || threads > 1))
      throw InvalidPlayerError(
          "forget=on gives wrong bounds: it needs pvs, table and aspiration off and one thread");
    if (threads > 1 && !table)
      throw InvalidPlayerError("threads work through the table: threads>1 needs table=on");
  }
};

/// What the workers share.
struct SharedSearch {
  explicit SharedSearch(const AlphaBetaParams& params) {
    if (params.table) table = std::make_unique<Table>(static_cast<std::size_t>(params.table_mb) << 20);
  }

  std::unique_ptr<Table> table;
  bool alone = true;  // no helper runs
  std::atomic<bool> stop{false};
  std::atomic<int> completed{0};  // the deepest finished iteration
  BusyMarks busy;                 // the moves being searched now
};

/// One thread's search.
template <Game G>
class AlphaBetaWorker {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;

  AlphaBetaWorker(const G& game, const Options& options, const AlphaBetaParams& params, SharedSearch& shared)
      : game_(game),
        params_(params),
        shared_(shared),
        evaluator_(make_evaluator(game, options.text("evaluate"))),
        selector_(game, options) {
    if (params.history) history_.resize(2);
  }

  /// Gets ready for a new root.
  void begin(const Position& root, Depth depth, Budget& budget, Trace* trace) {
    budget_ = &budget;
    tracer_ = Tracer(trace);
    depth_ = depth;
    evaluator_->reset(root, game_.side(root));
    killers_.assign(static_cast<std::size_t>(deepest<G>) + 2, {});
    for (auto& side : history_) side.fill(0);
    best_line_.clear();
  }

  /// Searches to one depth; nothing if it had to stop. `previous` is the value of the last iteration.
  std::optional<int> iterate(const Position& root, int depth, std::optional<int> previous) {
    iteration_ = depth;
    int alpha = -infinity, beta = infinity;
    if (params_.aspiration && previous && !is_decided(*previous)) {
      alpha = *previous - params_.aspiration;
      beta = *previous + params_.aspiration;
    }
    while (true) {
      reached_horizon_ = false;
      left_out_ = 0;
      const auto id = tracer_.root({.side = game_.side(root), .depth = depth, .alpha = alpha, .beta = beta});
      const int value = search({root, depth, 0, alpha, beta, id});
      if (stopped()) {
        // An unfinished iteration counts if it has searched its first move, the best one so far.
        if (!lines_[0].empty()) keep_best_line();
        return {};
      }
      if (value <= alpha && alpha > -infinity) {
        alpha = -infinity;
      } else if (value >= beta && beta < infinity) {
        beta = infinity;
      } else {
        keep_best_line();
        return value;
      }
    }
  }

  /// What to play when there is no time to search.
  Move first_choice(const Position& root) {
    RankedList<G>& ranked = ranked_[0];
    selector_.select(root, *evaluator_, ranked);
    pick_best(ranked, 0, ranked.size());
    return ranked[0].move();
  }

  /// A win needs every reply of the loser to have been searched; any other value needs everything.
  bool proven(int value, Side side) const {
    if (says_who_wins<G>(value)) return !(left_out_ & side_bit(value > 0 ? other(side) : side));
    return !left_out_ && !reached_horizon_;
  }
  const std::vector<Move>& best_line() const { return best_line_; }
  std::size_t bytes() const { return sizeof(*this) + lines_.bytes() + history_.size() * sizeof(history_[0]); }

  SearchCounts& counts() { return counts_; }

 private:
  /// A position on the way down, and the question that is asked of it.
  struct Node {
    const Position& position;  // not over
    int depth;                 // from the horizon
    int ply;                   // from the root
    int alpha, beta;           // the window; alpha rises with every better move
    Tracer::Id id;
  };

  static constexpr int table_rank = infinity, killer_rank = infinity - 3;

  static std::uint8_t side_bit(Side side) { return static_cast<std::uint8_t>(1 << index(side)); }

  bool stopped() const {
    return budget_->stopped() ||
           (params_.threads > 1 && (shared_.stop.load(std::memory_order_relaxed) ||
                                    shared_.completed.load(std::memory_order_relaxed) >= iteration_));
  }
  bool tick() { return budget_->tick() || (params_.threads > 1 && stopped()); }
  void keep_best_line() { best_line_.assign(lines_[0].begin(), lines_[0].end()); }

  int search(Node node) {
    const auto [position, depth, ply, first_alpha, beta, id] = node;
    lines_.clear(ply);
    // 1. Has it been searched already?
    std::optional<Move> table_move;
    TableKey key;
    if (params_.table) {
      key = TableKey::of(game_.key(position));
      if (const auto known = shared_.table->find(key)) {
        table_move = known->move;
        const bool deep_enough = known->depth >= depth || !known->reached_horizon;
        const int value = from_table(known->value, ply);
        if (ply > 0 && deep_enough && answers(known->bound, value, first_alpha, beta)) {
          ++counts_.table_hits;
          reached_horizon_ |= known->reached_horizon;
          left_out_ |= known->left_out;
          if (known->move) lines_.set(ply, *known->move);
          tracer_.leave(id, value, "table");
          return value;
        }
      }
    }
    // 2. What the value of this position alone rests on, for the table.
    const bool outer_horizon = std::exchange(reached_horizon_, false);
    const std::uint8_t outer_left_out = std::exchange(left_out_, std::uint8_t{0});
    // 3. The moves, with their ranks. The lists belong to the worker, one a ply, and are used again.
    RankedList<G>& ranked = ranked_[at(ply)];
    if (selector_.select(position, *evaluator_, ranked)) left_out_ |= side_bit(game_.side(position));
    promote(position, ply, table_move, ranked);
    const int count = ranked.size();
    // 4. Search them, the highest rank first; what another thread is busy with comes last.
    int best = -infinity;
    Move best_move = ranked[0].move();
    std::string_view end;
    int deferred = 0;
    Position made;
    for (int i = 0; i < count; ++i) {
      if (i < count - deferred) pick_best(ranked, i, count - deferred);
      const Move move = ranked[i].move();
      const BusyMarks::Mark busy(shared_.busy, params_.threads > 1 && depth >= min_busy_depth,
                                 [&] { return mix(key.slot() ^ (std::uint64_t{move.code()} + 1)); });
      if (busy.elsewhere() && i > 0 && i < count - deferred) {
        std::rotate(ranked.begin() + i, ranked.begin() + i + 1, ranked.end());
        ++deferred;
        --i;
        continue;
      }
      const Position* next = ranked.successors.find(ranked[i].place());
      if (!next) {
        made = position;
        game_.play(made, move);
        next = &made;
      }
      if (tick()) return best;
      const int value = search_move(node, move, *next, i == 0);
      if (stopped()) return best;
      if (value <= best) continue;
      best = value;
      best_move = move;
      if (best > node.alpha) {
        node.alpha = best;
        lines_.extend(ply, move);
      }
      if (params_.strict ? best > beta : best >= beta) {
        note_cutoff(position, move, depth, ply);
        end = "cut";
        break;
      }
      if (params_.early && best > 0 && says_who_wins<G>(best)) {
        if (i + 1 < count) end = "early";
        break;
      }
    }
    // 5. Remember it.
    if (params_.table) {
      const Bound bound = best >= beta ? Bound::lower : best <= first_alpha ? Bound::upper : Bound::exact;
      shared_.table->store(key, {to_table(best, ply), static_cast<std::int16_t>(depth), bound,
                                 reached_horizon_, left_out_, best_move});
      if (shared_.table->crowded() && shared_.alone) shared_.table->grow();
    }
    tracer_.leave(id, best, end);
    reached_horizon_ |= outer_horizon;
    left_out_ |= outer_left_out;
    return best;
  }

  /// The value of a move that leads to `next`, for the side that makes it.
  int search_move(const Node& node, Move move, const Position& next, bool first) {
    const bool turn_passed = game_.side(next) != game_.side(node.position);
    const int left = depth_.after(node.depth, turn_passed);
    const auto seen = [&](int value) { return turn_passed ? -value : value; };
    if (game_.is_over(next)) {
      lines_.clear(node.ply + 1);
      const int value = final_value(game_, next, node.ply + 1);
      if (node.id) trace_leaf(node, move, next, left, value, "over");
      return seen(value);
    }
    if (left == 0 || node.ply + 1 == deepest<G>) {
      lines_.clear(node.ply + 1);
      ++counts_.evaluations;
      reached_horizon_ = true;
      const int value = evaluator_->value_after(node.position, move, next);
      if (node.id) trace_leaf(node, move, next, left, value, "horizon");
      return seen(value);
    }
    evaluator_->play(node.position, move);
    const auto search_window = [&](int low, int high) {
      Node child = below(node, next, left, low, high);
      if (node.id) child.id = trace_child(node.id, move, child);
      return seen(search(child));
    };
    int value = 0;
    if (!params_.pvs || first) {
      value = search_window(node.alpha, node.beta);
    } else {
      value = search_window(node.alpha, node.alpha + 1);
      if (value > node.alpha && value < node.beta && !stopped()) value = search_window(node.alpha, node.beta);
    }
    evaluator_->undo();
    return value;
  }

  /// The position after a move, with a window of the parent's, turned round if the turn passed.
  Node below(const Node& parent, const Position& next, int depth, int low, int high) const {
    const bool turn_passed = game_.side(next) != game_.side(parent.position);
    if (params_.forget && turn_passed) high = infinity;
    return {next, depth, parent.ply + 1, turn_passed ? -high : low, turn_passed ? -low : high, {}};
  }

  Tracer::Id trace_child(Tracer::Id parent, Move move, const Node& child) const {
    return tracer_.child(parent, {.move = move,
                                  .side = game_.side(child.position),
                                  .depth = child.depth,
                                  .alpha = child.alpha,
                                  .beta = child.beta});
  }
  void trace_leaf(const Node& parent, Move move, const Position& next, int depth, int value,
                  std::string_view end) const {
    const Node leaf = below(parent, next, depth, parent.alpha, parent.beta);
    tracer_.leave(trace_child(parent.id, move, leaf), value, end);
  }

  /// Moves that did well elsewhere come first.
  void promote(const Position& position, int ply, std::optional<Move> table_move,
               RankedList<G>& ranked) const {
    if (!params_.history && !params_.killers && !table_move && ply > 0) return;
    const auto& killers = killers_[at(ply)];
    const bool has_best = ply == 0 && !best_line_.empty();
    for (RankedMove& here : ranked) {
      const Move move = here.move();
      int rank = here.rank();
      if (params_.history && selector_.order() != Order::value)
        rank += history_[index(game_.side(position))][move.slot()];
      if (params_.killers && (move == killers[0] || move == killers[1]))
        rank = killer_rank + (move == killers[0]);
      if (move == table_move) rank = table_rank - 1;
      if (has_best && move == best_line_[0]) rank = table_rank;
      if (rank != here.rank()) here.set_rank(rank);
    }
  }

  /// Swaps the highest of [i, count) to place i.
  static void pick_best(RankedList<G>& ranked, int i, int count) {
    RankedMove* best = ranked.begin() + i;
    for (RankedMove* other = best + 1; other != ranked.begin() + count; ++other)
      best = other->before(*best) ? other : best;
    std::swap(ranked[i], *best);
  }

  void note_cutoff(const Position& position, Move move, int depth, int ply) {
    ++counts_.cutoffs;
    auto& killers = killers_[at(ply)];
    if (params_.killers && killers[0] != move) killers = {move, killers[0]};
    if (params_.history) {
      int& score = history_[index(game_.side(position))][move.slot()];
      score = std::min(score + depth * depth, 1 << 24);
    }
  }

  /// True if what the table knows settles the question that the window asks.
  static bool answers(Bound bound, int value, int alpha, int beta) {
    return bound == Bound::exact || (bound == Bound::lower && value >= beta) ||
           (bound == Bound::upper && value <= alpha);
  }

  // Wins are counted from the root in the search, from the position itself in the table.
  static int to_table(int value, int ply) {
    return says_who_wins<G>(value) ? value + (value > 0 ? ply : -ply) : value;
  }
  static int from_table(int value, int ply) {
    return says_who_wins<G>(value) ? value - (value > 0 ? ply : -ply) : value;
  }

  static constexpr int min_busy_depth = 3;  // below, marking costs more than walking together

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const G& game_;
  const AlphaBetaParams& params_;
  SharedSearch& shared_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  Selector<G> selector_;
  Depth depth_;
  Budget* budget_ = nullptr;
  Tracer tracer_;
  int iteration_ = 0;
  Lines lines_{deepest<G>};
  std::vector<Move> best_line_;                                 // of the last iteration
  std::vector<std::array<Move, 2>> killers_;                    // by ply
  std::vector<std::array<int, Move::max_number + 1>> history_;  // by side and move
  std::vector<RankedList<G>> ranked_ = std::vector<RankedList<G>>(at(deepest<G>) + 2);  // by ply
  SearchCounts counts_;
  bool reached_horizon_ = false;
  std::uint8_t left_out_ = 0;  // bit s: side s had moves that were not searched
};

template <Game G>
class AlphaBeta {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options() {
    std::vector<Option> options = Selector<G>::options("value", "0", "");
    options.insert(
        options.end(),
        {evaluation_option(), Depth::hands_option(),
         Option::flag("early", false, "a decided child ends the search of its position"),
         Option::flag("table", true, "remember positions already searched"),
         Option::integer("memory", 1, 65'536, "64", "megabytes for the table"),
         Option::flag("deepen", true, "search to depth 1, 2, 3 ... instead of the full depth at once"),
         Option::integer("start", 1, 250, "1", "the first depth when deepening"),
         Option::flag("resume", false,
                      "start at the depth completed for the previous move less two, if more"),
         Option::flag("pvs", true,
                      "principal-variation search: ask of later moves only whether they are better"),
         Option::integer("aspiration", 0, 1'000'000, "0",
                         "half the root window around the last value; 0: open"),
         Option::flag("killers", true, "try moves early that cut at the same ply"),
         Option::flag("history", true, "try moves early that cut often"),
         Option::flag("strict", false, "cut only on values beyond the bound, not on equal ones"),
         Option::flag("forget", false, "forget one bound when the turn passes, as the Bantumi report did"),
         Option::integer("threads", 1, 256, "1", "threads that share the table")});
    return options;
  }

  /// Throws InvalidPlayerError if options contradict each other.
  static void check(const Options& options) { (void)AlphaBetaParams(options); }

  AlphaBeta(const G& game, const Options& options)
      : game_(game), options_(options), params_(options), shared_(params_) {
    for (int i = 0; i < params_.threads; ++i)
      workers_.push_back(std::make_unique<AlphaBetaWorker<G>>(game, options, params_, shared_));
  }

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    const Depth depth = Depth::of(options_, task.limits, deepest<G>);
    if (!params_.deepen && !options_.has("hands") && !task.limits.depth)
      throw InvalidPlayerError("deepen=off needs a depth, or hands");
    shared_.stop = false;
    shared_.completed = 0;
    for (const auto& worker : workers_) worker->counts().reset();
    Budget budget(task.limits, task.poll);
    Helpers helpers(*this, root, depth, budget);
    return lead(root, task, depth, budget, helpers);
  }

 private:
  int first_depth(const Depth& depth) const {
    if (!params_.deepen) return depth.most;
    const int resumed = params_.resume ? last_depth_ - 2 : 0;
    return std::clamp(std::max(params_.start, resumed), 1, depth.most);
  }

  /// The threads besides the leading one; at the end they are stopped and awaited.
  class Helpers {
   public:
    Helpers(AlphaBeta& search, const Position& root, const Depth& depth, Budget& lead)
        : search_(search), root_(root), depth_(depth), lead_(lead) {}
    ~Helpers() {
      search_.shared_.stop = true;
      for (std::thread& thread : threads_) thread.join();
      search_.shared_.alone = true;
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Starts them, unless they run already or there is too little to do for them so far: starting a
    /// thread takes as long as a hundred nodes or more.
    void start_if_worthwhile(int iteration) {
      if (!threads_.empty() || (iteration < worthwhile_depth && lead_.nodes() < worthwhile_nodes)) return;
      if (search_.workers_.size() == 1) return;
      search_.shared_.alone = false;
      search_.shared_.table->grow();
      for (std::size_t i = 1; i < search_.workers_.size(); ++i) {
        budgets_.push_back(std::make_unique<Budget>(Limits{}, Poll{}));
        lead_.include(*budgets_.back());
      }
      for (std::size_t i = 1; i < search_.workers_.size(); ++i)
        threads_.emplace_back([this, iteration, &worker = *search_.workers_[i], &budget = *budgets_[i - 1]] {
          worker.begin(root_, depth_, budget, nullptr);
          search_.help(worker, root_, depth_, iteration, budget);
        });
    }

   private:
    static constexpr int worthwhile_depth = 6;
    static constexpr std::uint64_t worthwhile_nodes = 1000;

    AlphaBeta& search_;
    const Position& root_;
    const Depth& depth_;
    Budget& lead_;
    std::vector<std::unique_ptr<Budget>> budgets_;
    std::vector<std::thread> threads_;
  };

  Info lead(const Position& root, const Task& task, const Depth& depth, Budget& budget, Helpers& helpers) {
    AlphaBetaWorker<G>& worker = *workers_[0];
    worker.begin(root, depth, budget, task.trace);
    Info info;
    info.move = worker.first_choice(root);
    info.line = {info.move};
    std::optional<int> value;
    for (int d = first_depth(depth); d <= depth.most && !info.exact; ++d) {
      helpers.start_if_worthwhile(d);
      value = worker.iterate(root, d, value);
      if (!worker.best_line().empty()) {
        info.line = worker.best_line();
        info.move = info.line[0];
      }
      if (!value) break;
      shared_.completed = d;
      // A kept table may know of a win beyond the horizon while a quicker one is still unseen.
      const bool decided = says_who_wins<G>(*value);
      const bool within_horizon = !decided || win_value - std::abs(*value) <= d;
      set_value(game_, root, info, *value, within_horizon && worker.proven(*value, game_.side(root)));
      info.depth = d;
      fill(info, budget);
      if (task.report) task.report(info);
      if (decided && within_horizon) break;
    }
    last_depth_ = info.depth;
    fill(info, budget);
    return info;
  }

  /// What the other threads do: the same iterations, for the table.
  void help(AlphaBetaWorker<G>& worker, const Position& root, const Depth& depth, int first,
            const Budget& budget) {
    std::optional<int> value;
    for (int d = first; d <= depth.most && !shared_.stop && !budget.stopped();) {
      value = worker.iterate(root, d, value);
      d = std::max(d + value.has_value(), shared_.completed.load() + 1);
    }
  }

  void fill(Info& info, const Budget& budget) const {
    info.nodes = budget.nodes();
    info.evaluations = info.cutoffs = info.table_hits = 0;
    for (const auto& worker : workers_) worker->counts().add_to(info);
    info.time = budget.seconds();
    info.memory =
        sizeof(*this) + (shared_.table ? shared_.table->bytes() : 0) + workers_.size() * workers_[0]->bytes();
  }

  const G& game_;
  Options options_;
  AlphaBetaParams params_;
  SharedSearch shared_;
  std::vector<std::unique_ptr<AlphaBetaWorker<G>>> workers_;
  int last_depth_ = 0;
};

}  // namespace mossa
