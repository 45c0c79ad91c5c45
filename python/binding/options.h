// A configuration struct of the engine filled from keyword arguments, by its fields(): unknown names are
// ConfigErrors with the nearest one. Ranges are checked by what takes the struct.
#pragma once

#include <pybind11/pybind11.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/error.h"

namespace kgwalk::python {

namespace py = pybind11;

template <class Config>
void set_options(Config& config, const py::dict& given, const std::string& where);

namespace detail {

// What fields() calls for each member.
class OptionSetter {
 public:
  OptionSetter(const py::dict& given, std::string where) : given_(given), where_(std::move(where)) {}

  // What fields() says behind a member matters to other visitors.
  struct Said {
    Said& range(double, double) { return *this; }
    Said& formerly(std::string_view) { return *this; }
  };

  template <class T>
  Said operator()(std::string_view name, T& member, std::string_view) {
    names_.emplace_back(name);
    const py::str key(name.data(), name.size());
    if (!given_.contains(key)) return {};
    const py::object value = given_[key];
    const std::string place = where_ + std::string(name);
    if constexpr (requires { member.name(); })
      member = T(text_of(value, place));
    else if constexpr (requires(OptionSetter & f) { member.fields(f); })
      set_options(member, dict_of(value, place), place + ".");
    else
      set(member, value, place);
    return {};
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : given_) {
      const auto name = py::str(key).cast<std::string>();
      bool known = false;
      for (const std::string& each : names_) known = known || each == name;
      if (!known) throw ConfigError(where_ + name + ": is no option; it " + choice_advice(name, names_));
    }
  }

 private:
  [[noreturn]] static void wrong(const std::string& place, const char* wanted, const py::handle& value) {
    throw py::type_error(place + ": must be " + wanted + ", not " + py::repr(value).cast<std::string>());
  }
  static std::string text_of(const py::object& value, const std::string& place) {
    if (!py::isinstance<py::str>(value)) wrong(place, "text", value);
    return value.cast<std::string>();
  }
  static py::dict dict_of(const py::object& value, const std::string& place) {
    if (!py::isinstance<py::dict>(value)) wrong(place, "a dictionary of options", value);
    return value;
  }
  static void set(bool& member, const py::object& value, const std::string& place) {
    if (!py::isinstance<py::bool_>(value)) wrong(place, "True or False", value);
    member = value.cast<bool>();
  }
  static void set(std::string& member, const py::object& value, const std::string& place) {
    member = text_of(value, place);
  }
  template <class T>
  requires std::integral<T>
  static void set(T& member, const py::object& value, const std::string& place) {
    if (!py::isinstance<py::int_>(value) || py::isinstance<py::bool_>(value))
      wrong(place, "a whole number", value);
    try {
      member = value.cast<T>();
    } catch (const py::cast_error&) {
      wrong(place, "a whole number in range", value);
    }
  }
  template <class T>
  requires std::floating_point<T>
  static void set(T& member, const py::object& value, const std::string& place) {
    if (!py::isinstance<py::float_>(value) && !py::isinstance<py::int_>(value))
      wrong(place, "a number", value);
    member = value.cast<T>();
  }

  const py::dict& given_;
  std::string where_;
  std::vector<std::string> names_;
};

}  // namespace detail

template <class Config>
void set_options(Config& config, const py::dict& given, const std::string& where) {
  detail::OptionSetter setter(given, where);
  config.fields(setter);
  setter.refuse_unknown();
}

template <class Config>
[[nodiscard]] Config options_of(const py::kwargs& given, Config config = {}) {
  set_options(config, given, "");
  return config;
}

}  // namespace kgwalk::python
