#include "threat_search.hpp"

#include <thread>

#include "threat_worker.hpp"

namespace mossa {
class AnyThreatSearch::Work {
 public:
  Work(const MnkRules& rules, const Options& options)
      : params_(options), shared_(rules.k, rules.exact, params_) {
    for (int i = 0; i < params_.threads; ++i)
      workers_.push_back(std::make_unique<ThreatWorker>(rules, params_, shared_));
  }

  Info run(const Stones& stones, Side side, const Task& task) {
    shared_.stop = false;
    shared_.completed = 0;
    for (const auto& worker : workers_) worker->counts().reset();
    Budget budget(task.limits, task.poll);
    Helpers helpers(*this, stones, side, budget);
    return lead(stones, side, task, budget, helpers);
  }

 private:
  /// The threads besides the leading one; at the end they are stopped and awaited.
  class Helpers {
   public:
    Helpers(Work& work, const Stones& stones, Side side, Budget& lead)
        : work_(work), stones_(stones), side_(side), lead_(lead) {}
    ~Helpers() {
      work_.shared_.stop = true;
      for (std::thread& thread : threads_) thread.join();
      work_.shared_.alone = true;
    }
    Helpers(const Helpers&) = delete;
    Helpers& operator=(const Helpers&) = delete;

    /// Starts them, unless they run already or there is too little to do for them so far.
    void start_if_worthwhile(int iteration) {
      if (!threads_.empty() || work_.workers_.size() == 1 || lead_.nodes() < worthwhile_nodes) return;
      work_.shared_.alone = false;
      work_.shared_.table.grow();
      work_.shared_.fails.grow();
      for (std::size_t i = 1; i < work_.workers_.size(); ++i) {
        budgets_.push_back(std::make_unique<Budget>(Limits{}, Poll{}));
        lead_.include(*budgets_.back());
      }
      for (std::size_t i = 1; i < work_.workers_.size(); ++i)
        threads_.emplace_back([this, iteration, &worker = *work_.workers_[i], &budget = *budgets_[i - 1]] {
          worker.begin(stones_, side_, budget, nullptr);
          work_.help(worker, iteration, budget);
        });
    }

   private:
    static constexpr std::uint64_t worthwhile_nodes = 1000;

    Work& work_;
    const Stones& stones_;
    Side side_;
    Budget& lead_;
    std::vector<std::unique_ptr<Budget>> budgets_;
    std::vector<std::thread> threads_;
  };

  Info lead(const Stones& stones, Side side, const Task& task, Budget& budget, Helpers& helpers) {
    ThreatWorker& worker = *workers_[0];
    worker.begin(stones, side, budget, task.trace);
    Info info;
    info.move = worker.first_choice();
    info.line = {info.move};
    const int empties = worker.empties();
    const int most =
        std::min({task.limits.depth.value_or(ThreatParams::most_plies), ThreatParams::most_plies, empties});
    std::optional<int> value = worker.prove(first_nodes(task.limits), first_seconds(task.limits));
    if (value) {
      set_outcome_value(info, *value, true, empties);
      info.depth = std::min(*info.distance, most);
      info.line = worker.completed(worker.best_line(), *value);
      info.move = info.line[0];
      fill(info, budget);
      if (task.report) task.report(info);
    }
    const bool can_end = worker.full_width() && most == empties;
    for (int depth = 1; depth <= most && !info.exact; ++depth) {
      if (can_end && empties <= ThreatParams::few_cells && depth > ThreatParams::look_before_end)
        depth = most;
      helpers.start_if_worthwhile(depth);
      value = worker.iterate(depth, value, can_end && depth == most);
      if (!worker.best_line().empty()) {
        info.line = worker.best_line();
        info.move = info.line[0];
      }
      if (!value) break;
      shared_.completed = depth;
      set_outcome_value(info, *value, worker.proven(*value), empties);
      info.depth = depth;
      if (info.exact && is_decided(*value)) info.line = worker.completed(info.line, *value);
      fill(info, budget);
      if (task.report) task.report(info);
    }
    fill(info, budget);
    return info;
  }

  /// What a win by threats may cost before all else is searched.
  static int first_nodes(const Limits& limits) {
    double nodes = 1e9;
    if (limits.nodes) nodes = static_cast<double>(*limits.nodes) * ThreatParams::first_share;
    if (limits.depth) nodes = std::min(nodes, std::ldexp(ThreatParams::first_threats, *limits.depth));
    if (!limits.nodes && !limits.depth && !limits.time) nodes = 1e6;
    return static_cast<int>(nodes);
  }
  static double first_seconds(const Limits& limits) {
    return limits.time ? *limits.time * ThreatParams::first_share : std::numeric_limits<double>::infinity();
  }

  /// What the other threads do: the same iterations, for the table.
  void help(ThreatWorker& worker, int first, const Budget& budget) {
    std::optional<int> value;
    for (int depth = first; depth <= ThreatParams::most_plies && !shared_.stop && !budget.stopped();) {
      value = worker.iterate(depth, value);
      depth = std::max(depth + value.has_value(), shared_.completed.load() + 1);
    }
  }

  void fill(Info& info, const Budget& budget) const {
    info.nodes = budget.nodes();
    info.evaluations = info.cutoffs = info.table_hits = 0;
    info.memory = sizeof(*this) + shared_.table.bytes() + shared_.fails.bytes() + shared_.rule.bytes();
    for (const auto& worker : workers_) {
      worker->counts().add_to(info);
      info.memory += worker->bytes();
    }
    info.time = budget.seconds();
  }

  ThreatParams params_;
  SharedThreats shared_;
  std::vector<std::unique_ptr<ThreatWorker>> workers_;
};

std::vector<Option> AnyThreatSearch::options() {
  return {Option::integer("memory", 1, 65'536, "64", "megabytes for the tables"),
          Option::flag("vcf", true, "look for wins by continuous fours"),
          Option::flag("vct", true, "look for wins by continuous threats, threes and fours"),
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

AnyThreatSearch::AnyThreatSearch(const MnkRules& rules, const Options& options)
    : work_(std::make_unique<Work>(rules, options)) {}

AnyThreatSearch::~AnyThreatSearch() = default;

Info AnyThreatSearch::run(const Stones& stones, Side side, const Task& task) {
  return work_->run(stones, side, task);
}

}  // namespace mossa
