// How end-game tables of kalah are made.
#include "kalah_tables.hpp"

#include <atomic>
#include <thread>

namespace mossa {

namespace {

/// The margin to come if the board's moves lead to boards in the tables.
template <class Bits, class Board>
int by_moves(const Board& board, const EndTables& tables, Bits bits, int seeds) {
  if (board.is_over(bits)) return board.leftover(bits, seeds);
  int best = -seeds;
  for (Bits rest = board.movable(bits); rest; rest &= rest - 1) {
    const auto next = board.play(bits, seeds, board.pit_of(rest));
    const int to_come = next.over ? 0 : tables[board.number(next.board)];
    best = std::max(best, next.gain + (next.same ? to_come : -to_come));
  }
  return best;
}

/// Enters boards that do not lead to each other, a few at a time: what their moves lead to is fetched for all
/// of them before the first is looked at.
template <class Bits, class Board>
class Filler {
 public:
  Filler(const Board& board, const EndTables& tables, std::int8_t* values, int seeds)
      : board_(board), tables_(tables), values_(values), seeds_(seeds) {}

  void add(Bits bits) {
    if (count_ == at_once) flush();
    Waiting& waiting = waiting_[count_++];
    waiting.value = values_ + board_.number(bits);
    waiting.moves = 0;
    waiting.best = board_.is_over(bits) ? board_.leftover(bits, seeds_) : -seeds_;
    if (board_.is_over(bits)) return;
    for (Bits rest = board_.movable(bits); rest; rest &= rest - 1) {
      const auto next = board_.play(bits, seeds_, board_.pit_of(rest));
      const std::int8_t* const to_come = next.over ? &nothing : tables_.address(board_.number(next.board));
      prefetch(to_come);
      waiting.to_come[waiting.moves] = to_come;
      waiting.gain[waiting.moves] = next.gain;
      waiting.sign[waiting.moves++] = next.same ? 1 : -1;
    }
  }

  void flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      const Waiting& waiting = waiting_[i];
      int best = waiting.best;
      for (std::size_t m = 0; m < waiting.moves; ++m)
        best = std::max(best, waiting.gain[m] + waiting.sign[m] * *waiting.to_come[m]);
      *waiting.value = static_cast<std::int8_t>(best);
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t at_once = 16, most_moves = static_cast<std::size_t>(Board::most_pits);
  static constexpr std::int8_t nothing = 0;
  struct Waiting {
    std::int8_t* value;
    std::size_t moves;
    int best;
    std::array<const std::int8_t*, most_moves> to_come;
    std::array<int, most_moves> gain, sign;
  };
  const Board& board_;
  const EndTables& tables_;
  std::int8_t* values_;
  int seeds_;
  std::size_t count_ = 0;
  std::array<Waiting, at_once> waiting_;
};

/// Fills the boards with `a` seeds on one side and `b` on the other, until `must_stop` says so.
template <class Bits, class Board>
void fill_pair(const Board& board, const EndTables& tables, std::int8_t* values, int a, int b,
               const std::function<bool()>& must_stop) {
  const std::vector<Bits> rows = board.rows(a), others = board.rows(b);
  Filler<Bits, Board> filler(board, tables, values, a + b);
  for (std::size_t i = 0; i < rows.size() && !must_stop(); ++i) {
    // The mover's row moves on to one before it: of these boards none leads to another ...
    const std::size_t end = a == b ? i : others.size();
    for (std::size_t j = 0; j < end; ++j) filler.add(board.joined(rows[i], others[j]));
    filler.flush();
    // ... but these lead to those, and the board with the same row twice does.
    for (std::size_t j = 0; j < end; ++j) filler.add(board.joined(others[j], rows[i]));
    if (a == b) filler.add(board.joined(rows[i], rows[i]));
    filler.flush();
  }
}

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
        fill_pair<Bits>(board, *this, values, seeds / 2 - part, seeds - seeds / 2 + part, must_stop);
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
                             [&](Bits bits, int seeds) { return by_moves(board, *this, bits, seeds); });
  });
}

std::optional<std::uint64_t> KalahTables::number_of(const AnyPosition& position) const {
  return with_board(
      [&]<class Bits>(const auto& board) { return std::optional(board.number(*board.bits_of(position))); });
}

}  // namespace mossa
