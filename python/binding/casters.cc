#include "python/binding/casters.h"

#include <cstdint>
#include <string>

#include "python/binding/text.h"

namespace kgwalk::python {
namespace {

Json number_of(const py::handle& value) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) {
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    // As a text of json is read: what counts something must be unsigned.
    if (number >= 0) return static_cast<std::uint64_t>(number);
    return number;
  }
  const std::uint64_t large = PyLong_AsUnsignedLongLong(value.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return large;
}

Json object_of(const py::dict& value) {
  Json json = Json::object();
  for (const auto& [key, member] : value) {
    if (!py::isinstance<py::str>(key))
      throw py::type_error("json: a key must be text, not " + py::repr(key).cast<std::string>());
    json[text_of(key)] = to_json(member);
  }
  return json;
}

}  // namespace

std::string text_of(const py::handle& text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw py::error_already_set();
  return {bytes, static_cast<std::size_t>(size)};
}

py::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(json.get<double>());
    case Json::value_t::string:
      return py::str(json.get_ref<const std::string&>());
    case Json::value_t::array: {
      py::list list(json.size());
      for (std::size_t i = 0; i < json.size(); ++i) list[i] = to_python(json[i]);
      return list;
    }
    case Json::value_t::object: {
      py::dict members;
      for (const auto& [key, value] : json.items()) members[py::str(key)] = to_python(value);
      return members;
    }
    default:
      return py::none();
  }
}

Json to_json(const py::handle& value) {
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::int_>(value)) return number_of(value);
  if (py::isinstance<py::float_>(value)) return value.cast<double>();
  if (py::isinstance<py::str>(value)) return text_of(value);
  if (py::isinstance<py::dict>(value)) return object_of(py::reinterpret_borrow<py::dict>(value));
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    Json json = Json::array();
    for (const py::handle item : value) json.push_back(to_json(item));
    return json;
  }
  throw py::type_error("json: has no words for " + py::repr(value).cast<std::string>());
}

}  // namespace kgwalk::python
