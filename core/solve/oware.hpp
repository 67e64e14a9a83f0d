// The exact solver of oware, where a repeated position leaves the seeds in the pits to neither side.
//
// A question is "at least beta?" of the margin to come (a null window), searched to a depth that grows until
// the answer is known. With end-game tables (oware_tables.hpp) every line is short: the solver makes a layer
// whenever the search has visited several times as many positions as it has boards.
//
// Repetition is what makes it hard. A position that comes again is worth 0, but only on this path; what
// rests on that must not be remembered for others. So an answer names the earliest position of the path
// that it rests on. It is remembered once that is not before the position itself: then all that it rests on
// lies below, and play that stays there goes round in circles whichever way it came. (The answer that a gain
// can be forced never rests on repetition. The other answers do, as in the games of Kishimoto and Müller's
// "A general solution to the graph history interaction problem", 2004.)
//
// Positions before the first one, back to the last capture, are pinned: the game ends in them too. A pin
// counts 0, so it can take a gain away, but never turn it into a loss: pinned or not, a value keeps its
// sign or becomes 0, and grows no larger. That is what tables tell of boards with as many seeds.
#pragma once

#include "../table.hpp"
#include "oware_tables.hpp"
#include "solver.hpp"
#include "team.hpp"

namespace mossa {

template <class Board, class Bits>
class OwareSolver final : public AnySolver {
 public:
  OwareSolver(std::shared_ptr<const AnyGame> game, const Board& board, const SolverSettings& settings)
      : AnySolver(std::move(game)),
        board_(board),
        given_(settings.tables),
        threads_(settings.threads),
        table_bytes_(settings.memory / 2) {
    const int most = EndTables::seeds_within(board.pits(), settings.memory / 2);
    if (!given_) own_.emplace(this->game(), std::min(board.rules().total(), most));
    table_.emplace(table_bytes_);
  }

  std::uint64_t nodes() const override { return nodes_; }

 private:
  Solution prove(const AnyPosition& position, SolverWork& work) override {
    const std::optional<Proven>& asked = work.task().at_least;
    return solution(asked ? answer(position, asked->value, work) : score(position, work), work);
  }

  std::vector<Move> best_line(const AnyPosition& position, int most, SolverWork& work) override {
    std::vector<Move> moves;
    auto at = std::shared_ptr<const AnyPosition>(&position, [](const AnyPosition*) {});
    const Bounds bounds = score(*at, work);
    if (bounds.low != bounds.high) return moves;
    for (int value = bounds.low; !at->outcome() && static_cast<int>(moves.size()) < most; value = -value) {
      const std::optional<Move> move = best_move(*at, value, work);
      if (!move) break;
      at = at->play(*move);
      moves.push_back(*move);
    }
    return moves;
  }

  void forget() override { table_.emplace(table_bytes_); }

  struct Bounds {
    int low = 0, high = 0;
  };
  enum class Answer : std::uint8_t { no, yes, unknown };

  /// An answer, and the place on the path of the earliest position that it rests on.
  struct Found {
    Answer answer = Answer::unknown;
    std::size_t rests_on = nothing;
  };
  static constexpr std::size_t nothing = ~std::size_t{0};

  /// A position to ask about.
  struct Root {
    Bits bits = 0;
    int seeds = 0;
    int so_far = 0;          // the margin of the side to move
    std::vector<Bits> pins;  // positions before it, the oldest first
    std::uint64_t salt = 0;  // tells the pins apart
  };

  /// The boards since the last capture on the way to the position being searched, and how many of them are
  /// pinned.
  struct Path {
    std::vector<Bits> boards;
    std::size_t pinned = 0;
    std::uint64_t salt = 0;
  };

  /// What the table holds of a position: bounds, and the question that a search to some depth left open.
  struct Entry {
    Bounds bounds;
    int open_beta = 0;
    int open_depth = 0;
  };

  const EndTables& tables() const { return given_ ? *given_ : *own_; }

  Root root_of(const AnyPosition& position) const {
    const Cells cells = position.cells();
    const int margin = cells[0].back() - cells[1].back();
    Root root{*board_.bits_of(position), position.left_to_play(),
              position.side() == Side::first ? margin : -margin, earlier_boards<Bits>(board_, position)};
    for (std::size_t i = 0; i < root.pins.size(); ++i)
      root.salt +=
          mix(low_word(root.pins[i]) ^ mix(high_word(root.pins[i]) + (root.pins.size() - i) % 2 + 1));
    return root;
  }

  /// The final margin for the side to move, as far as it can be found.
  Bounds score(const AnyPosition& position, SolverWork& work) {
    const Root root = root_of(position);
    Bounds bounds{-root.seeds, root.seeds};
    const auto told = [&] { return Bounds{root.so_far + bounds.low, root.so_far + bounds.high}; };
    for (int depth = 1; bounds.low < bounds.high; ++depth) {
      // The largest gain that can be proven to this depth, then the smallest that can be disproven.
      for (const Answer wanted : {Answer::yes, Answer::no}) {
        Bounds left{bounds.low + 1, bounds.high};
        while (left.low <= left.high) {
          const int beta = left.low + (left.high - left.low) / 2;
          const std::optional<Answer> answer = ask(root, beta, depth, work);
          if (!answer) return told();
          if (*answer == Answer::yes) bounds.low = std::max(bounds.low, beta);
          if (*answer == Answer::no) bounds.high = std::min(bounds.high, beta - 1);
          const bool up = wanted == Answer::yes ? *answer == Answer::yes : *answer != Answer::no;
          (up ? left.low : left.high) = up ? beta + 1 : beta - 1;
          work.tell_now_and_then([&] { return solution(told(), work); });
        }
      }
    }
    return told();
  }

  /// The same, but only as far as it takes to tell whether the final margin is at least `asked`.
  Bounds answer(const AnyPosition& position, int asked, SolverWork& work) {
    const Root root = root_of(position);
    const int beta = asked - root.so_far;
    Bounds bounds{root.so_far - root.seeds, root.so_far + root.seeds};
    for (int depth = 1; bounds.low < asked && asked <= bounds.high; ++depth) {
      const std::optional<Answer> found = ask(root, beta, depth, work);
      if (!found) break;
      if (*found == Answer::yes) bounds.low = asked;
      if (*found == Answer::no) bounds.high = asked - 1;
      work.tell_now_and_then([&] { return solution(bounds, work); });
    }
    return bounds;
  }

  /// A move that keeps the final margin, one that is soon seen to; nothing if a limit came first.
  std::optional<Move> best_move(const AnyPosition& position, int value, SolverWork& work) {
    std::vector<std::pair<Move, Root>> moves;
    for (const Move move : position.moves()) {
      const auto next = position.play(move);
      const auto outcome = next->outcome();
      if (outcome && (position.side() == Side::first ? outcome->value : -outcome->value) == value)
        return move;
      if (!outcome) moves.emplace_back(move, root_of(*next));
    }
    for (int depth = 1; !moves.empty(); ++depth)
      for (const auto& [move, root] : moves) {
        const std::optional<Answer> better = ask(root, 1 - value - root.so_far, depth, work);
        if (!better) return {};
        if (*better == Answer::no) return move;
      }
    return {};
  }

  /// Whether the margin to come is at least beta; nothing if it had to stop.
  std::optional<Answer> ask(const Root& root, int beta, int depth, SolverWork& work) {
    if (beta > root.seeds) return Answer::no;
    if (beta <= -root.seeds) return Answer::yes;
    while (true) {
      if (wants_layer(root)) {
        const Poll poll = [&] { return work.budget().check(), work.budget().stopped(); };
        if (!own_->build_layer(threads_, poll)) return {};
        continue;
      }
      work_ = &work;
      root_ = &root;
      path_ = {root.pins, root.pins.size(), root.salt};
      try {
        return search(root.bits, root.seeds, beta, depth).answer;
      } catch (const SearchStopped&) {
        if (work.budget().stopped()) return {};
      }
    }
  }

  /// A layer pays once the search has visited several times as many positions as it has boards.
  bool wants_layer(const Root& root) const {
    constexpr std::uint64_t few_boards = 100'000, nodes_per_board = 2;
    if (!own_ || own_->seeds() >= own_->most() || own_->seeds() >= root.seeds) return false;
    const int next = own_->seeds() + 1;
    const std::uint64_t boards =
        EndTables::positions(board_.pits(), next) - EndTables::positions(board_.pits(), next - 1);
    return boards <= few_boards || nodes_ > nodes_per_board * boards;
  }

  /// Whether the margin to come is at least beta.
  Found search(Bits bits, int seeds, int beta, int depth) {
    ++nodes_;
    if (work_->budget().tick() || (nodes_ % 1024 == 0 && wants_layer(*root_))) throw SearchStopped();
    // 1. What is known.
    const TableKey key = key_of(bits);
    Entry entry = look_up(key, bits, seeds);
    if (entry.bounds.low >= beta) return {Answer::yes};
    if (entry.bounds.high < beta) return {Answer::no};
    if (depth == 0 || (entry.open_beta == beta && entry.open_depth >= depth)) return {};
    // 2. The moves: those that answer the question without a search, and the others.
    const std::size_t place = path_.boards.size();
    path_.boards.push_back(bits);
    Children children;
    Found found{Answer::no};
    bool moved = false;
    const bool answered = board_.any_move(bits, [&](int, const Next& next) {
      moved = true;
      const Found at_once = judge(next, seeds, beta);
      if (at_once.answer == Answer::yes) return found = at_once, true;
      if (at_once.answer == Answer::unknown) children.add(next);
      found.rests_on = std::min(found.rests_on, at_once.rests_on);
      return false;
    });
    if (!moved) found.answer = board_.leftover(bits, seeds) >= beta ? Answer::yes : Answer::no;
    // 3. The others, captures first.
    if (!answered) {
      children.sort();
      for (const Next& next : children) {
        const Found there = follow(next, seeds, beta, depth);
        if (there.answer == Answer::yes) {
          found = there;
          break;
        }
        if (there.answer == Answer::unknown) found.answer = Answer::unknown;
        found.rests_on = std::min(found.rests_on, there.rests_on);
      }
    }
    path_.boards.pop_back();
    // 4. Remember it, unless it rests on how it was reached.
    if (found.answer == Answer::unknown) {
      entry.open_beta = beta;
      entry.open_depth = depth;
      store(key, entry);
      return {};
    }
    if (found.rests_on < place) return found;
    (found.answer == Answer::yes ? entry.bounds.low : entry.bounds.high) =
        found.answer == Answer::yes ? beta : beta - 1;
    store(key, entry);
    return {found.answer};
  }

  using Next = typename Board::Next;

  /// The moves of a position that must be searched.
  struct Children {
    void add(const Next& next) { moves[count++] = next; }
    void sort() {
      std::stable_sort(begin(), end(), [](auto& a, auto& b) { return a.gain > b.gain; });
    }
    Next* begin() { return moves.data(); }
    Next* end() { return moves.data() + count; }
    std::array<Next, static_cast<std::size_t>(Board::most_pits)> moves;
    std::size_t count = 0;
  };

  /// Whether a move is worth at least beta, as far as that is known without a search.
  Found judge(const Next& next, int seeds, int beta) {
    if (next.gain == 0)
      if (const std::optional<std::size_t> before = repeats(next.board))
        // A pin stays where it is, whichever way it is reached.
        return {beta <= 0 ? Answer::yes : Answer::no, *before < path_.pinned ? nothing : *before};
    const Bounds to_come =
        next.gain ? fresh([&] { return known(next.board, seeds - next.gain); }) : known(next.board, seeds);
    if (next.gain - to_come.high >= beta) return {Answer::yes};
    if (next.gain - to_come.low < beta) return {Answer::no};
    return {};
  }

  /// The same by a search.
  Found follow(const Next& next, int seeds, int beta, int depth) {
    const auto ask_there = [&] {
      return search(next.board, seeds - next.gain, next.gain - beta + 1, depth - 1);
    };
    Found found = next.gain ? fresh(ask_there) : ask_there();
    if (next.gain) found.rests_on = nothing;
    if (found.answer != Answer::unknown)
      found.answer = found.answer == Answer::yes ? Answer::no : Answer::yes;
    return found;
  }

  /// After a capture nothing that was before can come again.
  template <class Use>
  auto fresh(const Use& use) {
    Path path;
    std::swap(path, path_);
    struct Restore {
      ~Restore() { std::swap(path, path_); }
      Path &path, &path_;
    } restore{path, path_};
    return use();
  }

  /// The place of the same board on the path, with the same side to move.
  std::optional<std::size_t> repeats(Bits bits) const {
    for (std::size_t i = path_.boards.size(); i >= 2; i -= 2)
      if (path_.boards[i - 2] == bits) return i - 2;
    return {};
  }

  Bounds known(Bits bits, int seeds) { return look_up(key_of(bits), bits, seeds).bounds; }

  Entry look_up(const TableKey& key, Bits bits, int seeds) {
    Entry entry{{-seeds, seeds}};
    if (seeds <= tables().seeds()) {
      const int value = tables()[board_.number(bits)];
      if (path_.pinned == 0) return {{value, value}};
      entry.bounds = {std::min(value, 0), std::max(value, 0)};
    }
    const std::optional<Known> known = table_->find(key);
    if (!known) return entry;
    const auto field = [&](int shift) { return (known->value >> shift & 0xFF) - offset; };
    entry.bounds = {std::max(entry.bounds.low, field(0)), std::min(entry.bounds.high, field(8))};
    entry.open_beta = field(16);
    entry.open_depth = known->depth;
    return entry;
  }

  void store(const TableKey& key, const Entry& entry) {
    const auto field = [](int value, int shift) { return (value + offset) << shift; };
    table_->store(key, {field(entry.bounds.low, 0) | field(entry.bounds.high, 8) | field(entry.open_beta, 16),
                        static_cast<std::int16_t>(std::min(entry.open_depth, most_depth)),
                        Bound::exact,
                        false,
                        0,
                        {}});
  }
  static constexpr int offset = 128;      // margins are at most as large as this
  static constexpr int most_depth = 511;  // that the table can tell

  TableKey key_of(Bits bits) const {
    if constexpr (sizeof(Bits) == 8)
      return {bits, path_.salt};
    else
      return TableKey::of(std::array{low_word(bits), high_word(bits), path_.salt});
  }
  static std::uint64_t low_word(Bits bits) { return static_cast<std::uint64_t>(bits); }
  static std::uint64_t high_word(Bits bits) {
    if constexpr (sizeof(Bits) == 8)
      return 0;
    else
      return static_cast<std::uint64_t>(bits >> 64);
  }

  Solution solution(const Bounds& bounds, const SolverWork& work) const {
    return {Proven{bounds.low, {}},
            Proven{bounds.high, {}},
            work.nodes(),
            work.seconds(),
            table_->bytes() + (own_ && own_->seeds() >= 0 ? own_->bytes() : 0),
            std::nullopt,
            tables().seeds() >= 0 ? std::optional(tables().seeds()) : std::nullopt};
  }

  Board board_;
  std::shared_ptr<const EndTables> given_;  // or
  std::optional<OwareTables> own_;
  int threads_;
  std::size_t table_bytes_;
  std::optional<Table> table_;
  std::uint64_t nodes_ = 0;
  // Of the question in work:
  SolverWork* work_ = nullptr;
  const Root* root_ = nullptr;
  Path path_;
};

}  // namespace mossa
