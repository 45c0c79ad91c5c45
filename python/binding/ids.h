// Ids of entities and relations as Python gives them: a list of whole numbers or an array of them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace kgwalk::python {

namespace py = pybind11;

// TypeError for an array of another kind or shape, IndexError for an id that is not below `count`; `what` is
// what they are called: "entity".
[[nodiscard]] std::vector<std::uint32_t> ids_of(const py::object& given, std::uint64_t count,
                                                const char* what);

}  // namespace kgwalk::python
