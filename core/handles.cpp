#include "handles.hpp"

#include "games.hpp"
#include "searches.hpp"

namespace mossa {

/// Compiled for each family in a file of its own.
template <class Family>
std::shared_ptr<const AnyGame> make_any(const GameSpec& spec);

namespace {

/// The parts of a text between blanks.
std::vector<std::string_view> words_in(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

/// "1 2 3 5 6 7", cut short on large boards.
std::string list_of(const std::vector<Move>& moves) {
  constexpr std::size_t most = 16;
  if (moves.size() <= most) return text_of(moves);
  return text_of({moves.begin(), moves.begin() + most}) + " ... (" + std::to_string(moves.size()) + " moves)";
}

// Some game, to ask searches for their options: names and ranges are the same for all games.
using AnyRules = Connect<1>;
constexpr const Traits& some_game = AnyRules::traits;

Options checked_options(std::string_view algorithm, const std::map<std::string, std::string>& options,
                        const Traits& traits) {
  Options checked;
  with_search(algorithm, [&]<template <class> class Algorithm>() {
    checked = Options::check<InvalidPlayerError>(options, Algorithm<AnyRules>::options(traits),
                                                 std::string(algorithm));
  });
  return checked;
}

}  // namespace

AnyGame::AnyGame(GameSpec spec, KindInfo info)
    : spec_(std::move(spec)), info_(std::move(info)), name_(name_of(spec_, info_)) {}

Move AnyGame::parse_move(std::string_view text) const {
  if (const std::optional<Move> move = Move::parse(text)) return *move;
  throw InvalidMoveError("invalid move " + quote(text) + " in " + name_ + ": a move is " + accepted_moves());
}

void AnyGame::read_moves(std::string_view text, const std::function<void(Move)>& use) const {
  for (std::string_view word : words_in(text))
    while (!word.empty()) {
      const std::size_t length = std::clamp<std::size_t>(move_length(word), 1, word.size());
      use(parse_move(word.substr(0, length)));
      word.remove_prefix(length);
    }
}

std::shared_ptr<const AnyPosition> play_text(std::shared_ptr<const AnyPosition> position,
                                             std::string_view moves) {
  const std::shared_ptr<const AnyGame> game = position->game();
  game->read_moves(moves, [&](Move move) { position = position->play(move); });
  return position;
}

std::string text_of(const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves) text += (text.empty() ? "" : " ") + move.text();
  return text;
}

std::string AnyGame::rules_text() const {
  const std::size_t comma = name_.find(',');
  return comma == name_.npos ? "" : name_.substr(comma + 1);
}

std::unique_ptr<AnySearch> AnyGame::search(std::string_view algorithm,
                                           const std::map<std::string, std::string>& options,
                                           const NetworkPointer& network) const {
  const Options checked = checked_options(algorithm, options, traits());
  if (network && !network->plays(network_game()))
    throw InvalidPlayerError("this network is not for " + name_ + ": it is for " + network->game().text());
  return make_search(algorithm, checked, network);
}

std::shared_ptr<const AnyPosition> AnyPosition::play(Move move) const {
  check(move);
  const std::optional<Cell> target = target_of(move);
  Past past{past_.start_text, {}, target ? target : source_of(move)};
  past.history.reserve(history().size() + 1);
  past.history = history();
  past.history.push_back(move);
  return after(move, std::move(past));
}

std::optional<Cell> AnyPosition::source(Move move) const {
  check(move);
  return source_of(move);
}

std::optional<Cell> AnyPosition::target(Move move) const {
  check(move);
  return target_of(move);
}

void AnyPosition::check(Move move) const {
  const std::optional<std::string> why = refusal(move);
  if (!why) return;
  std::string message = "illegal move " + quote(move.text()) + " in " + game_->name();
  if (start_text()) message += " from " + quote(*start_text());
  if (!history().empty())
    message += " after " + quote(history_text());
  else if (!start_text())
    message += " at the start";
  message += ": " + *why;
  if (!outcome()) message += "; legal: " + list_of(moves());
  throw IllegalMoveError(message);
}

void AnyPosition::check_open(std::string_view purpose) const {
  if (const auto over = outcome())
    throw GameError("nothing to " + std::string(purpose) + " in " + game_->name() + ": the game is over (" +
                    over->text() + ")");
}

GameError AnyPosition::none_here(std::string_view what, std::string_view whose) const {
  return GameError("no " + std::string(what) + " in " + game_->name() + ": they are " + std::string(whose));
}

std::string AnyPosition::history_text() const { return text_of(history()); }

Info AnySearch::run(const AnyPosition& position, const Task& task) {
  if (position.game()->name() != game_->name())
    throw GameError("this search is for " + game_->name() + ", but the position is from " +
                    position.game()->name());
  position.check_open("search");
  const Exclusive::Hold hold(in_use_, task.poll);
  return search(position, task);
}

std::uint64_t AnyPosition::hash() const {
  std::uint64_t hash = std::hash<std::string>{}(game_->name());
  for (const std::uint64_t word : key()) hash = mix(hash ^ word);
  return hash;
}

namespace {

template <class... Family>
std::shared_ptr<const AnyGame> make_one_of(const GameSpec& spec, std::tuple<Family...>) {
  std::shared_ptr<const AnyGame> game;
  ((Family::info().name == spec.kind ? void(game = make_any<Family>(spec)) : void()), ...);
  return game;
}

}  // namespace

std::shared_ptr<const AnyGame> make_game(const GameSpec& spec) {
  if (auto game = make_one_of(spec, Families{})) return game;
  std::vector<std::string> names;
  for (const KindInfo& info : kinds()) names.push_back(info.name);
  throw InvalidGameError("unknown game " + quote(spec.kind) + ": the kinds are " + join(names, ", "));
}

std::vector<KindInfo> game_kinds() { return kinds(); }

std::vector<SearchKind> search_kinds() {
  std::vector<SearchKind> kinds;
  const auto add = [&]<template <class> class Algorithm>(const NamedSearch<Algorithm>& named) {
    kinds.push_back(
        {std::string(named.name), std::string(named.summary), Algorithm<AnyRules>::options(some_game)});
  };
  std::apply([&](const auto&... named) { (add(named), ...); }, searches);
  return kinds;
}

void check_search(std::string_view algorithm, const std::map<std::string, std::string>& options) {
  const Options checked = checked_options(algorithm, options, some_game);
  with_search(algorithm, [&]<template <class> class Algorithm>() {
    using Search = Algorithm<AnyRules>;
    if constexpr (requires { Search::check(checked); }) Search::check(checked);
  });
}

std::vector<Option> limit_options() {
  return {Option::real("time", 0, 1e9, "", "seconds per move"),
          Option::integer("nodes", 1, 1e18, "", "moves that the search may play, or nodes of mcts's tree"),
          Option::integer("iterations", 1, 1e18, "", "play-outs of mcts"),
          Option::integer("depth", 1, 10'000, "", "plies")};
}

}  // namespace mossa
