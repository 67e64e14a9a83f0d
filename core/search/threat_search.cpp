#include "threat_search.hpp"

#include "threat_worker.hpp"

namespace mossa {

class AnyThreatSearch::Work final : DeepeningSearch {
 public:
  Work(const MnkRules& rules, const Options& options, const NetworkPointer& network)
      : Work(rules, ThreatParams(options), network) {}

  Info run(const Stones& stones, Side side, const Task& task) {
    empty_ = cells_ - static_cast<int>(stones[0].size() + stones[1].size());
    most_ =
        std::min({task.limits.depth.value_or(ThreatParams::most_plies), ThreatParams::most_plies, empty_});
    shared_.stones = &stones;
    shared_.begin_search();
    shared_.end_depth.reset();
    if (lead_->full_width() && most_ == empty_) shared_.end_depth = most_;
    return deepen(task, side, {1, most_, ThreatParams::most_plies});
  }

 private:
  Work(const MnkRules& rules, const ThreatParams& params, const NetworkPointer& network)
      : DeepeningSearch(params.threads),
        params_(params),
        shared_(rules, params, network),
        cells_(rules.rows * rules.cols) {
    for (int i = 0; i < params.threads; ++i) {
      auto worker = std::make_unique<ThreatWorker>(rules, params_, crew_, shared_, i == 0);
      if (i == 0) lead_ = worker.get();
      workers_.push_back(std::move(worker));
    }
  }

  bool should_grow_tables(double time_left) const override { return shared_.should_grow(time_left); }
  void grow_tables(double time_left) override { shared_.grow_within(time_left); }

  /// A win by threats is looked for before all else.
  std::optional<int> answer_at_once(const Limits& limits, Info& info) override {
    const std::optional<int> value = lead_->prove(first_nodes(limits), first_seconds(limits));
    if (!value) return {};
    set_outcome_value(info, *value, true, empty_);
    info.depth = std::min(*info.distance, most_);
    info.line = lead_->completed(lead_->best_line(), *value);
    return value;
  }

  int skip_to(int depth) const override {
    const bool soon = shared_.end_depth && empty_ <= ThreatParams::few_cells;
    return soon && depth > ThreatParams::look_before_end ? most_ : depth;
  }

  bool conclude(Info& info, int value) override {
    set_outcome_value(info, value, lead_->proven(value), empty_);
    if (info.exact && is_decided(value)) info.line = lead_->completed(info.line, value);
    return info.exact;
  }

  std::size_t bytes() const override { return sizeof(*this) + shared_.bytes() + shared_.rule.bytes(); }

  /// What a win by threats may cost before all else is searched.
  static int first_nodes(const Limits& limits) {
    double nodes = 1e9;
    if (limits.nodes) nodes = static_cast<double>(*limits.nodes) * ThreatParams::first_share;
    if (limits.depth) nodes = std::min(nodes, std::ldexp(ThreatParams::threats_at_root, *limits.depth));
    if (!limits.nodes && !limits.depth && !limits.time) nodes = 1e6;
    return static_cast<int>(nodes);
  }
  static double first_seconds(const Limits& limits) {
    return limits.time ? *limits.time * ThreatParams::first_share : std::numeric_limits<double>::infinity();
  }

  ThreatParams params_;
  SharedThreats shared_;
  int cells_;
  ThreatWorker* lead_ = nullptr;  // the first worker
  int empty_ = 0, most_ = 0;      // cells and depth, of this run
};

std::vector<Option> AnyThreatSearch::options() {
  return {Option::integer("memory", 1, 65'536, "64", "megabytes for the tables"),
          Option::flag("vcf", true, "look for wins by continuous fours"),
          Option::flag("vct", true, "look for wins by continuous threats, threes and fours"),
          policy_option(),
          trust_option(ThreatParams::usual_trust),
          Option::integer("threads", 1, 256, "1", "threads that share the tables")};
}

std::vector<Threat> threats_made(const MnkRules& rules, const Stones& stones, const Cell& cell, Side side) {
  const PatternRule rule(rules.k, rules.exact);
  PatternBoard board(rules.rows, rules.cols, rule);
  board.put(stones);
  std::vector<Threat> made;
  for (int d = 0; d < PatternBoard::directions; ++d) {
    const Threat threat = threat_of(board.code(side, d, cell.row * rules.cols + cell.col));
    if (threat != Threat::none) made.push_back(threat);
  }
  std::ranges::sort(made, std::ranges::greater());
  return made;
}

AnyThreatSearch::AnyThreatSearch(const MnkRules& rules, const Options& options, const NetworkPointer& network)
    : work_(std::make_unique<Work>(rules, options, network)) {}

AnyThreatSearch::~AnyThreatSearch() = default;

Info AnyThreatSearch::run(const Stones& stones, Side side, const Task& task) {
  return work_->run(stones, side, task);
}

}  // namespace mossa
