// End-game tables: the margin to come of every board with few seeds, a byte each.
//
// Boards with equally many seeds are a layer, and layers are made one after the other: seeds leave the pits
// and never come back. How a layer is filled is for the game to say (kalah_tables.cpp, oware_tables.cpp); the
// numbers of boards, and so the bytes, are the same for all games of sowing.
#pragma once

#include <memory>
#include <span>

#include "../random.hpp"
#include "pit_board.hpp"
#include "zeroed_memory.hpp"

namespace mossa {

class EndTables {
 public:
  /// How many boards have at most so many seeds: the bytes of the tables.
  static std::uint64_t positions(int pits, int seeds) {
    return seeds < 0 ? 0 : binomial(seeds + 2 * pits, 2 * pits);
  }
  /// The most seeds of tables with at most so many bytes.
  static int seeds_within(int pits, std::uint64_t bytes);

  virtual ~EndTables() = default;

  const std::shared_ptr<const AnyGame>& game() const { return game_; }
  /// The tables hold all boards with at most this many seeds; -1 while they are empty.
  int seeds() const { return seeds_; }
  int most() const { return most_; }
  std::uint64_t bytes() const { return positions(pits_, seeds_); }
  std::int8_t operator[](std::uint64_t number) const { return data_[number]; }
  const std::int8_t* address(std::uint64_t number) const { return data_ + number; }

  /// The values of the boards with exactly so many seeds.
  std::span<const std::int8_t> layer(int seeds) const;
  /// Adds the next layer: computes it, or takes one that was computed before. False if `poll` asked to stop.
  bool build_layer(int threads, const Poll& poll);
  void enter_layer(std::span<const unsigned char> values);
  /// Takes all layers, which are in memory already.
  void enter_all(std::shared_ptr<const std::span<const unsigned char>> memory);

  /// Counts the boards among `samples` random ones whose stored value contradicts their moves.
  virtual int check(int samples, std::uint64_t random) const = 0;
  /// The margin to come for the side to move; nothing if the tables do not have it.
  std::optional<int> value(const AnyPosition& position) const;

 protected:
  /// Makes room for tables of up to `most` seeds, which begin empty. Throws GameError for more seeds than the
  /// game has, or than tables can hold.
  EndTables(std::shared_ptr<const AnyGame> game, int most);

  int pits() const { return pits_; }

  /// Fills the next layer; `values` holds all layers, by number. False if `poll` asked to stop.
  virtual bool fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const = 0;
  /// The number of a position that has few enough seeds; nothing if its value depends on more than its board.
  virtual std::optional<std::uint64_t> number_of(const AnyPosition& position) const = 0;

  /// Counts the random boards whose stored value differs from `by_moves(bits, seeds)`.
  template <class Bits, class Board, class ByMoves>
  int count_wrong(const Board& board, int samples, std::uint64_t random, const ByMoves& by_moves) const {
    Random draw(random);
    int wrong = 0;
    for (int i = 0; i < samples; ++i) {
      // Seeds thrown at random; layers with more seeds have more boards, so most samples are large.
      const int seeds = std::max(1, seeds_ - draw.below(4));
      Bits bits = 0;
      for (int seed = 0; seed < seeds; ++seed) board.add(bits, draw.below(2 * pits_), 1);
      wrong += (*this)[board.number(bits)] != by_moves(bits, seeds);
    }
    return wrong;
  }

 private:
  std::int8_t* room();  // for all layers

  std::shared_ptr<const AnyGame> game_;
  int pits_;
  int most_;
  int seeds_ = -1;
  std::shared_ptr<const std::span<const unsigned char>> given_;  // or
  std::unique_ptr<ZeroedMemory> own_;
  const std::int8_t* data_ = nullptr;
};

/// Makes room for the tables of a game. Throws GameError if it can have none.
std::unique_ptr<EndTables> make_tables(std::shared_ptr<const AnyGame> game, int most);

/// The tables of one game of sowing, with its rules and its board.
template <template <class, int> class Board, class Rules>
class SowingTables : public EndTables {
 protected:
  /// Throws GameError for rules under which the margin to come depends on the stores.
  SowingTables(std::shared_ptr<const AnyGame> game, int most, Rules rules_of(const AnyGame&))
      : EndTables(std::move(game), most), rules_(rules_of(*this->game())) {
    if (rules_.majority)
      throw GameError("no end-game tables for " + this->game()->name() +
                      ": with majority=yes the end depends on the stores, but tables know only the pits");
  }

  /// Calls `use` with the board, and its bits as a type.
  template <class Use>
  auto with_board(const Use& use) const {
    if (rules_.pits == 6) return use.template operator()<std::uint64_t>(Board<std::uint64_t, 6>(rules_));
#ifdef MOSSA_HAS_WIDE_BITS
    if (rules_.pits > 6) return use.template operator()<WideBits>(Board<WideBits, 0>(rules_));
#endif
    return use.template operator()<std::uint64_t>(Board<std::uint64_t, 0>(rules_));
  }

 private:
  Rules rules_;
};

}  // namespace mossa
