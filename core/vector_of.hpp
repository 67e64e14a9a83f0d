// Many games of one kind with the type of their rules: what stands behind the handle of vector.hpp.
//
// The build writes one file for each game that includes this. Line games have ways of their own to see planes
// and legal actions, straight from their bits; all others are asked what every game can tell.
#pragma once

#include <algorithm>
#include <cstring>

#include "games/lines.hpp"
#include "vector.hpp"

namespace mossa {

template <Game G>
class VectorOf final : public AnyVector {
 public:
  VectorOf(std::shared_ptr<const AnyGame> game, Encoding encoding, const VectorSettings& settings, G rules)
      : AnyVector(std::move(game), std::move(encoding), settings),
        rules_(std::move(rules)),
        positions_(count(), rules_.start()) {
    if constexpr (LineGame<G>) {
      const Grid& grid = rules_.grid();
      place_.resize(static_cast<std::size_t>(grid.bits()));
      for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col)
          place_[static_cast<std::size_t>(grid.bit(row, col))] = row * grid.cols + col;
    }
  }

 private:
  using Position = typename G::Position;
  using Number = std::conditional_t<G::traits.shape == Shape::pits, std::int16_t, std::int8_t>;

  void start(std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i) {
      begin_game(i);
      moved()[i] = to_move()[i];
      rewards()[i] = 0;
      ended()[i] = false;
      show(i);
    }
  }

  std::size_t find_illegal(std::span<const std::int64_t> actions, std::size_t begin,
                           std::size_t end) const override {
    for (std::size_t i = begin; i < end; ++i)
      if (rules_.refusal(positions_[i], encoding().move(static_cast<int>(actions[i])))) return i;
    return end;
  }

  void play(std::span<const std::int64_t> actions, std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i) {
      Position& position = positions_[i];
      const Side mover = rules_.side(position);
      rules_.play(position, encoding().move(static_cast<int>(actions[i])));
      const bool over = rules_.is_over(position);
      moved()[i] = static_cast<std::int8_t>(mover);
      ended()[i] = over;
      rewards()[i] = over ? reward(rules_.value(position), mover) : 0;
      if (over)
        begin_game(i);
      else
        to_move()[i] = static_cast<std::int8_t>(rules_.side(position));
      show(i);
    }
  }

  void choose(std::span<std::int64_t> actions, std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i)
      actions[i] = encoding().action(rules_.random_move(positions_[i], chance_[i]));
  }

  std::string refusal(std::size_t game, Move move) const override {
    return rules_.refusal(positions_[game], move).value_or("");
  }
  std::vector<Move> moves(std::size_t game) const override {
    const auto list = rules_.moves(positions_[game]);
    return {list.begin(), list.end()};
  }
  std::string board_text(std::size_t game) const override { return rules_.text(positions_[game]); }

  /// Of the side that moved: +1, 0 or -1, the sign of the margin where one is counted.
  static float reward(int value, Side mover) {
    const int sign = (value > 0) - (value < 0);
    return static_cast<float>(mover == Side::first ? sign : -sign);
  }

  /// Random moves may end the game; then there is another try, with another number of them.
  void begin_game(std::size_t i) {
    Position& position = positions_[i];
    const int most_plies = static_cast<int>(settings().random_plies);
    do {
      position = rules_.start();
      if (most_plies == 0) break;
      Random& random = chance_[i];
      for (int left = random.below(most_plies + 1); left > 0 && !rules_.is_over(position); --left)
        rules_.play(position, rules_.random_move(position, random));
    } while (rules_.is_over(position));
    to_move()[i] = static_cast<std::int8_t>(rules_.side(position));
  }

  template <class Bits>
  bool column_is_open(const Bits& occupied, int col) const {
    const Grid& grid = rules_.grid();
    return !occupied.test(grid.bit(grid.rows - 1, col));
  }

  void show(std::size_t i) {
    if (settings().planes)
      show_planes(i, reinterpret_cast<Number*>(planes()) + i * encoding().plane_numbers());
    if (settings().masks)
      show_mask(positions_[i], masks() + i * static_cast<std::size_t>(encoding().actions()));
  }

  void show_planes(std::size_t i, Number* to) const {
    const Position& position = positions_[i];
    const Side side = rules_.side(position);
    if constexpr (LineGame<G>) {
      const auto cells = static_cast<std::size_t>(rules_.cell_count());
      std::memset(to, 0, 2 * cells * sizeof(Number));
      for (const Side whose : {side, other(side)}) {
        position.stones[index(whose)].for_each(
            [&](int bit) { to[place_[static_cast<std::size_t>(bit)]] = 1; });
        to += cells;
      }
    } else {
      encoding().write(rules_.cells(position), side, to);
    }
  }

  void show_mask(const Position& position, bool* mask) const {
    const auto actions = static_cast<std::size_t>(encoding().actions());
    if constexpr (FallingGame<G>) {
      const auto occupied = position.occupied();
      for (std::size_t col = 0; col < actions; ++col)
        mask[col] = column_is_open(occupied, static_cast<int>(col));
    } else if constexpr (LineGame<G>) {
      std::memset(mask, 1, actions);
      for (const auto& stones : position.stones)
        stones.for_each([&](int bit) { mask[place_[static_cast<std::size_t>(bit)]] = false; });
    } else {
      std::memset(mask, 0, actions);
      for (const Move move : rules_.moves(position)) mask[encoding().action(move)] = true;
    }
  }

  G rules_;
  std::vector<Position> positions_;
  std::vector<int> place_;  // of line games: the place in a plane, by bit
};

/// Many games of this family, as `game` is one.
template <class Family>
std::shared_ptr<AnyVector> make_vector_of(const AnyGame& game, const VectorSettings& settings,
                                          const Encoding& encoding) {
  const KindInfo& info = Family::info();
  const Options options = Options::check<InvalidGameError>(game.spec().options, info.options, info.name);
  return Family::make(game.spec(), options, [&](auto rules) -> std::shared_ptr<AnyVector> {
    return std::make_shared<VectorOf<decltype(rules)>>(game.shared_from_this(), encoding, settings,
                                                       std::move(rules));
  });
}

}  // namespace mossa
