// Proven bounds of positions, by exact key.
//
// A key is scrambled by a multiplication that can be undone; its high bits choose a bucket, a cache line,
// and the rest is stored whole. So no two positions are ever taken for each other, and an entry of a
// 64-bit board fits one word, which a thread reads and writes at once:
//
//     rest of the key | low + offset | high + offset | work
//
// There are three kinds. A table that threads share holds any score of connect, or any margin of kalah. One
// of a single thread's own is small, for positions with few empty cells: shorter scores leave more bits to
// the key, and a bucket is compared as a whole.
//
// An entry of a 128-bit board takes two words; the first is stored xor a scramble of the second, so that
// two halves of different entries do not pass for one. In a full bucket the entry that took the least
// work (its logarithm) makes room.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

#include "../table.hpp"
#include "findings.hpp"
#include "lanes.hpp"
#include "zeroed_memory.hpp"

namespace mossa::MOSSA_ISA {

/// What is proven of a position: low <= score <= high.
struct Bounds {
  int low = 0, high = 0;
};

/// Where the entries of a key are, and what is left of the key.
template <class Bits>
struct TableSlot {
  void* bucket;
  Bits rest;
};

/// The bits of a score and of the work in an entry.
struct SharedTable {
  static constexpr int score_bits = 7, work_bits = 6;
};
struct OwnTable {
  static constexpr int score_bits = 5, work_bits = 4;
};
struct MarginTable {
  static constexpr int score_bits = 8, work_bits = 6;
};

template <class Bits, class Use>
class ProofTable {
 public:
  /// Scores within this are held.
  static constexpr int most_score = (1 << (Use::score_bits - 1)) - 1;

  using Slot = TableSlot<Bits>;

  /// True if a table of so many bytes can tell keys of so many bits apart.
  static constexpr bool holds(std::size_t bytes, int key_bits) {
    return key_bits - rest_bits < static_cast<int>(std::bit_width(bytes / line_bytes));
  }

  /// A table of at most `bytes`, but never so small that keys of `key_bits` would not fit. It begins with at
  /// most `first_bytes`, which stay in a cache and are quickly cleared, and grows when it is told to.
  ProofTable(std::size_t bytes, std::size_t first_bytes, int key_bits, bool large_pages)
      : key_bits_(key_bits),
        first_bits_(bits_for(first_bytes)),
        most_bits_(std::max(first_bits_, bits_for(bytes))),
        memory_(line_bytes << most_bits_, large_pages) {
    use(first_bits_);
  }

  /// The most memory it ever takes.
  std::size_t bytes() const { return line_bytes << most_bits_; }
  /// How many entries it has room for now.
  std::size_t entries() const { return sizeof(Bucket) / sizeof(Entry) << bucket_bits_; }
  /// Can it double in the time left?
  bool can_double(double time_left) const {
    return bucket_bits_ < most_bits_ && is_time_for_memory(line_bytes << bucket_bits_, time_left);
  }

  /// Takes twice the room and keeps its entries. No thread may use it meanwhile.
  void grow() {
    const int shift = rest_length_ - 1;
    // The entries of a bucket move to two buckets that nobody else moves to, the last ones first, so that
    // none is written over before it has moved.
    for (std::size_t from = std::size_t{1} << bucket_bits_; from-- > 0;) {
      std::array<Bits, line_bytes / sizeof(Bits)> moving;
      for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = buckets()[from][i].load();
      Bucket* const to = &buckets()[2 * from];
      std::memset(static_cast<void*>(to), 0, 2 * line_bytes);
      for (const Bits data : moving) {
        if (!data) continue;
        const Bits rest = data >> data_bits;
        Bucket& bucket = to[static_cast<std::size_t>(rest >> shift)];
        const Bits left = rest & ((Bits{1} << shift) - 1);
        const auto free = std::ranges::find_if(bucket, [](const Entry& entry) { return !entry.load(); });
        free->store(left << data_bits | (data & ((Bits{1} << data_bits) - 1)));
      }
    }
    use(bucket_bits_ + 1);
  }

  /// Forgets all, and begins small again.
  void clear() {
    if (dirty_.exchange(false)) std::memset(memory_.data(), 0, line_bytes << bucket_bits_);
    use(first_bits_);
  }

  Slot slot(Bits key) const {
    const Bits mixed = (key * odd) & low_bits(key_bits_);
    return {&buckets()[static_cast<std::size_t>(mixed >> rest_length_)], mixed & rest_mask_};
  }

  MOSSA_INLINE std::optional<Bounds> find(const Slot& slot) const {
    if constexpr (!shared && sizeof(Bits) == 8)
      if (!may_hold(slot)) return {};
    // Without a branch for each entry: most positions are not there.
    Bits found = 0;
    for (const Entry& entry : *static_cast<Bucket*>(slot.bucket)) {
      const Bits data = entry.load();
      found = data >> data_bits == slot.rest ? data : found;
    }
    if (!found) return {};
    return unpack(found);
  }

  void store(const Slot& slot, const Bounds& bounds, std::uint64_t work) {
    if (findings_.wants(work)) find_out(slot, bounds, work);
    enter(slot, bounds, std::min(most_work, static_cast<int>(std::bit_width(work))));
  }

  /// Entries that took at least so much work are kept for other tables of the same game.
  void keep_findings(std::uint64_t work) { findings_.keep_from(work); }
  std::string findings() { return findings_.take(); }
  /// Takes the findings of another table.
  void learn(std::string_view bytes) {
    for (FindingsReader reader(bytes); !reader.at_end();) {
      const Slot there = slot(reader.get<Bits>());
      Bounds bounds{reader.get<std::uint8_t>() - offset, reader.get<std::uint8_t>() - offset};
      const int log_work = std::min<int>(reader.get<std::uint8_t>(), most_work);
      if (const auto known = find(there))
        bounds = {std::max(bounds.low, known->low), std::min(bounds.high, known->high)};
      if (bounds.low > bounds.high || bounds.high > most_score)
        throw GameError("the findings of another solver are of another game, or wrong");
      enter(there, bounds, log_work);
    }
  }

 private:
  // Keys are scrambled by multiplication with an odd number, and unscrambled by its inverse.
  static constexpr Bits odd = sizeof(Bits) == 8
                                  ? static_cast<Bits>(0x9E3779B97F4A7C15ULL)
                                  : static_cast<Bits>(0x9E3779B97F4A7C15ULL) << (sizeof(Bits) * 4) |
                                        static_cast<Bits>(0xF39CC0605CEDC835ULL);
  static constexpr Bits inverse = [] {
    Bits found = odd;  // right in three bits; each step doubles them
    for (int step = 0; step < 6; ++step) found *= Bits{2} - odd * found;
    return found;
  }();
  static_assert(static_cast<Bits>(odd* inverse) == 1);

  MOSSA_INLINE void enter(const Slot& slot, const Bounds& bounds, int log_work) {
    if (!dirty_.load(std::memory_order_relaxed)) dirty_.store(true, std::memory_order_relaxed);
    const Bits packed = slot.rest << data_bits |
                        static_cast<Bits>(bounds.low + offset) << (data_bits - score_bits) |
                        static_cast<Bits>(bounds.high + offset) << work_bits | static_cast<Bits>(log_work);
    Entry* cheapest = nullptr;
    int least_work = most_work + 1;
    for (Entry& entry : *static_cast<Bucket*>(slot.bucket)) {
      const Bits data = entry.load();
      if (!data || data >> data_bits == slot.rest) {
        entry.store(packed);
        return;
      }
      const int work_there = static_cast<int>(data & most_work);
      if (work_there < least_work) {
        least_work = work_there;
        cheapest = &entry;
      }
    }
    cheapest->store(packed);
  }

  MOSSA_NOINLINE void find_out(const Slot& slot, const Bounds& bounds, std::uint64_t work) {
    const auto bucket = static_cast<Bits>(static_cast<Bucket*>(slot.bucket) - buckets());
    const Bits key = ((bucket << rest_length_ | slot.rest) * inverse) & low_bits(key_bits_);
    findings_.add(key, static_cast<std::uint8_t>(bounds.low + offset),
                  static_cast<std::uint8_t>(bounds.high + offset),
                  static_cast<std::uint8_t>(std::bit_width(work)));
  }

  static constexpr bool shared = !std::is_same_v<Use, OwnTable>;
  static constexpr int score_bits = Use::score_bits, work_bits = Use::work_bits;
  static constexpr int data_bits = 2 * score_bits + work_bits;
  static constexpr int offset = most_score + 1, most_work = (1 << work_bits) - 1;
  static constexpr int rest_bits = static_cast<int>(sizeof(Bits)) * 8 - data_bits;
  static constexpr std::size_t line_bytes = 64;

  class Entry {
   public:
    Bits load() const {
      if constexpr (!shared) {
        Bits data;
        std::memcpy(&data, words_.data(), sizeof data);
        return data;
      } else if constexpr (words == 1) {
        return words_[0].load(std::memory_order_relaxed);
      } else {
        const std::uint64_t high = words_[1].load(std::memory_order_relaxed);
        const std::uint64_t low = words_[0].load(std::memory_order_relaxed) ^ scramble(high);
        return static_cast<Bits>(high) << 32 << 32 | low;
      }
    }
    void store(Bits data) {
      if constexpr (!shared) {
        std::memcpy(words_.data(), &data, sizeof data);
      } else if constexpr (words == 1) {
        words_[0].store(data, std::memory_order_relaxed);
      } else {
        const auto high = static_cast<std::uint64_t>(data >> 32 >> 32);
        words_[0].store(static_cast<std::uint64_t>(data) ^ scramble(high), std::memory_order_relaxed);
        words_[1].store(high, std::memory_order_relaxed);
      }
    }

   private:
    static constexpr std::size_t words = sizeof(Bits) / 8;
    static std::uint64_t scramble(std::uint64_t word) { return word ? mix(word) : 0; }
    using Word = std::conditional_t<shared, std::atomic<std::uint64_t>, std::uint64_t>;
    std::array<Word, words> words_;
  };
  using Bucket = std::array<Entry, line_bytes / sizeof(Bits)>;
  static_assert(sizeof(Bucket) == line_bytes);

  static constexpr Bits low_bits(int count) {
    return static_cast<Bits>(~Bits{0}) >> (static_cast<int>(sizeof(Bits)) * 8 - count);
  }

  /// Uses this many buckets, as a power of two.
  void use(int bits) {
    bucket_bits_ = bits;
    rest_length_ = key_bits_ - bits;
    rest_mask_ = rest_length_ ? low_bits(rest_length_) : 0;
  }

  int bits_for(std::size_t bytes) const {
    return std::clamp(static_cast<int>(std::bit_width(bytes / line_bytes)) - 1,
                      std::max(1, key_bits_ - rest_bits), key_bits_);
  }
  Bucket* buckets() const { return static_cast<Bucket*>(memory_.data()); }

  /// False if no entry of the bucket has this key.
  MOSSA_INLINE bool may_hold(const Slot& slot) const {
    using L = Lanes<Bits>;
    const Bits want = slot.rest << data_bits;
    const Bits* words = static_cast<const Bits*>(slot.bucket);
    typename L::Set same{};
    for (std::size_t i = 0; i < line_bytes / sizeof(Bits); i += L::count)
      same |= L::none((L::load(words + i) ^ want) >> data_bits);
    return L::any(same);
  }

  static Bounds unpack(Bits data) {
    constexpr Bits score = (Bits{1} << score_bits) - 1;
    return {static_cast<int>(data >> (data_bits - score_bits) & score) - offset,
            static_cast<int>(data >> work_bits & score) - offset};
  }

  int key_bits_;
  int first_bits_, most_bits_;  // of the number of buckets: at first, at most
  int bucket_bits_ = 0;         // ... and now
  int rest_length_ = 0;         // bits of a key that a bucket does not tell
  Bits rest_mask_ = 0;
  ZeroedMemory memory_;
  std::atomic<bool> dirty_{false};
  Findings findings_;
};

}  // namespace mossa::MOSSA_ISA
