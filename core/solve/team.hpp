// Threads that look for the answer to one question together.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace mossa {

/// Thrown through a search that must stop.
struct SearchStopped {};

/// The first answer that one of the first `count` workers finds; nothing if all were stopped. Calls `look`
/// with a worker and whether it leads; the calling thread's does. `done` tells all of them to stop. What a
/// worker throws, out of memory for one, stops all of them and is thrown here.
template <class Worker, class Look>
std::optional<int> ask_together(std::deque<Worker>& workers, std::size_t count, std::atomic<bool>& done,
                                const Look& look) {
  std::optional<int> answer;
  std::exception_ptr failure;
  std::mutex answering;
  const auto work = [&](std::size_t i) {
    try {
      const int found = look(workers[i], i == 0);
      const std::scoped_lock lock(answering);
      answer = found;
      done = true;
    } catch (const SearchStopped&) {  // the answer of another, or none
    } catch (...) {
      const std::scoped_lock lock(answering);
      failure = std::current_exception();
      done = true;
    }
  };
  // Stop the others and wait for them, whatever happens to the first.
  struct Helpers {
    ~Helpers() {
      if (!threads.empty()) done = true;
      for (std::thread& thread : threads) thread.join();
    }
    std::atomic<bool>& done;
    std::vector<std::thread> threads;
  };
  done = false;
  {
    Helpers helpers{done, {}};
    for (std::size_t i = 1; i < count; ++i) helpers.threads.emplace_back(work, i);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
  return answer;
}

/// The positions that all workers have visited.
template <class Worker>
std::uint64_t nodes_of(const std::deque<Worker>& workers) {
  std::uint64_t nodes = 0;
  for (const Worker& worker : workers) nodes += worker.nodes();
  return nodes;
}

}  // namespace mossa
