// Games, positions and searches without their types: what Python and other callers hold.
//
// Everything behind these handles is a template on the rules, in handles_of.hpp; the build compiles that
// once for each game in the list. Handles check what they are given, the templates behind them do not.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "evaluate/alignments.hpp"
#include "evaluate/priority.hpp"
#include "exclusive.hpp"
#include "game.hpp"
#include "learn/network.hpp"
#include "trace.hpp"

namespace mossa {

enum class Threat : std::uint8_t;  // of evaluate/patterns.hpp

class AnyPosition;
class AnySearch;

/// Moves as text, one blank between them.
std::string text_of(const std::vector<Move>& moves);

/// The rules of one game at one size. Immutable and shared.
class AnyGame : public std::enable_shared_from_this<AnyGame> {
 public:
  virtual ~AnyGame() = default;

  /// Kind, sizes, and every option of the kind.
  const GameSpec& spec() const { return spec_; }
  const KindInfo& info() const { return info_; }
  const std::string& name() const { return name_; }
  virtual const Traits& traits() const = 0;
  /// The names of the evaluations it has, its default first.
  virtual std::vector<std::string> evaluations() const = 0;
  /// What a network for it must be for; nothing if there are no networks for such a game.
  virtual std::optional<NetworkGame> network_game() const = 0;

  virtual std::shared_ptr<const AnyPosition> start() const = 0;
  /// The inverse of AnyPosition::text.
  virtual std::shared_ptr<const AnyPosition> from_text(std::string_view text) const = 0;
  /// Throws InvalidPlayerError if there is no such algorithm or option, or not for this game, or if the
  /// network is for another one.
  std::unique_ptr<AnySearch> search(std::string_view algorithm,
                                    const std::map<std::string, std::string>& options,
                                    const NetworkPointer& network = {}) const;

  /// The move that `text` names; throws InvalidMoveError.
  Move parse_move(std::string_view text) const;
  /// The moves of a text such as "4453", "4 4 5 3" or "h8 i9", each handed to `use` as it is read.
  void read_moves(std::string_view text, const std::function<void(Move)>& use) const;

 protected:
  AnyGame(GameSpec spec, KindInfo info);
  /// Called with an algorithm that exists, options that have been checked and a network for this game, if
  /// any.
  virtual std::unique_ptr<AnySearch> make_search(std::string_view algorithm, const Options& options,
                                                 const NetworkPointer& network) const = 0;
  /// Options that differ from their default: "exact=yes".
  std::string rules_text() const;
  virtual std::string accepted_moves() const = 0;
  /// Of the first of several moves that run together: "4453", "h8i9".
  virtual std::size_t move_length(std::string_view word) const = 0;

 private:
  GameSpec spec_;
  KindInfo info_;
  std::string name_;
};

/// How a position came about.
struct Past {
  std::optional<std::string> start_text{};  // of the board that it was set up from, if it was
  std::vector<Move> history{};              // since then
  std::optional<Cell> last_cell{};  // what to highlight after the last move: its target, or else its source
};

/// One position and the moves that led to it. Immutable; `play` returns a new one.
class AnyPosition {
 public:
  virtual ~AnyPosition() = default;

  const std::shared_ptr<const AnyGame>& game() const { return game_; }
  /// The moves since the start or the board text that the position was set up from.
  const std::vector<Move>& history() const { return past_.history; }
  std::string history_text() const;
  const std::optional<std::string>& start_text() const { return past_.start_text; }
  const std::optional<Cell>& last_cell() const { return past_.last_cell; }

  virtual Side side() const = 0;
  virtual std::vector<Move> moves() const = 0;
  virtual std::optional<Outcome> outcome() const = 0;
  /// Throws IllegalMoveError.
  std::shared_ptr<const AnyPosition> play(Move move) const;
  bool is_legal(Move move) const { return !refusal(move); }
  /// Where a legal move takes something from, and where it puts it. They throw IllegalMoveError.
  std::optional<Cell> source(Move move) const;
  std::optional<Cell> target(Move move) const;
  /// How much is left: empty cells, or seeds in pits.
  virtual int left_to_play() const = 0;
  virtual std::vector<std::uint64_t> key() const = 0;
  virtual std::vector<std::uint64_t> canonical_key() const = 0;
  virtual Cells cells() const = 0;
  virtual std::vector<Cell> winning_cells() const = 0;
  virtual std::string text() const = 0;

  /// What either side can still make of the lines; throws GameError if the game has none.
  virtual std::unique_ptr<Alignments> alignments() const = 0;
  /// The moves that are worth a search, the best first; throws GameError if the game has no lines.
  virtual std::vector<Candidate> candidates() const = 0;

  /// The value an evaluation gives a position that is not over, for the side that asks; throws
  /// InvalidPlayerError if the game has no such evaluation.
  virtual int evaluate(const std::string& evaluation, Side searcher) const = 0;

  /// The threats a legal move makes, at most one for each direction, the most forcing first; throws GameError
  /// if the game is not mnk.
  virtual std::vector<Threat> threats(Move move) const = 0;

  virtual std::uint64_t perft(int depth, const Poll& poll) const = 0;
  /// Plays `count` random games and counts first's wins, draws and second's wins.
  virtual std::array<std::uint64_t, 3> play_outs(std::uint64_t count, std::uint64_t seed,
                                                 const Poll& poll) const = 0;
  /// Nothing if there are more than `limit` or than memory allows.
  virtual std::optional<std::uint64_t> count_states(std::uint64_t limit, const Poll& poll) const = 0;

  /// Throws GameError: "nothing to search in connect:6x7x4: the game is over (...)".
  void check_open(std::string_view purpose) const;

  bool operator==(const AnyPosition& b) const { return game_->name() == b.game_->name() && key() == b.key(); }
  std::uint64_t hash() const;

 protected:
  AnyPosition(std::shared_ptr<const AnyGame> game, Past past)
      : game_(std::move(game)), past_(std::move(past)) {}

  /// Why a move is illegal; nothing if it is legal.
  virtual std::optional<std::string> refusal(Move move) const = 0;
  // Of a legal move:
  virtual std::shared_ptr<const AnyPosition> after(Move move, Past past) const = 0;
  virtual std::optional<Cell> source_of(Move move) const = 0;
  virtual std::optional<Cell> target_of(Move move) const = 0;

  /// Throws IllegalMoveError.
  void check(Move move) const;
  /// "no threats in kalah:6x4: they are for ..."
  GameError none_here(std::string_view what, std::string_view whose) const;

 private:
  std::shared_ptr<const AnyGame> game_;
  Past past_;
};

/// The position after the moves of a text.
std::shared_ptr<const AnyPosition> play_text(std::shared_ptr<const AnyPosition> position,
                                             std::string_view moves);

/// A search that lives through a game and keeps its memory from move to move. Runs of one search never
/// overlap: a second thread waits for the first.
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  /// Throws GameError if the position is of another game or finished.
  Info run(const AnyPosition& position, const Task& task);

 protected:
  explicit AnySearch(std::shared_ptr<const AnyGame> game) : game_(std::move(game)) {}
  /// Called with a position of this game that is not over, while no other thread searches.
  virtual Info search(const AnyPosition& position, const Task& task) = 0;

 private:
  std::shared_ptr<const AnyGame> game_;
  Exclusive in_use_;
};

/// The game that `spec` describes; throws InvalidGameError.
std::shared_ptr<const AnyGame> make_game(const GameSpec& spec);

std::vector<KindInfo> game_kinds();

/// A search algorithm as the user names it: `name:option=value,option=value`.
struct SearchKind {
  std::string name;
  std::string summary;
  std::vector<Option> options;
};
std::vector<SearchKind> search_kinds();

/// Throws InvalidPlayerError unless the algorithm exists and takes these options together, on some game.
void check_search(std::string_view algorithm, const std::map<std::string, std::string>& options);

/// The limits as options: time, nodes, iterations, depth.
std::vector<Option> limit_options();

}  // namespace mossa
