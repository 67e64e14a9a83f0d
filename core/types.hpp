// The words that every other file uses: Side, Move, Outcome, Limits, Info, and the errors.
//
// A Move knows its own text ("4", "h8", "swap"), so nothing needs a game to print one. A Side is asked
// of a position and never inferred from the number of moves: in Kalah a side may move twice running.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mossa {

// ---------------------------------------------------------------- errors

/// Base of every error a user can cause. The message is one line that quotes what was given, says why
/// it fails and what is accepted.
struct GameError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct InvalidGameError : GameError {  // no such game, size or option
  using GameError::GameError;
};
struct InvalidMoveError : GameError {  // text that is no move
  using GameError::GameError;
};
struct IllegalMoveError : GameError {  // a move, but not allowed here
  using GameError::GameError;
};
struct InvalidPositionError : GameError {  // board text that no game can reach
  using GameError::GameError;
};
struct InvalidPlayerError : GameError {  // no such search or option, or not for this game
  using GameError::GameError;
};

/// `text` in single quotes, fit for a one-line message: control characters are escaped and all but the
/// first characters of a long text are left out.
inline std::string quote(std::string_view text) {
  constexpr std::size_t longest = 60;
  constexpr std::string_view hex = "0123456789abcdef";
  std::size_t shown = std::min(text.size(), longest);
  // Never cut a UTF-8 sequence in two: step back over its continuation bytes (10xxxxxx).
  while (shown < text.size() && shown > 0 && (static_cast<unsigned char>(text[shown]) & 0xC0) == 0x80)
    --shown;
  std::string quoted = "'";
  for (const char character : text.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F) {
      quoted += "\\x";
      quoted += hex[byte >> 4];
      quoted += hex[byte & 15];
    } else {
      quoted += character;
    }
  }
  if (shown == text.size()) return quoted + "'";
  return quoted + "...' (" + std::to_string(text.size()) + " characters)";
}

inline std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) joined += between;
    joined += parts[i];
  }
  return joined;
}

// ---------------------------------------------------------------- sides

enum class Side : std::uint8_t { first = 0, second = 1 };

constexpr Side other(Side side) { return side == Side::first ? Side::second : Side::first; }
constexpr std::size_t index(Side side) { return static_cast<std::size_t>(side); }
constexpr std::string_view name(Side side) { return side == Side::first ? "first" : "second"; }

// ---------------------------------------------------------------- moves

struct Cell {
  int row = 0;
  int col = 0;
  auto operator<=>(const Cell&) const = default;
};

/// A move in 32 bits that describes itself: two bits of kind, then its number, its cell, or two cells.
///
///     kind   31 30 | 27 ....... 14 | 13 ........ 7 | 6 ........ 0
///     number  0  0 |               |         one-based number       column of connect, pit of kalah
///     cell    0  1 |               |      row      |    column      where a stone is put, zero-based
///     swap    1  0 |               |               |                the pie rule
///     step    1  1 |  source cell  |      row      |    column      where a piece goes, and where from
class Move {
 public:
  static constexpr int max_number = (1 << 14) - 1;
  static constexpr int max_coordinate = 127;

  static constexpr Move number(int one_based) { return Move(Kind::number, bits(one_based)); }
  static constexpr Move cell(int row, int col) { return Move(Kind::cell, packed(row, col)); }
  static constexpr Move swap() { return Move(Kind::swap, 0); }
  static constexpr Move step(Cell source, Cell target) {
    return Move(Kind::step, packed(source.row, source.col) << 14 | packed(target.row, target.col));
  }

  constexpr bool is_number() const { return kind() == Kind::number; }
  constexpr bool is_cell() const { return kind() == Kind::cell; }
  constexpr bool is_swap() const { return kind() == Kind::swap; }
  constexpr bool is_step() const { return kind() == Kind::step; }

  constexpr int number() const { return static_cast<int>(code_ & max_number); }
  /// Of the cell, or of the target of a step.
  constexpr int row() const { return unpacked(code_).row; }
  constexpr int col() const { return unpacked(code_).col; }
  constexpr Cell target() const { return unpacked(code_); }
  constexpr Cell source() const { return unpacked(code_ >> 14); }

  /// The 32 bits, for tables.
  constexpr std::uint32_t code() const { return code_; }
  static constexpr Move from_code(std::uint32_t code) { return Move(code); }
  /// A number up to max_number, for tables with one entry a move: different for moves of one kind, but for
  /// steps, of which there are too many.
  constexpr std::size_t slot() const { return (code_ ^ (code_ >> 14 & max_number) * 37) & max_number; }

  /// An uninitialised move, for arrays only.
  constexpr Move() = default;
  constexpr auto operator<=>(const Move&) const = default;

  std::string text() const {
    if (is_swap()) return "swap";
    if (is_number()) return std::to_string(number());
    return (is_step() ? text_of(source()) : std::string()) + text_of(target());
  }

  /// The move that `text` names, or nothing. Letters may be of either case.
  static std::optional<Move> parse(std::string_view text) {
    if (text == "swap") return swap();
    if (!text.empty() && !is_letter(text[0])) {
      const std::optional<int> digits = parse_digits(text);
      return digits ? std::optional(number(*digits)) : std::nullopt;
    }
    const std::size_t length = cell_length(text);
    const std::optional<Cell> first = parse_cell(text.substr(0, length));
    if (!first) return {};
    if (length == text.size()) return cell(first->row, first->col);
    const std::optional<Cell> second = parse_cell(text.substr(length));
    return second ? std::optional(step(*first, *second)) : std::nullopt;
  }

  static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

  /// The length of the cell that `text` begins with: letters and the digits that follow.
  static std::size_t cell_length(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size() && !is_digit(text[at])) ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  }

  /// a..z, aa..zz: the 27th column is aa.
  static std::string column_letters(int col) {
    std::string letters(1, static_cast<char>('a' + col % 26));
    if (col >= 26) letters.insert(letters.begin(), static_cast<char>('a' + col / 26 - 1));
    return letters;
  }

 private:
  enum class Kind : std::uint32_t { number, cell, swap, step };

  constexpr explicit Move(std::uint32_t code) : code_(code) {}
  constexpr Move(Kind kind, std::uint32_t rest) : code_(static_cast<std::uint32_t>(kind) << 30 | rest) {}
  constexpr Kind kind() const { return static_cast<Kind>(code_ >> 30); }

  static constexpr std::uint32_t bits(int number) { return static_cast<std::uint32_t>(number); }
  static constexpr std::uint32_t packed(int row, int col) { return bits(row) << 7 | bits(col); }
  static constexpr Cell unpacked(std::uint32_t code) {
    return {static_cast<int>(code >> 7 & max_coordinate), static_cast<int>(code & max_coordinate)};
  }

  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  static std::string text_of(Cell cell) { return column_letters(cell.col) + std::to_string(cell.row + 1); }

  /// One or two letters and a row, counted from 1.
  static std::optional<Cell> parse_cell(std::string_view text) {
    std::size_t letters = 0;
    int col = 0;
    for (; letters < text.size() && is_letter(text[letters]); ++letters) {
      if (letters == 2) return {};
      col = col * 26 + (text[letters] | 0x20) - 'a' + 1;
    }
    const std::optional<int> row = parse_digits(text.substr(letters));
    if (letters == 0 || !row || col - 1 > max_coordinate || *row - 1 > max_coordinate) return {};
    return Cell{*row - 1, col - 1};
  }

  /// One to four digits without a leading zero.
  static std::optional<int> parse_digits(std::string_view text) {
    if (text.empty() || text.size() > 4 || text[0] == '0') return {};
    int number = 0;
    for (const char c : text) {
      if (!is_digit(c)) return {};
      number = number * 10 + (c - '0');
    }
    return number;
  }

  std::uint32_t code_ = 0;
};

/// The moves of one position. The room is inside, so that a search allocates nothing per node, and is written
/// only as far as it is used.
template <int Capacity>
class MoveList {
 public:
  MoveList() {}
  MoveList(const MoveList& b) : size_(b.size_) { std::copy(b.begin(), b.end(), begin()); }
  MoveList& operator=(const MoveList& b) {
    size_ = b.size_;
    std::copy(b.begin(), b.end(), begin());
    return *this;
  }

  void add(Move move) {
    assert(size_ < Capacity);
    moves_[static_cast<std::size_t>(size_++)] = move;
  }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move& operator[](int i) { return moves_[static_cast<std::size_t>(i)]; }
  Move operator[](int i) const { return moves_[static_cast<std::size_t>(i)]; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

 private:
  union {  // or every list would begin with writing zeros
    std::array<Move, static_cast<std::size_t>(Capacity)> moves_;
  };
  int size_ = 0;
};

// ---------------------------------------------------------------- what is seen of a position

/// How a finished game ended. `value` is what the first side got: +1, 0 or -1 in line games, the final
/// margin in Kalah.
struct Outcome {
  std::optional<Side> winner;
  int value = 0;
  std::string reason;

  bool operator==(const Outcome&) const = default;

  std::string text() const {
    if (!winner) return "draw: " + reason;
    return std::string(name(*winner)) + " wins: " + reason;
  }
};

/// What to draw: line games hold 0, 1 or 2 by row (the bottom row first) and column; Kalah holds seeds,
/// one row a side, the store last.
using Cells = std::vector<std::vector<int>>;

// ---------------------------------------------------------------- searching

/// When a search must stop: whichever comes first.
struct Limits {
  std::optional<double> time;  // seconds
  /// Seconds at most under a clock, where `time` is what a move should take on average: a search that can
  /// ends sooner when it is sure of its move, and goes on while it is not. The others keep to `time`.
  std::optional<double> longest;
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> iterations;  // of a search that counts them: play-outs of mcts
  std::optional<int> depth;

  bool operator==(const Limits&) const = default;
};

/// What a search found. `value` is for the side to move; it is proven when `exact`.
struct Info {
  Move move;
  int value = 0;
  bool exact = false;
  std::optional<int> distance;  // plies to the end, when exact and the game counts them
  std::vector<Move> line;
  int depth = 0;                  // plies, or turns where the search counts those
  std::uint64_t nodes = 0;        // moves played
  std::uint64_t evaluations = 0;  // leaves valued
  std::uint64_t cutoffs = 0;
  std::uint64_t table_hits = 0;  // positions answered or bounded by the table
  std::uint64_t iterations = 0;
  double time = 0;         // seconds
  std::size_t memory = 0;  // bytes held by the search
};

/// Told of every better answer while a search goes on.
using Report = std::function<void(const Info&)>;

/// Asked now and then by long work; an answer of true ends it. It may throw to end it with an error.
using Poll = std::function<bool()>;

/// A number that one thread counts and others may read meanwhile.
class Counter {
 public:
  void operator++() { count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  void reset() { count_.store(0, std::memory_order_relaxed); }
  operator std::uint64_t() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> count_{0};
};

/// Counts nodes and says when to stop. `tick` is called once per node, so it reads the clock only
/// every few nodes: often enough to keep a deadline to a few milliseconds on the largest boards, where
/// a node takes tens of microseconds.
class Budget {
 public:
  Budget(const Limits& limits, const Poll& poll)
      : limits_(limits), poll_(poll), start_(Clock::now()), next_check_(next_check()) {}

  /// True once the work must stop, and from then on always.
  bool tick() {
    ++nodes_;
    if (nodes_ >= next_check_) check();
    return stopped_;
  }

  /// Reads the clock now.
  void check() {
    if (leader_ ? leader_->out_of_nodes() : out_of_nodes()) stopped_ = true;
    next_check_ = next_check();
    const double now = seconds();
    if (limits_.time && now >= *limits_.time) stopped_ = true;
    if (poll_ && now >= next_poll_) {
      next_poll_ = now + seconds_per_poll;
      if (poll_()) stopped_ = true;
    }
  }

  /// Counts the nodes of another thread too, and makes that thread stop at the limit of both. To be called
  /// before the thread starts; its budget must live as long as this one is asked.
  void include(Budget& helper) {
    helpers_.push_back(&helper);
    helper.leader_ = this;
  }

  /// In seconds; endless if there is no limit of time.
  double time_left() const {
    return limits_.time ? *limits_.time - seconds() : std::numeric_limits<double>::infinity();
  }

  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }
  std::uint64_t nodes() const {
    std::uint64_t sum = nodes_;
    for (const Budget* helper : helpers_) sum += helper->nodes_;
    return sum;
  }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t nodes_per_check = 64;
  static constexpr double seconds_per_poll = 0.02;

  bool out_of_nodes() const { return limits_.nodes && nodes() >= *limits_.nodes; }

  /// The node count of this thread at which to look again: soon, and no later than at the limit.
  std::uint64_t next_check() const {
    const std::uint64_t counted = nodes();
    if (!limits_.nodes || counted >= *limits_.nodes) return nodes_ + nodes_per_check;
    return nodes_ + std::min(nodes_per_check, *limits_.nodes - counted);
  }

  Limits limits_;
  Poll poll_;
  Clock::time_point start_;
  double next_poll_ = seconds_per_poll;
  Counter nodes_;
  std::vector<const Budget*> helpers_;
  const Budget* leader_ = nullptr;
  std::uint64_t next_check_;
  bool stopped_ = false;
};

}  // namespace mossa
