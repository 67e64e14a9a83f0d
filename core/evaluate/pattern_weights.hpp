// What the line patterns of mnk are worth: to an evaluation, and to the order of moves.
#pragma once

#include "patterns.hpp"

namespace mossa {

/// What codes are worth: to a move that makes them, and to an evaluation. There a cell counts by what it
/// makes in all directions together, its shape, for two threes at once are another thing than two threes; and
/// for more to the side that is to move.
class PatternWeights {
 public:
  static constexpr int logarithm = 750;  // points with which the odds of a win grow e-fold
  static constexpr int tempo = 404;      // what it is worth to be to move
  static constexpr int shapes = 1 << 12;

  struct Worth {
    int move = 0;              // to a move that makes it; only what is dead is worth nothing
    int alone = 0;             // to an evaluation, besides its share in the shape of its cell
    std::uint16_t shape = 0;   // that share
    std::uint32_t appeal = 0;  // to the order of moves: of making it in the upper half, of taking it away
  };
  /// Of a cell to an evaluation, in thousandths of the logarithm of the odds to win.
  struct ShapeWorth {
    std::int16_t to_move = 0, waiting = 0;
  };

  explicit PatternWeights(int k) {
    // With a large k the first stones are far from any row; they must count for something: from needing
    // three stones to needing all but one the worth falls to 1.
    const auto fallen = [&](double from, int needs) {
      return from * std::pow(1 / from, (needs - 3.0) / std::max(1, k - 4));
    };
    for (int number = 0; number + 1 < PatternCode::count; ++number) {
      const PatternCode code = PatternCode::of(number);
      const int ways = std::clamp(code.ways(), 1, 5);
      Worth& worth = worths_[static_cast<std::size_t>(number)];
      switch (code.needs()) {
        case 0:
          worth = {12'000, 1000, a_four};
          break;
        case 1:
          worth = code.ways() >= 2 ? Worth{4800, 700, a_four} : Worth{1200, 0, a_four};
          break;
        case 2:
          worth = code.ways() ? Worth{440 + 120 * code.ways(), 0, a_three} : Worth{200, 0, a_closed_three};
          break;
        case 3:
          worth = ways >= 3 ? Worth{40 * ways, 0, a_two} : Worth{40 * ways, ways == 2 ? 25 : 2, 0};
          break;
        default: {
          const double several = std::sqrt(static_cast<double>(ways));
          worth = {std::max(1, static_cast<int>(fallen(40, code.needs()) * several)),
                   std::max(1, static_cast<int>(fallen(10, code.needs()) * several)), 0};
        }
      }
    }
    for (int number = 0; number + 1 < PatternCode::count; ++number)
      worths_[static_cast<std::size_t>(number)].appeal = appeal(PatternCode::of(number), k);
    for (int shape = 0; shape < shapes; ++shape) {
      const auto some = [&](int one, int most) { return std::min(shape / one & 7, most); };
      const int row = 3 * some(a_four, 1) + some(a_three, 2);
      const auto at = static_cast<std::size_t>(9 * row + 3 * some(a_closed_three, 2) + some(a_two, 2));
      shape_worths_[static_cast<std::size_t>(shape)] = {to_move[at], waiting[at]};
    }
  }

  const Worth& operator[](PatternCode code) const { return worths_[code.number()]; }
  const ShapeWorth& of_shape(int shape) const { return shape_worths_[static_cast<std::size_t>(shape)]; }

 private:
  /// How much likelier a move is to be the best, in hundredths of the logarithm of its odds.
  static std::uint32_t appeal(PatternCode code, int k) {
    struct Appeal {
      int makes, takes;
    };
    const auto packed = [](const Appeal& appeal) {
      return static_cast<std::uint32_t>(appeal.makes) << 16 | static_cast<std::uint32_t>(appeal.takes);
    };
    constexpr std::array<Appeal, 6> twos{{{0, 0}, {25, 0}, {115, 35}, {160, 60}, {190, 75}, {170, 75}}};
    switch (code.needs()) {
      case 0:
        return packed({9000, 6000});
      case 1:
        return packed(code.ways() >= 2 ? Appeal{2500, 800} : Appeal{480, 390});
      case 2:
        return packed(code.ways() == 0   ? Appeal{185, 100}
                      : code.ways() == 1 ? Appeal{360, 245}
                                         : Appeal{460, 335});
      default: {
        // Fewer stones make a row less likely, until a lone stone is worth hardly anything.
        const Appeal& two = twos[static_cast<std::size_t>(std::min(code.ways(), 5))];
        const int have = std::max(0, k - 1 - code.needs()), most = std::max(1, k - 4);
        return packed({10 + two.makes * have / most, 5 + two.takes * have / most});
      }
    }
  }

  // How many directions make what, in three bits each.
  static constexpr std::uint16_t a_four = 1, a_three = 1 << 3, a_closed_three = 1 << 6, a_two = 1 << 9;

  // Fitted to what searches and games of the engine against itself came to (logistic regression). In a row
  // 0 to 2 closed threes, and for each of these 0 to 2 twos; the rows: 0 to 2 threes, then a four and these.
  // clang-format off
  static constexpr std::array<std::int16_t, 54> to_move{
      0, 19, 106, 37, 122, 164, 103, 363, 208,
      179, 359, 653, 341, 386, 321, 801, 300, 387,
      898, 594, 1004, 935, 954, 1041, 1001, 1020, 1107,
      254, 518, 619, 354, 666, 397, 357, 376, 462,
      1500, 452, 538, 469, 489, 575, 535, 554, 641,
      1153, 1172, 1258, 1189, 1209, 1295, 1255, 1274, 1361};
  static constexpr std::array<std::int16_t, 54> waiting{
      0, 12, 75, 42, 77, 109, 84, 0, 158,
      135, 211, 232, 175, 269, 251, 392, 230, 293,
      148, 218, 222, 315, 201, 264, 231, 243, 306,
      243, 343, 383, 417, 482, 359, 326, 338, 401,
      807, 956, 452, 419, 431, 494, 461, 473, 536,
      391, 402, 465, 432, 444, 507, 474, 486, 549};
  // clang-format on

  std::array<Worth, PatternCode::count> worths_{};
  std::array<ShapeWorth, shapes> shape_worths_{};
};

}  // namespace mossa
