#include "evaluations.hpp"

namespace mossa {

Option evaluation_option() {
  std::vector<std::string> names{"default"}, summaries;
  const auto add = [&](const auto& each) {
    names.emplace_back(each.name);
    if (!each.summary.empty()) summaries.emplace_back(each.summary);
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, evaluations);
  return Option::choice(
      "evaluate", names,
      "what a leaf is worth: " + join(summaries, ", ") + "; default: the first of these that the game has");
}

InvalidPlayerError no_such_evaluation(const std::string& name, const std::vector<std::string>& names) {
  return InvalidPlayerError("evaluate=" + name + " is not for this game, which has " + join(names, ", "));
}

}  // namespace mossa
