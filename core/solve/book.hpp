// Opening books of connect boards: the exact score of every position with at most so many stones.
//
// A book stores no keys. Positions are numbered without gaps to speak of, and the number says where the
// score is: by stones on the board, then by the heights of the columns, then by which of the stones are
// the mover's. With n stones these are n / 2 of n, whoever it is, so that
//
//     number = first number of n stones + shape * C(n, n / 2) + arrangement
//
// Shapes are the heights in the order of the alphabet; of a shape and its mirror image only the earlier one
// has a number. Arrangements are the sets of n / 2 out of n stones, counted column by column from the bottom,
// in the order of combinadics: the stone at p that is the mover's i-th adds C(p, i). Of two positions that
// are mirror images and of one shape the one with the lower number holds the score.
//
// Scores are packed at a fixed width, low bits first. 0 stands for a position that is over or that no game
// leads to; any other code c for the score lowest + c - 1.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <span>

#include "connect_position.hpp"

namespace mossa {

/// The numbers of the positions with at most `plies` stones on boards of one size.
class BookIndex {
 public:
  /// How many numbers there are; the largest value if they are too many for any book.
  static std::uint64_t count(int rows, int cols, int plies) { return Counts(rows, cols, plies).total(); }

  BookIndex(int rows, int cols, int plies) : rows_(rows), cols_(cols), counts_(rows, cols, plies) {
    if (counts_.total() == too_many) throw GameError("a book cannot hold that many positions");
    std::vector<int> heights(static_cast<std::size_t>(cols));
    shapes_.resize(static_cast<std::size_t>(plies) + 1);
    firsts_.push_back(0);
    for (int stones = 0; stones <= plies; ++stones) {
      auto& shapes = shapes_[static_cast<std::size_t>(stones)];
      shapes.reserve(static_cast<std::size_t>(counts_.shapes(cols, stones)));
      std::uint32_t number = 0;
      each_shape(heights, 0, stones, [&] {
        const std::uint64_t image = shape(stones, [&](int col) { return height(heights, cols_ - 1 - col); });
        shapes.push_back(image < shapes.size() ? 0 : number++);  // an image has no number of its own
      });
      firsts_.push_back(firsts_.back() + number * counts_.arrangements(stones));
    }
  }

  int plies() const { return static_cast<int>(shapes_.size()) - 1; }
  /// One more than the last number of positions with this many stones.
  std::uint64_t end(int stones) const { return firsts_[static_cast<std::size_t>(stones) + 1]; }

  /// The number of a position; nothing if it has too many stones, or a side has the wrong number.
  template <class Bits>
  std::optional<std::uint64_t> number(const ConnectRoot<Bits>& root) const {
    const int stones = root.stones();
    if (stones > plies() || count_bits(root.mine) != stones / 2) return {};
    std::array<int, max_cols> heights;
    for (int col = 0; col < cols_; ++col)
      heights[static_cast<std::size_t>(col)] = count_bits(column(root.all, col));
    const std::uint64_t here = shape(stones, [&](int col) { return height(heights, col); });
    const std::uint64_t image = shape(stones, [&](int col) { return height(heights, cols_ - 1 - col); });
    std::uint64_t arrangement = too_many;
    if (here <= image) arrangement = arranged(root.mine, heights, 0, 1);
    if (image <= here) arrangement = std::min(arrangement, arranged(root.mine, heights, cols_ - 1, -1));
    const auto at = static_cast<std::size_t>(stones);
    return firsts_[at] +
           shapes_[at][static_cast<std::size_t>(std::min(here, image))] * counts_.arrangements(stones) +
           arrangement;
  }

 private:
  static constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t most = std::uint64_t{1} << 32;
  static constexpr std::size_t max_cols = 64;  // two bits a column at least, in 128

  /// How many shapes and arrangements there are. Counts beyond `most` are held at `most`.
  class Counts {
   public:
    Counts(int rows, int cols, int plies) : cols_(cols), plies_(plies) {
      const auto width = static_cast<std::size_t>(plies) + 1;
      sums_.assign((static_cast<std::size_t>(cols) + 1) * width, 1);  // no column: one shape, of 0 stones
      for (int col = 1; col <= cols; ++col)
        for (int stones = 0; stones <= plies; ++stones) {
          std::uint64_t ways = 0;
          for (int h = 0; h <= std::min(rows, stones); ++h) ways = capped(ways + shapes(col - 1, stones - h));
          sums_[at(col, stones)] = capped((stones ? sums_[at(col, stones - 1)] : 0) + ways);
        }
      choose_.assign(width * width, 0);
      for (int n = 0; n <= plies; ++n)
        for (int k = 0; k <= n; ++k)
          choose_[choice(n, k)] =
              k == 0 || k == n ? 1 : capped(choose_[choice(n - 1, k - 1)] + choose_[choice(n - 1, k)]);
    }

    /// The ways to put so many stones into so many columns.
    std::uint64_t shapes(int cols, int stones) const {
      return sums_[at(cols, stones)] - (stones ? sums_[at(cols, stones - 1)] : 0);
    }
    /// The ways to put between `above` + 1 and `stones` stones into so many columns.
    std::uint64_t shapes_between(int cols, int above, int stones) const {
      return sums_[at(cols, stones)] - (above >= 0 ? sums_[at(cols, above)] : 0);
    }
    std::uint64_t choose(int n, int k) const { return choose_[choice(n, k)]; }
    std::uint64_t arrangements(int stones) const { return choose(stones, stones / 2); }

    /// An upper bound, mirror images counted twice.
    std::uint64_t total() const {
      std::uint64_t sum = 0;
      for (int stones = 0; stones <= plies_; ++stones) {
        const std::uint64_t ways = shapes(cols_, stones), each = arrangements(stones);
        if (sums_[at(cols_, stones)] >= most || each >= most || ways > most / each) return too_many;
        sum += ways * each;
      }
      return sum;
    }

   private:
    static std::uint64_t capped(std::uint64_t count) { return std::min(count, most); }
    std::size_t at(int cols, int stones) const {
      return static_cast<std::size_t>(cols) * (static_cast<std::size_t>(plies_) + 1) +
             static_cast<std::size_t>(stones);
    }
    std::size_t choice(int n, int k) const { return at(n, k); }

    int cols_, plies_;
    std::vector<std::uint64_t> sums_;    // by columns, then by stones: shapes of at most so many stones
    std::vector<std::uint64_t> choose_;  // n over k
  };

  template <class Heights>
  static int height(const Heights& heights, int col) {
    return heights[static_cast<std::size_t>(col)];
  }

  template <class Bits>
  Bits column(Bits bits, int col) const {
    return bits >> (col * (rows_ + 1)) & ((Bits{1} << rows_) - 1);
  }

  /// Calls `use` for every shape of so many stones in its order.
  template <class Use>
  void each_shape(std::vector<int>& heights, int col, int stones, const Use& use) const {
    if (col == cols_) {
      if (stones == 0) use();
      return;
    }
    for (int h = 0; h <= std::min(rows_, stones); ++h) {
      heights[static_cast<std::size_t>(col)] = h;
      each_shape(heights, col + 1, stones - h, use);
    }
  }

  /// The place of a shape among those with as many stones: those that are lower in the first column, then
  /// those that are as high there and lower in the second, ...
  template <class HeightOf>
  std::uint64_t shape(int stones, const HeightOf& height_of) const {
    std::uint64_t before = 0;
    for (int col = 0; stones > 0; ++col) {
      const int h = height_of(col);
      before += counts_.shapes_between(cols_ - 1 - col, stones - h, stones);
      stones -= h;
    }
    return before;
  }

  /// The number of an arrangement, read from column `first` in steps of `step`.
  template <class Bits>
  std::uint64_t arranged(Bits mine, const std::array<int, max_cols>& heights, int first, int step) const {
    std::uint64_t number = 0;
    int below = 0, taken = 0;
    for (int i = 0, col = first; i < cols_; ++i, col += step) {
      for (Bits rest = column(mine, col); rest; rest &= rest - 1)
        number += counts_.choose(below + lowest_bit(rest), ++taken);
      below += height(heights, col);
    }
    return number;
  }

  int rows_, cols_;
  Counts counts_;
  std::vector<std::vector<std::uint32_t>> shapes_;  // by stones and place: the number of a shape
  std::vector<std::uint64_t> firsts_;               // by stones
};

/// How many numbers the positions of a book have; the largest value if no book holds so many. Throws
/// GameError if there are no books for this game, or not with so many plies.
std::uint64_t book_numbers(const AnyGame& game, int plies);

/// A book, over memory that somebody else has read or mapped.
class Book {
 public:
  /// Bytes of so many packed scores; the last score can be read as two bytes like all others.
  static std::uint64_t bytes(std::uint64_t count, int width) {
    return count / 8 * static_cast<std::uint64_t>(width) +
           (count % 8 * static_cast<std::uint64_t>(width) + 7) / 8 + 1;
  }

  /// Throws GameError unless `data` is as long as a book of this many plies must be.
  Book(std::shared_ptr<const AnyGame> game, int plies, int lowest, int width,
       std::shared_ptr<const std::span<const unsigned char>> data)
      : game_(std::move(game)),
        index_(game_->spec().sizes[0], game_->spec().sizes[1], checked(plies, width, *data)),
        lowest_(lowest),
        width_(width),
        data_(std::move(data)) {
    if (data_->size() != bytes(index_.end(plies), width)) throw wrong_size(*data_);
  }

  const std::shared_ptr<const AnyGame>& game() const { return game_; }
  int plies() const { return index_.plies(); }

  /// The score of a position, as the solver counts; nothing if it is not in the book.
  template <class Bits>
  std::optional<int> find(const ConnectRoot<Bits>& root) const {
    const std::optional<std::uint64_t> number = index_.number(root);
    if (!number) return {};
    const std::uint64_t bit = *number * static_cast<std::uint64_t>(width_);
    const unsigned char* const byte = data_->data() + bit / 8;
    const int code = (byte[0] | byte[1] << 8) >> (bit % 8) & ((1 << width_) - 1);
    return code ? std::optional(lowest_ + code - 1) : std::nullopt;
  }

  /// The same as a score to show; throws GameError if the position is of another game.
  std::optional<Proven> get(const AnyPosition& position) const;

 private:
  /// Returns `plies` if their index is no larger than the data can account for.
  int checked(int plies, int width, std::span<const unsigned char> data) const {
    if (width < 1 || width > 8 || data.size() < bytes(book_numbers(*game_, plies) / 2, width))
      throw wrong_size(data);
    return plies;
  }
  static GameError wrong_size(std::span<const unsigned char> data) {
    return GameError(std::to_string(data.size()) + " bytes of scores do not match its header");
  }

  std::shared_ptr<const AnyGame> game_;
  BookIndex index_;
  int lowest_, width_;
  std::shared_ptr<const std::span<const unsigned char>> data_;
};

/// The contents of a book: what Book is made of.
struct BookScores {
  int plies = 0;
  int lowest = 0, width = 0;
  std::uint64_t positions = 0;  // that have a score
  std::vector<unsigned char> data;
};

/// Makes a book: says which positions must be solved, and finds the scores of all others from theirs.
class BookBuilder {
 public:
  /// Finds the positions of at least one ply; throws GameError if `poll` ends it.
  BookBuilder(std::shared_ptr<const AnyGame> game, int plies, const Poll& poll);

  /// The positions to be solved: those with the most stones. Neighbours have most stones in common, so that
  /// what a solver has proven of one helps it with the next.
  std::size_t size() const { return moves_.size() / static_cast<std::size_t>(index_.plies()); }
  std::shared_ptr<const AnyPosition> position(std::size_t i) const;
  /// What has been proven of such a position, as a score to enter.
  static int score(const AnyPosition& position, const Proven& proven);
  /// Throws GameError for a score that no position has.
  void set(std::size_t i, int score);

  /// The book, once all of them are entered; throws GameError if `poll` ends it.
  BookScores finish(const Poll& poll);

 private:
  void plan(const AnyPosition& position, const Poll& poll);
  int value(const AnyPosition& position, const Poll& poll);
  std::int8_t& entry(const AnyPosition& position);
  void count(const Poll& poll);

  static constexpr std::int8_t absent = -128, unknown = -127;

  std::shared_ptr<const AnyGame> game_;
  BookIndex index_;
  std::vector<std::int8_t> values_;  // by number
  std::vector<std::uint8_t> moves_;  // that lead to the positions to be solved, one after the other
  std::uint64_t visited_ = 0;
};

}  // namespace mossa
