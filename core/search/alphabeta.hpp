// Alpha-beta, with every technique as a switch that can be measured.
//
// A window (alpha, beta) holds what either side is already sure of elsewhere; a move that proves too good
// for the opponent to allow ends the search of its position (a cutoff). A child's value is negated, and
// its window turned round, only if the turn passed: in Kalah the same side may move again.
//
// deepening.hpp has the iterations and the threads, which share the table.
#pragma once

#include <utility>

#include "../table.hpp"
#include "deepening.hpp"

namespace mossa {

struct AlphaBetaParams {
  bool early;      // a decided child ends the search of its position
  bool table;      // remember positions
  int table_mb;    // its size
  bool deepen;     // depth 1, 2, 3 ... instead of the full depth at once
  int start;       // the first depth
  bool turns;      // the depth counts turns: extra moves are free
  bool resume;     // the first depth is at least the last completed one of the previous move, less two
  bool pvs;        // other moves than the first are first only asked whether they are better
  int aspiration;  // half the width of the root window around the last value; 0: open
  bool killers;    // moves that cut elsewhere at this ply come early
  bool history;    // moves that cut often come early
  bool strict;     // cut only on values beyond the bound, not on equal ones
  bool forget;     // the Bantumi report's way: one bound is forgotten when the turn passes
  int threads;

  static std::vector<Option> options();
  /// Throws InvalidPlayerError if options contradict each other.
  explicit AlphaBetaParams(const Options& options);
};

/// What the workers share, besides what all deepening searches do.
template <Game G>
struct SharedAlphaBeta {
  std::unique_ptr<Table> table;
  const typename G::Position* root = nullptr;
  Depth depth;
};

/// One thread's search.
template <Game G>
class AlphaBetaWorker final : public DeepeningWorker {
 public:
  using Position = typename G::Position;

  AlphaBetaWorker(const G& game, const Options& options, const NetworkPointer& network,
                  const AlphaBetaParams& params, Crew& crew, const SharedAlphaBeta<G>& shared)
      : DeepeningWorker(crew, deepest<G>),
        game_(game),
        params_(params),
        shared_(shared),
        evaluator_(make_evaluator(game, options.text("evaluate"), network)),
        selector_(game, options) {
    if (params.history) history_.resize(2);
  }

  Move first_choice() override {
    RankedList<G>& ranked = ranked_[0];
    selector_.select(*shared_.root, *evaluator_, ranked);
    pick_best(ranked, 0, ranked.size());
    return ranked[0].move();
  }

  std::size_t bytes() const override {
    return sizeof(*this) + lines_.bytes() + history_.size() * sizeof(history_[0]);
  }

 private:
  void prepare() override {
    evaluator_->reset(*shared_.root, side_);
    killers_.assign(static_cast<std::size_t>(deepest<G>) + 2, {});
    for (auto& side : history_) side.fill(0);
  }
  int aspiration(int) const override { return params_.aspiration; }
  int search_root(int depth, int alpha, int beta, Tracer::Id id) override {
    return search({*shared_.root, depth, 0, alpha, beta, id});
  }

  /// A position on the way down, and the question that is asked of it.
  struct Node {
    const Position& position;  // not over
    int depth;                 // from the horizon
    int ply;                   // from the root
    int alpha, beta;           // the window; alpha rises with every better move
    Tracer::Id id;
  };

  static constexpr int table_rank = infinity, killer_rank = infinity - 3;

  int search(Node node) {
    const auto [position, depth, ply, first_alpha, beta, id] = node;
    lines_.clear(ply);
    // 1. Has it been searched already?
    std::optional<Move> table_move;
    TableKey key;
    if (params_.table) {
      key = TableKey::of(game_, position);
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
      const BusyMarks::Mark busy =
          mark(depth, [&] { return mix(key.slot() ^ (std::uint64_t{move.code()} + 1)); });
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
      if (shared_.table->crowded() && crew_.alone) shared_.table->grow();
    }
    tracer_.leave(id, best, end);
    reached_horizon_ |= outer_horizon;
    left_out_ |= outer_left_out;
    return best;
  }

  /// The value of a move that leads to `next`, for the side that makes it.
  int search_move(const Node& node, Move move, const Position& next, bool first) {
    const bool turn_passed = game_.side(next) != game_.side(node.position);
    const int left = shared_.depth.after(node.depth, turn_passed);
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

  // A margin is no count of plies.
  static int to_table(int value, int ply) {
    return says_who_wins<G>(value) ? DeepeningWorker::to_table(value, ply) : value;
  }
  static int from_table(int value, int ply) {
    return says_who_wins<G>(value) ? DeepeningWorker::from_table(value, ply) : value;
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const G& game_;
  const AlphaBetaParams& params_;
  const SharedAlphaBeta<G>& shared_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  Selector<G> selector_;
  std::vector<std::array<Move, 2>> killers_;                                            // by ply
  std::vector<std::array<int, Move::max_number + 1>> history_;                          // by side and move
  std::vector<RankedList<G>> ranked_ = std::vector<RankedList<G>>(at(deepest<G>) + 2);  // by ply
};

template <Game G>
class AlphaBeta final : DeepeningSearch {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options(const Traits&) { return AlphaBetaParams::options(); }
  static void check(const Options& options) { (void)AlphaBetaParams(options); }

  AlphaBeta(const G& game, const Options& options, const NetworkPointer& network = {})
      : AlphaBeta(game, options, network, AlphaBetaParams(options)) {}

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    shared_.root = &root;
    if (shared_.table) shared_.table->begin_search();
    shared_.depth = Depth::of(options_, task.limits, deepest<G>);
    shared_.depth.count_turns |= params_.turns;
    if (!params_.deepen && !options_.has("hands") && !task.limits.depth)
      throw InvalidPlayerError("deepen=off needs a depth, or hands");
    const Info info = deepen(task, game_.side(root), {first_depth(), shared_.depth.most, shared_.depth.most});
    last_depth_ = info.depth;
    return info;
  }

 private:
  AlphaBeta(const G& game, const Options& options, const NetworkPointer& network,
            const AlphaBetaParams& params)
      : DeepeningSearch(params.threads), game_(game), options_(options), params_(params) {
    if (params.table)
      shared_.table = std::make_unique<Table>(static_cast<std::size_t>(params.table_mb) << 20);
    for (int i = 0; i < params.threads; ++i)
      workers_.push_back(
          std::make_unique<AlphaBetaWorker<G>>(game, options, network, params_, crew_, shared_));
  }

  int first_depth() const {
    if (!params_.deepen) return shared_.depth.most;
    const int resumed = params_.resume ? last_depth_ - 2 : 0;
    return std::clamp(std::max(params_.start, resumed), 1, shared_.depth.most);
  }

  bool should_grow_tables(double) const override { return shared_.table && shared_.table->crowded(); }
  void grow_tables(double) override { shared_.table->grow(); }

  bool conclude(Info& info, int value) override {
    // A kept table may know of a win beyond the horizon while a quicker one is still unseen.
    const bool decided = says_who_wins<G>(value);
    const bool within_horizon = !decided || win_value - std::abs(value) <= info.depth;
    set_value(game_, *shared_.root, info, value, within_horizon && workers_[0]->proven(value));
    // Without a leaf at the horizon no deeper search sees more, even if moves were left out.
    return decided ? within_horizon : !workers_[0]->reached_horizon();
  }

  std::size_t bytes() const override { return sizeof(*this) + (shared_.table ? shared_.table->bytes() : 0); }

  const G& game_;
  Options options_;
  AlphaBetaParams params_;
  SharedAlphaBeta<G> shared_;
  int last_depth_ = 0;
};

}  // namespace mossa
