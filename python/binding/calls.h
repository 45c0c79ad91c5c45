// How a call of Python's runs in the engine: without the interpreter's lock, stopped by Ctrl-C, and harmless
// when the interpreter ends in its midst.
//
// A thread that comes back from the engine while the interpreter ends must not wait for the lock: Python 3.11
// ends such a thread by unwinding it, which C++ code does not survive. It sleeps instead until the process is
// gone. `at_exit()` waits for calls that are under way, so that nothing computes while static objects are
// destroyed.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "kgwalk/progress.h"
#include "python/binding/reporting.h"

namespace kgwalk::python {

namespace py = pybind11;

// Gives the interpreter's lock up for as long as it lives. For one thread, which holds the lock.
class Released {
 public:
  // stop: asked to stop when the interpreter ends; null where the work cannot be stopped.
  explicit Released(StopFlag* stop = nullptr);
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

 private:
  StopFlag* stop_;
  PyThreadState* state_;
};

// Takes the interpreter's lock in any thread, unless the interpreter ends: held() is false then, and nothing
// of Python may be touched.
class Acquired {
 public:
  Acquired();
  ~Acquired();
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;
  [[nodiscard]] bool held() const noexcept { return held_; }

 private:
  bool held_ = false;
  PyGILState_STATE state_ = PyGILState_UNLOCKED;
};

// Work of milliseconds, or work that cannot be stopped.
template <class Work>
auto released(Work&& work) -> decltype(work()) {
  const Released lock;
  return work();
}

// Makes the module's functions that `kgwalk/__init__.py` calls at the end of the interpreter and in a forked
// child.
void bind_calls(py::module_& m);

namespace detail {
// In the main thread: runs `work` in a thread of its own and looks for signals meanwhile. The error that a
// handler of Python's raised is thrown when the work has stopped. Elsewhere: runs it in this thread.
void run_stoppable(StopFlag& stop, const std::function<void()>& work);
// The error of a callback, else of a signal, else of the work.
[[noreturn]] void throw_first(PythonReporter& reporter, const std::exception_ptr& error);
}  // namespace detail

// Work that tells of its progress and can be stopped: by the callback, by `stop`, by Ctrl-C.
//
// work: called with a Reporter and a StopFlag, without the lock. A KeyboardInterrupt has what the work said
// of its end as its cause.
template <class Work>
auto long_call(const py::object& progress, const StopHandle& stop, Work&& work) {
  using Result = std::invoke_result_t<Work, Reporter&, const StopFlag&>;
  const std::shared_ptr<StopFlag> flag = stop ? stop : std::make_shared<StopFlag>();
  PythonReporter reporter(progress, flag);
  std::exception_ptr error;
  if constexpr (std::is_void_v<Result>) {
    detail::run_stoppable(*flag, [&] {
      try {
        work(reporter.reporter(), *flag);
      } catch (...) {
        error = std::current_exception();
      }
    });
    if (error || reporter.failed() || PyErr_Occurred() != nullptr) detail::throw_first(reporter, error);
  } else {
    std::optional<Result> result;
    detail::run_stoppable(*flag, [&] {
      try {
        result.emplace(work(reporter.reporter(), *flag));
      } catch (...) {
        error = std::current_exception();
      }
    });
    if (error || reporter.failed() || PyErr_Occurred() != nullptr) detail::throw_first(reporter, error);
    return std::move(*result);
  }
}

}  // namespace kgwalk::python
