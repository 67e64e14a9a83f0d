// connect: drop a stone into a column, where it falls to the lowest empty cell; k in a line wins.
//
// Connect 4 is connect:6x7x4: 6 rows, 7 columns, 4 in a row.
#pragma once

#include "lines.hpp"

namespace mossa {

template <int Words>
class Connect : public LinesGame<Connect<Words>, Words> {
  using Base = LinesGame<Connect<Words>, Words>;

 public:
  using typename Base::Position;
  static constexpr Traits traits{.lines = true, .falls = true};
  static constexpr int max_moves = std::min(Words * 32, 100);  // two bits a column at least

  Connect(int rows, int cols, int k) : Base(Grid::by_columns(rows, cols), k, false) {
    for (int col = 0; col < cols; ++col) top_row_.set(this->grid().bit(rows - 1, col));
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (this->is_over(position)) return list;
    const BitSet<Words> occupied = position.occupied();
    for (int col = 0; col < this->grid().cols; ++col)
      if (!occupied.test(this->grid().bit(this->grid().rows - 1, col))) list.add(Move::number(col + 1));
    return list;
  }

  /// Any legal move, all alike; the game must not be over.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    const BitSet<Words> occupied = position.occupied();
    while (true) {
      const int col = random.below(this->grid().cols);
      if (!occupied.test(this->grid().bit(this->grid().rows - 1, col))) return Move::number(col + 1);
    }
  }

  int count_moves(const Position& position) const {
    return this->is_over(position) ? 0 : top_row_.without(position.occupied()).count();
  }

  void play(Position& position, Move move) const { this->place(position, landing(position, move)); }

  /// The bit that a stone played as `move` takes.
  int landing(const Position& position, Move move) const {
    const int col = move.number() - 1;
    return this->grid().bit(height(position, col), col);
  }

  /// True if the next stone may take this empty cell.
  bool can_place(const Position& position, int bit) const {
    const Cell cell = this->grid().cell(bit);
    return cell.row == height(position, cell.col);
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (auto over = this->refusal_when_over(position)) return over;
    if (!move.is_number() || move.number() < 1 || move.number() > this->grid().cols)
      return "there is no such column; a move is " + accepted_moves();
    if (height(position, move.number() - 1) == this->grid().rows) return "column " + move.text() + " is full";
    return {};
  }

  std::string accepted_moves() const {
    return this->grid().cols == 1 ? "column 1" : "a column, 1 to " + std::to_string(this->grid().cols);
  }
  std::size_t move_length(std::string_view word) const { return number_length(word, this->grid().cols); }
  int centre_rank(Move move) const { return -Base::off_centre(move.number() - 1, this->grid().cols); }

  int symmetries() const { return 2; }

  std::optional<Cell> unsupported(const Position& position) const {
    const BitSet<Words> occupied = position.occupied();
    for (int col = 0; col < this->grid().cols; ++col)
      for (int row = height(position, col); row < this->grid().rows; ++row)
        if (occupied.test(this->grid().bit(row, col))) return Cell{row, col};
    return {};
  }

  bool can_be_last(const Position& position, int bit) const {
    const Cell cell = this->grid().cell(bit);
    return cell.row == height(position, cell.col) - 1;
  }

  int height(const Position& position, int col) const {
    return position.occupied().count(this->grid().bit(0, col), this->grid().rows);
  }

 private:
  BitSet<Words> top_row_;
};

MakeSolver make_connect_solver;  // of solve/connect.cpp

struct ConnectFamily {
  static const KindInfo& info() {
    static const KindInfo info{
        "connect",
        "drop stones into columns; k in a row wins",
        {{"rows", 1, 100}, {"cols", 1, 100}, {"k", 1, 100}},
        {},
        {{"connect4", "6x7x4", "Connect 4", "four in a row, the discs fall to the bottom", "44353"}},
        make_connect_solver};
    return info;
  }

  template <class Use>
  static auto make(const GameSpec& spec, const Options&, Use&& use) {
    check_k(spec, info());
    const int rows = spec.sizes[0], cols = spec.sizes[1], k = spec.sizes[2];
    return with_words(Grid::by_columns(rows, cols).bits(),
                      [&]<int Words>() { return use(Connect<Words>(rows, cols, k)); });
  }
};

}  // namespace mossa
