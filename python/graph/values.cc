// Values that can be compared: numbers with units, times.
#include "kgwalk/typed_values.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "kgwalk/error.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"

namespace kgwalk::python {
namespace {

using graph::TypedValue;

graph::UnitId unit_of(const std::string& unit) {
  if (unit.empty()) return 0;
  if (const auto id = graph::find_unit(unit)) return *id;
  throw ConfigError("unit '" + unit + "': no unit is called so");
}

}  // namespace

void bind_values(py::module_& m) {
  Record<TypedValue> value(m, "TypedValue", "A number, a time, a truth value or a text.");
  value
      .field("kind", &TypedValue::kind,
             "'thing' (no value), 'text', 'boolean', 'number', 'year', 'year-month', 'date', 'date-time' or "
             "'time'.")
      .field(
          "unit", [](const TypedValue& self) { return std::string(graph::unit_symbol(self.unit)); },
          "Symbol of a number's unit, as written; empty where it has none.")
      .field(
          "start", &TypedValue::from,
          "Of a number its size in the base unit (meters, kilograms, seconds, kelvins); of a time where it "
          "begins, in milliseconds since 1970.")
      .field("end", &TypedValue::to, "Of a time where it ends, not included; else as `start`.")
      .field("text", &TypedValue::text, "Of texts.");
  value.def("__str__", [](const TypedValue& self) { return graph::shown(self); })
      .def(
          "__eq__", [](const TypedValue& a, const TypedValue& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const TypedValue& self) {
        return std::hash<double>()(self.from) ^ std::hash<std::string>()(self.text);
      });

  m.def("parse_value", &graph::parse_value, py::arg("text"),
        "A value as people write it ('1.72 m', '14 March 1902'), or None for anything else.");
  m.def("value_of_literal", &graph::value_of_literal, py::arg("literal"),
        "A literal as N-Triples writes it.");
  m.def(
      "number_value",
      [](double number, const std::string& unit) { return graph::number_value(number, unit_of(unit)); },
      py::arg("number"), py::arg("unit") = "", "A number in a unit: number_value(180, 'cm').");
  m.def("year_value", &graph::year_value, py::arg("year"), "A year; 0 is 1 BC.");
  m.def("year_month_value", &graph::year_month_value, py::arg("year"), py::arg("month"),
        "A month of a year.");
  m.def("date_value", &graph::date_value, py::arg("year"), py::arg("month"), py::arg("day"), "A day.");
  m.def("text_value", &graph::text_value, py::arg("text"), "A text.");
  m.def(
      "compare_values",
      [](const TypedValue& a, Choice<graph::Comparison> test, const TypedValue& b) {
        return graph::compare(a, test, b);
      },
      py::arg("a"), py::arg("test"), py::arg("b"),
      "Whether `a test b` holds ('<', '<=', '=', '!=', '>=', '>'); None where they do not compare.");
}

}  // namespace kgwalk::python
