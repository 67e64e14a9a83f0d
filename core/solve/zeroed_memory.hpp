// Memory for large tables, zero at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace mossa {

/// Memory that reads as zero, aligned to cache lines. Where the system gives fresh pages on first touch, a
/// large table costs nothing until it is used.
class ZeroedMemory {
 public:
  ZeroedMemory(std::size_t size, bool large_pages) : size_(size + page) {
#ifdef __linux__
    void* const start = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    // Large pages save address look-ups; if the system refuses them, no harm is done.
    madvise(start, size_, large_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)large_pages;
    void* const start = std::calloc(size_, 1);
    if (!start) throw std::bad_alloc();
#endif
    start_ = static_cast<std::byte*>(start);
    data_ = start_ + (page - reinterpret_cast<std::uintptr_t>(start_) % page) % page;
  }
  ~ZeroedMemory() {
#ifdef __linux__
    munmap(start_, size_);
#else
    std::free(start_);
#endif
  }
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;

  void* data() const { return data_; }

  /// Changes to large pages, and moves what is in the first `used` bytes. The system needs a tenth of a
  /// millisecond to give a large page, and ten milliseconds where its memory is in pieces; small work is
  /// done sooner than that.
  void use_large_pages(std::size_t used) {
#ifdef __linux__
    constexpr int collapse = 25;  // MADV_COLLAPSE, which older headers lack
    madvise(start_, size_, MADV_HUGEPAGE);
    madvise(data_, (used + page - 1) / page * page, collapse);
#else
    (void)used;
#endif
  }

 private:
  static constexpr std::size_t page = 1 << 21;  // a large one
  std::size_t size_;
  std::byte* start_;
  std::byte* data_;
};

}  // namespace mossa
