// The list of search algorithms. To add one, write its header under search/ and put it here.
#pragma once

#include <tuple>

#include "search/alphabeta.hpp"

namespace mossa {

/// An algorithm and the name it has in texts such as "alphabeta:depth=8".
template <template <class> class Algorithm>
struct NamedSearch {
  std::string_view name;
  template <class G>
  using type = Algorithm<G>;
};

inline constexpr std::tuple searches{NamedSearch<AlphaBeta>{"alphabeta"}};

}  // namespace mossa
