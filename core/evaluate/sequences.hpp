// Sequences, the evaluation of the parametric tic-tac-toe report, and the steps that led to it.
//
// A sequence of a side is a stretch of a line between two stones of the other side or the edges, at
// least k cells long. With n own stones on it, it is worth n^2 x length to the searcher; one of the
// opponent's costs n^3.6 x length, so that breaking a long one matters more than building. The report came
// to that step by step: sequences alike (n^0, the open lines), by their stones (n), by the square of these
// (n^2), and at last with the length and another power for the opponent's: 3, 3.6 or 4.
//
// Values are kept in sixteenths.
#pragma once

#include <cmath>

#include "lines.hpp"

namespace mossa {

/// What n stones on a sequence are worth.
struct SequenceWorth {
  double own_power = 2.0, opposing_power = 3.6;
  bool times_length = true;
};

class SequenceShape final : public LineShape {
 public:
  static constexpr double unit = 16.0;
  // The opponent's weight grows fast on the largest boards; this keeps a whole board within an int.
  static constexpr double most = 1e6;

  SequenceShape(int k, const SequenceWorth& worth) : k_(k), times_length_(worth.times_length) {
    for (int n = 0; n <= 100; ++n)
      for (std::size_t side = 0; side < 2; ++side)
        weights_[side][static_cast<std::size_t>(n)] =
            unit * std::min(most / 100, std::pow(n, side == 0 ? worth.own_power : worth.opposing_power));
  }

  void line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const override;

 private:
  int sequence(std::size_t side, int stones, int length) const {
    if (length < k_) return 0;
    return static_cast<int>(weights_[side][static_cast<std::size_t>(stones)] * (times_length_ ? length : 1));
  }

  int k_;
  bool times_length_;
  std::array<std::array<double, 102>, 2> weights_{};
};

}  // namespace mossa
