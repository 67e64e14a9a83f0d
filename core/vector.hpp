// Many games of one kind, stepped together by one call: an environment for programs that learn.
//
// A step plays one move in every game, and starts those that end anew. What came of it lies in arrays that
// are made once and written again by every call: planes and legal actions of the positions now, and for the
// move just made the reward, whether the game ended, and which side moved. The type of the rules is behind
// this handle, in vector_of.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "encoding.hpp"
#include "exclusive.hpp"
#include "handles.hpp"
#include "random.hpp"

namespace mossa {

struct VectorSettings {
  std::int64_t count = 1;
  std::int64_t threads = 1;
  std::int64_t random_plies =
      0;               // every game begins with none to so many random moves, each number as likely
  bool planes = true;  // are written
  bool masks = true;
};

class AnyVector {
 public:
  static constexpr std::int64_t most_games = std::int64_t{1} << 20;
  static constexpr std::int64_t most_threads = 256;
  static constexpr std::int64_t most_random_plies = 1000;
  /// Of planes and masks.
  static constexpr std::size_t most_bytes = std::size_t{4} << 30;

  virtual ~AnyVector() = default;
  AnyVector(const AnyVector&) = delete;
  AnyVector& operator=(const AnyVector&) = delete;

  const std::shared_ptr<const AnyGame>& game() const { return game_; }
  const Encoding& encoding() const { return encoding_; }
  const VectorSettings& settings() const { return settings_; }
  std::size_t count() const { return rewards_.size(); }

  /// Starts all games. The same seed gives the same random moves, with any number of threads.
  void reset(std::uint64_t seed);
  /// Plays one action in each game. Throws GameError before the first reset or if their number is wrong,
  /// IllegalMoveError if one is not legal; then nothing has changed.
  void step(std::span<const std::int64_t> actions);
  /// A random legal action for each game, each equally likely.
  void random_actions(std::span<std::int64_t> actions);
  /// The position of one game, as Position::text has it.
  std::string text(std::int64_t game);

  // What the last call wrote, game by game.
  std::byte* planes() { return planes_.data(); }  // of int8 on grids, of int16 where seeds are counted
  bool* masks() { return masks_.get(); }          // true where an action is legal
  std::int8_t* to_move() { return to_move_.data(); }
  std::int8_t* moved() { return moved_.data(); }
  float* rewards() { return rewards_.data(); }  // +1, 0 or -1 for the side that moved; 0 unless it ended
  bool* ended() { return ended_.get(); }

 protected:
  AnyVector(std::shared_ptr<const AnyGame> game, Encoding encoding, const VectorSettings& settings);

  // Of the games from `begin` to `end`.
  virtual void start(std::size_t begin, std::size_t end) = 0;
  /// The first game whose action is not legal, or `end`. Actions are in range.
  virtual std::size_t find_illegal(std::span<const std::int64_t> actions, std::size_t begin,
                                   std::size_t end) const = 0;
  virtual void play(std::span<const std::int64_t> actions, std::size_t begin, std::size_t end) = 0;
  virtual void choose(std::span<std::int64_t> actions, std::size_t begin, std::size_t end) = 0;
  /// Why an action is not legal.
  virtual std::string refusal(std::size_t game, Move move) const = 0;
  virtual std::vector<Move> moves(std::size_t game) const = 0;
  virtual std::string board_text(std::size_t game) const = 0;

  std::vector<Random> chance_;  // one for each game: threads change nothing

 private:
  void check_ready(std::size_t given) const;
  IllegalMoveError illegal(std::size_t game, std::int64_t action) const;

  std::shared_ptr<const AnyGame> game_;
  Encoding encoding_;
  VectorSettings settings_;
  bool started_ = false;
  Exclusive in_use_;
  std::vector<std::int64_t> actions_;
  std::vector<std::byte> planes_;
  std::unique_ptr<bool[]> masks_, ended_;
  std::vector<std::int8_t> to_move_, moved_;
  std::vector<float> rewards_;
};

/// How positions and moves of a game become numbers.
Encoding encoding_of(const AnyGame& game);

/// Throws GameError if the settings are out of range, or too much memory would be needed.
std::shared_ptr<AnyVector> make_vector(const AnyGame& game, const VectorSettings& settings);

}  // namespace mossa
