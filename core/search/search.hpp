// What every search has in common: values, depths, and the best line.
//
// Values are whole numbers for the side to move. Where a game is won, drawn or lost, a win is worth
// `win_value` less the plies it takes, so that quick wins come first and losses are put off; where a margin
// is played for, values are margins.
#pragma once

#include <atomic>
#include <limits>

#include "../evaluate/orders.hpp"
#include "../trace.hpp"

namespace mossa {

constexpr int infinity = std::numeric_limits<int>::max();
constexpr int win_value = 1'000'000'000;
constexpr int least_decided = win_value - 100'000;  // smaller values are estimates

/// True if a value of a game that is won or lost says who wins.
inline bool is_decided(int value) { return std::abs(value) > least_decided; }

/// The same of any game: a margin never does, a larger one may follow.
template <Game G>
bool says_who_wins(int value) {
  return OutcomeGame<G> && is_decided(value);
}

/// The value of a finished game for the side that would move next, `ply` plies from the root.
template <Game G>
int final_value(const G& game, const typename G::Position& position, int ply) {
  const int value = game.side(position) == Side::first ? game.value(position) : -game.value(position);
  if constexpr (OutcomeGame<G>) return value * (win_value - ply);
  return value;
}

/// Turns a search value of a game that is won or lost into the public one. A decided game is +1 or -1 with
/// its distance; a proven draw lasts for `draw_plies`, if that is known.
inline void set_outcome_value(Info& info, int value, bool proven, std::optional<int> draw_plies) {
  info.value = value;
  info.exact = proven;
  info.distance.reset();
  if (is_decided(value)) {
    info.distance = win_value - std::abs(value);
    info.value = value > 0 ? 1 : -1;
  } else if (proven) {
    info.distance = draw_plies;
  }
}

/// Turns a search value into the public one.
template <Game G>
void set_value(const G& game, const typename G::Position& root, Info& info, int value, bool proven) {
  if constexpr (LineGame<G>) {
    set_outcome_value(info, value, proven, game.left_to_play(root));  // a draw fills the board
  } else if constexpr (OutcomeGame<G>) {
    set_outcome_value(info, value, proven, {});
  } else {
    info.value = value;
    info.exact = proven;
    info.distance.reset();
  }
}

/// What a thread counts besides nodes.
struct SearchCounts {
  Counter evaluations, cutoffs, table_hits;

  void reset() {
    for (Counter* counter : {&evaluations, &cutoffs, &table_hits}) counter->reset();
  }
  void add_to(Info& info) const {
    info.evaluations += evaluations;
    info.cutoffs += cutoffs;
    info.table_hits += table_hits;
  }
};

/// How deep a search goes: plies, or turns (two a hand; extra moves are free).
struct Depth {
  int most = 0;
  bool count_turns = false;

  static Option hands_option() {
    return Option::integer("hands", 1, 100, "", "depth in hands, a turn of each side; extra moves are free");
  }
  static Depth of(const Options& options, const Limits& limits, int deepest) {
    if (options.has("hands")) return {std::min(2 * options.integer("hands"), deepest), true};
    return {std::min(limits.depth.value_or(deepest), deepest), false};
  }
  /// What is left after a move.
  int after(int depth, bool turn_passed) const { return depth - (count_turns ? turn_passed : 1); }
};

/// The deepest a recursion goes: a frame holds a move list, which is large on large boards.
template <Game G>
constexpr int deepest = G::max_moves > 1000 ? 40 : 250;

/// The best line below every ply of the position being searched: a row of moves for each.
class Lines {
 public:
  explicit Lines(int plies)
      : width_(static_cast<std::size_t>(plies) + 2), moves_(width_ * width_), lengths_(width_) {}

  std::span<const Move> operator[](int ply) const { return {row(ply), lengths_[at(ply)]}; }
  void clear(int ply) { lengths_[at(ply)] = 0; }
  void set(int ply, Move only) {
    *row(ply) = only;
    lengths_[at(ply)] = 1;
  }
  /// The best line at `ply` is now this move and the best line after it.
  void extend(int ply, Move move) {
    const std::span<const Move> rest = (*this)[ply + 1];
    *row(ply) = move;
    std::ranges::copy(rest, row(ply) + 1);
    lengths_[at(ply)] = rest.size() + 1;
  }
  void assign(int ply, std::span<const Move> line) {
    std::ranges::copy(line, row(ply));
    lengths_[at(ply)] = line.size();
  }
  std::size_t bytes() const { return moves_.size() * sizeof(Move) + lengths_.size() * sizeof(lengths_[0]); }

 private:
  static std::size_t at(int ply) { return static_cast<std::size_t>(ply); }
  Move* row(int ply) { return &moves_[at(ply) * width_]; }
  const Move* row(int ply) const { return &moves_[at(ply) * width_]; }

  std::size_t width_;
  std::vector<Move> moves_;
  std::vector<std::size_t> lengths_;
};

}  // namespace mossa
