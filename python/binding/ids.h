// Ids of entities and relations as Python gives them: a list of whole numbers or an array of them.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

namespace kgwalk::python {

namespace py = pybind11;

// Looks numpy up, for the module that calls it as it begins. pybind11 would do it within the first call that
// needs it, behind a static object's guard: a thread that imports gives the interpreter's lock up there, and
// a second one would wait for the guard with the lock in its hands.
void find_numpy();

// TypeError for an array of another kind or shape, IndexError for an id that is not below `count`; `what` is
// what they are called: "entity".
[[nodiscard]] std::vector<std::uint32_t> ids_of(const py::object& given, std::uint64_t count,
                                                const char* what);

}  // namespace kgwalk::python
