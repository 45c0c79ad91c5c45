// How files of a graph are read, as Python gives it.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>
#include <vector>

#include "kgwalk/input_format.h"
#include "kgwalk/json.h"

namespace kgwalk::python {

namespace py = pybind11;

// A path, or a sequence of paths.
[[nodiscard]] std::vector<std::filesystem::path> paths_of(const py::object& given, const char* what);

// Makes kgwalk.InputOptions.
void bind_input_options(py::module_& m);

}  // namespace kgwalk::python
