// Networks: evaluations that were learnt from games, as numbers that a search can use.
//
// There are two kinds, each for a family of games. Both look up rows of a codebook, add them up, clip the
// sums, and send what is left through two small dense layers to the logarithms of the chances of a win, a
// draw and a loss.
//
// `lines`, for games of k in a row on boards of every size. For either side, every cell has a row of channels
//
//     h(cell) = bias + place[class of the cell]
//             + sum over its four lines of  own[pattern that the side sees] + other[that the other sees]
//     a(cell) = h(cell), clipped to 0 .. 1
//
// with the patterns of line_views.hpp. Where stones fall, a cell has one of twelve classes: its height above
// the stones of its column (0, 1, 2, 3, 4 or more, or occupied), times 2, plus 1 if it is of the side's
// parity (column_parity); elsewhere all cells have one. The sums of a over all cells, those of the side to
// move first, enter the dense layers. A policy, one number for each cell, is a weighted sum of a(cell). A
// stone changes the rows of the cells on its lines and no others: line_network_board.hpp keeps them up to
// date.
//
// `pits`, for games that sow into a store of one's own. There is one row of channels: the sum of a row for
// each pit by its seeds (0 to 15 or more), for each pit whose last seed reaches the store, for each that
// captures, by what it takes (1 to 12 or more), for all seeds in the pits of either side, and for the margin
// so far. It has one output more, the margin still to come.
//
// Everything is whole numbers, so a network says the same on every machine. What 1.0 is as a whole number:
//
//     rows, h and a      256     int16; a row has at most `row_limit`, so that no sum overflows
//     inputs x          4096     of lines: the sum of a, times 32 / max(cells, 64), at most 8
//     dense weights       64     int8, -2 to 2
//     hidden bias   64 * 4096
//     hidden            1024     clipped to 0 .. 8
//     outputs      64 * 1024     and their bias; the margin counts in `margin_unit` seeds
//     policy weights      32     int8, -4 to 4
//     policy        32 * 256     and its bias
//
// A network is read from bytes, little-endian:
//
//     "mossanet"  8 bytes
//     version, kind (1 lines, 2 pits), size (k, or pits), falls, channels, hidden   uint16 each
//     beside, uint16: 1 if it was trained beside an evaluation of ours (own_value.hpp), to correct it
//     length of the rules, uint16; then the rules as text: "exact=yes", or nothing
//     bytes of the payload, uint32; its checksum (FNV-1a), uint64; the payload
//
// and the payload of `lines` is
//
//     own, other   int16[patterns][channels] each
//     place        int16[places][channels]
//     bias         int16[channels]
//     hidden       int8[hidden][2 * channels], int32[hidden]
//     outputs      int8[3][hidden], int32[3]                  win, draw, loss
//     policy       int8[channels], int32
//
// that of `pits`
//
//     own, other   int16[pits][16][channels] each             pits from the left, by their seeds
//     reaches      int16[2][pits][channels]                   own pits, then the other side's
//     captures     int16[2][pits][12][channels]               by the seeds that the other side loses
//     totals       int16[2][64][channels]                     seeds in a side's pits: 0 to 63 or more
//     margin       int16[49][channels]                        -24 to 24
//     bias         int16[channels]
//     hidden       int8[hidden][channels], int32[hidden]
//     outputs      int8[4][hidden], int32[4]                  win, draw, loss, margin to come
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "../types.hpp"
#include "line_view_board.hpp"

namespace mossa {

enum class NetworkKind : std::uint8_t { lines = 1, pits = 2 };
constexpr std::string_view name(NetworkKind kind) { return kind == NetworkKind::lines ? "lines" : "pits"; }

/// What a network must know of a game, and what it is for. Sizes of a board are not in it: one network serves
/// them all.
struct NetworkGame {
  NetworkKind kind = NetworkKind::lines;
  int size = 0;         // k, or pits
  bool falls = false;   // a stone falls to the lowest empty cell of its column
  std::string rules{};  // options that differ from their default: "exact=yes"

  bool operator==(const NetworkGame&) const = default;
  /// "k=5 where stones fall", for messages.
  std::string text() const;
};

/// The numbers of a network that do not come from training.
struct NetworkScale {
  static constexpr int channels = 32, hidden = 32;
  static constexpr int row = 256, row_limit = 3000;
  static constexpr int input = 4096, input_limit = 32'767;
  static constexpr int dense = 64;
  static constexpr int hidden_shift = 8, hidden_unit = input * dense >> hidden_shift, hidden_limit = 8191;
  static constexpr int output = hidden_unit * dense, bias_limit = 1 << 26;
  static constexpr int policy_weight = 32, policy = policy_weight * row;
  static constexpr int margin_unit = 8;  // seeds

  static constexpr int sum_shift = 12;
  /// What sums over the cells of a board are multiplied with, before they are shifted down.
  static constexpr int sum(int cells) {
    const int room = std::max(cells, 64);
    return ((1 << 21) + room / 2) / room;
  }

  static constexpr int most_own = 15'000;
  /// Half of the thousandths that an evaluation of ours says, as outputs count: what it adds to the win, and
  /// takes from the loss.
  static constexpr std::int32_t half_of(int own) {
    return static_cast<std::int32_t>(std::int64_t{std::clamp(own, -most_own, most_own)} * output / 2000);
  }

  static constexpr int most_seeds = 15, most_captured = 12, most_total = 63, most_margin = 24;  // of pits
};

/// How many rows a network of a game has.
struct NetworkShape {
  NetworkGame game;
  int patterns = 0, places = 0;  // of lines

  explicit NetworkShape(NetworkGame game);
  std::size_t payload_bytes() const;
};

/// The channels of a cell, as the first side has them and as the second has them; of a codebook, what
/// belongs to the side that looks and what belongs to the other.
struct alignas(64) ChannelRow {
  std::array<std::int16_t, 2 * NetworkScale::channels> of{};
};

/// Both dense layers. Weights are wider than they need to be: so one instruction multiplies and adds pairs.
struct alignas(64) DenseLayers {
  static constexpr std::size_t inputs = 2 * NetworkScale::channels, hidden = NetworkScale::hidden,
                               most_outputs = 4;

  using Inputs = std::array<std::int16_t, inputs>;
  using Outputs = std::array<std::int32_t, most_outputs>;

  std::array<Inputs, hidden> hidden_weights{};  // of pits only the first half is used
  std::array<std::array<std::int16_t, hidden>, most_outputs> output_weights{};
  std::array<std::int32_t, hidden> hidden_bias{};
  Outputs output_bias{};
};

/// Rows of the book that change in the row of a cell: what the first side sees, and what the second does.
struct RowChange {
  std::uint16_t cell;
  std::uint16_t direction;
  BothViews before, after;
};

/// What costs time, compiled for every processor and once more for those with AVX2.
struct NetworkKernels {
  using Sums = std::array<std::int32_t, 2 * NetworkScale::channels>;

  /// Changes rows of `cells`, keeps what they were in `saved`, one for each change, and follows in the sums
  /// of what is clipped.
  void (*change)(const ChannelRow* book, std::span<const RowChange> changes, ChannelRow* cells,
                 ChannelRow* saved, Sums& sums);
  /// Brings back what was kept, the last change first.
  void (*restore)(std::span<const RowChange> changes, ChannelRow* cells, const ChannelRow* saved);
  /// The inputs of the dense layers, with a side to move.
  void (*inputs)(const Sums& sums, std::size_t side, int scale, DenseLayers::Inputs& x);
  void (*dense)(const DenseLayers& layers, const DenseLayers::Inputs& x, DenseLayers::Outputs& out);
  /// A weighted sum of what is clipped of a row, half of it.
  std::int32_t (*weigh)(const std::int16_t* row, const std::int16_t* weights);
};
/// Those for this processor, or those for every processor.
const NetworkKernels& network_kernels(bool portable);

/// Chances of the side to move.
struct Chances {
  double win, draw, loss;
};

/// The logarithms of the chances of a win, a draw and a loss, up to a constant.
struct Logits {
  std::int32_t win, draw, loss;

  /// Thousandths of the logarithm of the odds, where a draw is half a win.
  int value() const;
  Chances chances() const;
};

struct LineNetwork {
  explicit LineNetwork(const NetworkShape& shape) : views(shape.game.size), falls(shape.game.falls) {}

  LineViews views;
  bool falls;
  bool beside = false;           // it corrects an evaluation of ours
  std::vector<ChannelRow> book;  // patterns, then places
  std::array<std::int16_t, NetworkScale::channels> bias{};
  DenseLayers layers;
  alignas(64) std::array<std::int16_t, NetworkScale::channels> policy{};
  std::int32_t policy_bias = 0;
};

/// What a network of pits sees of one side's pits.
struct PitView {
  static constexpr int most_pits = 12;

  int pits = 0;
  std::array<std::uint8_t, most_pits> seeds{};  // at most NetworkScale::most_seeds
  std::array<bool, most_pits> reaches{};        // the last seed falls into the own store
  // The last seed falls into an own empty pit: what lies opposite, at most NetworkScale::most_captured.
  std::array<std::uint8_t, most_pits> captures{};
  std::uint8_t total = 0;  // seeds in all of them, at most NetworkScale::most_total

  /// Of a row of pits and the opposing one, each from its own left. Sowing more than a lap captures nothing
  /// here.
  template <class Row>
  PitView(const Row& own, const Row& opposing, int pits) : pits(pits) {
    const int lap = 2 * pits + 1;  // without the other store
    int sum = 0;
    for (int pit = 0; pit < pits; ++pit) {
      const auto p = static_cast<std::size_t>(pit);
      const int count = own[pit], last = (pit + count) % lap;
      seeds[p] = static_cast<std::uint8_t>(std::min<int>(count, NetworkScale::most_seeds));
      if (count == 0) continue;
      sum += count;
      reaches[p] = last == pits;
      if (count < lap && last < pits && own[last] == 0) {
        // Whoever has sown past the other side has left a seed in every pit of it.
        const int captured = opposing[pits - 1 - last] + (last < pit);
        captures[p] = static_cast<std::uint8_t>(std::min<int>(captured, NetworkScale::most_captured));
      }
    }
    total = static_cast<std::uint8_t>(std::min<int>(sum, NetworkScale::most_total));
  }
};

class PitNetwork {
 public:
  struct Estimate {
    Logits logits;
    int margin;  // of the side to move, at the end
  };

  explicit PitNetwork(const NetworkShape& shape) : pits(static_cast<std::size_t>(shape.game.size)) {}

  /// `margin` is by how much the side to move is ahead.
  Estimate estimate(const PitView& own, const PitView& other, int margin,
                    const NetworkKernels& kernels) const;

  std::size_t pits;
  // Each row has what it is worth as the own side's in its first half, as the other's in its second.
  std::vector<ChannelRow> seeds, reaches, captures;  // by pit and seeds; by pit; by pit and seeds taken
  std::vector<ChannelRow> totals;
  std::vector<ChannelRow> margins;  // the first half
  std::array<std::int16_t, NetworkScale::channels> bias{};
  DenseLayers layers;
};

/// A network of either kind: what callers hold. It never changes.
class Network {
 public:
  /// Throws GameError if the bytes are no network, or a damaged one. A portable one does not use all
  /// instructions of this processor; it says the same.
  static std::shared_ptr<const Network> read(std::span<const unsigned char> content, bool portable = false);
  /// The content of a network whose payload is this; throws GameError if it has another size.
  static std::vector<unsigned char> pack(const NetworkGame& game, std::span<const unsigned char> payload,
                                         bool beside);

  const NetworkGame& game() const { return shape_.game; }
  const NetworkShape& shape() const { return shape_; }
  bool beside() const { return shape_.game.kind == NetworkKind::lines && lines().beside; }
  const std::vector<unsigned char>& content() const { return content_; }
  const NetworkKernels& kernels() const { return kernels_; }
  bool portable() const { return portable_; }

  /// Whether it is for a game; none where networks are not for it at all.
  bool plays(const std::optional<NetworkGame>& game) const { return game == shape_.game; }
  // Only those of the kind:
  const LineNetwork& lines() const { return std::get<LineNetwork>(weights_); }
  const PitNetwork& pits() const { return std::get<PitNetwork>(weights_); }

 private:
  using Weights = std::variant<LineNetwork, PitNetwork>;

  Network(NetworkShape shape, Weights weights, std::vector<unsigned char> content, bool portable);

  NetworkShape shape_;
  Weights weights_;
  std::vector<unsigned char> content_;
  bool portable_;
  const NetworkKernels& kernels_;
};

using NetworkPointer = std::shared_ptr<const Network>;

}  // namespace mossa
