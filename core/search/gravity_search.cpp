#include "gravity_search.hpp"

#include "gravity_worker.hpp"

namespace mossa {

class AnyGravitySearch::Work final : DeepeningSearch {
 public:
  Work(const GravityRules& rules, const Options& options, const NetworkPointer& network)
      : Work(rules, GravityParams(options), network) {}

  Info run(const Columns& columns, Side side, const Task& task) {
    empty_ = cells_;
    for (const auto& column : columns) empty_ -= static_cast<int>(column.size());
    most_ =
        std::min({task.limits.depth.value_or(GravityParams::most_plies), GravityParams::most_plies, empty_});
    shared_.columns = &columns;
    shared_.side = side;
    shared_.begin_search();
    shared_.end_depth.reset();
    if (most_ == empty_) shared_.end_depth = most_;
    return deepen(task, side, {1, most_, GravityParams::most_plies});
  }

 private:
  Work(const GravityRules& rules, const GravityParams& params, const NetworkPointer& network)
      : DeepeningSearch(params.threads),
        params_(params),
        shared_(params, network),
        cells_(rules.rows * rules.cols) {
    for (int i = 0; i < params.threads; ++i) {
      auto worker = std::make_unique<GravityWorker>(rules, params_, crew_, shared_, i == 0);
      if (i == 0) lead_ = worker.get();
      workers_.push_back(std::move(worker));
    }
  }

  bool should_grow_tables(double time_left) const override { return shared_.should_grow(time_left); }
  void grow_tables(double time_left) override { shared_.grow_within(time_left); }

  /// A win by threats is looked for before all else.
  std::optional<int> answer_at_once(const Limits& limits, Info& info) override {
    const std::optional<int> value = lead_->prove(first_stones(limits));
    if (!value) return {};
    set_outcome_value(info, *value, true, empty_);
    info.depth = std::min(*info.distance, most_);
    info.line = lead_->best_line();
    return value;
  }

  bool conclude(Info& info, int value) override {
    set_outcome_value(info, value, workers_[0]->proven(value), empty_);
    return info.exact;
  }

  std::size_t bytes() const override { return sizeof(*this) + shared_.bytes(); }

  /// What a win by threats may cost before all else is searched.
  static int first_stones(const Limits& limits) {
    constexpr double most = 20'000;
    return static_cast<int>(std::min(
        most, limits.nodes ? static_cast<double>(*limits.nodes) * GravityParams::first_share : most));
  }

  GravityParams params_;
  SharedGravity shared_;
  int cells_;
  GravityWorker* lead_ = nullptr;  // the first worker
  int empty_ = 0, most_ = 0;       // cells and depth, of this run
};

std::vector<Option> AnyGravitySearch::options() {
  return {Option::integer("memory", 1, 65'536, "64", "megabytes for the tables"),
          Option::flag("vct", true, "look for wins by continuous threats"), policy_option(),
          trust_option(GravityParams::usual_trust),
          Option::integer("threads", 1, 256, "1", "threads that share the tables")};
}

AnyGravitySearch::AnyGravitySearch(const GravityRules& rules, const Options& options,
                                   const NetworkPointer& network)
    : work_(std::make_unique<Work>(rules, options, network)) {}

AnyGravitySearch::~AnyGravitySearch() = default;

Info AnyGravitySearch::run(const Columns& columns, Side side, const Task& task) {
  return work_->run(columns, side, task);
}

}  // namespace mossa
