// Proof and disproof numbers of states by exact key.
//
// A key is two sets of cells: the attacker's stones on open lines with the empty cells, and the defender's
// with the empty cells. Which lines are open follows from them. Entries come in buckets; in a full one the
// entry that cost least is replaced. The table begins small and grows.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "bits.hpp"
#include "zeroed_memory.hpp"

namespace mossa {

template <class Bits>
struct MnkKey {
  Bits attack = 0, defend = 0;
  std::uint8_t kind = 0;  // who moves, weak or not
  bool operator==(const MnkKey&) const = default;
};

/// How much there is to prove before the attacker is known to win, and before the defender is known to hold.
struct ProofNumbers {
  static constexpr std::uint32_t infinite = std::uint32_t{1} << 30;
  std::uint32_t proof = 1, disproof = 1;
  std::uint16_t plies = 0;  // to the win, if proven

  static ProofNumbers won(int plies) { return {0, infinite, static_cast<std::uint16_t>(plies)}; }
  static ProofNumbers held() { return {infinite, 0, 0}; }
  bool wins() const { return proof == 0; }
  bool holds() const { return disproof == 0; }
  bool settled() const { return wins() || holds(); }
};

template <class Bits>
class MnkTable {
 public:
  explicit MnkTable(std::size_t memory)
      : most_(std::max<std::size_t>(1, memory / sizeof(Bucket))), memory_(most_ * sizeof(Bucket), true) {
    count_ = std::min(most_, first_bytes / sizeof(Bucket));
  }

  std::optional<ProofNumbers> find(const MnkKey<Bits>& key) const {
    for (const Entry& entry : buckets()[bucket(key)].entries)
      if (entry.is(key)) return ProofNumbers{entry.proof, entry.disproof, entry.plies};
    return {};
  }

  void store(const MnkKey<Bits>& key, const ProofNumbers& numbers, std::uint64_t work) {
    if (used_ > size() / 2 && count_ < most_) grow();
    const auto cost = static_cast<std::uint8_t>(1 + std::bit_width(work));
    put(key, {key.attack, key.defend, numbers.proof, numbers.disproof, numbers.plies, key.kind, cost});
  }

  void clear() {
    std::fill_n(buckets(), count_, Bucket{});
    count_ = std::min(most_, first_bytes / sizeof(Bucket));
    used_ = 0;
  }
  /// What it has made use of.
  std::size_t bytes() const { return count_ * sizeof(Bucket); }

 private:
  static constexpr std::size_t first_bytes = 1 << 20;
  struct Entry {
    Bits attack = 0, defend = 0;
    std::uint32_t proof = 0, disproof = 0;
    std::uint16_t plies = 0;
    std::uint8_t kind = 0;
    std::uint8_t cost = 0;  // one more than the logarithm of the work; 0 if there is no entry
    bool is(const MnkKey<Bits>& key) const {
      return attack == key.attack && defend == key.defend && kind == key.kind && cost;
    }
  };
  struct alignas(64) Bucket {
    std::array<Entry, 4> entries;
  };

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
  }
  static std::uint64_t fold(Bits bits) {
    if constexpr (sizeof(Bits) > 8)
      return mix(static_cast<std::uint64_t>(bits)) + static_cast<std::uint64_t>(bits >> 64);
    else
      return bits;
  }
  std::size_t bucket(const MnkKey<Bits>& key) const {
    const std::uint64_t hash = mix(fold(key.attack) + mix(2 * fold(key.defend) + key.kind));
    return static_cast<std::size_t>((hash >> 32) * count_ >> 32);
  }
  Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
  std::size_t size() const { return count_ * std::tuple_size_v<decltype(Bucket::entries)>; }

  void put(const MnkKey<Bits>& key, const Entry& fresh) {
    auto& entries = buckets()[bucket(key)].entries;
    Entry* chosen = &entries[0];
    for (Entry& entry : entries) {
      if (entry.is(key)) {
        chosen = &entry;
        break;
      }
      if (entry.cost < chosen->cost) chosen = &entry;
    }
    used_ += !chosen->cost;
    *chosen = fresh;
  }

  /// Takes up to twice the room. The place of an entry is in proportion to its hash, so none moves down: the
  /// last ones are moved first, to where nobody is any more.
  void grow() {
    const std::size_t before = count_;
    count_ = std::min(2 * count_, most_);
    used_ = 0;
    for (std::size_t from = before; from-- > 0;) {
      const Bucket moving = buckets()[from];
      buckets()[from] = {};
      for (const Entry& entry : moving.entries)
        if (entry.cost) put({entry.attack, entry.defend, entry.kind}, entry);
    }
  }

  std::size_t most_, count_ = 0;  // buckets
  ZeroedMemory memory_;
  std::size_t used_ = 0;
};

}  // namespace mossa
