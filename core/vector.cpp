// Many games by the name of one; checks of what callers give.
#include "vector.hpp"

#include <atomic>
#include <system_error>
#include <thread>

#include "games.hpp"

namespace mossa {

/// Compiled for each family in a file of its own.
template <class Family>
std::shared_ptr<AnyVector> make_vector_of(const AnyGame& game, const VectorSettings& settings,
                                          const Encoding& encoding);

namespace {

/// Starting a thread takes as long as stepping some hundred games.
constexpr std::size_t least_games_a_thread = 512;

/// Calls `work(begin, end)` for parts of all games, each part in a thread of its own. Threads live for one
/// call: nothing is left behind that a fork of the process could lose.
template <class Work>
void in_parts(std::size_t count, std::int64_t threads, const Work& work) {
  const std::size_t parts =
      std::clamp<std::size_t>(count / least_games_a_thread, 1, static_cast<std::size_t>(threads));
  const auto begin_of = [&](std::size_t part) { return count * part / parts; };
  std::vector<std::thread> helpers;
  helpers.reserve(parts);
  std::size_t taken = 1;
  try {
    for (; taken < parts; ++taken)
      helpers.emplace_back([&, taken] { work(begin_of(taken), begin_of(taken + 1)); });
  } catch (const std::system_error&) {  // no more threads to be had: the rest is done here
  }
  work(0, begin_of(1));
  if (taken < parts) work(begin_of(taken), count);
  for (std::thread& helper : helpers) helper.join();
}

bool swaps(const GameSpec& spec) {
  const auto option = spec.options.find("swap");
  return option != spec.options.end() && option->second == "yes";
}

void check_range(std::string_view what, std::int64_t given, std::int64_t least, std::int64_t most) {
  if (given < least || given > most)
    throw GameError("invalid " + std::string(what) + " '" + std::to_string(given) + "': expected " +
                    std::to_string(least) + " to " + std::to_string(most));
}

std::size_t bytes_per_game(const Encoding& encoding, const VectorSettings& settings) {
  const std::size_t width = encoding.shape() == Shape::pits ? sizeof(std::int16_t) : sizeof(std::int8_t);
  return (settings.planes ? encoding.plane_numbers() * width : 0) +
         (settings.masks ? static_cast<std::size_t>(encoding.actions()) : 0);
}

template <class... Family>
std::shared_ptr<AnyVector> make_one_of(const AnyGame& game, const VectorSettings& settings,
                                       const Encoding& encoding, std::tuple<Family...>) {
  std::shared_ptr<AnyVector> made;
  ((Family::info().name == game.spec().kind ? void(made = make_vector_of<Family>(game, settings, encoding))
                                            : void()),
   ...);
  return made;
}

}  // namespace

AnyVector::AnyVector(std::shared_ptr<const AnyGame> game, Encoding encoding, const VectorSettings& settings)
    : chance_(static_cast<std::size_t>(settings.count), Random(0)),
      game_(std::move(game)),
      encoding_(std::move(encoding)),
      settings_(settings),
      masks_(std::make_unique<bool[]>(
          settings.masks ? chance_.size() * static_cast<std::size_t>(encoding_.actions()) : 1)),
      ended_(std::make_unique<bool[]>(chance_.size())),
      to_move_(chance_.size()),
      moved_(chance_.size()),
      rewards_(chance_.size()) {
  VectorSettings only_planes = settings;
  only_planes.masks = false;
  planes_.resize(count() * bytes_per_game(encoding_, only_planes));
}

void AnyVector::reset(std::uint64_t seed) {
  const Exclusive::Hold hold(in_use_, {});
  for (std::size_t i = 0; i < count(); ++i) chance_[i] = Random(mix(mix(seed) + i));
  in_parts(count(), settings_.threads, [&](std::size_t begin, std::size_t end) { start(begin, end); });
  started_ = true;
}

void AnyVector::step(std::span<const std::int64_t> given) {
  const Exclusive::Hold hold(in_use_, {});
  check_ready(given.size());
  actions_.assign(given.begin(), given.end());  // the caller's may be written to between check and play
  const std::span<const std::int64_t> actions(actions_);
  // 1. Every action is checked before the first is played: an error changes nothing.
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (actions[i] < 0 || actions[i] >= encoding_.actions()) throw illegal(i, actions[i]);
  std::atomic<std::size_t> first_illegal = count();
  in_parts(count(), settings_.threads, [&](std::size_t begin, std::size_t end) {
    const std::size_t found = find_illegal(actions, begin, end);
    if (found == end) return;
    std::size_t known = first_illegal.load();
    while (found < known && !first_illegal.compare_exchange_weak(known, found)) {
    }
  });
  if (first_illegal < count()) throw illegal(first_illegal, actions[first_illegal]);
  // 2. All are played.
  in_parts(count(), settings_.threads,
           [&](std::size_t begin, std::size_t end) { play(actions, begin, end); });
}

void AnyVector::random_actions(std::span<std::int64_t> actions) {
  const Exclusive::Hold hold(in_use_, {});
  check_ready(actions.size());
  in_parts(count(), settings_.threads,
           [&](std::size_t begin, std::size_t end) { choose(actions, begin, end); });
}

std::string AnyVector::text(std::int64_t game) {
  const Exclusive::Hold hold(in_use_, {});
  check_range("game", game, 0, settings_.count - 1);
  return board_text(static_cast<std::size_t>(game));
}

void AnyVector::check_ready(std::size_t given) const {
  if (!started_) throw GameError("no games to step yet: call reset() first");
  if (given != count())
    throw GameError("invalid actions: expected one for each of " + std::to_string(count()) + " games, not " +
                    std::to_string(given));
}

IllegalMoveError AnyVector::illegal(std::size_t game, std::int64_t action) const {
  constexpr std::size_t shown = 12;
  const std::string what = "illegal action " + std::to_string(action) + " in game " + std::to_string(game) +
                           " of " + game_->name() + ": ";
  if (action < 0 || action >= encoding_.actions())
    return IllegalMoveError(what + "actions are 0 to " + std::to_string(encoding_.actions() - 1));
  std::vector<std::string> legal;
  for (const Move move : moves(game)) legal.push_back(std::to_string(encoding_.action(move)));
  const bool all = legal.size() <= shown;
  if (!all) legal.resize(shown);
  const Move move = encoding_.move(static_cast<int>(action));
  const std::string why =
      move == Move() ? "it leads off the board" : "it means " + move.text() + ", but " + refusal(game, move);
  return IllegalMoveError(what + why + "; legal: " + join(legal, " ") + (all ? "" : " ..."));
}

Encoding encoding_of(const AnyGame& game) {
  const auto start = game.start();
  return Encoding(game.traits(), start->cells(), start->moves(), swaps(game.spec()));
}

std::shared_ptr<AnyVector> make_vector(const AnyGame& game, const VectorSettings& settings) {
  game.start()->check_open("step");
  check_range("count", settings.count, 1, AnyVector::most_games);
  check_range("threads", settings.threads, 1, AnyVector::most_threads);
  check_range("random_plies", settings.random_plies, 0, AnyVector::most_random_plies);
  const Encoding encoding = encoding_of(game);
  const std::size_t bytes = bytes_per_game(encoding, settings);
  if (static_cast<std::size_t>(settings.count) * bytes > AnyVector::most_bytes)
    throw GameError("invalid count '" + std::to_string(settings.count) + "': the arrays of " + game.name() +
                    " may take " + std::to_string(AnyVector::most_bytes >> 30) + " GiB, enough for " +
                    std::to_string(AnyVector::most_bytes / bytes) + " games");
  return make_one_of(game, settings, encoding, Families{});
}

}  // namespace mossa
