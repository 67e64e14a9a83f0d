// End-game tables of kalah.
//
// A move that stores a seed leads to a lower layer. A move that stores none moves seeds of its row on, which
// lowers the rank of the row, and leaves the other row as it is. So a layer falls apart into pairs of row
// totals (a on one side, b on the other, and turned around) that do not depend on each other.
//
// Boards are not looked at one by one. A sowing does the same to every row of the other side, so one move of
// one row is compared for all of them in a short loop: the boards it leads to lie next to each other, or are
// found by a list of ranks that serves all rows. Results are kept in columns, and turned into rows a batch
// at a time.
#pragma once

#include "end_tables.hpp"
#include "kalah_board.hpp"

namespace mossa {

/// The rules of a game of kalah.
KalahRules kalah_rules(const AnyGame& game);

class KalahTables final : public SowingTables<KalahBoard, KalahRules> {
 public:
  KalahTables(std::shared_ptr<const AnyGame> game, int most)
      : SowingTables(std::move(game), most, kalah_rules) {}

  int check(int samples, std::uint64_t random) const override;

 private:
  bool fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const override;
  std::optional<std::uint64_t> number_of(const AnyPosition& position) const override;
};

}  // namespace mossa
