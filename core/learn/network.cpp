#include "network.hpp"

#include <cmath>
#include <cstring>

namespace mossa {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::string_view magic = "mossanet";
constexpr int version = 2;
constexpr int most_size = 100;  // k, or pits
constexpr std::size_t most_rules = 200;

constexpr std::uint64_t checksum_of(Bytes bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;  // FNV-1a
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001B3ULL;
  return hash;
}

GameError damaged(const std::string& why) { return GameError("this is not a network: " + why); }

/// Numbers from bytes, lowest byte first; whoever reads checks that they are there.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  std::size_t left() const { return bytes_.size(); }
  Bytes take(std::size_t count) {
    if (count > bytes_.size())
      throw damaged("it ends after " + std::to_string(taken_ + bytes_.size()) + " bytes, but " +
                    std::to_string(count - bytes_.size()) + " are missing");
    const Bytes taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    taken_ += count;
    return taken;
  }
  template <class Number>
  Number number() {
    std::make_unsigned_t<Number> number = 0;
    int shift = 0;
    for (const unsigned char byte : take(sizeof(Number))) {
      number = static_cast<std::make_unsigned_t<Number>>(number | std::uint64_t{byte} << shift);
      shift += 8;
    }
    return static_cast<Number>(number);
  }

 private:
  Bytes bytes_;
  std::size_t taken_ = 0;
};

/// The weights of a payload, in its order.
class Weights : Reader {
 public:
  using Reader::Reader;

  /// One row into a half of another.
  void read_half(ChannelRow& row, std::size_t half) {
    for (std::size_t i = 0; i < NetworkScale::channels; ++i)
      row.of[half * NetworkScale::channels + i] = row_number();
  }
  template <std::size_t Count>
  void read_row(std::array<std::int16_t, Count>& row) {
    for (std::int16_t& each : row) each = row_number();
  }
  void read_halves(std::vector<ChannelRow>& rows, std::size_t half) {
    for (ChannelRow& row : rows) read_half(row, half);
  }
  template <std::size_t Count>
  void read_small(std::array<std::int16_t, Count>& row, std::size_t count = Count) {
    for (std::size_t i = 0; i < count; ++i) row[i] = number<std::int8_t>();
  }
  std::int32_t read_bias() {
    const std::int32_t bias = number<std::int32_t>();
    if (std::abs(static_cast<long long>(bias)) > NetworkScale::bias_limit)
      throw damaged("a bias of " + std::to_string(bias) + " is beyond " +
                    std::to_string(NetworkScale::bias_limit));
    return bias;
  }
  void read_layers(DenseLayers& layers, std::size_t inputs, std::size_t outputs) {
    for (auto& weights : layers.hidden_weights) read_small(weights, inputs);
    for (std::int32_t& bias : layers.hidden_bias) bias = read_bias();
    for (std::size_t o = 0; o < outputs; ++o) read_small(layers.output_weights[o]);
    for (std::size_t o = 0; o < outputs; ++o) layers.output_bias[o] = read_bias();
  }

 private:
  std::int16_t row_number() {
    const std::int16_t value = number<std::int16_t>();
    if (std::abs(value) > NetworkScale::row_limit)
      throw damaged("a weight of " + std::to_string(value) + " is beyond " +
                    std::to_string(NetworkScale::row_limit));
    return value;
  }
};

LineNetwork read_lines(const NetworkShape& shape, Bytes payload, bool beside) {
  Weights from(payload);
  LineNetwork network(shape);
  network.beside = beside;
  const auto patterns = static_cast<std::size_t>(shape.patterns);
  network.book.resize(patterns);
  from.read_halves(network.book, 0);
  from.read_halves(network.book, 1);
  std::vector<ChannelRow> places(static_cast<std::size_t>(shape.places));
  from.read_halves(places, 0);
  // A cell has one side's parity or the other's, so one number tells the rows of both sides.
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto& other = places[shape.game.falls ? p ^ 1 : p].of;
    std::copy_n(other.begin(), NetworkScale::channels, places[p].of.begin() + NetworkScale::channels);
  }
  network.book.insert(network.book.end(), places.begin(), places.end());
  from.read_row(network.bias);
  from.read_layers(network.layers, DenseLayers::inputs, 3);
  from.read_small(network.policy);
  network.policy_bias = from.read_bias();
  return network;
}

PitNetwork read_pits(const NetworkShape& shape, Bytes payload) {
  Weights from(payload);
  PitNetwork network(shape);
  network.seeds.resize(network.pits * (NetworkScale::most_seeds + 1));
  network.reaches.resize(network.pits);
  network.captures.resize(network.pits * NetworkScale::most_captured);
  network.totals.resize(NetworkScale::most_total + 1);
  network.margins.resize(2 * NetworkScale::most_margin + 1);
  for (auto* rows : {&network.seeds, &network.reaches, &network.captures, &network.totals})
    for (const std::size_t half : {0U, 1U}) from.read_halves(*rows, half);
  from.read_halves(network.margins, 0);
  from.read_row(network.bias);
  from.read_layers(network.layers, NetworkScale::channels, 4);
  return network;
}

/// ln(1 + e^-x) at x = i / steps, in the unit of outputs. Not by the library's functions, which may differ by
/// a bit between machines: by the series of ln(1 + y) = 2 artanh(y / (2 + y)).
constexpr int soft_steps = 64, soft_end = 16;
constexpr auto soft_table = [] {
  std::array<std::int32_t, soft_steps * soft_end + 2> table{};
  constexpr double step = 0.98449643700540840597;  // e^(-1/64)
  double y = 1;
  for (std::int32_t& entry : table) {
    const double z = y / (2 + y);
    double sum = 0, power = z;
    for (int n = 1; n < 60; n += 2) {
      sum += power / n;
      power *= z * z;
    }
    entry = static_cast<std::int32_t>(2 * sum * NetworkScale::output + 0.5);
    y *= step;
  }
  return table;
}();
constexpr std::int64_t half_a_draw = 45'426;  // ln 2 in the unit of outputs

/// ln(e^a + e^b), all in the unit of outputs.
std::int64_t log_of_sum(std::int64_t a, std::int64_t b) {
  const std::int64_t apart = a > b ? a - b : b - a, greater = std::max(a, b);
  constexpr std::int64_t width = NetworkScale::output / soft_steps;
  const std::int64_t place = apart / width, rest = apart % width;
  if (place >= soft_steps * soft_end) return greater;
  const std::int64_t here = soft_table[static_cast<std::size_t>(place)];
  const std::int64_t next = soft_table[static_cast<std::size_t>(place) + 1];
  return greater + here + (next - here) * rest / width;
}

}  // namespace

std::string NetworkGame::text() const {
  std::string text;
  if (kind == NetworkKind::lines)
    text = "k=" + std::to_string(size) + (falls ? " where stones fall" : " where a stone may go anywhere");
  else
    text = std::to_string(size) + " pits";
  return rules.empty() ? text : text + ", " + rules;
}

NetworkShape::NetworkShape(NetworkGame of) : game(std::move(of)) {
  if (game.kind != NetworkKind::lines) return;
  patterns = LineViews::patterns_of(game.size);
  places = game.falls ? place_classes : 1;
}

std::size_t NetworkShape::payload_bytes() const {
  constexpr std::size_t row = 2 * NetworkScale::channels, hidden = NetworkScale::hidden;
  const auto size = static_cast<std::size_t>(game.size);
  if (game.kind == NetworkKind::lines) {
    const std::size_t rows = static_cast<std::size_t>(2 * patterns + places + 1);
    return rows * row + hidden * (2 * NetworkScale::channels + 4) + 3 * (hidden + 4) +
           NetworkScale::channels + 4;
  }
  const std::size_t by_pit = NetworkScale::most_seeds + 1 + 1 + NetworkScale::most_captured;
  const std::size_t rows =
      2 * (size * by_pit + NetworkScale::most_total + 1) + 2 * NetworkScale::most_margin + 1 + 1;
  return rows * row + hidden * (NetworkScale::channels + 4) + 4 * (hidden + 4);
}

int Logits::value() const {
  constexpr std::int64_t most = 20'000;
  const std::int64_t odds = log_of_sum(win, draw - half_a_draw) - log_of_sum(loss, draw - half_a_draw);
  return static_cast<int>(std::clamp(odds * 1000 / NetworkScale::output, -most, most));
}

Chances Logits::chances() const {
  const double highest = std::max({win, draw, loss});
  const auto weight = [&](double logit) { return std::exp((logit - highest) / NetworkScale::output); };
  const double sum = weight(win) + weight(draw) + weight(loss);
  return {weight(win) / sum, weight(draw) / sum, weight(loss) / sum};
}

PitNetwork::Estimate PitNetwork::estimate(const PitView& own, const PitView& other, int margin,
                                          const NetworkKernels& kernels) const {
  std::array<std::int32_t, NetworkScale::channels> sum;
  std::ranges::copy(bias, sum.begin());
  const auto add = [&](const ChannelRow& row, std::size_t half) {
    for (std::size_t i = 0; i < NetworkScale::channels; ++i)
      sum[i] += row.of[half * NetworkScale::channels + i];
  };
  for (const std::size_t half : {0U, 1U}) {
    const PitView& view = half == 0 ? own : other;
    for (std::size_t pit = 0; pit < pits; ++pit) {
      add(seeds[pit * (NetworkScale::most_seeds + 1) + view.seeds[pit]], half);
      if (view.reaches[pit]) add(reaches[pit], half);
      if (const std::size_t taken = view.captures[pit])
        add(captures[pit * NetworkScale::most_captured + taken - 1], half);
    }
    add(totals[view.total], half);
  }
  constexpr int most = NetworkScale::most_margin;
  add(margins[static_cast<std::size_t>(std::clamp(margin, -most, most) + most)], 0);
  alignas(64) DenseLayers::Inputs x{};
  for (std::size_t i = 0; i < NetworkScale::channels; ++i)
    x[i] = static_cast<std::int16_t>(std::clamp(sum[i], 0, NetworkScale::row) *
                                     (NetworkScale::input / NetworkScale::row));
  DenseLayers::Outputs out;
  kernels.dense(layers, x, out);
  const std::int64_t to_come = std::int64_t{out[3]} * NetworkScale::margin_unit;
  constexpr std::int64_t unit = NetworkScale::output;
  // To the nearest seed, alike for both sides.
  const auto rounded = static_cast<int>((to_come + (to_come > 0 ? unit / 2 : -unit / 2)) / unit);
  return {{out[0], out[1], out[2]}, margin + rounded};
}

Network::Network(NetworkShape shape, Weights weights, std::vector<unsigned char> content, bool portable)
    : shape_(std::move(shape)),
      weights_(std::move(weights)),
      content_(std::move(content)),
      portable_(portable),
      kernels_(network_kernels(portable)) {}

std::shared_ptr<const Network> Network::read(Bytes content, bool portable) {
  Reader from(content);
  const Bytes begin = from.take(std::min(magic.size(), content.size()));
  if (begin.size() < magic.size() || std::memcmp(begin.data(), magic.data(), magic.size()) != 0)
    throw damaged("it does not begin with " + quote(magic));
  const int given_version = from.number<std::uint16_t>();
  if (given_version != version)
    throw damaged("it has version " + std::to_string(given_version) + ", but this program reads version " +
                  std::to_string(version));
  const int kind = from.number<std::uint16_t>();
  if (kind != static_cast<int>(NetworkKind::lines) && kind != static_cast<int>(NetworkKind::pits))
    throw damaged("its kind is " + std::to_string(kind) + ", but must be 1 (lines) or 2 (pits)");
  NetworkGame game{static_cast<NetworkKind>(kind)};
  game.size = from.number<std::uint16_t>();
  const int most = game.kind == NetworkKind::lines ? most_size : PitView::most_pits;
  if (game.size < 1 || game.size > most)
    throw damaged("its size is " + std::to_string(game.size) + ", but must be 1 to " + std::to_string(most));
  const int falls = from.number<std::uint16_t>();
  if (falls > (game.kind == NetworkKind::lines))
    throw damaged("its mark for falling stones is " + std::to_string(falls) +
                  ", but must be 0, or for lines 1");
  game.falls = falls == 1;
  const int channels = from.number<std::uint16_t>(), hidden = from.number<std::uint16_t>();
  if (channels != NetworkScale::channels || hidden != NetworkScale::hidden)
    throw damaged("it has " + std::to_string(channels) + " channels and " + std::to_string(hidden) +
                  " hidden numbers, but this program reads " + std::to_string(NetworkScale::channels) +
                  " and " + std::to_string(NetworkScale::hidden));
  const int beside = from.number<std::uint16_t>();
  if (beside > (game.kind == NetworkKind::lines))
    throw damaged("it corrects " + std::to_string(beside) +
                  " evaluations, but can correct none, or for lines 1");
  const std::size_t length = from.number<std::uint16_t>();
  if (length > most_rules) throw damaged("its rules have " + std::to_string(length) + " characters");
  const Bytes rules = from.take(length);
  game.rules.assign(rules.begin(), rules.end());
  NetworkShape shape(game);
  const std::size_t payload_bytes = from.number<std::uint32_t>();
  if (payload_bytes != shape.payload_bytes())
    throw damaged("its payload has " + std::to_string(payload_bytes) + " bytes, but one for " + game.text() +
                  " has " + std::to_string(shape.payload_bytes()));
  const auto checksum = from.number<std::uint64_t>();
  const Bytes payload = from.take(payload_bytes);
  if (from.left()) throw damaged(std::to_string(from.left()) + " bytes follow its end");
  if (checksum != checksum_of(payload)) throw damaged("its checksum is wrong, so it has been changed");
  std::vector<unsigned char> kept(content.begin(), content.end());
  return std::shared_ptr<const Network>(
      shape.game.kind == NetworkKind::lines
          ? new Network(shape, read_lines(shape, payload, beside == 1), std::move(kept), portable)
          : new Network(shape, read_pits(shape, payload), std::move(kept), portable));
}

std::vector<unsigned char> Network::pack(const NetworkGame& game, Bytes payload, bool beside) {
  const NetworkShape shape(game);
  if (beside && game.kind != NetworkKind::lines)
    throw GameError("a network for " + game.text() +
                    " cannot correct an evaluation: only networks for lines can");
  if (payload.size() != shape.payload_bytes())
    throw GameError("the payload has " + std::to_string(payload.size()) + " bytes, but a network for " +
                    game.text() + " has " + std::to_string(shape.payload_bytes()));
  std::vector<unsigned char> content(magic.begin(), magic.end());
  const auto write = [&](std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) content.push_back(static_cast<unsigned char>(number >> 8 * i));
  };
  for (const int number :
       {version, static_cast<int>(game.kind), game.size, static_cast<int>(game.falls), NetworkScale::channels,
        NetworkScale::hidden, static_cast<int>(beside), static_cast<int>(game.rules.size())})
    write(static_cast<std::uint64_t>(number), 2);
  content.insert(content.end(), game.rules.begin(), game.rules.end());
  write(payload.size(), 4);
  write(checksum_of(payload), 8);
  content.insert(content.end(), payload.begin(), payload.end());
  return content;
}

}  // namespace mossa
