// Exact solvers without their types: what Python and other callers hold, and what all solvers share: who may
// use one, the checks, the clock, the limits and the reports.
#pragma once

#include "../handles.hpp"

namespace mossa {

/// A proven score for the side to move; `distance` is the number of plies to the end where it is counted.
struct Proven {
  int value = 0;
  std::optional<int> distance;
  bool operator==(const Proven&) const = default;
};

/// True if a score is as good as the one asked for, or better: won as soon, lost as late. Asked without a
/// distance, only the value counts.
inline bool reaches(const Proven& score, const Proven& asked) {
  if (score.value != asked.value) return score.value > asked.value;
  if (score.value == 0 || !score.distance || !asked.distance) return true;
  return score.value > 0 ? *score.distance <= *asked.distance : *score.distance >= *asked.distance;
}

/// What is proven of a position so far: low <= score <= high.
struct Solution {
  Proven low, high;
  std::uint64_t nodes = 0;  // positions visited
  double time = 0;          // seconds
  std::size_t memory = 0;   // bytes held by the solver
  // Of solvers that ask for a margin step by step, or look up the end of the game:
  std::optional<int> question = std::nullopt;   // it is now asking whether the score is at least this
  std::optional<int> tables_to = std::nullopt;  // positions with at most this much left to play are looked up

  bool solved() const { return low == high; }
};

/// What a solver is asked to do; `limits` may end it early, with the bounds found so far.
struct SolveTask {
  Limits limits;
  Poll poll;
  std::function<void(const Solution&)>
      report;  // called with every tighter bound, and now and then with the node count
  // Asks only whether the score is at least this: the solver stops as soon as its bounds tell. One that does
  // not count plies to the quickest win goes by the value.
  std::optional<Proven> at_least = std::nullopt;
};

class Book;
class EndTables;

struct SolverSettings {
  std::size_t memory = std::size_t{256} << 20;  // bytes of the table
  int threads = 1;
  std::shared_ptr<const Book> book;                 // of this game, or none
  std::vector<std::pair<std::string, int>> tuning;  // of the solver's own parameters, for measurements
  std::shared_ptr<const EndTables> tables;          // of this game, or none
  std::optional<std::uint64_t> findings_from;       // nodes that a result took to be kept for other solvers
};

using CellPairs = std::vector<std::pair<int, int>>;

/// What a side does to keep the other one from winning: see AnySolver::defend.
struct Defence {
  int cell = 0;
  bool weak = false;               // it holds without any line of its own
  std::optional<CellPairs> pairs;  // with which it holds from then on, if they were found
};

class AnySolver;

/// One call of a solver: its clock, its nodes, and whom to tell.
class SolverWork {
 public:
  SolverWork(const AnySolver& solver, const SolveTask& task);

  Budget& budget() { return budget_; }
  const SolveTask& task() const { return task_; }
  bool stopped() const { return budget_.stopped(); }
  double seconds() const { return budget_.seconds(); }
  double time_left() const { return budget_.time_left(); }
  /// Visited by this call.
  std::uint64_t nodes() const;
  /// What the limits still allow.
  std::uint64_t nodes_left() const;

  /// Reads the clock, checks the limits, and reports `solution()` now and then; true once the work must stop.
  template <class MakeSolution>
  bool must_stop(const MakeSolution& solution) {
    check();
    tell_now_and_then(solution);
    return stopped();
  }
  template <class MakeSolution>
  void tell_now_and_then(const MakeSolution& solution) {
    if (task_.report && is_time_to_tell()) task_.report(solution());
  }
  /// Tells of a tighter bound.
  template <class MakeSolution>
  void tell(const MakeSolution& solution) {
    if (task_.report) task_.report(solution());
  }

 private:
  void check();
  bool is_time_to_tell();

  const AnySolver& solver_;
  const SolveTask& task_;
  Budget budget_;
  std::uint64_t nodes_before_;
  double next_report_;
};

/// A solver of one game. It keeps what it has proven from position to position, and is used by one thread at
/// a time.
class AnySolver {
 public:
  virtual ~AnySolver() = default;
  /// Throws GameError if the position is of another game or finished.
  Solution solve(const AnyPosition& position, const SolveTask& task);
  /// Best play for both sides from a position that solve() has solved, up to `most` moves; fewer if a limit
  /// comes first.
  std::vector<Move> line(const AnyPosition& position, int most, const SolveTask& task);
  /// For certificates: a move of the defender, which is to move, in a state of `certificate_check.py` (a
  /// letter for each cell). Pairs use few of the cells to avoid. Nothing if the attacker wins or a limit
  /// comes first.
  std::optional<Defence> defend(std::string_view state, const std::vector<int>& avoid, const SolveTask& task);
  /// For certificates: disjoint pairs of cells, one on every open line of the attacker in such a state.
  /// Nothing if none were found soon.
  std::optional<CellPairs> pairs(std::string_view state);
  /// Positions visited since it was made.
  virtual std::uint64_t nodes() const = 0;
  /// Forgets what it has proven.
  void clear();
  /// What it has proven since it was last asked and the settings want kept, as bytes for `learn`.
  std::string findings();
  /// Takes the findings of another solver of the same game, and passes none of them on.
  void learn(std::string_view findings);

 protected:
  explicit AnySolver(std::shared_ptr<const AnyGame> game) : game_(std::move(game)) {}
  const std::shared_ptr<const AnyGame>& game() const { return game_; }

  // The calls above, for a position of this game that is not over.
  virtual Solution prove(const AnyPosition& position, SolverWork& work) = 0;
  virtual std::vector<Move> best_line(const AnyPosition& position, int most, SolverWork& work) = 0;
  virtual std::optional<Defence> hold(std::string_view state, const std::vector<int>& avoid,
                                      SolverWork& work);
  virtual std::optional<CellPairs> find_pairs(std::string_view state);
  virtual void forget() = 0;
  virtual std::string take_findings() { return {}; }
  virtual void take_in(std::string_view) {}

 private:
  void check(const AnyPosition& position) const;

  std::shared_ptr<const AnyGame> game_;
  Exclusive in_use_;
};

/// The connect solver for processors with AVX2, in builds that define MOSSA_AVX2_TOO; boards of up to 64 bits
/// only.
std::unique_ptr<AnySolver> make_connect_solver_avx2(std::shared_ptr<const AnyGame> game,
                                                    const SolverSettings& settings);

/// The solver for this game; nothing if no solver knows it at this size. Throws GameError for a book or
/// tables of another game.
std::unique_ptr<AnySolver> make_solver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings);

}  // namespace mossa
