// What a plan of tables says of the keys of objects.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

struct PlannedKey {
  bool is_left_out = false;
  std::string relation = {};
  // Of a link: the things by the texts that lead to them, and where those stand: "table.column". Null where
  // rows are known by their tables and those texts.
  const std::unordered_map<std::string, RowThing>* things = nullptr;
  std::string to = {};
  // Of the key by which objects are known, since several bear one name: their table.
  std::string rows_of = {};
};

// By key; those that it does not have are read as they are.
using ObjectPlan = std::map<std::string, PlannedKey, std::less<>>;

}  // namespace kgwalk::graph
