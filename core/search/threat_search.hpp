// The search of mnk by threats, not a template: principal-variation search over threats and candidates.
//
// A position with a threat has few replies, and they are known: one against a four, those of
// threat_space.hpp against a three or a win by fours. Elsewhere the search looks at cells near the stones, by
// how likely they are to be the best move, and at fewer of them the nearer the horizon is. It looks for wins
// by fours wherever the position is not clear already, by threes and fours where there is depth enough.
//
// Unlikely moves are searched less deep at first (late-move reductions: by depth, number, likelihood, and
// whether the position gets better), and so are later replies to a threat. A position that looks far better
// than the window is not searched (futility), one that looks worse only for a win by fours (razoring), and
// one without a move from the table a ply less deep (internal iterative reduction). At the horizon threats
// are answered, and beyond it only fours. None of these ever returns a proven value.
//
// A win is proven once the search has tried all replies of the loser. Replies that meet a threat are
// complete, and on boards of up to 64 cells every empty cell is a candidate. Anything that rests on fewer
// candidates, or on the horizon, is reported as an estimate.
//
// A network, if there is one, has a say in what a quiet position is worth, and in which moves come first.
// Only the stones of this search are put on its board: wins by threats are looked for without it.
//
// deepening.hpp has the iterations and the threads, which share the tables.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "../learn/network.hpp"
#include "../options.hpp"
#include "../trace.hpp"

namespace mossa {

enum class Threat : std::uint8_t;  // of evaluate/patterns.hpp

/// A game of mnk.
struct MnkRules {
  int rows, cols, k;
  bool exact;
};

/// The cells of either side's stones.
using Stones = std::array<std::vector<Cell>, 2>;

/// What a stone of `side` on an empty cell makes, one threat for each direction that has one, the most
/// forcing first.
std::vector<Threat> threats_made(const MnkRules& rules, const Stones& stones, const Cell& cell, Side side);

class AnyThreatSearch {
 public:
  static std::vector<Option> options();

  AnyThreatSearch(const MnkRules& rules, const Options& options, const NetworkPointer& network);
  ~AnyThreatSearch();

  /// `side` is to move; the game must not be over.
  Info run(const Stones& stones, Side side, const Task& task);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace mossa
