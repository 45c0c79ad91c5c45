// What the sources say in a sentence of their things: texts that ingestion keeps beside the graph
// (kgwalk/values.h).
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "kgwalk/graph_types.h"
#include "kgwalk/values.h"

namespace kgwalk {

// Read from the database when they are asked for first: few conversations ask. Thread-safe.
class Descriptions {
 public:
  // `database` may be empty: then there are none.
  explicit Descriptions(std::filesystem::path database) : database_(std::move(database)) {}

  // Borrowed; empty where there is none, and where the database cannot be read any more: an answer without
  // the text is better than none.
  [[nodiscard]] std::string_view of(graph::EntityId entity) const;

 private:
  std::filesystem::path database_;
  mutable std::once_flag read_;
  mutable std::optional<graph::Values> values_;
};

}  // namespace kgwalk
