#include "python/binding/calls.h"

#include <stdlib.h>  // on_exit
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#include "kgwalk/threads.h"
#include "python/binding/errors.h"

namespace kgwalk::python {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookForSignals = 50ms;
constexpr auto kLongestFarewell = 30s;

std::atomic<bool> g_ending{false};
std::atomic<int> g_working{0};          // threads between giving the lock up and having it again
std::atomic<int> g_waiting{0};          // threads that have seen no end and wait for the lock
std::atomic<std::thread::id> g_last{};  // the thread that ends the interpreter, which goes on

// Flags of the work that is under way. Never destroyed: a thread may come back while static objects are.
struct Stops {
  std::mutex mutex;
  std::multiset<StopFlag*> flags;
};
Stops* g_stops = new Stops;

void keep_stop(StopFlag* stop) {
  if (stop == nullptr) return;
  const std::lock_guard lock(g_stops->mutex);
  g_stops->flags.insert(stop);
}

void drop_stop(StopFlag* stop) {
  if (stop == nullptr) return;
  const std::lock_guard lock(g_stops->mutex);
  g_stops->flags.erase(g_stops->flags.find(stop));
}

bool ends_without_us() { return g_ending && g_last.load() != std::this_thread::get_id(); }

[[noreturn]] void sleep_for_good() {
  while (true) std::this_thread::sleep_for(24h);
}

// Whether the lock may be waited for. Where it may, g_waiting counts the caller until it has the lock.
bool may_wait() {
  ++g_waiting;
  if (!ends_without_us()) return true;
  --g_waiting;
  return false;
}

void at_exit() {
  g_last = std::this_thread::get_id();
  g_ending = true;
  {
    const std::lock_guard lock(g_stops->mutex);
    for (StopFlag* stop : g_stops->flags) stop->request();
  }
  PyThreadState* state = PyEval_SaveThread();
  const auto patience = std::chrono::steady_clock::now() + kLongestFarewell;
  while ((g_waiting > 0 || g_working > 0) && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(1ms);
  PyEval_RestoreThread(state);
}

// The threads that were at work, and OpenMP's, are not in the child. Nor are RocksDB's, for which its static
// objects would wait at the end: the child ends without destroying what it shares with its parent.
void after_fork_in_child() {
  ::on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        ::_exit(status);
      },
      nullptr);
  g_working = 0;
  g_waiting = 0;
  g_stops = new Stops;  // another thread may have held the mutex
  set_num_threads(1);
}

bool in_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("main_thread")().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

Released::Released(StopFlag* stop) : stop_(stop), state_(PyEval_SaveThread()) {
  ++g_working;
  if (ends_without_us()) {
    --g_working;
    sleep_for_good();
  }
  keep_stop(stop_);
}

Released::~Released() {
  drop_stop(stop_);
  if (!may_wait()) {
    --g_working;
    sleep_for_good();
  }
  PyEval_RestoreThread(state_);
  --g_waiting;
  --g_working;
}

Acquired::Acquired() {
  if (!may_wait()) return;
  state_ = PyGILState_Ensure();
  --g_waiting;
  held_ = true;
}

Acquired::~Acquired() {
  if (held_) PyGILState_Release(state_);
}

namespace detail {

void run_stoppable(StopFlag& stop, const std::function<void()>& work) {
  if (!in_main_thread()) {
    const Released lock(&stop);
    work();
    return;
  }
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  const int threads = num_threads();
  std::thread worker([&] {
    set_num_threads(threads);  // OpenMP's number is one of each thread
    work();
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });
  const auto wait = [&] {
    const Released lock(&stop);
    std::unique_lock held(mutex);
    return ended.wait_for(held, kLookForSignals, [&] { return done; });
  };
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;  // the first error of a handler
  while (!wait()) {
    if (PyErr_CheckSignals() == 0) continue;
    stop.request();
    if (type == nullptr)
      PyErr_Fetch(&type, &value, &trace);
    else
      PyErr_Clear();
  }
  worker.join();
  if (type != nullptr) PyErr_Restore(type, value, trace);
}

void throw_first(PythonReporter& reporter, const std::exception_ptr& error) {
  if (PyErr_Occurred() != nullptr) {
    if (error) set_cause(error);
    throw py::error_already_set();
  }
  reporter.rethrow();
  std::rethrow_exception(error);
}

}  // namespace detail

void bind_calls(py::module_& m) {
  m.def("_at_exit", &at_exit);
  m.def("_after_fork_in_child", &after_fork_in_child);
}

}  // namespace kgwalk::python
