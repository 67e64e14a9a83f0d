// End-game tables of oware, where a repeated position leaves the seeds in the pits to neither side.
//
// A move that captures leads to a lower layer, any other to a board of the same one, and such moves can go
// round in circles. Play that never captures again ends in a repetition, so no more is to come: 0. The value
// of a board is therefore that of a game of n moves, worth 0 if nothing has ended it by then, for a large n:
// who can force a gain does so in some number of moves, and who can hold the other to 0 or less holds it
// for any number. A layer begins with the values for one move, with 0 for all boards of the same layer.
// Then n grows by one at a time: boards that a changed one can be reached from are looked at again, until
// nothing changes.
//
// This takes a game without a past. Boards that have been there before end the game when they come again, and
// a side that has let its chances go by may find its way barred: so tables tell nothing of a position that
// has earlier ones to repeat, and the solver works those out (oware.hpp).
#pragma once

#include "end_tables.hpp"
#include "oware_board.hpp"

namespace mossa {

/// The rules of a game of oware; throws GameError if values depend on what has been before.
OwareRules solvable_oware(const AnyGame& game);

/// The boards that would end the game if they came again, the oldest first, each from the view of the side
/// that was to move; the last of them was the other side's to move.
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

class OwareTables final : public EndTables {
 public:
  /// Throws GameError for rules under which the margin to come depends on more than the pits.
  OwareTables(std::shared_ptr<const AnyGame> game, int most);

  int check(int samples, std::uint64_t random) const override;

 private:
  bool fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const override;
  std::optional<std::uint64_t> number_of(const AnyPosition& position) const override;

  template <class Use>
  auto with_board(const Use& use) const;

  OwareRules rules_;
};

}  // namespace mossa
