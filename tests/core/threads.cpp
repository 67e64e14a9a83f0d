// Searches and the solvers of connect, kalah and mnk with two threads under ThreadSanitizer: `make tsan`
// builds and runs it. Nothing is printed but what was searched; a data race ends it with the sanitizer's
// report.
#include <cstdio>

#include "games.hpp"
#include "searches.hpp"
#include "solve/connect.hpp"
#include "solve/kalah.hpp"
#include "solve/mnk_search.hpp"

using namespace mossa;
using namespace mossa::baseline;

/// A network that says nothing.
template <Game G>
NetworkPointer blank_network(const G& game) {
  const NetworkGame wanted = *network_game(game, "");
  const std::vector<unsigned char> payload(NetworkShape(wanted).payload_bytes());
  return Network::read(Network::pack(wanted, payload, false));
}

template <template <class> class Algorithm, Game G, class... MaybeNetwork>
void search(const char* name, const G& game, const Limits& limits, const MaybeNetwork&... network) {
  const Options options = Options::check<InvalidPlayerError>({{"threads", "2"}, {"memory", "4"}},
                                                             Algorithm<G>::options(G::traits), name);
  Algorithm<G> search(game, options, network...);
  typename G::Position position = game.start();
  // Two moves of a game: the second search finds the table or the tree of the first.
  for (int i = 0; i < 2; ++i) {
    Task task;
    task.limits = limits;
    task.report = [](const Info&) {};
    const Info info = search.run(position, task);
    std::printf("%s: move %s, %llu nodes\n", name, info.move.text().c_str(),
                static_cast<unsigned long long>(info.nodes));
    game.play(position, info.move);
  }
}

template <Game G>
void search_all(const char* name, const G& game, int depth) {
  std::printf("%s\n", name);
  Limits limits;
  limits.depth = depth;
  search<AlphaBeta>("alphabeta", game, limits);
  search<GameTree>("gametree", game, limits);
  limits.time = 0.5;
  limits.depth.reset();
  search<AlphaBeta>("alphabeta with a deadline", game, limits);
  search<GameTree>("gametree with a deadline", game, limits);
  if constexpr (ThreatSearch<G>::plays) search<ThreatSearch>("threats with a deadline", game, limits);
  if constexpr (GravitySearch<G>::plays) search<GravitySearch>("gravity with a deadline", game, limits);
  if constexpr (ThreatSearch<G>::plays)
    search<ThreatSearch>("threats with a network", game, limits, blank_network(game));
  if constexpr (GravitySearch<G>::plays)
    search<GravitySearch>("gravity with a network", game, limits, blank_network(game));
  limits.iterations = 2000;
  search<Mcts>("mcts", game, limits);
}

/// Two workers on the same question, as the solvers run them: `ask(worker, must_stop)`.
template <class Worker, class Ask>
void solve_together(const char* name, typename Worker::Shared& shared, const Ask& ask) {
  std::array<int, 2> bounds{};
  std::vector<std::thread> threads;
  std::deque<Worker> workers;
  for (std::size_t i = 0; i < 2; ++i) workers.emplace_back(shared);
  for (std::size_t i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      const std::function<bool()> must_stop = [&, i] {
        workers[1 - i].nodes();
        return false;
      };
      bounds[i] = ask(workers[i], must_stop);
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("%s: %d and %d\n", name, bounds[0], bounds[1]);
}

template <class Bits>
void solve_connect(const char* name, int rows, int cols) {
  using Board = ConnectBoard<Bits>;
  using Worker = ConnectWorker<Board, Bits>;
  typename Worker::Shared shared(Board(rows, cols, 4), 1 << 21);
  solve_together<Worker>(name, shared, [](Worker& worker, const std::function<bool()>& must_stop) {
    return worker.search({0, 0}, 1, false, must_stop);
  });
}

/// From the start, with two seeds in each pit and no end-game tables.
template <class Bits>
void solve_kalah(const char* name, int pits) {
  using Board = KalahBoard<Bits>;
  using Worker = KalahWorker<Board, Bits>;
  KalahRules rules;
  rules.pits = pits;
  rules.seeds = 2;
  const Board board(rules);
  KalahRoot<Bits> root{0, rules.total()};
  for (int lane = 0; lane < 2 * pits; ++lane) board.add(root.bits, lane, rules.seeds);
  typename Worker::Shared shared(board, 1 << 21, nullptr);
  solve_together<Worker>(name, shared, [&](Worker& worker, const std::function<bool()>& must_stop) {
    return worker.search(root, 1, false, must_stop, ~std::uint64_t{0});
  });
}

/// Can first win? Asked in two ways at once; the table grows meanwhile.
template <class Bits>
void solve_mnk(const char* name, int rows, int cols, int k) {
  const MnkBoard<Bits> board(rows, cols, k);
  MnkTable<Bits> table(8 << 20, true);
  const std::size_t before = table.bytes();
  std::deque<MnkSearch<Bits>> searches;
  for (int i = 0; i < 2; ++i) searches.emplace_back(board, table, MnkParams());
  std::array<ProofNumbers, 2> found{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      const std::function<bool()> must_stop = [&, i] { return searches[1 - i].nodes() > 1'000'000; };
      found[i] = searches[i].solve(searches[i].state(0, 0, 0, true), must_stop, i == 0);
    });
  for (std::thread& thread : threads) thread.join();
  std::printf("%s: %d and %d, the table grew %zu-fold\n", name, found[0].wins() - found[0].holds(),
              found[1].wins() - found[1].holds(), table.bytes() / before);
}

int main() {
  solve_mnk<std::uint64_t>("solver, mnk 7x7x4", 7, 7, 4);
  solve_mnk<std::uint64_t>("solver, mnk 7x6x5", 7, 6, 5);
  solve_connect<std::uint64_t>("solver, connect 5x5x4", 5, 5);
  solve_kalah<std::uint64_t>("solver, kalah 5x2", 5);
#ifdef MOSSA_HAS_WIDE_BITS
  solve_connect<WideBits>("solver, connect 5x5x4 in two words", 5, 5);
  solve_kalah<WideBits>("solver, kalah 5x2 in two words", 5);
  solve_mnk<WideBits>("solver, mnk 7x7x4 in two words", 7, 7, 4);
#endif
  search_all("connect 6x7x4", Connect<1>(6, 7, 4), 9);
  search_all("mnk 7x7x4", Mnk<1>(7, 7, 4, false), 4);
  search_all("kalah 6x4", Kalah<1>(KalahRules{}), 9);
}
