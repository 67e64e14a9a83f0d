// The rules that all games of sowing have.
#pragma once

namespace mossa {

struct SowingRules {
  int pits = 6;
  int seeds = 4;
  bool majority = false;  // ends when the winner is certain

  int total() const { return 2 * pits * seeds; }
  /// True if neither side can change who wins.
  bool is_settled(int store, int other_store) const {
    const int half = pits * seeds;
    return store > half || other_store > half || (store == half && other_store == half);
  }
};

}  // namespace mossa
