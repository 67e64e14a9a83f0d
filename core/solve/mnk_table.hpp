// Proof and disproof numbers of states by exact key, and the zones of those where the defender holds.
//
// A key is two sets of cells: the attacker's stones on open lines with the empty cells, and the defender's
// with the empty cells. Which lines are open follows from them. Entries come in buckets; in a full one the
// entry that cost least is replaced. The table begins small and grows.
//
// Threads that share a table lock the stretch of it that they read or write. Where an entry is follows from
// its hash in proportion, so a stretch keeps its entries while the table grows.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "bits.hpp"
#include "findings.hpp"
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

/// What is known of a state.
template <class Bits>
struct MnkKnown {
  ProofNumbers numbers;
  Bits zone = ~Bits{0};  // if the defender holds: the cells that it needs, or more (mnk_state.hpp)
};

template <class Bits>
class MnkTable {
 public:
  using Known = MnkKnown<Bits>;

  /// A table of at most `memory` bytes; `shared` if several threads use it at once.
  MnkTable(std::size_t memory, bool shared)
      : shared_(shared),
        most_(std::max(stretches, whole(memory / sizeof(Bucket)))),
        memory_(most_ * sizeof(Bucket), false) {
    begin_small();
  }

  std::optional<Known> find(const MnkKey<Bits>& key) const {
    const std::uint32_t hash = hash_of(key);
    const auto lock = locked(hash);
    for (const Entry& entry : bucket(hash).entries)
      if (entry.is(key)) return entry.known();
    return {};
  }

  void store(const MnkKey<Bits>& key, const Known& known, std::uint64_t work) {
    const ProofNumbers& numbers = known.numbers;
    if (numbers.settled() && findings_.wants(work))
      findings_.add(key.attack, key.defend, key.kind, static_cast<std::uint8_t>(numbers.wins()),
                    numbers.plies, static_cast<std::uint8_t>(std::bit_width(work)));
    enter(key, known, static_cast<int>(std::bit_width(work)));
  }

  /// No thread may use it meanwhile.
  void clear() {
    std::fill_n(buckets(), count(), Bucket{});
    begin_small();
  }
  /// Settled states that took at least so much work are kept for other tables of the same game.
  void keep_findings(std::uint64_t work) { findings_.keep_from(work); }
  std::string findings() { return findings_.take(); }
  /// Takes the findings of another table.
  void learn(std::string_view bytes) {
    for (FindingsReader reader(bytes); !reader.at_end();) {
      const MnkKey<Bits> key{reader.get<Bits>(), reader.get<Bits>(), reader.get<std::uint8_t>()};
      const bool wins = reader.get<std::uint8_t>() != 0;
      const int plies = reader.get<std::uint16_t>();
      const int log_work = std::min<int>(reader.get<std::uint8_t>(), 64);
      const auto known = find(key);
      if (known && known->numbers.settled()) continue;
      enter(key, {wins ? ProofNumbers::won(plies) : ProofNumbers::held()}, log_work);
    }
  }

  /// What it has made use of.
  std::size_t bytes() const { return count() * sizeof(Bucket); }

 private:
  static constexpr std::size_t first_bytes = 1 << 20;
  struct Entry {
    Bits attack = 0, defend = 0;
    Bits data = 0;            // the zone of a state that is held; of others proof and disproof number
    std::uint16_t plies = 0;  // to the win; `held` if there is none
    std::uint8_t kind = 0;
    std::uint8_t cost = 0;  // one more than the logarithm of the work; 0 if there is no entry

    static constexpr std::uint16_t held = 0xffff;
    Entry() = default;
    Entry(const MnkKey<Bits>& key, const Known& known, std::uint8_t its_cost)
        : attack(key.attack), defend(key.defend), plies(known.numbers.plies), kind(key.kind), cost(its_cost) {
      if (known.numbers.holds()) {
        data = known.zone;
        plies = held;
      } else {
        data = std::uint64_t{known.numbers.disproof} << 32 | known.numbers.proof;
      }
    }
    Known known() const {
      if (plies == held) return {ProofNumbers::held(), data};
      const auto both = static_cast<std::uint64_t>(data);
      return {{static_cast<std::uint32_t>(both), static_cast<std::uint32_t>(both >> 32), plies}};
    }
    bool is_settled() const { return known().numbers.settled(); }
    bool is(const MnkKey<Bits>& key) const {
      return attack == key.attack && defend == key.defend && kind == key.kind && cost;
    }
    bool is_of(const Entry& b) const { return is({b.attack, b.defend, b.kind}); }
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
  static std::uint32_t hash_of(const MnkKey<Bits>& key) {
    return static_cast<std::uint32_t>(mix(fold(key.attack) + mix(2 * fold(key.defend) + key.kind)) >> 32);
  }
  static std::size_t part(std::uint32_t hash, std::size_t of) {
    return static_cast<std::size_t>(std::uint64_t{hash} * of >> 32);
  }
  Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }
  Bucket& bucket(std::uint32_t hash) const { return buckets()[part(hash, count())]; }
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  std::size_t size() const { return count() * std::tuple_size_v<decltype(Bucket::entries)>; }

  /// A stretch is a part of the table that begins and ends with a bucket, whatever its size.
  static constexpr std::size_t stretches = 32;
  static std::size_t whole(std::size_t buckets) { return buckets / stretches * stretches; }
  struct alignas(64) Stretch {
    std::mutex mutex;
    std::uint32_t fresh = 0;  // entries that `used_` does not count yet
  };
  Stretch& stretch(std::uint32_t hash) const { return stretches_[part(hash, stretches)]; }
  std::unique_lock<std::mutex> locked(std::uint32_t hash) const {
    return shared_ ? std::unique_lock(stretch(hash).mutex) : std::unique_lock<std::mutex>();
  }

  void begin_small() {
    count_ = std::min(most_, whole(first_bytes / sizeof(Bucket)));
    used_ = 0;
    for (Stretch& each : stretches_) each.fresh = 0;
  }

  void enter(const MnkKey<Bits>& key, const Known& known, int log_work) {
    if (is_full()) grow();
    const auto cost = static_cast<std::uint8_t>(1 + log_work);
    const std::uint32_t hash = hash_of(key);
    const auto lock = locked(hash);
    if (!put(hash, {key, known, cost})) return;
    std::uint32_t& fresh = stretch(hash).fresh;
    if (++fresh < (shared_ ? shared_step : 1)) return;
    used_.fetch_add(fresh, std::memory_order_relaxed);
    fresh = 0;
  }

  /// True if it takes the place of no entry with this key.
  bool put(std::uint32_t hash, const Entry& entry) {
    Entry* chosen = nullptr;
    for (Entry& there : bucket(hash).entries) {
      if (there.is_of(entry)) {
        if (there.is_settled()) return false;  // by another thread meanwhile
        chosen = &there;
        break;
      }
      if (!chosen || there.cost < chosen->cost) chosen = &there;
    }
    const bool fresh = !chosen->cost;
    *chosen = entry;
    return fresh;
  }

  bool is_full() const { return used_.load(std::memory_order_relaxed) > size() / 2 && count() < most_; }

  /// Takes up to twice the room. The place of an entry is in proportion to its hash, so none moves down: the
  /// last ones are moved first, to where nobody is any more.
  void grow() {
    std::array<std::unique_lock<std::mutex>, stretches> locks;
    if (shared_)
      for (std::size_t i = 0; i < stretches; ++i) locks[i] = std::unique_lock(stretches_[i].mutex);
    if (!is_full()) return;  // another thread was quicker
    memory_.use_large_pages(bytes());
    const std::size_t before = count();
    count_ = std::min(2 * before, most_);
    std::size_t used = 0;
    for (std::size_t from = before; from-- > 0;) {
      const Bucket moving = buckets()[from];
      buckets()[from] = {};
      for (const Entry& entry : moving.entries)
        if (entry.cost) used += put(hash_of({entry.attack, entry.defend, entry.kind}), entry);
    }
    used_ = used;
    for (Stretch& each : stretches_) each.fresh = 0;
  }

  static constexpr std::uint32_t shared_step = 8;  // threads that count together wait for each other's caches
  bool shared_;
  std::size_t most_;                   // buckets
  std::atomic<std::size_t> count_{0};  // ... in use
  ZeroedMemory memory_;
  mutable std::array<Stretch, stretches> stretches_;
  alignas(64) std::atomic<std::size_t> used_{0};  // entries
  Findings findings_;
};

}  // namespace mossa
