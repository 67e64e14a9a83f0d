// End-game tables of oware, where a repeated position leaves the seeds in the pits to neither side.
//
// A capture leads to a lower layer. Any other move stays in the same layer, and such moves can go round in
// circles. Play that never captures again ends in a repetition, so nothing more is to come: 0. A board is
// therefore worth what a game of n moves is worth, for a large n, if it counts 0 unless something ends it
// sooner: whoever can force a gain does so within some number of moves, and whoever can hold the other side
// to 0 or less can do so for any number. A layer begins with the values for n = 1, where all boards of the
// same layer count 0. Then n grows by one at a time: whenever a board changes, those that lead to it are
// looked at again, until nothing changes.
//
// All this assumes a game without a past. Earlier boards end the game when they come again, so a side that
// let its chances go by may find its way barred. Tables therefore say nothing about a position with earlier
// boards to repeat; the solver works those out (oware.hpp).
#pragma once

#include "end_tables.hpp"
#include "oware_board.hpp"

namespace mossa {

/// The rules of a game of oware; throws GameError if values depend on earlier boards.
OwareRules solvable_oware(const AnyGame& game);

/// The boards that would end the game if they came again, oldest first, each from the view of the side that
/// was to move; in the last one that was the other side.
template <class Bits, class Board>
std::vector<Bits> earlier_boards(const Board& board, const AnyPosition& position) {
  const std::string text = position.text();
  constexpr std::string_view after = " after ";
  const std::size_t found = text.find(after);
  if (found == std::string::npos) return {};
  const std::string_view rest = std::string_view(text).substr(found + after.size());
  const std::size_t moves = rest.find(' ', rest.find(' ') + 1);  // behind the board and the side
  std::vector<Bits> boards;
  auto at = position.game()->from_text(rest.substr(0, moves));
  position.game()->read_moves(rest.substr(moves), [&](Move move) {
    boards.push_back(*board.bits_of(*at));
    at = at->play(move);
  });
  return boards;
}

class OwareTables final : public SowingTables<OwareBoard, OwareRules> {
 public:
  OwareTables(std::shared_ptr<const AnyGame> game, int most)
      : SowingTables(std::move(game), most, solvable_oware) {}

  int check(int samples, std::uint64_t random) const override;

 private:
  bool fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const override;
  std::optional<std::uint64_t> number_of(const AnyPosition& position) const override;
};

}  // namespace mossa
