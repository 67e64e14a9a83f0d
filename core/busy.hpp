// Tells the threads of a search what the others are busy with, so that each can do something else first and
// come back when the answer is in the shared table (simplified ABDADA: J.-C. Weill 1996, T. Kerrigan 2017).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace mossa {

/// Marks by hash. If two share a slot, one is overlooked: that costs time, never correctness.
class BusyMarks {
 public:
  /// While it lives, marks something as being searched, if `active`; `hash_of` is called only then.
  class Mark {
   public:
    template <class Hash>
    Mark(BusyMarks& marks, bool active, const Hash& hash_of) {
      if (!active) return;
      const std::uint64_t hash = hash_of();
      hash_ = hash | 1;
      std::atomic<std::uint64_t>& place = marks.places_[(hash >> 32) % marks.places_.size()];
      elsewhere_ = place.load(std::memory_order_relaxed) == hash_;
      if (elsewhere_) return;
      place_ = &place;
      place.store(hash_, std::memory_order_relaxed);
    }
    ~Mark() {
      if (place_ && place_->load(std::memory_order_relaxed) == hash_)
        place_->store(0, std::memory_order_relaxed);
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

    /// True if another thread had marked it already.
    bool elsewhere() const { return elsewhere_; }

   private:
    std::uint64_t hash_ = 0;  // 0 is an empty slot
    std::atomic<std::uint64_t>* place_ = nullptr;
    bool elsewhere_ = false;
  };

 private:
  alignas(64) std::array<std::atomic<std::uint64_t>, 1 << 15> places_{};
};

}  // namespace mossa
