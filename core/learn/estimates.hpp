// What networks of lines see and say of a single board, without a search.
//
// Declared apart from the boards that do the work: the bindings are compiled for size, and must not bring a
// second, slower copy of the code that searches use.
#pragma once

#include "own_value.hpp"

namespace mossa {

struct LineEstimate {
  int value;  // thousandths of the logarithm of the odds
  Chances chances;
  std::vector<int> policy;  // of the cells that were asked for, hundredths
};

/// A board of a line game.
struct LineBoard {
  int rows, cols;
  StonesByCell stones;
  Side side;                // to move
  std::optional<int> last;  // the cell of the last move
};

/// What a network says of a board, and of moves to these cells.
LineEstimate estimate_lines(const NetworkPointer& network, const LineBoard& board,
                            std::span<const int> cells);

/// What a network of lines sees of boards of one size.
class LineFeatures {
 public:
  /// Where to write, by cell: patterns of all directions, and classes of places.
  struct Into {
    std::uint16_t *own, *other;
    std::uint8_t *place, *place_other;
    float* points;  // of the evaluation of ours, as logarithms of the odds
  };

  /// Without points that evaluation is not asked: it takes as long as everything else.
  LineFeatures(const NetworkGame& game, int rows, int cols, bool with_points);
  ~LineFeatures();

  void see(const LineBoard& board, const Into& into);

 private:
  bool falls_;
  LineViews views_;
  std::unique_ptr<LineViewBoard> board_;
  std::unique_ptr<OwnValue> own_;  // with points
};

}  // namespace mossa
