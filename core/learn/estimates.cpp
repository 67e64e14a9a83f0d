#include "estimates.hpp"

#include "line_network_board.hpp"

namespace mossa {

LineEstimate estimate_lines(const NetworkPointer& network, int rows, int cols, const StonesByCell& stones,
                            Side side, std::span<const int> cells) {
  LineNetworkBoard board(network, rows, cols);
  board.set_up(stones);
  LineEstimate estimate{board.value(side), board.win_draw_loss(side), {}};
  for (const int cell : cells) estimate.policy.push_back(board.policy(side, cell));
  return estimate;
}

LineFeatures::LineFeatures(const NetworkGame& game, int rows, int cols)
    : falls_(game.falls), views_(game.size), board_(std::make_unique<LineViewBoard>(views_, rows, cols)) {}

LineFeatures::~LineFeatures() = default;

void LineFeatures::see(const StonesByCell& stones, Side side, const Into& into) {
  board_->set_up(stones);
  std::size_t at = 0;
  for (int cell = 0; cell < board_->cells(); ++cell)
    for (const BothViews& seen : board_->seen(cell)) {
      into.own[at] = seen[side];
      into.other[at++] = seen[other(side)];
    }
  for (int cell = 0; cell < board_->cells(); ++cell) {
    const int row = cell / board_->cols();
    const int height = falls_ ? height_above_stones(stones, board_->cols(), cell) : 0;
    const bool own_parity = column_parity(board_->rows(), board_->cols(), row) == side;
    into.place[cell] = static_cast<std::uint8_t>(falls_ ? place_class(height, own_parity) : 0);
    into.place_other[cell] = static_cast<std::uint8_t>(falls_ ? place_class(height, !own_parity) : 0);
  }
}

}  // namespace mossa
