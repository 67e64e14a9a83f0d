// The rules that all games of sowing have.
#pragma once

#include "../game.hpp"

namespace mossa {

struct SowingRules {
  int pits = 6;
  int seeds = 4;
  bool majority = false;  // ends when the winner is certain

  SowingRules() = default;
  SowingRules(const GameSpec& spec, const Options& options)
      : pits(spec.sizes[0]), seeds(spec.sizes[1]), majority(options.yes("majority")) {}

  static Option majority_option() {
    return Option::choice("majority", {"no", "yes"},
                          "the game ends once a store holds over half of all seeds, or both hold half");
  }

  int total() const { return 2 * pits * seeds; }
  /// True if neither side can change who wins.
  bool is_settled(int store, int other_store) const {
    const int half = pits * seeds;
    return store > half || other_store > half || (store == half && other_store == half);
  }
};

}  // namespace mossa
