// Settings of a training as keywords: preset="tiny", files=["own.json"], settings={"trainer": {"max_epochs":
// 3}, "trainer.adam.lr": 0.001}.
#pragma once

#include <pybind11/pybind11.h>

#include "kgwalk/settings.h"
#include "python/binding/keywords.h"

namespace kgwalk::python {

// Names with points are set behind those of nested dictionaries.
void set_settings(Settings& settings, const pybind11::handle& given);

template <class Options>
Keywords<Options>& with_settings(Keywords<Options>& keywords) {
  return keywords
      .key("preset",
           [](Options& self, const py::handle& given) { self.settings.preset = given.cast<std::string>(); })
      .key("files",
           [](Options& self, const py::handle& given) {
             self.settings.files = given.cast<std::vector<std::filesystem::path>>();
           })
      .key("settings", [](Options& self, const py::handle& given) { set_settings(self.settings, given); });
}

}  // namespace kgwalk::python
