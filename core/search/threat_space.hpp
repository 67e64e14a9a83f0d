// Winning by threats alone, on the patterns of mnk: by continuous fours (VCF), where the defender has one
// reply to every move, and by continuous threats (VCT), where threes are threats too.
//
// What is found is proven. Against a four there is one reply. Against an open four in the making (or two
// fours at once) the replies looked at are complete: whoever replies elsewhere leaves the cell that makes
// it, and all cells that would then complete a row, as they are, and makes no four; so the attacker makes
// its two fours and wins. With several such cells a reply must meet all of them. Replies that make a four
// are always looked at (threat-space search: Allis, van den Herik and Huntjens 1993; the replies by
// relevance zones: Thomsen's lambda search 2000).
#pragma once

#include <optional>
#include <utility>

#include "../evaluate/pattern_board.hpp"
#include "../types.hpp"

namespace mossa {

/// Cells in a list, with room for the few that threats concern.
using CellList = std::vector<int>;

/// A win by threats: how many plies it takes at most, and its first move.
struct ThreatWin {
  int plies = 0;
  int cell = 0;
};

/// The replies that can meet what `attacker` would do next. It must have cells that make an open four or
/// two fours, and the defender, who is to move, no win at once. Who replies otherwise loses in four plies.
inline void meet_open_fours(const PatternBoard& board, Side attacker, CellList& replies) {
  const Side defender = other(attacker);
  replies.clear();
  CellList meeting;
  bool first = true;
  for (const int maker : board.makers(attacker, Threat::open_four)) {
    CellList cells{maker};
    board.for_each_completion(attacker, maker, [&](int cell) { cells.push_back(cell); });
    if (first)
      meeting = cells;
    else
      std::erase_if(meeting, [&](int cell) { return std::ranges::find(cells, cell) == cells.end(); });
    first = false;
  }
  for (const int cell : meeting) replies.push_back(cell);
  for (const Threat four : {Threat::open_four, Threat::four})
    for (const int cell : board.makers(defender, four))
      if (std::ranges::find(meeting, cell) == meeting.end()) replies.push_back(cell);
}

class ThreatSpace {
 public:
  /// What was found not to work is remembered in `table`, which threads may share.
  ThreatSpace(PatternBoard& board, Table& table) : board_(board), table_(table) {}

  /// Looks for a win by fours of `attacker`, who is to move, with so many stones put at most. `tick` is told
  /// of every stone and answers whether to give up. With `linked` every four after the first must be in line
  /// with the one before: most wins are such, and all else is found much sooner not to be one.
  template <class Tick>
  std::optional<ThreatWin> by_fours(Side attacker, int nodes, Tick&& tick, bool linked = false) {
    const TableKey key = this->key(attacker, gave_up_tag);
    if (const auto known = table_.find(key); known && known->value >= nodes) return {};
    begin(nodes);
    line_.clear();
    linked_ = linked;
    const int plies = fours(attacker, most_plies, no_cell, tick);
    linked_ = false;
    if (left_ < 0) table_.store(key, {nodes, 0, Bound::exact, false, 0, {}});
    if (!plies) return {};
    return ThreatWin{plies, first_};
  }
  /// The moves of the last win by fours, the last one first, without those after an open four.
  const CellList& line() const { return line_; }

  /// Looks for a win by fours and threes.
  template <class Tick>
  std::optional<ThreatWin> by_threats(Side attacker, int nodes, int most_depth, Tick&& tick) {
    const TableKey key = this->key(attacker, threats_gave_up_tag);
    if (const auto known = table_.find(key); known && known->value >= nodes && known->depth >= most_depth)
      return {};
    begin(nodes);
    for (int depth = 1; depth <= most_depth; ++depth) {
      cut_ = false;
      if (const int plies = threats(attacker, depth, 0, tick)) return ThreatWin{plies, first_};
      if (!cut_ || gave_up_) break;
    }
    if (left_ < 0 || !gave_up_)
      table_.store(key, {nodes, static_cast<std::int16_t>(most_depth), Bound::exact, false, 0, {}});
    return {};
  }

  /// After a win by fours of `attacker`, were it to move: the replies of the defender, who is to move, that
  /// can change anything. Whoever replies elsewhere has lost.
  void meet_fours(Side attacker, CellList& replies) {
    const Side defender = other(attacker);
    replies.clear();
    const auto add = [&](int cell) {
      if (std::ranges::find(replies, cell) == replies.end()) replies.push_back(cell);
    };
    // A stone on one of these would make a four sooner or later, which the attacker had to answer.
    const auto add_fours = [&] {
      for (const Threat threat : {Threat::win, Threat::open_four, Threat::four})
        for (const int cell : board_.makers(defender, threat)) add(cell);
    };
    const CellList line(line_.rbegin(), line_.rend());
    for (const int cell : line) add(cell);
    add_fours();
    int put = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      board_.put(line[i], i % 2 ? defender : attacker);
      ++put;
      if (i % 2) add_fours();
    }
    for (const int cell : board_.makers(attacker, Threat::win)) add(cell);
    while (put--) board_.take();
  }

 private:
  static constexpr int most_plies = 100;
  static constexpr int no_cell = -1;
  static constexpr std::uint64_t fours_tag = 0x9E3779B97F4A7C15ULL, threats_tag = 0xD1B54A32D192ED03ULL,
                                 linked_tag = 0x2545F4914F6CDD1DULL, gave_up_tag = 0xA0761D6478BD642FULL,
                                 threats_gave_up_tag = 0xE7037ED1A0B428DBULL;

  void begin(int nodes) {
    left_ = nodes;
    gave_up_ = false;
  }

  template <class Tick>
  bool spent(Tick& tick) {
    if (--left_ < 0 || tick()) gave_up_ = true;
    return gave_up_;
  }

  TableKey key(Side attacker, std::uint64_t tag) const {
    const std::uint64_t salt = mix(tag + index(attacker));
    return {board_.key().low ^ salt, board_.key().high ^ mix(salt)};
  }

  /// By what a stone there is worth to both sides.
  void sort(CellList& cells, Side side) const {
    std::ranges::sort(cells, [&](int a, int b) {
      const int worth_a = 2 * board_.score(side, a) + board_.score(other(side), a);
      const int worth_b = 2 * board_.score(side, b) + board_.score(other(side), b);
      return worth_a != worth_b ? worth_a > worth_b : a < b;
    });
  }

  /// The plies in which the attacker, who is to move, wins by fours; 0 if it was not found to. `last` is the
  /// cell of the four before.
  template <class Tick>
  int fours(Side attacker, int plies_left, int last, Tick& tick) {
    const Side defender = other(attacker);
    if (const CellSet& wins = board_.makers(attacker, Threat::win); !wins.empty()) {
      first_ = wins[0];
      line_ = {first_};
      return 1;
    }
    const CellSet& losses = board_.makers(defender, Threat::win);
    if (losses.size() > 1) return 0;
    CellList moves;
    if (losses.size() == 1) {
      const Threat made = board_.threat(attacker, losses[0]);
      if (made != Threat::four && made != Threat::open_four) return 0;
      moves = {losses[0]};
    } else {
      for (const int cell : board_.makers(attacker, Threat::four))
        if (!linked_ || last == no_cell || board_.linked(last, cell)) moves.push_back(cell);
    }
    if (const CellSet& open = board_.makers(attacker, Threat::open_four);
        losses.empty() ? !open.empty() : board_.threat(attacker, moves[0]) == Threat::open_four) {
      first_ = losses.empty() ? open[0] : moves[0];
      line_ = {first_};
      return 3;
    }
    if (moves.empty() || plies_left < 3) return 0;
    const TableKey key =
        this->key(attacker, linked_ ? linked_tag + 2 * static_cast<std::uint64_t>(last + 1) : fours_tag);
    if (table_.find(key)) return 0;
    std::erase_if(moves, [&](int move) { return !goes_on(attacker, move); });
    sort(moves, attacker);
    for (const int move : moves) {
      if (spent(tick)) return 0;
      board_.put(move, attacker);
      const int reply = board_.makers(attacker, Threat::win)[0];
      if (spent(tick)) {
        board_.take();
        return 0;
      }
      board_.put(reply, defender);
      const int plies = fours(attacker, plies_left - 2, move, tick);
      board_.take();
      board_.take();
      if (plies) {
        first_ = move;
        line_.push_back(reply);
        line_.push_back(move);
        return plies + 2;
      }
      if (gave_up_) return 0;
    }
    table_.store(key, Known{});
    return 0;
  }

  /// Whether another four may follow one: its stone makes that possible, or there is one elsewhere already.
  /// To ask costs no stone, and mostly the answer is no. A next four on the same line is rare; it is missed.
  bool goes_on(Side attacker, int four) const {
    const auto makes = [&](int cell, int direction, int needs) {
      const PatternCode code = board_.code(attacker, direction, cell);
      return !code.dead() && code.needs() == needs;
    };
    for (int d = 0; d < PatternBoard::directions; ++d)
      if (makes(four, d, 2)) return true;
    for (const int next : board_.makers(attacker, Threat::four)) {
      if (linked_ && !board_.linked(four, next)) continue;
      for (int d = 0; d < PatternBoard::directions; ++d)
        if (makes(next, d, 1) && !board_.in_line(d, four, next)) return true;
    }
    return false;
  }

  /// The same by threats of both kinds, with `depth` attacking moves before the fours that end it.
  template <class Tick>
  int threats(Side attacker, int depth, int ply, Tick& tick) {
    const Side defender = other(attacker);
    if (const int plies = fours(attacker, most_plies, no_cell, tick)) return plies;
    if (gave_up_) return 0;
    const CellSet& losses = board_.makers(defender, Threat::win);
    if (losses.size() > 1 || ply >= most_plies) return 0;
    if (losses.size() == 1) {
      const int only = losses[0];
      const int plies = after(only, attacker, depth, ply, tick);
      if (plies) first_ = only;
      return plies;
    }
    if (depth == 0) {
      cut_ |=
          !board_.makers(attacker, Threat::four).empty() || !board_.makers(attacker, Threat::three).empty();
      return 0;
    }
    const TableKey key = this->key(attacker, threats_tag);
    if (const auto known = table_.find(key)) {
      if (known->value && known->move) {
        first_ = board_.cell(*known->move);
        return known->value;
      }
      if (known->depth >= depth) {
        cut_ |= known->reached_horizon;
        return 0;
      }
    }
    const bool outer_cut = std::exchange(cut_, false);
    CellList moves;
    for (const Threat threat : {Threat::four, Threat::three})
      for (const int cell : board_.makers(attacker, threat)) moves.push_back(cell);
    sort(moves, attacker);
    for (const int move : moves) {
      const int plies = after(move, attacker, depth - 1, ply, tick);
      if (plies) {
        first_ = move;
        table_.store(key,
                     {plies, static_cast<std::int16_t>(depth), Bound::exact, false, 0, board_.move(move)});
        return plies;
      }
      if (gave_up_) return 0;
    }
    table_.store(key, {0, static_cast<std::int16_t>(depth), Bound::exact, cut_, 0, {}});
    cut_ |= outer_cut;
    return 0;
  }

  template <class Tick>
  int after(int move, Side attacker, int depth, int ply, Tick& tick) {
    if (spent(tick)) return 0;
    board_.put(move, attacker);
    const int plies = defend(attacker, depth, ply + 1, tick);
    board_.take();
    return plies ? plies + 1 : 0;
  }

  /// The plies in which the attacker wins, the defender being to move.
  template <class Tick>
  int defend(Side attacker, int depth, int ply, Tick& tick) {
    const Side defender = other(attacker);
    if (!board_.makers(defender, Threat::win).empty()) return 0;
    const CellSet& wins = board_.makers(attacker, Threat::win);
    if (wins.size() > 1) return 2;
    CellList replies;
    int longest = 0;
    if (wins.size() == 1) {
      replies = {wins[0]};
    } else if (!board_.makers(attacker, Threat::open_four).empty()) {
      meet_open_fours(board_, attacker, replies);
      longest = 4;
    } else {
      return 0;
    }
    for (const int reply : replies) {
      if (spent(tick)) return 0;
      board_.put(reply, defender);
      const int plies = threats(attacker, depth, ply + 1, tick);
      board_.take();
      if (!plies) return 0;
      longest = std::max(longest, plies + 1);
    }
    return longest;
  }

  PatternBoard& board_;
  Table& table_;
  int left_ = 0;
  bool gave_up_ = false;
  bool linked_ = false;  // only fours in line with the one before
  bool cut_ = false;     // moves were left out for want of depth
  int first_ = 0;
  CellList line_;
};

}  // namespace mossa
