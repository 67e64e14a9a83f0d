// What the end-game tables of all games share.
#include "end_tables.hpp"

#include <cstring>

namespace mossa {

int EndTables::seeds_within(int pits, std::uint64_t bytes) {
  int seeds = 0;
  while (seeds < PitBoard<std::uint64_t>::most_numbered && positions(pits, seeds + 1) <= bytes) ++seeds;
  return seeds;
}

EndTables::EndTables(std::shared_ptr<const AnyGame> game, int most)
    : game_(std::move(game)), pits_(game_->spec().sizes[0]), most_(most) {
#ifndef MOSSA_HAS_WIDE_BITS
  if (pits_ > 6) throw GameError("no end-game tables for more than 6 pits in this build");
#endif
  const int limit = std::min(PitBoard<std::uint64_t>::most_numbered, 2 * pits_ * game_->spec().sizes[1]);
  if (most < 0 || most > limit)
    throw GameError("invalid seeds '" + std::to_string(most) + "': 0 to " + std::to_string(limit) + " in " +
                    game_->name());
}

std::span<const std::int8_t> EndTables::layer(int seeds) const {
  if (seeds < 0 || seeds > seeds_) throw GameError("no layer of " + std::to_string(seeds) + " seeds");
  const std::uint64_t begin = positions(pits_, seeds - 1);
  return {data_ + begin, positions(pits_, seeds) - begin};
}

std::int8_t* EndTables::room() {
  if (seeds_ >= most_) throw GameError("no room for another layer");
  if (!own_) own_ = std::make_unique<ZeroedMemory>(positions(pits_, most_), false);
  constexpr std::uint64_t large = 1 << 20;  // bytes
  const std::uint64_t used = positions(pits_, seeds_);
  if (used <= large && positions(pits_, seeds_ + 1) > large) own_->use_large_pages(used);
  auto* const data = static_cast<std::int8_t*>(own_->data());
  data_ = data;
  return data;
}

bool EndTables::build_layer(int threads, const Poll& poll) {
  if (!fill(room(), seeds_ + 1, threads, poll)) return false;
  ++seeds_;
  return true;
}

void EndTables::enter_layer(std::span<const unsigned char> values) {
  std::int8_t* const data = room();
  const std::uint64_t begin = positions(pits_, seeds_);
  if (values.size() != positions(pits_, seeds_ + 1) - begin) throw GameError("the layer has the wrong size");
  std::memcpy(data + begin, values.data(), values.size());
  ++seeds_;
}

void EndTables::enter_all(std::shared_ptr<const std::span<const unsigned char>> memory) {
  if (memory->size() != positions(pits_, most_))
    throw GameError("the end-game tables must have " + std::to_string(positions(pits_, most_)) +
                    " bytes, not " + std::to_string(memory->size()));
  given_ = std::move(memory);
  data_ = reinterpret_cast<const std::int8_t*>(given_->data());
  seeds_ = most_;
}

std::optional<int> EndTables::value(const AnyPosition& position) const {
  if (position.game()->name() != game_->name())
    throw GameError("these end-game tables are for " + game_->name() + ", but the position is from " +
                    position.game()->name());
  if (position.left_to_play() > seeds_ || position.outcome()) return {};
  const std::optional<std::uint64_t> number = number_of(position);
  return number ? std::optional<int>((*this)[*number]) : std::nullopt;
}

std::unique_ptr<EndTables> make_tables(std::shared_ptr<const AnyGame> game, int most) {
  MakeTables* const make = game->info().tables;
  if (!make) throw GameError("no end-game tables for " + game->name() + ": they are only for sowing games");
  return make(std::move(game), most);
}

}  // namespace mossa
