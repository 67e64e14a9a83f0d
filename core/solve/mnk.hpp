// An exact solver for mnk boards of up to 128 cells: who wins, with a proven number of plies.
//
// Two questions settle a score: can the side to move force a win, and if not, can the other side? By strategy
// stealing (Nash) the answer to the second one is no on the empty board. Nobody knows in advance which
// question is hard, or which way of asking it is quick, so the solver works on all of them in turn, each time
// for twice as many nodes; the table keeps what it finds. The ways are
// - weak: the defender's lines are ignored, which can only prove that it holds, but often does at once;
// - narrow: few moves of the defender at a time, which is quick where it holds;
// - thorough: all moves at once, which is quick where the attacker wins.
//
// Several threads take the ways by turns: each takes the one that is furthest behind its share and that no
// other thread is on. They share the table, so what one finds helps the others.
#pragma once

#include "mnk_search.hpp"
#include "solver.hpp"
#include "team.hpp"

namespace mossa {

template <class Bits>
class MnkSolver final : public AnySolver {
 public:
  MnkSolver(std::shared_ptr<const AnyGame> game, const SolverSettings& settings)
      : AnySolver(std::move(game)),
        board_(this->game()->spec().sizes[0], this->game()->spec().sizes[1], this->game()->spec().sizes[2]),
        table_(settings.memory, settings.threads > 1) {
    if (settings.findings_from) table_.keep_findings(*settings.findings_from);
    const MnkParams params(settings.tuning);
    for (int i = 0; i < settings.threads; ++i) searches_.emplace_back(board_, table_, params);
  }

  std::uint64_t nodes() const override { return nodes_of(searches_); }

 private:
  using State = MnkState<Bits>;
  /// The stones of the side to move and of the other one.
  struct Root {
    Bits mine, theirs;
  };

  Solution prove(const AnyPosition& position, SolverWork& work) override {
    return prove(read(position), work);
  }

  std::vector<Move> best_line(const AnyPosition& position, int most, SolverWork& work) override {
    Root root = read(position);
    const Solution solution = prove(root, work);
    std::vector<Move> moves;
    if (!solution.solved()) return moves;
    int value = solution.low.value, within = *solution.low.distance;
    for (; static_cast<int>(moves.size()) < most; value = -value, --within) {
      const Bits cell = best_move(root, value, within, work);
      if (!cell) break;
      moves.push_back(Move::cell(lowest_bit(cell) / board_.cols(), lowest_bit(cell) % board_.cols()));
      const bool won = completes(root.mine, cell);
      root = after(root, cell);
      if (won || left(root) == 0) break;
    }
    return moves;
  }

  std::optional<Defence> hold(std::string_view cells, const std::vector<int>& avoid,
                              SolverWork& work) override {
    const State state = state_of(cells, false);
    if (const Bits wins = state.defend.completing()) return Defence{lowest_bit(wins), false, {}};
    const std::vector<Candidate> candidates = candidates_in(state, cells_of(cells, '.'));
    if (auto found = hold_by_pairs(candidates, cells_of(avoid))) return found;
    State weak = state;
    weak.weaken();
    Question question{weak};
    work_on(question, nodes_for_weak, work, {});
    const bool holds = question.answer.holds();
    const Bits cell = holding_move(candidates, holds, work);
    if (!cell) return {};
    return Defence{lowest_bit(cell), holds, {}};
  }

  std::optional<CellPairs> find_pairs(std::string_view cells) override {
    Defence found;
    if (!look_for_pairs(state_of(cells, true), 0, true, found)) return {};
    return found.pairs;
  }

  void forget() override {
    table_.clear();
    for (MnkSearch<Bits>& search : searches_) search.forget();
    groups_.reset();
  }

  std::string take_findings() override { return table_.findings(); }
  void take_in(std::string_view findings) override { table_.learn(findings); }

  enum class Way : std::uint8_t { weak, narrow, thorough };
  static constexpr std::array<std::pair<Way, int>, 3> ways{
      {{Way::weak, 2}, {Way::narrow, 2}, {Way::thorough, 1}}};  // with its share of the nodes
  static constexpr std::uint64_t first_nodes = 2000;
  static constexpr std::uint64_t nodes_alone = 1 << 15;  // before it is worth to start other threads
  static constexpr std::uint64_t nodes_for_weak =
      1 << 16;  // a certificate is smaller without the defender's lines

  /// Can this side force a win?
  struct Question {
    State state;
    bool mover = true;      // it is about the side to move
    bool weak_won = false;  // the weak way cannot help
    ProofNumbers answer{};
    bool is_open() const { return !answer.settled(); }
  };

  /// The cells of a certificate's state that have this letter.
  Bits cells_of(std::string_view cells, char letter) const {
    Bits found = 0;
    for (std::size_t i = 0; i < std::min(cells.size(), static_cast<std::size_t>(board_.cells())); ++i)
      if (cells[i] == letter) found |= Bits{1} << i;
    return found;
  }
  Bits cells_of(const std::vector<int>& numbers) const {
    Bits found = 0;
    for (const int cell : numbers)
      if (cell >= 0 && cell < board_.cells()) found |= Bits{1} << cell;
    return found;
  }
  State state_of(std::string_view cells, bool attacker_moves) const {
    const Bits attack = cells_of(cells, 'a'), defend = cells_of(cells, 'd');
    return searches_.front().state(attack, defend, ~(attack | defend | cells_of(cells, '.')), attacker_moves);
  }

  Root read(const AnyPosition& position) const {
    const Cells cells = position.cells();
    std::array<Bits, 2> stones{};
    for (int row = 0; row < board_.rows(); ++row)
      for (int col = 0; col < board_.cols(); ++col)
        if (const int stone = cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)])
          stones[static_cast<std::size_t>(stone - 1)] |= board_.cell(row, col);
    const std::size_t mover = index(position.side());
    return {stones[mover], stones[1 - mover]};
  }

  static Root after(const Root& root, Bits cell) { return {root.theirs, root.mine | cell}; }
  int left(const Root& root) const { return board_.cells() - count_bits(root.mine | root.theirs); }
  Bits empty(const Root& root) const {
    Bits cells = 0;
    for (int row = 0; row < board_.rows(); ++row)
      for (int col = 0; col < board_.cols(); ++col) cells |= board_.cell(row, col);
    return cells & ~(root.mine | root.theirs);
  }
  bool completes(Bits stones, Bits cell) const {
    return std::ranges::any_of(board_.lines(), [&](const auto& line) {
      return line.cells & cell && !(line.cells & ~(stones | cell));
    });
  }

  Question question(const Root& root, bool mover) const {
    return {mover ? searches_.front().state(root.mine, root.theirs, 0, true)
                  : searches_.front().state(root.theirs, root.mine, 0, false),
            mover};
  }

  /// Works on a question for so many nodes, or until a limit comes. True if it is answered.
  bool work_on(Question& question, std::uint64_t nodes, SolverWork& work,
               const std::function<Solution()>& report) {
    for (const auto& [way, share] : ways) {
      if (question.answer.settled() || work.stopped()) break;
      if (way == Way::weak && question.weak_won) continue;
      State state = question.state;
      if (way == Way::weak) state.weaken();
      const std::uint64_t limit = nodes * static_cast<unsigned>(share);
      MnkSearch<Bits>& search = searches_.front();
      const std::uint64_t before = search.nodes();
      const ProofNumbers numbers = search.solve(
          state,
          [&] {
            if (work.budget().tick()) return true;
            if (report && search.nodes() % 1024 == 0) work.tell_now_and_then(report);
            return search.nodes() - before >= limit;
          },
          way == Way::thorough);
      if (way == Way::weak && numbers.wins())
        question.weak_won = true;
      else if (numbers.settled())
        question.answer = numbers;
    }
    return question.answer.settled();
  }

  /// Works on a question until it is answered; false if a limit comes first.
  bool answer(Question& question, SolverWork& work) {
    for (std::uint64_t nodes = first_nodes; !work.stopped(); nodes *= 2)
      if (work_on(question, nodes, work, {})) return true;
    return false;
  }

  /// What is known and what is open of a position.
  struct Case {
    std::vector<Question> questions;
    Proven low{-1, 2}, high{1, 1};
    int left = 0;  // empty cells

    /// Draws the conclusion from an answer.
    void conclude(const Question& question) {
      if (question.answer.wins())
        low = high = Proven{question.mover ? 1 : -1, question.answer.plies};
      else
        (question.mover ? high : low) = Proven{0, left};
    }
    bool is_open() const {
      return low != high &&
             std::ranges::any_of(questions, [](const Question& each) { return each.is_open(); });
    }
  };

  Solution prove(const Root& root, SolverWork& work) {
    const std::optional<Proven>& asked = work.task().at_least;
    Case open{{}, {-1, 2}, {1, 1}, left(root)};
    if (!asked || asked->value == 1) open.questions.push_back(question(root, true));
    if (!(root.mine | root.theirs))
      open.low = {0, left(root)};
    else if (!asked || asked->value == 0)
      open.questions.push_back(question(root, false));
    prove_alone(open, searches_.size() > 1 ? nodes_alone : ~std::uint64_t{0}, work);
    if (open.is_open() && !work.stopped()) prove_together(open, work);
    return solution(open, work);
  }

  Solution solution(const Case& open, const SolverWork& work) const {
    std::size_t bytes = table_.bytes();
    for (const MnkSearch<Bits>& search : searches_) bytes += search.bytes();
    return {open.low, open.high, work.nodes(), work.seconds(), bytes};
  }

  /// Works on all questions in turn, until they are answered, a limit comes, or about so many nodes are
  /// visited.
  void prove_alone(Case& open, std::uint64_t most, SolverWork& work) {
    const auto report = [&] { return solution(open, work); };
    for (std::uint64_t nodes = first_nodes; open.is_open() && work.nodes() < most; nodes *= 2)
      for (Question& each : open.questions) {
        if (work.stopped() || !open.is_open()) return;
        if (!each.is_open() || !work_on(each, nodes, work, report)) continue;
        open.conclude(each);
        if (open.is_open()) work.tell(report);
      }
  }

  /// A way of asking a question, for threads to take.
  struct Turn {
    Turn(Question& asked, Way chosen, int part)
        : question(&asked), way(chosen), share(static_cast<std::uint64_t>(part)) {}
    Question* question;
    Way way;
    std::uint64_t share;
    std::uint64_t nodes = 0;  // spent on it
    int threads = 0;          // that are on it
    std::atomic<bool> over{false};
  };

  /// What the threads share that work on a position.
  struct Agenda {
    Case& open;
    std::deque<Turn> turns{};
    std::mutex mutex{};  // of all but `over`
    std::atomic<bool> news{false};

    explicit Agenda(Case& all) : open(all) {
      for (Question& question : open.questions)
        for (const auto& [way, share] : ways)
          if (question.is_open() && !(way == Way::weak && question.weak_won))
            turns.emplace_back(question, way, share);
    }
    /// Of those that fewest threads are on, the one that has had least of its share.
    Turn* next() {
      Turn* best = nullptr;
      const auto rank = [](const Turn& turn) { return std::pair(turn.threads, turn.nodes / turn.share); };
      for (Turn& turn : turns)
        if (!turn.over && (!best || rank(turn) < rank(*best))) best = &turn;
      if (best) ++best->threads;
      return best;
    }
    /// Takes down what came of a turn.
    void note(Turn& turn, std::uint64_t nodes, const ProofNumbers& numbers) {
      turn.nodes += nodes;
      --turn.threads;
      if (!numbers.settled() || turn.over) return;
      turn.over = true;
      if (turn.way == Way::weak && numbers.wins()) return;
      turn.question->answer = numbers;
      open.conclude(*turn.question);
      for (Turn& each : turns)
        if (each.question == turn.question || !open.is_open()) each.over = true;
      news = open.is_open();
    }
  };

  /// The same with all threads, until the questions are answered or a limit comes.
  void prove_together(Case& open, SolverWork& work) {
    Agenda agenda(open);
    const auto report = [&] {
      const std::scoped_lock lock(agenda.mutex);
      return solution(open, work);
    };
    const std::function<bool()> is_done = [&] { return done_.load(std::memory_order_relaxed); };
    const std::function<bool()> must_stop = [&] {
      if (is_done() || work.budget().tick() || !work.nodes_left()) return true;
      if (agenda.news.exchange(false, std::memory_order_relaxed))
        work.tell(report);
      else if (searches_.front().nodes() % 1024 == 0)
        work.tell_now_and_then(report);
      return false;
    };
    ask_together(searches_, std::min(searches_.size(), agenda.turns.size()), done_,
                 [&](MnkSearch<Bits>& search, bool leads) {
                   take_turns(agenda, search, leads ? must_stop : is_done);
                   return 0;
                 });
  }

  /// One thread's work. Throws SearchStopped if it must stop.
  void take_turns(Agenda& agenda, MnkSearch<Bits>& search, const std::function<bool()>& must_stop) {
    while (true) {
      std::unique_lock lock(agenda.mutex);
      Turn* const turn = agenda.next();
      if (!turn) return;
      State state = turn->question->state;
      const std::uint64_t limit =
          std::max(first_nodes * turn->share, turn->nodes / 16);  // often, so that none falls behind
      lock.unlock();
      if (turn->way == Way::weak) state.weaken();
      const std::uint64_t before = search.nodes();
      bool stopped = false;
      const ProofNumbers numbers = search.solve(
          state,
          [&] {
            stopped = must_stop();
            return stopped || turn->over.load(std::memory_order_relaxed) || search.nodes() - before >= limit;
          },
          turn->way == Way::thorough);
      lock.lock();
      agenda.note(*turn, search.nodes() - before, numbers);
      if (stopped) throw SearchStopped{};
    }
  }

  /// What a cell can still be used for, by either side: rows count four times for each stone they have.
  int use(const Root& root, Bits cell) const {
    int sum = 0;
    for (const auto& line : board_.lines()) {
      if (!(line.cells & cell)) continue;
      for (const auto& [own, other] : {std::pair{root.mine, root.theirs}, {root.theirs, root.mine}})
        if (!(line.cells & other)) sum += 1 << std::min(2 * count_bits(line.cells & own), 24);
    }
    return sum;
  }

  /// A move that keeps the value of a solved position: the quickest win that is known, the slowest loss of
  /// those that are known to be over within the plies that were proven, and of draws the one that is of most
  /// use. (Where a move was never tried, the win that is found against it now may be longer than the one that
  /// the proof relies on.)
  Bits best_move(const Root& root, int value, int within, SolverWork& work) {
    Bits best = 0;
    int best_rank = 0;
    std::vector<Bits> unknown;
    for (Bits cells = empty(root); cells; cells &= cells - 1) {
      const Bits cell = lowest_of(cells);
      if (completes(root.mine, cell)) return cell;
      const Root next = after(root, cell);
      const ProofNumbers known =
          left(next) ? searches_.front().known(question(next, value <= 0).state) : ProofNumbers::held();
      // Of a winner's move the question is about the other side than the one to move next.
      if (!known.settled()) {
        unknown.push_back(cell);
      } else if (value == 0 ? known.holds() : known.wins()) {
        const int rank = value == 0                          ? use(root, cell)
                         : value < 0 && known.plies < within ? known.plies
                                                             : -known.plies;
        if (best && rank <= best_rank) continue;
        best = cell;
        best_rank = rank;
      }
    }
    if (best) return best;
    if (value == 0)
      std::ranges::stable_sort(unknown, std::ranges::greater(), [&](Bits cell) { return use(root, cell); });
    for (const Bits cell : unknown) {
      const Root next = after(root, cell);
      Question open = question(next, value <= 0);
      if (!answer(open, work)) return 0;
      if (value == 0 ? open.answer.holds() : open.answer.wins()) return cell;
    }
    return 0;
  }

  /// A move of the defender, and what is left then.
  struct Candidate {
    Bits cell;
    State after;
  };
  /// The defender's moves, those that leave the attacker least first.
  static std::vector<Candidate> candidates_in(const State& state, Bits empty) {
    std::vector<Candidate> candidates;
    for (; empty; empty &= empty - 1) {
      candidates.push_back({lowest_of(empty), state});
      candidates.back().after.play(lowest_of(empty));
    }
    std::ranges::stable_sort(candidates, {}, [](const Candidate& each) { return each.after.potential(); });
    return candidates;
  }

  /// A move after which pairs hold: one at first sight, or else one that takes a search for pairs.
  std::optional<Defence> hold_by_pairs(const std::vector<Candidate>& candidates, Bits avoid) {
    Defence found{0, true, {}};
    for (const bool thorough : {false, true})
      for (const Candidate& each : candidates)
        if (look_for_pairs(each.after, avoid, thorough, found)) {
          found.cell = lowest_bit(each.cell);
          return found;
        }
    return {};
  }
  /// Are there pairs with which the defender holds, with the attacker to move?
  bool look_for_pairs(State state, Bits avoid, bool thorough, Defence& found) {
    if (state.attack.completing()) return false;
    state.attack.drop_longer();
    LinePairs<Bits> pairs(state.attack, avoid, groups_);
    if (!pairs.found() && !(thorough && pairs.search())) return false;
    found.pairs.emplace();
    pairs.for_pairs(
        [&](Bits pair) { found.pairs->emplace_back(lowest_bit(pair), lowest_bit(pair & (pair - 1))); });
    return true;
  }

  /// A move after which the defender holds, with or without its lines; nothing if a limit came first.
  Bits holding_move(std::vector<Candidate> candidates, bool weak, SolverWork& work) {
    if (weak)
      for (Candidate& each : candidates) each.after.weaken();
    MnkSearch<Bits>& search = searches_.front();
    for (const Candidate& each : candidates)
      if (search.held_at_sight(each.after)) return each.cell;
    for (const Candidate& each : candidates)
      if (search.known(each.after).holds()) return each.cell;
    for (const Candidate& each : candidates) {
      Question question{each.after};
      question.weak_won = weak;  // it is the same as the others
      if (!answer(question, work)) return 0;
      if (question.answer.holds()) return each.cell;
    }
    return 0;
  }

  MnkBoard<Bits> board_;
  MnkTable<Bits> table_;
  std::deque<MnkSearch<Bits>> searches_;  // one for each thread
  LineGroups<Bits> groups_;               // in which the pairs of a certificate were found last
  std::atomic<bool> done_{false};         // all threads are to stop
};

}  // namespace mossa
