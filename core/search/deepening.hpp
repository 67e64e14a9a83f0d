// Iterative deepening with threads: what alpha-beta and the search by threats share.
//
// A search looks one ply ahead, then two, then three, and always has an answer. With threads=n, n workers
// search the same tree and share the tables. A worker puts off a move that another is searching at this
// moment, so that they spread over the tree instead of walking it together (simplified ABDADA: J.-C. Weill
// 1996, T. Kerrigan 2017). The first worker leads: its result counts. The others begin when the search has
// become long enough to be worth a thread.
#pragma once

#include <memory>

#include "../busy.hpp"
#include "../learn/line_network_board.hpp"
#include "../table.hpp"
#include "search.hpp"

namespace mossa {

// Of the searches that take a network.
inline Option policy_option() {
  return Option::flag("policy", true, "with a network: let it have a say in the order of moves");
}
inline Option trust_option(int usual) {
  return Option::integer("trust", 0, 100, std::to_string(usual),
                         "with a network: how much the search trusts it, in percent");
}

/// How far a search believes a network. A correction that fits the positions of games can be far off in those
/// that only a search comes to.
struct Trust {
  int percent;
  int logarithm;  // points of the search's own with which the odds of a win grow e-fold

  int mixed(int own, LineNetworkBoard& learnt, Side side) const {
    const int said = learnt.value(side, own * 1000 / logarithm) * logarithm / 1000;
    return own + (said - own) * percent / 100;
  }
};

/// What the workers of one search share, besides its tables.
struct Crew {
  explicit Crew(int threads) : threads(threads) {}

  const int threads;
  bool alone = true;  // no helper runs
  std::atomic<bool> stop{false};
  std::atomic<int> completed{0};  // the deepest finished iteration
  BusyMarks busy;                 // the moves being searched now
};

/// One thread's search.
class DeepeningWorker {
 public:
  /// Given the table that the workers share, a worker leaves positions that another has answered meanwhile.
  DeepeningWorker(Crew& crew, int most_plies, const Table* table = nullptr)
      : crew_(crew), lines_(most_plies), answers_(crew.threads > 1 ? table : nullptr) {}
  virtual ~DeepeningWorker() = default;
  DeepeningWorker(const DeepeningWorker&) = delete;
  DeepeningWorker& operator=(const DeepeningWorker&) = delete;

  /// Gets ready to search the root, where `side` is to move.
  void begin(Side side, Budget& budget, Trace* trace);
  /// Searches to one depth; nothing if it had to stop. `previous` is the value of the last iteration.
  std::optional<int> iterate(int depth, std::optional<int> previous);
  /// What to play when there is no time to search.
  virtual Move first_choice() = 0;

  /// A win needs every reply of the loser to have been searched; any other value needs everything.
  bool proven(int value) const;
  /// True if the last iteration valued a position that was not over.
  bool reached_horizon() const { return reached_horizon_; }
  const std::vector<Move>& best_line() const { return best_line_; }
  SearchCounts& counts() { return counts_; }
  virtual std::size_t bytes() const = 0;

 protected:
  virtual void prepare() = 0;
  virtual int search_root(int depth, int alpha, int beta, Tracer::Id id) = 0;
  /// Half the width of the window around the last value; 0: open.
  virtual int aspiration(int depth) const = 0;

  static constexpr int min_busy_depth = 3;  // below, marking costs more than walking together
  static std::uint8_t side_bit(Side side) { return static_cast<std::uint8_t>(1 << index(side)); }

  /// True if what the table knows settles the question that the window asks.
  static bool answers(Bound bound, int value, int alpha, int beta) {
    return bound == Bound::exact || (bound == Bound::lower && value >= beta) ||
           (bound == Bound::upper && value <= alpha);
  }
  // Wins are counted from the root in the search, from the position itself in the table.
  static int to_table(int value, int ply) {
    return is_decided(value) ? value + (value > 0 ? ply : -ply) : value;
  }
  static int from_table(int value, int ply) {
    return is_decided(value) ? value - (value > 0 ? ply : -ply) : value;
  }

  /// A question that the table may answer.
  struct Asked {
    TableKey key;
    // To be searched to. Who searches a ply less deep, for want of a first move, says so only when alone:
    // with others about, one of them would search the same position again, this time to the full.
    int depth;
    int ply, alpha, beta;
    bool to_the_end;  // of the game: then no evaluation will do

    std::int16_t counted_depth() const { return static_cast<std::int16_t>(std::max(depth, 0)); }

    bool answered_by(const Known& known) const {
      return (!known.reached_horizon || (known.depth >= counted_depth() && !to_the_end)) &&
             answers(known.bound, from_table(known.value, ply), alpha, beta);
    }
  };
  /// While it lives, others may answer the question, if it takes long enough for that.
  class Open {
   public:
    Open(DeepeningWorker& worker, const Asked& asked)
        : worker_(worker), open_(worker.answers_ && asked.ply > 0 && asked.depth >= min_busy_depth) {
      if (open_) worker.asked_.push_back(asked);
    }
    ~Open() {
      if (open_) worker_.asked_.pop_back();
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

    /// True if another thread has answered it, and that is why the search below has stopped. Says so once.
    bool is_answered() {
      if (!open_ || worker_.answered_ != worker_.asked_.size()) return false;
      worker_.answered_ = 0;
      return true;
    }

   private:
    DeepeningWorker& worker_;
    bool open_;
  };

  bool has_company() const { return crew_.threads > 1; }
  bool stopped() const {
    return budget_->stopped() ||
           (has_company() && (crew_.stop.load(std::memory_order_relaxed) || answered_ ||
                              crew_.completed.load(std::memory_order_relaxed) >= iteration_));
  }
  bool tick() {
    if (budget_->tick()) return true;
    if (!has_company()) return false;
    if (answers_ && ++ticks_ % ticks_per_look == 0) look_for_answers();
    return stopped();
  }
  /// Marks a move as being searched, unless that would not pay.
  template <class Hash>
  BusyMarks::Mark mark(int depth, const Hash& hash_of) {
    return BusyMarks::Mark(crew_.busy, has_company() && depth >= min_busy_depth, hash_of);
  }

  Crew& crew_;
  Budget* budget_ = nullptr;
  Tracer tracer_;
  Side side_ = Side::first;  // to move at the root
  Lines lines_;
  std::vector<Move> best_line_;  // of the last iteration
  SearchCounts counts_;
  // What the value of the last iteration rests on:
  bool reached_horizon_ = false;
  std::uint8_t left_out_ = 0;  // bit s: side s had moves that were not searched

 private:
  static constexpr unsigned ticks_per_look = 64;

  void keep_best_line();
  void look_for_answers();

  int iteration_ = 0;
  const Table* answers_;
  std::vector<Asked> asked_;  // open questions, from the root on
  std::size_t answered_ = 0;  // another thread has answered this one of them, counted from 1
  unsigned ticks_ = 0;
};

/// The iterations, and the threads that help with them.
class DeepeningSearch {
 public:
  virtual ~DeepeningSearch() = default;

 protected:
  explicit DeepeningSearch(int threads) : crew_(threads) {}

  struct Depths {
    int first, most;
    int most_of_helpers;  // may be more: it fills the tables
  };

  Info deepen(const Task& task, Side side, const Depths& depths);

  /// Tables that are crowded take more room: they cannot while several threads use them.
  virtual bool should_grow_tables(double time_left) const = 0;
  virtual void grow_tables(double time_left) = 0;
  /// An answer that needs no iteration: puts it into the info and returns its value.
  virtual std::optional<int> answer_at_once(const Limits&, Info&) { return {}; }
  /// The depth to search to instead of this one.
  virtual int skip_to(int depth) const { return depth; }
  /// Puts the value of a finished iteration into the info; true if no deeper one can be better.
  virtual bool conclude(Info& info, int value) = 0;
  /// Of everything but the workers.
  virtual std::size_t bytes() const = 0;

  Crew crew_;
  std::vector<std::unique_ptr<DeepeningWorker>> workers_;  // the first one leads

 private:
  class Helpers;
  class Patience;

  void fill(Info& info, const Budget& budget) const;
};

}  // namespace mossa
