// One thread's search of a board on which stones fall: how a position is searched, and with which numbers.
//
// gravity_search.cpp decides how deep and for how long.
#pragma once

#include <cmath>
#include <utility>

#include "../evaluate/gravity_value.hpp"
#include "../learn/line_network_board.hpp"
#include "deepening.hpp"
#include "gravity_search.hpp"

namespace mossa {

/// Every number that can be tuned, with its reason.
struct GravityParams {
  int table_mb;
  int threads;
  bool vct;
  bool policy;  // a network has a say in the order of moves
  Trust trust;  // and in the value

  static constexpr int usual_trust = 50;
  static constexpr int most_plies = 250;
  static constexpr int aspiration = 40;        // most iterations differ by less
  static constexpr int margin_per_depth = 60;  // what a quiet move may gain
  static constexpr int most_margin_depth = 5;
  static constexpr int least_iir_depth = 4;    // without a move from the table look less deep first
  static constexpr int leaf_threats = 12;      // stones put in the search for a win by threats at a leaf
  static constexpr int inner_threats = 60;     // and elsewhere
  static constexpr double first_share = 0.05;  // of the limits, for a win by threats before all else
  static constexpr int killer_rank = 400;
  static constexpr int reduction_base = 40, reduction_slope = 70;  // hundredths
  static constexpr int least_reduced_depth = 3;
  static constexpr int least_reduced_move = 2;

  explicit GravityParams(const Options& options)
      : table_mb(options.integer("memory")),
        threads(options.integer("threads")),
        vct(options.flag("vct")),
        policy(options.flag("policy")),
        trust{options.integer("trust"), gravity_logarithm} {}
};

/// What the workers share, besides what all deepening searches do.
struct SharedGravity : ThreatTables {
  SharedGravity(const GravityParams& params, NetworkPointer network)
      : ThreatTables(params.table_mb), network(std::move(network)) {}

  NetworkPointer network;  // if one is given
  const Columns* columns = nullptr;
  Side side = Side::first;
  std::optional<int> end_depth{};  // of the iteration that fills the board, if the leading worker has one
};

class GravityWorker final : public DeepeningWorker {
 public:
  GravityWorker(const GravityRules& rules, const GravityParams& params, Crew& crew, SharedGravity& shared,
                bool leads)
      : DeepeningWorker(crew, GravityParams::most_plies + 1, &shared.table),
        params_(params),
        shared_(shared),
        leads_(leads),
        board_(rules.rows, rules.cols, rules.k, gravity_window_weights(rules.k)),
        value_(board_),
        history_(2, std::vector<int>(at(board_.cells()))) {
    if (shared.network) learnt_.emplace(shared.network, rules.rows, rules.cols);
    for (int depth = 1; depth < most_reduced; ++depth)
      for (int i = 1; i < most_reduced; ++i)
        reductions_[at(depth)][at(i)] = static_cast<std::int8_t>(
            (GravityParams::reduction_base + std::log(depth) * std::log(i) * GravityParams::reduction_slope) /
            100);
  }

  Move first_choice() override {
    for (const Side each : {side_, other(side_)})
      if (!board_.ready(each).empty()) return move(board_.ready(each).first());
    rank({depth_of_rank, 0, 0, 0, {}}, {}, {});
    if (ranked_[0].size() == 0) return any_move();
    pick_best(ranked_[0], 0, ranked_[0].size());
    return move(ranked_[0][0].col);
  }

  /// A win by threats, before anything else is searched, with so many stones put.
  std::optional<int> prove(int stones) {
    if (!params_.vct || !board_.ready(side_).empty() || !board_.ready(other(side_)).empty()) return {};
    const auto win = by_threats(stones);
    if (!win) return {};
    best_line_ = {move(win->col)};
    return win_value - win->plies;
  }

  std::size_t bytes() const override {
    return sizeof(*this) + board_.bytes() + lines_.bytes() + 2 * history_[0].size() * sizeof(int) +
           (learnt_ ? learnt_->bytes() : 0);
  }

 private:
  static constexpr int most_reduced = 64, depth_of_rank = 1;

  struct Node {
    int depth;        // from the horizon
    int ply;          // from the root
    int alpha, beta;  // the window
    Tracer::Id id;
  };
  struct Ranked {
    int rank;
    int col;
  };
  class RankedColumns {
   public:
    void clear() { size_ = 0; }
    void add(Ranked ranked) { of_[at(size_++)] = ranked; }
    int size() const { return size_; }
    Ranked& operator[](int i) { return of_[at(i)]; }
    Ranked* begin() { return of_.data(); }

   private:
    std::array<Ranked, 100> of_;
    int size_ = 0;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static Move move(int col) { return Move::number(col + 1); }
  static int column(Move move) { return move.number() - 1; }

  void prepare() override {
    board_.set_up(*shared_.columns, shared_.side);
    if (learnt_) {
      std::vector<std::uint8_t> stones(at(board_.cells()));
      for (int col = 0; col < board_.cols(); ++col)
        for (int row = 0; row < board_.height(col); ++row)
          stones[at(row * board_.cols() + col)] =
              static_cast<std::uint8_t>(index((*shared_.columns)[at(col)][at(row)]) + 1);
      learnt_->set_up(stones);
    }
    killers_.assign(at(GravityParams::most_plies) + 2, {-1, -1});
    for (auto& of_side : history_) std::ranges::fill(of_side, 0);
  }
  int aspiration(int depth) const override { return depth > 3 ? GravityParams::aspiration : 0; }
  int search_root(int depth, int alpha, int beta, Tracer::Id id) override {
    // When the iteration fills the board, nothing is judged by its looks.
    to_the_end_ = leads_ && depth == shared_.end_depth;
    return search({depth, 0, alpha, beta, id});
  }

  int search(Node node) {
    const auto [given_depth, ply, first_alpha, beta, id] = node;
    const Side side = board_.side(), opponent = other(side);
    lines_.clear(ply);
    // 1. Decided at sight?
    if (const std::optional<int> value = at_sight(side, ply)) return leave(id, *value, "proven");
    // 2. Who has no open window left cannot win.
    if (ply > 0) {
      if (board_.open(opponent) == 0 && beta <= 0) return leave(id, 0, "proven");
      if (board_.open(side) == 0 && first_alpha >= 0) return leave(id, 0, "proven");
    }
    // 3. The reply to a win at once is forced, and costs no depth.
    const bool forced = !board_.ready(opponent).empty();
    // 4. Has it been searched already?
    std::optional<int> table_col;
    Asked asked{board_.key(), given_depth, ply, first_alpha, beta, to_the_end_};
    int& depth = asked.depth;
    const bool outer_horizon = std::exchange(reached_horizon_, false);
    const auto take_over = [&](const Known& known) {
      ++counts_.table_hits;
      reached_horizon_ = outer_horizon || known.reached_horizon;
      if (known.move) lines_.set(ply, *known.move);
      return leave(id, from_table(known.value, ply), "table");
    };
    if (const auto known = shared_.table.find(asked.key)) {
      if (known->move) table_col = column(*known->move);
      if (ply > 0 && asked.answered_by(*known)) return take_over(*known);
    }
    const auto remember = [&](int value, Bound bound, std::optional<Move> best) {
      if (is_decided(value)) reached_horizon_ = false;  // proven, whatever else was looked at
      shared_.table.store(asked.key,
                          {to_table(value, ply), asked.counted_depth(), bound, reached_horizon_, 0, best});
      if (crew_.alone && shared_.crowded()) shared_.grow_within(budget_->time_left());
      reached_horizon_ |= outer_horizon;
    };
    // 5. A win by continuous threats, unless one of the opponent's stands.
    if (!forced && params_.vct && ply > 0) {
      const int most = depth <= 0 ? GravityParams::leaf_threats : GravityParams::inner_threats;
      if (const auto win = by_threats(most)) {
        const int value = win_value - ply - win->plies;
        lines_.set(ply, move(win->col));
        remember(value, Bound::lower, move(win->col));
        return leave(id, value, "proven");
      }
      if (stopped()) return 0;
    }
    // 6. The horizon, where the position is quiet.
    if (!forced && (depth <= 0 || ply + 1 >= GravityParams::most_plies)) {
      const int value = evaluate();
      reached_horizon_ = true;
      remember(value, Bound::exact, {});
      return leave(id, value, "horizon");
    }
    if (ply + 1 >= GravityParams::most_plies) {  // a forced reply too many
      reached_horizon_ = true;
      remember(0, Bound::exact, {});
      return leave(id, 0, "horizon");
    }
    const bool null_window = beta == first_alpha + 1;
    const bool quiet = !forced && !to_the_end_ && ply > 0;
    // 7. So much better than the window that quiet moves will not change it.
    int looks = 0;
    const bool near_horizon =
        quiet && depth <= GravityParams::most_margin_depth && !is_decided(beta) && !is_decided(first_alpha);
    if (near_horizon) {
      looks = evaluate();
      if (null_window && looks - GravityParams::margin_per_depth * depth >= beta) {
        reached_horizon_ = true;
        remember(looks, Bound::lower, {});
        return leave(id, looks, "horizon");
      }
    }
    // 8. A position that the table does not know is not worth its full depth.
    if (quiet && !table_col && depth >= GravityParams::least_iir_depth) --depth;
    // 9. The moves. Whoever has none but those below winning cells of the opponent loses.
    RankedColumns& ranked = ranked_[at(ply)];
    if (forced) {
      ranked.clear();
      ranked.add({0, board_.ready(opponent).first()});
    } else {
      rank({depth, ply, 0, 0, {}}, table_col,
           ply == 0 && !best_line_.empty() ? std::optional(column(best_line_[0])) : std::nullopt);
    }
    const int count = ranked.size();
    if (count == 0) {
      const int value = -(win_value - ply - 2);
      lines_.set(ply, any_move());
      remember(value, Bound::exact, {});
      return leave(id, value, "proven");
    }
    // 10. Search them.
    Open open(*this, asked);
    int best = -infinity;
    int best_col = ranked[0].col;
    int deferred = 0;
    std::string_view end;
    for (int i = 0; i < count; ++i) {
      if (i < count - deferred) pick_best(ranked, i, count - deferred);
      const int col = ranked[i].col;
      const int cell = board_.landing(col);
      const bool loud = forced || board_.makes(side, cell) || board_.makes(opponent, cell);
      // Too far below the window for a quiet move to matter.
      if (near_horizon && null_window && i > 0 && !loud && best > -least_decided) {
        const int most = looks + GravityParams::margin_per_depth * (depth + 1);
        if (most <= node.alpha) {
          reached_horizon_ = true;
          best = std::max(best, most);
          continue;
        }
      }
      const BusyMarks::Mark busy =
          mark(depth, [&] { return mix(asked.key.slot() ^ (std::uint64_t(col) + 1)); });
      if (busy.elsewhere() && i > 0 && i < count - deferred) {
        std::rotate(ranked.begin() + i, ranked.begin() + i + 1, ranked.begin() + count);
        ++deferred;
        --i;
        continue;
      }
      int reduction = 0;
      if (!to_the_end_ && !forced && depth >= GravityParams::least_reduced_depth &&
          i >= GravityParams::least_reduced_move) {
        reduction = reductions_[at(std::min(depth, most_reduced - 1))][at(std::min(i, most_reduced - 1))];
        if (loud) reduction /= 2;
        if (!null_window && reduction > 0) --reduction;
        reduction = std::clamp(reduction, 0, depth - 2);
      }
      int value = 0;
      if (!tick()) {
        if (learnt_) learnt_->put(learnt_cell(col), side);
        board_.put(col);
        value = search_move(node, col, depth - !forced, reduction, i == 0);
        board_.take();
        if (learnt_) learnt_->take();
      }
      if (open.is_answered()) {
        if (const auto known = shared_.table.find(asked.key); known && asked.answered_by(*known))
          return take_over(*known);
        --i;  // the answer is gone again
        continue;
      }
      if (stopped()) return best;
      if (value <= best) continue;
      best = value;
      best_col = col;
      if (best > node.alpha) {
        node.alpha = best;
        lines_.extend(ply, move(col));
      }
      if (best >= beta) {
        note_cutoff(side, ranked, i, depth, ply);
        end = "cut";
        break;
      }
    }
    remember(best,
             best >= beta          ? Bound::lower
             : best <= first_alpha ? Bound::upper
                                   : Bound::exact,
             move(best_col));
    return leave(id, best, end);
  }

  int leave(Tracer::Id id, int value, std::string_view end) const {
    tracer_.leave(id, value, end);
    return value;
  }

  int evaluate() {
    ++counts_.evaluations;
    const int own = value_.value();
    return learnt_ ? params_.trust.mixed(own, *learnt_, board_.side()) : own;
  }
  /// The cell that a stone takes, as the network's board counts them.
  int learnt_cell(int col) const { return board_.height(col) * board_.cols() + col; }

  Move any_move() const {
    int col = 0;
    while (board_.full(col)) ++col;
    return move(col);
  }

  /// The value, if the winning cells tell it.
  std::optional<int> at_sight(Side side, int ply) {
    if (const Places& wins = board_.ready(side); !wins.empty()) {
      lines_.set(ply, move(wins.first()));
      return win_value - ply - 1;
    }
    if (const Places& losses = board_.ready(other(side)); losses.several()) {
      lines_.set(ply, move(losses.first()));
      return -(win_value - ply - 2);
    }
    if (board_.empty() == 0) return 0;
    if (board_.open(side) == 0 && board_.open(other(side)) == 0) {
      lines_.set(ply, any_move());
      return 0;
    }
    return {};
  }

  struct ThreatWin {
    int col, plies;
  };
  static constexpr int complete = 511;  // the depth of an entry of the threats that nothing limited

  /// A win by moves that each threaten to win at once, with at most so many stones put.
  std::optional<ThreatWin> by_threats(int most) {
    threats_left_ = most;
    const auto win = next_threat();
    // What was not found with so many stones is not looked for again with fewer.
    if (!win && threats_left_ <= 0 && !stopped())
      shared_.threats.store(
          board_.key(),
          {0, static_cast<std::int16_t>(std::min(most, complete - 1)), Bound::exact, false, 0, {}});
    return win;
  }

  /// The side to move attacks; it cannot win at once.
  std::optional<ThreatWin> next_threat() {
    const Side side = board_.side(), opponent = other(side);
    // The opponent may have made a threat by its reply: it must be stopped, with a threat.
    const Places& against = board_.ready(opponent);
    if (against.several()) return {};
    const int only = against.empty() ? -1 : against.first();
    bool any = false;
    const TableKey key = board_.key();
    for (int col = only >= 0 ? only : 0; col < (only >= 0 ? only + 1 : board_.cols()); ++col) {
      if (board_.full(col)) continue;
      const int row = board_.height(col);
      const bool above = row + 1 < board_.rows() && board_.winning(side, col).test(row + 1);
      if (!above && !board_.makes(side, board_.landing(col))) continue;
      if (row + 1 < board_.rows() && board_.winning(opponent, col).test(row + 1)) continue;
      if (!any) {
        any = true;
        if (const auto known = shared_.threats.find(key)) {
          if (known->value > 0 && known->move) return ThreatWin{column(*known->move), known->value};
          if (known->depth >= std::min(threats_left_, complete)) return {};
        }
      }
      if (threats_left_ <= 0) return {};
      --threats_left_;
      if (this->tick()) return {};
      board_.put(col);
      std::optional<ThreatWin> win;
      const Places& made = board_.ready(side);
      if (!made.empty()) {
        if (made.several()) {
          win = ThreatWin{col, 3};
        } else if (threats_left_ > 0 && !this->tick()) {
          --threats_left_;
          board_.put(made.first());
          if (!board_.ready(side).empty())
            win = ThreatWin{col, 3};
          else if (const auto deeper = next_threat())
            win = ThreatWin{col, deeper->plies + 2};
          board_.take();
        }
      }
      board_.take();
      if (stopped()) return {};
      if (win) {
        shared_.threats.store(key, {win->plies, complete, Bound::exact, false, 0, move(col)});
        return win;
      }
    }
    if (any && threats_left_ > 0) shared_.threats.store(key, {0, complete, Bound::exact, false, 0, {}});
    return {};
  }

  /// The columns that do not lose at once, with their ranks.
  void rank(const Node& node, std::optional<int> table_col, std::optional<int> best_col) {
    RankedColumns& ranked = ranked_[at(node.ply)];
    ranked.clear();
    const Side side = board_.side(), opponent = other(side);
    const auto& killers = killers_[at(node.ply)];
    const std::vector<int>& history = history_[index(side)];
    const int cols = board_.symmetric() ? (board_.cols() + 1) / 2 : board_.cols();
    for (int col = 0; col < cols; ++col) {
      if (board_.full(col)) continue;
      const int row = board_.height(col);
      if (row + 1 < board_.rows() && board_.winning(opponent, col).test(row + 1)) continue;
      const int cell = board_.landing(col);
      int rank = 0;
      if (col == best_col) {
        rank = infinity;
      } else if (col == table_col) {
        rank = infinity - 1;
      } else {
        rank = rank_unit * board_.worth(side, cell) + history[at(cell)];
        if (learnt_ && params_.policy) rank += rank_unit * learnt_->policy(side, learnt_cell(col));
        if (cell == killers[0] || cell == killers[1]) rank += GravityParams::killer_rank;
        // Playing below one's own winning cell gives it away.
        if (row + 1 < board_.rows() && board_.winning(side, col).test(row + 1)) rank -= 1000;
      }
      ranked.add({rank, col});
    }
  }

  static void pick_best(RankedColumns& ranked, int i, int count) {
    int best = i;
    for (int j = i + 1; j < count; ++j)
      if (ranked[j].rank > ranked[best].rank) best = j;
    std::swap(ranked[i], ranked[best]);
  }

  /// The value of the move just made, for the side that made it.
  int search_move(const Node& node, int col, int depth, int reduction, bool first) {
    const auto ask = [&](int low, int high, int less) {
      Node child{depth - less, node.ply + 1, -high, -low, {}};
      if (node.id)
        child.id = tracer_.child(node.id, {.move = move(col),
                                           .side = board_.side(),
                                           .depth = child.depth,
                                           .alpha = child.alpha,
                                           .beta = child.beta});
      return -search(child);
    };
    if (first) return ask(node.alpha, node.beta, 0);
    int value = ask(node.alpha, node.alpha + 1, reduction);
    if (reduction && value > node.alpha && !stopped()) value = ask(node.alpha, node.alpha + 1, 0);
    if (value > node.alpha && value < node.beta && !stopped()) value = ask(node.alpha, node.beta, 0);
    return value;
  }

  void note_cutoff(Side side, RankedColumns& ranked, int i, int depth, int ply) {
    ++counts_.cutoffs;
    const int cell = board_.landing(ranked[i].col);
    auto& killers = killers_[at(ply)];
    if (killers[0] != cell) killers = {cell, killers[0]};
    // Up for the move that cut, down for those that were tried before it, within fixed bounds.
    const int bonus = std::min(std::max(depth, 1) * std::max(depth, 1), 400);
    const auto change = [&](int changed, int by) {
      int& score = history_[index(side)][at(changed)];
      score += by - score * std::abs(by) / most_history;
    };
    change(cell, bonus);
    for (int j = 0; j < i; ++j) change(board_.landing(ranked[j].col), -bonus);
  }

  static constexpr int most_history = 1 << 12;
  static constexpr int rank_unit = 8;  // so that history counts in eighths

  const GravityParams& params_;
  SharedGravity& shared_;
  bool leads_;
  GravityBoard board_;
  GravityValue value_;
  std::optional<LineNetworkBoard> learnt_;  // the same board, with a network
  bool to_the_end_ = false;
  int threats_left_ = 0;
  std::vector<std::array<int, 2>> killers_;  // by ply
  std::vector<std::vector<int>> history_;    // by side and cell
  std::vector<RankedColumns> ranked_ = std::vector<RankedColumns>(at(GravityParams::most_plies) + 2);
  std::array<std::array<std::int8_t, most_reduced>, most_reduced> reductions_{};
};

}  // namespace mossa
