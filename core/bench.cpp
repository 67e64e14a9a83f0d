#include "bench.hpp"

#include <chrono>

#include "handles.hpp"

namespace mossa {
namespace {

struct Work {
  GameSpec game;
  std::string moves;
  int perft_depth;
  int search_depth;
  std::string own_search{};  // that only games of this sort have
  int own_depth = 0;
};

const std::vector<Work>& fixed_work() {
  static const std::vector<Work> work{
      {{"connect", {6, 7, 4}, {}}, "", 8, 8},
      {{"connect", {6, 7, 4}, {}}, "44435674", 8, 8},
      {{"connect", {9, 9, 5}, {}}, "5555", 6, 6, "gravity", 12},
      {{"mnk", {3, 3, 3}, {}}, "", 9, 9},
      {{"mnk", {15, 15, 5}, {}}, "h8 h9 i8 g8", 3, 3, "threats", 10},
      {{"mnk", {50, 50, 10}, {}}, "y25", 2, 2},
      {{"kalah", {6, 4}, {}}, "", 9, 9},
      {{"kalah",
        {6, 3},
        {{"empty_capture", "yes"}, {"leftover", "none"}, {"end", "mover"}, {"majority", "yes"}}},
       "36",
       9,
       9},
      {{"kalah", {9, 6}, {{"swap", "yes"}}}, "", 7, 7},
  };
  return work;
}

template <class Count>
BenchRow timed(std::string name, Count&& count) {
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t nodes = count();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return {std::move(name), nodes, taken.count()};
}

}  // namespace

std::vector<BenchRow> bench(const Poll& poll) {
  std::vector<BenchRow> rows;
  for (const Work& work : fixed_work()) {
    const auto game = make_game(work.game);
    const auto position = play_text(game->start(), work.moves);
    const std::string where = " " + game->name() + (work.moves.empty() ? "" : " " + work.moves);
    rows.push_back(timed("perft" + where + " depth " + std::to_string(work.perft_depth),
                         [&] { return position->perft(work.perft_depth, poll); }));
    const auto search = [&](const std::string& name, int depth) {
      Task task;
      task.poll = poll;
      task.limits.depth = depth;
      rows.push_back(timed(name + where + " depth " + std::to_string(depth),
                           [&] { return game->search(name, {})->run(*position, task).nodes; }));
    };
    search("alphabeta", work.search_depth);
    if (work.own_depth) search(work.own_search, work.own_depth);
  }
  return rows;
}

}  // namespace mossa
