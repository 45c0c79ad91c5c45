// Progress of long work as Python hears it, and the flag that stops it.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "kgwalk/progress.h"

namespace kgwalk::python {

namespace py = pybind11;

// kgwalk.StopFlag; null where a caller gave none.
using StopHandle = std::shared_ptr<StopFlag>;

// What a callback is told; kgwalk.ProgressEvent.
struct ProgressEvent {
  std::string kind;  // "start", "progress", "end", "info", "warning"
  std::string what = {}, unit = {}, note = {};
  std::int64_t done = 0, total = 0;
};

// Speaks to a callable, to standard error (True) or to nobody (None, False). A callback that returns False
// asks the work to stop; one that raises does too, and its error comes out of the call.
class PythonReporter {
 public:
  // TypeError for another kind of object. The interpreter's lock is held here, in failed() and in rethrow().
  PythonReporter(const py::object& progress, std::shared_ptr<StopFlag> stop);
  ~PythonReporter();
  PythonReporter(const PythonReporter&) = delete;
  PythonReporter& operator=(const PythonReporter&) = delete;

  // For the work, which does not hold the lock.
  [[nodiscard]] Reporter& reporter() noexcept { return *reporter_; }

  [[nodiscard]] bool failed() const noexcept;
  void rethrow();  // the error of the callback, if it raised one

  struct Callback;  // private

 private:
  std::shared_ptr<Callback> callback_;
  std::unique_ptr<Reporter> owned_;
  Reporter* reporter_;
};

// Makes kgwalk.StopFlag and kgwalk.ProgressEvent.
void bind_reporting(py::module_& m);

}  // namespace kgwalk::python
