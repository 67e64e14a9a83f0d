// Minimax, plainly: the value of a position is the best of its children's values, searched to a fixed
// depth with nothing left out. Slow, obvious, and the measure of everything that is faster.
#pragma once

#include "search.hpp"

namespace mossa {

template <Game G>
class Minimax {
 public:
  using Position = typename G::Position;

  static std::vector<Option> options(const Traits&) { return {evaluation_option(), Depth::hands_option()}; }

  Minimax(const G& game, const Options& options, const NetworkPointer& network = {})
      : game_(game), options_(options), evaluator_(make_evaluator(game, options.text("evaluate"), network)) {}

  /// The game must not be over.
  Info run(const Position& root, const Task& task) {
    Budget budget(task.limits, task.poll);
    budget_ = &budget;
    tracer_ = Tracer(task.trace);
    evaluations_ = 0;
    depth_ = Depth::of(options_, task.limits, deepest<G>);
    // Without a depth it deepens until something else stops it.
    const bool deepen = !options_.has("hands") && !task.limits.depth;
    Info info;
    info.move = game_.moves(root)[0];
    info.line = {info.move};
    for (int depth = deepen ? 1 : depth_.most; depth <= depth_.most && !info.exact; ++depth) {
      evaluator_->reset(root, game_.side(root));
      reached_horizon_ = false;
      const auto id = tracer_.root({.side = game_.side(root), .depth = depth});
      const int value = search(root, depth, 0, id);
      if (budget.stopped()) {
        // Nothing else is known yet: the best of what was searched.
        if (info.depth == 0 && !lines_[0].empty()) info.line.assign(lines_[0].begin(), lines_[0].end());
        info.move = info.line[0];
        break;
      }
      set_value(game_, root, info, value, !reached_horizon_ || says_who_wins<G>(value));
      info.line.assign(lines_[0].begin(), lines_[0].end());
      info.move = info.line[0];
      info.depth = depth;
      fill(info, budget);
      if (task.report) task.report(info);
    }
    fill(info, budget);
    return info;
  }

 private:
  void fill(Info& info, const Budget& budget) const {
    info.nodes = budget.nodes();
    info.evaluations = evaluations_;
    info.time = budget.seconds();
    info.memory = sizeof(*this) + lines_.bytes();
  }

  int search(const Position& position, int depth, int ply, Tracer::Id id) {
    lines_.clear(ply);
    int best = -infinity;
    for (const Move move : game_.moves(position)) {
      Position next = position;
      game_.play(next, move);
      if (budget_->tick()) return best;
      const bool turn_passed = game_.side(next) != game_.side(position);
      const int left = depth_.after(depth, turn_passed);
      Tracer::Id child;
      if (id) child = tracer_.child(id, {.move = move, .side = game_.side(next), .depth = left});
      int value = 0;
      lines_.clear(ply + 1);
      if (game_.is_over(next)) {
        value = final_value(game_, next, ply + 1);
        if (child) tracer_.leave(child, value, "over");
      } else if (left == 0 || ply + 1 == deepest<G>) {
        ++evaluations_;
        reached_horizon_ = true;
        value = evaluator_->value_after(position, move, next);
        if (child) tracer_.leave(child, value, "horizon");
      } else {
        evaluator_->play(position, move);
        value = search(next, left, ply + 1, child);
        evaluator_->undo();
        if (budget_->stopped()) return best;
      }
      if (turn_passed) value = -value;
      if (value <= best) continue;
      best = value;
      lines_.extend(ply, move);
    }
    tracer_.leave(id, best);
    return best;
  }

  const G& game_;
  Options options_;
  std::unique_ptr<Evaluator<G>> evaluator_;
  Depth depth_;
  Budget* budget_ = nullptr;
  Tracer tracer_;
  Lines lines_{deepest<G>};
  std::uint64_t evaluations_ = 0;
  bool reached_horizon_ = false;
};

}  // namespace mossa
