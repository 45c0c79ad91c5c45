// What was said, as Python gives it: a text of the user's, or (speaker, text) pairs, oldest first.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "kgwalk/plan.h"

namespace kgwalk::python {

// Converted from `"Who directed Inception?"` or `[("user", "..."), ("assistant", "...")]`.
struct History {
  std::vector<Utterance> utterances = {};
};

// A hop from a NamedHop, a PlannedHop or (head, relation, tail).
struct GivenHop {
  NamedHop hop = {};
};

[[nodiscard]] History history_of(const pybind11::handle& given);
[[nodiscard]] GivenHop hop_of(const pybind11::handle& given);

}  // namespace kgwalk::python

namespace pybind11::detail {

template <>
struct type_caster<kgwalk::python::History> {
  PYBIND11_TYPE_CASTER(kgwalk::python::History, const_name("History"));
  bool load(handle source, bool) {
    value = kgwalk::python::history_of(source);
    return true;
  }
};

template <>
struct type_caster<kgwalk::python::GivenHop> {
  PYBIND11_TYPE_CASTER(kgwalk::python::GivenHop, const_name("Hop"));
  bool load(handle source, bool) {
    value = kgwalk::python::hop_of(source);
    return true;
  }
};

}  // namespace pybind11::detail
