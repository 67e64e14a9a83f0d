// A board of a line game with the rows of a network, kept up to date as stones are put and taken back.
//
// A stone changes what either side sees from the cells on its four lines, up to `reach` cells away and not
// behind what blocks the view; where stones fall, also the places of the cells above it. Every change
// exchanges one row of the codebook for another in the row of a cell. What the row was before is kept, and
// comes back when the stone is taken.
//
// A search puts many stones and asks for few values, so a stone is only noted when it is put: whoever asks
// for a value pays for all that wait. One that is taken back before costs nothing.
#pragma once

#include "network.hpp"

namespace mossa {

class LineNetworkBoard {
 public:
  LineNetworkBoard(NetworkPointer network, int rows, int cols)
      : network_(std::move(network)),
        weights_(network_->lines()),
        kernels_(network_->kernels()),
        board_(weights_.views, rows, cols),
        scale_(NetworkScale::sum(rows * cols)),
        cells_(at(rows * cols)),
        changes_(usual_plies * most_changes),
        saved_(changes_.size()) {
    placed_.reserve(usual_plies);
    bytes_ = sizeof(*this) + board_.bytes() + cells_.size() * sizeof(ChannelRow) +
             changes_.size() * (sizeof(RowChange) + sizeof(ChannelRow)) + usual_plies * sizeof(Placed);
    set_up(StonesByCell(cells_.size()));
  }

  int cells() const { return board_.cells(); }

  void set_up(const StonesByCell& stones) {
    placed_.clear();
    waiting_ = 0;
    changes_used_ = 0;
    board_.set_up(stones);
    sums_.fill(0);
    for (int cell = 0; cell < cells(); ++cell) set_up(cell, stones);
  }

  void put(int cell, Side side) {
    placed_.push_back({cell, side, 0, {}});
    ++waiting_;
  }

  /// Takes back the last stone.
  void take() {
    if (waiting_)
      --waiting_;
    else
      undo();
    placed_.pop_back();
  }

  /// What the position is worth to the side to move, in thousandths of the logarithm of its odds. `own` is
  /// what the evaluation says beside which the network was trained, if it was.
  int value(Side side, int own) { return logits(side, own).value(); }
  Chances win_draw_loss(Side side, int own) { return logits(side, own).chances(); }

  /// How likely a move of a side is to be the best, in hundredths of the logarithm of its odds.
  int policy(Side side, int cell) {
    catch_up();
    const std::int16_t* const row = cells_[at(cell)].of.data() + index(side) * NetworkScale::channels;
    constexpr int part = 25;  // of a hundred, so that nothing overflows
    return (kernels_.weigh(row, weights_.policy.data()) + weights_.policy_bias) * part /
           (NetworkScale::policy * part / 100);
  }

  /// May be asked while another thread uses the board: what a long line needs more does not count.
  std::size_t bytes() const { return bytes_; }

 private:
  /// A stone, and what was before.
  struct Placed {
    int cell;
    Side side;
    std::size_t first_change;
    NetworkKernels::Sums sums;
  };
  static constexpr std::size_t most_changes = 64;                 // by one stone
  static constexpr std::size_t usual_plies = 40;                  // that a search goes down
  static constexpr int no_direction = LineViewBoard::directions;  // of a change of place

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// The row of the book for the place of a cell, as first sees it; second sees the other half of it.
  std::uint16_t place(int row, int height) const {
    const bool own = column_parity(board_.rows(), board_.cols(), row) == Side::first;
    return static_cast<std::uint16_t>(weights_.views.patterns() +
                                      (weights_.falls ? place_class(height, own) : 0));
  }

  void set_up(int cell, const StonesByCell& stones) {
    std::array<int, 2 * NetworkScale::channels> sum;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = weights_.bias[i % NetworkScale::channels];
    // A row has two halves: what it adds to the side that sees it, and to the other.
    const auto add = [&](std::uint16_t number, Side side) {
      const auto& from = weights_.book[number].of;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += from[i ^ (index(side) * NetworkScale::channels)];
    };
    for (const BothViews& seen : board_.seen(cell))
      for (const Side side : {Side::first, Side::second}) add(seen[side], side);
    add(place(cell / board_.cols(), weights_.falls ? height_above_stones(stones, board_.cols(), cell) : 0),
        Side::first);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      cells_[at(cell)].of[i] = static_cast<std::int16_t>(sum[i]);
      sums_[i] += std::clamp<int>(sum[i], 0, NetworkScale::row);
    }
  }

  void catch_up() {
    for (; waiting_; --waiting_) apply(placed_[placed_.size() - waiting_]);
  }

  void apply(Placed& placed) {
    if (changes_.size() < changes_used_ + most_changes) {
      changes_.resize(2 * (changes_used_ + most_changes));
      saved_.resize(changes_.size());
    }
    placed.first_change = changes_used_;
    placed.sums = sums_;
    board_.set_stone(placed.side, placed.cell, true);
    for (int d = 0; d < LineViewBoard::directions; ++d) see(placed, d);
    if (weights_.falls) fall(placed.cell);
    kernels_.change(weights_.book.data(),
                    {changes_.data() + placed.first_change, changes_used_ - placed.first_change},
                    cells_.data(), saved_.data() + placed.first_change, sums_);
  }

  /// Looks along a line through a new stone.
  void see(const Placed& placed, int direction) {
    const LineViewBoard::Around around = board_.around(direction, placed.cell);
    note(placed.cell, direction, board_.see(around, 0));
    // Who has the other side's stone or the edge between a cell and the new stone sees no change. Where one
    // side does, both are looked at: that is quicker than to choose.
    for (const int sign : {-1, 1}) {
      bool first_sees = true, second_sees = true;
      for (int i = 1; i <= board_.reach(); ++i) {
        const int away = sign * i;
        first_sees &= !board_.has(around, Side::second, away);
        second_sees &= !board_.has(around, Side::first, away);
        if (!first_sees && !second_sees) break;
        note(placed.cell + away * board_.step(direction), direction, board_.see(around, away));
      }
    }
  }
  void note(int cell, int direction, BothViews now) {
    BothViews& seen = board_.seen(cell)[at(direction)];
    changes_[changes_used_++] = {static_cast<std::uint16_t>(cell), static_cast<std::uint16_t>(direction),
                                 seen, now};
    seen = now;
  }

  /// A stone fell on a cell, and those above it are nearer to the stack now.
  void fall(int cell) {
    const int row = cell / board_.cols();
    for (int above = 0; above <= most_changing_height && row + above < board_.rows(); ++above)
      changes_[changes_used_++] = {static_cast<std::uint16_t>(cell + above * board_.cols()),
                                   no_direction,
                                   {place(row + above, above), 0},
                                   {place(row + above, above - 1), 0}};
  }

  void undo() {
    const Placed& last = placed_.back();
    board_.set_stone(last.side, last.cell, false);
    const std::span<const RowChange> changes{changes_.data() + last.first_change,
                                             changes_used_ - last.first_change};
    kernels_.restore(changes, cells_.data(), saved_.data() + last.first_change);
    // No view changes twice.
    for (const RowChange& change : changes)
      if (change.direction != no_direction) board_.seen(change.cell)[change.direction] = change.before;
    changes_used_ = last.first_change;
    sums_ = last.sums;
  }

  Logits logits(Side side, int own) {
    catch_up();
    alignas(64) DenseLayers::Inputs x;
    DenseLayers::Outputs out;
    kernels_.inputs(sums_, index(side), scale_, x);
    kernels_.dense(weights_.layers, x, out);
    const std::int32_t half = weights_.beside ? NetworkScale::half_of(own) : 0;
    return {out[0] + half, out[1], out[2] - half};
  }

  NetworkPointer network_;
  const LineNetwork& weights_;
  const NetworkKernels& kernels_;
  LineViewBoard board_;
  int scale_;
  std::vector<ChannelRow> cells_;
  NetworkKernels::Sums sums_{};  // of what is clipped, over all cells
  std::vector<Placed> placed_;
  std::size_t waiting_ = 0;  // the last ones of these
  std::vector<RowChange> changes_;
  std::vector<ChannelRow> saved_;  // the row of a cell before each change
  std::size_t changes_used_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace mossa
