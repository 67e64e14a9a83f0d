// oware: sow the seeds of one of your pits; a last seed that makes two or three on the other side captures.
//
// Sowing goes over all pits but the one the seeds came from, and never into a store. A game ends when the
// side to move has no legal move; then each side keeps what is in its row. It also ends when a position
// repeats: the same seeds in the same pits, and the same side to move.
//
// So a position knows the boards before it. A capture takes seeds out of play for good, and no board from
// before it can return: only the boards since the last capture are kept. They decide what may still be
// played, so two positions are equal only if their earlier boards are. The key holds the board exactly, and
// the earlier boards as the sum of their hashes, whatever their order: 64 bits for each side to move. So a
// search that looks positions up by key never takes a value from a path on which other positions would
// repeat. It finds fewer transpositions that way, but a capture wipes the slate clean.
#pragma once

#include "../table.hpp"
#include "oware_rules.hpp"
#include "sowing.hpp"

namespace mossa {

enum class OwareStatus : std::uint8_t { open, stuck, majority, repeated };

template <int Words>
class Oware {
 public:
  using Sides = typename SowingBoard<Words>::Sides;

  struct Position {
    Sides lanes;
    Side side = Side::first;
    OwareStatus status = OwareStatus::open;
    std::vector<Sides> earlier;                // since the last capture, the oldest first; sides took turns
    std::array<std::uint64_t, 2> hashes = {};  // of `earlier`, by the side that was to move
  };
  static constexpr Traits traits{.scoring = Scoring::margin, .shape = Shape::pits, .unit = "seeds"};
  static constexpr int max_moves = 12;
  static constexpr int key_words = 2 * Words + 2;

  explicit Oware(const OwareRules& rules) : rules_(rules), board_(rules, Track::without_source) {}

  const OwareRules& rules() const { return rules_; }

  Position start() const {
    Position position;
    position.lanes = board_.full();
    finish_if_over(position);
    return position;
  }

  Side side(const Position& position) const { return position.side; }
  bool is_over(const Position& position) const { return position.status != OwareStatus::open; }

  /// The margin of the first side, also while the game goes on.
  int value(const Position& position) const { return board_.margin(position.lanes); }

  Outcome outcome(const Position& position) const {
    return board_.outcome(position.lanes, position.status == OwareStatus::majority
                                              ? "the rest cannot change it"
                                          : position.status == OwareStatus::repeated ? "the position repeats"
                                                                                     : "no moves are left");
  }

  MoveList<max_moves> moves(const Position& position) const {
    MoveList<max_moves> list;
    if (!is_over(position)) for_each_legal(position, [&](int pit) { list.add(Move::number(pit + 1)); });
    return list;
  }

  int count_moves(const Position& position) const {
    int count = 0;
    if (!is_over(position)) for_each_legal(position, [&](int) { ++count; });
    return count;
  }

  /// A random legal move, each equally likely; the game must not be over.
  template <class Random>
  Move random_move(const Position& position, Random& random) const {
    if (may_sow_any(position)) {
      const Lanes<Words> own = position.lanes[index(position.side)] & board_.pits();
      return Move::number(own.nonzero_lane(random.below(own.count_nonzero())) + 1);
    }
    const MoveList<max_moves> list = moves(position);
    return list[random.below(list.size())];
  }

  void play(Position& position, Move move) const {
    const std::size_t mover = index(position.side);
    const Sown sown = sow(position.lanes, position.side, move.number() - 1);
    if (sown.captured) {
      forget(position);
    } else {
      position.earlier.push_back(position.lanes);
      position.hashes[mover] += hash_of(board_.key(position.lanes, 0, position.side));
    }
    position.lanes[mover] = sown.own;
    position.lanes[mover ^ 1] = sown.opposing;
    position.side = other(position.side);
    finish_if_over(position);
  }

  std::optional<std::string> refusal(const Position& position, Move move) const {
    if (is_over(position)) return "the game is over (" + outcome(position).text() + ")";
    if (const auto why = board_.refusal(position.lanes, position.side, move, accepted_moves())) return why;
    const Sown sown = sow(position.lanes, position.side, move.number() - 1);
    if (is_legal(position, sown)) return {};
    if (sown.slam && rules_.slam == OwareRules::Slam::forbid)
      return "pit " + move.text() + " would capture all the opponent's seeds";
    return "pit " + move.text() + " leaves the opponent without seeds";
  }

  Key<key_words> key(const Position& position) const {
    return with_hashes(board_.key(position.lanes, static_cast<int>(position.side), Side::first), position,
                       Side::first);
  }

  /// From the view of the side to move: exchanging the sides, now and before, changes nothing else.
  Key<key_words> canonical_key(const Position& position) const {
    return with_hashes(board_.key(position.lanes, 0, position.side), position, position.side);
  }

  Cells cells(const Position& position) const { return board_.cells(position.lanes); }

  std::optional<Cell> source(const Position& position, Move move) const {
    return Cell{static_cast<int>(position.side), move.number() - 1};
  }
  std::optional<Cell> target(const Position&, Move) const { return {}; }
  std::vector<Cell> winning_cells(const Position&) const { return {}; }

  /// "0,2,1/1,1,1 second after 1,1,1/1,1,1 first 1", with stores: the board, and if positions may repeat
  /// the board after the last capture with the moves since.
  std::string text(const Position& position) const {
    const std::string now = board_.text(position.lanes, position.side);
    const std::size_t count = position.earlier.size();
    if (count == 0) return now;
    Side mover = count % 2 ? other(position.side) : position.side;
    std::string text = now + std::string(after) + board_.text(position.earlier[0], mover);
    for (std::size_t i = 0; i < count; ++i, mover = other(mover)) {
      const Sides& next = i + 1 < count ? position.earlier[i + 1] : position.lanes;
      text += " " + std::to_string(sown_pit(position.earlier[i], next, mover) + 1);
    }
    return text;
  }

  Position parse(std::string_view text) const {
    std::string_view rest = text;
    Position shown;
    shown.lanes = board_.read(rest, text);
    const std::size_t more = rest.find(after);
    shown.side = board_.read_side(rest.substr(0, more), text);
    if (more == std::string_view::npos) {
      finish_if_over(shown);
      return shown;
    }
    rest.remove_prefix(more + after.size());
    const Position reached = follow(rest, text);
    if (reached.lanes != shown.lanes || reached.side != shown.side)
      throw board_.invalid(text, "the moves lead to '" + board_.text(reached.lanes, reached.side) + "'");
    return reached;
  }

  std::string accepted_moves() const { return board_.accepted_moves(); }
  std::size_t move_length(std::string_view word) const { return number_length(word, rules_.pits); }
  /// Pits nearer to the other side.
  int centre_rank(Move move) const { return move.number(); }
  int left_to_play(const Position& position) const { return board_.seeds_in_pits(position.lanes); }

 private:
  /// Both sides after a sowing, from the view of the mover.
  struct Sown {
    Lanes<Words> own, opposing;
    int captured = 0;
    bool slam = false;  // it took all the opponent's seeds, or would have
  };

  static constexpr std::string_view after = " after ";

  Sown sow(const Sides& sides, Side side, int pit) const {
    Sown sown{sides[index(side)], sides[index(other(side))]};
    // 1. Sow.
    const Sowing<Words>& sowing = board_.sowing(pit, sown.own[pit]);
    sown.own.clear(pit);
    sown.own += sowing.own;
    sown.opposing += sowing.opposing;
    // 2. Twos and threes of the opponent, from the last seed back without a gap.
    Lanes<Words> left = sown.opposing;
    int captured = 0;
    for (int lane = sowing.last - rules_.pits - 1; lane >= 0; --lane) {
      const int seeds = left[lane];
      if (seeds != 2 && seeds != 3) break;
      captured += seeds;
      left.clear(lane);
    }
    // 3. Take them, unless nothing would be left.
    sown.slam = captured && !has_seeds(left);
    if (sown.slam && rules_.slam == OwareRules::Slam::keep) return sown;
    sown.opposing = left;
    sown.own.add(rules_.pits, captured);
    sown.captured = captured;
    return sown;
  }

  bool has_seeds(const Lanes<Words>& lanes) const { return (lanes & board_.pits()).any(); }

  /// An opponent without seeds must be given some.
  bool is_legal(const Position& position, const Sown& sown) const {
    if (sown.slam && rules_.slam == OwareRules::Slam::forbid) return false;
    return has_seeds(position.lanes[index(other(position.side))]) || has_seeds(sown.opposing);
  }

  /// True if any pit with seeds will do: the opponent has some, and may be slammed.
  bool may_sow_any(const Position& position) const {
    return rules_.slam != OwareRules::Slam::forbid && has_seeds(position.lanes[index(other(position.side))]);
  }

  template <class Use>
  void for_each_legal(const Position& position, Use&& use) const {
    const bool all = may_sow_any(position);
    (position.lanes[index(position.side)] & board_.pits()).for_each_nonzero([&](int pit) {
      if (all || is_legal(position, sow(position.lanes, position.side, pit))) use(pit);
    });
  }

  void finish_if_over(Position& position) const {
    if (rules_.majority && board_.is_settled(position.lanes)) return finish(position, OwareStatus::majority);
    const bool can_move =
        may_sow_any(position) ? has_seeds(position.lanes[index(position.side)]) : count_moves(position) > 0;
    if (!can_move) return finish(position, OwareStatus::stuck);
    if (is_repeated(position)) finish(position, OwareStatus::repeated);
  }

  bool is_repeated(const Position& position) const {
    for (std::size_t i = position.earlier.size(); i >= 2; i -= 2)
      if (position.earlier[i - 2] == position.lanes) return true;
    return false;
  }

  void finish(Position& position, OwareStatus status) const {
    position.status = status;
    if (status == OwareStatus::repeated && rules_.repeat_shares) return;
    board_.collect(position.lanes, true);
    forget(position);
  }

  static void forget(Position& position) {
    position.earlier.clear();
    position.hashes = {};
  }

  Key<key_words> with_hashes(const Key<2 * Words>& board, const Position& position, Side leading) const {
    Key<key_words> key;
    std::ranges::copy(board, key.begin());
    key[2 * Words] = position.hashes[index(leading)];
    key[2 * Words + 1] = position.hashes[index(other(leading))];
    return key;
  }

  /// The pit whose seeds were sown between two boards: the only one that lost its seeds, for no other of the
  /// mover's does.
  int sown_pit(const Sides& before, const Sides& then, Side mover) const {
    int pit = 0;
    while (before[index(mover)][pit] == 0 || then[index(mover)][pit] != 0) ++pit;
    return pit;
  }

  /// The position after a board and moves that capture nothing; if they are not, the error quotes `whole`.
  Position follow(std::string_view rest, std::string_view whole) const {
    Position position;
    position.lanes = board_.read(rest, whole);
    std::size_t end = rest.find(' ');
    position.side = board_.read_side(rest.substr(0, end), whole);
    finish_if_over(position);
    while (end != std::string_view::npos) {
      rest.remove_prefix(end + 1);
      end = rest.find(' ');
      const std::string_view word = rest.substr(0, end);
      const std::optional<Move> move = Move::parse(word);
      if (!move) throw board_.invalid(whole, quote(word) + " is not a move");
      if (const auto why = refusal(position, *move)) throw board_.invalid(whole, quote(word) + ": " + *why);
      play(position, *move);
      if (position.earlier.empty() && !is_over(position))
        throw board_.invalid(whole, quote(word) + " captures seeds, so nothing before it can repeat");
    }
    return position;
  }

  OwareRules rules_;
  SowingBoard<Words> board_;
};

struct OwareFamily {
  static const KindInfo& info() { return OwareRules::kind(); }

  template <class Use>
  static auto make(const GameSpec& spec, const Options& options, Use&& use) {
    const OwareRules rules = OwareRules::of(spec, options);
    return rules.pits <= 7 ? use(Oware<1>(rules)) : use(Oware<4>(rules));
  }
};

}  // namespace mossa
