// Alpha-beta with iterative deepening: depth 1, 2, 3, ... until a limit is reached or the game is
// searched to its end; the best move so far is always known.
//
// Values are for the side to move. A child's value is negated only if the turn passed: in Kalah the
// same side may move again. A win in a line game is worth `win_value` less the plies it takes, so that
// quick wins come first and losses are put off; Kalah's values are margins.
#pragma once

#include <limits>
#include <vector>

#include "../evaluate/defaults.hpp"

namespace mossa {

template <Game G>
class AlphaBeta {
 public:
  using Position = typename G::Position;

  explicit AlphaBeta(const G& game) : game_(game), evaluate_(game), lines_(max_depth + 1) {
    for (std::vector<Move>& line : lines_) line.reserve(max_depth);
  }

  /// The game must not be over.
  Info run(const Position& root, const Limits& limits, const Poll& poll) {
    Budget budget(limits, poll);
    budget_ = &budget;
    Info info;
    best_line_.clear();
    for (int depth = 1; depth <= std::min(limits.depth.value_or(max_depth), int{max_depth}); ++depth) {
      reached_horizon_ = left_out_ = false;
      const int value = search(root, depth, 0, -infinity, infinity);
      // An unfinished iteration counts if it has searched its first move, the best one so far.
      if (budget.stopped() && !lines_[0].empty()) best_line_ = lines_[0];
      if (budget.stopped()) break;
      best_line_ = lines_[0];
      info.value = value;
      info.depth = depth;
      info.exact = !left_out_ && (!reached_horizon_ || is_decided(value));
      if (info.exact || is_decided(value)) break;
    }
    if (best_line_.empty()) best_line_.push_back(first_move(root));
    if (counts_plies && info.exact && is_decided(info.value)) {
      info.distance = win_value - std::abs(info.value);
      info.value = info.value > 0 ? 1 : -1;
    }
    info.move = best_line_.front();
    info.line = best_line_;
    info.nodes = budget.nodes();
    info.time = budget.seconds();
    info.memory = sizeof(*this) + lines_.size() * max_depth * sizeof(Move);
    return info;
  }

 private:
  // A frame of the recursion holds a move list, which is large on large boards.
  static constexpr int max_depth = G::max_moves > 1000 ? 40 : 200;
  static constexpr int infinity = std::numeric_limits<int>::max();
  static constexpr int win_value = 1'000'000'000;
  static constexpr bool counts_plies = requires(const G& game) { game.grid(); };

  static bool is_decided(int value) { return std::abs(value) > win_value - 100'000; }

  int search(const Position& position, int depth, int ply, int alpha, int beta) {
    std::vector<Move>& line = lines_[static_cast<std::size_t>(ply)];
    line.clear();
    // 1. Stop: out of time, end of the game, or horizon.
    if (budget_->tick()) return 0;
    if (game_.is_over(position)) return final_value(position, ply);
    if (depth == 0) {
      reached_horizon_ = true;
      return evaluate_(game_, position);
    }
    // 2. Moves: the line of the previous iteration first, then by rank.
    MoveList<G::max_moves> moves = game_.moves(position);
    left_out_ |= keep_candidates(game_, position, moves);
    order(moves, ply);
    // 3. Search each until one is too good for the other side to allow.
    int best = -infinity;
    for (const Move move : moves) {
      Position next = position;
      game_.play(next, move);
      const bool turn_passed = game_.side(next) != game_.side(position);
      const int value = turn_passed ? -search(next, depth - 1, ply + 1, -beta, -std::max(alpha, best))
                                    : search(next, depth - 1, ply + 1, std::max(alpha, best), beta);
      following_ = false;
      if (budget_->stopped()) return best;
      if (value <= best) continue;
      best = value;
      extend_line(ply, move);
      if (best >= beta) break;
    }
    return best;
  }

  /// After the end nobody moves; `side` is who would be next.
  int final_value(const Position& position, int ply) const {
    const int value = game_.side(position) == Side::first ? game_.value(position) : -game_.value(position);
    if constexpr (counts_plies) return value == 0 ? 0 : value * (win_value - ply);
    return value;
  }

  void order(MoveList<G::max_moves>& moves, int ply) {
    std::ranges::stable_sort(moves, std::ranges::greater{}, [&](Move move) { return rank(game_, move); });
    const auto at = static_cast<std::size_t>(ply);
    following_ = (ply == 0 || following_) && at < best_line_.size();
    if (!following_) return;
    const auto found = std::ranges::find(moves, best_line_[at]);
    if (found != moves.end()) std::rotate(moves.begin(), found, found + 1);
  }

  void extend_line(int ply, Move move) {
    std::vector<Move>& line = lines_[static_cast<std::size_t>(ply)];
    const std::vector<Move>& rest = lines_[static_cast<std::size_t>(ply) + 1];
    line.assign(1, move);
    line.insert(line.end(), rest.begin(), rest.end());
  }

  Move first_move(const Position& root) {
    MoveList<G::max_moves> moves = game_.moves(root);
    keep_candidates(game_, root, moves);
    order(moves, 0);
    return moves[0];
  }

  const G& game_;
  typename DefaultEvaluation<G>::type evaluate_;
  Budget* budget_ = nullptr;
  std::vector<std::vector<Move>> lines_;  // by ply: the best line found below it
  std::vector<Move> best_line_;           // of the last iteration
  bool following_ = false;                // the search is still on best_line_
  bool reached_horizon_ = false;
  bool left_out_ = false;  // some node did not look at all its moves: nothing is proven
};

}  // namespace mossa
