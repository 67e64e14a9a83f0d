// breakthrough: race a piece to the far row (Dan Troyka, 2000).
//
// Each side begins with its two nearest rows full, and first moves up the board. A piece moves one row
// ahead, straight or diagonally, onto an empty cell; onto an opposing piece only diagonally, which captures
// it. Whoever reaches the far row or captures the last opposing piece wins. There is always a move: nothing
// of the own side stands in front of the foremost piece, so one of its diagonals is free. There are no draws.
//
// A cell is one bit, in reading order from the bottom, so moving ahead is a shift by a row, and the outer
// columns are masked before a diagonal step, lest it wrap around the edge:
//
//     8  9 10 11
//     4  5  6  7        4 columns
//     0  1  2  3
#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include "../bitboard.hpp"
#include "../game.hpp"

namespace mossa {

template <int Words>
class Breakthrough {
 public:
  using Cellset = BitSet<Words>;

  struct Position {
    std::array<Cellset, 2> pieces;  // by side
    // Side and status in one word: a copy made right after a narrower write would stall.
    std::uint64_t turn = 0;

    Side side() const { return static_cast<Side>(turn & 1); }
    bool over() const { return turn >> 1 & 1; }  // won by the side that moved last
    void set(Side side, bool over) { turn = static_cast<std::uint64_t>(side) | std::uint64_t{over} << 1; }
  };

  static constexpr Traits traits{};
  static constexpr int longest_side = 16;
  static constexpr int max_moves = 2 * longest_side * 3;  // two rows of pieces, three ways to go
  static constexpr int key_words = 2 * Words + 1;

  Breakthrough(int rows, int cols) : rows_(rows), cols_(cols) {
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) {
        if (col > 0) not_leftmost_.set(bit({row, col}));
        if (col < cols - 1) not_rightmost_.set(bit({row, col}));
        for (const Side side : {Side::first, Side::second})
          if (steps_taken({row, col}, side) == rows - 1) goal_[index(side)].set(bit({row, col}));
      }
  }

  Position start() const {
    Position position;
    for (int row = 0; row < 2; ++row)
      for (int col = 0; col < cols_; ++col) {
        position.pieces[0].set(bit({row, col}));
        position.pieces[1].set(bit({rows_ - 1 - row, col}));
      }
    return position;
  }

  Side side(const Position& position) const { return position.side(); }
  bool is_over(const Position& position) const { return position.over(); }

  /// +1 or -1 for the first side; 0 while the game goes on.
  int value(const Position& position) const {
    if (!position.over()) return 0;
    return position.side() == Side::second ? 1 : -1;
  }

  Outcome outcome(const Position& position) const {
    const Side winner = other(position.side());
    const bool arrived = (position.pieces[index(winner)] & goal_[index(winner)]).any();
    return {winner, value(position),
            arrived ? "a piece has reached the far row" : "the last piece was captured"};
  }

  /// Pieces, and more the further they have come: the last rows decide a race.
  int estimate(const Position& position) const {
    constexpr int per_piece = 100, per_step = 2;
    int sum = 0;
    for (const Side side : {Side::first, Side::second})
      position.pieces[index(side)].for_each([&](int at) {
        const int steps = steps_taken(cell(at), side);
        sum += (side == Side::first ? 1 : -1) * (per_piece + per_step * steps * steps);
      });
    return sum;
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (position.over()) return list;
    const Side side = position.side();
    const Cellset& own = position.pieces[index(side)];
    const Cellset blocked = own | position.pieces[index(other(side))];
    own.for_each([&](int at) {
      const Cell source = cell(at);
      for (int right = -1; right <= 1; ++right) {
        const Cell target{source.row + ahead(side), source.col + right};
        if (target.col < 0 || target.col >= cols_) continue;
        if (!(right == 0 ? blocked : own).test(bit(target))) list.add(Move::step(source, target));
      }
    });
    return list;
  }

  int count_moves(const Position& position) const {
    if (position.over()) return 0;
    int count = 0;
    for (const Cellset& reached : targets(position)) count += reached.count();
    return count;
  }

  /// A random legal move, each equally likely; the game must not be over.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    const std::array<Cellset, 3> reached = targets(position);
    const int left = reached[0].count(), ahead_too = left + reached[1].count();
    int n = random.below(ahead_too + reached[2].count());
    const int right = (n >= left) + (n >= ahead_too) - 1;
    n -= right < 0 ? 0 : right == 0 ? left : ahead_too;
    const Cell target = cell(reached[static_cast<std::size_t>(right + 1)].nth(n));
    return Move::step({target.row - ahead(position.side()), target.col - right}, target);
  }

  void play(Position& position, Move move) const {
    const Side side = position.side();
    Cellset& own = position.pieces[index(side)];
    Cellset& opposing = position.pieces[index(other(side))];
    own.reset(bit(move.source()));
    own.set(bit(move.target()));
    opposing.reset(bit(move.target()));
    position.set(other(side), goal_[index(side)].test(bit(move.target())) || !opposing.any());
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (position.over()) return "the game is over (" + outcome(position).text() + ")";
    if (!move.is_step() || !contains(move.source()) || !contains(move.target()))
      return "it is not on the board; a move is " + accepted_moves();
    const Side side = position.side();
    const Cellset& own = position.pieces[index(side)];
    const Cell source = move.source(), target = move.target();
    const std::string from = Move::cell(source.row, source.col).text();
    const std::string to = Move::cell(target.row, target.col).text();
    if (!own.test(bit(source))) return std::string(name(side)) + " has no piece on " + from;
    const int aside = std::abs(target.col - source.col);
    if (target.row != source.row + ahead(side) || aside > 1)
      return "a piece moves one row ahead, straight or diagonally";
    if (own.test(bit(target))) return to + " is taken by a piece of the same side";
    if (aside == 0 && position.pieces[index(other(side))].test(bit(target)))
      return to + " is taken; pieces capture only diagonally";
    return {};
  }

  Key<key_words> key(const Position& position) const {
    return join(position.pieces[0], position.pieces[1], static_cast<std::uint64_t>(position.side()));
  }

  /// The board as the side to move sees it, or its mirror image, whichever comes first.
  Key<key_words> canonical_key(const Position& position) const {
    const bool turned = position.side() == Side::second;
    const auto image = [&](bool mirrored) {
      std::array<Cellset, 2> seen;
      for (std::size_t s = 0; s < 2; ++s)
        position.pieces[s].for_each([&](int at) {
          const Cell from = cell(at);
          const int row = turned ? rows_ - 1 - from.row : from.row;
          seen[turned ? 1 - s : s].set(bit({row, mirrored ? cols_ - 1 - from.col : from.col}));
        });
      return join(seen[0], seen[1], 0);
    };
    return std::min(image(false), image(true));
  }

  Cells cells(const Position& position) const {
    Cells cells(static_cast<std::size_t>(rows_), std::vector<int>(static_cast<std::size_t>(cols_)));
    for (std::size_t s = 0; s < 2; ++s)
      position.pieces[s].for_each([&](int at) {
        const Cell here = cell(at);
        cells[static_cast<std::size_t>(here.row)][static_cast<std::size_t>(here.col)] =
            static_cast<int>(s) + 1;
      });
    return cells;
  }

  std::optional<Cell> source(const Position&, Move move) const { return move.source(); }
  std::optional<Cell> target(const Position&, Move move) const { return move.target(); }

  /// The piece that arrived, if one did.
  std::vector<Cell> winning_cells(const Position& position) const {
    std::vector<Cell> arrived;
    for (std::size_t s = 0; s < 2; ++s)
      (position.pieces[s] & goal_[s]).for_each([&](int at) { arrived.push_back(cell(at)); });
    return arrived;
  }

  /// Rows from the top, separated by '/': '.' empty, 'x' the first side, 'o' the second; then the side to
  /// move.
  std::string text(const Position& position) const {
    std::string text;
    for (int row = rows_ - 1; row >= 0; --row) {
      for (int col = 0; col < cols_; ++col)
        text += position.pieces[0].test(bit({row, col}))   ? 'x'
                : position.pieces[1].test(bit({row, col})) ? 'o'
                                                           : '.';
      text += row ? '/' : ' ';
    }
    return text + std::string(name(position.side()));
  }

  /// The inverse of `text`. Refuses too many pieces, and winners that did not move last.
  Position parse(std::string_view text) const {
    const auto fail = [&](const std::string& why) {
      return InvalidPositionError("invalid position " + quote(text) + ": " + why);
    };
    const std::string shape = std::to_string(rows_) + " rows of " + std::to_string(cols_) +
                              " cells ('.', 'x', 'o'), the top row first, separated by '/', then a space and "
                              "the side to move, first or second";
    const auto board = static_cast<std::size_t>(rows_ * (cols_ + 1));
    if (text.size() < board) throw fail("expected " + shape);
    const std::string_view mover = text.substr(board);
    if (mover != "first" && mover != "second") throw fail("expected " + shape);
    Position position;
    for (std::size_t i = 0; i < board; ++i) {
      const int place = static_cast<int>(i), row = rows_ - 1 - place / (cols_ + 1), col = place % (cols_ + 1);
      const char c = text[i], between = i + 1 == board ? ' ' : '/';
      if (col == cols_ ? c != between : c != '.' && c != 'x' && c != 'o')
        throw fail("character " + std::to_string(i + 1) + " is wrong; expected " + shape);
      if (c == 'x' || c == 'o') position.pieces[c == 'o'].set(bit({row, col}));
    }
    const Side side = mover == "first" ? Side::first : Side::second;
    for (const Side each : {Side::first, Side::second}) {
      const Cellset& own = position.pieces[index(each)];
      if (own.count() > 2 * cols_)
        throw fail(std::string(name(each)) + " has " + std::to_string(own.count()) +
                   " pieces; it starts with " + std::to_string(2 * cols_));
      const bool has_won = (own & goal_[index(each)]).any() || !position.pieces[index(other(each))].any();
      if (has_won && each == side)
        throw fail(std::string(name(each)) + " has won, but the other side has moved since");
      if ((own & goal_[index(each)]).count() > 1)
        throw fail(std::string(name(each)) + " has more than one piece on the far row");
    }
    const Cellset& last = position.pieces[index(other(side))];
    position.set(side, (last & goal_[index(other(side))]).any() || !position.pieces[index(side)].any());
    return position;
  }

  std::string accepted_moves() const { return "the cell of a piece and the cell it goes to, such as a2b3"; }
  std::size_t move_length(std::string_view word) const {
    const std::size_t source = Move::cell_length(word);
    return source + Move::cell_length(word.substr(source));
  }
  int centre_rank(Move move) const { return -std::abs(2 * move.target().col + 1 - cols_); }

  /// Pieces on the board.
  int left_to_play(const Position& position) const {
    return position.pieces[0].count() + position.pieces[1].count();
  }

 private:
  int bit(Cell cell) const { return cell.row * cols_ + cell.col; }
  Cell cell(int bit) const { return {bit / cols_, bit % cols_}; }
  bool contains(Cell cell) const { return cell.row < rows_ && cell.col < cols_; }
  static int ahead(Side side) { return side == Side::first ? 1 : -1; }
  int steps_taken(Cell cell, Side side) const {
    return side == Side::first ? cell.row : rows_ - 1 - cell.row;
  }

  /// The pieces one row ahead, `right` columns to the right.
  Cellset forward(const Cellset& pieces, Side side, int right) const {
    return side == Side::first ? pieces << (cols_ + right) : pieces >> (cols_ - right);
  }

  /// Where a move can end: one column to the left, straight ahead, one column to the right.
  std::array<Cellset, 3> targets(const Position& position) const {
    const Side side = position.side();
    const Cellset& own = position.pieces[index(side)];
    const Cellset& opposing = position.pieces[index(other(side))];
    return {forward(own & not_leftmost_, side, -1).without(own),
            forward(own, side, 0).without(own | opposing),
            forward(own & not_rightmost_, side, 1).without(own)};
  }

  static Key<key_words> join(const Cellset& first, const Cellset& second, std::uint64_t rest) {
    Key<key_words> joined;
    std::ranges::copy(first.words(), joined.begin());
    std::ranges::copy(second.words(), joined.begin() + Words);
    joined.back() = rest;
    return joined;
  }

  int rows_, cols_;
  Cellset not_leftmost_, not_rightmost_;
  std::array<Cellset, 2> goal_;  // the far row of either side
};

struct BreakthroughFamily {
  static const KindInfo& info() {
    static const KindInfo info{
        "breakthrough",
        "race a piece to the far row",
        {{"rows", 4, Breakthrough<1>::longest_side}, {"cols", 2, Breakthrough<1>::longest_side}},
        {},
        {{"breakthrough", "8x8", "Breakthrough", "race a piece to the far row", "d2d3 e7e6 c2c3"}}};
    return info;
  }

  template <class Use>
  static auto make(const GameSpec& spec, const Options&, Use&& use) {
    const int rows = spec.sizes[0], cols = spec.sizes[1];
    return rows * cols <= 64 ? use(Breakthrough<1>(rows, cols)) : use(Breakthrough<4>(rows, cols));
  }
};

}  // namespace mossa
