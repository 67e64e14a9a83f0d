// clobber: capture a neighbour while you can; whoever cannot move loses (Albert, Grossman and Nowakowski, 2001).
//
// The board begins full, the colours alternating like those of a chessboard. A piece moves one cell up, down,
// left or right, only onto an opposing piece, which it captures. There are no draws. Cells are bits, in reading
// order from the bottom left.
#pragma once

#include <array>
#include <cstdlib>
#include <string>

#include "../bitboard.hpp"
#include "../game.hpp"

namespace mossa {

class Clobber {
 public:
  using Cellset = BitSet<1>;

  struct Position {
    std::array<Cellset, 2> pieces;  // by side
    std::uint64_t turn = 0;

    Side side() const { return static_cast<Side>(turn); }
  };

  static constexpr Traits traits{};
  static constexpr int longest_side = 8;
  static constexpr int max_moves = 4 * 64;
  static constexpr int key_words = 3;

  Clobber(int rows, int cols) : rows_(rows), cols_(cols) {}

  Position start() const {
    Position position;
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col) position.pieces[static_cast<std::size_t>((row + col) % 2)].set(bit({row, col}));
    return position;
  }

  Side side(const Position& position) const { return position.side(); }
  bool is_over(const Position& position) const { return count_moves(position) == 0; }

  int value(const Position& position) const {
    if (!is_over(position)) return 0;
    return position.side() == Side::second ? 1 : -1;
  }
  Outcome outcome(const Position& position) const {
    return {other(position.side()), value(position), std::string(name(position.side())) + " cannot move"};
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    position.pieces[index(position.side())].for_each([&](int at) {
      const Cell source = cell(at);
      for (const auto& [up, right] : neighbours) {
        const Cell target{source.row + up, source.col + right};
        if (contains(target) && position.pieces[index(other(position.side()))].test(bit(target)))
          list.add(Move::step(source, target));
      }
    });
    return list;
  }
  int count_moves(const Position& position) const { return static_cast<int>(moves(position).size()); }

  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    const auto list = moves(position);
    return list[random.below(list.size())];
  }

  void play(Position& position, Move move) const {
    const Side side = position.side();
    position.pieces[index(side)].reset(bit(move.source()));
    position.pieces[index(side)].set(bit(move.target()));
    position.pieces[index(other(side))].reset(bit(move.target()));
    position.turn = static_cast<std::uint64_t>(other(side));
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (is_over(position)) return "the game is over (" + outcome(position).text() + ")";
    for (const Move legal : moves(position))
      if (legal == move) return {};
    return "a piece moves onto an opposing neighbour; a move is " + accepted_moves();
  }

  Key<key_words> key(const Position& position) const {
    return {position.pieces[0].words()[0], position.pieces[1].words()[0], position.turn};
  }
  Key<key_words> canonical_key(const Position& position) const { return key(position); }

  Cells cells(const Position& position) const {
    Cells cells(static_cast<std::size_t>(rows_), std::vector<int>(static_cast<std::size_t>(cols_)));
    for (std::size_t s = 0; s < 2; ++s)
      position.pieces[s].for_each([&](int at) {
        cells[static_cast<std::size_t>(cell(at).row)][static_cast<std::size_t>(cell(at).col)] = static_cast<int>(s) + 1;
      });
    return cells;
  }

  std::optional<Cell> source(const Position&, Move move) const { return move.source(); }
  std::optional<Cell> target(const Position&, Move move) const { return move.target(); }
  std::vector<Cell> winning_cells(const Position&) const { return {}; }

  /// Rows from the top, separated by '/', then the side to move.
  std::string text(const Position& position) const {
    std::string text;
    for (int row = rows_ - 1; row >= 0; --row) {
      for (int col = 0; col < cols_; ++col)
        text += position.pieces[0].test(bit({row, col})) ? 'x' : position.pieces[1].test(bit({row, col})) ? 'o' : '.';
      text += row ? '/' : ' ';
    }
    return text + std::string(name(position.side()));
  }

  Position parse(std::string_view text) const {
    const auto board = static_cast<std::size_t>(rows_ * (cols_ + 1));
    const std::string_view mover = text.size() > board ? text.substr(board) : std::string_view();
    bool good = mover == "first" || mover == "second";
    Position position;
    for (std::size_t i = 0; good && i < board; ++i) {
      const int place = static_cast<int>(i), row = rows_ - 1 - place / (cols_ + 1), col = place % (cols_ + 1);
      const char c = text[i], between = i + 1 == board ? ' ' : '/';
      good = col == cols_ ? c == between : c == '.' || c == 'x' || c == 'o';
      if (c == 'x' || c == 'o') position.pieces[c == 'o'].set(bit({row, col}));
    }
    if (!good)
      throw InvalidPositionError("invalid position " + quote(text) + ": expected " + std::to_string(rows_) + " rows of " +
                                 std::to_string(cols_) + " cells, the top row first, and the side to move");
    position.turn = mover == "second";
    return position;
  }

  std::string accepted_moves() const { return "the cells of a piece and of its neighbour, such as a1a2"; }
  std::size_t move_length(std::string_view word) const {
    const std::size_t source = Move::cell_length(word);
    return source + Move::cell_length(word.substr(source));
  }
  int centre_rank(Move) const { return 0; }
  int left_to_play(const Position& position) const {
    return position.pieces[0].count() + position.pieces[1].count();
  }

 private:
  static constexpr std::array<std::array<int, 2>, 4> neighbours{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

  int bit(Cell cell) const { return cell.row * cols_ + cell.col; }
  Cell cell(int bit) const { return {bit / cols_, bit % cols_}; }
  bool contains(Cell cell) const { return cell.row >= 0 && cell.row < rows_ && cell.col >= 0 && cell.col < cols_; }

  int rows_, cols_;
};

struct ClobberFamily {
  static const KindInfo& info() {
    static const KindInfo info{"clobber",
                               "capture a neighbour while you can",
                               {{"rows", 2, Clobber::longest_side}, {"cols", 2, Clobber::longest_side}},
                               {},
                               {{"clobber", "5x6"}}};
    return info;
  }

  template <class Use>
  static auto make(const GameSpec& spec, const Options&, Use&& use) {
    return use(Clobber(spec.sizes[0], spec.sizes[1]));
  }
};

}  // namespace mossa
