// Can the attacker force a win? Answered by depth-first proof-number search on states.
//
// A proof number counts how many more states must be won to prove a win, a disproof number how many must be
// held to prove that there is none; the search goes where the least is missing (Allis 1994; depth-first:
// Nagai 2002, with thresholds widened by a factor as in Pawlewicz and Lew 2007). What makes trees small:
//
// 1. States instead of positions, made smaller (mnk_state.hpp) and turned to a common image.
// 2. Wins by threats (mnk_threats.hpp) end a line; where the other side threatens one, only the moves of its
//    zone are tried.
// 3. A cell is left out if another one lies on all of its lines and more.
// 4. The defender may give up its own lines at any time: if it holds even then, which is a smaller tree, it
//    holds.
// 5. In a weak state the parts that have no line in common are separate questions: the attacker wins if it
//    wins one of them.
// 6. In a weak state the attacker need not try a move outside the zone of an answer to another one
//    (mnk_state.hpp), or of what the defender would play if the attacker passed, which comes first. (The idea
//    is that of must-play regions in Hex: Hayward, van Rijswijck, Björnsson and Johanson 2005.)
// 7. Pairs (mnk_pairs.hpp) are looked for at once in every weak state, and harder before the attacker's moves
//    are listed. A state counts as the harder to hold the more cells are lacking for them.
#pragma once

#include <deque>
#include <functional>

#include "../types.hpp"
#include "mnk_table.hpp"
#include "mnk_threats.hpp"

namespace mossa {

/// Found by counting nodes and time on the boards of benchmarks/mnk_solver.py. Each part can be turned off by
/// its number, which is how the benchmark measures what it is worth.
struct MnkParams {
  int threat_depth = 3;    // moves of a win by threats
  int threat_nodes = 30;   // looked at for one
  int defend_threats = 1;  // wins by threats of the defender restrict the attacker, too
  int widen = 100;         // percent by which a threshold exceeds the second best
  int hurry = 50;          // the same in weak states, for the defender
  int stay = 300;          // ... for the attacker: where the defender holds, all of its moves must be met
  int danger = 2;          // weight of the potential in first disproof numbers of states that are not weak
  int give_up = 1;         // the defender may give up its lines
  int split = 1;           // weak states are split into parts
  int dominate = 1;        // dominated cells are left out
  int width = 6;           // moves of the defender that are looked at together; 0: all
  int patience = 4;        // how much worse the best of them must become before the next are looked at
  int passes = 4;          // answers to a pass of the attacker that are looked at
  int pairs = 1;           // pairs of cells are looked for

  MnkParams() = default;
  /// Throws GameError for a setting of a parameter that there is not.
  explicit MnkParams(const std::vector<std::pair<std::string, int>>& tuning) {
    for (const auto& [name, value] : tuning) set(name, value);
  }

 private:
  void set(std::string_view name, int value) {
    using Member = std::pair<std::string_view, int MnkParams::*>;
    static constexpr std::array<Member, 14> members{{
        {"threat_depth", &MnkParams::threat_depth},
        {"threat_nodes", &MnkParams::threat_nodes},
        {"defend_threats", &MnkParams::defend_threats},
        {"widen", &MnkParams::widen},
        {"hurry", &MnkParams::hurry},
        {"stay", &MnkParams::stay},
        {"danger", &MnkParams::danger},
        {"give_up", &MnkParams::give_up},
        {"split", &MnkParams::split},
        {"dominate", &MnkParams::dominate},
        {"width", &MnkParams::width},
        {"patience", &MnkParams::patience},
        {"passes", &MnkParams::passes},
        {"pairs", &MnkParams::pairs},
    }};
    const auto found = std::ranges::find(members, name, &Member::first);
    if (found == members.end()) throw GameError("the mnk solver has no parameter " + std::string(name));
    this->*found->second = value;
  }
};

/// One thread's search.
template <class Bits>
class MnkSearch {
 public:
  using State = MnkState<Bits>;
  using Key = MnkKey<Bits>;
  static constexpr std::uint32_t infinite = ProofNumbers::infinite;

  /// Other threads may use the table too, if it is a shared one.
  MnkSearch(const MnkBoard<Bits>& board, MnkTable<Bits>& table, const MnkParams& params)
      : board_(board), params_(params), table_(table), threats_(params.threat_depth, params.threat_nodes) {}

  /// The state of a position for an attacker; `blocked` are cells that nobody can use.
  State state(Bits attacker, Bits defender, Bits blocked, bool attacker_moves) const {
    State state;
    state.attacker_moves = attacker_moves;
    for (const auto& [line, number] : board_.lines()) {
      if (!(line & (defender | blocked))) state.attack.add({line & ~attacker, line}, number);
      if (!(line & (attacker | blocked))) state.defend.add({line & ~defender, line}, number);
    }
    return state;
  }

  /// Searches until the state is settled. `must_stop` is asked for every state visited; once it says so, the
  /// numbers are those of nothing known.
  ProofNumbers solve(const State& root, const std::function<bool()>& must_stop, bool thorough = true) {
    must_stop_ = &must_stop;
    thorough_ = thorough;
    scratch_ = root;
    try {
      const Child child = look({Step::move, 0});
      if (child.numbers.settled()) return child.numbers;
      enter(0, child);
      ProofNumbers numbers = search(0, infinite, infinite).numbers;
      if (numbers.wins()) numbers = later(numbers, child.plies);
      return numbers;
    } catch (const Stop&) {
      return {};
    }
  }

  /// What is known of a state without a search.
  ProofNumbers known(const State& state) {
    static const std::function<bool()> never = [] { return false; };
    must_stop_ = &never;
    scratch_ = state;
    return look({Step::move, 0}).numbers;
  }

  /// Begins anew, but for the table.
  void forget() { groups_.reset(); }

  /// Does the defender hold, without a look at any move?
  bool held_at_sight(State state) {
    const auto settled = state.settle(&groups_);
    if (settled.verdict != Verdict::open) return settled.verdict == Verdict::holds;
    return state.weak && LinePairs<Bits>(state.attack, 0, groups_).search();
  }

  /// States visited; may be asked while the search runs.
  std::uint64_t nodes() const { return nodes_; }
  /// What it holds besides the table; may be asked while the search runs.
  std::size_t bytes() const { return depth_ * sizeof(Frame); }

 private:
  struct Stop {};
  /// What leads from a state to another one.
  struct Step {
    enum Kind : std::uint8_t { move, give_up, part } kind;
    Bits cells;  // the cell of a move, the cells of a part
  };
  struct Child {
    Step step;
    Key key;
    std::size_t turned = 0;  // how its key was turned
    ProofNumbers numbers;
    int plies = 0;          // forced moves after the step
    Bits forced = 0;        // the defender's cells among them
    Bits zone = 0;          // if the defender holds
    int lacking = 0;        // cells for pairs
    bool is_image = false;  // of another child, which stands for it

    void learn(const MnkKnown<Bits>& known, const MnkBoard<Bits>& board) {
      numbers = known.numbers;
      if (numbers.holds()) zone = forced | turned_back(known.zone, turned, board);
    }
  };
  struct Frame {
    State state;
    Key key;
    std::size_t turned = 0;
    std::vector<Child> children;
    int others_lose_in = 0;        // plies of a win against moves that are not tried
    std::vector<Bits> waiting;     // moves not looked at yet, the most promising last
    std::uint32_t wait_until = 0;  // the number of the best child at which they are
    // Of a weak state with the attacker to move:
    bool zoned = false;
    Bits must = 0;       // where the attacker must move: all other moves are refuted
    Bits zone = 0;       // of the refutations so far
    Bits dominated = 0;  // cells that are not tried

    /// A move or a pass of the attacker is refuted, or a part of the state held.
    void refuted(Bits its_zone, bool part = false) {
      zone |= its_zone;
      if (!part) must &= its_zone;
    }
    /// Leaves out children that are refuted, and those that other refutations refute too. Images stay, as
    /// they have other zones.
    void leave_out_refuted() {
      for (std::size_t before = children.size() + 1; before != children.size();) {
        before = children.size();
        std::erase_if(children, [&](const Child& child) {
          const bool part = child.step.kind == Step::part;
          if (child.numbers.holds()) refuted(child.zone, part);
          return child.numbers.holds() || (!part && !(child.step.cells & must));
        });
      }
      for (auto child = children.begin(); child != children.end(); ++child)
        child->is_image =
            !child->numbers.settled() && std::any_of(children.begin(), child, [&](const Child& b) {
              return !b.numbers.settled() && b.key == child->key;
            });
    }
  };

  // A zone as the key sees it, and back.
  static Bits turned(Bits zone, std::size_t turned, const MnkBoard<Bits>& board) {
    return turned && ~zone ? board.image(turned - 1, zone) : zone;
  }
  static Bits turned_back(Bits zone, std::size_t turned, const MnkBoard<Bits>& board) {
    return turned && ~zone ? board.image(MnkBoard<Bits>::inverse(turned - 1), zone) : zone;
  }

  Frame& frame(std::size_t depth) {
    while (frames_.size() <= depth) {
      frames_.emplace_back();
      ++depth_;
    }
    return frames_[depth];
  }
  void enter(std::size_t depth, const Child& child) {
    Frame& there = frame(depth);
    there.state = scratch_;
    there.key = child.key;
    there.turned = child.turned;
  }
  static ProofNumbers later(const ProofNumbers& won, int plies) {
    return ProofNumbers::won(won.plies + plies);
  }

  void take(const State& from, const Step& step) {
    scratch_ = from;
    switch (step.kind) {
      case Step::move:
        scratch_.play(step.cells);
        break;
      case Step::give_up:
        scratch_.weaken();
        break;
      case Step::part:
        scratch_.attack.remove(~step.cells);
        break;
    }
  }

  /// Settles the state in scratch_ and says what is known of it; its key and numbers only if it is open.
  Child settle(const Step& step, Bits avoid) {
    if ((*must_stop_)()) throw Stop{};
    ++nodes_;
    Child child{};
    child.step = step;
    const auto settled = scratch_.settle(params_.pairs ? &groups_ : nullptr, avoid);
    child.plies = settled.plies;
    child.lacking = settled.lacking;
    child.forced = child.zone = settled.zone;
    if (settled.verdict == Verdict::wins) child.numbers = ProofNumbers::won(child.plies);
    if (settled.verdict == Verdict::holds) child.numbers = ProofNumbers::held();
    if (settled.verdict == Verdict::open) child.key = key(scratch_, child.turned);
    return child;
  }
  Child look(const Step& step, Bits avoid = 0) {
    Child child = settle(step, avoid);
    if (child.numbers.settled()) return child;
    if (const std::optional<MnkKnown<Bits>> known = table_.find(child.key)) {
      child.learn(*known, board_);
    } else {
      child.numbers = first_numbers(scratch_, child.lacking);
      table_.store(child.key, {child.numbers}, 0);
    }
    if (child.numbers.wins()) child.numbers = later(child.numbers, child.plies);
    return child;
  }

  /// The key, and how the state was turned for it: not at all, or one more than the number of a symmetry.
  Key key(const State& state, std::size_t& turned) const {
    turned = 0;
    const Bits cells = state.cells();
    Key best{state.attack.stones() | cells, state.defend.stones() | cells,
             static_cast<std::uint8_t>(state.attacker_moves | state.weak << 1)};
    const Bits attack = best.attack, defend = best.defend;
    for (std::size_t s = 0; s < board_.symmetries(); ++s) {
      const Bits image = board_.image(s, attack);
      if (image > best.attack) continue;
      const Bits other = board_.image(s, defend);
      if (image == best.attack && other >= best.defend) continue;
      best.attack = image;
      best.defend = other;
      turned = s + 1;
    }
    return best;
  }

  /// The numbers of a state that is seen for the first time.
  ProofNumbers first_numbers(const State& state, int lacking) {
    ThreatWin<Bits> win;
    if (state.attacker_moves && threats_.find(state.attack, state.defend, win))
      return ProofNumbers::won(win.plies);
    const double danger = static_cast<double>(state.potential()) / static_cast<double>(State::half) /
                          (state.attacker_moves ? 1 : 2);
    const auto weight =
        static_cast<std::uint32_t>(1 + danger * danger * (state.weak ? 1 + lacking : params_.danger));
    if (state.attacker_moves) return {1 + 64 / weight, 3 * weight, 0};
    int least = 0;
    const Bits moves = candidates(state, least);
    if (!moves) return ProofNumbers::won(least);
    return {1 + static_cast<std::uint32_t>(count_bits(moves)), weight, 0};
  }

  /// The moves that must be tried; `least` is how many plies the win takes against all others.
  Bits candidates(const State& state, int& least) {
    Bits moves = state.cells();
    ThreatWin<Bits> win;
    const auto& theirs = state.attacker_moves ? state.defend : state.attack;
    const auto& mine = state.attacker_moves ? state.attack : state.defend;
    if ((!state.attacker_moves || params_.defend_threats) && threats_.find(theirs, mine, win)) {
      moves &= win.zone;
      least = win.plies + 1;
    }
    return params_.dominate ? moves & ~dominated(state) : moves;
  }

  /// Cells that need not be tried, because another one lies on all of their lines, and on more or is lower.
  static Bits dominated(const State& state) {
    const Bits attack = state.attack.cells(), defend = state.defend.cells();
    const Bits single_attack = state.attack.in_one_direction(),
               single_defend = state.defend.in_one_direction();
    const Bits may_be = (single_attack | ~attack) & (single_defend | ~defend) & (attack | defend);
    const CommonCells<Bits> of_attack(state.attack, may_be & attack),
        of_defend(state.defend, may_be & defend);
    Bits dominated = 0;
    for (Bits rest = may_be; rest; rest &= rest - 1) {
      const Bits cell = lowest_of(rest);
      Bits better = (attack | defend) & ~cell;
      if (attack & cell) better &= of_attack[cell];
      if (defend & cell) better &= of_defend[cell];
      const auto alike = [&](Bits other) {
        return other & may_be && (!(attack & other) || (attack & cell && of_attack[other] & cell)) &&
               (!(defend & other) || (defend & cell && of_defend[other] & cell));
      };
      for (; better; better &= better - 1)
        if (const Bits other = lowest_of(better); other < cell || !alike(other)) {
          dominated |= cell;
          break;
        }
    }
    return dominated;
  }

  /// Adds what a step leads to. True if that settles the state: a win for the attacker to move, a hold for
  /// the defender.
  bool add(Frame& here, const Step& step) {
    take(here.state, step);
    Child child = look(step, here.zoned ? here.must : 0);
    if (step.kind == Step::move && child.numbers.wins()) child.numbers = later(child.numbers, 1);
    here.children.push_back(child);
    if (here.zoned && step.kind == Step::move && child.numbers.holds()) here.must &= child.zone;
    return here.state.attacker_moves ? child.numbers.wins() : child.numbers.holds();
  }

  /// Lists what a state leads to, without what cannot change its numbers; stops at what settles it.
  void expand(Frame& here) {
    const State& state = here.state;
    here.children.clear();
    here.others_lose_in = 0;
    here.waiting.clear();
    here.wait_until = 0;
    here.zoned = state.weak && state.attacker_moves;
    here.must = ~Bits{0};
    here.zone = here.dominated = 0;
    if (state.weak && state.attacker_moves && params_.split) {
      const Bits cells = state.attack.cells();
      if (state.component() != cells) {
        State rest = state;
        for (Bits left = cells; left;) {
          const Bits part = rest.component();
          if (add(here, {Step::part, part})) return;
          rest.attack.remove(part);
          left &= ~part;
        }
        here.leave_out_refuted();
        return;
      }
    }
    if (!state.weak && !state.attacker_moves && params_.give_up)
      if (add(here, {Step::give_up, 0})) return;
    const Bits moves = candidates(state, here.others_lose_in);
    order(here, moves);
    if (here.zoned) {
      here.dominated = state.cells() & ~moves;
      pass(here);
    }
    look_at_more(here);
    if (here.zoned) here.leave_out_refuted();
  }

  /// Looks at the heaviest answers to a pass of the attacker: what is known of them refutes many moves.
  void pass(Frame& here) {
    const std::size_t count = std::min(here.waiting.size(), static_cast<std::size_t>(params_.passes));
    for (std::size_t i = 0; i < count; ++i) {
      const Step answer{Step::move, here.waiting[here.waiting.size() - 1 - i]};
      scratch_ = here.state;
      scratch_.attack.remove(answer.cells);
      Child child = settle(answer, here.must);
      if (!child.numbers.settled())
        if (const auto known = table_.find(child.key)) child.learn(*known, board_);
      if (child.numbers.holds()) here.refuted(child.zone | answer.cells);
    }
  }

  /// The zone of a state that is held: what the refutations need, or the best move and what comes after it. A
  /// cell that was left out because others lie on all of its lines is met on those.
  Bits zone(const Frame& here, std::size_t best) const {
    if (!here.state.weak) return ~Bits{0};
    if (!here.zoned) return here.children[best].step.cells | here.children[best].zone;
    const Bits cells = here.dominated & here.must;
    const CommonCells<Bits> common(here.state.attack, cells);
    Bits zone = here.zone;
    for (Bits left = cells; left; left &= left - 1) zone |= common[lowest_of(left)];
    return zone;
  }

  /// Lists moves by the weight of the lines that they change.
  void order(Frame& here, Bits moves) {
    typename State::CellWeights weights(moves);
    weights.add(here.state.attack);
    weights.add(here.state.defend);
    for (; moves; moves &= moves - 1) here.waiting.push_back(lowest_of(moves));
    std::ranges::sort(here.waiting, {}, [&](Bits cell) { return weights[cell]; });
  }

  void look_at_more(Frame& here) {
    const bool attacker = here.state.attacker_moves;
    std::uint64_t worst = 0;
    const int width = attacker ? 0 : here.state.weak || !thorough_ ? params_.width : 0;
    for (int i = 0; !here.waiting.empty() && (i < width || !width); ++i) {
      const Bits move = here.waiting.back();
      here.waiting.pop_back();
      if (here.zoned && !(move & here.must)) continue;
      if (add(here, {Step::move, move})) return here.waiting.clear();
      const ProofNumbers& numbers = here.children.back().numbers;
      if (numbers.settled()) continue;
      worst = std::max<std::uint64_t>(worst, attacker ? numbers.proof : numbers.disproof);
    }
    here.wait_until = saturated(worst * static_cast<std::uint64_t>(params_.patience));
    if (!here.zoned) drop_images(here.children);
  }

  /// Of moves that lead to the same state one is kept.
  static void drop_images(std::vector<Child>& children) {
    std::size_t kept = 0;
    for (const Child& child : children) {
      const auto same = [&](const Child& b) { return !b.numbers.settled() && b.key == child.key; };
      if (child.numbers.settled() ||
          std::none_of(children.begin(), children.begin() + static_cast<std::ptrdiff_t>(kept), same))
        children[kept++] = child;
    }
    children.resize(kept);
  }

  /// What was found of a state holds for its images too.
  void learn_of_images(std::vector<Child>& children, const Key& key) {
    for (Child& child : children)
      if (!child.numbers.settled() && child.key == key)
        if (const auto known = table_.find(key)) child.learn(*known, board_);
  }

  static constexpr std::size_t none = ~std::size_t{0};
  /// What the children make of a state.
  struct Sum {
    ProofNumbers numbers;
    std::size_t best = none;          // the child to look at next; none if moves wait
    std::uint32_t second = infinite;  // the number of the one after
  };
  Sum sum(const Frame& here) const {
    const bool attacker = here.state.attacker_moves;
    std::uint32_t least = infinite;
    std::uint64_t total = 0;
    int plies = here.others_lose_in;
    Sum sum;
    for (std::size_t i = 0; i < here.children.size(); ++i) {
      const Child& child = here.children[i];
      if (child.is_image) continue;
      const std::uint32_t lead = attacker ? child.numbers.proof : child.numbers.disproof;
      if (lead < least || sum.best == none) {
        sum.second = least;
        sum.best = i;
        least = lead;
      } else {
        sum.second = std::min(sum.second, lead);
      }
      if (child.step.kind == Step::give_up) continue;  // won there, nothing is won
      total += attacker ? child.numbers.disproof : child.numbers.proof;
      plies = std::max<int>(plies, child.numbers.plies);
    }
    if (!here.waiting.empty()) {
      total += here.waiting.size();
      sum.second = std::min(sum.second, std::max(here.wait_until, std::uint32_t{1}));
      if (least > here.wait_until) {
        sum.best = none;
        least = std::max(here.wait_until, std::uint32_t{1});
      }
    }
    if (attacker) {
      if (least == 0)
        sum.numbers = ProofNumbers::won(here.children[sum.best].numbers.plies);
      else if (total == 0)
        sum.numbers = ProofNumbers::held();
      else
        sum.numbers = {least, saturated(total), 0};
    } else {
      if (least == 0)
        sum.numbers = ProofNumbers::held();
      else if (total == 0)
        sum.numbers = ProofNumbers::won(plies);
      else
        sum.numbers = {saturated(total), least, 0};
    }
    return sum;
  }
  static std::uint32_t saturated(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, infinite - 1));
  }

  /// Takes some time to look for pairs, before a weak state is expanded.
  std::optional<MnkKnown<Bits>> held_by_pairs(const Frame& here) {
    if (!params_.pairs || !here.state.weak || !here.state.attacker_moves) return {};
    LinePairs<Bits> pairs(here.state.attack, 0, groups_);
    if (!pairs.search()) return {};
    const MnkKnown<Bits> known{ProofNumbers::held(), pairs.cells()};
    table_.store(here.key, {known.numbers, turned(known.zone, here.turned, board_)}, 1);
    return known;
  }

  /// Searches the state of a frame until it is settled or one of its numbers reaches its limit.
  MnkKnown<Bits> search(std::size_t depth, std::uint32_t proof_limit, std::uint32_t disproof_limit) {
    Frame& here = frame(depth);
    const bool attacker = here.state.attacker_moves;
    const std::uint64_t before = nodes_;
    if (const auto known = held_by_pairs(here)) return *known;
    expand(here);
    while (true) {
      const Sum now = sum(here);
      if (now.numbers.settled() || now.numbers.proof >= proof_limit ||
          now.numbers.disproof >= disproof_limit) {
        MnkKnown<Bits> known{now.numbers};
        if (now.numbers.holds()) known.zone = zone(here, now.best);
        table_.store(here.key, {known.numbers, turned(known.zone, here.turned, board_)}, nodes_ - before);
        return known;
      }
      if (now.best == none) {
        look_at_more(here);
        continue;
      }
      Child& child = here.children[now.best];
      const int percent = here.zoned ? params_.stay : here.state.weak ? params_.hurry : params_.widen;
      const std::uint64_t wide =
          now.second + 1 + static_cast<std::uint64_t>(now.second) * static_cast<std::uint64_t>(percent) / 100;
      const auto lead = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(limit, wide));
      };
      const auto rest = [&](std::uint32_t limit, std::uint32_t whole, std::uint32_t part) {
        if (child.step.kind == Step::give_up || whole >= infinite - 1) return infinite;
        return std::min(infinite, limit - whole + part);
      };
      take(here.state, child.step);
      scratch_.settle();
      enter(depth + 1, child);
      const MnkKnown<Bits> found =
          attacker ? search(depth + 1, lead(proof_limit),
                            rest(disproof_limit, now.numbers.disproof, child.numbers.disproof))
                   : search(depth + 1, rest(proof_limit, now.numbers.proof, child.numbers.proof),
                            lead(disproof_limit));
      child.numbers = found.numbers;
      child.zone = child.forced | found.zone;
      if (child.numbers.wins())
        child.numbers = later(child.numbers, child.plies + (child.step.kind == Step::move));
      if (here.zoned && child.numbers.holds()) {
        learn_of_images(here.children, child.key);
        here.leave_out_refuted();
      }
    }
  }

  const MnkBoard<Bits>& board_;
  MnkParams params_;
  MnkTable<Bits>& table_;
  LineThreats<Bits> threats_;
  LineGroups<Bits> groups_;  // in which pairs were found last, or nearly
  std::deque<Frame> frames_;
  State scratch_;
  const std::function<bool()>* must_stop_ = nullptr;
  bool thorough_ = true;
  Counter nodes_, depth_;  // depth_ is the number of frames
};

}  // namespace mossa
