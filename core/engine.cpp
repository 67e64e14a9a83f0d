#include "engine.hpp"

#include "games.hpp"
#include "perft.hpp"
#include "searches.hpp"

namespace mossa {
namespace {

std::string text_of(const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves) text += (text.empty() ? "" : " ") + move.text();
  return text;
}

/// "1 2 3 5 6 7", cut short on large boards.
std::string list_of(const std::vector<Move>& moves) {
  constexpr std::size_t most = 16;
  if (moves.size() <= most) return text_of(moves);
  return text_of({moves.begin(), moves.begin() + most}) + " ... (" + std::to_string(moves.size()) + " moves)";
}

template <Game G>
class PositionOf;

template <Game G, template <class> class Algorithm>
class SearchOf;

template <Game G>
class GameOf final : public AnyGame {
 public:
  GameOf(GameSpec spec, KindInfo info, G rules)
      : AnyGame(std::move(spec), std::move(info)), rules_(std::move(rules)) {}

  const G& rules() const { return rules_; }
  std::shared_ptr<const GameOf> shared() const {
    return std::static_pointer_cast<const GameOf>(shared_from_this());
  }

  std::shared_ptr<const AnyPosition> start() const override {
    return std::make_shared<PositionOf<G>>(shared(), rules_.start());
  }

  std::shared_ptr<const AnyPosition> from_text(std::string_view text) const override {
    const typename G::Position position = rules_.parse(text);
    return std::make_shared<PositionOf<G>>(shared(), position, rules_.text(position));
  }

  std::unique_ptr<AnySearch> search(std::string_view algorithm) const override {
    std::unique_ptr<AnySearch> made;
    const auto try_search = [&]<template <class> class Algorithm>(const NamedSearch<Algorithm>& named) {
      if (named.name == algorithm) made = std::make_unique<SearchOf<G, Algorithm>>(shared());
    };
    std::apply([&](const auto&... named) { (try_search(named), ...); }, searches);
    if (made) return made;
    throw GameError("unknown search " + quote(algorithm) + ": there are " + join(search_names(), ", "));
  }

 private:
  std::string accepted_moves() const override { return rules_.accepted_moves(); }
  bool digits_run_together() const override { return rules_.digits_run_together(); }

  G rules_;
};

template <Game G>
class PositionOf final : public AnyPosition {
 public:
  PositionOf(std::shared_ptr<const GameOf<G>> game, const typename G::Position& position,
             std::optional<std::string> start_text = {}, std::vector<Move> history = {},
             std::optional<Cell> last_cell = {})
      : AnyPosition(game, std::move(start_text), std::move(history), last_cell),
        rules_(game->rules()),
        position_(position) {}

  const typename G::Position& plain() const { return position_; }

  Side side() const override { return rules_.side(position_); }

  std::vector<Move> moves() const override {
    const auto list = rules_.moves(position_);
    return {list.begin(), list.end()};
  }

  std::optional<Outcome> outcome() const override {
    if (!rules_.is_over(position_)) return {};
    return rules_.outcome(position_);
  }

  bool is_legal(Move move) const override { return !rules_.refusal(position_, move); }

  std::shared_ptr<const AnyPosition> play(Move move) const override {
    if (const auto why = rules_.refusal(position_, move)) throw IllegalMoveError(refuse(move, *why));
    typename G::Position next = position_;
    rules_.play(next, move);
    std::vector<Move> history;
    history.reserve(this->history().size() + 1);
    history = this->history();
    history.push_back(move);
    return std::make_shared<PositionOf>(std::static_pointer_cast<const GameOf<G>>(game()), next, start_text(),
                                        std::move(history), rules_.touched(position_, move));
  }

  std::vector<std::uint64_t> key() const override { return words_of(rules_.key(position_)); }
  std::vector<std::uint64_t> canonical_key() const override {
    return words_of(rules_.canonical_key(position_));
  }
  Cells cells() const override { return rules_.cells(position_); }
  std::vector<Cell> winning_cells() const override { return rules_.winning_cells(position_); }
  std::string text() const override { return rules_.text(position_); }

  std::uint64_t perft(int depth, const Poll& poll) const override {
    const Limits no_limits;
    Budget budget(no_limits, poll);
    return mossa::perft(rules_, position_, depth, budget);
  }

  std::optional<std::uint64_t> count_states(std::uint64_t limit, const Poll& poll) const override {
    const Limits no_limits;
    Budget budget(no_limits, poll);
    return mossa::count_states(rules_, position_, limit, budget);
  }

 private:
  std::string refuse(Move move, const std::string& why) const {
    std::string message = "illegal move " + quote(move.text()) + " in " + game()->name();
    if (start_text()) message += " from " + quote(*start_text());
    if (!history().empty())
      message += " after " + quote(history_text());
    else if (!start_text())
      message += " at the start";
    message += ": " + why;
    if (!rules_.is_over(position_)) message += "; legal: " + list_of(moves());
    return message;
  }

  template <std::size_t N>
  static std::vector<std::uint64_t> words_of(const std::array<std::uint64_t, N>& key) {
    return {key.begin(), key.end()};
  }

  const G& rules_;  // lives as long as the game, which the base class holds
  typename G::Position position_;
};

template <Game G, template <class> class Algorithm>
class SearchOf final : public AnySearch {
 public:
  explicit SearchOf(std::shared_ptr<const GameOf<G>> game)
      : game_(std::move(game)), search_(game_->rules()) {}

  Info run(const AnyPosition& position, const Limits& limits, const Poll& poll) override {
    if (position.game()->name() != game_->name())
      throw GameError("a search of " + game_->name() + " was given a position of " + position.game()->name());
    if (const auto outcome = position.outcome())
      throw GameError("nothing to search in " + game_->name() + ": the game is over (" + outcome->text() +
                      ")");
    return search_.run(static_cast<const PositionOf<G>&>(position).plain(), limits, poll);
  }

 private:
  std::shared_ptr<const GameOf<G>> game_;
  Algorithm<G> search_;
};

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

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the first move in a word of moves that run together: one digit where no number has
/// two ("4453"), else letters with the digits that follow ("h8i9").
std::size_t first_move_length(std::string_view word, bool digits_run_together) {
  if (is_digit(word[0])) return digits_run_together ? 1 : word.size();
  std::size_t at = 0;
  while (at < word.size() && !is_digit(word[at])) ++at;
  while (at < word.size() && is_digit(word[at])) ++at;
  return at;
}

}  // namespace

AnyGame::AnyGame(GameSpec spec, KindInfo info)
    : spec_(std::move(spec)), info_(std::move(info)), name_(name_of(spec_, info_)) {}

Move AnyGame::parse_move(std::string_view text) const {
  if (const std::optional<Move> move = Move::parse(text)) return *move;
  throw InvalidMoveError("invalid move " + quote(text) + " in " + name_ + ": a move is " + accepted_moves());
}

std::shared_ptr<const AnyPosition> AnyGame::position(std::string_view moves) const {
  std::shared_ptr<const AnyPosition> position = start();
  for (std::string_view word : words_in(moves))
    while (!word.empty()) {
      const std::size_t length = first_move_length(word, digits_run_together());
      position = position->play(parse_move(word.substr(0, length)));
      word.remove_prefix(length);
    }
  return position;
}

std::string AnyPosition::history_text() const { return text_of(history_); }

std::uint64_t AnyPosition::hash() const {
  std::uint64_t hash = std::hash<std::string>{}(game_->name());
  for (const std::uint64_t word : key()) hash = mix(hash ^ word);
  return hash;
}

std::shared_ptr<const AnyGame> make_game(const GameSpec& spec) {
  return with_game<std::shared_ptr<const AnyGame>>(spec, [](const GameSpec& completed, auto rules) {
    using G = decltype(rules);
    const auto infos = kinds();
    const auto info = std::ranges::find(infos, completed.kind, &KindInfo::name);
    return std::make_shared<GameOf<G>>(completed, *info, std::move(rules));
  });
}

std::vector<KindInfo> game_kinds() { return kinds(); }

std::vector<std::string> search_names() {
  return std::apply([](const auto&... named) { return std::vector<std::string>{std::string(named.name)...}; },
                    searches);
}

}  // namespace mossa
