// End-game tables of kalah.
//
// A move that stores a seed leads to a lower layer. A move that stores none moves seeds of its row on, which
// lowers the number of the row, and leaves the other row as it is. So a layer falls apart into pairs of row
// totals (a on one side, b on the other, and turned around) that do not depend on each other, and each pair
// is filled by two nested loops over the rows in order.
#pragma once

#include "end_tables.hpp"
#include "kalah_board.hpp"

namespace mossa {

/// The rules of a game of kalah.
KalahRules kalah_rules(const AnyGame& game);

class KalahTables final : public EndTables {
 public:
  /// Throws GameError for rules under which the margin to come depends on the stores.
  KalahTables(std::shared_ptr<const AnyGame> game, int most);

  int check(int samples, std::uint64_t random) const override;

 private:
  bool fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const override;
  std::optional<std::uint64_t> number_of(const AnyPosition& position) const override;

  template <class Use>
  auto with_board(const Use& use) const;

  KalahRules rules_;
};

}  // namespace mossa
