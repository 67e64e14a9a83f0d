#include "estimates.hpp"

#include "line_network_board.hpp"

namespace mossa {

LineEstimate estimate_lines(const NetworkPointer& network, const LineBoard& board,
                            std::span<const int> cells) {
  const auto own = OwnValue::of(network->game(), board.rows, board.cols);
  own->set_up(board.stones, board.side, board.last);
  const int points = own->value(board.side);
  LineNetworkBoard learnt(network, board.rows, board.cols);
  learnt.set_up(board.stones);
  LineEstimate estimate{learnt.value(board.side, points), learnt.win_draw_loss(board.side, points), {}};
  for (const int cell : cells) estimate.policy.push_back(learnt.policy(board.side, cell));
  return estimate;
}

LineFeatures::LineFeatures(const NetworkGame& game, int rows, int cols, bool with_points)
    : falls_(game.falls),
      views_(game.size),
      board_(std::make_unique<LineViewBoard>(views_, rows, cols)),
      own_(with_points ? OwnValue::of(game, rows, cols) : nullptr) {}

LineFeatures::~LineFeatures() = default;

void LineFeatures::see(const LineBoard& board, const Into& into) {
  const auto& [rows, cols, stones, side, last] = board;
  board_->set_up(stones);
  std::size_t at = 0;
  for (int cell = 0; cell < board_->cells(); ++cell)
    for (const BothViews& seen : board_->seen(cell)) {
      into.own[at] = seen[side];
      into.other[at++] = seen[other(side)];
    }
  for (int cell = 0; cell < board_->cells(); ++cell) {
    const int height = falls_ ? height_above_stones(stones, cols, cell) : 0;
    const bool own_parity = column_parity(rows, cols, cell / cols) == side;
    into.place[cell] = static_cast<std::uint8_t>(falls_ ? place_class(height, own_parity) : 0);
    into.place_other[cell] = static_cast<std::uint8_t>(falls_ ? place_class(height, !own_parity) : 0);
  }
  *into.points = 0;
  if (!own_) return;
  own_->set_up(stones, side, last);
  *into.points = static_cast<float>(own_->value(side)) / 1000;
}

}  // namespace mossa
