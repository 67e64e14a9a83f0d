#include "gravity_board.hpp"

namespace mossa {

GravityBoard::GravityBoard(int rows, int cols, int k, const WindowWeights& weights)
    : rows_(rows), cols_(cols), k_(k), weights_(weights), through_(at(cells())), hashes_(2 * at(cells())) {
  for (std::size_t lie = 0; lie < lies; ++lie) {
    weights_[lie].resize(at(k_) + 1);
    steps_[lie].resize(at(k_) + 1);
    for (int n = 1; n < k_; ++n) steps_[lie][at(n)] = weights_[lie][at(n)] - weights_[lie][at(n - 1)];
  }
  constexpr std::array<Lie, lies> as_the_other_sees{Lie::upright, Lie::other_row, Lie::own_row,
                                                    Lie::diagonal};
  for (std::size_t lie = 0; lie < lies; ++lie) {
    worth_[lie].resize(at(k_ + 1) * at(k_ + 1));
    for (int n = 0; n < k_; ++n) {
      // At least 1, so that a cell in an open window ranks above one that is in none.
      const auto ranked = [](int value) { return static_cast<std::int16_t>(std::clamp(value, 1, 1 << 10)); };
      const int gain = n + 1 < k_ ? steps_[lie][at(n + 1)] : weights_[lie][at(n)];
      worth_[lie][at(n) * at(k_ + 1)] = ranked(gain);
      if (n > 0) worth_[lie][at(n)] = ranked(weights_[at(as_the_other_sees[lie])][at(n)]);
    }
  }
  constexpr std::array<std::array<int, 2>, 4> directions{{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const auto [up, right] = directions[d];
    const auto inside = [&](int row, int col) { return row >= 0 && row < rows_ && col >= 0 && col < cols_; };
    for (int col = 0; col < cols_; ++col)
      for (int row = 0; row < rows_; ++row) {
        if (inside(row - up, col - right)) continue;  // not the first cell of its line
        int length = 0;
        while (inside(row + length * up, col + length * right)) ++length;
        if (length < k_) continue;
        const int base = static_cast<int>(windows_.size());
        const int step = right * rows_ + up;
        std::array<Lie, 2> lie{Lie::diagonal, Lie::diagonal};
        if (right == 0) lie = {Lie::upright, Lie::upright};
        if (up == 0) {
          lie = {Lie::other_row, Lie::other_row};
          lie[index(parity(row))] = Lie::own_row;
        }
        for (int i = 0; i + k_ <= length; ++i)
          windows_.push_back(
              {static_cast<std::int16_t>(col * rows_ + row + i * step), static_cast<std::int16_t>(step)});
        for (int i = 0; i < length; ++i)
          through_[at(col * rows_ + row + i * step)][d] = {
              static_cast<std::uint32_t>(base + std::max(0, i - k_ + 1)),
              static_cast<std::uint32_t>(base + std::min(i, length - k_) + 1), lie};
      }
    if (k_ == 1) break;  // all directions have the same windows
  }
  // Where a word holds the board the key is the board itself, else a hash of 128 bits.
  const bool whole = cells() <= 64;
  for (int cell = 0; cell < cells(); ++cell)
    for (std::size_t s = 0; s < 2; ++s) {
      const std::uint64_t seed = 2 * at(cell) + s + 1;
      const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
      hashes_[2 * at(cell) + s] =
          whole ? TableKey{s == 0 ? bit : 0, s == 1 ? bit : 0}
                : TableKey{mix(TableKey::first_seed * seed), mix(TableKey::second_seed * seed)};
    }
}

void GravityBoard::set_up(const std::vector<std::vector<Side>>& columns, Side side) {
  for (std::size_t s = 0; s < 2; ++s) {
    counts_[s].assign(windows_.size(), 0);
    makers_[s].assign(at(cells()), 0);
    winning_[s].assign(at(cols_), {});
    ready_[s] = {};
  }
  hot_ = {};
  colour_.assign(at(cells()), 0);
  heights_.assign(at(cols_), 0);
  key_ = mirrored_ = {};
  stones_ = 0;
  sums_ = {};
  open_.fill(static_cast<int>(windows_.size()));
  if (k_ == 1)  // no stone is needed to make a cell a winning one
    for (int col = 0; col < cols_; ++col)
      for (std::size_t s = 0; s < 2; ++s) {
        for (int row = 0; row < rows_; ++row) winning_[s][at(col)].set(row);
        ready_[s].set(col);
        hot_.set(col);
      }
  for (int col = 0; col < cols_; ++col)
    for (const Side each : columns[at(col)]) {
      side_ = each;
      put(col);
    }
  side_ = side;
  undos_.clear();
  made_.clear();
}

}  // namespace mossa
