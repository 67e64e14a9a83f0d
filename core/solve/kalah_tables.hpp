// End-game tables: the margin to come of every kalah board with few seeds, a byte each.
//
// Boards with equally many seeds are a layer; a move that stores a seed leads to a lower one. A move that
// stores none moves seeds of its row on, which lowers the number of the row, and leaves the other row as it
// is. So a layer falls apart into pairs of row totals (a on one side, b on the other, and turned around)
// that do not depend on each other, and each pair is filled by two nested loops over the rows in order.
#pragma once

#include <memory>
#include <span>

#include "../handles.hpp"
#include "kalah_board.hpp"
#include "zeroed_memory.hpp"

namespace mossa {

/// The rules of a game of kalah; throws GameError for another.
KalahRules kalah_rules(const AnyGame& game);

class EndTables {
 public:
  /// How many boards have at most so many seeds: the bytes of the tables.
  static std::uint64_t positions(int pits, int seeds) {
    return seeds < 0 ? 0 : binomial(seeds + 2 * pits, 2 * pits);
  }
  /// The most seeds of tables with at most so many bytes.
  static int seeds_within(int pits, std::uint64_t bytes);

  /// Room for tables of up to `most` seeds, none of which is there yet. Throws GameError for a game that
  /// tables do not apply to, or more seeds than it has.
  EndTables(std::shared_ptr<const AnyGame> game, int most);
  /// Tables that are in memory already.
  EndTables(std::shared_ptr<const AnyGame> game, int seeds,
            std::shared_ptr<const std::span<const unsigned char>> memory);

  const std::shared_ptr<const AnyGame>& game() const { return game_; }
  /// Boards with at most so many seeds are there; -1 if none is.
  int seeds() const { return seeds_; }
  int most() const { return most_; }
  std::uint64_t bytes() const { return positions(rules_.pits, seeds_); }
  std::int8_t operator[](std::uint64_t number) const { return data_[number]; }
  const std::int8_t* address(std::uint64_t number) const { return data_ + number; }

  /// The values of the boards with exactly so many seeds.
  std::span<const std::int8_t> layer(int seeds) const;
  /// Adds the next layer: computed, or as it was computed before. False if `poll` asked to stop.
  bool build_layer(int threads, const Poll& poll);
  void enter_layer(std::span<const unsigned char> values);
  /// How many of `samples` random boards have another value than their moves say.
  int check(int samples, std::uint64_t random) const;
  /// The margin to come for the side to move; nothing if it has too many seeds.
  std::optional<int> value(const AnyPosition& position) const;

 private:
  template <class Use>
  auto with_board(const Use& use) const;
  std::int8_t* room();  // for all layers

  std::shared_ptr<const AnyGame> game_;
  KalahRules rules_;
  int most_;
  int seeds_ = -1;
  std::shared_ptr<const std::span<const unsigned char>> given_;  // or
  std::unique_ptr<ZeroedMemory> own_;
  const std::int8_t* data_ = nullptr;
};

/// The pits of a position of kalah, from the view of the side to move. Nothing if one holds too many seeds.
template <class Board, class Bits>
std::optional<Bits> kalah_bits(const Board& board, const AnyPosition& position) {
  const Cells cells = position.cells();
  const std::size_t mover = index(position.side());
  const std::size_t pits = cells[0].size() - 1;
  Bits bits = 0;
  for (std::size_t i = 0; i < 2 * pits; ++i) {
    const int seeds = cells[i < pits ? mover : mover ^ 1][i % pits];
    if (!board.holds(seeds)) return {};
    board.add(bits, static_cast<int>(i), seeds);
  }
  if (board.rules().majority) board.add(bits, static_cast<int>(2 * pits), cells[mover][pits]);
  return bits;
}

}  // namespace mossa
