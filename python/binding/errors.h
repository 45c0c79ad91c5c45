// The tree of kgwalk/error.h as the exceptions of kgwalk/errors.py.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

namespace kgwalk::python {

namespace py = pybind11;

// Makes errors of the engine exceptions of Python's, in this module and all that are loaded with it. Once.
void translate_errors();

// Gives the exception that is being raised what `error` says as its cause.
void set_cause(const std::exception_ptr& error);

// IndexError where `id` is not below `count`: "entity 7: the graph has 5 (ids are 0 to 4)".
void check_id(std::int64_t id, std::uint64_t count, const char* what);

}  // namespace kgwalk::python
