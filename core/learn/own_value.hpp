// What a line game's board is worth by the evaluation that people made for it: by its patterns, or where
// stones fall by who must fill which column. A network can be trained beside it, to tell what it misses.
#pragma once

#include <memory>
#include <optional>

#include "network.hpp"

namespace mossa {

class OwnValue {
 public:
  /// For a game of lines.
  static std::unique_ptr<OwnValue> of(const NetworkGame& game, int rows, int cols);
  virtual ~OwnValue() = default;

  /// `last` is the cell of the last move, if it is known.
  virtual void set_up(const StonesByCell& stones, Side to_move, std::optional<int> last) = 0;
  virtual void put(int cell, Side side) = 0;
  virtual void take() = 0;
  /// For the side to move, in thousandths of the logarithm of its odds.
  virtual int value(Side to_move) = 0;
};

}  // namespace mossa
