// An exact solver for connect boards of up to 128 bits.
//
// A score (connect_position.hpp) is looked up in the book, if there is one, or found by a few questions "at
// least beta?" (null windows). Each is answered by a depth-first search with these parts:
//
// 1. Tactics by bits: winning cells, forced replies, moves that do not lose at once, double threats.
// 2. The other side's follow-up plan as a static bound on every child (connect_board.hpp), and who completes
//    a line first in it.
// 3. Tables of exact keys with both bounds: a large one that all threads share, and for positions near the
//    end a small one of each thread's own that stays in its cache. Every child is looked up before one is
//    searched (enhanced transposition cutoffs: Schaeffer and Plaat 1996). Mirror images share an entry while
//    they can meet.
// 4. Order: threats made, but not those that can be parried at once; centre; history of cutoffs.
//
// With several threads all search the same question, share the table and put off moves that another is
// busy with (simplified ABDADA: Weill 1996, Kerrigan 2017), the first move too where all of them will have to
// be searched. A thread leaves a position as soon as another has answered what is asked of it.
#pragma once

#include "../busy.hpp"
#include "book.hpp"
#include "connect_board.hpp"
#include "proof_table.hpp"
#include "team.hpp"

namespace mossa::MOSSA_ISA {

/// Weights of the move order and depths at which parts pay, found by counting nodes on random positions.
/// Each part can be turned off by its number, which is how benchmarks measure what it is worth.
struct ConnectParams {
  int threat = 64;            // for each cell that a move makes winning
  int spent_threat = -40;     // if one of them can be filled at once
  int centre = 8;             // for each column nearer to the centre
  int history_most = 400;     // a cell's history stays within this; it counts a thirty-second
  int table_plies = 4;        // questions settled within so many plies are quicker searched than remembered
  int look_up_plies = 5;      // questions settled within so many plies: children are not looked up
  int near_empty = 20;        // with fewer empty cells left the thread's own table is used
  int near_kilobytes = 2048;  // of that table: about a second-level cache
  int busy_empty = 24;        // with fewer empty cells left threads do not avoid each other
  int nodes_without_tables = 128;  // the first ones, as long as the tables are empty
  int mirror = 1;                  // mirror images share an entry
  int follow_up = 1;               // static bounds by follow-up
  int pairs = 1;                   // ... with pairs of odd columns
  int races = 1;                   // ... and with lines that come too late
  int races_empty = 20;            // with fewer empty cells left a search is as quick as to look for those
  int quick = 1;                   // quick wins and losses are asked for first
  int quick_empty = 16;            // with fewer empty cells left they are not
  int gallop = 1;                  // then who wins, then from the slow end; 0: halves of the whole range
  int prefetch = 1;
  int large_pages = 1;
  int portable = 0;  // no instructions that only newer processors have

  ConnectParams() = default;
  /// Throws GameError for a setting of a parameter that there is not.
  explicit ConnectParams(const SolverSettings& settings) {
    for (const auto& [name, value] : settings.tuning) set(name, value);
  }

 private:
  void set(std::string_view name, int value) {
    using Member = std::pair<std::string_view, int ConnectParams::*>;
    static constexpr std::array<Member, 21> members{{
        {"threat", &ConnectParams::threat},
        {"spent_threat", &ConnectParams::spent_threat},
        {"centre", &ConnectParams::centre},
        {"history_most", &ConnectParams::history_most},
        {"table_plies", &ConnectParams::table_plies},
        {"look_up_plies", &ConnectParams::look_up_plies},
        {"near_empty", &ConnectParams::near_empty},
        {"near_kilobytes", &ConnectParams::near_kilobytes},
        {"busy_empty", &ConnectParams::busy_empty},
        {"nodes_without_tables", &ConnectParams::nodes_without_tables},
        {"mirror", &ConnectParams::mirror},
        {"follow_up", &ConnectParams::follow_up},
        {"pairs", &ConnectParams::pairs},
        {"races", &ConnectParams::races},
        {"races_empty", &ConnectParams::races_empty},
        {"quick", &ConnectParams::quick},
        {"quick_empty", &ConnectParams::quick_empty},
        {"gallop", &ConnectParams::gallop},
        {"prefetch", &ConnectParams::prefetch},
        {"large_pages", &ConnectParams::large_pages},
        {"portable", &ConnectParams::portable},
    }};
    const auto found = std::ranges::find(members, name, &Member::first);
    if (found == members.end()) throw GameError("the connect solver has no parameter " + std::string(name));
    this->*found->second = value;
  }
};

/// What the threads of a solver share.
template <class Board, class Bits>
struct ConnectShared {
  ConnectShared(const Board& solved, std::size_t memory, const ConnectParams& chosen = {},
                std::shared_ptr<const Book> of_book = {})
      : board(solved),
        book(std::move(of_book)),
        params(chosen),
        table(memory, first_table_bytes, solved.key_bits(), params.large_pages) {}

  static constexpr std::size_t first_table_bytes = 2 << 20;

  Board board;
  std::shared_ptr<const Book> book;  // or none
  ConnectParams params;
  ProofTable<Bits, SharedTable> table;
  std::atomic<bool> done{false};  // the question is answered, or given up
  BusyMarks busy;                 // positions being searched now
};

/// One thread's search.
template <class Board, class Bits>
class ConnectWorker {
 public:
  using Shared = ConnectShared<Board, Bits>;
  static constexpr std::uint64_t nodes_per_check = 1024;

  explicit ConnectWorker(Shared& shared)
      : shared_(shared),
        params_(shared.params),
        board_(shared.board),
        cells_(board_.cells()),
        near_empty_(std::min(params_.near_empty, 2 * Near::most_score)) {
    const std::size_t near_bytes = static_cast<std::size_t>(params_.near_kilobytes) << 10;
    if (near_empty_ > 0 && Near::holds(near_bytes, board_.key_bits())) {
      near_.emplace(near_bytes, near_bytes, board_.key_bits(), params_.large_pages);
    } else {
      near_empty_ = 0;  // the keys are too long for a table that stays in a cache
    }
    for (int bit = 0; bit < board_.key_bits(); ++bit) {
      const int col = bit / board_.stride();
      centre_[static_cast<std::size_t>(bit)] = params_.centre * std::min(col, board_.cols() - 1 - col);
    }
    forget();
  }

  /// A bound on the score of a position that the mover cannot win at once: from below if the result is at
  /// least `beta`, else from above. Throws SearchStopped once `must_stop` says so or the question is
  /// answered. `must_stop` is asked now and then, and after `limit` nodes.
  int search(const ConnectRoot<Bits>& root, int beta, bool alone, const std::function<bool()>& must_stop,
             std::uint64_t limit = ~std::uint64_t{0}) {
    must_stop_ = &must_stop;
    asked_.clear();
    limit_ = limit < ~std::uint64_t{0} - nodes_ ? nodes_ + limit : ~std::uint64_t{0};
    plan_check();
    alone_ = alone;
    beta_ = beta;
    use_tables(nodes_ >= tables_from_);
    const Bits their_wins = board_.completing(root.mine ^ root.all, root.all);
    const bool mirror = params_.mirror && can_mirror(root.mine, root.all);
    const int bound = search(root.mine, root.all, their_wins, root.stones(), beta, mirror, nullptr);
    publish();
    return bound;
  }

  void forget() {
    tables_from_ = nodes_ + static_cast<std::uint64_t>(params_.nodes_without_tables);
    history_ = {};
    cell_rank_ = {centre_, centre_};
    if (near_) near_->clear();
  }
  /// Positions visited, as of the last check; may be asked while the search runs.
  std::uint64_t nodes() const { return published_nodes_.load(std::memory_order_relaxed); }
  /// How often it has entered something in the table of all threads, likewise.
  std::uint64_t stored() const { return published_stored_.load(std::memory_order_relaxed); }

 private:
  using L = Lanes<Bits>;
  using Set = typename L::Set;
  using Near = ProofTable<Bits, OwnTable>;
  using Slot = TableSlot<Bits>;
  static constexpr std::size_t most_moves = static_cast<std::size_t>(Board::max_cols);
  template <class T>
  using ByCell = std::array<T, static_cast<std::size_t>(Board::max_bits)>;

  /// The moves of a position that do not lose at once, and what they lead to. Lanes are filled up with
  /// empty cells, which make no difference.
  struct Moves {
    explicit Moves(Bits cells) {
      for (; cells; cells &= cells - 1) cell[count++] = lowest_of(cells);
      L::store(&cell[count], Set{});
    }
    std::size_t count = 0;
    std::array<Bits, most_moves + L::count> cell;
    std::array<Bits, most_moves + L::count> wins;  // cells on which the mover would win then
    std::array<int, most_moves + L::count> rank;
    std::array<Slot, most_moves> slot;
  };

  /// Stones stay, so two mirrored positions can only meet in the table if no stone contradicts it.
  MOSSA_NOINLINE bool can_mirror(Bits mine, Bits all) const {
    return !(board_.mirrored(mine) & (mine ^ all));
  }

  Bits key(Bits mine, Bits all, bool mirror) const {
    const Bits key = board_.key(mine, all);
    return mirror ? std::min(key, mirrored_key(mine, all)) : key;
  }
  /// Out of line, so that it is not computed in advance: it is needed in the opening only.
  MOSSA_NOINLINE Bits mirrored_key(Bits mine, Bits all) const {
    return board_.key(board_.mirrored(mine), board_.mirrored(all));
  }

  // The table for positions with so many empty cells.
  Slot slot(int left, Bits mine, Bits all, bool mirror) const {
    const Bits k = key(mine, all, mirror);
    const Slot slot = left < near_empty_ ? near_->slot(k) : shared_.table.slot(k);
    if (params_.prefetch) prefetch(slot.bucket);
    return slot;
  }
  MOSSA_INLINE std::optional<Bounds> find(int left, const Slot& slot) const {
    return left < near_empty_ ? near_->find(slot) : shared_.table.find(slot);
  }
  void store(int left, const Slot& slot, const Bounds& bounds, std::uint64_t work) {
    if (left < near_empty_) return near_->store(slot, bounds, work);
    shared_.table.store(slot, bounds, work);
    ++stored_;
  }

  /// `place` is where the position is in the table, if that is known.
  int search(Bits mine, Bits all, Bits their_wins, int stones, int beta, bool mirror, const Slot* place) {
    if (++nodes_ >= next_check_) check();
    const int left = cells_ - stones;
    // 1. The table's line is fetched while tactics are looked at.
    const bool remember = left > table_empty_;
    if (mirror) mirror = can_mirror(mine, all);
    Slot here{};
    if (remember) here = place ? *place : slot(left, mine, all, mirror);
    // 2. Moves that do not lose at once: parry a threat, and do not play below a winning cell.
    const Bits theirs = mine ^ all;
    const Bits playable = board_.playable(all);
    const Bits forced = playable & their_wins;
    if (!at_most_one(forced)) return -left / 2;
    const Bits candidates = (forced ? forced : playable) & ~(their_wins >> 1);
    if (!candidates) return -left / 2;
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
      if (const auto known = find(left, here)) {
        if (known->low >= beta) return known->low;
        if (known->high < beta) return known->high;
        bounds = {std::max(bounds.low, known->low), std::min(bounds.high, known->high)};
      }
    // 5. Does a move settle it? If none wins by force at once, no win comes sooner than two moves later.
    Moves moves(candidates);
    const bool look_up = left > look_up_empty_;
    if (look_up)
      for (std::size_t i = 0; i < moves.count; ++i)
        moves.slot[i] = slot(left - 1, theirs, all | moves.cell[i], mirror);
    if (const auto bound = settle(mine, all, left, beta, moves)) return *bound;
    if ((left - 3) / 2 < beta) return (left - 3) / 2;
    // 6. Is one in the table with an answer? The others are put in order.
    int best = -cells_;
    std::array<int, most_moves> order;  // rank and number of a move
    std::size_t count = 0;
    for (std::size_t i = 0; i < moves.count; ++i) {
      if (look_up)
        if (const auto known = find(left - 1, moves.slot[i])) {
          if (-known->high >= beta) return -known->high;
          if (-known->low < beta) {
            best = std::max(best, -known->low);
            continue;
          }
        }
      const int rank =
          moves.rank[i] + cell_rank_[stones % 2][static_cast<std::size_t>(lowest_bit(moves.cell[i]))];
      const int entry = rank * number_of_moves + static_cast<int>(i);
      std::size_t at = count++;
      for (; at > 0 && order[at - 1] < entry; --at) order[at] = order[at - 1];
      order[at] = entry;
    }
    // 7. Search them.
    const std::uint64_t before = nodes_;
    const bool together = !alone_ && look_up && left > params_.busy_empty;
    std::size_t deferred = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t move = number_in(order[i]);
      const BusyMarks::Mark busy(shared_.busy, together, [&] { return hash_of(moves.slot[move]); });
      if (busy.elsewhere() && (i > 0 || all_moves_needed(stones)) && i + deferred < count) {
        std::rotate(&order[i], &order[i] + 1, order.data() + count);
        ++deferred;
        --i;
        continue;
      }
      const auto search_move = [&] {
        return search(theirs, all | moves.cell[move], moves.wins[move], stones + 1, 1 - beta, mirror,
                      look_up && !mirror ? &moves.slot[move] : nullptr);
      };
      const int value =
          -(together ? unless_answered(moves.slot[move], 1 - beta, search_move) : search_move());
      if (value <= best) continue;
      best = value;
      if (best >= beta) {
        for (std::size_t j = 0; j < i; ++j)
          note(stones, moves.cell[number_in(order[j])], -params_.history_most);
        note(stones, moves.cell[move], params_.history_most);
        break;
      }
    }
    if (together) note_cutoff(stones, best >= beta);
    // 8. Remember it.
    if (best >= beta)
      bounds.low = std::max(bounds.low, best);
    else
      bounds.high = best = std::min(bounds.high, best);
    if (left > table_empty_) {
      if (!remember) here = slot(left, mine, all, mirror);  // tables have come into use meanwhile
      store(left, here, bounds, nodes_ - before);
    }
    return best;
  }

  /// Looks at the positions after all moves: an answer if one has a double threat, leaves the other side
  /// no move that does not lose, or can be held by follow-up. Else notes their winning cells and ranks.
  MOSSA_INLINE std::optional<int> settle(Bits mine, Bits all, int left, int beta, Moves& moves) const {
    // Without winning cells an odd number of columns is odd, or the best that follow-up proves is a win in
    // the end.
    const bool quiet_plans = params_.follow_up && left % 2 && beta <= 1;
    const bool races = params_.races && left >= params_.races_empty;
    for (std::size_t from = 0; from < moves.count; from += L::count) {
      const Set cell = L::load(&moves.cell[from]);
      const Set next_all = cell | all;
      const Set playable = board_.playable(next_all);
      const Set wins = board_.completing(cell | mine, next_all);
      const Set at_once = wins & playable;
      const Set trapped = L::none(playable & ~(wins >> 1)) & cell;
      if (L::any((at_once & (at_once - 1)) | (wins & at_once << 1) | trapped)) return (left - 1) / 2;
      if (quiet_plans || (params_.follow_up && L::any(wins))) {
        const FollowUp<Set> plans = board_.follow_up((mine ^ all) | Set{}, next_all, playable, wins);
        Set hopeful = L::none(board_.lines(plans.got)) & cell;
        if (races || beta > 0) {
          const Set lines = board_.line_cells((cell | mine) | plans.held);
          if (races) {
            const Set late = board_.from_below(plans.held & lines);
            hopeful |= L::none(board_.lines(plans.got & ~late)) & ~L::none(lines) & cell;
          }
          if (beta > 0) hopeful &= ~L::none(lines | plans.closed);
        }
        for (unsigned rest = L::which(hopeful); rest; rest &= rest - 1) {
          const auto i = static_cast<std::size_t>(std::countr_zero(rest));
          const FollowUp<Bits> plan{L::at(plans.got, i),    L::at(plans.odd, i),  L::at(plans.closed, i),
                                    L::at(plans.unused, i), L::at(plans.held, i), L::at(plans.ends, i)};
          const auto bound = board_.proven_by(plan, mine | moves.cell[from + i], L::at(next_all, i), beta,
                                              params_.pairs, races);
          if (bound) return bound;
        }
      }
      L::store(&moves.wins[from], wins);
      const Set quiet = L::none(at_once);
      for (std::size_t i = 0; i < L::count; ++i)
        moves.rank[from + i] = params_.threat * count_bits(L::at(wins, i)) +
                               (static_cast<int>(~L::at(quiet, i)) & params_.spent_threat);
    }
    return {};
  }

  /// What `search` finds, or the answer that another thread finds sooner.
  template <class Search>
  MOSSA_NOINLINE int unless_answered(const Slot& slot, int beta, const Search& search) {
    const std::size_t level = asked_.size();
    asked_.push_back({slot, beta});
    try {
      const int bound = search();
      asked_.pop_back();
      return bound;
    } catch (const Answered& answered) {
      asked_.resize(level);
      if (answered.level != level) throw;
      return answered.bound;
    }
  }
  struct Asked {
    Slot slot;
    int beta;
  };
  struct Answered {
    std::size_t level;  // in asked_
    int bound;
  };

  void leave_answered() const {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (const auto known = shared_.table.find(asked_[i].slot)) {
        if (known->low >= asked_[i].beta) throw Answered{i, known->low};
        if (known->high < asked_[i].beta) throw Answered{i, known->high};
      }
  }

  /// In a proof one side needs one good move, and every move of the other side is answered. Which of them is
  /// to move here? It is the other side if its positions have less often been cut off of late.
  bool all_moves_needed(int stones) const { return cutoffs_[stones % 2] < cutoffs_[1 - stones % 2]; }
  void note_cutoff(int stones, bool cut) {
    int& share = cutoffs_[stones % 2];
    share += ((cut ? 1024 : 0) - share) / 16;
  }

  static constexpr int number_of_moves = 64;
  static_assert(most_moves <= number_of_moves);
  static std::size_t number_in(int order) { return static_cast<std::size_t>(order & (number_of_moves - 1)); }

  static std::uint64_t hash_of(const Slot& slot) {
    return mix(reinterpret_cast<std::uintptr_t>(slot.bucket) ^ mix(static_cast<std::uint64_t>(slot.rest)));
  }

  /// Moves a cell's history a sixteenth of the way towards `goal`.
  void note(int stones, Bits cell, int goal) {
    const int side = stones % 2;
    const auto at = static_cast<std::size_t>(lowest_bit(cell));
    int& history = history_[side][at];
    history += (goal - history) / 16;
    cell_rank_[side][at] = centre_[at] + history / 32;
  }

  /// A line ends when too few cells are left for the win that is asked for. While the tables are empty, the
  /// first nodes do without: most end games need no more, and to touch fresh memory takes longer than they
  /// do.
  void use_tables(bool use) {
    const int too_few = 2 * std::max(beta_, 1 - beta_) - 2;
    table_empty_ = use ? params_.table_plies + too_few : cells_;
    look_up_empty_ = use ? params_.look_up_plies + too_few : cells_;
  }

  void plan_check() {
    next_check_ = nodes_ < tables_from_ ? tables_from_ : nodes_ + nodes_per_check;
    if (nodes_ < limit_) next_check_ = std::min(next_check_, limit_);
  }

  void publish() {
    published_nodes_.store(nodes_, std::memory_order_relaxed);
    published_stored_.store(stored_, std::memory_order_relaxed);
  }

  void check() {
    publish();
    plan_check();
    if (shared_.done.load(std::memory_order_relaxed) || (*must_stop_ && (*must_stop_)()))
      throw SearchStopped();
    use_tables(nodes_ >= tables_from_);
    leave_answered();
  }

  Shared& shared_;
  const ConnectParams& params_;
  const Board& board_;
  int cells_;
  int book_plies_ = shared_.book ? shared_.book->plies() : -1;
  int near_empty_;         // with fewer empty cells left `near_` is used
  int table_empty_ = 0;    // with more empty cells left positions are remembered
  int look_up_empty_ = 0;  // with more empty cells left children are looked up
  std::optional<Near> near_;
  ByCell<int> centre_{};
  std::array<ByCell<int>, 2> history_{};    // by side
  std::array<ByCell<int>, 2> cell_rank_{};  // centre and history
  std::vector<Asked> asked_;      // positions of this line that other threads may come to, from the root on
  std::array<int, 2> cutoffs_{};  // by side: how often its positions were cut off of late, of 1024
  std::uint64_t nodes_ = 0, next_check_ = 0, limit_ = 0;
  std::uint64_t tables_from_ = 0;  // this node on tables are used
  std::uint64_t stored_ = 0;       // in the table of all threads
  std::atomic<std::uint64_t> published_nodes_{0}, published_stored_{0};
  const std::function<bool()>* must_stop_ = nullptr;
  int beta_ = 0;  // what is asked at the root
  bool alone_ = true;
};

template <class Board, class Bits>
class ConnectSolver final : public AnySolver {
 public:
  ConnectSolver(std::shared_ptr<const AnyGame> game, const Board& board, const SolverSettings& settings)
      : AnySolver(std::move(game)),
        shared_(board, settings.memory, ConnectParams(settings), settings.book),
        cells_(board.cells()) {
    if (settings.findings_from) shared_.table.keep_findings(*settings.findings_from);
    for (int i = 0; i < settings.threads; ++i) workers_.emplace_back(shared_);
  }

  std::uint64_t nodes() const override { return nodes_of(workers_); }

 private:
  using Root = ConnectRoot<Bits>;
  using Worker = ConnectWorker<Board, Bits>;

  Solution prove(const AnyPosition& position, SolverWork& work) override {
    const Root root = connect_root<Bits>(position);
    const std::optional<Proven>& asked = work.task().at_least;
    return solution(root, asked ? answer(root, *asked, work) : narrow(root, work), work);
  }

  std::vector<Move> best_line(const AnyPosition& position, int most, SolverWork& work) override {
    Root root = connect_root<Bits>(position);
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

  void forget() override {
    shared_.table.clear();
    for (Worker& worker : workers_) worker.forget();
    stored_at_clear_ = stored();
  }

  std::string take_findings() override { return shared_.table.findings(); }
  void take_in(std::string_view findings) override { shared_.table.learn(findings); }

  static Root after(const Root& root, Bits cell) { return {root.mine ^ root.all, root.all | cell}; }

  /// Asks questions until the score is known or a limit comes.
  Bounds narrow(const Root& root, SolverWork& work) {
    Bounds bounds = at_sight(root);
    while (bounds.low < bounds.high) {
      const int beta = next_question(root, bounds);
      const std::optional<int> bound = ask(root, beta, bounds, work);
      if (!bound) break;
      (*bound >= beta ? bounds.low : bounds.high) = *bound;
      if (bounds.low < bounds.high) work.tell([&] { return solution(root, bounds, work); });
    }
    return bounds;
  }

  /// Asks whether the score is at least this, and nothing else.
  Bounds answer(const Root& root, const Proven& asked, SolverWork& work) {
    Bounds bounds = at_sight(root);
    int beta = bounds.low;
    while (beta <= bounds.high && !reaches(public_score(root, beta), asked)) ++beta;
    if (beta == bounds.low || beta > bounds.high) return bounds;
    if (const std::optional<int> bound = ask(root, beta, bounds, work))
      (*bound >= beta ? bounds.low : bounds.high) = *bound;
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
  /// then who wins, for the second player (to whom a draw is good) whether it draws; then how soon, from the
  /// slow end, where a question costs less.
  int next_question(const Root& root, const Bounds& bounds) const {
    const ConnectParams& params = shared_.params;
    const bool open = bounds.low <= 0 && bounds.high >= 0;
    for (const int plies : quick_plies) {
      const int left = cells_ - root.stones() - plies;
      if (!open || left < 0 || cells_ - root.stones() < params.quick_empty || !params.quick) break;
      const int win = (left + 2) / 2, loss = -((left + 1) / 2);
      if (bounds.high >= win) return win;
      if (bounds.low <= loss && loss < 0) return loss + 1;
    }
    if (!params.gallop) return bounds.low + (bounds.high - bounds.low + 1) / 2;
    if (open) return bounds.low == 0 || (bounds.high > 0 && root.stones() % 2 == 0) ? 1 : 0;
    const int sooner = std::max(1, std::max(bounds.low, -bounds.high) / 2);
    const int step = std::min(sooner, (bounds.high - bounds.low + 1) / 2);
    return bounds.low > 0 ? bounds.low + step : bounds.high - step + 1;
  }
  static constexpr std::array quick_plies{5, 9, 13};

  /// The answer to a question; nothing if it had to stop. A table that has become too small grows; what was
  /// found by then is in it, so to ask again costs little.
  std::optional<int> ask(const Root& root, int beta, const Bounds& bounds, SolverWork& work) {
    while (true) {
      const std::optional<int> answer = search(root, beta, bounds, work);
      if (answer || work.stopped()) return answer;
      if (wants_room(work)) shared_.table.grow();
    }
  }

  /// Should the table double now? Positions near the end are not in it. A table larger than it needs to be
  /// would cost: to get the memory, and to find something.
  bool wants_room(const SolverWork& work) const {
    return stored() - stored_at_clear_ > shared_.table.entries() &&
           shared_.table.can_double(work.time_left());
  }
  std::uint64_t stored() const {
    std::uint64_t stored = 0;
    for (const Worker& worker : workers_) stored += worker.stored();
    return stored;
  }

  /// Quick questions are not worth a second thread.
  std::optional<int> search(const Root& root, int beta, const Bounds& bounds, SolverWork& work) {
    const std::function<bool()> must_stop = [&] {
      return work.must_stop([&] { return solution(root, bounds, work); }) || wants_room(work);
    };
    const int soon = (cells_ - root.stones() - quick_plies.back() + 2) / 2;
    const std::size_t threads = std::abs(beta) >= soon ? 1 : workers_.size();
    const std::uint64_t limit = work.nodes_left();
    if (threads == 1) {  // most questions near the end take less time than to prepare for others
      shared_.done = false;
      try {
        return workers_.front().search(root, beta, true, must_stop, limit);
      } catch (const SearchStopped&) {
        return {};
      }
    }
    const std::function<bool()> never;
    return ask_together(workers_, threads, shared_.done, [&](Worker& worker, bool leads) {
      return worker.search(root, beta, false, leads ? must_stop : never, limit);
    });
  }

  /// A move that keeps the score of a solved position; nothing if a limit came first.
  std::optional<Bits> best_move(const Root& root, int score, SolverWork& work) {
    const Bits playable = shared_.board.playable(root.all);
    if (const Bits wins = shared_.board.completing(root.mine, root.all) & playable) return lowest_of(wins);
    std::vector<Bits> moves;
    for (Bits rest = playable; rest; rest &= rest - 1) moves.push_back(lowest_of(rest));
    std::ranges::stable_sort(moves, {}, [&](Bits cell) {  // from the centre, where it usually is
      return std::abs(2 * shared_.board.column_number(cell) - shared_.board.cols() + 1);
    });
    // What is known at sight needs no search; the last move left must be the one.
    std::erase_if(moves, [&](Bits cell) {
      const Root next = after(root, cell);
      return next.stones() < cells_ && at_sight(next).low > -score;
    });
    for (const Bits cell : moves) {
      const Root next = after(root, cell);
      if (cell == moves.back() || at_sight(next).high <= -score) return cell;
      const std::optional<int> bound = ask(next, -score + 1, at_sight(next), work);
      if (!bound) return {};
      if (*bound <= -score) return cell;
    }
    return {};
  }

  Solution solution(const Root& root, const Bounds& bounds, const SolverWork& work) const {
    return {public_score(root, bounds.low), public_score(root, bounds.high), work.nodes(), work.seconds(),
            shared_.table.bytes()};
  }

  Proven public_score(const Root& root, int score) const { return to_proven(cells_ - root.stones(), score); }

  ConnectShared<Board, Bits> shared_;
  int cells_;
  std::deque<Worker> workers_;
  std::uint64_t stored_at_clear_ = 0;
};

/// A solver for a board of up to 64 bits.
inline std::unique_ptr<AnySolver> make_narrow_connect_solver(std::shared_ptr<const AnyGame> game,
                                                             const SolverSettings& settings) {
  using Bits = std::uint64_t;
  const auto& sizes = game->spec().sizes;
  const auto make = [&]<class Board>(const Board& board) -> std::unique_ptr<AnySolver> {
    return std::make_unique<ConnectSolver<Board, Bits>>(std::move(game), board, settings);
  };
  if (sizes == std::vector{6, 7, 4}) return make(ConnectBoard<Bits, 6, 7, 4>(6, 7, 4));
  return make(ConnectBoard<Bits>(sizes[0], sizes[1], sizes[2]));
}

}  // namespace mossa::MOSSA_ISA
