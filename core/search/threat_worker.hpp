// One thread's search of an mnk board by threats: how a position is searched, and with which numbers.
//
// threat_search.cpp decides how deep and for how long.
#pragma once

#include "../learn/line_network_board.hpp"
#include "deepening.hpp"
#include "threat_search.hpp"
#include "threat_space.hpp"

namespace mossa {

/// Every number that can be tuned, with its reason. Those that only games can tell were tuned all at once, in
/// 10,000 games of 3,000 nodes a move on 15x15x5 (simultaneous perturbation: Spall 1992).
struct ThreatParams {
  int table_mb;
  int threads;
  bool vcf, vct;
  bool policy;  // a network has a say in the order of moves
  Trust trust;  // and in the value

  static constexpr int usual_trust = 80;
  static constexpr int full_width_cells = 64;                 // so many cells or fewer: nothing is left out
  static constexpr int first_width = 4, width_per_depth = 2;  // else so many candidates by depth
  static constexpr int aspiration = 250;                      // most iterations differ by less

  // What a position may look worse or better than the window, and still nothing will change it.
  static constexpr int futility_per_depth = 170;
  static constexpr int razor = 175, razor_per_depth = 105, most_razor_depth = 2;

  // By how many plies less deep later moves are looked at first.
  static constexpr int least_reduced_depth = 2;
  static constexpr double less = 0.45, less_by_logarithms = 0.8;
  static constexpr double less_if_worsening = 0.8;  // it looks worse than two plies before
  static constexpr double less_if_cutting = 0.8;    // some other move is expected to be good enough
  static constexpr double less_by_appeal = 0.003;   // for what the order of moves says against a move,
  static constexpr int usual_lack = 200;            // beyond so much
  static constexpr double more_for_threats = 1, more_in_line = 1.3;
  // Of the replies to a threat, from the third on: the first two are mostly the ones that hold.
  static constexpr double less_of_replies = 0.8;
  static constexpr int unreduced_replies = 2;
  static constexpr int least_known_depth = 4;  // so deep, a position without a move in the table costs a ply

  // The order of moves, in hundredths of the logarithm of the odds to be the best: see PatternWeights.
  static constexpr int killer = 175;
  static constexpr int most_history = 35;

  // Stones put in the search for a win by fours.
  static constexpr int few_fours = 32, many_fours = 120;
  static constexpr int least_many_fours_depth = 3, least_defence_depth = 2;
  // And by threats, doubled for every second ply of depth; nearer the horizon it does not pay.
  static constexpr int first_threats = 2, least_threats_depth = 8, most_threats_depth = 12;
  // For a win by threats before all else: a share of the limits, or doubled for every ply of a depth limit.
  static constexpr double first_share = 0.08;
  static constexpr int threats_at_root = 8;

  // How far beyond the horizon a four is answered; an open four in the making only at the horizon itself. Its
  // replies are many, and some make fours of their own: two thirds of all positions were at the horizon or
  // beyond.
  static constexpr int deepest_check = -6, deepest_meeting = -1;
  static constexpr int most_plies = 200;
  static constexpr int few_cells = 16, look_before_end = 6;  // empty; then all is searched to the end

  explicit ThreatParams(const Options& options)
      : table_mb(options.integer("memory")),
        threads(options.integer("threads")),
        vcf(options.flag("vcf")),
        vct(options.flag("vct")),
        policy(options.flag("policy")),
        trust{options.integer("trust"), PatternWeights::logarithm} {}
};

/// What the workers share, besides what all deepening searches do.
struct SharedThreats : ThreatTables {
  SharedThreats(const MnkRules& rules, const ThreatParams& params, NetworkPointer network)
      : ThreatTables(params.table_mb), rule(rules.k, rules.exact), network(std::move(network)) {}

  PatternRule rule;
  NetworkPointer network;          // if one is given
  const Stones* stones = nullptr;  // at the root
  std::optional<int> end_depth{};  // of the iteration that fills the board, if the leading worker has one
};

/// One thread's search.
class ThreatWorker final : public DeepeningWorker {
 public:
  ThreatWorker(const MnkRules& rules, const ThreatParams& params, Crew& crew, SharedThreats& shared,
               bool leads)
      : DeepeningWorker(crew, ThreatParams::most_plies + 1, &shared.table),
        params_(params),
        shared_(shared),
        leads_(leads),
        board_(rules.rows, rules.cols, shared.rule),
        space_(board_, shared.threats),
        history_(2, std::vector<int>(at(board_.cells()))),
        full_width_(board_.cells() <= ThreatParams::full_width_cells),
        slow_(rules.k > 12) {
    if (shared.network) learnt_.emplace(shared.network, rules.rows, rules.cols);
  }

  Move first_choice() override {
    if (board_.stones() == 0) return board_.move(board_.rows() / 2 * board_.cols() + board_.cols() / 2);
    for (const Side each : {side_, other(side_)})
      if (const CellSet& wins = board_.makers(each, Threat::win); !wins.empty()) return board_.move(wins[0]);
    const CellSet& cells = board_.near().empty() ? board_.empty() : board_.near();
    int best = cells[0];
    for (const int cell : cells)
      if (worth(side_, cell) > worth(side_, best)) best = cell;
    return board_.move(best);
  }

  /// A win by threats, proven before anything else is searched, with so many stones put and seconds.
  std::optional<int> prove(int nodes, double seconds) {
    if (!board_.makers(other(side_), Threat::win).empty()) return {};
    const auto tick = [&] {
      return this->tick() || (budget_->nodes() % 64 == 0 && budget_->seconds() > seconds);
    };
    std::optional<ThreatWin> win;
    if (params_.vcf) win = space_.by_fours(side_, nodes / 4, tick);
    if (!win && params_.vct && !stopped())
      win = space_.by_threats(side_, nodes, ThreatParams::most_plies, tick);
    if (!win) return {};
    best_line_ = {board_.move(win->cell)};
    return win_value - win->plies;
  }

  /// A proven line to its end, as far as threats explain it and the limits allow.
  std::vector<Move> completed(std::vector<Move> line, int value) {
    const Side winner = value > 0 ? side_ : other(side_);
    const int plies = win_value - std::abs(value);
    Side side = side_;
    int put = 0;
    for (const Move move : line) {
      board_.put(board_.cell(move), side);
      ++put;
      side = other(side);
    }
    bool over = !line.empty() && put >= plies;
    while (!over && put < plies && !budget_->stopped()) {
      const std::optional<int> next = next_by_threats(side, winner);
      if (!next) break;
      over = board_.threat(side, *next) == Threat::win;
      line.push_back(board_.move(*next));
      board_.put(*next, side);
      ++put;
      side = other(side);
    }
    while (put--) board_.take();
    return line;
  }

  /// The reply that is forced by a win at once, if there is one and no win of its own.
  bool forced() const {
    return board_.makers(side_, Threat::win).empty() && board_.makers(other(side_), Threat::win).size() == 1;
  }
  bool full_width() const { return full_width_; }
  std::size_t bytes() const override {
    return sizeof(*this) + board_.bytes() + lines_.bytes() + 2 * history_[0].size() * sizeof(int) +
           (learnt_ ? learnt_->bytes() : 0);
  }

 private:
  void prepare() override {
    board_.clear();
    board_.put(*shared_.stones);
    if (learnt_) {
      std::vector<std::uint8_t> stones(at(board_.cells()));
      for (std::size_t s = 0; s < 2; ++s)
        for (const Cell& each : (*shared_.stones)[s])
          stones[at(each.row * board_.cols() + each.col)] = static_cast<std::uint8_t>(s + 1);
      learnt_->set_up(stones);
    }
    killers_.assign(at(ThreatParams::most_plies) + 2, {-1, -1});
    for (auto& of_side : history_) std::ranges::fill(of_side, 0);
  }
  int aspiration(int depth) const override { return depth > 3 ? ThreatParams::aspiration : 0; }
  int search_root(int depth, int alpha, int beta, Tracer::Id id) override {
    // When the iteration fills the board, nothing is judged by its looks.
    to_the_end_ = leads_ && depth == shared_.end_depth;
    return search({side_, depth, 0, alpha, beta, id});
  }

  /// A position on the way down, and the question that is asked of it.
  struct Node {
    Side side;        // to move
    int depth;        // from the horizon
    int ply;          // from the root
    int alpha, beta;  // the window
    Tracer::Id id;
    bool cut = false;  // some move is expected to be good enough
  };
  struct Ranked {
    int rank;
    int cell;
  };
  /// The moves of a position and why there are no others.
  enum class Scope {
    all,         // every empty cell
    only,        // the one that stops a win at once
    meeting,     // those that meet a threat
    candidates,  // some were left out
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  bool tick() {
    // On the largest boards a stone takes so long that the clock must be read every time.
    if (slow_) budget_->check();
    return DeepeningWorker::tick();
  }

  /// What a stone is worth to its side, with what it takes from the other.
  int worth(Side side, int cell) const {
    return board_.score(side, cell) + board_.score(other(side), cell) * 7 / 8;
  }

  int evaluate(Side side) {
    ++counts_.evaluations;
    const int own = board_.value(side);
    return learnt_ ? params_.trust.mixed(own, *learnt_, side) : own;
  }

  int search(Node node) {
    const Side side = node.side, opponent = other(side);
    const int ply = node.ply, first_alpha = node.alpha, beta = node.beta;
    const Tracer::Id id = node.id;
    int& depth = node.depth;
    lines_.clear(ply);
    // 1. Decided at sight?
    if (const std::optional<int> value = at_sight(side, ply)) return leave(id, *value, "proven");
    // 2. Who cannot make a row any more cannot win.
    if (ply > 0) {
      if (board_.total(opponent) == 0 && beta <= 0) return leave(id, 0, "proven");
      if (board_.total(side) == 0 && first_alpha >= 0) return leave(id, 0, "proven");
    }
    // 3. Has it been searched already?
    std::optional<int> table_cell;
    Asked asked{board_.key(), depth, ply, first_alpha, beta, to_the_end_};
    const bool outer_horizon = std::exchange(reached_horizon_, false);
    const std::uint8_t outer_left_out = std::exchange(left_out_, std::uint8_t{0});
    const auto take_over = [&](const Known& known) {
      ++counts_.table_hits;
      reached_horizon_ = outer_horizon || known.reached_horizon;
      left_out_ = outer_left_out | known.left_out;
      if (known.move) lines_.set(ply, *known.move);
      return leave(id, from_table(known.value, ply), "table");
    };
    if (const auto known = shared_.table.find(asked.key)) {
      if (known->move) table_cell = board_.cell(*known->move);
      if (ply > 0 && asked.answered_by(*known)) return take_over(*known);
    }
    const auto remember = [&](int value, Bound bound, std::optional<Move> move) {
      shared_.table.store(
          asked.key, {to_table(value, ply), asked.counted_depth(), bound, reached_horizon_, left_out_, move});
      if (crew_.alone && shared_.crowded()) shared_.grow_within(budget_->time_left());
      reached_horizon_ |= outer_horizon;
      left_out_ |= outer_left_out;
    };
    const auto judge = [&](int value, Bound bound) {
      reached_horizon_ = true;
      remember(value, bound, {});
      return leave(id, value, "horizon");
    };
    // 4. With no threat to answer: beyond the horizon, a position that looks good enough; before it, one so
    // much better than the window that the moves left will not change it. One that looks much worse is
    // only asked for a win by fours.
    const int look = evaluate(side);
    looks_[at(ply)] = look;
    const bool improving = ply < 2 || look > looks_[at(ply - 2)];
    const bool threatened =
        !board_.makers(opponent, Threat::win).empty() || !board_.makers(opponent, Threat::open_four).empty();
    const bool null_window = beta == first_alpha + 1;
    if (!threatened) {
      if (depth <= 0 && look >= beta) return judge(look, Bound::lower);
      if (depth > 0 && null_window && !to_the_end_ && !is_decided(beta) && !is_decided(first_alpha)) {
        if (look - ThreatParams::futility_per_depth * (depth - improving) >= beta)
          return judge(look, Bound::lower);
        if (depth <= ThreatParams::most_razor_depth &&
            look + ThreatParams::razor + ThreatParams::razor_per_depth * depth <= first_alpha)
          depth = asked.depth = 0;
      }
    }
    // 5. A win by threats, unless a win of the opponent must be stopped.
    if (const auto win = by_threats(side, depth, ply)) {
      const int value = win_value - ply - win->plies;
      const Move move = board_.move(win->cell);
      lines_.set(ply, move);
      remember(value, Bound::lower, move);
      return leave(id, value, "proven");
    }
    if (stopped()) return 0;
    // 6. The moves. At the horizon only threats are answered, beyond it only fours.
    CellList& cells = cells_[at(ply)];
    const Scope scope = moves(side, depth, cells);
    if (stopped()) return 0;
    const bool quiet = scope == Scope::all || scope == Scope::candidates;
    const int deepest = quiet                     ? 0
                        : scope == Scope::meeting ? ThreatParams::deepest_meeting
                                                  : ThreatParams::deepest_check;
    if (ply + 1 >= ThreatParams::most_plies || depth <= deepest) return judge(look, Bound::exact);
    // 7. Without a move to begin with, a search less deep is as good, and finds one for the next.
    if (quiet && !table_cell && !to_the_end_ && depth >= ThreatParams::least_known_depth)
      asked.depth = --depth;
    std::vector<Ranked>& ranked = ranked_[at(ply)];
    const int appeal = rank(node, cells, table_cell, ranked);
    const int width = scope == Scope::candidates && ply > 0
                          ? ThreatParams::first_width + ThreatParams::width_per_depth * depth
                          : board_.cells();
    const int count = std::min(width, static_cast<int>(ranked.size()));
    if (scope == Scope::candidates) left_out_ |= side_bit(side);
    // 8. Search them.
    Open open(*this, asked);
    int best = -infinity;
    int best_cell = ranked[0].cell;
    int deferred = 0;
    std::string_view end;
    for (int i = 0; i < count; ++i) {
      if (i < count - deferred)
        pick_best(ranked, i, count - deferred == count ? static_cast<int>(ranked.size()) : count - deferred);
      const int cell = ranked[at(i)].cell;
      const BusyMarks::Mark busy =
          mark(depth, [&] { return mix(asked.key.slot() ^ (std::uint64_t(cell) + 1)); });
      if (busy.elsewhere() && i > 0 && i < count - deferred) {
        std::rotate(ranked.begin() + i, ranked.begin() + i + 1, ranked.begin() + count);
        ++deferred;
        --i;
        continue;
      }
      const int reduction = quiet                     ? this->reduction(node, cell, i, improving, appeal)
                            : scope == Scope::meeting ? reduction_of_reply(node, i)
                                                      : 0;
      const int less = scope == Scope::only ? 0 : 1;
      int value = 0;
      if (!tick()) {
        shared_.table.prefetch(board_.key_after(cell, side));
        board_.put(cell, side);
        if (learnt_) learnt_->put(cell, side);
        value = search_move(node, cell, depth - less, reduction, i == 0);
        if (learnt_) learnt_->take();
        board_.take();
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
      best_cell = cell;
      if (best > node.alpha) {
        node.alpha = best;
        lines_.extend(ply, board_.move(cell));
      }
      if (best >= beta) {
        note_cutoff(node, ranked, i);
        end = "cut";
        break;
      }
    }
    // 9. Who leaves a threat unmet loses in four plies, which may be longer than what meets it.
    if (scope == Scope::meeting && is_decided(best) && best < 0)
      best = std::max(best, -(win_value - ply - 4));
    remember(best,
             best >= beta          ? Bound::lower
             : best <= first_alpha ? Bound::upper
                                   : Bound::exact,
             board_.move(best_cell));
    return leave(id, best, end);
  }

  int leave(Tracer::Id id, int value, std::string_view end) const {
    tracer_.leave(id, value, end);
    return value;
  }

  /// The value, if one look at the patterns tells it.
  std::optional<int> at_sight(Side side, int ply) {
    const CellSet& wins = board_.makers(side, Threat::win);
    const CellSet& losses = board_.makers(other(side), Threat::win);
    if (!wins.empty()) {
      lines_.set(ply, board_.move(wins[0]));
      return win_value - ply - 1;
    }
    if (losses.size() > 1) {
      lines_.set(ply, board_.move(losses[0]));
      return -(win_value - ply - 2);
    }
    if (const CellSet& open = board_.makers(side, Threat::open_four); losses.empty() && !open.empty()) {
      lines_.set(ply, board_.move(open[0]));
      return win_value - ply - 3;
    }
    if (board_.empty().empty()) return 0;
    if (board_.total(side) == 0 && board_.total(other(side)) == 0) {
      lines_.set(ply, board_.move(board_.empty()[0]));
      return 0;
    }
    return {};
  }

  /// A win by fours, or by threes and fours where there is depth enough.
  std::optional<ThreatWin> by_threats(Side side, int depth, int ply) {
    if (!board_.makers(other(side), Threat::win).empty()) return {};
    const auto tick = [&] { return this->tick(); };
    const bool many = depth >= ThreatParams::least_many_fours_depth;
    if (params_.vcf && !board_.makers(side, Threat::four).empty())
      if (const auto win =
              space_.by_fours(side, many ? ThreatParams::many_fours : ThreatParams::few_fours, tick, ply > 0))
        return win;
    if (!params_.vct || depth < ThreatParams::least_threats_depth || ply == 0) return {};
    if (board_.makers(side, Threat::three).empty()) return {};
    const int deep = std::min(depth, ThreatParams::most_threats_depth);
    return space_.by_threats(side, ThreatParams::first_threats << deep / 2, deep, tick);
  }

  Scope moves(Side side, int depth, CellList& cells) {
    const Side opponent = other(side);
    if (const CellSet& losses = board_.makers(opponent, Threat::win); !losses.empty()) {
      cells = {losses[0]};
      return Scope::only;
    }
    if (!board_.makers(opponent, Threat::open_four).empty()) {
      meet_open_fours(board_, opponent, cells);
      // Nothing meets it: any move will do, one of those that make it first.
      if (cells.empty()) cells = {board_.makers(opponent, Threat::open_four)[0]};
      return Scope::meeting;
    }
    if (depth >= ThreatParams::least_defence_depth && params_.vcf &&
        !board_.makers(opponent, Threat::four).empty() &&
        space_.by_fours(opponent, ThreatParams::many_fours, [&] { return tick(); }, true)) {
      space_.meet_fours(opponent, cells);
      return Scope::meeting;
    }
    if (!full_width_ && board_.stones() == 0) {
      cells = {board_.cell(first_choice())};
      return Scope::candidates;
    }
    const bool all = full_width_ || board_.near().empty();
    const CellSet& from = all ? board_.empty() : board_.near();
    cells.assign(from.begin(), from.end());
    return all ? Scope::all : Scope::candidates;
  }

  /// Ranks the moves; returns the most appeal that one has.
  int rank(const Node& node, const CellList& cells, std::optional<int> table_cell,
           std::vector<Ranked>& ranked) {
    ranked.clear();
    const auto& killers = killers_[at(node.ply)];
    const std::vector<int>& history = history_[index(node.side)];
    int most = 0;
    for (const int cell : cells) {
      const int appeal = board_.appeal(node.side, cell);
      most = std::max(most, appeal);
      int rank = rank_unit * appeal + history[at(cell)];
      if (learnt_ && params_.policy) rank += rank_unit * learnt_->policy(node.side, cell);
      if (cell == killers[0] || cell == killers[1]) rank += rank_unit * ThreatParams::killer;
      if (cell == table_cell) rank = infinity - 1;
      if (node.ply == 0 && !best_line_.empty() && cell == board_.cell(best_line_[0])) rank = infinity;
      ranked.push_back({rank, cell});
    }
    return most;
  }

  static void pick_best(std::vector<Ranked>& ranked, int i, int count) {
    const auto best =
        std::max_element(ranked.begin() + i, ranked.begin() + count, [](const Ranked& a, const Ranked& b) {
          return a.rank != b.rank ? a.rank < b.rank : a.cell > b.cell;
        });
    std::swap(ranked[at(i)], *best);
  }

  /// By how much less deep a later move of a quiet position is looked at first.
  int reduction(const Node& node, int cell, int i, bool improving, int most_appeal) const {
    if (to_the_end_ || node.depth < ThreatParams::least_reduced_depth || i == 0) return 0;
    double less = ThreatParams::less + less_by_logarithms(node.depth, i);
    const int lack = most_appeal - board_.appeal(node.side, cell);
    less += ThreatParams::less_by_appeal * (lack - ThreatParams::usual_lack);
    if (!improving) less += ThreatParams::less_if_worsening;
    if (node.cut) less += ThreatParams::less_if_cutting;
    if (board_.threat(node.side, cell) >= Threat::three) less -= ThreatParams::more_for_threats;
    if (node.beta > node.alpha + 1) less -= ThreatParams::more_in_line;
    return std::clamp(static_cast<int>(less), 0, node.depth - 2);
  }

  /// The same for a reply that meets a threat.
  int reduction_of_reply(const Node& node, int i) const {
    if (to_the_end_ || node.depth < ThreatParams::least_reduced_depth || i < ThreatParams::unreduced_replies)
      return 0;
    const double less = ThreatParams::less_of_replies + less_by_logarithms(node.depth, i);
    return std::clamp(static_cast<int>(less), 0, node.depth - 1);
  }
  static double less_by_logarithms(int depth, int i) {
    return ThreatParams::less_by_logarithms * std::log(depth) * std::log(i);
  }

  /// The value of the move just made, for the side that made it.
  int search_move(const Node& node, int cell, int depth, int reduction, bool first) {
    const auto ask = [&](int low, int high, int less, bool cut) {
      Node child{other(node.side), depth - less, node.ply + 1, -high, -low, {}, cut};
      if (node.id)
        child.id = tracer_.child(node.id, {.move = board_.move(cell),
                                           .side = child.side,
                                           .depth = child.depth,
                                           .alpha = child.alpha,
                                           .beta = child.beta});
      return -search(child);
    };
    if (first) return ask(node.alpha, node.beta, 0, node.beta == node.alpha + 1 && !node.cut);
    int value = ask(node.alpha, node.alpha + 1, reduction, reduction || !node.cut);
    if (reduction && value > node.alpha && !stopped()) value = ask(node.alpha, node.alpha + 1, 0, !node.cut);
    if (value > node.alpha && value < node.beta && !stopped()) value = ask(node.alpha, node.beta, 0, false);
    return value;
  }

  /// Learns which move was good enough, and that those tried before it were not.
  void note_cutoff(const Node& node, const std::vector<Ranked>& ranked, int i) {
    ++counts_.cutoffs;
    const int cell = ranked[at(i)].cell;
    auto& killers = killers_[at(node.ply)];
    if (killers[0] != cell) killers = {cell, killers[0]};
    constexpr int most = rank_unit * ThreatParams::most_history;
    const int by = std::min(2 * std::max(node.depth, 1) * std::max(node.depth, 1), most / 4);
    const auto learn = [&](int tried, int gain) {
      int& score = history_[index(node.side)][at(tried)];
      score += gain - score * by / most;
    };
    learn(cell, by);
    for (int j = 0; j < i; ++j) learn(ranked[at(j)].cell, -by);
  }

  /// The next move of a line that threats decide.
  std::optional<int> next_by_threats(Side side, Side winner) {
    const Side opponent = other(side);
    if (const CellSet& wins = board_.makers(side, Threat::win); !wins.empty()) return wins[0];
    if (const CellSet& losses = board_.makers(opponent, Threat::win); !losses.empty()) return losses[0];
    const auto tick = [&] { return budget_->tick(); };
    if (side == winner) {
      auto win = space_.by_fours(side, line_nodes, tick);
      if (!win) win = space_.by_threats(side, line_nodes, ThreatParams::most_threats_depth, tick);
      return win ? std::optional(win->cell) : std::nullopt;
    }
    CellList cells;
    if (!board_.makers(opponent, Threat::open_four).empty())
      meet_open_fours(board_, opponent, cells);
    else if (space_.by_fours(opponent, line_nodes, tick))
      space_.meet_fours(opponent, cells);
    if (cells.empty()) return {};
    return *std::ranges::max_element(cells, {}, [&](int cell) { return worth(side, cell); });
  }

  static constexpr int rank_unit = 8;      // so that history counts in eighths
  static constexpr int line_nodes = 2000;  // to look for the next move of a proven line

  const ThreatParams& params_;
  SharedThreats& shared_;
  bool leads_;
  PatternBoard board_;
  ThreatSpace space_;
  std::optional<LineNetworkBoard> learnt_;  // the same board, with a network
  bool to_the_end_ = false;
  std::vector<std::array<int, 2>> killers_;                                                // by ply
  std::vector<int> looks_ = std::vector<int>(at(ThreatParams::most_plies) + 2);            // by ply
  std::vector<std::vector<int>> history_;                                                  // by side and cell
  std::vector<CellList> cells_ = std::vector<CellList>(at(ThreatParams::most_plies) + 2);  // by ply
  std::vector<std::vector<Ranked>> ranked_ =
      std::vector<std::vector<Ranked>>(at(ThreatParams::most_plies) + 2);
  bool full_width_;
  bool slow_;  // a stone takes long
};

}  // namespace mossa
