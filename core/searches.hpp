// The list of search algorithms. To add one, write its header under search/ and put one entry here: games of
// the core and games written in Python both take it from this list.
//
// An algorithm is a template on the game, made from the game and its checked options; `options(traits)` lists
// what it takes and `run(root, task)` searches a position that is not over.
#pragma once

#include <tuple>

#include "search/alphabeta.hpp"
#include "search/gametree.hpp"
#include "search/gravity.hpp"
#include "search/mcts.hpp"
#include "search/minimax.hpp"
#include "search/threats.hpp"

namespace mossa {

/// An algorithm and the name it has in texts such as "alphabeta:depth=8".
template <template <class> class Algorithm>
struct NamedSearch {
  std::string_view name;
  std::string_view summary;
};

inline constexpr std::tuple searches{
    NamedSearch<Minimax>{"minimax", "every move to a fixed depth, nothing left out"},
    NamedSearch<AlphaBeta>{"alphabeta",
                           "minimax that skips what cannot matter, with every technique as a switch"},
    NamedSearch<GameTree>{"gametree", "alpha-beta over a tree of candidate moves that is kept between moves"},
    NamedSearch<Mcts>{"mcts",
                      "Monte Carlo tree search: random games from a tree that grows where they go well"},
    NamedSearch<ThreatSearch>{"threats", "mnk: threats first, then the best candidates"},
    NamedSearch<GravitySearch>{"gravity",
                               "connect: forced replies, winning cells and who must fill which column"},
};

/// Calls `use.template operator()<Algorithm>()` with the algorithm of that name.
template <class Use>
void with_search(std::string_view name, Use&& use) {
  bool found = false;
  const auto try_search = [&]<template <class> class Algorithm>(const NamedSearch<Algorithm>& named) {
    if (named.name != name) return;
    found = true;
    use.template operator()<Algorithm>();
  };
  std::apply([&](const auto&... named) { (try_search(named), ...); }, searches);
  if (found) return;
  std::vector<std::string> names;
  std::apply([&](const auto&... named) { (names.emplace_back(named.name), ...); }, searches);
  throw InvalidPlayerError("unknown search " + quote(name) + ": the searches are " + join(names, ", "));
}

}  // namespace mossa
