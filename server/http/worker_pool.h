// Threads that do what takes time, with a queue of bounded length before them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kgwalk::server {

class WorkerPool {
 public:
  using Job = std::function<void()>;

  // `begin` runs first in each thread. A job must not throw.
  WorkerPool(
      int threads, std::size_t longest_queue, const Job& begin = [] {});
  // Finishes what was accepted.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False when the queue is full: the job is not done.
  [[nodiscard]] bool submit(Job job);
  [[nodiscard]] std::size_t waiting() const;  // jobs that no thread has taken yet
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t longest_queue() const { return longest_queue_; }
  // Seconds until a job that came now would be taken, by how long the last ones took; 0 before the first.
  [[nodiscard]] double expected_wait_s() const;

 private:
  void work();

  std::size_t longest_queue_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> queue_;
  std::size_t running_ = 0;
  double mean_s_ = 0;  // of a job; the last sixteen or so count
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kgwalk::server
