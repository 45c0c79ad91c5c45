// How values of the engine look in Python: json as dictionaries, lists and numbers; a choice as its word.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>

#include "kgwalk/choice.h"
#include "kgwalk/json.h"

namespace kgwalk::python {

namespace py = pybind11;

[[nodiscard]] py::object to_python(const Json& json);
// TypeError for what json has no words for: a key that is no text, a set, an object of another kind.
[[nodiscard]] Json to_json(const py::handle& value);

}  // namespace kgwalk::python

namespace pybind11::detail {

template <>
struct type_caster<kgwalk::Json> {
  PYBIND11_TYPE_CASTER(kgwalk::Json, const_name("Any"));
  bool load(handle source, bool /*convert*/) {
    value = kgwalk::python::to_json(source);
    return true;
  }
  static handle cast(const kgwalk::Json& json, return_value_policy, handle) {
    return kgwalk::python::to_python(json).release();
  }
};

// ConfigError for another word names the nearest one.
template <class E>
struct type_caster<kgwalk::Choice<E>> {
  PYBIND11_TYPE_CASTER(kgwalk::Choice<E>, const_name("str"));
  type_caster() : value(E{}) {}
  bool load(handle source, bool /*convert*/) {
    if (!isinstance<str>(source)) return false;
    value = kgwalk::Choice<E>(source.cast<std::string>());
    return true;
  }
  static handle cast(const kgwalk::Choice<E>& choice, return_value_policy, handle) {
    return str(std::string(choice.name())).release();
  }
};

}  // namespace pybind11::detail
