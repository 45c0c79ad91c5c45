#include "python/model/settings.h"

#include <string>

namespace kgwalk::python {

void set_settings(Settings& settings, const py::handle& given) {
  const Json values = to_json(given);
  if (!values.is_object()) throw py::type_error("settings: must be a dictionary of names and values");
  for (const auto& [name, value] : values.items()) {
    if (name.find('.') == std::string::npos)
      settings.values[name] = value;
    else
      settings.assignments.push_back(name + "=" +
                                     (value.is_string() ? value.get<std::string>() : value.dump()));
  }
}

}  // namespace kgwalk::python
