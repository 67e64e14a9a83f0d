#include "alphabeta.hpp"

namespace mossa {

std::vector<Option> AlphaBetaParams::options() {
  std::vector<Option> options = selection_options("value", "0", "");
  options.insert(
      options.end(),
      {evaluation_option(), Depth::hands_option(),
       Option::flag("early", false, "stop searching a position once one of its moves is decided"),
       Option::flag("table", true, "remember positions already searched"),
       Option::integer("memory", 1, 65'536, "64", "megabytes for the table"),
       Option::flag("deepen", true, "search to depth 1, 2, 3 ... instead of the full depth at once"),
       Option::integer("start", 1, 250, "1", "the first depth when deepening"),
       Option::flag("turns", false, "count the depth in turns: extra moves are free"),
       Option::flag("resume", false,
                    "start two plies below the depth reached for the previous move, if that is deeper"),
       Option::flag("pvs", true, "principal-variation search: only test whether later moves are better"),
       Option::integer("aspiration", 0, 1'000'000, "0",
                       "half the width of the window around the last value at the root; 0: a full window"),
       Option::flag("killers", true, "try moves early that caused a cut-off at the same ply"),
       Option::flag("history", true, "try moves early that often cause cut-offs"),
       Option::flag("strict", false, "cut only on values beyond the bound, not on equal ones"),
       Option::flag("forget", false, "forget one bound when the turn passes, as the Bantumi report did"),
       Option::integer("threads", 1, 256, "1", "threads that share the table")});
  return options;
}

AlphaBetaParams::AlphaBetaParams(const Options& options)
    : early(options.flag("early")),
      table(options.flag("table")),
      table_mb(options.integer("memory")),
      deepen(options.flag("deepen")),
      start(options.integer("start")),
      turns(options.flag("turns")),
      resume(options.flag("resume")),
      pvs(options.flag("pvs")),
      aspiration(options.integer("aspiration")),
      killers(options.flag("killers")),
      history(options.flag("history")),
      strict(options.flag("strict")),
      forget(options.flag("forget")),
      threads(options.integer("threads")) {
  if (forget && (pvs || table || aspiration || threads > 1))
    throw InvalidPlayerError(
        "forget=on gives wrong bounds: it needs pvs, table and aspiration off and one thread");
  if (threads > 1 && !table)
    throw InvalidPlayerError("threads share their results through the table: threads>1 needs table=on");
}

}  // namespace mossa
