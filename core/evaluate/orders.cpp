#include "orders.hpp"

namespace mossa {

namespace {

struct NamedOrder {
  std::string_view name;
  Order order;
};
constexpr std::array named_orders{
    NamedOrder{"none", Order::none},
    NamedOrder{"centre", Order::centre},
    NamedOrder{"descending", Order::descending},
    NamedOrder{"value", Order::value},
    NamedOrder{"store", Order::store},
    NamedOrder{"store-first", Order::store_first},
    NamedOrder{"priority", Order::priority},
};

Option order_option(const std::string& fallback) {
  std::vector<std::string> names;
  for (const NamedOrder& each : named_orders) names.emplace_back(each.name);
  Option option = Option::choice(
      "order", names,
      "which moves to try first: as generated, from the middle, the highest first, by the evaluation after "
      "the "
      "move, by the stores (store-first: as first sees them, even for second), by the priority of threats");
  option.fallback = fallback;
  return option;
}

}  // namespace

Order order_of(const std::string& name, const Traits& traits) {
  const auto refuse = [&](const std::string& games) {
    return InvalidPlayerError("order=" + name + " works only for " + games);
  };
  const Order order = std::ranges::find(named_orders, name, &NamedOrder::name)->order;
  if (order == Order::priority && !traits.lines) throw refuse("line games (mnk, connect)");
  if ((order == Order::store || order == Order::store_first) && traits.scoring == Scoring::outcome)
    throw refuse("games with stores (kalah)");
  return order;
}

std::vector<Option> selection_options(const std::string& order, const std::string& width,
                                      const std::string& near) {
  return {order_option(order),
          Option::integer("width", 0, 10'000, width,
                          "search only this many moves of each position, the best ones; equally critical "
                          "moves (order=priority) are all searched; 0: all"),
          Option::integer(
              "near", 0, 10, near,
              near.empty()
                  ? "mnk: search only cells this close to a stone; 0: all, the default up to 64 cells, else 2"
                  : "mnk: search only cells this close to a stone; 0: all")};
}

void sort_by_rank(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, std::greater{},
                           [](const Candidate& each) { return each.merit.rank(); });
}

}  // namespace mossa
