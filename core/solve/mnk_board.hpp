// The board of the mnk solver: cells as bits, all lines of k cells, and the symmetries.
//
// Cell (row, col) is bit row * cols + col. Lines are listed direction by direction and along each row,
// column or diagonal, so that lines with two or more cells in common stand next to each other.
#pragma once

#include <array>
#include <vector>

#include "bits.hpp"

namespace mossa {

template <class Bits>
class MnkBoard {
 public:
  static constexpr int max_cells = static_cast<int>(8 * sizeof(Bits));
  static constexpr std::size_t max_lines = 4 * static_cast<std::size_t>(max_cells);

  struct Line {
    Bits cells;
    std::uint16_t number;  // those of direction d, which is 0 to 3, begin at d * max_cells
  };

  MnkBoard(int rows, int cols, int k) : rows_(rows), cols_(cols), k_(k) {
    static constexpr std::array<std::array<int, 2>, 4> steps{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
    const std::size_t directions = k == 1 ? 1 : steps.size();
    for (std::size_t d = 0; d < directions; ++d) {
      std::size_t number = d * max_cells;
      for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
          const auto [down, right] = steps[d];
          if (contains(row - down, col - right)) continue;  // not where a row, column or diagonal begins
          for (int r = row, c = col; contains(r + down * (k - 1), c + right * (k - 1)); r += down, c += right)
            lines_.push_back({stretch(r, c, down, right), static_cast<std::uint16_t>(number++)});
        }
    }
    const int symmetries = rows == cols ? 8 : 4;
    for (int s = 1; s < symmetries; ++s) images_.push_back(image_table(s));
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int k() const { return k_; }
  int cells() const { return rows_ * cols_; }
  const std::vector<Line>& lines() const { return lines_; }
  Bits cell(int row, int col) const { return Bits{1} << (row * cols_ + col); }
  bool contains(int row, int col) const { return row >= 0 && row < rows_ && col >= 0 && col < cols_; }

  /// The symmetries of the board but for the identity.
  std::size_t symmetries() const { return images_.size(); }
  /// The symmetry that undoes another one: each undoes itself, but for the two quarter turns.
  static std::size_t inverse(std::size_t symmetry) {
    return symmetry == 4 ? 5 : symmetry == 5 ? 4 : symmetry;
  }
  Bits image(std::size_t symmetry, Bits cells) const {
    const auto& table = images_[symmetry];
    Bits image = 0;
    for (std::size_t byte = 0; byte < sizeof(Bits); ++byte)
      image |= table[byte * 256 + (static_cast<std::size_t>(cells >> (8 * byte)) & 255)];
    return image;
  }

 private:
  Bits stretch(int row, int col, int down, int right) const {
    Bits line = 0;
    for (int i = 0; i < k_; ++i) line |= cell(row + i * down, col + i * right);
    return line;
  }

  /// The image of every value of every byte of a set of cells.
  std::vector<Bits> image_table(int symmetry) const {
    std::vector<Bits> table(sizeof(Bits) * 256);
    for (int at = 0; at < cells(); ++at) {
      int row = at / cols_, col = at % cols_;
      if (symmetry & 1) row = rows_ - 1 - row;
      if (symmetry & 2) col = cols_ - 1 - col;
      if (symmetry & 4) std::swap(row, col);
      for (std::size_t value = 0; value < 256; ++value)
        if (value >> (at % 8) & 1) table[static_cast<std::size_t>(at / 8) * 256 + value] |= cell(row, col);
    }
    return table;
  }

  int rows_, cols_, k_;
  std::vector<Line> lines_;
  std::vector<std::vector<Bits>> images_;
};

}  // namespace mossa
