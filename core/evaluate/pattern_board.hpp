// An mnk board with its line patterns, kept up to date as stones are put and taken back.
//
// Sets of cells by what they make are kept too: whoever looks for forced moves finds them without a search
// of the board, however large it is.
#pragma once

#include "pattern_weights.hpp"

namespace mossa {

/// A set of cells that can be walked, added to and taken from in constant time.
class CellSet {
 public:
  explicit CellSet(int cells = 0)
      : cells_(static_cast<std::size_t>(cells)), place_(static_cast<std::size_t>(cells)) {}
  int size() const { return static_cast<int>(size_); }
  bool empty() const { return size_ == 0; }
  int operator[](int i) const { return cells_[static_cast<std::size_t>(i)]; }
  auto begin() const { return cells_.begin(); }
  auto end() const { return cells_.begin() + static_cast<std::ptrdiff_t>(size_); }
  void add(int cell) {
    place_[static_cast<std::size_t>(cell)] = static_cast<std::uint16_t>(size_);
    cells_[size_++] = static_cast<std::uint16_t>(cell);
  }
  void remove(int cell) {
    const std::uint16_t place = place_[static_cast<std::size_t>(cell)];
    const std::uint16_t last = cells_[--size_];
    cells_[place] = last;
    place_[last] = place;
  }
  /// May be asked while the set changes: it never needs more room.
  std::size_t bytes() const { return 2 * place_.size() * sizeof(std::uint16_t); }

 private:
  std::vector<std::uint16_t> cells_, place_;
  std::size_t size_ = 0;
};

/// A board with the codes of all its empty cells.
class PatternBoard {
 public:
  static constexpr int directions = 4;

  PatternBoard(int rows, int cols, const PatternRule& rule)
      : rows_(rows),
        cols_(cols),
        cells_(rows * cols),
        rule_(rule),
        weights_(rule.k()),
        steps_{1, cols, cols + 1, cols - 1},
        words_per_line_((std::max(rows, cols) + 2 * rule.reach()) / 64 +
                        (rule.reach() > PatternRule::narrow_reach ? 5 : 2)) {
    for (int number = 0; number < PatternCode::count; ++number) {
      const PatternCode code = PatternCode::of(number);
      constexpr std::array<std::uint16_t, 5> parts{0, 1, 1 << 4, 2 << 4, 1 << 12};  // by threat
      parts_[at(number)] = parts[index(threat_of(code))];
    }
    const std::size_t lines = at(rows + cols + 2 * (rows + cols - 1));
    for (auto& lines_of_side : lines_) lines_of_side.assign(lines * at(words_per_line_), ~std::uint64_t{0});
    stones_.assign(at(cells_), 0);
    close_.assign(at(cells_), 0);
    near_ = empty_ = CellSet(cells_);
    for (int cell = 0; cell < cells_; ++cell) {
      empty_.add(cell);
      for (int d = 0; d < directions; ++d)
        for (const Side side : {Side::first, Side::second}) set_bit(side, d, cell, false);
    }
    for (std::size_t s = 0; s < 2; ++s) {
      prospects_[s].resize(at(cells_));
      for (auto& set : makers_[s]) set = CellSet(cells_);
      for (int cell = 0; cell < cells_; ++cell)
        for (int d = 0; d < directions; ++d)
          change(static_cast<Side>(s), d, cell, code_on_empty_board(d, cell));
    }
    changes_.reserve(4096);
    if (cells_ <= 64)
      for (std::size_t cell = 0; cell < at(cells_); ++cell) {
        hashes_[0].push_back({std::uint64_t{1} << cell, 0});
        hashes_[1].push_back({0, std::uint64_t{1} << cell});
      }
    else
      for (std::uint64_t i = 1; i <= std::uint64_t(cells_); ++i) {
        hashes_[0].push_back({mix(4 * i), mix(4 * i + 1)});
        hashes_[1].push_back({mix(4 * i + 2), mix(4 * i + 3)});
      }
  }

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int cells() const { return cells_; }
  const PatternRule& rule() const { return rule_; }
  Move move(int cell) const { return Move::cell(cell / cols_, cell % cols_); }
  int cell(Move move) const { return move.row() * cols_ + move.col(); }

  /// Puts a stone of any side on an empty cell.
  void put(int cell, Side side) {
    placed_.push_back({cell, changes_.size(), totals_, values_});
    key_ = key_after(cell, side);
    for (std::size_t s = 0; s < 2; ++s) {
      totals_[s] -= prospects_[s][at(cell)].score;
      forget_values(s, cell);
      if (const Threat threat = made_by(prospects_[s][at(cell)].sum); threat != Threat::none)
        makers_[s][index(threat)].remove(cell);
    }
    stones_[at(cell)] = static_cast<std::uint8_t>(mossa::index(side) + 1);
    empty_.remove(cell);
    if (close_[at(cell)]) near_.remove(cell);
    for_each_close(cell, [&](int other) {
      if (close_[at(other)]++ == 0 && !stones_[at(other)]) near_.add(other);
    });
    for (int d = 0; d < directions; ++d) {
      set_bit(side, d, cell, true);
      refresh(d, cell);
    }
  }

  /// Puts the stones of both sides.
  void put(const std::array<std::vector<Cell>, 2>& stones) {
    for (const Side side : {Side::first, Side::second})
      for (const Cell& each : stones[mossa::index(side)]) put(each.row * cols_ + each.col, side);
  }

  /// Takes back the last stone.
  void take() {
    const auto [cell, first_change, totals, values] = placed_.back();
    placed_.pop_back();
    const Side side = static_cast<Side>(stones_[at(cell)] - 1);
    for (int d = 0; d < directions; ++d) set_bit(side, d, cell, false);
    while (changes_.size() > first_change) {
      undo(changes_.back());
      changes_.pop_back();
    }
    totals_ = totals;
    values_ = values;
    for_each_close(cell, [&](int other) {
      if (--close_[at(other)] == 0 && !stones_[at(other)]) near_.remove(other);
    });
    if (close_[at(cell)]) near_.add(cell);
    empty_.add(cell);
    stones_[at(cell)] = 0;
    for (std::size_t s = 0; s < 2; ++s)
      if (const Threat threat = made_by(prospects_[s][at(cell)].sum); threat != Threat::none)
        makers_[s][index(threat)].add(cell);
    key_ = key_after(cell, side);  // exclusive or: the same again takes it away
  }

  void clear() {
    while (!placed_.empty()) take();
  }

  bool is_empty(int cell) const { return !stones_[at(cell)]; }
  int stones() const { return static_cast<int>(placed_.size()); }
  /// Whether one row can have both cells.
  bool linked(int a, int b) const {
    const int rows = std::abs(a / cols_ - b / cols_), cols = std::abs(a % cols_ - b % cols_);
    return (rows == 0 || cols == 0 || rows == cols) && std::max(rows, cols) < rule_.k();
  }
  /// Whether a line of this direction has both cells.
  bool in_line(int direction, int a, int b) const {
    return spot(direction, a).word == spot(direction, b).word;
  }
  /// The cell of the stone put last.
  int last() const { return placed_.back().cell; }
  const CellSet& empty() const { return empty_; }
  /// Empty cells within two of a stone.
  const CellSet& near() const { return near_; }
  const TableKey& key() const { return key_; }
  /// What the key will be after a stone.
  TableKey key_after(int cell, Side side) const {
    return {key_.low ^ hash(side, cell).low, key_.high ^ hash(side, cell).high};
  }

  /// The empty cells whose most forcing effect for `side` is this.
  const CellSet& makers(Side side, Threat threat) const { return makers_[mossa::index(side)][index(threat)]; }
  Threat threat(Side side, int cell) const { return made_by(prospect(side, cell).sum); }
  /// In how many directions a stone makes a three.
  int threes(Side side, int cell) const { return prospect(side, cell).sum & 15; }
  /// What a stone makes in one direction: row, column, rising, falling (read upwards).
  PatternCode code(Side side, int direction, int cell) const {
    return prospect(side, cell).codes[at(direction)];
  }
  /// What a stone is worth to a side, and the sum of that over all empty cells. Only where no row can be
  /// had any more it is 0.
  int score(Side side, int cell) const { return prospect(side, cell).score; }
  /// How likely a move is to be the best, to order moves by: for what it makes, and for what it takes from
  /// the other side.
  int appeal(Side side, int cell) const {
    return static_cast<int>((prospect(side, cell).appeal >> 16) +
                            (prospect(other(side), cell).appeal & 0xFFFF));
  }
  int total(Side side) const { return totals_[mossa::index(side)]; }

  /// What the position is worth to the side to move, in thousandths of the logarithm of its odds.
  int value(Side to_move) const {
    return PatternWeights::tempo + values_[mossa::index(to_move)][0] -
           values_[mossa::index(other(to_move))][1];
  }

  /// The cells on which `side` would win after a stone on `cell`: calls `use(cell)` for each.
  template <class Use>
  void for_each_completion(Side side, int cell, Use&& use) const {
    for (int d = 0; d < directions; ++d) {
      if (code(side, d, cell).needs() != 1) continue;
      const auto found = [&](auto seen) {
        seen.own.set(rule_.reach());
        rule_.completions(seen.own, seen.blocked).for_each([&](int i) {
          use(cell + (i - rule_.reach()) * steps_[at(d)]);
        });
      };
      if (rule_.reach() <= PatternRule::narrow_reach)
        found(view<1>(side, spot(d, cell)));
      else
        found(view<4>(side, spot(d, cell)));
    }
  }

  std::size_t bytes() const {
    std::size_t sum = sizeof(*this) + near_.bytes() * 2 + changes_.capacity() * sizeof(Change);
    for (std::size_t s = 0; s < 2; ++s) {
      sum += lines_[s].size() * 8 + prospects_[s].size() * sizeof(Prospect) +
             hashes_[s].size() * sizeof(TableKey);
      for (const CellSet& set : makers_[s]) sum += set.bytes();
    }
    return sum;
  }

 private:
  /// What a stone on a cell would make.
  struct Prospect {
    int score = 0;
    std::uint32_t appeal = 0;
    std::uint16_t sum = 0;  // wins, cells that complete a four, threes
    std::uint16_t shape = 0;
    std::array<PatternCode, directions> codes;
  };
  /// What one look at a cell changed: as it was before.
  struct Change {
    std::uint16_t cell;
    std::uint8_t line;  // side and direction
    PatternCode code;
    int score;
    std::uint32_t appeal;
    std::uint16_t sum, shape;
  };
  /// A stone, and the sums before it was put.
  struct Placed {
    int cell;
    std::size_t first_change;
    std::array<int, 2> totals;
    std::array<std::array<int, 2>, 2> values;
  };
  template <int Words>
  struct View {
    BitSet<Words> own, blocked;
  };

  static constexpr int closeness = 2;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Prospect& prospect(Side side, int cell) const { return prospects_[mossa::index(side)][at(cell)]; }
  static std::size_t index(Threat threat) { return static_cast<std::size_t>(threat); }
  const TableKey& hash(Side side, int cell) const { return hashes_[mossa::index(side)][at(cell)]; }

  static Threat made_by(int sum) {
    if (sum < 16) return sum ? Threat::three : Threat::none;
    return sum >= 1 << 12 ? Threat::win : sum >= 2 << 4 ? Threat::open_four : Threat::four;
  }

  template <class Use>
  void for_each_close(int cell, Use&& use) const {
    const int row = cell / cols_, col = cell % cols_;
    const int low = std::max(0, col - closeness), high = std::min(cols_ - 1, col + closeness);
    for (int r = std::max(0, row - closeness); r <= std::min(rows_ - 1, row + closeness); ++r)
      for (int c = low; c <= high; ++c) use(r * cols_ + c);
  }

  /// Where a cell lies in the line that has this direction.
  struct Spot {
    std::size_t word;  // the first of the line
    int bit;
  };
  Spot spot(int direction, int cell) const {
    const int row = cell / cols_, col = cell % cols_;
    int line = 0, bit = col;
    switch (direction) {
      case 0:
        line = row;
        break;
      case 1:
        line = rows_ + col, bit = row;
        break;
      case 2:
        line = rows_ + cols_ + row - col + cols_ - 1;
        break;
      default:
        line = 2 * (rows_ + cols_) - 1 + row + col, bit = row;
        break;
    }
    return {at(line) * at(words_per_line_), bit};
  }
  void set_bit(Side side, int direction, int cell, bool on) {
    const Spot spot = this->spot(direction, cell);
    const int bit = spot.bit + rule_.reach();
    std::uint64_t& word = lines_[mossa::index(side)][spot.word + at(bit / 64)];
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    word = on ? word | mask : word & ~mask;
  }

  /// 64 bits of a line, from any bit.
  static std::uint64_t bits_from(const std::uint64_t* line, int bit) {
    const std::uint64_t low = line[bit / 64], high = line[bit / 64 + 1];
    const int shift = bit % 64;
    return shift ? low >> shift | high << (64 - shift) : low;
  }

  /// The cells around one in a line, as a side sees them. What is not on the board is set for both sides.
  template <int Words>
  View<Words> view(Side side, const Spot& spot) const {
    std::array<std::uint64_t, Words> own, blocked;
    for (int w = 0; w < Words; ++w) {
      const std::uint64_t mine = bits_from(&lines_[mossa::index(side)][spot.word], spot.bit + 64 * w);
      blocked[at(w)] = bits_from(&lines_[mossa::index(other(side))][spot.word], spot.bit + 64 * w);
      own[at(w)] = mine & ~blocked[at(w)];
    }
    return {BitSet<Words>(own), BitSet<Words>(blocked)};
  }

  PatternCode code_at(Side side, const Spot& spot) const {
    if (rule_.reach() > PatternRule::narrow_reach) {
      const View<4> wide = view<4>(side, spot);
      return rule_.compute(wide.own, wide.blocked);
    }
    return rule_.codes(bits_from(&lines_[0][spot.word], spot.bit),
                       bits_from(&lines_[1][spot.word], spot.bit))[mossa::index(side)];
  }

  struct Room {
    int low, high;  // cells on either side of one, up to the edges
  };
  Room room(int direction, int cell) const {
    const int row = cell / cols_, col = cell % cols_;
    const int left = col, right = cols_ - 1 - col, below = row, above = rows_ - 1 - row;
    switch (direction) {
      case 0:
        return {left, right};
      case 1:
        return {below, above};
      case 2:
        return {std::min(below, left), std::min(above, right)};
      default:
        return {std::min(below, right), std::min(above, left)};
    }
  }
  PatternCode code_on_empty_board(int direction, int cell) const {
    const Room room = this->room(direction, cell);
    if (room.low + room.high + 1 < rule_.k()) return {};
    return rule_.k() <= 3 ? code_at(Side::first, spot(direction, cell)) : PatternCode(rule_.k() - 1, 1);
  }

  /// Looks again at the cells that a change of `cell` may concern.
  void refresh(int direction, int cell) {
    const Room room = this->room(direction, cell);
    const Spot spot = this->spot(direction, cell);
    const int reach = rule_.reach();
    // Where one word holds the views of all these cells, it is read once.
    const int from = std::max(0, spot.bit - reach);
    const bool narrow = 4 * reach < 64;
    const std::uint64_t first = narrow ? bits_from(&lines_[0][spot.word], from) : 0;
    const std::uint64_t second = narrow ? bits_from(&lines_[1][spot.word], from) : 0;
    const auto codes_at = [&](int away, const std::array<bool, 2>& sees) {
      const int bit = spot.bit + away;
      if (narrow) return rule_.codes(first >> (bit - from), second >> (bit - from));
      std::array<PatternCode, 2> codes;
      for (const Side side : {Side::first, Side::second})
        if (sees[mossa::index(side)]) codes[mossa::index(side)] = code_at(side, {spot.word, bit});
      return codes;
    };
    walk(direction, cell, -std::min(room.low, reach), codes_at);
    walk(direction, cell, std::min(room.high, reach), codes_at);
  }

  /// Looks at the cells on one side of a changed one. Who has no row across a cell sees nothing behind it.
  template <class CodesAt>
  void walk(int direction, int cell, int end, const CodesAt& codes_at) {
    if (end == 0) return;
    const int sign = end < 0 ? -1 : 1, step = steps_[at(direction)];
    std::array<bool, 2> sees{true, true};
    for (int i = sign; i != end + sign; i += sign) {
      const int other_cell = cell + i * step;
      if (const std::uint8_t stone = stones_[at(other_cell)]) {
        sees[at(2 - stone)] = false;
        if (!sees[0] && !sees[1]) return;
        continue;
      }
      look(sees, direction, other_cell, codes_at(i, sees));
    }
  }

  void look(const std::array<bool, 2>& sees, int direction, int cell, const std::array<PatternCode, 2>& now) {
    for (const Side side : {Side::first, Side::second}) {
      const std::size_t s = mossa::index(side);
      const Prospect& prospect = prospects_[s][at(cell)];
      if (!sees[s] || now[s] == prospect.codes[at(direction)]) continue;
      changes_.push_back({static_cast<std::uint16_t>(cell), static_cast<std::uint8_t>(s << 2 | at(direction)),
                          prospect.codes[at(direction)], prospect.score, prospect.appeal, prospect.sum,
                          prospect.shape});
      change(side, direction, cell, now[s]);
    }
  }

  void forget_values(std::size_t s, int cell) {
    const Prospect& prospect = prospects_[s][at(cell)];
    const PatternWeights::ShapeWorth& worth = weights_.of_shape(prospect.shape);
    int alone = 0;
    for (const PatternCode code : prospect.codes) alone += weights_[code].alone;
    values_[s][0] -= alone + worth.to_move;
    values_[s][1] -= alone + worth.waiting;
  }

  void change(Side side, int direction, int cell, PatternCode now) {
    const std::size_t s = mossa::index(side);
    Prospect& prospect = prospects_[s][at(cell)];
    PatternCode& code = prospect.codes[at(direction)];
    const PatternWeights::Worth &after = weights_[now], &before = weights_[code];
    prospect.score += after.move - before.move;
    prospect.appeal += after.appeal - before.appeal;
    totals_[s] += after.move - before.move;
    const PatternWeights::ShapeWorth& was = weights_.of_shape(prospect.shape);
    prospect.shape = static_cast<std::uint16_t>(prospect.shape + after.shape - before.shape);
    const PatternWeights::ShapeWorth& is = weights_.of_shape(prospect.shape);
    values_[s][0] += after.alone - before.alone + is.to_move - was.to_move;
    values_[s][1] += after.alone - before.alone + is.waiting - was.waiting;
    const std::uint16_t sum = prospect.sum;
    prospect.sum = static_cast<std::uint16_t>(sum + parts_[now.number()] - parts_[code.number()]);
    code = now;
    sort(s, cell, made_by(sum), made_by(prospect.sum));
  }

  void undo(const Change& last) {
    const std::size_t s = last.line >> 2;
    Prospect& prospect = prospects_[s][last.cell];
    sort(s, last.cell, made_by(prospect.sum), made_by(last.sum));
    prospect.codes[last.line & 3] = last.code;
    prospect.score = last.score;
    prospect.appeal = last.appeal;
    prospect.sum = last.sum;
    prospect.shape = last.shape;
  }

  /// Moves a cell between the sets of cells by what they make.
  void sort(std::size_t s, int cell, Threat made, Threat makes) {
    if (made == makes) return;
    if (made != Threat::none) makers_[s][index(made)].remove(cell);
    if (makes != Threat::none) makers_[s][index(makes)].add(cell);
  }

  int rows_, cols_, cells_;
  const PatternRule& rule_;
  PatternWeights weights_;
  std::array<int, directions> steps_;  // between cells: row, column, rising, falling (read upwards)
  int words_per_line_;
  std::array<std::uint16_t, PatternCode::count> parts_;  // what codes add to the sum of a cell

  std::array<std::vector<std::uint64_t>, 2> lines_;  // by side; set: a stone of it, or not on the board
  std::vector<std::uint8_t> stones_;                 // 0, or the side + 1
  std::vector<std::uint8_t> close_;                  // stones within two
  std::array<std::vector<Prospect>, 2> prospects_;   // by side and cell; of empty cells
  std::array<int, 2> totals_{};
  std::array<std::array<int, 2>, 2> values_{};  // by side: to move, waiting
  std::array<std::array<CellSet, 5>, 2> makers_;
  CellSet empty_, near_;
  std::array<std::vector<TableKey>, 2> hashes_;
  TableKey key_;
  std::vector<Change> changes_;
  std::vector<Placed> placed_;
};

}  // namespace mossa
