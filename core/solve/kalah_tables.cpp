// How end-game tables are made and looked into.
#include "kalah_tables.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "../random.hpp"

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
void fill(const Board& board, const EndTables& tables, std::int8_t* values, int a, int b,
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
  if (game.spec().kind != "kalah")
    throw GameError("no end-game tables for " + game.name() + ": they are of kalah");
  return KalahRules::of(game.spec(), Options::check<InvalidGameError>(game.spec().options,
                                                                      KalahRules::kind().options, "kalah"));
}

int EndTables::seeds_within(int pits, std::uint64_t bytes) {
  int seeds = 0;
  while (seeds < KalahBoard<std::uint64_t>::most_numbered && positions(pits, seeds + 1) <= bytes) ++seeds;
  return seeds;
}

template <class Use>
auto EndTables::with_board(const Use& use) const {
  if (rules_.pits == 6) return use.template operator()<std::uint64_t>(KalahBoard<std::uint64_t, 6>(rules_));
#ifdef MOSSA_HAS_WIDE_BITS
  if (rules_.pits > 6) return use.template operator()<WideBits>(KalahBoard<WideBits>(rules_));
#endif
  return use.template operator()<std::uint64_t>(KalahBoard<std::uint64_t>(rules_));
}

EndTables::EndTables(std::shared_ptr<const AnyGame> game, int most)
    : game_(std::move(game)), rules_(kalah_rules(*game_)), most_(most) {
  if (rules_.majority)
    throw GameError("no end-game tables for " + game_->name() +
                    ": with majority=yes the end depends on the stores, and tables hold the pits alone");
#ifndef MOSSA_HAS_WIDE_BITS
  if (rules_.pits > 6) throw GameError("no end-game tables for more than 6 pits in this build");
#endif
  const int limit = std::min(KalahBoard<std::uint64_t>::most_numbered, rules_.total());
  if (most < 0 || most > limit)
    throw GameError("invalid seeds '" + std::to_string(most) + "': 0 to " + std::to_string(limit) + " in " +
                    game_->name());
}

EndTables::EndTables(std::shared_ptr<const AnyGame> game, int seeds,
                     std::shared_ptr<const std::span<const unsigned char>> memory)
    : EndTables(std::move(game), seeds) {
  if (memory->size() != positions(rules_.pits, seeds))
    throw GameError("end-game tables of " + std::to_string(positions(rules_.pits, seeds)) + " bytes have " +
                    std::to_string(memory->size()));
  given_ = std::move(memory);
  data_ = reinterpret_cast<const std::int8_t*>(given_->data());
  seeds_ = seeds;
}

std::span<const std::int8_t> EndTables::layer(int seeds) const {
  if (seeds < 0 || seeds > seeds_) throw GameError("no layer of " + std::to_string(seeds) + " seeds");
  const std::uint64_t begin = positions(rules_.pits, seeds - 1);
  return {data_ + begin, positions(rules_.pits, seeds) - begin};
}

std::int8_t* EndTables::room() {
  if (seeds_ >= most_) throw GameError("no room for another layer");
  if (!own_) own_ = std::make_unique<ZeroedMemory>(positions(rules_.pits, most_), true);
  auto* const data = static_cast<std::int8_t*>(own_->data());
  data_ = data;
  return data;
}

bool EndTables::build_layer(int threads, const Poll& poll) {
  std::int8_t* const values = room();
  const int seeds = seeds_ + 1;
  std::atomic<bool> stop{false};
  std::atomic<int> next{0};
  with_board([&]<class Bits>(const auto& board) {
    // The totals of the sides are nearest to each other in the largest part, which is begun first.
    const auto work = [&](bool leads) {
      const auto must_stop = [&] {
        if (leads && poll && poll()) stop = true;
        return stop.load(std::memory_order_relaxed);
      };
      for (int part = next++; 2 * part <= seeds && !stop; part = next++)
        fill<Bits>(board, *this, values, seeds / 2 - part, seeds - seeds / 2 + part, must_stop);
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work, false);
    work(true);
    for (std::thread& helper : helpers) helper.join();
  });
  if (stop) return false;
  seeds_ = seeds;
  return true;
}

void EndTables::enter_layer(std::span<const unsigned char> values) {
  std::int8_t* const data = room();
  const std::uint64_t begin = positions(rules_.pits, seeds_);
  if (values.size() != positions(rules_.pits, seeds_ + 1) - begin) throw GameError("a layer of another size");
  std::memcpy(data + begin, values.data(), values.size());
  ++seeds_;
}

int EndTables::check(int samples, std::uint64_t random) const {
  Random draw(random);
  int wrong = 0;
  with_board([&]<class Bits>(const auto& board) {
    for (int i = 0; i < samples; ++i) {
      // Seeds thrown at random; layers with more seeds have more boards, so most samples are large.
      const int seeds = std::max(1, seeds_ - draw.below(4));
      Bits bits = 0;
      for (int seed = 0; seed < seeds; ++seed) board.add(bits, draw.below(2 * rules_.pits), 1);
      wrong += (*this)[board.number(bits)] != by_moves(board, *this, bits, seeds);
    }
  });
  return wrong;
}

std::optional<int> EndTables::value(const AnyPosition& position) const {
  if (position.game()->name() != game_->name())
    throw GameError("end-game tables of " + game_->name() + " were given a position of " +
                    position.game()->name());
  return with_board([&]<class Bits>(const auto& board) -> std::optional<int> {
    const Cells cells = position.cells();
    int seeds = 0;
    for (const auto& row : cells)
      for (int pit = 0; pit < rules_.pits; ++pit) seeds += row[static_cast<std::size_t>(pit)];
    if (seeds > seeds_ || position.outcome()) return {};
    return (*this)[board.number(*kalah_bits<std::decay_t<decltype(board)>, Bits>(board, position))];
  });
}

}  // namespace mossa
