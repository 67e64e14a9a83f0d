// Windows of k: a stretch of k cells in a line counts for the side that alone has stones in it, and more the
// more stones it holds.
//
// Two weightings. `windows`: a window with n stones is worth 4^(n-1); one stone more outweighs any three
// windows below it, about as many as a stone opens up. `scenarios`, the evaluation of the MNK report,
// weighs the ways to win (alignments.hpp) by the moves they still need, one to four; the report does not
// print its weights, these are ours. Whoever is to move and can win at once has won.
//
// A window is a way to win. So with exact=yes it does not count if a stone of its own side lies just before
// or behind it.
#pragma once

#include "lines.hpp"
#include "priority.hpp"

namespace mossa {

class WindowShape final : public LineShape {
 public:
  /// `weight_of(stones, k)` is what a window with so many stones is worth.
  WindowShape(int k, bool exact, int (*weight_of)(int stones, int k)) : k_(k), exact_(exact) {
    for (int stones = 0; stones <= k; ++stones) weights_.push_back(weight_of(stones, k));
    weights_.push_back(weights_.back());  // one stone more than k never happens, but may be asked for
  }

  void line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const override;

 private:
  int weight(int stones) const { return weights_[static_cast<std::size_t>(stones)]; }

  int k_;
  bool exact_;
  std::vector<int> weights_;
};

inline int stone_weight(int stones, int /*k*/) {
  constexpr int most = 14;  // 40,000 windows of a 100x100 board stay below 2^30
  return stones == 0 ? 0 : 1 << std::min(2 * (stones - 1), most);
}

inline int scenario_weight(int stones, int k) {
  constexpr std::array<int, 5> by_moves_needed{1000, 200, 40, 8, 1};
  const int needed = k - stones;
  return stones == 0 || needed > 4 ? 0 : by_moves_needed[static_cast<std::size_t>(needed)];
}

/// Sums over the windows of a board.
template <Game G>
LineSums<G> window_sums(const G& game, int (*weight_of)(int stones, int k) = stone_weight) {
  return LineSums<G>(game, std::make_unique<WindowShape>(game.k(), game.exact(), weight_of));
}

template <Game G>
class Scenarios final : public Evaluator<G> {
 public:
  using typename Evaluator<G>::Position;
  using typename Evaluator<G>::Moves;
  static constexpr int won = 100'000'000;  // more than the ways to win of any board together

  explicit Scenarios(const G& game) : game_(game), sums_(window_sums(game, scenario_weight)) {}

  void reset(const Position& root, Side searcher) override { sums_.reset(root, searcher); }
  void play(const Position& before, Move move) override { sums_.play(before, move); }
  void undo() override { sums_.undo(); }

  int value(const Position& position) override {
    return wins_at_once(position, winning(position)) ? won : sums_.value(position);
  }
  int value_after(const Position& before, Move move, const Position& after) override {
    return wins_at_once(after, winning(after)) ? won : sums_.value_after(before, move, after);
  }
  void rank(const Position& position, const Moves& moves, Successors<G>& successors,
            std::span<int> ranks) override {
    sums_.rank(position, moves, successors, ranks);
    // A stone of the mover does not change what completes a row of the other side's, but may lie there.
    const auto threats = completing_cells(game_, position, other(game_.side(position)));
    if (!threats.any()) return;
    successors.make(game_, position, moves);
    for (int i = 0; i < moves.size(); ++i)
      if (wins_at_once(successors[i], threats)) ranks[static_cast<std::size_t>(i)] = -won;
  }

 private:
  auto winning(const Position& position) const {
    return completing_cells(game_, position, game_.side(position));
  }

  /// True if the side to move can put a stone on one of the cells that complete a row of its own.
  template <class Bits>
  bool wins_at_once(const Position& position, const Bits& completing) const {
    bool wins = false;
    completing.without(position.occupied()).for_each([&](int bit) {
      const Cell cell = game_.grid().cell(bit);
      wins = wins || (game_.grid().contains(cell.row, cell.col) && game_.can_place(position, bit) &&
                      priorities_.wins(position, bit));
    });
    return wins;
  }

  const G& game_;
  LineSums<G> sums_;
  Priorities<G> priorities_{game_};
};

}  // namespace mossa
