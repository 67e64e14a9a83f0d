// What a search uses for a game unless told otherwise: an evaluation, an order of moves, candidates.
#pragma once

#include "../games.hpp"
#include "margin.hpp"
#include "windows.hpp"

namespace mossa {

template <class G>
constexpr bool is_mnk = false;
template <int Words>
constexpr bool is_mnk<Mnk<Words>> = true;

template <class G>
struct DefaultEvaluation {
  using type = Margin<G>;
};
template <class G>
  requires requires(const G& game) { game.grid(); }
struct DefaultEvaluation<G> {
  using type = Windows<G>;
};

/// Moves with a greater rank are tried first: the centre in line games, the pit next to the store in
/// Kalah (it gives up least and often earns another turn).
template <Game G>
int rank(const G& game, Move move) {
  const auto off_centre = [](int at, int size) { return std::abs(2 * at + 1 - size); };
  if constexpr (is_mnk<G>)
    return -off_centre(move.row(), game.grid().rows) - off_centre(move.col(), game.grid().cols);
  else if constexpr (requires { game.grid(); })
    return -off_centre(move.number() - 1, game.grid().cols);
  else
    return move.is_swap() ? 0 : move.number();
}

/// The moves worth a look, and whether any were left out. On an mnk board those within two cells of a
/// stone (only the middle of an empty board): elsewhere a stone meets nothing. Boards of up to 36 cells
/// are searched whole.
template <Game G>
bool keep_candidates(const G& game, const typename G::Position& position, MoveList<G::max_moves>& moves) {
  if constexpr (is_mnk<G>) {
    constexpr int small_board = 36, reach = 2;
    if (game.cell_count() <= small_board) return false;
    auto near = position.occupied();
    if (!near.any()) near.set(game.grid().bit(game.grid().rows / 2, game.grid().cols / 2));
    // Cells beyond an edge wrap to the next row: a few candidates too many, never one too few.
    for (const int step : {game.grid().row_step, game.grid().col_step})
      for (int i = 0; i < reach; ++i) near = near | near << step | near >> step;
    MoveList<G::max_moves> kept;
    for (const Move move : moves)
      if (near.test(game.bit(move))) kept.add(move);
    if (kept.empty() || kept.size() == moves.size()) return false;
    moves = kept;
    return true;
  } else {
    return false;
  }
}

}  // namespace mossa
