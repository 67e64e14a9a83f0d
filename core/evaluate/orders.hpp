// Orders: which moves a search tries first, and which it does not try at all.
//
// An order gives every move a rank; higher ranks come first, equal ones in the order of generation.
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

inline Option order_option(const std::string& fallback) {
  Option option = Option::choice(
      "order", {"none", "centre", "descending", "value", "store", "store-first", "priority"},
      "which moves come first: as generated, from the middle, the highest first, by the evaluation after the "
      "move, by the stores (store-first: as first sees them, also for second), by priority of threats");
  option.fallback = fallback;
  return option;
}

template <Game G>
Order order_of(const std::string& name) {
  const auto refuse = [&](const std::string& games) {
    return InvalidPlayerError("order=" + name + " is for " + games + " only");
  };
  if (!LineGame<G> && name == "priority") throw refuse("line games");
  if (LineGame<G> && (name == "store" || name == "store-first")) throw refuse("kalah");
  return name == "none"          ? Order::none
         : name == "centre"      ? Order::centre
         : name == "descending"  ? Order::descending
         : name == "value"       ? Order::value
         : name == "store"       ? Order::store
         : name == "store-first" ? Order::store_first
                                 : Order::priority;
}

/// Greater for moves nearer to the middle of the board, or to the own store in Kalah.
template <Game G>
int centre_rank(const G& game, Move move) {
  if constexpr (LineGame<G>) {
    const auto off_centre = [](int at, int size) { return std::abs(2 * at + 1 - size); };
    if (move.is_cell())
      return -off_centre(move.row(), game.grid().rows) - off_centre(move.col(), game.grid().cols);
    return -off_centre(move.number() - 1, game.grid().cols);
  } else {
    return move.is_swap() ? 0 : move.number();
  }
}

template <Game G>
class Orderer {
 public:
  using Position = typename G::Position;
  using Moves = MoveList<G::max_moves>;

  Orderer(const G& game, Order order) : game_(game), order_(order), priorities_(game) {}

  Order order() const { return order_; }

  /// Fills in the rank of every move; `evaluator` must follow the position.
  void rank(const Position& position, const Moves& moves, Evaluator<G>& evaluator,
            std::span<int> ranks) const {
    const auto fill = [&](auto&& rank_of) {
      for (int i = 0; i < moves.size(); ++i) ranks[static_cast<std::size_t>(i)] = rank_of(moves[i]);
    };
    switch (order_) {
      case Order::none:
        return fill([](Move) { return 0; });
      case Order::centre:
        return fill([&](Move move) { return centre_rank(game_, move); });
      case Order::descending:
        return fill([](Move move) { return int{move.code()}; });
      case Order::value:
        return evaluator.rank(position, moves, ranks);
      case Order::store:
        return fill([&](Move move) { return store_rank(position, move, game_.side(position)); });
      case Order::store_first:
        return fill([&](Move move) { return store_rank(position, move, Side::first); });
      case Order::priority:
        if constexpr (LineGame<G>) priorities_.rank(position, moves, ranks);
        return;
    }
  }

 private:
  /// In quarters, so that half a seed for another turn and the pit that breaks ties both fit.
  int store_rank(const Position& position, Move move, Side seen_by) const {
    Position next = position;
    game_.play(next, move);
    const int margin = seen_by == Side::first ? game_.value(next) : -game_.value(next);
    const bool again = game_.side(next) == game_.side(position);
    return (2 * margin + again) * 16 + move.number();
  }

  const G& game_;
  Order order_;
  Priorities<G> priorities_;
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
  std::ranges::stable_sort(found, std::greater{}, [](const Candidate& each) { return each.merit.rank(); });
  return found;
}

/// A move, its rank, and its place among the legal moves, which decides between equals.
struct RankedMove {
  Move move;
  std::uint16_t place = 0;
  int rank = 0;

  bool before(const RankedMove& b) const { return rank != b.rank ? rank > b.rank : place < b.place; }
};

/// Ranked moves in room that is taken once: lists are large on large boards and are filled at every node.
class RankedList {
 public:
  explicit RankedList(int capacity) : room_(static_cast<std::size_t>(capacity)) {}

  void clear() { size_ = 0; }
  void add(const RankedMove& move) { room_[size_++] = move; }
  /// Keeps only the first `size`.
  void cut(std::size_t size) { size_ = size; }

  int size() const { return static_cast<int>(size_); }
  RankedMove& operator[](int i) { return room_[static_cast<std::size_t>(i)]; }
  RankedMove* begin() { return room_.data(); }
  RankedMove* end() { return room_.data() + size_; }
  const RankedMove* begin() const { return room_.data(); }
  const RankedMove* end() const { return room_.data() + size_; }

 private:
  std::vector<RankedMove> room_;
  std::size_t size_ = 0;
};

/// Chooses the moves of a position that are worth a search, and ranks them.
template <Game G>
class Selector {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options(const std::string& order, const std::string& width,
                                     const std::string& near) {
    return {order_option(order),
            Option::integer("width", 0, 10'000, width,
                            "search only the best so many moves of a position; 0: all"),
            Option::integer(
                "near", 0, 10, near,
                "mnk: only cells within so many of a stone; 0: all, the default up to 64 cells, else 2")};
  }

  Selector(const G& game, const Options& options)
      : game_(game),
        orderer_(game, order_of<G>(options.text("order"))),
        width_(static_cast<std::size_t>(options.integer("width"))),
        near_(options.has("near") ? options.integer("near") : default_near(game)) {}

  Order order() const { return orderer_.order(); }

  /// Fills in the moves in no particular order; true if some legal moves are not among them.
  bool select(const Position& position, Evaluator<G>& evaluator, RankedList& chosen) {
    auto moves = game_.moves(position);
    const int legal = moves.size();
    if (near_) keep_near(game_, position, near_, moves);
    const std::span ranks(ranks_.data(), static_cast<std::size_t>(moves.size()));
    orderer_.rank(position, moves, evaluator, ranks);
    chosen.clear();
    for (int i = 0; i < moves.size(); ++i)
      chosen.add({moves[i], static_cast<std::uint16_t>(i), ranks[static_cast<std::size_t>(i)]});
    if constexpr (LineGame<G>) {
      if (order() == Order::priority) keep_critical(chosen);
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
  void promote_wins(const Position& position, RankedList& chosen) const {
    constexpr int win_rank = std::numeric_limits<int>::max() - 8;
    const auto winning = completing_cells(game_, position, game_.side(position)).without(position.occupied());
    if (!winning.any()) return;
    const Priorities<G> priorities(game_);
    for (RankedMove& here : chosen) {
      const int bit = game_.landing(position, here.move);
      // With exact=yes a run may be too long: asked of the few cells that complete one.
      if (winning.test(bit) && priorities.wins(position, bit)) here.rank = win_rank;
    }
  }

  /// If there are critical moves, only those of the best priority.
  static void keep_critical(RankedList& chosen) {
    const int top = std::ranges::max(chosen, {}, &RankedMove::rank).rank;
    if (top < Priorities<G>::critical) return;
    const auto rest = std::ranges::remove_if(chosen, [&](const RankedMove& here) { return here.rank < top; });
    chosen.cut(static_cast<std::size_t>(rest.begin() - chosen.begin()));
  }

  const G& game_;
  Orderer<G> orderer_;
  std::size_t width_;
  int near_;
  std::vector<int> ranks_ = std::vector<int>(static_cast<std::size_t>(G::max_moves));
};

}  // namespace mossa
