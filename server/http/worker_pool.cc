#include "server/http/worker_pool.h"

#include <utility>

#include "runtime/stopwatch.h"

namespace kgwalk::server {

WorkerPool::WorkerPool(int threads, std::size_t longest_queue, const Job& begin)
    : longest_queue_(longest_queue) {
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this, begin] {
      begin();
      work();
    });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    // What an idle thread takes at once does not wait.
    const std::size_t idle = threads_.size() - running_;
    if (ending_ || queue_.size() >= longest_queue_ + idle) return false;
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkerPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t WorkerPool::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

double WorkerPool::expected_wait_s() const {
  const std::lock_guard lock(mutex_);
  return mean_s_ * static_cast<double>(queue_.size()) / static_cast<double>(threads_.size());
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Job job = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    const Stopwatch watch;
    job();
    job = nullptr;  // what it holds goes before the next is taken
    const double took_s = watch.seconds();
    lock.lock();
    mean_s_ = mean_s_ == 0 ? took_s : mean_s_ + (took_s - mean_s_) / 16;
    --running_;
  }
}

}  // namespace kgwalk::server
