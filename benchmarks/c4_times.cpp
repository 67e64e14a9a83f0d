// Times Christophe Steininger's c4 on positions: connect_solver.py --c4 compiles this with its sources.
//
// Its search is called directly, without its pool of threads: a position near the end takes less time than to
// wake a thread. Reads lines of columns, counted from 0, and prints the CPU seconds for all and their scores.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "solver/search.h"
#include "solver/solver.h"

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int score_of(Search& search, const Position& position) {
  if (position.wins_this_move(position.find_player_threats())) return position.score_win();
  int low = std::max(position.score_loss(), Position::MIN_SCORE);
  int high = std::min(position.score_win(), Position::MAX_SCORE);
  for (int guess = (low + high) / 2; low < high;) {
    const int asked = std::max(guess, low + 1);
    Position copy(position);
    search.start();
    guess = search.search(copy, asked - 1, asked, 0);
    (guess < asked ? high : low) = guess;
  }
  return low;
}

}  // namespace

/// With the argument "keep" the table is kept from one position to the next, and all are timed as one.
int main(int count, char** arguments) {
  const bool keep = count > 1 && !std::strcmp(arguments[1], "keep");
  Table table;
  Search search(0, table, std::make_shared<Stats>(), std::make_shared<Progress>());
  std::vector<Position> positions;
  for (std::string moves; std::getline(std::cin, moves);) {
    positions.emplace_back();
    for (const char column : moves) positions.back().move(column - '0');
  }
  std::vector<int> scores;
  double seconds = 0;
  double begin = cpu_seconds();
  for (const Position& position : positions) {
    if (!keep) {
      table.clear();
      begin = cpu_seconds();
    }
    scores.push_back(score_of(search, position));
    if (!keep) seconds += cpu_seconds() - begin;
  }
  if (keep) seconds = cpu_seconds() - begin;
  std::printf("%.9f\n", seconds);
  for (const int score : scores) std::printf("%d\n", score);
}
