// Loops on the one pool of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "kgwalk/threads.h"

namespace kgwalk {
namespace threads_detail {

// Calls body(i) for i in [0, n) on the OpenMP pool (defined in threads.cc, so that headers need no -fopenmp).
void run_on_pool(int n, const std::function<void(int)>& body);

// Between these two the count may differ from what set_num_threads() was given (runtime/processor_share.h);
// they may be nested, and behind the last end it is as given. `choose` gets the given count, which
// begin_sharing() tells, and tells the one to use.
int begin_sharing();
void share_threads(const std::function<int(int most)>& choose);
void end_sharing();

}  // namespace threads_detail

// fn(begin, end) over disjoint ranges that cover [0, n), at most num_threads() at once, `grain` items at
// least each. Exceptions of fn are rethrown (the first by range order). Runs inline when n <= grain or one
// thread is set.
template <class Fn>
void parallel_for(std::int64_t n, std::int64_t grain, Fn&& fn) {
  if (n <= 0) return;
  const std::int64_t by_grain = std::max<std::int64_t>(1, n / std::max<std::int64_t>(1, grain));
  // Four ranges a thread keep uneven work balanced.
  const int ranges = static_cast<int>(std::min<std::int64_t>(by_grain, 4LL * num_threads()));
  if (ranges <= 1 || num_threads() == 1) {
    fn(std::int64_t{0}, n);
    return;
  }
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranges));
  threads_detail::run_on_pool(ranges, [&](int i) {
    try {
      fn(n * i / ranges, n * (i + 1) / ranges);
    } catch (...) {
      failures[static_cast<std::size_t>(i)] = std::current_exception();
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace kgwalk
