// The exact solver of kalah.
//
// The margin to come of a position is found by a few questions "at least beta?" (null windows). Each is
// answered by a depth-first search with these parts:
//
// 1. End-game tables (kalah_tables.hpp), which end every line. Without given ones the solver makes its own,
//    a layer whenever the search has taken about four times as long as the layer will take.
// 2. A table of exact keys with both bounds, shared between threads. Every child is looked up before one is
//    searched (enhanced transposition cutoffs: Schaeffer and Plaat 1996).
// 3. Order: moves that earn another turn, from the right; then what leaves the other side few moves.
//
// The first question is asked where the answer is expected to be: a quick search, which only estimates
// positions with fewer seeds than a horizon, finds out where.
//
// Several threads work on the same question, share the table, and put off moves that another thread is busy
// with (simplified ABDADA: Weill 1996, Kerrigan 2017). A thread leaves a position as soon as another has
// answered what is asked of it.
#pragma once

#include "../busy.hpp"
#include "kalah_tables.hpp"
#include "proof_table.hpp"
#include "solver.hpp"
#include "team.hpp"

namespace mossa::MOSSA_ISA {

/// A position for the solver: the board, and the seeds on it.
template <class Bits>
struct KalahRoot {
  Bits bits = 0;
  int seeds = 0;
};

/// What the threads of a solver share.
template <class Board, class Bits>
struct KalahShared {
  KalahShared(const Board& solved, std::size_t memory, const EndTables* end_tables)
      : board(solved), tables(end_tables), table(memory, first_table_bytes, solved.key_bits(), true) {}

  static constexpr std::size_t first_table_bytes = 16 << 20;

  Board board;
  const EndTables* tables;  // or none
  ProofTable<Bits, MarginTable> table;
  std::atomic<bool> done{false};  // the question is answered, or given up
  BusyMarks busy;                 // positions being searched now
};

/// A search on boards whose lanes hold more seeds.
template <class Bits>
struct KalahWideSearch {};

/// One thread's search.
template <class Board, class Bits>
class KalahWorker {
 public:
  using Shared = KalahShared<Board, Bits>;
  using Root = KalahRoot<Bits>;
  static constexpr std::uint64_t nodes_per_check = 1024;

  explicit KalahWorker(Shared& shared) : shared_(shared), board_(shared.board) {}

  /// A bound on the margin to come: from below if the result is at least `beta`, else from above. Throws
  /// SearchStopped once `must_stop` says so or the question is answered; it is asked now and then, and after
  /// `limit` nodes. Positions with at most `horizon` seeds are estimated.
  int search(const Root& root, int beta, bool alone, const std::function<bool()>& must_stop,
             std::uint64_t limit, int horizon = -1) {
    must_stop_ = &must_stop;
    asked_.clear();
    limit_ = limit < ~std::uint64_t{0} - nodes_ ? nodes_ + limit : ~std::uint64_t{0};
    plan_check();
    alone_ = alone;
    if (beta > root.seeds) return root.seeds;
    if (beta <= -root.seeds) return -root.seeds;
    const Child start{root.bits, root.seeds, 0, true, slot(root.bits), known(root, horizon), 0};
    if (start.known.low >= beta) return start.known.low;
    if (start.known.high < beta) return start.known.high;
    const int bound = search(start, beta);
    published_.store(nodes_, std::memory_order_relaxed);
    return bound;
  }

  /// What the tables know of the margin to come.
  Bounds known(const Root& root, int horizon = -1) {
    numbered_ = shared_.tables ? shared_.tables->seeds() : -1;
    horizon_ = horizon;
    Child child{root.bits, root.seeds, 0, true, slot(root.bits), {}, 0};
    if (root.seeds <= numbered_)
      child.known.low = child.known.high = (*shared_.tables)[board_.number(root.bits)];
    else
      look_up(child);
    return child.known;
  }

  /// Positions visited, as of the last check; may be asked while the search runs.
  std::uint64_t nodes() const { return published_.load(std::memory_order_relaxed); }

 private:
  using Slot = TableSlot<Bits>;
  using Next = typename Board::Next;
  static constexpr std::size_t most_moves = static_cast<std::size_t>(Board::most_pits);

  struct Child {
    Bits bits;
    int seeds, gain;
    bool same;
    Slot slot;
    Bounds known;          // of the margin to come
    std::uint64_t number;  // in the end-game tables

    int worth(int to_come) const { return gain + (same ? to_come : -to_come); }
    int least() const { return worth(same ? known.low : known.high); }
    int most() const { return worth(same ? known.high : known.low); }
    /// The question that tells whether the move is worth `beta`.
    int question(int beta) const { return same ? beta - gain : gain - beta + 1; }
  };

  /// Searches a position that the tables have not decided.
  int search(const Child& here, int beta) {
    const Bits bits = here.bits;
    const int seeds = here.seeds;
    if (++nodes_ >= next_check_) check();
    if (board_.keeps_parity()) beta += (beta ^ seeds) & 1;
    if (seeds <= horizon_) return estimate(bits, seeds);
    // 1. What the moves lead to; the lines of the tables are fetched meanwhile.
    std::array<Child, most_moves> children;
    std::array<int, most_moves> order;  // rank and number of a move
    std::size_t count = 0;
    int best = -seeds;
    for (Bits rest = board_.movable(bits); rest; rest &= rest - 1) {
      const int pit = board_.pit_of(rest);
      const Next next = board_.play(bits, seeds, pit);
      if (next.overflow) {
        best = std::max(best, search_wide(bits, seeds, pit, beta));
        continue;
      }
      const int most = next.gain + (next.over ? 0 : next.seeds);
      const int least = next.gain - (next.over ? 0 : next.seeds);
      if (least >= beta) return least;
      if (most < beta) {
        best = std::max(best, most);
        continue;
      }
      Child& child = children[count];
      child = {next.board, next.seeds, next.gain, next.same, {}, {}, 0};
      if (next.seeds <= numbered_) {
        child.number = board_.number(next.board);
        prefetch(shared_.tables->address(child.number));
      } else {
        child.slot = slot(next.board);
      }
      order[count] = rank(next, pit) * number_of_moves + static_cast<int>(count);
      ++count;
    }
    if (best >= beta) return best;
    // 2. What of it is known?
    std::size_t open = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Child& child = children[i];
      if (child.seeds <= numbered_)
        child.known.low = child.known.high = (*shared_.tables)[child.number];
      else
        look_up(child);
      if (child.least() >= beta) return remember(here, beta, child.least(), 0);
      if (child.most() < beta) {
        best = std::max(best, child.most());
        continue;
      }
      const int entry = order[i];
      std::size_t at = open++;
      for (; at > 0 && order[at - 1] < entry; --at) order[at] = order[at - 1];
      order[at] = entry;
    }
    // 3. Search the others.
    const std::uint64_t before = nodes_;
    const bool together = !alone_ && seeds > numbered_ + quiet_seeds;
    std::size_t deferred = 0;
    for (std::size_t i = 0; i < open; ++i) {
      Child& child = children[static_cast<std::size_t>(order[i] & (number_of_moves - 1))];
      const BusyMarks::Mark busy(shared_.busy, together,
                                 [&] { return mix(static_cast<std::uint64_t>(child.bits)); });
      if (busy.elsewhere() && i > 0 && i + deferred < open) {
        std::rotate(&order[i], &order[i] + 1, order.data() + open);
        ++deferred;
        --i;
        continue;
      }
      if (!alone_ && i > 0) look_up(child);  // another thread may have been there
      if (child.most() >= beta && child.least() < beta) {
        const int question = child.question(beta);
        const int found = together ? unless_answered(child, question) : search(child, question);
        best = std::max(best, child.worth(found));
      } else
        best = std::max(best, child.most() < beta ? child.most() : child.least());
      if (best >= beta) break;
    }
    return remember(here, beta, best, nodes_ - before);
  }

  struct Asked {
    Slot slot;
    int beta;
  };
  struct Answered {
    std::size_t level;  // in asked_
    int bound;
  };

  /// What a search finds, or the answer that another thread finds sooner.
  MOSSA_NOINLINE int unless_answered(const Child& child, int beta) {
    const std::size_t level = asked_.size();
    if (child.seeds > numbered_) asked_.push_back({child.slot, beta});
    try {
      const int bound = search(child, beta);
      asked_.resize(level);
      return bound;
    } catch (const Answered& answered) {
      asked_.resize(level);
      if (answered.level != level) throw;
      return answered.bound;
    }
  }

  void leave_answered() const {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (const auto known = shared_.table.find(asked_[i].slot)) {
        if (known->low >= asked_[i].beta) throw Answered{i, known->low};
        if (known->high < asked_[i].beta) throw Answered{i, known->high};
      }
  }

  /// What the table knows of it; estimates are not in it.
  MOSSA_INLINE void look_up(Child& child) const {
    child.known = {-child.seeds, child.seeds};
    if (horizon_ >= 0) return;
    if (const auto known = shared_.table.find(child.slot)) child.known = *known;
  }

  /// Enters that the margin to come is at least, or at most, `found`, and returns what is known now.
  int remember(const Child& here, int beta, int found, std::uint64_t work) {
    Bounds bounds = here.known;
    if (found >= beta)
      bounds.low = std::max(bounds.low, found);
    else
      bounds.high = found = std::min(bounds.high, found);
    if (horizon_ < 0) shared_.table.store(here.slot, bounds, work);
    return found;
  }

  static constexpr int number_of_moves = 16;
  static constexpr int quiet_seeds = 8;  // this close to the tables, threads need not avoid each other

  int rank(const Next& next, int pit) const {
    const int order = 8 * next.gain - 4 * count_bits(board_.movable(next.board));
    return next.same ? 100 + 8 * next.gain + pit : order;
  }

  /// A quarter of the difference between the rows.
  int estimate(Bits bits, int seeds) const {
    const int value = (2 * board_.row_seeds(bits) - seeds) / 4;
    return board_.keeps_parity() && ((value ^ seeds) & 1) ? value + 1 : value;
  }

  Slot slot(Bits bits) const {
    const Slot slot = shared_.table.slot(bits);
    prefetch(slot.bucket);
    return slot;
  }

  /// The worth of a move that puts more seeds into a pit than its lane holds: searched on a wider board.
  int search_wide(Bits bits, int seeds, int pit, int beta) {
#ifdef MOSSA_HAS_WIDE_BITS
    if constexpr (sizeof(Bits) == 8) {
      if (!wide_) wide_ = std::make_unique<KalahWideSearch<Bits>>(board_.rules(), shared_.tables);
      const auto& board = wide_->shared.board;
      WideBits wide_bits = 0;
      for (int lane = 0; lane < 2 * board_.pits(); ++lane) board.add(wide_bits, lane, board_(bits, lane));
      const auto next = board.play(wide_bits, seeds, pit);
      if (next.over) return next.gain;
      const int question = next.same ? beta - next.gain : next.gain - beta + 1;
      const int to_come = wide_->worker.search({next.board, next.seeds}, question, true, *must_stop_,
                                               ~std::uint64_t{0}, horizon_);
      return next.gain + (next.same ? to_come : -to_come);
    }
#endif
    (void)bits, (void)seeds, (void)pit, (void)beta;
    throw GameError("a pit holds too many seeds");  // boards that can overflow are not made without wide bits
  }

  void plan_check() {
    next_check_ = nodes_ + nodes_per_check;
    if (nodes_ < limit_) next_check_ = std::min(next_check_, limit_);
  }

  void check() {
    published_.store(nodes_, std::memory_order_relaxed);
    plan_check();
    if (shared_.done.load(std::memory_order_relaxed) || (*must_stop_ && (*must_stop_)()))
      throw SearchStopped();
    leave_answered();
  }

  Shared& shared_;
  const Board& board_;
  int numbered_ = -1;  // boards with at most so many seeds are in the end-game tables
  int horizon_ = -1;
  std::uint64_t nodes_ = 0, next_check_ = 0, limit_ = 0;
  std::atomic<std::uint64_t> published_{0};
  const std::function<bool()>* must_stop_ = nullptr;
  bool alone_ = true;
  std::vector<Asked> asked_;  // positions of this line that other threads may come to, from the root on
  std::unique_ptr<KalahWideSearch<Bits>> wide_;  // made when it is needed
};

#ifdef MOSSA_HAS_WIDE_BITS
template <>
struct KalahWideSearch<std::uint64_t> {
  KalahWideSearch(const KalahRules& rules, const EndTables* tables)
      : shared(KalahBoard<WideBits>(rules), memory, tables), worker(shared) {}
  static constexpr std::size_t memory = 16 << 20;
  KalahShared<KalahBoard<WideBits>, WideBits> shared;
  KalahWorker<KalahBoard<WideBits>, WideBits> worker;
};
#endif

template <class Board, class Bits>
class KalahSolver final : public AnySolver {
 public:
  KalahSolver(std::shared_ptr<const AnyGame> game, const Board& board, const SolverSettings& settings)
      : AnySolver(std::move(game)), given_(settings.tables) {
    const KalahRules& rules = board.rules();
    if (!given_ && !rules.majority)
      own_.emplace(this->game(),
                   std::min(rules.total(), EndTables::seeds_within(rules.pits, settings.memory / 2)));
    shared_.emplace(board, own_ ? settings.memory / 2 : settings.memory,
                    given_ ? given_.get()
                    : own_ ? &*own_
                           : nullptr);
    if (settings.findings_from) shared_->table.keep_findings(*settings.findings_from);
    for (int i = 0; i < settings.threads; ++i) workers_.emplace_back(*shared_);
  }

  std::uint64_t nodes() const override { return nodes_of(workers_); }

 private:
  using Root = KalahRoot<Bits>;
  using Worker = KalahWorker<Board, Bits>;
  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};

  Solution prove(const AnyPosition& position, SolverWork& work) override {
    const int all = shared_->board.rules().total();
    known_ = {-all, all};
    question_.reset();
    const std::optional<Proven>& asked = work.task().at_least;
    known_ = asked ? answer(position, asked->value, work) : score(position, work, true);
    return solution(known_, work);
  }

  std::vector<Move> best_line(const AnyPosition& position, int most, SolverWork& work) override {
    std::vector<Move> moves;
    auto at = std::shared_ptr<const AnyPosition>(&position, [](const AnyPosition*) {});
    Bounds bounds = score(*at, work);
    while (!at->outcome() && bounds.low == bounds.high && static_cast<int>(moves.size()) < most) {
      const std::optional<Move> move = best_move(*at, bounds.low, work);
      if (!move) break;
      const auto next = at->play(*move);
      if (next->side() != at->side()) bounds = {-bounds.low, -bounds.low};
      moves.push_back(*move);
      at = next;
    }
    return moves;
  }

  void forget() override {
    shared_->table.clear();
    nodes_at_clear_ = nodes();
  }

  std::string take_findings() override { return shared_->table.findings(); }
  void take_in(std::string_view findings) override { shared_->table.learn(findings); }

  /// The margin so far, for the side to move.
  static int margin(const AnyPosition& position) {
    const Cells cells = position.cells();
    const int margin = cells[0].back() - cells[1].back();
    return position.side() == Side::first ? margin : -margin;
  }

  /// True while one of the opening rules can apply, which the solver's boards know nothing of.
  bool in_opening(const AnyPosition& position) const {
    const KalahRules& rules = shared_->board.rules();
    if (!rules.swap && rules.first_extra) return false;
    const std::string text = position.text();
    return text.ends_with(",swap") || text == game()->start()->text();
  }

  /// Bounds on the final margin for the side to move; `asked` if this is the position the caller asked about,
  /// whose bounds are reported.
  Bounds score(const AnyPosition& position, SolverWork& work, bool asked = false) {
    const int all = shared_->board.rules().total();
    if (const auto outcome = position.outcome()) {
      const int value = position.side() == Side::first ? outcome->value : -outcome->value;
      return {value, value};
    }
    if (!in_opening(position)) {
      const std::optional<Bits> bits = shared_->board.bits_of(position);
      if (!bits) return wide_score(position, work);
      const int so_far = margin(position);
      const Root root{*bits, seeds_in_pits(position)};
      const Bounds to_come = narrow(root, so_far, asked, work);
      return {so_far + to_come.low, so_far + to_come.high};
    }
    Bounds best{-all, -all};
    for (const Move move : position.moves()) {
      const auto next = position.play(move);
      Bounds bounds = score(*next, work);
      if (next->side() != position.side()) bounds = {-bounds.high, -bounds.low};
      best = {std::max(best.low, bounds.low), std::max(best.high, bounds.high)};
    }
    return best;
  }

  /// The same, but only as far as it takes to tell whether the final margin is at least `asked`.
  Bounds answer(const AnyPosition& position, int asked, SolverWork& work) {
    const int all = shared_->board.rules().total();
    if (!position.outcome() && in_opening(position)) {
      Bounds best{-all, -all};
      for (const Move move : position.moves()) {
        const auto next = position.play(move);
        const bool same = next->side() == position.side();
        Bounds bounds = answer(*next, same ? asked : 1 - asked, work);
        if (!same) bounds = {-bounds.high, -bounds.low};
        best = {std::max(best.low, bounds.low), std::max(best.high, bounds.high)};
        if (best.low >= asked) return {best.low, all};
      }
      return best;
    }
    const std::optional<Bits> bits = position.outcome() ? std::nullopt : shared_->board.bits_of(position);
    if (!bits) return score(position, work);
    const int so_far = margin(position);
    const Root root{*bits, seeds_in_pits(position)};
    question_ = asked;
    int beta = asked - so_far;
    if (shared_->board.keeps_parity()) beta += (beta ^ root.seeds) & 1;
    Bounds to_come{-root.seeds, root.seeds};
    if (const std::optional<int> bound = ask(root, beta, work))
      (*bound >= beta ? to_come.low : to_come.high) = *bound;
    return {so_far + to_come.low, so_far + to_come.high};
  }

  /// Solves a position with more seeds in a pit than a lane can hold, which is very rare.
  Bounds wide_score(const AnyPosition& position, SolverWork& work) {
#ifdef MOSSA_HAS_WIDE_BITS
    if constexpr (sizeof(Bits) == 8) {
      using WideBoard = KalahBoard<WideBits>;
      SolverSettings settings;
      settings.tables = given_;
      if (!wide_)
        wide_ = std::make_unique<KalahSolver<WideBoard, WideBits>>(game(), WideBoard(shared_->board.rules()),
                                                                   settings);
      const Solution found = wide_->solve(position, {work.task().limits, work.task().poll, {}});
      return {found.low.value, found.high.value};
    }
#endif
    (void)work;
    throw GameError("a pit of '" + position.text() + "' holds too many seeds for the solver");
  }

  int seeds_in_pits(const AnyPosition& position) const {
    const Cells cells = position.cells();
    return shared_->board.rules().total() - cells[0].back() - cells[1].back();
  }

  /// Asks questions until the margin to come is known or a limit comes.
  Bounds narrow(const Root& root, int so_far, bool asked, SolverWork& work) {
    Bounds bounds{-root.seeds, root.seeds};
    int beta = guess(root, work);
    while (bounds.low < bounds.high) {
      beta = std::clamp(beta, bounds.low + 1, bounds.high);
      if (shared_->board.keeps_parity()) beta += (beta ^ root.seeds) & 1;
      if (asked) question_ = so_far + beta;
      const std::optional<int> bound = ask(root, beta, work);
      if (!bound) break;
      (*bound >= beta ? bounds.low : bounds.high) = *bound;
      if (bounds.low < bounds.high && bounds.high - bounds.low < 2 && shared_->board.keeps_parity())
        bounds.high = bounds.low;
      beta = *bound >= beta ? bounds.low + 1 : bounds.high;
      if (!asked) continue;
      known_ = {so_far + bounds.low, so_far + bounds.high};
      if (bounds.low < bounds.high) work.tell([&] { return solution(known_, work); });
    }
    return bounds;
  }

  /// Estimates the margin to come by searches with ever lower horizons, as long as they are quick.
  int guess(const Root& root, SolverWork& work) {
    constexpr std::uint64_t quick = 200'000;
    const int near_tables = (shared_->tables ? std::max(0, shared_->tables->seeds()) : 0) + 12;
    const std::uint64_t before = nodes();
    int value = 0;
    for (int horizon = root.seeds - 6; horizon > near_tables; horizon -= 3) {
      Bounds bounds{-root.seeds, root.seeds};
      for (int beta = value; bounds.low < bounds.high;) {
        beta = std::clamp(beta, bounds.low + 1, bounds.high);
        const std::uint64_t spent = nodes() - before;
        if (spent >= quick) return value;
        const std::optional<int> bound = search(root, beta, work, horizon, quick - spent);
        if (!bound) return value;
        (*bound >= beta ? bounds.low : bounds.high) = *bound;
        beta = *bound >= beta ? bounds.low + 1 : bounds.high;
      }
      value = bounds.low;
    }
    return value;
  }

  /// The answer to a question; nothing if it had to stop. Tables that have become too small grow; what was
  /// found before is kept, so asking again costs little.
  std::optional<int> ask(const Root& root, int beta, SolverWork& work) {
    while (true) {
      const std::optional<int> answer = search(root, beta, work);
      if (answer || work.stopped()) return answer;
      if (wants_layer(root)) {
        if (!own_->build_layer(static_cast<int>(workers_.size()),
                               [&] { return work.budget().check(), work.stopped(); }))
          return {};
      } else if (wants_room(work)) {
        shared_->table.grow();
      }
    }
  }

  /// Only when it has seen eight positions for each entry: a table that stays in a cache for longer is worth
  /// a few positions that are searched again.
  bool wants_room(const SolverWork& work) const {
    return nodes() - nodes_at_clear_ > 8 * shared_->table.entries() &&
           shared_->table.can_double(work.time_left());
  }
  /// A layer saves about a quarter of the nodes still to come, and those are likely to be as many again as
  /// there were so far: it pays once the search has taken four times as long as the layer will take.
  bool wants_layer(const Root& root) const {
    if (!own_ || own_->seeds() >= own_->most() || own_->seeds() >= root.seeds) return false;
    const int pits = shared_->board.pits(), next = own_->seeds() + 1;
    const std::uint64_t boards = EndTables::positions(pits, next) - EndTables::positions(pits, next - 1);
    return next <= first_layers || nodes() - nodes_at_clear_ > boards / boards_per_node;
  }
  static constexpr int first_layers = 6;
  static constexpr std::uint64_t boards_per_node = 8;  // a node takes as long as some 30 boards

  /// With a horizon it gives up after `limit` nodes.
  std::optional<int> search(const Root& root, int beta, SolverWork& work, int horizon = -1,
                            std::uint64_t limit = no_limit) {
    if (horizon < 0 && wants_layer(root)) return {};
    const std::uint64_t before = nodes();
    const std::function<bool()> must_stop = [&] {
      if (work.must_stop([&] { return solution(known_, work); })) return true;
      return horizon < 0 ? wants_room(work) || wants_layer(root) : nodes() - before >= limit;
    };
    const std::uint64_t most = std::min(limit, work.nodes_left());
    const std::size_t threads = horizon < 0 ? workers_.size() : 1;
    const std::function<bool()> never;
    return ask_together(workers_, threads, shared_->done, [&](Worker& worker, bool leads) {
      return worker.search(root, beta, threads == 1, leads ? must_stop : never, most, horizon);
    });
  }

  /// What is known of the final margin for the side to move without a search.
  Bounds known_score(const AnyPosition& position) {
    const int all = shared_->board.rules().total();
    const auto bits =
        position.outcome() || in_opening(position) ? std::nullopt : shared_->board.bits_of(position);
    if (!bits) return {-all, all};
    const int so_far = margin(position);
    const Bounds to_come = workers_.front().known({*bits, seeds_in_pits(position)});
    return {so_far + to_come.low, so_far + to_come.high};
  }

  /// A move that keeps the final margin of a solved position; nothing if a limit came first. The proof has
  /// usually left one in the table; finding it there saves solving the worse moves.
  std::optional<Move> best_move(const AnyPosition& position, int value, SolverWork& work) {
    for (const Move move : position.moves()) {
      const auto next = position.play(move);
      const Bounds known = known_score(*next);
      if ((next->side() == position.side() ? known.low : -known.high) >= value) return move;
    }
    for (const Move move : position.moves()) {
      const auto next = position.play(move);
      const Bounds bounds = score(*next, work);
      if (bounds.low < bounds.high) return {};
      if ((next->side() == position.side() ? bounds.low : -bounds.low) == value) return move;
    }
    return {};
  }

  Solution solution(const Bounds& bounds, const SolverWork& work) const {
    const int tables_to = shared_->tables ? shared_->tables->seeds() : -1;
    return {Proven{bounds.low, {}},
            Proven{bounds.high, {}},
            work.nodes(),
            work.seconds(),
            shared_->table.bytes() + (own_ && tables_to >= 0 ? own_->bytes() : 0),
            question_,
            tables_to >= 0 ? std::optional(tables_to) : std::nullopt};
  }

  std::shared_ptr<const EndTables> given_;  // or
  std::optional<KalahTables> own_;          // or, under the majority rule, none
  std::optional<KalahShared<Board, Bits>> shared_;
  std::deque<Worker> workers_;
  std::unique_ptr<AnySolver> wide_;  // made when it is needed
  Bounds known_;                     // of the position that was asked about
  std::optional<int> question_;      // that is being asked about it
  std::uint64_t nodes_at_clear_ = 0;
};

}  // namespace mossa::MOSSA_ISA
