// The rules of oware that can be chosen.
#pragma once

#include "sowing_rules.hpp"

namespace mossa {

MakeSolver make_oware_solver;  // of solve/oware.cpp
MakeTables make_oware_tables;  // of solve/oware_tables.cpp

struct OwareRules : SowingRules {
  enum class Slam : std::uint8_t { keep, take, forbid };

  Slam slam = Slam::keep;      // what happens when a move would capture all the opponent's seeds
  bool repeat_shares = false;  // a repeated position leaves the seeds in the pits to neither side

  static const KindInfo& kind() {
    static const KindInfo kind{
        "oware",
        "sow seeds around the board; capture twos and threes",
        {{"pits", 2, 12}, {"seeds", 1, 12}},
        {Option::choice("slam", {"keep", "take", "forbid"},
                        "a move that would capture all the opponent's seeds captures nothing, or captures "
                        "them, or is illegal"),
         Option::choice(
             "repeat", {"row", "share"},
             "when a position repeats, each side keeps its row, or the seeds in the pits count for "
             "neither"),
         majority_option()},
        {{"oware", "6x4", "Oware", "sow seeds, and capture twos and threes on the other side", ""}},
        make_oware_solver,
        make_oware_tables};
    return kind;
  }

  static OwareRules of(const GameSpec& spec, const Options& options) {
    OwareRules rules{SowingRules(spec, options)};
    const std::string& slam = options.text("slam");
    rules.slam = slam == "keep" ? Slam::keep : slam == "take" ? Slam::take : Slam::forbid;
    rules.repeat_shares = options.text("repeat") == "share";
    return rules;
  }
};

}  // namespace mossa
