#include "gametree.hpp"

namespace mossa {

std::vector<Option> game_tree_options(const Traits& traits) {
  const std::string order = traits.lines                         ? "priority"
                            : traits.scoring == Scoring::outcome ? "value"
                                                                 : "store";
  std::vector<Option> options = selection_options(order, "8", "1");
  options.push_back(evaluation_option());
  options.push_back(Option::integer("memory", 1, 65'536, "512", "megabytes for the tree"));
  options.push_back(Option::integer("threads", 1, 256, "1", "threads that grow the tree together"));
  return options;
}

void sort_by_rank(std::span<GameTreeNode> children) {
  std::ranges::stable_sort(children, std::greater{}, &GameTreeNode::rank);
}

}  // namespace mossa
