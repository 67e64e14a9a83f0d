// Pairs of cells with which the defender holds: it answers a stone on one cell with a stone on the other.
//
// If every line of the attacker has both cells of some pair, and no two pairs have a cell in common, the
// attacker completes nothing, whoever is to move. Two cells lie on lines of one row, column or diagonal at
// most. So it can serve neighbouring lines of that at once, and looking for pairs has two parts:
//
// 1. Which neighbouring lines share a pair? Every line belongs to a group, and the lines of a group must
//    have two cells in common.
// 2. Every group needs two of its common cells for itself: a matching (Kuhn 1955), which is found, or shown
//    not to exist, in no time.
//
// Where the groups are wrong, some of them lack cells. Then other ways to group the rows that compete for
// those cells are tried, by local search with a list of what must not be changed back at once (Glover 1986).
// Positions of a search resemble each other: what was found for one is where the next one begins.
#pragma once

#include <bitset>
#include <limits>

#include "mnk_lines.hpp"

namespace mossa {

/// For every line of the board: does it begin a group, although it could join the line before it?
template <class Bits>
using LineGroups = std::bitset<MnkBoard<Bits>::max_lines>;

template <class Bits>
class LinePairs {
 public:
  /// No line may be one move from completion. Cells to avoid are used only where others will not do. Groups
  /// are taken from `groups`, and left there if they do.
  LinePairs(const OpenLines<Bits>& lines, Bits avoid, LineGroups<Bits>& groups)
      : lines_(lines), avoid_(avoid), groups_(groups) {
    split_into_rows();
    lacking_ = match_all();
    if (found()) keep_groups();
  }

  bool found() const { return lacking_ == 0; }
  /// All cells of the pairs, if they were found.
  Bits cells() const { return matching_.used; }
  /// Visits each of the pairs, if they were found.
  template <class Visit>
  void for_pairs(Visit&& visit) const {
    for (std::size_t r = 0; r < row_count_; ++r)
      for_groups(rows_[r], [&](std::size_t group) { visit(matching_.taken[group]); });
  }
  /// How many cells the groups lack.
  int lacking() const { return lacking_; }

  /// Tries other groups. True if that finds pairs.
  bool search() {
    if (!found() && lacking_ <= most_lacking) improve();
    return found();
  }

 private:
  // Found by counting the nodes of boards with k = 5.
  static constexpr int most_lacking = 12;
  static constexpr int most_tries = 300;
  static constexpr int stay = 4;  // changes after which a row may change again
  /// The search ends early if more than so many cells are lacking after so many tries.
  static constexpr std::array<std::pair<int, int>, 2> hopeless{{{60, 3}, {150, 1}}};

  static constexpr std::size_t max_lines = MnkBoard<Bits>::max_lines;
  static constexpr std::size_t max_cells = static_cast<std::size_t>(MnkBoard<Bits>::max_cells);
  static constexpr std::size_t most_lines = 9;  // of a row; the rest of it is another one
  static constexpr std::size_t most_ways = 16;

  /// Lines of one row, column or diagonal of which each has cells in common with the next one. Bit i of
  /// `cuts` is set if line i + 1 begins a group.
  struct Row {
    std::size_t first, count;
    unsigned cuts;
    bool competes;    // for cells that are lacking
    int stays_until;  // this step
    std::size_t ways;
    std::array<unsigned, most_ways> way;  // cuts that leave each group two cells
  };
  /// Cells of groups; a group has the number of its first line.
  struct Matching {
    Bits used = 0;
    std::array<Bits, max_lines> taken;
    std::array<std::uint16_t, max_cells> owner;
  };

  void split_into_rows() {
    std::size_t group = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Bits rest = lines_[i].rest;
      const bool begins_row = i == 0 || at_most_one(lines_[i - 1].all & lines_[i].all) ||
                              rows_[row_count_ - 1].count == most_lines;
      if (begins_row) {
        Row& row = rows_[row_count_++];
        row.first = i;
        row.count = 0;
        row.cuts = 0;
      }
      Row& row = rows_[row_count_ - 1];
      if (begins_row || groups_[lines_.number(i)] || at_most_one(common_[group] & rest)) {
        if (!begins_row) row.cuts |= 1u << (row.count - 1);
        common_[group = i] = rest;
      } else {
        common_[group] &= rest;
      }
      row_of_[i] = static_cast<std::uint16_t>(row_count_ - 1);
      ++row.count;
    }
  }
  void keep_groups() {
    for (std::size_t r = 0; r < row_count_; ++r)
      for (std::size_t i = 1; i < rows_[r].count; ++i)
        groups_[lines_.number(rows_[r].first + i)] = rows_[r].cuts >> (i - 1) & 1;
  }

  static bool begins_group(unsigned cuts, std::size_t i) { return i == 0 || cuts >> (i - 1) & 1; }
  template <class Visit>
  void for_groups(const Row& row, Visit&& visit) const {
    for (std::size_t i = 0; i < row.count; ++i)
      if (begins_group(row.cuts, i)) visit(row.first + i);
  }
  /// Groups a row like that. False if a group has fewer than two cells in common.
  bool group(Row& row, unsigned cuts) {
    row.cuts = cuts;
    std::size_t group = row.first;
    for (std::size_t i = 0; i < row.count; ++i) {
      const Bits rest = lines_[row.first + i].rest;
      if (begins_group(cuts, i))
        common_[group = row.first + i] = rest;
      else if (at_most_one(common_[group] &= rest))
        return false;
    }
    return true;
  }

  /// Matches cells to all groups, those with the fewest to choose from first; says how many are lacking.
  int match_all() {
    int lacking = 0;
    std::fill_n(matching_.taken.begin(), lines_.size(), Bits{0});
    static constexpr int many = 5;
    for (int least = 2; least <= many; ++least)
      for (std::size_t r = 0; r < row_count_; ++r)
        for_groups(rows_[r], [&](std::size_t group) {
          if (std::min(count_bits(common_[group]), many) == least) lacking += provide(group);
        });
    return lacking;
  }
  /// Gives a group the cells that it lacks, and others what they lose to it; says how many are lacking still.
  int provide(std::size_t group) {
    int lacking = 2 - count_bits(matching_.taken[group]);
    while (lacking > 0) {
      visited_ = 0;
      if (!augment(group)) break;
      --lacking;
    }
    return lacking;
  }
  bool augment(std::size_t group) {
    if (const Bits free = common_[group] & ~matching_.used) {
      const Bits cell = lowest_of(free & ~avoid_ ? free & ~avoid_ : free);
      matching_.used |= cell;
      own(group, cell);
      return true;
    }
    while (const Bits others = common_[group] & ~matching_.taken[group] & ~visited_) {
      const Bits cell = lowest_of(others);
      visited_ |= cell;
      const std::size_t owner = owner_of(cell);
      if (!augment(owner)) continue;
      matching_.taken[owner] &= ~cell;
      own(group, cell);
      return true;
    }
    return false;
  }
  void own(std::size_t group, Bits cell) {
    matching_.taken[group] |= cell;
    matching_.owner[static_cast<std::size_t>(lowest_bit(cell))] = static_cast<std::uint16_t>(group);
  }
  std::size_t owner_of(Bits cell) const {
    return matching_.owner[static_cast<std::size_t>(lowest_bit(cell))];
  }
  void copy(Matching& to, const Matching& from) const {
    to.used = from.used;
    std::copy_n(from.taken.begin(), lines_.size(), to.taken.begin());
    to.owner = from.owner;
  }

  void improve() {
    for (std::size_t r = 0; r < row_count_; ++r) list_ways(rows_[r]);
    int tries = 0, least = lacking_;
    std::size_t begin = 0;
    Matching before, best_matching;
    for (int step = 1; tries < most_tries; ++step) {
      // 1. Which rows compete for the cells that are lacking?
      for (const auto& [after, most] : hopeless)
        if (tries > after && least > most) return;
      find_competitors();
      copy(before, matching_);
      // 2. Another way to group one of them: the first that leaves fewer cells lacking, or the best one.
      const int now = lacking_;
      std::size_t best = row_count_;
      unsigned best_cuts = 0;
      bool could_change = false;
      lacking_ = std::numeric_limits<int>::max();
      for (std::size_t i = 0; i < row_count_ && lacking_ >= now; ++i) {
        const std::size_t r = (begin + i) % row_count_;
        Row& row = rows_[r];
        if (!row.competes || row.ways < 2) continue;
        could_change = true;
        if (row.stays_until > step) continue;
        const unsigned cuts = row.cuts;
        for (std::size_t w = 0; w < row.ways && lacking_ >= now; ++w) {
          if (row.way[w] == cuts) continue;
          ++tries;
          if (const int lacking = regroup(row, row.way[w]); lacking < lacking_) {
            lacking_ = lacking;
            best = r;
            best_cuts = row.way[w];
            copy(best_matching, matching_);
          }
          group(row, cuts);
          copy(matching_, before);
        }
      }
      // 3. Change that row, and keep it so for a while.
      if (best == row_count_) {
        lacking_ = now;
        if (!could_change) return;
        ++tries;
        continue;
      }
      group(rows_[best], best_cuts);
      copy(matching_, best_matching);
      rows_[best].stays_until = step + stay;
      begin = best + 1;
      if (lacking_ < least) {
        least = lacking_;
        keep_groups();
      }
      if (found()) return;
    }
  }

  void list_ways(Row& row) {
    const unsigned cuts = row.cuts;
    row.ways = 0;
    row.stays_until = 0;
    for (unsigned way = 0; way < 1u << (row.count - 1) && row.ways < most_ways; ++way)
      if (group(row, way)) row.way[row.ways++] = way;
    group(row, cuts);
  }

  /// Lists the groups that lack cells, and marks the rows with groups that have cells which those could use.
  void find_competitors() {
    short_count_ = 0;
    Bits reached = 0;
    for (std::size_t r = 0; r < row_count_; ++r) rows_[r].competes = false;
    for (std::size_t r = 0; r < row_count_; ++r)
      for_groups(rows_[r], [&](std::size_t group) {
        if (count_bits(matching_.taken[group]) == 2) return;
        short_[short_count_++] = static_cast<std::uint16_t>(group);
        rows_[r].competes = true;
        visited_ = 0;
        augment(group);  // in vain
        reached |= visited_ | common_[group];
      });
    for (; reached; reached &= reached - 1) rows_[row_of_[owner_of(lowest_of(reached))]].competes = true;
  }

  /// Groups a row in another way and says how many cells are lacking then.
  int regroup(Row& row, unsigned cuts) {
    for_groups(row, [&](std::size_t group) { matching_.used &= ~matching_.taken[group]; });
    group(row, cuts);
    std::fill_n(matching_.taken.begin() + static_cast<std::ptrdiff_t>(row.first), row.count, Bits{0});
    int lacking = 0;
    for_groups(row, [&](std::size_t group) { lacking += provide(group); });
    for (std::size_t i = 0; i < short_count_; ++i)
      if (&rows_[row_of_[short_[i]]] != &row) lacking += provide(short_[i]);
    return lacking;
  }

  const OpenLines<Bits>& lines_;
  const Bits avoid_;
  LineGroups<Bits>& groups_;
  int lacking_ = 0;
  std::size_t row_count_ = 0, short_count_ = 0;
  std::array<Row, max_lines> rows_;
  std::array<std::uint16_t, max_lines> row_of_;  // by line
  std::array<Bits, max_lines> common_;           // by group: the cells that its lines have in common
  std::array<std::uint16_t, max_lines> short_;   // groups that lack cells
  Matching matching_;
  Bits visited_ = 0;
};

}  // namespace mossa
