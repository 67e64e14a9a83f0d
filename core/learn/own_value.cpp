#include "own_value.hpp"

#include "../evaluate/gravity_value.hpp"
#include "../evaluate/pattern_board.hpp"

namespace mossa {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class ByPatterns final : public OwnValue {
 public:
  ByPatterns(const NetworkGame& game, int rows, int cols)
      : rule_(game.size, game.rules == "exact=yes"), board_(rows, cols, rule_) {}

  void set_up(const StonesByCell& stones, Side, std::optional<int>) override {
    board_.clear();
    for (int cell = 0; cell < board_.cells(); ++cell)
      if (const int stone = stones[at(cell)]) board_.put(cell, static_cast<Side>(stone - 1));
  }
  void put(int cell, Side side) override { board_.put(cell, side); }
  void take() override { board_.take(); }
  int value(Side to_move) override { return board_.value(to_move) * 1000 / PatternWeights::logarithm; }

 private:
  PatternRule rule_;
  PatternBoard board_;
};

class ByGravity final : public OwnValue {
 public:
  ByGravity(const NetworkGame& game, int rows, int cols)
      : board_(rows, cols, game.size, gravity_window_weights(game.size)), value_(board_) {}

  void set_up(const StonesByCell& stones, Side to_move, std::optional<int> last) override {
    std::vector<std::vector<Side>> columns(at(board_.cols()));
    for (int cell = 0; cell < board_.cells(); ++cell)
      if (const int stone = stones[at(cell)]; stone && cell != last)
        columns[at(cell % board_.cols())].push_back(static_cast<Side>(stone - 1));
    board_.set_up(columns, last ? other(to_move) : to_move);
    if (last) put(*last, other(to_move));
  }
  void put(int cell, Side) override { board_.put(cell % board_.cols()); }
  void take() override { board_.take(); }
  int value(Side) override { return value_.value() * 1000 / gravity_logarithm; }

 private:
  GravityBoard board_;
  GravityValue value_;
};

}  // namespace

std::unique_ptr<OwnValue> OwnValue::of(const NetworkGame& game, int rows, int cols) {
  if (game.falls) return std::make_unique<ByGravity>(game, rows, cols);
  return std::make_unique<ByPatterns>(game, rows, cols);
}

}  // namespace mossa
