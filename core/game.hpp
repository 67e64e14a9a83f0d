// What a game must provide.
//
// A game is two types: the rules object (sizes, options and tables; made once, never changed) and its
// Position, plain data that is copied freely. Searches are templates on the rules type and hold a
// reference to it, so positions stay as small as the game allows: 24 bytes for Connect 4.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "options.hpp"

namespace mossa {

// ---------------------------------------------------------------- what a game is

/// What a finished game is worth.
enum class Scoring : std::uint8_t {
  outcome,  // a win, a draw or a loss, and the sooner a win comes the better
  margin,   // only the difference counts, however long it takes
};

/// How the board is laid out.
enum class Shape : std::uint8_t {
  grid,  // rows and columns of cells
  pits,  // a row of pits and a store for each side
  text,  // as the game writes it: there are no cells
};

/// What a game is. Everything that serves all games asks this, and never what the game is called.
struct Traits {
  Scoring scoring = Scoring::outcome;
  Shape shape = Shape::grid;
  bool lines = false;          // k in a row wins, and stones stay where they are put
  bool falls = false;          // a stone falls to the lowest empty cell of its column
  std::string_view unit = {};  // what a margin counts: "seeds"
};

/// Exact: two positions of one game have equal keys if and only if they are equal.
template <int Words>
using Key = std::array<std::uint64_t, static_cast<std::size_t>(Words)>;

class Random;

/// Scrambles a word so that every bit of it reaches every bit of the result (the finaliser of
/// SplitMix64: Steele, Lea and Flood, 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

template <class G>
concept Game = requires(const G& game, const typename G::Position& position, typename G::Position& changed,
                        Move move, std::string_view text, Random& random) {
  requires std::copyable<typename G::Position>;  // plain data wherever speed matters
  requires G::max_moves > 0;
  requires std::same_as<decltype(G::traits), const Traits>;

  { game.start() } -> std::same_as<typename G::Position>;
  { game.side(position) } -> std::same_as<Side>;  // to move; after the end, the side that would be next
  { game.is_over(position) } -> std::same_as<bool>;
  { game.outcome(position) } -> std::same_as<Outcome>;  // only when it is over
  { game.value(position) } -> std::same_as<int>;        // of the outcome, first's view (Kalah: so far)
  { game.moves(position) } -> std::same_as<MoveList<G::max_moves>>;  // none when it is over
  { game.count_moves(position) } -> std::same_as<int>;               // moves(position).size(), faster
  { game.random_move(position, random) } -> std::same_as<Move>;      // each equally likely
  { game.play(changed, move) } -> std::same_as<void>;                // the move must be legal
  { game.refusal(position, move) } -> std::same_as<std::optional<std::string>>;  // why not; nothing if legal

  { game.key(position) } -> std::same_as<Key<G::key_words>>;
  // Equal for positions that a symmetry of the game maps to each other: same score for the side to move.
  { game.canonical_key(position) } -> std::same_as<Key<G::key_words>>;

  { game.cells(position) } -> std::same_as<Cells>;
  // Where a legal move takes something from, and where it puts it; a page asks for source, then target.
  { game.source(position, move) } -> std::same_as<std::optional<Cell>>;
  { game.target(position, move) } -> std::same_as<std::optional<Cell>>;
  { game.winning_cells(position) } -> std::same_as<std::vector<Cell>>;
  { game.text(position) } -> std::same_as<std::string>;        // the board as text
  { game.parse(text) } -> std::same_as<typename G::Position>;  // throws InvalidPositionError
  { game.accepted_moves() } -> std::same_as<std::string>;      // "a column, 1 to 7"
  { game.move_length(text) } -> std::same_as<std::size_t>;  // of the first of moves that run together: "4453"
  { game.centre_rank(move) } -> std::same_as<int>;          // greater for moves that are nearer to the middle
  { game.left_to_play(position) } -> std::same_as<int>;     // empty cells, seeds in pits, ...
};

/// A win comes sooner or later: searches count the plies to it.
template <class G>
concept OutcomeGame = Game<G> && G::traits.scoring == Scoring::outcome;

/// Only the margin counts, not how soon it comes.
template <class G>
concept MarginGame = Game<G> && G::traits.scoring == Scoring::margin;

/// The length of the first of several column or pit numbers that run together: one digit if all numbers have
/// just one ("4453"), else the whole text.
inline std::size_t number_length(std::string_view word, int highest) {
  if (!Move::is_digit(word[0])) return Move::cell_length(word);
  return highest <= 9 ? 1 : word.size();
}

// ---------------------------------------------------------------- games by name

struct SizeField {
  std::string name;
  int low;
  int high;
};

struct GameSpec {
  std::string kind;
  std::vector<int> sizes;
  std::map<std::string, std::string> options;  // as given
};

class AnyGame;
class AnySolver;
class EndTables;
struct SolverSettings;

/// A function that makes the exact solver of a game, or nothing if the board is too large for it.
using MakeSolver = std::unique_ptr<AnySolver>(std::shared_ptr<const AnyGame>, const SolverSettings&);

/// A function that makes room for end-game tables of up to so many seeds, or throws GameError if a game can
/// have none.
using MakeTables = std::unique_ptr<EndTables>(std::shared_ptr<const AnyGame>, int);

/// A well-known game by its own name: "connect4".
struct Preset {
  std::string name;
  std::string sizes;    // and options, as they stand in the name of a game: "6x7x4"
  std::string title;    // as people write it: "Connect 4"
  std::string summary;  // for a menu
  std::string example;  // a few moves, for a small picture
};

/// A kind of game as the user names it: `kind:SIZExSIZE,option=value`.
struct KindInfo {
  std::string name;
  std::string summary;
  std::vector<SizeField> sizes;
  std::vector<Option> options;
  std::vector<Preset> presets;
  MakeSolver* solver = nullptr;  // if it has one
  MakeTables* tables = nullptr;  // if it has any
};

/// The text that names a game; options at their default are left out.
inline std::string name_of(const GameSpec& spec, const KindInfo& info) {
  std::vector<std::string> sizes;
  for (const int size : spec.sizes) sizes.push_back(std::to_string(size));
  std::string name = spec.kind + ":" + join(sizes, "x");
  for (const Option& option : info.options) {
    const auto given = spec.options.find(option.name);
    if (given != spec.options.end() && given->second != option.fallback)
      name += "," + option.name + "=" + given->second;
  }
  return name;
}

/// Throws InvalidGameError if the sizes are not those of the kind.
inline void check_sizes(const GameSpec& spec, const KindInfo& info) {
  const std::string given = quote(name_of(spec, info));
  std::vector<std::string> names;
  for (const SizeField& field : info.sizes) names.push_back(field.name);
  if (spec.sizes.size() != info.sizes.size())
    throw InvalidGameError("invalid game " + given + ": " + info.name + " takes " +
                           std::to_string(info.sizes.size()) + " sizes, " + join(names, " x "));
  for (std::size_t i = 0; i < info.sizes.size(); ++i) {
    const SizeField& field = info.sizes[i];
    if (spec.sizes[i] < field.low || spec.sizes[i] > field.high)
      throw InvalidGameError("invalid game " + given + ": " + field.name + " must be " +
                             std::to_string(field.low) + " to " + std::to_string(field.high) + ", not " +
                             std::to_string(spec.sizes[i]));
  }
}

}  // namespace mossa
