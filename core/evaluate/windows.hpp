// Windows of k: every stretch of k cells in a line that only one side has stones in counts for that
// side, the more the more stones it holds.
//
// Two weightings. `Windows`: a window with n stones is worth 4^(n-1); one stone more outweighs any three
// windows below it, about as many as a stone opens up. `Scenarios` counts the ways to win by the number
// of moves they still need (the winning scenarios of the MNK report) and weighs those of one to four
// moves; the report does not print its weights, these are ours.
#pragma once

#include "lines.hpp"

namespace mossa {

template <class Weights>
class WindowShape {
 public:
  explicit WindowShape(int k) : k_(k) {
    for (int stones = 0; stones <= k; ++stones) weights_.push_back(Weights::of(stones, k));
    weights_.push_back(weights_.back());  // one stone more than k never happens, but may be asked for
  }

  void line(const std::uint8_t* cells, int length, int& value, std::array<int*, 2> gains) const {
    // What a stone of either side would add to the windows that begin at each cell.
    std::array<std::array<int, 100>, 2> added;
    std::array<int, 3> count{};
    value = 0;
    for (int i = 0; i < length; ++i) {
      ++count[cells[i]];
      if (i + 1 < k_) continue;
      const int begin = i + 1 - k_;
      const int own = count[1], opposing = count[2];
      if (opposing == 0) value += weight(own);
      if (own == 0) value -= weight(opposing);
      // An own stone makes an own window better, and takes a window of the opponent's away.
      added[0][at(begin)] =
          (opposing == 0 ? weight(own + 1) - weight(own) : 0) + (own == 0 ? weight(opposing) : 0);
      added[1][at(begin)] =
          -(own == 0 ? weight(opposing + 1) - weight(opposing) : 0) - (opposing == 0 ? weight(own) : 0);
      --count[cells[begin]];
    }
    for (std::size_t side = 0; side < 2; ++side) {
      int sum = 0;
      for (int i = 0; i < length; ++i) {
        if (i + k_ <= length) sum += added[side][at(i)];
        if (i >= k_) sum -= added[side][at(i - k_)];
        gains[side][i] = sum;
      }
    }
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int weight(int stones) const { return weights_[at(stones)]; }

  int k_;
  std::vector<int> weights_;
};

struct StoneWeights {
  static int of(int stones, int) {
    constexpr int most = 14;  // 40,000 windows of a 100x100 board stay below 2^30
    return stones == 0 ? 0 : 1 << std::min(2 * (stones - 1), most);
  }
};

struct ScenarioWeights {
  static int of(int stones, int k) {
    constexpr std::array<int, 5> by_moves_needed{1000, 200, 40, 8, 1};
    const int needed = k - stones;
    return stones == 0 || needed > 4 ? 0 : by_moves_needed[static_cast<std::size_t>(needed)];
  }
};

template <Game G>
using Windows = LineSums<G, WindowShape<StoneWeights>>;
template <Game G>
using Scenarios = LineSums<G, WindowShape<ScenarioWeights>>;

}  // namespace mossa
