#include "deepening.hpp"

#include <thread>

namespace mossa {

void DeepeningWorker::begin(Side side, Budget& budget, Trace* trace) {
  side_ = side;
  budget_ = &budget;
  tracer_ = Tracer(trace);
  iteration_ = 1;
  best_line_.clear();
  prepare();
}

std::optional<int> DeepeningWorker::iterate(int depth, std::optional<int> previous) {
  iteration_ = depth;
  int alpha = -infinity, beta = infinity;
  if (const int half = aspiration(depth); half && previous && !is_decided(*previous)) {
    alpha = *previous - half;
    beta = *previous + half;
  }
  while (true) {
    reached_horizon_ = false;
    left_out_ = 0;
    const auto id = tracer_.root({.side = side_, .depth = depth, .alpha = alpha, .beta = beta});
    const int value = search_root(depth, alpha, beta, id);
    if (stopped()) {
      keep_best_line();  // an unfinished iteration counts if it has searched its first move
      return {};
    }
    if (value <= alpha && alpha > -infinity) {
      alpha = -infinity;
      continue;
    }
    keep_best_line();
    if (value < beta || beta == infinity) return value;
    beta = infinity;
  }
}

bool DeepeningWorker::proven(int value) const {
  if (is_decided(value)) return !(left_out_ & side_bit(value > 0 ? other(side_) : side_));
  return !left_out_ && !reached_horizon_;
}

void DeepeningWorker::keep_best_line() {
  if (!lines_[0].empty()) best_line_.assign(lines_[0].begin(), lines_[0].end());
}

void DeepeningWorker::look_for_answers() {
  for (std::size_t i = 0; i < asked_.size() && !answered_; ++i)
    if (const auto known = answers_->find(asked_[i].key); known && asked_[i].answered_by(*known))
      answered_ = i + 1;
}

/// The threads besides the leading one; at the end they are stopped and awaited.
class DeepeningSearch::Helpers {
 public:
  Helpers(DeepeningSearch& search, Side side, int most_depth, Budget& lead)
      : search_(search), side_(side), most_depth_(most_depth), lead_(lead) {}
  ~Helpers() { stop(); }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Stops them and waits until they have; they can be started again.
  void stop() {
    crew().stop = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    crew().stop = false;
    crew().alone = true;
  }

  /// Starts them, unless they run already or there is too little to do for them so far: starting a
  /// thread takes as long as a hundred nodes or more.
  void start_if_worthwhile(int depth) {
    const std::size_t count = search_.workers_.size();
    if (count == 1 || !threads_.empty()) return;
    if (depth < worthwhile_depth && lead_.nodes() < worthwhile_nodes) return;
    crew().alone = false;
    const std::size_t before = budgets_.size();  // of threads that have stopped: their nodes count
    for (std::size_t i = 1; i < count; ++i) {
      budgets_.push_back(std::make_unique<Budget>(Limits{}, Poll{}));
      lead_.include(*budgets_.back());
    }
    for (std::size_t i = 1; i < count; ++i)
      threads_.emplace_back(
          [this, depth, &worker = *search_.workers_[i], &budget = *budgets_[before + i - 1]] {
            worker.begin(side_, budget, nullptr);
            help(worker, depth, budget);
          });
  }

 private:
  static constexpr int worthwhile_depth = 6;
  static constexpr std::uint64_t worthwhile_nodes = 1000;

  Crew& crew() { return search_.crew_; }

  /// The same iterations as the leading thread's, for the tables.
  void help(DeepeningWorker& worker, int depth, const Budget& budget) {
    std::optional<int> value;
    while (depth <= most_depth_ && !crew().stop && !budget.stopped()) {
      value = worker.iterate(depth, value);
      depth = std::max(depth + value.has_value(), crew().completed.load() + 1);
    }
  }

  DeepeningSearch& search_;
  Side side_;
  int most_depth_;
  Budget& lead_;
  std::vector<std::unique_ptr<Budget>> budgets_;
  std::vector<std::thread> threads_;
};

/// Says under a clock whether a search has thought long enough about a move.
class DeepeningSearch::Patience {
 public:
  explicit Patience(const Limits& limits) : limits_(limits) {}

  /// The same limits with the time at which it ends in any case.
  Limits hard_limits() const {
    Limits hard = limits_;
    if (limits_.longest) hard.time = limits_.longest;
    return hard;
  }

  /// Told of every finished iteration. Another one takes about as long as all before, so one that would end
  /// far too late is not begun.
  bool is_over(Move move, int value, double seconds) {
    if (!limits_.longest || !limits_.time) return false;
    unrest_ /= 2;
    if (last_) {
      if (move != last_->first) unrest_ += 1;
      const int fallen = last_->second - value;
      if (fallen > swing_) unrest_ += 0.5;
      swing_ = (3 * swing_ + std::abs(fallen)) / 4;
    }
    last_ = {move, value};
    return seconds > *limits_.time * std::min(0.45 + 0.45 * unrest_, 1.5);
  }

 private:
  Limits limits_;
  std::optional<std::pair<Move, int>> last_;
  double unrest_ = 0;  // how much the last iterations differed
  int swing_ = 0;      // by which the value usually changes
};

Info DeepeningSearch::deepen(const Task& task, Side side, const Depths& depths) {
  crew_.stop = false;
  crew_.completed = 0;
  for (const auto& worker : workers_) worker->counts().reset();
  Patience patience(task.limits);
  Budget budget(patience.hard_limits(), task.poll);
  Helpers helpers(*this, side, depths.most_of_helpers, budget);
  DeepeningWorker& lead = *workers_[0];
  lead.begin(side, budget, task.trace);
  Info info;
  info.line = {lead.first_choice()};
  const auto tell = [&] {
    fill(info, budget);
    if (task.report) task.report(info);
  };
  std::optional<int> value = answer_at_once(task.limits, info);
  if (value) tell();
  for (int depth = depths.first; depth <= depths.most && !info.exact; ++depth) {
    depth = skip_to(depth);
    if (should_grow_tables(budget.time_left())) {
      helpers.stop();
      grow_tables(budget.time_left());
    }
    helpers.start_if_worthwhile(depth);
    value = lead.iterate(depth, value);
    if (!lead.best_line().empty()) info.line = lead.best_line();
    if (!value) break;
    crew_.completed = depth;
    info.depth = depth;
    const bool final = conclude(info, *value);
    tell();
    if (final || patience.is_over(info.move, *value, info.time)) break;
  }
  fill(info, budget);
  return info;
}

void DeepeningSearch::fill(Info& info, const Budget& budget) const {
  info.move = info.line[0];
  info.nodes = budget.nodes();
  info.evaluations = info.cutoffs = info.table_hits = 0;
  info.memory = bytes();
  for (const auto& worker : workers_) {
    worker->counts().add_to(info);
    info.memory += worker->bytes();
  }
  info.time = budget.seconds();
}

}  // namespace mossa
