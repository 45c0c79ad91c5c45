// Text of Python's as the engine takes it.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace kgwalk::python {

// UTF-8. UnicodeError for a text with surrogates, which has none.
[[nodiscard]] std::string text_of(const pybind11::handle& text);

}  // namespace kgwalk::python
