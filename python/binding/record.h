// A struct of the engine as a class of Python's with attributes that are read: `Record<T>(m, "Name", doc)
// .field("x", &T::x, doc)`. Its repr shows all fields, and to_dict() gives them, records inside as
// dictionaries too.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "kgwalk/choice.h"
#include "python/binding/casters.h"

namespace kgwalk::python {

namespace py = pybind11;

// Shared by all records of all modules: names are kept in the class, as __match_args__.
[[nodiscard]] std::string shown_record(const py::object& self);
[[nodiscard]] py::object record_as_dict(const py::handle& value);

template <class T>
class Record : public py::class_<T> {
 public:
  Record(py::module_& m, const char* name, const char* doc) : py::class_<T>(m, name, doc) {
    this->attr("__match_args__") = py::tuple();
    this->def("__repr__", [](const py::object& self) { return shown_record(self); });
    this->def(
        "to_dict", [](const py::object& self) { return py::dict(record_as_dict(self)); },
        "The fields by name; records inside become dictionaries too.");
  }

  template <class M>
  requires std::is_member_object_pointer_v<M T::*> Record& field(const char* name, M T::*member,
                                                                 const char* doc) {
    return field(
        name, [member](const T& self) -> const M& { return self.*member; }, doc);
  }

  template <class Getter>
  requires std::is_invocable_v<Getter, const T&> Record& field(const char* name, Getter getter,
                                                               const char* doc) {
    using Value = std::invoke_result_t<Getter, const T&>;
    if constexpr (std::is_enum_v<std::remove_cvref_t<Value>>) {
      // Enums are told by their words.
      this->def_property_readonly(
          name, [getter](const T& self) { return std::string(word_of(getter(self))); }, doc);
    } else {
      this->def_property_readonly(name, getter, py::return_value_policy::copy, doc);
    }
    const py::object names = this->attr("__match_args__");
    this->attr("__match_args__") = names + py::make_tuple(name);
    return *this;
  }

 private:
  template <class E>
  static std::string_view word_of(E value) {
    return Choice<E>(value).name();
  }
};

}  // namespace kgwalk::python
