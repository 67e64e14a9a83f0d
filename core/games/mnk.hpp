// mnk: put a stone on any empty cell; k in a row, a column or a diagonal wins.
//
// Tic-tac-toe is mnk:3x3x3, Gomoku mnk:15x15x5. With exact=yes only a run of exactly k wins, as in
// standard Gomoku tournaments.
#pragma once

#include "lines.hpp"

namespace mossa {

template <int Words>
class Mnk : public LinesGame<Mnk<Words>, Words> {
  using Base = LinesGame<Mnk<Words>, Words>;

 public:
  using typename Base::Position;
  static constexpr Traits traits{.lines = true};
  static constexpr int max_moves = std::min(Words * 64, 100 * 100);

  Mnk(int rows, int cols, int k, bool exact) : Base(Grid::by_rows(rows, cols), k, exact) {
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) {
        const int bit = this->grid().bit(row, col);
        board_.set(bit);
        move_at_[static_cast<std::size_t>(bit)] = Move::cell(row, col);
      }
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (!this->is_over(position))
      board_.without(position.occupied()).for_each([&](int bit) {
        list.add(move_at_[static_cast<std::size_t>(bit)]);
      });
    return list;
  }

  /// A random legal move, each equally likely; the game must not be over. On a large board it tries random
  /// cells until one is empty, and lists the moves only if the board is nearly full.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    if constexpr (Words <= 4) {
      return nth_move(position, random.below(this->left_to_play(position)));
    } else {
      for (int tries = 0; tries < 8; ++tries) {
        const Move move = Move::cell(random.below(this->grid().rows), random.below(this->grid().cols));
        const int at = bit(move);
        if (!position.stones[0].test(at) && !position.stones[1].test(at)) return move;
      }
      const auto list = moves(position);
      return list[random.below(list.size())];
    }
  }

  /// Plays a random_move.
  template <class Random>
  void play_random(Position& position, Random& random) const
    requires(Words <= 4)
  {
    this->place(position,
                board_.without(position.occupied()).nth(random.below(this->left_to_play(position))));
  }

  /// moves(position)[n], without the list.
  Move nth_move(const Position& position, int n) const
    requires(Words <= 4)
  {
    return move_at_[static_cast<std::size_t>(board_.without(position.occupied()).nth(n))];
  }

  int count_moves(const Position& position) const {
    return this->is_over(position) ? 0 : this->cell_count() - position.plies();
  }

  void play(Position& position, Move move) const { this->place(position, bit(move)); }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (auto over = this->refusal_when_over(position)) return over;
    if (!move.is_cell() || !this->grid().contains(move.row(), move.col()))
      return "it is not on the board; a move is " + accepted_moves();
    if (position.occupied().test(bit(move))) return "cell " + move.text() + " is taken";
    return {};
  }

  std::string accepted_moves() const {
    return "a cell, a1 to " + Move::cell(this->grid().rows - 1, this->grid().cols - 1).text();
  }
  std::size_t move_length(std::string_view word) const { return Move::cell_length(word); }
  int centre_rank(Move move) const {
    return -Base::off_centre(move.row(), this->grid().rows) - Base::off_centre(move.col(), this->grid().cols);
  }

  int symmetries() const { return this->grid().rows == this->grid().cols ? 8 : 4; }
  std::optional<Cell> unsupported(const Position&) const { return {}; }
  bool can_be_last(const Position&, int) const { return true; }

  int bit(Move move) const { return this->grid().bit(move.row(), move.col()); }
  /// The bit that a stone played as `move` takes.
  int landing(const Position&, Move move) const { return bit(move); }
  /// True if the next stone may take this empty cell.
  bool can_place(const Position&, int) const { return true; }

 private:
  BitSet<Words> board_;                                             // every cell
  std::array<Move, static_cast<std::size_t>(Words * 64)> move_at_;  // by bit
};

MakeSolver make_mnk_solver;  // of solve/mnk.cpp

struct MnkFamily {
  static const KindInfo& info() {
    static const KindInfo info{
        "mnk",
        "put k in a row on a rows x cols board",
        {{"rows", 1, 100}, {"cols", 1, 100}, {"k", 1, 100}},
        {Option::choice("exact", {"no", "yes"}, "only a row of exactly k wins; a longer row does not")},
        {{"tictactoe", "3x3x3", "Tic-tac-toe", "three in a row", "b2 a1 c3"},
         {"gomoku", "15x15x5", "Gomoku", "five in a row on a large board", "h8 i9 h9 h10 g8"}},
        make_mnk_solver};
    return info;
  }

  template <class Use>
  static auto make(const GameSpec& spec, const Options& options, Use&& use) {
    check_k(spec, info());
    const int rows = spec.sizes[0], cols = spec.sizes[1], k = spec.sizes[2];
    return with_words(Grid::by_rows(rows, cols).bits(),
                      [&]<int Words>() { return use(Mnk<Words>(rows, cols, k, options.yes("exact"))); });
  }
};

}  // namespace mossa
