// Evaluations that are sums over the lines of a board (rows, columns, diagonals), kept up to date.
//
// A stone changes the four lines through its cell and nothing else. For each line we keep its value and,
// for every empty cell, how much a stone of either side would add: so a move costs the length of four
// lines, and the value after any possible move is known without making it. What a line is worth is the
// `Shape`'s business:
//
//     shape.line(cells, length, value, gains)    cells: 0 empty, 1 the searcher's stone, 2 the opponent's
//
// fills in the line's value for the searcher and gains[0] and gains[1]: the change that a stone of the
// searcher or of the opponent on that cell would make.
#pragma once

#include <cstring>
#include <vector>

#include "evaluator.hpp"

namespace mossa {

template <Game G, class Shape>
class LineSums final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;

  explicit LineSums(const G& game) : LineSums(game, Shape(game.k(), game.exact())) {}
  LineSums(const G& game, const Shape& shape)
      : game_(game), shape_(shape), lines_at_(static_cast<std::size_t>(game.grid().bits())) {
    const auto& grid = game.grid();
    constexpr std::array<std::array<int, 2>, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    int offset = 0;
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const auto [up, right] = directions[d];
      for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col) {
          if (grid.contains(row - up, col - right)) continue;  // not the first cell of its line
          int length = 0;
          while (grid.contains(row + length * up, col + length * right)) ++length;
          if (length < game.k()) continue;  // nobody can win here
          for (int i = 0; i < length; ++i)
            lines_at_[at(grid.bit(row + i * up, col + i * right))][d] = {static_cast<int>(lines_.size()), i};
          lines_.push_back({offset, length, grid.bit(row, col), grid.bit(up, right)});
          offset += length;
        }
    }
    cells_.resize(static_cast<std::size_t>(offset));
    for (auto& gains : line_gains_) gains.resize(static_cast<std::size_t>(offset));
    values_.resize(lines_.size());
  }

  void reset(const Position& root, Side searcher) override {
    searcher_ = searcher;
    undo_.clear();
    saved_.clear();
    total_ = 0;
    for (auto& gains : gains_) gains.assign(lines_at_.size(), 0);
    for (auto& gains : line_gains_) std::ranges::fill(gains, 0);
    std::ranges::fill(cells_, std::uint8_t{0});
    std::ranges::fill(values_, 0);
    for (const Side side : {Side::first, Side::second})
      root.stones[index(side)].for_each([&](int bit) { put(bit, side); });
    for (std::size_t line = 0; line < lines_.size(); ++line) refresh(line);
  }

  void play(const Position& before, Move move) override {
    const int bit = game_.landing(before, move);
    undo_.push_back({bit, total_, saved_.size()});
    for (const LineAt& here : lines_at_[at(bit)])
      if (here.line >= 0) save(static_cast<std::size_t>(here.line));
    put(bit, game_.side(before));
    for (const LineAt& here : lines_at_[at(bit)])
      if (here.line >= 0) refresh(static_cast<std::size_t>(here.line));
  }

  void undo() override {
    const Step step = undo_.back();
    undo_.pop_back();
    const int* saved = saved_.data() + step.saved;
    for (const LineAt& here : lines_at_[at(step.bit)]) {
      if (here.line < 0) continue;
      const Line& line = lines_[static_cast<std::size_t>(here.line)];
      cells_[at(line.offset + here.position)] = 0;
      values_[static_cast<std::size_t>(here.line)] = *saved++;
      for (std::size_t s = 0; s < 2; ++s) {
        change_gains(line, s, saved);
        saved += line.length;
      }
    }
    saved_.resize(step.saved);
    total_ = step.total;
  }

  int value(const Position& position) override { return seen_by(game_.side(position), total_); }

  int value_after(const Position& before, Move move, const Position& after) override {
    return seen_by(game_.side(after), total_ + gain(before, move));
  }

  void rank(const Position& position, const Moves& moves, Successors<G>&, std::span<int> ranks) override {
    const Side side = game_.side(position);
    for (int i = 0; i < moves.size(); ++i)
      ranks[static_cast<std::size_t>(i)] = seen_by(side, total_ + gain(position, moves[i]));
  }

 private:
  struct Line {
    int offset, length;  // of its cells among all lines' cells
    int begin, step;     // of its bits
  };
  struct LineAt {
    int line = -1, position = 0;
  };
  struct Step {
    int bit;
    int total;
    std::size_t saved;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t role(Side side) const { return side == searcher_ ? 0 : 1; }
  int seen_by(Side side, int total) const { return side == searcher_ ? total : -total; }
  int gain(const Position& position, Move move) const {
    return gains_[role(game_.side(position))][at(game_.landing(position, move))];
  }

  void put(int bit, Side side) {
    for (const LineAt& here : lines_at_[at(bit)])
      if (here.line >= 0)
        cells_[at(lines_[at(here.line)].offset + here.position)] = static_cast<std::uint8_t>(role(side) + 1);
  }

  void save(std::size_t index) {
    const Line& line = lines_[index];
    saved_.push_back(values_[index]);
    for (const auto& gains : line_gains_)
      saved_.insert(saved_.end(), gains.begin() + line.offset, gains.begin() + line.offset + line.length);
  }

  /// Values a line anew and passes the changes on to the totals.
  void refresh(std::size_t index) {
    const Line& line = lines_[index];
    int value = 0;
    std::array<std::array<int, 100>, 2> gains;
    shape_.line(&cells_[at(line.offset)], line.length, value, {gains[0].data(), gains[1].data()});
    total_ += value - values_[index];
    values_[index] = value;
    for (std::size_t s = 0; s < 2; ++s) change_gains(line, s, gains[s].data());
  }

  void change_gains(const Line& line, std::size_t role, const int* now) {
    int* const before = &line_gains_[role][at(line.offset)];
    for (int i = 0; i < line.length; ++i) {
      gains_[role][at(line.begin + i * line.step)] += now[i] - before[i];
      before[i] = now[i];
    }
  }

  const G& game_;
  Shape shape_;
  Side searcher_ = Side::first;
  std::vector<Line> lines_;
  std::vector<std::array<LineAt, 4>> lines_at_;  // by bit
  std::vector<std::uint8_t> cells_;              // of all lines, one after the other
  std::vector<int> values_;                      // of each line
  std::array<std::vector<int>, 2> line_gains_;   // by role, like cells_
  std::array<std::vector<int>, 2> gains_;        // by role and bit: the sum over the lines there
  int total_ = 0;
  std::vector<Step> undo_;
  std::vector<int> saved_;
};

}  // namespace mossa
