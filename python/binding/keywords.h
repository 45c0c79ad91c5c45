// Options structs of the engine as keyword arguments: a row a member. Unknown keywords are ConfigErrors with
// the nearest one.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/error.h"
#include "python/binding/casters.h"

namespace kgwalk::python {

namespace py = pybind11;

template <class Options>
class Keywords {
 public:
  template <class M>
  Keywords& key(const char* name, M Options::*member) {
    return key(name, [member, name](Options& options, const py::handle& value) {
      options.*member = taken<M>(name, value);
    });
  }
  // set: called with the options and the value.
  Keywords& key(const char* name, std::function<void(Options&, const py::handle&)> set) {
    names_.emplace_back(name);
    setters_.push_back(std::move(set));
    return *this;
  }

  [[nodiscard]] Options read(const py::dict& given) const {
    Options options;
    for (const auto& [key, value] : given) {
      const auto name = py::str(key).cast<std::string>();
      std::size_t i = 0;
      while (i < names_.size() && names_[i] != name) ++i;
      if (i == names_.size()) throw ConfigError(name + ": is no option; it " + choice_advice(name, names_));
      setters_[i](options, value);
    }
    return options;
  }

  // "Options: database, run, seed."
  [[nodiscard]] std::string told() const {
    std::string text = "Options: ";
    for (const std::string& name : names_) text += (&name == &names_.front() ? "" : ", ") + name;
    return text + ".";
  }

 private:
  template <class M>
  static M taken(const char* name, const py::handle& value) {
    try {
      return value.cast<M>();
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(name) + ": cannot be " + py::repr(value).cast<std::string>());
    }
  }

  std::vector<std::string> names_;
  std::vector<std::function<void(Options&, const py::handle&)>> setters_;
};

}  // namespace kgwalk::python
