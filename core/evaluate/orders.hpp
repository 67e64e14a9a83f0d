// Orders: which moves a search tries first, and which it does not try at all.
//
// An order gives every move a rank. Higher ranks come first; moves of equal rank keep the order in which the
// game lists them.
#pragma once

#include <limits>

#include "evaluations.hpp"
#include "priority.hpp"

namespace mossa {

enum class Order {
  none,         // as generated: ascending
  centre,       // line games from the middle, Kalah from the store
  descending,   // the highest column, pit or cell first
  value,        // by what the evaluation says after the move
  store,        // Kalah: store difference for the mover after the move, +0.5 for another turn
  store_first,  // the same but always as first sees it, as the Bantumi report had it
  priority,     // line games: win, block, double threat, block one, longest alignment
};

/// Throws InvalidPlayerError if the order is not for games with these traits.
Order order_of(const std::string& name, const Traits& traits);

/// The options of a Selector, with these defaults.
std::vector<Option> selection_options(const std::string& order, const std::string& width,
                                      const std::string& near);

/// A move, its rank, and its place among the legal moves, which decides between equals. Rank and place are
/// in one word, so that one comparison orders two moves without a branch:
///
///     63 ............. 32 | 31 ............. 0
///     rank (signed)       | place, complemented
class RankedMove {
 public:
  RankedMove() = default;
  RankedMove(Move move, int place, int rank)
      : word_(static_cast<std::int64_t>(rank) << 32 | static_cast<std::uint32_t>(~place)), move_(move) {}

  Move move() const { return move_; }
  int place() const { return ~static_cast<int>(static_cast<std::uint32_t>(word_)); }
  int rank() const { return static_cast<int>(word_ >> 32); }
  void set_rank(int rank) { *this = RankedMove(move_, place(), rank); }

  bool before(const RankedMove& b) const { return word_ > b.word_; }

 private:
  std::int64_t word_ = 0;
  Move move_;
};

/// Ranked moves in room that is taken once: lists are large on large boards and are filled at every node.
template <Game G>
class RankedList {
 public:
  void clear() {
    size_ = 0;
    successors.clear();
  }
  void add(const RankedMove& move) { room_[size_++] = move; }
  /// Keeps only the first `size`.
  void cut(std::size_t size) { size_ = size; }

  int size() const { return static_cast<int>(size_); }
  RankedMove& operator[](int i) { return room_[static_cast<std::size_t>(i)]; }
  RankedMove* begin() { return room_.data(); }
  RankedMove* end() { return room_.data() + size_; }
  const RankedMove* begin() const { return room_.data(); }
  const RankedMove* end() const { return room_.data() + size_; }

  Successors<G> successors;  // by place

 private:
  std::vector<RankedMove> room_ = std::vector<RankedMove>(static_cast<std::size_t>(G::max_moves));
  std::size_t size_ = 0;
};

template <Game G>
class Orderer {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;

  Orderer(const G& game, Order order) : game_(game), order_(order), priorities_(game) {}

  Order order() const { return order_; }

  /// Fills in the moves with their ranks; `evaluator` must follow the position.
  void rank(const Position& position, const Moves& moves, Evaluator<G>& evaluator, RankedList<G>& ranked) {
    ranked.clear();
    const auto fill = [&](auto&& rank_of) {
      for (int i = 0; i < moves.size(); ++i) ranked.add({moves[i], i, rank_of(moves[i])});
    };
    const auto fill_by_stores = [&](Side seen_by) {
      ranked.successors.make(game_, position, moves);
      for (int i = 0; i < moves.size(); ++i)
        ranked.add({moves[i], i, store_rank(position, moves[i], ranked.successors[i], seen_by)});
    };
    const auto fill_from = [&](auto&& rank_all) {
      rank_all(std::span(ranks_.data(), static_cast<std::size_t>(moves.size())));
      for (int i = 0; i < moves.size(); ++i) ranked.add({moves[i], i, ranks_[static_cast<std::size_t>(i)]});
    };
    switch (order_) {
      case Order::none:
        return fill([](Move) { return 0; });
      case Order::centre:
        return fill([&](Move move) { return game_.centre_rank(move); });
      case Order::descending:
        return fill(descending_rank);
      case Order::value:
        return fill_from(
            [&](std::span<int> ranks) { evaluator.rank(position, moves, ranked.successors, ranks); });
      case Order::store:
        return fill_by_stores(game_.side(position));
      case Order::store_first:
        return fill_by_stores(Side::first);
      case Order::priority:
        if constexpr (LineGame<G>)
          fill_from([&](std::span<int> ranks) { priorities_.rank(position, moves, ranks); });
        return;
    }
  }

 private:
  /// Greater for higher columns, pits and cells; a swap before all of them.
  static int descending_rank(Move move) {
    return static_cast<int>(move.is_swap() ? Move::max_number + 1 : move.code() & 0x0FFFFFFF);
  }

  /// In quarters, so that half a seed for another turn and the pit that breaks ties both fit.
  int store_rank(const Position& position, Move move, const Position& next, Side seen_by) const {
    const int margin = seen_by == Side::first ? game_.value(next) : -game_.value(next);
    const bool again = game_.side(next) == game_.side(position);
    return (2 * margin + again) * 16 + move.number();
  }

  const G& game_;
  Order order_;
  Priorities<G> priorities_;
  std::vector<int> ranks_ = std::vector<int>(static_cast<std::size_t>(G::max_moves));
};

/// The cells of an mnk board within `reach` of a stone (of the middle, on an empty board): elsewhere a
/// stone meets nothing. Removes the other moves.
template <Game G>
void keep_near(const G& game, const typename G::Position& position, int reach,
               MoveList<G::max_moves>& moves) {
  if constexpr (requires(Move move) { game.bit(move); }) {
    auto near = position.occupied();
    if (!near.any()) near.set(game.grid().bit(game.grid().rows / 2, game.grid().cols / 2));
    // Cells beyond an edge wrap to the next row: a few candidates too many, never one too few.
    for (const int step : {game.grid().row_step, game.grid().col_step})
      for (int i = 0; i < reach; ++i) near = near | near << step | near >> step;
    MoveList<G::max_moves> kept;
    for (const Move move : moves)
      if (near.test(game.bit(move))) kept.add(move);
    if (!kept.empty()) moves = kept;
  }
}

void sort_by_rank(std::vector<Candidate>& candidates);

/// The candidates of the MNK report, the best first: in mnk the cells next to a stone, in connect all moves.
template <Game G>
  requires LineGame<G>
std::vector<Candidate> candidates(const G& game, const typename G::Position& position) {
  auto moves = game.moves(position);
  keep_near(game, position, 1, moves);
  const Priorities<G> priorities(game);
  std::vector<Candidate> found;
  for (const Move move : moves)
    found.push_back({move, priorities.merit(position, game.landing(position, move))});
  sort_by_rank(found);
  return found;
}

/// Chooses the moves of a position that are worth a search, and ranks them.
template <Game G>
class Selector {
 public:
  using Position = typename G::Position;

  Selector(const G& game, const Options& options)
      : game_(game),
        orderer_(game, order_of(options.text("order"), G::traits)),
        width_(static_cast<std::size_t>(options.integer("width"))),
        near_(options.has("near") ? options.integer("near") : default_near(game)) {}

  Order order() const { return orderer_.order(); }

  /// Fills in the moves in no particular order; true if some legal moves are not among them.
  bool select(const Position& position, Evaluator<G>& evaluator, RankedList<G>& chosen) {
    auto moves = game_.moves(position);
    const int legal = moves.size();
    if (near_) keep_near(game_, position, near_, moves);
    orderer_.rank(position, moves, evaluator, chosen);
    if constexpr (LineGame<G>) {
      // A width limits quiet moves only: equal critical moves are all searched.
      if (order() == Order::priority && keep_critical(chosen)) return chosen.size() < legal;
      if (order() == Order::value) promote_wins(position, chosen);
    }
    if (width_ && chosen.size() > static_cast<int>(width_)) {
      std::nth_element(chosen.begin(), chosen.begin() + width_, chosen.end(),
                       [](const RankedMove& a, const RankedMove& b) { return a.before(b); });
      chosen.cut(width_);
    }
    return chosen.size() < legal;
  }

 private:
  static int default_near(const G& game) {
    constexpr int small_board = 64;
    if constexpr (LineGame<G>) return game.cell_count() > small_board ? 2 : 0;
    return 0;
  }

  /// Evaluations know nothing of a finished game: a move that wins at once comes before all others.
  void promote_wins(const Position& position, RankedList<G>& chosen) const {
    constexpr int win_rank = std::numeric_limits<int>::max() - 8;
    const auto winning = completing_cells(game_, position, game_.side(position)).without(position.occupied());
    if (!winning.any()) return;
    const Priorities<G> priorities(game_);
    for (RankedMove& here : chosen) {
      const int bit = game_.landing(position, here.move());
      // With exact=yes a run may be too long: asked of the few cells that complete one.
      if (winning.test(bit) && priorities.wins(position, bit)) here.set_rank(win_rank);
    }
  }

  /// If there are critical moves, keeps only those of the best priority; true if there are any.
  static bool keep_critical(RankedList<G>& chosen) {
    const int top = std::ranges::max(chosen, {}, &RankedMove::rank).rank();
    if (top < Priorities<G>::critical) return false;
    const auto rest =
        std::ranges::remove_if(chosen, [&](const RankedMove& here) { return here.rank() < top; });
    chosen.cut(static_cast<std::size_t>(rest.begin() - chosen.begin()));
    return true;
  }

  const G& game_;
  Orderer<G> orderer_;
  std::size_t width_;
  int near_;
};

}  // namespace mossa
