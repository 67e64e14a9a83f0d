// The rules of kalah that can be chosen.
#pragma once

#include "sowing_rules.hpp"

namespace mossa {

MakeSolver make_kalah_solver;  // of solve/kalah.cpp
MakeTables make_kalah_tables;  // of solve/kalah_tables.cpp

struct KalahRules : SowingRules {
  enum class Leftover : std::uint8_t { owner, none, opponent };

  bool empty_capture = false;           // the last seed captures even if the pit opposite is empty
  Leftover leftover = Leftover::owner;  // who gets the seeds left in the pits at the end
  bool end_any = true;                  // ends when either side is empty, else only the side to move
  bool swap = false;                    // second may take over first's side instead of moving
  bool first_extra = true;              // the very first move can earn another turn

  static const KindInfo& kind() {
    static const KindInfo kind{
        "kalah",
        "sow seeds around the board; the fuller store wins",
        {{"pits", 1, 12}, {"seeds", 1, 12}},
        {Option::choice("empty_capture", {"no", "yes"},
                        "a last seed in your own empty pit is captured even if the pit opposite is empty"),
         Option::choice("leftover", {"owner", "none", "opponent"},
                        "who gets the seeds left in a side's pits at the end"),
         Option::choice("end", {"any", "mover"},
                        "the game ends when either side is empty, or only when the side to move is"),
         majority_option(),
         Option::choice("swap", {"no", "yes"},
                        "second may play 'swap' instead of its first move and take over first's side"),
         Option::choice("first_extra", {"yes", "no"}, "the very first move can earn an extra turn")},
        {{"kalah", "6x4", "Kalah", "sow seeds around the board, collect more than your opponent", ""},
         {"bantumi", "6x3,empty_capture=yes,leftover=none,end=mover,majority=yes", "Bantumi",
          "kalah with three seeds per pit, as on old phones", ""}},
        make_kalah_solver,
        make_kalah_tables};
    return kind;
  }

  static KalahRules of(const GameSpec& spec, const Options& options) {
    KalahRules rules{SowingRules(spec, options)};
    rules.empty_capture = options.yes("empty_capture");
    const std::string& leftover = options.text("leftover");
    rules.leftover = leftover == "owner"  ? KalahRules::Leftover::owner
                     : leftover == "none" ? KalahRules::Leftover::none
                                          : KalahRules::Leftover::opponent;
    rules.end_any = options.text("end") == "any";
    rules.swap = options.yes("swap");
    rules.first_extra = options.yes("first_extra");
    return rules;
  }
};

}  // namespace mossa
