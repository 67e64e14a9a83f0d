#include "mcts.hpp"

#include <queue>

namespace mossa {

using Proof = MctsNode::Proof;

std::vector<Option> MctsParams::options() {
  return {Option::real("c", 0, 100, "1.4", "how much to explore: the constant of UCB1"),
          Option::choice("playout", {"random", "tactical"},
                         "tactical: win at once, else stop a win, else random"),
          Option::real("draws", 0, 1, "0.5", "what a draw is worth to either side"),
          Option::flag("solver", true, "mark positions whose outcome is certain"),
          Option::flag("reuse", true, "keep the tree from move to move"),
          Option::integer("memory", 1, 65'536, "256", "megabytes for the tree"),
          Option::integer("seed", 0, 2'000'000'000, "1", "seed of the random numbers"),
          Option::integer("threads", 1, 256, "1", "trees that grow at the same time")};
}

MctsParams::MctsParams(const Options& options)
    : exploration(options.real("c")),
      draws(options.real("draws")),
      tactical(options.text("playout") == "tactical"),
      solver(options.flag("solver")),
      max_nodes((static_cast<std::size_t>(options.integer("memory")) << 20) / sizeof(MctsNode) /
                static_cast<std::size_t>(options.integer("threads"))),
      reuse(options.flag("reuse")),
      threads(options.integer("threads")),
      seed(options.integer("seed")) {}

VisitTable::VisitTable() {
  for (std::uint32_t visits = 1; visits < size; ++visits) {
    inverse_roots_[visits] = compute_inverse_root(visits);
    roots_of_logs_[visits] = compute_root_of_log(visits);
  }
}

const VisitTable& VisitTable::shared() {
  static const VisitTable table;
  return table;
}

namespace {

struct Tally {
  Move move;
  std::uint64_t visits = 0;
  double wins = 0;
  Proof proof = Proof::none;
};

/// The root's children, summed over the trees.
std::vector<Tally> tally(std::span<const MctsNodes* const> trees) {
  std::vector<Tally> sums;
  for (const MctsNodes* tree : trees)
    for (const MctsNode& child : tree->children(tree->root())) {
      auto found = std::ranges::find(sums, child.move, &Tally::move);
      if (found == sums.end()) found = sums.insert(sums.end(), Tally{child.move});
      found->visits += child.visits;
      found->wins += child.mean * child.visits;
      if (child.proof != Proof::none) found->proof = child.proof;
    }
  return sums;
}

/// The most visited line that begins with `move`.
std::vector<Move> line_from(const MctsNodes& tree, Move move) {
  std::vector<Move> line{move};
  auto children = tree.children(tree.root());
  auto at = std::ranges::find(children, move, &MctsNode::move);
  while (at != children.end() && at->grown()) {
    children = tree.children(*at);
    at = std::ranges::max_element(children, {}, &MctsNode::visits);
    if (at == children.end() || at->visits == 0) break;
    line.push_back(at->move);
  }
  return line;
}

}  // namespace

Info summary_of(std::span<const MctsNodes* const> trees, Move fallback, bool proves_outcome) {
  Info info;
  info.move = fallback;
  const std::vector<Tally> sums = tally(trees);
  const auto rank = [](const Tally& t) {
    return std::pair(t.proof == Proof::win ? 2 : t.proof == Proof::loss ? 0 : 1, t.visits);
  };
  const auto best = std::ranges::max_element(sums, {}, rank);
  if (best != sums.end()) {
    info.move = best->move;
    const double mean = best->visits ? best->wins / static_cast<double>(best->visits) : 0.5;
    info.value = static_cast<int>(std::lround((2 * mean - 1) * 1000));
    const bool all_known = std::ranges::all_of(sums, [](const Tally& t) { return t.proof != Proof::none; });
    const bool certain = best->proof == Proof::win || (best->proof != Proof::none && all_known);
    if (certain) {
      const int sign = best->proof == Proof::win ? 1 : best->proof == Proof::draw ? 0 : -1;
      // Of a margin only the sign is proven, unless it is a draw.
      info.exact = proves_outcome || sign == 0;
      info.value = info.exact ? sign : 1000 * sign;
    }
  }
  info.line = line_from(*trees[0], info.move);
  info.depth = static_cast<int>(info.line.size());
  for (const MctsNodes* tree : trees) info.memory += tree->bytes();
  return info;
}

void write_trace(const MctsNodes& tree, const std::function<Side(std::span<const Move>)>& side_after,
                 Trace& trace) {
  struct Reached {
    const MctsNode* node;
    std::vector<Move> path;
    Tracer::Id parent;
    std::uint64_t order;  // of two with as many visits, the one that was found first

    bool operator<(const Reached& b) const {
      return node->visits != b.node->visits ? node->visits < b.node->visits : order > b.order;
    }
  };
  const Tracer tracer(&trace);
  std::uint64_t found = 0;
  std::priority_queue<Reached> queue;
  queue.push({&tree.root(), {}, {}, found++});
  while (!queue.empty() && !trace.truncated) {
    const auto [node, path, parent, order] = queue.top();
    queue.pop();
    const auto children = tree.children(*node);
    TraceNode described{.side = side_after(path), .visits = node->visits};
    described.mean = node->mean;
    described.unvisited = node->move_count - node->children_tried;
    if (node->proof != Proof::none) {
      described.end = "proven";
      const bool mover_to_move = node->mover == described.side;
      described.value = node->proof == Proof::draw                     ? 0
                        : (node->proof == Proof::win) == mover_to_move ? 1
                                                                       : -1;
    }
    if (!path.empty()) described.move = node->move;
    const Tracer::Id id = path.empty() ? tracer.root(described) : tracer.child(parent, described);
    for (const MctsNode& child : children) {
      if (child.visits == 0) continue;
      Reached below{&child, path, id, found++};
      below.path.push_back(child.move);
      queue.push(std::move(below));
    }
  }
}

}  // namespace mossa
