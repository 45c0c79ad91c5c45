#include "python/binding/reporting.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "python/binding/calls.h"
#include "python/binding/record.h"

namespace kgwalk::python {

struct PythonReporter::Callback {
  py::object function;
  std::shared_ptr<StopFlag> stop;
  std::mutex mutex;
  std::optional<py::error_already_set> error = {};

  // From any thread, without the interpreter's lock.
  void tell(ProgressEvent event) {
    const Acquired lock;
    if (!lock.held()) return;
    try {
      if (error) return;
      const py::object answer = function(std::move(event));
      if (answer.ptr() == Py_False) stop->request();
    } catch (py::error_already_set& raised) {
      error.emplace(std::move(raised));
      stop->request();
    }
  }
};

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenCalls = std::chrono::milliseconds(100);

class CallbackProgress : public Progress {
 public:
  CallbackProgress(std::shared_ptr<PythonReporter::Callback> callback, std::string_view what,
                   std::int64_t total, std::string_view unit)
      : callback_(std::move(callback)), what_(what), unit_(unit), total_(total) {
    callback_->tell(event("start"));
  }
  ~CallbackProgress() override { callback_->tell(event("end")); }

  // Called often and from many threads: most calls only count, and no thread waits for another's.
  void add(std::int64_t done, std::string_view note) override {
    done_ += done;
    std::unique_lock held(mutex_, std::try_to_lock);
    if (!held) return;
    if (!note.empty()) note_ = note;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kBetweenCalls;
    const ProgressEvent told = event("progress");
    held.unlock();
    callback_->tell(told);
  }

 private:
  [[nodiscard]] ProgressEvent event(const char* kind) const {
    return {.kind = kind, .what = what_, .unit = unit_, .note = note_, .done = done_, .total = total_};
  }

  std::shared_ptr<PythonReporter::Callback> callback_;
  std::string what_, unit_, note_;
  std::int64_t total_;
  std::atomic<std::int64_t> done_{0};
  std::mutex mutex_;
  Clock::time_point next_ = {};
};

class CallbackReporter : public Reporter {
 public:
  explicit CallbackReporter(std::shared_ptr<PythonReporter::Callback> callback)
      : callback_(std::move(callback)) {}
  void info(std::string_view line) override { say("info", line); }
  void warn(std::string_view line) override { say("warning", line); }
  std::unique_ptr<Progress> start(std::string_view what, std::int64_t total, std::string_view unit) override {
    return std::make_unique<CallbackProgress>(callback_, what, total, unit);
  }

 private:
  void say(const char* kind, std::string_view line) {
    callback_->tell({.kind = kind, .note = std::string(line)});
  }

  std::shared_ptr<PythonReporter::Callback> callback_;
};

}  // namespace

PythonReporter::PythonReporter(const py::object& progress, std::shared_ptr<StopFlag> stop)
    : reporter_(&silent_reporter()) {
  if (progress.is_none() || progress.ptr() == Py_False) return;
  if (progress.ptr() == Py_True) {
    owned_ = make_console_reporter({});
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    callback_ = std::make_shared<Callback>();
    callback_->function = progress;
    callback_->stop = std::move(stop);
    owned_ = std::make_unique<CallbackReporter>(callback_);
  } else {
    throw py::type_error("progress: must be a callable, True (to standard error) or None");
  }
  reporter_ = owned_.get();
}

PythonReporter::~PythonReporter() = default;

bool PythonReporter::failed() const noexcept { return callback_ && callback_->error; }

void PythonReporter::rethrow() {
  if (!failed()) return;
  py::error_already_set error = std::move(*callback_->error);
  callback_->error.reset();
  throw error;
}

void bind_reporting(py::module_& m) {
  py::class_<StopFlag, std::shared_ptr<StopFlag>>(
      m, "StopFlag",
      "Asks running work to stop: give it as `stop` and call request() from any thread. It cannot be unset.")
      .def(py::init<>())
      .def("request", &StopFlag::request, "Ask the work to stop.")
      .def_property_readonly("requested", &StopFlag::requested, "Whether request() was called.");

  Record<ProgressEvent>(m, "ProgressEvent", "What a progress callback is told.")
      .field("kind", &ProgressEvent::kind, "'start', 'progress', 'end', 'info' or 'warning'.")
      .field("what", &ProgressEvent::what, "The work, as a participle: 'training'. Empty for lines.")
      .field("done", &ProgressEvent::done, "Units that are finished.")
      .field("total", &ProgressEvent::total, "Units that there will be; 0 when unknown.")
      .field("unit", &ProgressEvent::unit, "A plural noun: 'triples'.")
      .field("note", &ProgressEvent::note, "Metrics of the moment ('loss 0.31'), or the line.");
}

}  // namespace kgwalk::python
