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
      "what a leaf is worth: " + join(summaries, ", ") +
          "; default: the first of these that the game has, or the network if one is given");
}

InvalidPlayerError no_such_evaluation(const std::string& name, const std::vector<std::string>& names) {
  return InvalidPlayerError("evaluate=" + name + " is not for this game, which has " + join(names, ", "));
}

InvalidPlayerError lacks_network(const std::string& name) {
  return InvalidPlayerError("evaluate=" + name + " needs a network");
}

InvalidPlayerError ignores_network(const std::string& name) {
  return InvalidPlayerError("evaluate=" + name +
                            " does not use the network that was given: evaluate=net does");
}

}  // namespace mossa
