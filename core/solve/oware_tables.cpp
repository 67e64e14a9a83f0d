// How end-game tables of oware are made.
#include "oware_tables.hpp"

#include <atomic>
#include <thread>

namespace mossa {

namespace {

/// The margin to come; `to_come(board)` gives that of a board with as many seeds.
template <class Bits, class Board, class ToCome>
int by_moves(const Board& board, const EndTables& tables, Bits bits, int seeds, const ToCome& to_come) {
  int best = -seeds;
  bool moved = false;
  board.any_move(bits, [&](int, const auto& next) {
    moved = true;
    best = std::max(best, next.gain ? next.gain - tables[board.number(next.board)] : -to_come(next.board));
    return false;
  });
  return moved ? best : board.leftover(bits, seeds);
}

/// Calls `work(begin, end)` for parts of 0 to count, on several threads, until `poll` asks to stop; false if
/// it did.
template <class Work>
bool in_parts(std::uint64_t count, int threads, const Poll& poll, const Work& work) {
  constexpr std::uint64_t part = 1 << 14;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> stop{false};
  const auto run = [&](int thread) {
    for (std::uint64_t begin = next.fetch_add(part); begin < count && !stop; begin = next.fetch_add(part)) {
      work(thread, begin, std::min(count, begin + part));
      if (thread == 0 && poll && poll()) stop = true;
    }
  };
  std::vector<std::thread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(run, i);
  run(0);
  for (std::thread& helper : helpers) helper.join();
  return !stop;
}

/// One layer while it is filled.
template <class Bits, class Board>
class Layer {
 public:
  Layer(const Board& board, const EndTables& tables, std::int8_t* values, int seeds, int threads,
        const Poll& poll)
      : board_(board),
        tables_(tables),
        seeds_(seeds),
        threads_(threads),
        poll_(poll),
        begin_(EndTables::positions(board.pits(), seeds - 1)),
        count_(EndTables::positions(board.pits(), seeds) - begin_),
        values_(values + begin_),
        marked_((count_ + 63) / 64),
        changes_(static_cast<std::size_t>(threads)) {}

  /// False if it was stopped.
  bool fill() {
    // 1. A game of one move.
    bool going = parts([&](int, std::uint64_t i) {
      values_[i] = static_cast<std::int8_t>(by_moves(board_, tables_, at(i), seeds_, [](Bits) { return 0; }));
    });
    going = going && parts([&](int, std::uint64_t i) {
              if (values_[i]) mark_before(i);
            });
    // 2. One move more, wherever that can matter, until it does not.
    while (going && any_marked()) {
      going = parts([&](int thread, std::uint64_t i) {
        if (!is_marked(i)) return;
        const auto to_come = [&](Bits next) { return int{values_[board_.number(next) - begin_]}; };
        const int value = by_moves(board_, tables_, at(i), seeds_, to_come);
        if (value != values_[i])
          changes_[static_cast<std::size_t>(thread)].push_back({i, static_cast<std::int8_t>(value)});
      });
      for (auto& word : marked_) word.store(0, std::memory_order_relaxed);
      for (std::vector<Change>& changes : changes_) {
        for (const Change& change : changes) {
          values_[change.at] = change.value;
          mark_before(change.at);
        }
        changes.clear();
      }
    }
    return going;
  }

 private:
  struct Change {
    std::uint64_t at;
    std::int8_t value;
  };

  Bits at(std::uint64_t i) const { return board_.numbered(begin_ + i); }

  /// Calls `use(thread, i)` for all boards, by threads.
  template <class Use>
  bool parts(const Use& use) {
    return in_parts(count_, threads_, poll_, [&](int thread, std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) use(thread, i);
    });
  }

  bool is_marked(std::uint64_t i) const {
    return marked_[i / 64].load(std::memory_order_relaxed) >> i % 64 & 1;
  }
  void mark_before(std::uint64_t i) {
    board_.for_each_before(at(i), [&](Bits before) {
      const std::uint64_t number = board_.number(before) - begin_;
      marked_[number / 64].fetch_or(std::uint64_t{1} << number % 64, std::memory_order_relaxed);
    });
  }
  bool any_marked() const {
    return std::ranges::any_of(marked_, [](const auto& word) { return word.load() != 0; });
  }

  const Board& board_;
  const EndTables& tables_;
  int seeds_, threads_;
  const Poll& poll_;
  std::uint64_t begin_, count_;  // the numbers of its boards
  std::int8_t* values_;
  std::vector<std::atomic<std::uint64_t>> marked_;  // a bit for each board that must be looked at again
  std::vector<std::vector<Change>> changes_;        // found by each thread
};

}  // namespace

OwareRules solvable_oware(const AnyGame& game) {
  const OwareRules rules = OwareRules::of(
      game.spec(), Options::check<InvalidGameError>(game.spec().options, game.info().options, game.name()));
  if (!rules.repeat_shares) {
    GameSpec shared = game.spec();
    shared.options["repeat"] = "share";
    throw GameError("cannot solve " + game.name() +
                    ": with repeat=row the value of a position depends on earlier moves; use " +
                    name_of(shared, game.info()));
  }
  return rules;
}

std::unique_ptr<EndTables> make_oware_tables(std::shared_ptr<const AnyGame> game, int most) {
  return std::make_unique<OwareTables>(std::move(game), most);
}

bool OwareTables::fill(std::int8_t* values, int seeds, int threads, const Poll& poll) const {
  return with_board([&]<class Bits>(const auto& board) {
    return Layer<Bits, std::decay_t<decltype(board)>>(board, *this, values, seeds, threads, poll).fill();
  });
}

int OwareTables::check(int samples, std::uint64_t random) const {
  return with_board([&]<class Bits>(const auto& board) {
    return count_wrong<Bits>(board, samples, random, [&](Bits bits, int seeds) {
      return by_moves(board, *this, bits, seeds, [&](Bits next) { return int{(*this)[board.number(next)]}; });
    });
  });
}

std::optional<std::uint64_t> OwareTables::number_of(const AnyPosition& position) const {
  return with_board([&]<class Bits>(const auto& board) -> std::optional<std::uint64_t> {
    if (!earlier_boards<Bits>(board, position).empty()) return {};
    return board.number(*board.bits_of(position));
  });
}

}  // namespace mossa
