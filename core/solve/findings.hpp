// What one solver has proven, as bytes for another one of the same game: numbers one after the other, the low
// byte first.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "../types.hpp"

namespace mossa {

/// Writes numbers of fixed sizes.
class FindingsWriter {
 public:
  template <class Number>
  void put(Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i)
      bytes_.push_back(static_cast<char>(static_cast<unsigned char>(number >> (8 * i) & 0xFF)));
  }
  std::size_t size() const { return bytes_.size(); }
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

/// Reads them again. Throws GameError where the bytes end too soon.
class FindingsReader {
 public:
  explicit FindingsReader(std::string_view bytes) : bytes_(bytes) {}
  bool at_end() const { return bytes_.empty(); }
  template <class Number>
  Number get() {
    if (bytes_.size() < sizeof(Number)) throw GameError("the findings of another solver are cut short");
    Number number = 0;
    for (std::size_t i = sizeof(Number); i-- > 0;)
      number = static_cast<Number>(number << 8 | static_cast<unsigned char>(bytes_[i]));
    bytes_.remove_prefix(sizeof(Number));
    return number;
  }

 private:
  std::string_view bytes_;
};

/// What the threads of a solver have found since it was last asked, if it took them enough work.
class Findings {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;  // if nobody asks, no more is kept

  void keep_from(std::uint64_t work) { from_ = work; }
  bool wants(std::uint64_t work) const { return work >= from_; }
  template <class... Numbers>
  void add(Numbers... numbers) {
    const std::scoped_lock lock(mutex_);
    if (writer_.size() < most_bytes) (writer_.put(numbers), ...);
  }
  std::string take() {
    const std::scoped_lock lock(mutex_);
    return writer_.take();
  }

 private:
  std::uint64_t from_ = never;
  std::mutex mutex_;
  FindingsWriter writer_;
};

}  // namespace mossa
