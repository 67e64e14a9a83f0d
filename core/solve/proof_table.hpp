// Proven bounds of positions, by exact key, shared between threads.
//
// A key is scrambled by a multiplication that can be undone; its high bits choose a bucket, a cache line,
// and the rest is stored whole. So no two positions are ever taken for each other, and an entry of a
// 64-bit board fits one word, which a thread reads and writes at once:
//
//     rest of the key | low + 64 (7 bits) | high + 64 (7 bits) | work (6 bits)
//
// An entry of a 128-bit board takes two words; the first is stored xor a scramble of the second, so that
// two halves of different entries do not pass for one. In a full bucket the entry that took the least
// work (its logarithm) makes room.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "../table.hpp"
#include "bits.hpp"

namespace mossa {

/// What is proven of a position: low <= score <= high.
struct Bounds {
  int low = 0, high = 0;
};

template <class Bits>
class ProofTable {
 public:
  /// Where the entries of a key are, and what is left of the key.
  struct Slot {
    std::size_t bucket;
    Bits rest;
  };

  /// True if a table of so many bytes can tell keys of so many bits apart.
  static constexpr bool holds(std::size_t bytes, int key_bits) {
    return key_bits - rest_bits < static_cast<int>(std::bit_width(bytes / line_bytes));
  }

  /// A table of at most `bytes`, but never so small that keys of `key_bits` would not fit.
  ProofTable(std::size_t bytes, int key_bits)
      : key_bits_(key_bits),
        bucket_bits_(std::clamp(static_cast<int>(std::bit_width(bytes / line_bytes)) - 1,
                                std::max(1, key_bits - rest_bits), key_bits)),
        memory_(std::aligned_alloc(least_bytes, size()), &std::free) {
    if (!memory_) throw std::bad_alloc();
#ifdef __linux__
    madvise(memory_.get(), size(), MADV_HUGEPAGE);  // fewer address look-ups; no harm where it is refused
#endif
    clear();
  }

  std::size_t bytes() const { return size(); }

  /// Quick if nothing was stored.
  void clear() {
    if (dirty_.exchange(false)) std::memset(memory_.get(), 0, size());
  }

  Slot slot(Bits key) const {
    constexpr Bits odd = sizeof(Bits) == 8 ? static_cast<Bits>(0x9E3779B97F4A7C15ULL)
                                           : static_cast<Bits>(0x9E3779B97F4A7C15ULL) << (sizeof(Bits) * 4) |
                                                 static_cast<Bits>(0xF39CC0605CEDC835ULL);
    const Bits all = static_cast<Bits>(~Bits{0}) >> (static_cast<int>(sizeof(Bits)) * 8 - key_bits_);
    const Bits mixed = (key * odd) & all;
    const int shift = key_bits_ - bucket_bits_;
    if (shift <= 0) return {static_cast<std::size_t>(mixed), 0};
    return {static_cast<std::size_t>(mixed >> shift), mixed & ((Bits{1} << shift) - 1)};
  }

  void prefetch(const Slot& slot) const {
#ifdef __GNUC__
    __builtin_prefetch(&buckets()[slot.bucket]);
#else
    (void)slot;
#endif
  }

  std::optional<Bounds> find(const Slot& slot) const {
    for (const Entry& entry : buckets()[slot.bucket]) {
      const Bits data = entry.load();
      if (data >> data_bits == slot.rest && data) return unpack(data);
    }
    return {};
  }

  void store(const Slot& slot, const Bounds& bounds, std::uint64_t work) {
    if (!dirty_.load(std::memory_order_relaxed)) dirty_.store(true, std::memory_order_relaxed);
    const int log_work = std::min(63, static_cast<int>(std::bit_width(work)));
    const Bits packed = slot.rest << data_bits | static_cast<Bits>(bounds.low + offset) << 13 |
                        static_cast<Bits>(bounds.high + offset) << 6 | static_cast<Bits>(log_work);
    Entry* cheapest = nullptr;
    int least_work = 64;
    for (Entry& entry : buckets()[slot.bucket]) {
      const Bits data = entry.load();
      if (!data || data >> data_bits == slot.rest) {
        entry.store(packed);
        return;
      }
      const int work_there = static_cast<int>(data & 63);
      if (work_there < least_work) {
        least_work = work_there;
        cheapest = &entry;
      }
    }
    cheapest->store(packed);
  }

 private:
  static constexpr int data_bits = 20, offset = 64;
  static constexpr int rest_bits = static_cast<int>(sizeof(Bits)) * 8 - data_bits;
  static constexpr std::size_t line_bytes = 64;
  static constexpr std::size_t least_bytes = 1 << 21;  // memory is taken by large pages

  class Entry {
   public:
    Bits load() const {
      if constexpr (words == 1) {
        return words_[0].load(std::memory_order_relaxed);
      } else {
        const std::uint64_t high = words_[1].load(std::memory_order_relaxed);
        const std::uint64_t low = words_[0].load(std::memory_order_relaxed) ^ scramble(high);
        return static_cast<Bits>(high) << 32 << 32 | low;
      }
    }
    void store(Bits data) {
      if constexpr (words == 1) {
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
    std::array<std::atomic<std::uint64_t>, words> words_;
  };
  using Bucket = std::array<Entry, line_bytes / sizeof(Bits)>;
  static_assert(sizeof(Bucket) == line_bytes);

  std::size_t size() const { return std::max(line_bytes << bucket_bits_, least_bytes); }
  Bucket* buckets() const { return static_cast<Bucket*>(memory_.get()); }

  static Bounds unpack(Bits data) {
    return {static_cast<int>(data >> 13 & 127) - offset, static_cast<int>(data >> 6 & 127) - offset};
  }

  int key_bits_;
  int bucket_bits_;
  std::unique_ptr<void, void (*)(void*)> memory_;
  std::atomic<bool> dirty_{true};
};

}  // namespace mossa
