#include "lines.hpp"

#include "sequences.hpp"
#include "windows.hpp"

namespace mossa {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

LineTotals::LineTotals(const Grid& grid, int k, std::unique_ptr<LineShape> shape)
    : shape_(std::move(shape)), lines_at_(at(grid.bits())) {
  constexpr std::array<std::array<int, 2>, 4> directions{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
  int offset = 0;
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const auto [up, right] = directions[d];
    for (int row = 0; row < grid.rows; ++row)
      for (int col = 0; col < grid.cols; ++col) {
        if (grid.contains(row - up, col - right)) continue;  // not the first cell of its line
        int length = 0;
        while (grid.contains(row + length * up, col + length * right)) ++length;
        if (length < k) continue;  // nobody can win here
        for (int i = 0; i < length; ++i)
          lines_at_[at(grid.bit(row + i * up, col + i * right))][d] = {static_cast<int>(lines_.size()), i};
        lines_.push_back({offset, length, grid.bit(row, col), grid.bit(up, right)});
        offset += length;
      }
  }
  cells_.resize(at(offset));
  for (auto& gains : line_gains_) gains.resize(at(offset));
  values_.resize(lines_.size());
}

void LineTotals::clear(Side searcher) {
  searcher_ = searcher;
  undo_.clear();
  saved_.clear();
  total_ = 0;
  for (auto& gains : gains_) gains.assign(lines_at_.size(), 0);
  for (auto& gains : line_gains_) std::ranges::fill(gains, 0);
  std::ranges::fill(cells_, std::uint8_t{0});
  std::ranges::fill(values_, 0);
}

void LineTotals::put(int bit, Side side) {
  for (const LineAt& here : lines_at_[at(bit)])
    if (here.line >= 0)
      cells_[at(lines_[at(here.line)].offset + here.position)] = static_cast<std::uint8_t>(role(side) + 1);
}

void LineTotals::refresh() {
  for (std::size_t line = 0; line < lines_.size(); ++line) refresh(line);
}

void LineTotals::play(int bit, Side side) {
  undo_.push_back({bit, total_, saved_.size()});
  for (const LineAt& here : lines_at_[at(bit)])
    if (here.line >= 0) save(at(here.line));
  put(bit, side);
  for (const LineAt& here : lines_at_[at(bit)])
    if (here.line >= 0) refresh(at(here.line));
}

void LineTotals::undo() {
  const Step step = undo_.back();
  undo_.pop_back();
  const int* saved = saved_.data() + step.saved;
  for (const LineAt& here : lines_at_[at(step.bit)]) {
    if (here.line < 0) continue;
    const Line& line = lines_[at(here.line)];
    cells_[at(line.offset + here.position)] = 0;
    values_[at(here.line)] = *saved++;
    for (std::size_t s = 0; s < 2; ++s) {
      change_gains(line, s, saved);
      saved += line.length;
    }
  }
  saved_.resize(step.saved);
  total_ = step.total;
}

void LineTotals::save(std::size_t index) {
  const Line& line = lines_[index];
  saved_.push_back(values_[index]);
  for (const auto& gains : line_gains_)
    saved_.insert(saved_.end(), gains.begin() + line.offset, gains.begin() + line.offset + line.length);
}

/// Values a line anew and passes the changes on to the totals.
void LineTotals::refresh(std::size_t index) {
  const Line& line = lines_[index];
  int value = 0;
  std::array<std::array<int, 100>, 2> gains;
  shape_->line(&cells_[at(line.offset)], line.length, value, {gains[0].data(), gains[1].data()});
  total_ += value - values_[index];
  values_[index] = value;
  for (std::size_t s = 0; s < 2; ++s) change_gains(line, s, gains[s].data());
}

void LineTotals::change_gains(const Line& line, std::size_t role, const int* now) {
  int* const before = &line_gains_[role][at(line.offset)];
  for (int i = 0; i < line.length; ++i) {
    gains_[role][at(line.begin + i * line.step)] += now[i] - before[i];
    before[i] = now[i];
  }
}

void WindowShape::line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const {
  // What a stone of either side would add to the windows that begin at each cell, and take from them if
  // it lay beside them.
  std::array<std::array<int, 100>, 2> added, beside;
  std::array<int, 3> count{};
  value = 0;
  for (int i = 0; i < length; ++i) {
    ++count[cells[i]];
    if (i + 1 < k_) continue;
    const int begin = i + 1 - k_;
    const int own = count[1], opposing = count[2];
    const auto too_long = [&](std::uint8_t stone) {
      return exact_ &&
             ((begin > 0 && cells[begin - 1] == stone) || (i + 1 < length && cells[i + 1] == stone));
    };
    const bool is_own = opposing == 0 && !too_long(1), is_opposing = own == 0 && !too_long(2);
    if (is_own) value += weight(own);
    if (is_opposing) value -= weight(opposing);
    // An own stone makes an own window better, and takes a window of the opponent's away.
    added[0][at(begin)] = (is_own ? weight(own + 1) - weight(own) : 0) + (is_opposing ? weight(opposing) : 0);
    added[1][at(begin)] =
        -(is_opposing ? weight(opposing + 1) - weight(opposing) : 0) - (is_own ? weight(own) : 0);
    beside[0][at(begin)] = is_own ? -weight(own) : 0;
    beside[1][at(begin)] = is_opposing ? weight(opposing) : 0;
    --count[cells[begin]];
  }
  for (std::size_t side = 0; side < 2; ++side) {
    int sum = 0;
    for (int i = 0; i < length; ++i) {
      if (i + k_ <= length) sum += added[side][at(i)];
      if (i >= k_) sum -= added[side][at(i - k_)];
      gains[side][i] = sum;
      if (!exact_) continue;
      if (i >= k_) gains[side][i] += beside[side][at(i - k_)];
      if (i + 1 + k_ <= length) gains[side][i] += beside[side][at(i + 1)];
    }
  }
}

void SequenceShape::line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const {
  value = 0;
  for (std::size_t side = 0; side < 2; ++side) std::fill_n(gains[side], length, 0);
  for (std::size_t side = 0; side < 2; ++side) {
    const auto stone = static_cast<std::uint8_t>(side + 1);
    const std::size_t blocker = 1 - side;
    const int sign = side == 0 ? 1 : -1;
    for (int begin = 0; begin < length;) {
      if (cells[begin] == blocker + 1) {
        ++begin;
        continue;
      }
      int end = begin, stones = 0;
      for (; end < length && cells[end] != blocker + 1; ++end) stones += cells[end] == stone;
      const int whole = sequence(side, stones, end - begin);
      value += sign * whole;
      // A stone of this side adds to the sequence; one of the other side cuts it in two.
      const int grown = sequence(side, stones + 1, end - begin) - whole;
      int left_stones = 0;
      for (int i = begin; i < end; ++i) {
        gains[side][i] += sign * grown;
        const int right_stones = stones - left_stones - (cells[i] == stone);
        gains[blocker][i] += sign * (sequence(side, left_stones, i - begin) +
                                     sequence(side, right_stones, end - i - 1) - whole);
        left_stones += cells[i] == stone;
      }
      begin = end;
    }
  }
}

}  // namespace mossa
