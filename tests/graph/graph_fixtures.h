// Small graphs, folders and naive twins that the tests of graph/ share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "tests/error_text.h"
#include "tests/temp_folder.h"

namespace kgwalk::graph::testing {

using test::advice_of;
using test::TempFolder;

// Entities "0" ... "n-1"; ids follow first appearance, so look them up by name.
inline NamedTriple edge(int from, int to, const std::string& relation = "r") {
  return {std::to_string(from), relation, std::to_string(to)};
}

// n vertices, m random edges over a few relations, self-loops and parallel edges among them.
inline std::vector<NamedTriple> random_triples(int n, int m, std::uint64_t seed, int relations = 3) {
  std::mt19937_64 random(seed);
  std::vector<NamedTriple> triples;
  for (int i = 0; i < m; ++i)
    triples.push_back(edge(static_cast<int>(random() % static_cast<std::uint64_t>(n)),
                           static_cast<int>(random() % static_cast<std::uint64_t>(n)),
                           "r" + std::to_string(random() % static_cast<std::uint64_t>(relations))));
  return triples;
}

// The text of what `call` throws; empty when it throws nothing or something else.
template <class Exception>
std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Exception& e) {
    return e.what();
  }
  return {};
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A data set of the folder KGWALK_DATA; nullopt where it is not there.
inline std::optional<std::filesystem::path> real_data(const std::string& name) {
  const char* given = std::getenv("KGWALK_DATA");
  if (given == nullptr || !std::filesystem::exists(std::filesystem::path(given) / name)) return std::nullopt;
  return std::filesystem::path(given) / name;
}

}  // namespace kgwalk::graph::testing
