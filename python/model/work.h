// Functions of the engine that take a struct of options, a reporter and a stop: as functions of Python's that
// take keywords, `progress` and `stop`.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "python/binding/calls.h"
#include "python/binding/keywords.h"

namespace kgwalk::python {

template <class Options, class Result>
void def_work(py::module_& m, const char* name, const Keywords<Options>& keywords,
              Result (*work)(const Options&, Reporter&, const StopFlag&), const std::string& doc) {
  m.def(
      name,
      [keywords, work](const py::object& progress, const StopHandle& stop, const py::kwargs& given) {
        const Options options = keywords.read(given);
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return work(options, reporter, flag);
        });
      },
      py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      (doc + " " + keywords.told()).c_str());
}

}  // namespace kgwalk::python
