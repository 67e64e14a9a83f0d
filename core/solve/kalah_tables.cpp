// How end-game tables of kalah are made.
#include "kalah_tables.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <thread>

namespace mossa {

namespace {

/// The margin to come if the board's moves lead to boards in the tables.
template <class Bits, class Board>
int by_moves(const Board& board, const std::int8_t* values, Bits bits, int seeds) {
  if (board.is_over(bits)) return board.leftover(bits, seeds);
  int best = -seeds;
  for (Bits rest = board.movable(bits); rest; rest &= rest - 1) {
    const auto next = board.play(bits, seeds, board.pit_of(rest));
    const int to_come = next.over ? 0 : values[board.number(next.board)];
    best = std::max(best, next.gain + (next.same ? to_come : -to_come));
  }
  return best;
}

using Rank = std::uint32_t;

/// What the moves of the rows with so many seeds do, by rank.
template <class Bits, class Board>
class Rows {
 public:
  /// A row, and the one it moves on to.
  struct Step {
    Rank from, to;
  };
  /// A row that loses the seeds of a pit.
  struct Loss {
    Rank from, to;
    int seeds;
  };

  Rows(const Board& board, int seeds) : board_(board), seeds_(seeds), rows_(board.rows(seeds)) {}

  int seeds() const { return seeds_; }
  Rank size() const { return static_cast<Rank>(rows_.size()); }
  Bits operator[](Rank rank) const { return rows_[rank]; }

  /// The moves that earn another turn on the first lap.
  std::vector<Step> extra_turns() const {
    std::vector<Step> steps;
    each_move([&](Rank from, Bits row, int pit) {
      const auto& sowing = board_.sowing(row, pit);
      if (sowing.last == board_.pits() && sowing.stored == 1 && !board_.other_row(sowing.dropped))
        steps.push_back({from, rank(board_.without(row, pit) + sowing.dropped)});
    });
    return steps;
  }

  /// The moves that stay in the row: those that end in an empty pit, by the pit opposite; then the others.
  std::vector<std::vector<Step>> quiet_moves() const {
    std::vector<std::vector<Step>> steps(at(board_.pits()) + 1);
    each_move([&](Rank from, Bits row, int pit) {
      const auto& sowing = board_.sowing(row, pit);
      if (sowing.stored) return;
      const int into = board_(row, sowing.last) ? board_.pits() : board_.pits() - 1 - sowing.last;
      steps[at(into)].push_back({from, rank(board_.without(row, pit) + sowing.dropped)});
    });
    return steps;
  }

  /// The rows after the other side has taken the seeds of a pit.
  std::vector<Loss> losses(int pit, bool even_none) const {
    std::vector<Loss> losses;
    for (Rank from = 0; from < size(); ++from)
      if (const int seeds = board_(rows_[from], pit); seeds || even_none)
        losses.push_back({from, rank(board_.without(rows_[from], pit)), seeds});
    return losses;
  }

  /// The rows after the other side has sown so many seeds into them.
  std::vector<Rank> sown(int seeds) const {
    Bits dropped = 0;
    for (int i = 0; i < seeds; ++i) board_.add(dropped, i % board_.pits(), 1);
    std::vector<Rank> sown;
    for (const Bits row : rows_) sown.push_back(rank(row + dropped));
    return sown;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Rank rank(Bits row) const { return static_cast<Rank>(board_.rank(row)); }
  template <class Use>
  void each_move(const Use& use) const {
    for (Rank from = 0; from < size(); ++from)
      for (Bits rest = board_.movable(rows_[from]); rest; rest &= rest - 1)
        use(from, rows_[from], board_.pit_of(rest));
  }

  const Board& board_;
  int seeds_;
  std::vector<Bits> rows_;
};

inline void raise(std::int8_t& best, int value) { best = std::max(best, static_cast<std::int8_t>(value)); }

/// The moves of a row against all rows of the other side at once: a sowing does the same to each of them.
/// What the inner loops read is in local variables: a compiler must take a byte for part of any member.
template <class Bits, class Board>
class Column {
 public:
  Column(const Board& board, const std::int8_t* values, const Rows<Bits, Board>& others, int seeds)
      : board_(board),
        values_(values),
        others_(others),
        seeds_(seeds),
        losses_(static_cast<std::size_t>(board.pits())),
        sown_(static_cast<std::size_t>(seeds) + 1),
        captured_(static_cast<std::size_t>(seeds) + 1),
        found_(others.size()) {}

  /// Sets `best`, by the other row's rank, to what is best of the moves that store a seed, but for those that
  /// earn another turn on the first lap. They lead to lower layers.
  void store(Bits own, std::int8_t* best) {
    const int pits = board_.pits();
    std::fill_n(best, others_.size(), static_cast<std::int8_t>(-seeds_));
    for (Bits rest = board_.movable(own); rest; rest &= rest - 1) {
      const int pit = board_.pit_of(rest);
      const auto& sowing = board_.sowing(own, pit);
      const Bits then = board_.without(own, pit) + board_.own_row(sowing.dropped);
      const int dropped = board_.row_seeds(board_.other_row(sowing.dropped));
      const bool takes = sowing.last < pits && board_(then, sowing.last) == 1;
      if (!dropped && takes)
        capture(board_.without(then, sowing.last), pits - 1 - sowing.last, best);
      else if (dropped && (takes || sowing.last == pits))
        play(own, pit, best);
      else if (dropped)
        sow(then, dropped, sowing.stored, best);
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// The boards of the other side's turn, by its row's rank, if it has so many seeds.
  const std::int8_t* block(int seeds, Bits own) const { return values_ + board_.block(seeds, own); }

  void sow(Bits then, int dropped, int stored, std::int8_t* best) {
    std::vector<Rank>& sown = sown_[at(dropped)];
    if (sown.empty()) sown = others_.sown(dropped);
    const std::int8_t* const to_come = block(others_.seeds() + dropped, then);
    // In two loops: the second one takes many boards at a time.
    const Rank* const ranks = sown.data();
    std::int8_t* const found = found_.data();
    const Rank size = others_.size();
    for (Rank i = 0; i < size; ++i) found[i] = to_come[ranks[i]];
    for (Rank i = 0; i < size; ++i) best[i] = std::max(best[i], static_cast<std::int8_t>(stored - found[i]));
  }

  void capture(Bits then, int opposite, std::int8_t* best) {
    auto& losses = losses_[at(opposite)];
    if (!losses) losses = others_.losses(opposite, board_.rules().empty_capture);
    for (int taken = 0; taken <= others_.seeds(); ++taken)
      captured_[at(taken)] = block(others_.seeds() - taken, then);
    const std::int8_t* const* const captured = captured_.data();
    for (const auto& loss : *losses) raise(best[loss.from], loss.seeds + 1 - captured[loss.seeds][loss.to]);
  }

  /// Rare moves: those that go around the board and then capture or earn another turn.
  void play(Bits own, int pit, std::int8_t* best) const {
    for (Rank i = 0; i < others_.size(); ++i) {
      const auto next = board_.play(board_.joined(own, others_[i]), seeds_, pit);
      const int to_come = next.over ? 0 : values_[board_.number(next.board)];
      raise(best[i], next.gain + (next.same ? to_come : -to_come));
    }
  }

  const Board& board_;
  const std::int8_t* values_;
  const Rows<Bits, Board>& others_;
  int seeds_;
  // What happens to the other rows, made when it is needed:
  std::vector<std::optional<std::vector<typename Rows<Bits, Board>::Loss>>> losses_;  // by pit
  std::vector<std::vector<Rank>> sown_;                                               // by seeds
  std::vector<const std::int8_t*> captured_;
  std::vector<std::int8_t> found_;
};

/// Columns of boards that are found one after the other, and then written as rows.
class Batch {
 public:
  /// Columns of so many boards, as many as a cache holds.
  explicit Batch(Rank length)
      : length_(length),
        width_(std::clamp<Rank>(cache / length, block, 16 * block)),
        boards_(std::size_t{width_} * length) {}

  Rank width() const { return width_; }
  std::int8_t* operator[](Rank column) { return &boards_[std::size_t{column} * length_]; }

  /// Writes the first `count` columns to places from `begin` on; if `below`, only what is of lower rank.
  void write(const std::vector<std::int8_t*>& rows, Rank begin, Rank count, bool below) const {
    const Rank whole_rows = (below ? begin : length_) / block * block, whole = count / block * block;
    for (Rank j = 0; j < whole_rows; j += block) {
      for (Rank i = 0; i < whole; i += block) write_block(rows, j, begin, i);
      for (Rank k = j; k < j + block; ++k) write_row(rows[k], k, begin, whole, count);
    }
    const Rank end = below ? begin + count : length_;
    for (Rank j = whole_rows; j < end; ++j)
      write_row(rows[j], j, begin, below && j >= begin ? j - begin + 1 : 0, count);
  }

 private:
  static constexpr Rank cache = 1 << 18, block = 8;

  void write_row(std::int8_t* row, Rank j, Rank begin, Rank first, Rank end) const {
    for (Rank i = first; i < end; ++i) row[begin + i] = boards_[std::size_t{i} * length_ + j];
  }

  /// Eight boards of eight columns, turned in three steps: single boards, then pairs, then fours change
  /// places.
  void write_block(const std::vector<std::int8_t*>& rows, Rank j, Rank begin, Rank i) const {
    if constexpr (std::endian::native != std::endian::little) {
      for (Rank k = j; k < j + block; ++k) write_row(rows[k], k, begin, i, i + block);
    } else {
      std::array<std::uint64_t, block> words;
      for (Rank k = 0; k < block; ++k)
        std::memcpy(&words[k], &boards_[std::size_t{i + k} * length_ + j], block);
      change_places<1>(words, 0x00FF00FF00FF00FF);
      change_places<2>(words, 0x0000FFFF0000FFFF);
      change_places<4>(words, 0x00000000FFFFFFFF);
      for (Rank k = 0; k < block; ++k) std::memcpy(rows[j + k] + begin + i, &words[k], block);
    }
  }

  template <std::size_t distance>
  static void change_places(std::array<std::uint64_t, block>& words, std::uint64_t low) {
    for (std::size_t k = 0; k < block; ++k) {
      if (k & distance) continue;
      const std::uint64_t change = (words[k] >> (8 * distance) ^ words[k + distance]) & low;
      words[k + distance] ^= change;
      words[k] ^= change << (8 * distance);
    }
  }

  Rank length_, width_;
  std::vector<std::int8_t> boards_;
};

/// Fills the boards with `a` seeds on one side and `b`, no more, on the other: the long rows and the short
/// ones.
template <class Bits, class Board>
class PairFiller {
 public:
  PairFiller(const Board& board, std::int8_t* values, int a, int b)
      : board_(board), values_(values), seeds_(a + b), equal_(a == b), long_(board, a), short_(board, b) {}

  /// Until `must_stop` says so.
  void fill(const std::function<bool()>& must_stop) {
    if (short_.seeds() == 0) return fill_one_sided();
    enter_stores(must_stop);
    finish(must_stop);
  }

 private:
  using RowsHere = Rows<Bits, Board>;
  using Steps = std::vector<typename RowsHere::Step>;

  /// Boards on which a side has nothing.
  void fill_one_sided() {
    for (Rank i = 0; i < long_.size(); ++i)
      for (const Bits bits : {board_.joined(long_[i], 0), board_.joined(0, long_[i])})
        values_[board_.number(bits)] = static_cast<std::int8_t>(by_moves(board_, values_, bits, seeds_));
  }

  /// Where the boards begin that have so many seeds on the mover's side and this row on the other.
  std::int8_t* block(int seeds, Bits other) const { return values_ + board_.block(seeds, other); }
  std::vector<std::int8_t*> blocks(int seeds, const RowsHere& others) const {
    std::vector<std::int8_t*> blocks;
    for (Rank i = 0; i < others.size(); ++i) blocks.push_back(block(seeds, others[i]));
    return blocks;
  }

  /// Enters boards with a short row to move, as if it had only moves that store a seed.
  void enter_stores(const std::function<bool()>& must_stop) {
    const std::vector<std::int8_t*> to = blocks(short_.seeds(), long_);
    Column<Bits, Board> column(board_, values_, long_, seeds_);
    Batch batch(long_.size());
    for (Rank begin = 0; begin < short_.size() && !must_stop(); begin += batch.width()) {
      const Rank count = std::min(batch.width(), short_.size() - begin);
      for (Rank i = 0; i < count; ++i) column.store(short_[begin + i], batch[i]);
      batch.write(to, begin, count, false);
    }
  }

  /// Enters the boards with a long row to move, and what the short rows' other moves bring. A long row moves
  /// on to one of lower rank, against which all short rows have moved; then they move against the row itself.
  void finish(const std::function<bool()>& must_stop) {
    const std::vector<std::int8_t*> to = blocks(long_.seeds(), short_);
    const std::vector<std::int8_t*> less = blocks(long_.seeds() - 1, short_);
    const Steps long_turns = long_.extra_turns(), short_turns = short_.extra_turns();
    const std::vector<Steps> short_moves = short_.quiet_moves();
    const auto empty = empty_pits();
    Column<Bits, Board> column(board_, values_, short_, seeds_);
    Batch batch(short_.size());
    auto turn = long_turns.begin();
    for (Rank begin = 0; begin < long_.size() && !must_stop(); begin += batch.width()) {
      const Rank count = std::min(batch.width(), long_.size() - begin);
      for (Rank i = 0; i < count; ++i) column.store(long_[begin + i], batch[i]);
      const auto end = upto(turn, long_turns.end(), begin + count);
      earn_turns(batch, begin, turn, end, less);
      turn = end;
      for (Rank i = begin; i < begin + count; ++i) {
        move_long(i, batch, begin, empty);
        move_short(i, batch[i - begin], short_turns, short_moves);
      }
      batch.write(to, begin, count, equal_);
    }
  }

  /// The moves of the batch's long rows that earn another turn.
  template <class Iterator>
  void earn_turns(Batch& batch, Rank begin, Iterator first, Iterator end,
                  const std::vector<std::int8_t*>& less) const {
    const std::size_t length = short_.size();
    for (std::size_t j = 0; j < length; ++j) {
      std::int8_t* const best = batch[0] + j;
      const std::int8_t* const to_come = less[j];
      for (Iterator step = first; step != end; ++step)
        raise(best[(step->from - begin) * length], 1 + to_come[step->to]);
    }
  }

  /// The first of the steps from the row `from` on.
  template <class Iterator>
  static Iterator upto(Iterator begin, Iterator end, Rank from) {
    return std::partition_point(begin, end, [&](const auto& step) { return step.from < from; });
  }

  /// The short rows in which a pit is empty, by the pit: the most a byte holds, in others the least.
  std::vector<std::vector<std::int8_t>> empty_pits() const {
    std::vector<std::vector<std::int8_t>> empty(static_cast<std::size_t>(board_.pits()));
    for (int pit = 0; pit < board_.pits(); ++pit)
      for (Rank j = 0; j < short_.size(); ++j)
        empty[static_cast<std::size_t>(pit)].push_back(board_(short_[j], pit) ? -128 : 127);
    return empty;
  }

  /// The moves of a long row that store nothing.
  void move_long(Rank i, Batch& batch, Rank begin, const std::vector<std::vector<std::int8_t>>& empty) {
    const Bits row = long_[i];
    std::int8_t* const best = batch[i - begin];
    for (Bits rest = board_.movable(row); rest; rest &= rest - 1) {
      const int pit = board_.pit_of(rest);
      const auto& sowing = board_.sowing(row, pit);
      const bool takes = !sowing.stored && !board_(row, sowing.last);
      if (sowing.stored || (takes && board_.rules().empty_capture)) continue;
      const std::int8_t* const only =
          takes ? empty[static_cast<std::size_t>(board_.pits() - 1 - sowing.last)].data() : nullptr;
      const Bits then = board_.without(row, pit) + sowing.dropped;
      const std::int8_t* const to_come = block(short_.seeds(), then);
      // Of rows of the same length only those of lower rank; the last of them are in the batch.
      const auto rank = static_cast<Rank>(board_.rank(then));
      const Rank end = equal_ ? i : short_.size(), written = equal_ ? std::max(begin, rank + 1) : end;
      if (takes)
        for (Rank j = 0; j < written; ++j)
          best[j] = std::max(best[j], std::min(only[j], static_cast<std::int8_t>(-to_come[j])));
      else
        for (Rank j = 0; j < written; ++j) best[j] = std::max(best[j], static_cast<std::int8_t>(-to_come[j]));
      for (Rank j = written; j < end; ++j)
        if (!takes || only[j] > 0) raise(best[j], -batch[j - begin][rank]);
    }
  }

  /// The moves of all short rows against a long one, but for those that were entered before. If they store
  /// nothing, the long row is to move, and `long_moves` is what that brings.
  void move_short(Rank i, const std::int8_t* long_moves, const Steps& turns,
                  const std::vector<Steps>& moves) {
    const Bits row = long_[i];
    std::int8_t* const boards = block(short_.seeds(), row);
    const std::int8_t* const less = block(short_.seeds() - 1, row);
    const auto end = [&](const Steps& steps) {
      return equal_ ? upto(steps.begin(), steps.end(), i + 1) : steps.end();
    };
    const auto last_turn = end(turns);
    for (auto step = turns.begin(); step != last_turn; ++step) raise(boards[step->from], 1 + less[step->to]);
    for (int pit = 0; pit <= board_.pits(); ++pit) {
      if (pit < board_.pits() && (board_.rules().empty_capture || board_(row, pit))) continue;
      const Steps& steps = moves[static_cast<std::size_t>(pit)];
      const auto last = end(steps);
      for (auto step = steps.begin(); step != last; ++step) raise(boards[step->from], -long_moves[step->to]);
    }
  }

  const Board& board_;
  std::int8_t* values_;
  int seeds_;
  bool equal_;  // long rows are no longer than short ones
  RowsHere long_, short_;
};

}  // namespace

KalahRules kalah_rules(const AnyGame& game) {
  return KalahRules::of(
      game.spec(), Options::check<InvalidGameError>(game.spec().options, game.info().options, game.name()));
}

std::unique_ptr<EndTables> make_kalah_tables(std::shared_ptr<const AnyGame> game, int most) {
  return std::make_unique<KalahTables>(std::move(game), most);
}

bool KalahTables::fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const {
  std::atomic<bool> stop{false};
  std::atomic<int> next{0};
  with_board([&]<class Bits>(const auto& board) {
    // The largest part goes first: the one in which both sides have about as many seeds.
    const auto work = [&](bool leads) {
      const auto must_stop = [&] {
        if (leads && poll && poll()) stop = true;
        return stop.load(std::memory_order_relaxed);
      };
      for (int part = next++; 2 * part <= seeds && !stop; part = next++)
        PairFiller<Bits, std::decay_t<decltype(board)>>(board, values, seeds - seeds / 2 + part,
                                                        seeds / 2 - part)
            .fill(must_stop);
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work, false);
    work(true);
    for (std::thread& helper : helpers) helper.join();
  });
  return !stop;
}

int KalahTables::check(int samples, std::uint64_t random) const {
  return with_board([&]<class Bits>(const auto& board) {
    return count_wrong<Bits>(board, samples, random,
                             [&](Bits bits, int seeds) { return by_moves(board, address(0), bits, seeds); });
  });
}

std::optional<std::uint64_t> KalahTables::number_of(const AnyPosition& position) const {
  return with_board(
      [&]<class Bits>(const auto& board) { return std::optional(board.number(*board.bits_of(position))); });
}

}  // namespace mossa
