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
      "how to value a leaf: " + join(summaries, ", ") +
          "; default: the network if there is one, else the first of these that suits the game");
}

InvalidPlayerError no_such_evaluation(const std::string& name, const std::vector<std::string>& names) {
  return InvalidPlayerError("evaluate=" + name +
                            " does not work for this game; these do: " + join(names, ", "));
}

InvalidPlayerError lacks_network(const std::string& name) {
  return InvalidPlayerError("evaluate=" + name + " needs a network");
}

InvalidPlayerError ignores_network(const std::string& name) {
  return InvalidPlayerError("evaluate=" + name + " ignores the network that you gave: use evaluate=net");
}

}  // namespace mossa
