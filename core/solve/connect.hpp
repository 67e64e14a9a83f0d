// An exact solver for connect boards of up to 128 bits.
//
// A score (connect_position.hpp) is looked up in the book, if there is one, or found by a few questions "at
// least beta?" (null windows). Each is answered by a depth-first search with these parts:
//
// 1. Tactics by bits: winning cells, forced replies, moves that do not lose at once, double threats.
// 2. The other side's follow-up plan as a static bound on every child (connect_board.hpp).
// 3. Tables of exact keys with both bounds: a large one that all threads share, and for positions near the
//    end a small one of each thread's own that stays in its cache. Every child is looked up before one is
//    searched (enhanced transposition cutoffs: Schaeffer and Plaat 1996). Mirror images share an entry while
//    they can meet.
// 4. Order: threats made, but not those that can be parried at once; centre; history of cutoffs.
//
// With several threads all search the same question, share the table and put off moves that another is
// busy with (simplified ABDADA: Weill 1996, Kerrigan 2017).
#pragma once

#include <deque>
#include <mutex>
#include <thread>

#include "../busy.hpp"
#include "../turns.hpp"
#include "book.hpp"
#include "proof_table.hpp"

namespace mossa {

/// Weights of the move order and depths at which parts pay, found by counting nodes on random positions.
struct ConnectParams {
  int threat = 64;                   // for each cell that a move makes winning
  int spent_threat = -40;            // if one of them can be filled at once
  int centre = 8;                    // for each column nearer to the centre
  int history_most = 400;            // a cell's history stays within this; it counts a thirty-second
  int table_empty = 6;               // with fewer empty cells left searching is quicker than remembering
  int near_empty = 20;               // with fewer empty cells left the thread's own table is used
  std::size_t near_bytes = 1 << 20;  // of that table: about a second-level cache
  int etc_empty = 8;                 // with fewer empty cells left children are not looked up
  int busy_empty = 16;               // with fewer empty cells left threads do not avoid each other
};

/// Thrown through a search that must stop.
struct Stopped {};

/// What the threads of a solver share.
template <class Board, class Bits>
struct ConnectShared {
  ConnectShared(const Board& solved, std::size_t memory, std::shared_ptr<const Book> of_book = {})
      : board(solved), book(std::move(of_book)), table(memory, solved.key_bits()) {}

  Board board;
  std::shared_ptr<const Book> book;  // or none
  ConnectParams params;
  ProofTable<Bits> table;
  std::atomic<bool> done{false};  // the question is answered, or given up
  BusyMarks busy;                 // positions being searched now
};

/// One thread's search.
template <class Board, class Bits>
class ConnectWorker {
 public:
  using Shared = ConnectShared<Board, Bits>;

  explicit ConnectWorker(Shared& shared)
      : shared_(shared), board_(shared.board), cells_(shared.board.cells()) {
    // Where the keys are too long for a table that stays in a cache, there is none.
    if (ProofTable<Bits>::holds(shared.params.near_bytes, shared.board.key_bits()))
      near_.emplace(shared.params.near_bytes, shared.board.key_bits());
  }

  /// A bound on the score of a position that the mover cannot win at once: from below if the result is at
  /// least `beta`, else from above. Throws Stopped once `must_stop` says so or the question is answered.
  int search(const ConnectRoot<Bits>& root, int beta, bool alone, const std::function<bool()>& must_stop) {
    must_stop_ = &must_stop;
    alone_ = alone;
    const int bound = search(root.mine, root.all, root.stones(), beta, can_mirror(root.mine, root.all));
    published_.store(nodes_, std::memory_order_relaxed);
    return bound;
  }

  void forget() {
    history_ = {};
    if (near_) near_->clear();
  }
  std::size_t bytes() const { return sizeof(*this) + (near_ ? near_->bytes() : 0); }
  /// Positions visited, as of the last check; may be asked while the search runs.
  std::uint64_t nodes() const { return published_.load(std::memory_order_relaxed); }

 private:
  using Slot = typename ProofTable<Bits>::Slot;
  static constexpr std::uint64_t nodes_per_check = 1024;

  struct Candidate {
    Bits cell;
    int rank;
    Slot slot;
  };

  /// Stones stay, so two mirrored positions can only meet in the table if no stone contradicts it.
  bool can_mirror(Bits mine, Bits all) const { return !(board_.mirrored(mine) & (mine ^ all)); }

  Bits key(Bits mine, Bits all, bool mirror) const {
    const Bits key = board_.key(mine, all);
    return mirror ? std::min(key, board_.key(board_.mirrored(mine), board_.mirrored(all))) : key;
  }

  /// The table for positions with so many empty cells.
  ProofTable<Bits>& table(int left) {
    return near_ && left < shared_.params.near_empty ? *near_ : shared_.table;
  }

  int search(Bits mine, Bits all, int stones, int beta, bool mirror) {
    if (++nodes_ % nodes_per_check == 0) check();
    const ConnectParams& params = shared_.params;
    const int left = cells_ - stones;
    // 1. The table's line is fetched while tactics are looked at.
    const bool remember = left > params.table_empty;
    if (mirror) mirror = can_mirror(mine, all);
    Slot here{};
    ProofTable<Bits>& table_here = table(left);
    if (remember) table_here.prefetch(here = table_here.slot(key(mine, all, mirror)));
    // 2. Moves that do not lose at once: parry a threat, and do not play below a winning cell.
    const Bits theirs = mine ^ all;
    const Bits playable = board_.playable(all);
    const Bits their_wins = board_.completing(theirs, all);
    const Bits forced = playable & their_wins;
    if (!at_most_one(forced)) return -left / 2;
    const Bits moves = (forced ? forced : playable) & ~(their_wins >> 1);
    if (!moves) return -left / 2;
    if (left <= 2) return 0;
    // 3. Nobody wins sooner than this.
    Bounds bounds{-((left - 2) / 2), (left - 1) / 2};
    if (bounds.low >= beta) return bounds.low;
    if (bounds.high < beta) return bounds.high;
    // 4. Is it in the book? Only a position that no game leads to is before the book and not in it. Has it
    // been searched already?
    if (stones <= book_plies_)
      if (const auto score = shared_.book->find(ConnectRoot<Bits>{mine, all})) return *score;
    if (remember)
      if (const auto known = table_here.find(here)) {
        if (known->low >= beta) return known->low;
        if (known->high < beta) return known->high;
        bounds = {std::max(bounds.low, known->low), std::min(bounds.high, known->high)};
      }
    // 5. The moves in order. One may prove the question by a double threat, or by follow-up after it.
    std::array<Candidate, static_cast<std::size_t>(Board::max_cols)> list;
    std::size_t count = 0;
    const bool look_up = left > params.etc_empty;
    ProofTable<Bits>& table_next = table(left - 1);
    for (Bits rest = moves; rest; rest &= rest - 1) {
      const Bits cell = lowest_of(rest);
      const Bits next_all = all | cell;
      const Bits wins = board_.completing(mine | cell, next_all);
      const Bits next_playable = board_.playable(next_all);
      const Bits at_once = wins & next_playable;
      if (at_once && (!at_most_one(at_once) || (wins & at_once << 1))) return (left - 1) / 2;
      Slot child{};
      if (look_up) table_next.prefetch(child = table_next.slot(key(theirs, next_all, mirror)));
      if (wins || (left % 2 && beta <= 1))  // without winning cells the number of odd columns must be even
        if (const auto bound = board_.follow_up(theirs, mine | cell, next_all, next_playable, wins))
          if (-*bound >= beta) return -*bound;
      const int rank = rank_of(cell, wins, at_once != 0, stones);
      std::size_t at = count++;
      for (; at > 0 && list[at - 1].rank < rank; --at) list[at] = list[at - 1];
      list[at] = {cell, rank, child};
    }
    // 6. One may be in the table with an answer.
    if (look_up)
      for (std::size_t i = 0; i < count; ++i)
        if (const auto known = table_next.find(list[i].slot))
          if (-known->high >= beta) return -known->high;
    // 7. Search them.
    const std::uint64_t before = nodes_;
    int best = -cells_;
    Bits best_cell = 0;
    std::size_t deferred = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const BusyMarks::Mark busy(shared_.busy, !alone_ && left > params.busy_empty,
                                 [&] { return hash_of(list[i].slot); });
      if (busy.elsewhere() && i > 0 && i + deferred < count) {
        std::rotate(&list[i], &list[i] + 1, list.data() + count);
        ++deferred;
        --i;
        continue;
      }
      const int value = -search(theirs, all | list[i].cell, stones + 1, 1 - beta, mirror);
      if (value <= best) continue;
      best = value;
      best_cell = list[i].cell;
      if (best >= beta) {
        for (std::size_t j = 0; j < i; ++j) note(stones, list[j].cell, -params.history_most);
        note(stones, best_cell, params.history_most);
        break;
      }
    }
    // 8. Remember it.
    if (best >= beta)
      bounds.low = std::max(bounds.low, best);
    else
      bounds.high = best = std::min(bounds.high, best);
    if (remember) table_here.store(here, bounds, nodes_ - before);
    return best;
  }

  static std::uint64_t hash_of(const Slot& slot) {
    return mix(slot.bucket ^ mix(static_cast<std::uint64_t>(slot.rest)));
  }

  int rank_of(Bits cell, Bits wins, bool spent, int stones) const {
    const ConnectParams& params = shared_.params;
    const int col = board_.column_number(cell);
    const int from_edge = std::min(col, board_.cols() - 1 - col);
    return params.threat * count_bits(wins) + (spent ? params.spent_threat : 0) + params.centre * from_edge +
           history_[stones % 2][static_cast<std::size_t>(lowest_bit(cell))] / 32;
  }

  /// Moves a cell's history a sixteenth of the way towards `goal`.
  void note(int stones, Bits cell, int goal) {
    int& history = history_[stones % 2][static_cast<std::size_t>(lowest_bit(cell))];
    history += (goal - history) / 16;
  }

  void check() {
    published_.store(nodes_, std::memory_order_relaxed);
    if (shared_.done.load(std::memory_order_relaxed) || (*must_stop_ && (*must_stop_)())) throw Stopped();
  }

  Shared& shared_;
  const Board& board_;
  int cells_;
  int book_plies_ = shared_.book ? shared_.book->plies() : -1;
  std::optional<ProofTable<Bits>> near_;
  std::array<std::array<int, static_cast<std::size_t>(Board::max_bits)>, 2> history_{};
  std::uint64_t nodes_ = 0;
  std::atomic<std::uint64_t> published_{0};
  const std::function<bool()>* must_stop_ = nullptr;
  bool alone_ = true;
};

template <class Board, class Bits>
class ConnectSolver final : public AnySolver {
 public:
  ConnectSolver(std::shared_ptr<const AnyGame> game, const Board& board, const SolverSettings& settings)
      : game_(std::move(game)), shared_(board, settings.memory, settings.book), cells_(board.cells()) {
    for (int i = 0; i < settings.threads; ++i) workers_.emplace_back(shared_);
  }

  Solution solve(const AnyPosition& position, const SolveTask& task) override {
    const Turns::Hold hold(turns_, task.poll);
    const Root root = read(position);
    Work work(*this, task);
    const Bounds bounds = narrow(root, work);
    return solution(root, bounds, work);
  }

  std::vector<Move> line(const AnyPosition& position, int most, const SolveTask& task) override {
    const Turns::Hold hold(turns_, task.poll);
    Root root = read(position);
    Work work(*this, task);
    std::vector<Move> moves;
    Bounds bounds = narrow(root, work);
    while (bounds.low == bounds.high && static_cast<int>(moves.size()) < most) {
      const std::optional<Bits> cell = best_move(root, bounds.low, work);
      if (!cell) break;
      moves.push_back(Move::number(shared_.board.column_number(*cell) + 1));
      const bool won = (shared_.board.completing(root.mine, root.all) & *cell) != 0;
      root = after(root, *cell);
      if (won || root.stones() == cells_) break;
      bounds = {-bounds.high, -bounds.low};
    }
    return moves;
  }

  void clear() override {
    const Turns::Hold hold(turns_, {});
    shared_.table.clear();
    for (Worker& worker : workers_) worker.forget();
  }

 private:
  using Root = ConnectRoot<Bits>;
  using Worker = ConnectWorker<Board, Bits>;

  /// One call: its clock, its nodes, and whom to tell.
  struct Work {
    Work(const ConnectSolver& solver, const SolveTask& task)
        : task(task), budget(task.limits, task.poll), nodes_before(solver.total_nodes()) {}
    const SolveTask& task;
    Budget budget;
    std::uint64_t nodes_before;
    double next_report = seconds_per_report;
    static constexpr double seconds_per_report = 0.1;
  };

  Root read(const AnyPosition& position) const {
    if (position.game()->name() != game_->name())
      throw GameError("a solver of " + game_->name() + " was given a position of " + position.game()->name());
    if (const auto outcome = position.outcome())
      throw GameError("nothing to solve in " + game_->name() + ": the game is over (" + outcome->text() +
                      ")");
    return connect_root<Bits>(position);
  }

  static Root after(const Root& root, Bits cell) { return {root.mine ^ root.all, root.all | cell}; }

  /// Asks questions until the score is known or a limit comes.
  Bounds narrow(const Root& root, Work& work) {
    Bounds bounds = at_sight(root);
    while (bounds.low < bounds.high) {
      const int beta = next_question(root, bounds);
      const std::optional<int> bound = ask(root, beta, bounds, work);
      if (!bound) break;
      (*bound >= beta ? bounds.low : bounds.high) = *bound;
      if (work.task.report && bounds.low < bounds.high) work.task.report(solution(root, bounds, work));
    }
    return bounds;
  }

  /// What can be said without a search: by the book, a win at once, or the quickest possible win and loss.
  Bounds at_sight(const Root& root) const {
    if (shared_.book)
      if (const std::optional<int> score = shared_.book->find(root)) return {*score, *score};
    const int left = cells_ - root.stones();
    if (shared_.board.completing(root.mine, root.all) & shared_.board.playable(root.all))
      return {(left + 1) / 2, (left + 1) / 2};
    return {-left / 2, (left - 1) / 2};
  }

  /// Is the score at least this? Wins and losses within a few plies are looked for first, which is quick;
  /// then who wins; then how soon, from the slow end, where a question costs less.
  int next_question(const Root& root, const Bounds& bounds) const {
    for (const int plies : quick_plies) {
      if (bounds.low > 0 || bounds.high < 0) break;
      const int left = cells_ - root.stones() - plies;
      const int win = (left + 2) / 2, loss = -((left + 1) / 2);
      if (left < 0) break;
      if (bounds.high >= win) return win;
      if (bounds.low <= loss && loss < 0) return loss + 1;
    }
    if (bounds.low <= 0 && bounds.high > 0) return 1;
    if (bounds.high == 0) return 0;
    const int third = (bounds.high - bounds.low + 2) / 3;
    return bounds.low > 0 ? bounds.low + third : bounds.high - third + 1;
  }
  static constexpr std::array quick_plies{5, 9, 13};

  /// The answer to a question; nothing if it had to stop. Quick questions are not worth a second thread.
  std::optional<int> ask(const Root& root, int beta, const Bounds& bounds, Work& work) {
    const std::function<bool()> must_stop = [&] {
      work.budget.check();
      if (work.task.limits.nodes && total_nodes() - work.nodes_before >= *work.task.limits.nodes)
        work.budget.stop();
      if (work.task.report && work.budget.seconds() >= work.next_report) {
        work.next_report = work.budget.seconds() + Work::seconds_per_report;
        work.task.report(solution(root, bounds, work));
      }
      return work.budget.stopped();
    };
    const int soon = (cells_ - root.stones() - quick_plies.back() + 2) / 2;
    const std::size_t threads = std::abs(beta) >= soon ? 1 : workers_.size();
    std::optional<int> answer;
    std::mutex answering;
    const auto search = [&](Worker& worker, const std::function<bool()>& stop) {
      try {
        const int bound = worker.search(root, beta, threads == 1, stop);
        const std::scoped_lock lock(answering);
        answer = bound;
        shared_.done = true;
      } catch (const Stopped&) {  // the answer of another, or none
      }
    };
    shared_.done = false;
    Helpers helpers(shared_.done);
    for (std::size_t i = 1; i < threads; ++i)
      helpers.threads.emplace_back([&, i] { search(workers_[i], {}); });
    search(workers_[0], must_stop);
    helpers.join();
    return answer;
  }

  /// Threads that are told to stop and waited for, whatever happens to the first.
  struct Helpers {
    explicit Helpers(std::atomic<bool>& over) : done(over) {}
    ~Helpers() { join(); }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;
    void join() {
      if (!threads.empty()) done = true;
      for (std::thread& thread : threads) thread.join();
      threads.clear();
    }
    std::atomic<bool>& done;
    std::vector<std::thread> threads;
  };

  /// A move that keeps the score of a solved position; nothing if a limit came first.
  std::optional<Bits> best_move(const Root& root, int score, Work& work) {
    const Bits playable = shared_.board.playable(root.all);
    if (const Bits wins = shared_.board.completing(root.mine, root.all) & playable) return lowest_of(wins);
    for (Bits rest = playable; rest; rest &= rest - 1) {
      const Root next = after(root, lowest_of(rest));
      if (next.stones() == cells_) return lowest_of(rest);
      const Bounds seen = at_sight(next);
      if (seen.low > -score) continue;
      if (seen.high <= -score) return lowest_of(rest);
      const std::optional<int> bound = ask(next, -score + 1, seen, work);
      if (!bound) return {};
      if (*bound <= -score) return lowest_of(rest);
    }
    return {};
  }

  std::size_t memory() const {
    std::size_t bytes = shared_.table.bytes();
    for (const Worker& worker : workers_) bytes += worker.bytes();
    return bytes;
  }

  std::uint64_t total_nodes() const {
    std::uint64_t nodes = 0;
    for (const Worker& worker : workers_) nodes += worker.nodes();
    return nodes;
  }

  Solution solution(const Root& root, const Bounds& bounds, const Work& work) const {
    return {public_score(root, bounds.low), public_score(root, bounds.high),
            total_nodes() - work.nodes_before, work.budget.seconds(), shared_.table.bytes()};
  }

  Proven public_score(const Root& root, int score) const { return to_proven(cells_ - root.stones(), score); }

  std::shared_ptr<const AnyGame> game_;
  ConnectShared<Board, Bits> shared_;
  int cells_;
  std::deque<Worker> workers_;
  Turns turns_;
};

}  // namespace mossa
