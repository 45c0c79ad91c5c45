// What an error says and what would mend it, as one text to look into: "kg.db: there is no database {ingest
// kg.db}".
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kgwalk/error.h"

namespace kgwalk::test {

inline std::string advice_in(const Error& error) {
  constexpr const char* kNames[] = {"ingest", "reingest", "replace", "index",     "factorize",
                                    "embed",  "train",    "give",    "compute on"};
  std::string text = error.what();
  for (const Remedy& remedy : error.remedies()) {
    text += std::string(" {") + kNames[remedy.action] + " " + remedy.subject;
    for (const auto& [name, value] : remedy.arguments) text += " " + name + "=" + value;
    text += "}";
  }
  return text;
}

// Advice of the error E that fn throws; empty when it throws nothing or something else.
template <class E, class Fn>
std::string advice_of(Fn&& fn) {
  try {
    fn();
  } catch (const E& error) {
    return advice_in(error);
  }
  return {};
}

}  // namespace kgwalk::test
