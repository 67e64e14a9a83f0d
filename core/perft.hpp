// Counting: move sequences of a given length (perft), distinct reachable positions, and how random games end.
//
// The counts check the rules against published numbers, and are the plainest measure of their speed.
#pragma once

#include <bit>
#include <vector>

#include "random.hpp"

namespace mossa {

/// Thrown when a Poll asks to stop work that has no partial answer.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// The number of move sequences of exactly `depth` moves; a finished game is not extended. The last
/// ply is counted, not played.
template <Game G>
std::uint64_t perft(const G& game, const typename G::Position& position, int depth, Budget& budget) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(game.count_moves(position));
  if (budget.tick()) throw Stopped();
  std::uint64_t total = 0;
  for (const Move move : game.moves(position)) {
    typename G::Position next = position;
    game.play(next, move);
    total += perft(game, next, depth - 1, budget);
  }
  return total;
}

/// Plays `count` random games from `position` and counts first's wins, draws and second's wins.
template <Game G>
std::array<std::uint64_t, 3> play_outs(const G& game, const typename G::Position& position,
                                       std::uint64_t count, std::uint64_t seed, Budget& budget) {
  Random random(seed);
  std::array<std::uint64_t, 3> ended{};
  for (std::uint64_t i = 0; i < count; ++i) {
    if (budget.tick()) throw Stopped();
    typename G::Position at = position;
    while (!game.is_over(at)) game.play(at, game.random_move(at, random));
    const int value = game.value(at);
    ++ended[value > 0 ? 0 : value == 0 ? 1 : 2];
  }
  return ended;
}

/// A set of keys in one array (open addressing, linear probing), at most two thirds full: several times
/// smaller and faster than std::unordered_set for millions of small keys.
template <class Key>
class KeySet {
 public:
  std::size_t size() const { return size_; }

  /// The most keys that fit into `bytes` while the array is doubled.
  static std::size_t capacity(std::size_t bytes) { return std::bit_floor(bytes / sizeof(Slot)) / 3; }

  /// True if `key` was not there before.
  bool insert(const Key& key) {
    if (3 * (size_ + 1) > 2 * slots_.size()) grow();
    if (!place(key)) return false;
    ++size_;
    return true;
  }

 private:
  struct Slot {
    Key key;
    bool used = false;
  };

  bool place(const Key& key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of(key) & mask;
    for (; slots_[at].used; at = (at + 1) & mask)
      if (slots_[at].key == key) return false;
    slots_[at] = {key, true};
    return true;
  }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(1024, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.used) place(slot.key);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

/// The memory that count_states may use for the positions it has seen.
constexpr std::size_t states_bytes = std::size_t{4} << 30;

/// The number of distinct positions that can be reached from `position`, itself included; nothing if
/// there are more than `limit`, or more than fit into `states_bytes`.
template <Game G>
std::optional<std::uint64_t> count_states(const G& game, const typename G::Position& position,
                                          std::uint64_t limit, Budget& budget) {
  using Seen = KeySet<Key<G::key_words>>;
  const std::uint64_t most = std::min<std::uint64_t>(limit, Seen::capacity(states_bytes));
  Seen seen;
  std::vector<typename G::Position> frontier{position}, next_frontier;
  seen.insert(game.key(position));
  while (!frontier.empty()) {
    next_frontier.clear();
    for (const typename G::Position& from : frontier)
      for (const Move move : game.moves(from)) {
        if (budget.tick()) throw Stopped();
        typename G::Position next = from;
        game.play(next, move);
        if (!seen.insert(game.key(next))) continue;
        if (seen.size() > most) return {};
        next_frontier.push_back(next);
      }
    frontier.swap(next_frontier);
  }
  return seen.size();
}

}  // namespace mossa
