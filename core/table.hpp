// The transposition table: what is known of positions already searched, shared between threads.
//
// An entry holds the whole key when the game's key fits two words (Connect 4, Kalah of up to 7 pits),
// else 128 bits of hash. The table answers only if both words agree, so with a whole key it is never wrong.
// A counter guards each entry (a seqlock: odd while somebody writes): a reader who sees it change treats the
// entry as missing, a writer who finds it odd gives up. Nobody ever waits.
//
// A table begins with a small part of its room and takes more of it once that is crowded. So a short search
// does not pay for memory it does not need: touching a page for the first time costs as much as several
// nodes.
#pragma once

#include <atomic>
#include <bit>
#include <cstdlib>
#include <memory>
#include <span>

#include "game.hpp"

namespace mossa {

template <std::size_t N>
std::uint64_t hash_of(const std::array<std::uint64_t, N>& key, std::uint64_t seed = 0) {
  std::uint64_t hash = seed;
  for (const std::uint64_t word : key) hash = mix(hash ^ word);
  return hash;
}

/// How a stored value relates to the true one.
enum class Bound : std::uint8_t { exact, lower, upper };

/// What is known of a position.
struct Known {
  int value = 0;
  std::int16_t depth = 0;
  Bound bound = Bound::exact;
  bool reached_horizon = false;  // the value rests on an evaluation
  std::uint8_t left_out = 0;     // bit s: some moves of side s were not looked at
  std::optional<Move> move;      // the best, or the one that cut
};

/// Two words that identify a position.
struct TableKey {
  static constexpr std::uint64_t first_seed = 0x9E3779B97F4A7C15ULL, second_seed = 0xD1B54A32D192ED03ULL;

  std::uint64_t low = 0, high = 0;

  template <std::size_t N>
  static TableKey of(const std::array<std::uint64_t, N>& key) {
    if constexpr (N <= 2)
      return {key[0], key[N - 1]};
    else
      return {hash_of(key, first_seed), hash_of(key, second_seed)};
  }
  /// A game with large keys may hash a position itself.
  template <Game G>
  static TableKey of(const G& game, const typename G::Position& position) {
    if constexpr (requires { game.hash(position, std::uint64_t{}); })
      return {game.hash(position, first_seed), game.hash(position, second_seed)};
    else
      return of(game.key(position));
  }
  std::uint64_t slot() const { return mix(low ^ mix(high)); }
};

/// Fetches it into the cache while something else is computed.
inline void prefetch(const void* place) {
#ifdef __GNUC__
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

/// Whether a table may take so many more bytes in a small part of the time left: a search of a tenth of a
/// second would be late for them.
inline bool is_time_for_memory(std::size_t bytes, double time_left) {
  constexpr double seconds_per_byte = 1.5e-9;  // most of them the system's, which has to find the memory
  constexpr double most_share = 0.2;
  return seconds_per_byte * static_cast<double>(bytes) < most_share * time_left;
}

class Table {
 public:
  /// Memory fresh from the system is zero, which is an empty table, and costs nothing until it is used.
  explicit Table(std::size_t bytes)
      : most_buckets_(std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(Bucket)))),
        buckets_(std::min(most_buckets_, first_buckets)),
        memory_(std::calloc(most_buckets_ + 1, sizeof(Bucket)), &std::free) {
    if (!memory_) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    entries_ = reinterpret_cast<Bucket*>((address + sizeof(Bucket) - 1) / sizeof(Bucket) * sizeof(Bucket));
  }

  /// Of the part in use.
  std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

  /// True if an eighth of the entries is taken and there is more room.
  bool crowded() const { return buckets_ < most_buckets_ && used_ > buckets_ / sampled / 4; }

  /// Takes all its room; only while no other thread uses the table. There is little to move, so that a
  /// deadline is kept: in steps it would be more, and large pages may take the system a quarter of a second
  /// to find. A search that is short on most moves takes `times` as much room at once, a power of two: then
  /// it touches no more memory than it uses.
  void grow(std::size_t times = std::size_t{1} << 40) {
    if (buckets_ == most_buckets_) return;
    const std::span<Bucket> crowded(entries_, buckets_);
    buckets_ = grown(times);
    for (Bucket& bucket : crowded)
      for (Entry& entry : bucket.entries) {
        if (entry.guard.load(std::memory_order_relaxed) == 0) continue;
        const TableKey key{entry.low.load(std::memory_order_relaxed),
                           entry.high.load(std::memory_order_relaxed)};
        Bucket& home = this->bucket(key);
        if (&home == &bucket) continue;
        // Its new bucket lies in the part that was not in use, and only this bucket's entries go there.
        const bool first_taken = home.entries[0].guard.load(std::memory_order_relaxed) != 0;
        write(home.entries[first_taken], key,
              {entry.data.load(std::memory_order_relaxed), entry.move.load(std::memory_order_relaxed)});
        entry.guard.store(0, std::memory_order_relaxed);
      }
  }

  /// Whether it is crowded, and there is time to take more room.
  bool should_grow(double time_left) const {
    return crowded() && is_time_for_memory((grown(step) - buckets_) * sizeof(Bucket), time_left);
  }
  /// Takes more room, if it should.
  void grow_within(double time_left) {
    if (should_grow(time_left)) grow(step);
  }

  /// Fetches what `find` will look at, while something else is computed.
  void prefetch(const TableKey& key) const { mossa::prefetch(&bucket(key)); }

  /// What is known of the position, if anything.
  std::optional<Known> find(const TableKey& key) const {
    for (const Entry& entry : bucket(key).entries) {
      const std::uint32_t before = entry.guard.load(std::memory_order_acquire);
      if (before == 0 || before % 2) continue;
      // A word that somebody writes meanwhile brings the changed guard along: acquire here, release there.
      const bool same = entry.low.load(std::memory_order_acquire) == key.low &&
                        entry.high.load(std::memory_order_acquire) == key.high;
      const Packed packed{entry.data.load(std::memory_order_acquire),
                          entry.move.load(std::memory_order_acquire)};
      if (same && entry.guard.load(std::memory_order_relaxed) == before) return unpack(packed);
    }
    return {};
  }

  /// To be called before each search: what earlier ones left behind gives way to what this one finds.
  void begin_search() { ++age_; }

  /// Remembers it. The first entry of a bucket keeps the deepest search of this age, the second the newest.
  void store(const TableKey& key, const Known& known) {
    Bucket& bucket = this->bucket(key);
    Entry& first = bucket.entries[0];
    const bool same = first.low.load(std::memory_order_relaxed) == key.low &&
                      first.high.load(std::memory_order_relaxed) == key.high;
    const bool empty = first.guard.load(std::memory_order_relaxed) == 0;
    const std::uint64_t there = first.data.load(std::memory_order_relaxed);
    const bool better = known.depth >= depth_of(there) || age_of(there) != age_;
    Entry& entry = same || empty || better ? first : bucket.entries[1];
    const bool counted = buckets_ < most_buckets_ && key.slot() % sampled == 0;
    if (counted && entry.guard.load(std::memory_order_relaxed) == 0) ++used_;
    write(entry, key, pack(known, age_));
  }

 private:
  static constexpr std::size_t step = 8;

  std::size_t grown(std::size_t times) const {
    return most_buckets_ / times < buckets_ ? most_buckets_ : buckets_ * times;
  }
  struct Entry {
    std::atomic<std::uint32_t> guard{0};  // 0: empty; odd: being written
    std::atomic<std::uint32_t> move{0};
    std::atomic<std::uint64_t> low{0}, high{0}, data{0};
  };
  struct alignas(64) Bucket {
    std::array<Entry, 2> entries;
  };
  static_assert(sizeof(Bucket) == 64);  // one cache line

  static constexpr std::size_t first_buckets = (1 << 20) / sizeof(Bucket);

  Bucket& bucket(const TableKey& key) const { return entries_[key.slot() & (buckets_ - 1)]; }

  /// What an entry holds besides the key. In `data`: value 32 bits, age 8, depth 9 (from bit 48), bound 2,
  /// reached_horizon 1, left_out 2, has a move 1.
  struct Packed {
    std::uint64_t data;
    std::uint32_t move;
  };

  static void write(Entry& entry, const TableKey& key, const Packed& packed) {
    std::uint32_t guard = entry.guard.load(std::memory_order_relaxed);
    if (guard % 2 || !entry.guard.compare_exchange_strong(guard, guard + 1, std::memory_order_acquire))
      return;
    entry.low.store(key.low, std::memory_order_release);
    entry.high.store(key.high, std::memory_order_release);
    entry.data.store(packed.data, std::memory_order_release);
    entry.move.store(packed.move, std::memory_order_release);
    entry.guard.store(guard + 2 ? guard + 2 : 2, std::memory_order_release);
  }

  static Packed pack(const Known& known, std::uint8_t age) {
    std::uint64_t data = static_cast<std::uint32_t>(known.value);
    data |= std::uint64_t{age} << 32;
    data |= std::uint64_t{static_cast<std::uint16_t>(known.depth) & 0x1FFU} << 48;
    data |= std::uint64_t{static_cast<std::uint8_t>(known.bound)} << 57;
    data |= std::uint64_t{known.reached_horizon} << 59;
    data |= std::uint64_t{known.left_out} << 60;
    data |= std::uint64_t{known.move.has_value()} << 62;
    return {data, known.move.value_or(Move()).code()};
  }
  static std::uint8_t age_of(std::uint64_t data) { return static_cast<std::uint8_t>(data >> 32); }
  static std::int16_t depth_of(std::uint64_t data) { return static_cast<std::int16_t>(data >> 48 & 0x1FF); }
  static Known unpack(const Packed& packed) {
    const std::uint64_t data = packed.data;
    Known known;
    known.value = static_cast<int>(static_cast<std::uint32_t>(data));
    known.depth = depth_of(data);
    known.bound = static_cast<Bound>(data >> 57 & 3);
    known.reached_horizon = data >> 59 & 1;
    known.left_out = static_cast<std::uint8_t>(data >> 60 & 3);
    if (data >> 62 & 1) known.move = Move::from_code(packed.move);
    return known;
  }

  std::size_t most_buckets_;
  std::size_t buckets_;  // in use
  std::uint8_t age_ = 0;
  std::unique_ptr<void, void (*)(void*)> memory_;
  Bucket* entries_ = nullptr;  // in memory_, at the start of a cache line
  // Entries of one bucket in so many, while there is more room: threads that all count every entry wait for
  // each other. They may lose some. On a cache line of its own, for the others are read at every node.
  static constexpr std::size_t sampled = 64;
  alignas(64) Counter used_;
};

/// The tables of a search that also looks for wins by threats alone.
struct ThreatTables {
  explicit ThreatTables(int megabytes)
      : table(static_cast<std::size_t>(megabytes) * 3 << 18),
        threats(static_cast<std::size_t>(megabytes) << 18) {}

  void begin_search() {
    table.begin_search();
    threats.begin_search();
  }
  bool crowded() const { return table.crowded() || threats.crowded(); }
  bool should_grow(double time_left) const {
    return table.should_grow(time_left) || threats.should_grow(time_left);
  }
  void grow_within(double time_left) {
    table.grow_within(time_left);
    threats.grow_within(time_left);
  }
  std::size_t bytes() const { return table.bytes() + threats.bytes(); }

  Table table;    // three quarters of the memory
  Table threats;  // what has been looked for
};

}  // namespace mossa
