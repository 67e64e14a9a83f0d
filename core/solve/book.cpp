// Opening books without their board's width in bits, and how they are made.
#include "book.hpp"

namespace mossa {

namespace {

int bits_of(const AnyGame& game) { return (game.spec().sizes[0] + 1) * game.spec().sizes[1]; }
int cells_of(const AnyGame& game) { return game.spec().sizes[0] * game.spec().sizes[1]; }

/// Calls `use` with the stones of a position, in one word or in two.
template <class Use>
auto with_root(const AnyPosition& position, const Use& use) {
#ifdef MOSSA_HAS_WIDE_BITS
  if (bits_of(*position.game()) > 64) return use(connect_root<WideBits>(position));
#endif
  return use(connect_root<std::uint64_t>(position));
}

int stones_on(const AnyPosition& position) { return static_cast<int>(position.history().size()); }

}  // namespace

std::uint64_t book_numbers(const AnyGame& game, int plies) {
  if (game.spec().kind != "connect")
    throw GameError("no books for " + game.name() + ": books are only for connect");
#ifdef MOSSA_HAS_WIDE_BITS
  constexpr int most = 128;
#else
  constexpr int most = 64;
#endif
  if (bits_of(game) > most)
    throw GameError("no books for " + game.name() + ": (rows + 1) x cols is more than " +
                    std::to_string(most));
  if (plies < 1 || plies > cells_of(game))
    throw GameError("invalid plies '" + std::to_string(plies) + "': 1 to " + std::to_string(cells_of(game)) +
                    " in " + game.name());
  return BookIndex::count(game.spec().sizes[0], game.spec().sizes[1], plies);
}

std::optional<Proven> Book::get(const AnyPosition& position) const {
  if (position.game()->name() != game_->name())
    throw GameError("this book is for " + game_->name() + ", but the position is from " +
                    position.game()->name());
  if (position.outcome()) return {};
  return with_root(position, [&](const auto& root) -> std::optional<Proven> {
    const std::optional<int> score = find(root);
    if (!score) return {};
    return to_proven(cells_of(*game_) - root.stones(), *score);
  });
}

BookBuilder::BookBuilder(std::shared_ptr<const AnyGame> game, int plies, const Poll& poll)
    : game_(std::move(game)), index_(game_->spec().sizes[0], game_->spec().sizes[1], plies) {
  values_.assign(index_.end(plies), absent);
  plan(*game_->start(), poll);
}

std::shared_ptr<const AnyPosition> BookBuilder::position(std::size_t i) const {
  const auto plies = static_cast<std::size_t>(index_.plies());
  auto position = game_->start();
  for (std::size_t at = i * plies; at < (i + 1) * plies; ++at)
    position = position->play(Move::number(moves_[at]));
  return position;
}

int BookBuilder::score(const AnyPosition& position, const Proven& proven) {
  return to_score(cells_of(*position.game()) - stones_on(position), proven);
}

void BookBuilder::set(std::size_t i, int score) {
  if (std::abs(score) > (cells_of(*game_) + 1) / 2)
    throw GameError("invalid score '" + std::to_string(score) + "' for a book of " + game_->name());
  entry(*position(i)) = static_cast<std::int8_t>(score);
}

BookScores BookBuilder::finish(const Poll& poll) {
  value(*game_->start(), poll);
  BookScores book;
  book.plies = index_.plies();
  while (book.plies > 1 &&
         std::all_of(values_.data() + index_.end(book.plies - 1), values_.data() + index_.end(book.plies),
                     [](std::int8_t value) { return value == absent; }))
    --book.plies;  // every game is over sooner
  values_.resize(index_.end(book.plies));
  int highest = std::numeric_limits<int>::min();
  book.lowest = std::numeric_limits<int>::max();
  for (const std::int8_t value : values_) {
    if (value == absent) continue;
    ++book.positions;
    book.lowest = std::min<int>(book.lowest, value);
    highest = std::max<int>(highest, value);
  }
  book.width = static_cast<int>(std::bit_width(static_cast<unsigned>(highest - book.lowest + 1)));
  book.data.resize(Book::bytes(values_.size(), book.width));
  for (std::size_t number = 0; number < values_.size(); ++number) {
    if (values_[number] == absent) continue;
    const auto code = static_cast<unsigned>(values_[number] - book.lowest + 1);
    const std::size_t bit = number * static_cast<std::size_t>(book.width);
    const unsigned placed = code << (bit % 8);
    book.data[bit / 8] |= static_cast<unsigned char>(placed);
    book.data[bit / 8 + 1] |= static_cast<unsigned char>(placed >> 8);
  }
  return book;
}

/// Marks every position of the book; of mirror images the one that was met first is to be solved.
void BookBuilder::plan(const AnyPosition& position, const Poll& poll) {
  std::int8_t& here = entry(position);
  if (here != absent) return;
  here = unknown;
  count(poll);
  if (stones_on(position) == index_.plies()) {
    for (const Move move : position.history()) moves_.push_back(static_cast<std::uint8_t>(move.number()));
    return;
  }
  for (const Move move : position.moves()) {
    const auto next = position.play(move);
    if (!next->outcome()) plan(*next, poll);
  }
}

/// The score of a position: the best of its moves, unless it is entered.
int BookBuilder::value(const AnyPosition& position, const Poll& poll) {
  std::int8_t& here = entry(position);
  if (here != unknown) return here;
  if (stones_on(position) == index_.plies()) throw GameError("a book cannot be made: a score is missing");
  count(poll);
  const int left = cells_of(*game_) - stones_on(position);
  int best = -left;
  for (const Move move : position.moves()) {
    const auto next = position.play(move);
    const auto outcome = next->outcome();
    best = std::max(best, !outcome ? -value(*next, poll) : outcome->winner ? (left + 1) / 2 : 0);
  }
  here = static_cast<std::int8_t>(best);
  return best;
}

std::int8_t& BookBuilder::entry(const AnyPosition& position) {
  const auto number = with_root(position, [&](const auto& root) { return index_.number(root); });
  return values_[static_cast<std::size_t>(number.value())];
}

void BookBuilder::count(const Poll& poll) {
  if (++visited_ % 1024 == 0 && poll && poll()) throw GameError("stopped while making a book");
}

}  // namespace mossa
