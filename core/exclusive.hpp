// Lets one thread at a time use a search or a solver.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "types.hpp"

namespace mossa {

class Exclusive {
 public:
  /// Waits for its turn and keeps it. A report callback that runs the search it reports on would wait for
  /// itself.
  class Hold {
   public:
    Hold(Exclusive& used, const Poll& poll) : used_(used) {
      if (used.holder_ == std::this_thread::get_id()) throw GameError("this search is already running");
      if (!used.mutex_.try_lock())  // without a look at the clock
        while (!used.mutex_.try_lock_for(std::chrono::milliseconds(20)))
          if (poll) poll();
      used.holder_ = std::this_thread::get_id();
    }
    ~Hold() {
      used_.holder_ = std::thread::id();
      used_.mutex_.unlock();
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Exclusive& used_;
  };

 private:
  std::timed_mutex mutex_;
  std::atomic<std::thread::id> holder_{};
};

}  // namespace mossa
