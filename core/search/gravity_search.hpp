// The search of games in which stones fall and k in a row wins, not a template: principal-variation search
// that leaves no direct threat standing.
//
// A win at once is taken, and one that the opponent would have is prevented: that costs no depth. Nobody
// plays below a winning cell of the opponent. At every position the search first looks for a win by
// continuous threats, moves that each force the reply. So whatever is judged by its looks (gravity_value.hpp)
// is quiet.
//
// Everything that is decided is proven: moves are left out only where they lose at once, and what is searched
// less deeply is never taken for a loss. Distances are those of the proof, perhaps not the shortest.
//
// A network, if there is one, has a say in what a quiet position is worth, and in which moves come first.
//
// deepening.hpp has the iterations and the threads, which share the tables.
#pragma once

#include <memory>
#include <vector>

#include "../learn/network.hpp"
#include "../options.hpp"
#include "../trace.hpp"

namespace mossa {

/// A game in which stones fall.
struct GravityRules {
  int rows, cols, k;
};

/// The stones of every column from the bottom up.
using Columns = std::vector<std::vector<Side>>;

class AnyGravitySearch {
 public:
  static std::vector<Option> options();

  AnyGravitySearch(const GravityRules& rules, const Options& options, const NetworkPointer& network);
  ~AnyGravitySearch();

  /// `side` is to move; the game must not be over.
  Info run(const Columns& columns, Side side, const Task& task);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace mossa
