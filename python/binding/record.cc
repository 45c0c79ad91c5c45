#include "python/binding/record.h"

namespace kgwalk::python {
namespace {

// Lists of thousands are not what one wants to read in a debugger.
constexpr std::size_t kShownCharacters = 200;

bool is_record(const py::handle& value) {
  return py::hasattr(value, "to_dict") && py::hasattr(py::type::of(value), "__match_args__");
}

}  // namespace

std::string shown_record(const py::object& self) {
  const py::object type = py::type::of(self);
  std::string text = type.attr("__name__").cast<std::string>() + "(";
  std::string between;
  for (const py::handle name : type.attr("__match_args__")) {
    std::string value = py::repr(self.attr(name)).cast<std::string>();
    if (value.size() > kShownCharacters) {
      std::size_t end = kShownCharacters;
      while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
      value = value.substr(0, end) + "...";
    }
    text += between + name.cast<std::string>() + "=" + value;
    between = ", ";
  }
  return text + ")";
}

py::object record_as_dict(const py::handle& value) {
  if (is_record(value)) {
    py::dict fields;
    for (const py::handle name : py::type::of(value).attr("__match_args__"))
      fields[name] = record_as_dict(value.attr(py::str(name)));
    return fields;
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    py::list items;
    for (const py::handle item : value) items.append(record_as_dict(item));
    return items;
  }
  return py::reinterpret_borrow<py::object>(value);
}

}  // namespace kgwalk::python
