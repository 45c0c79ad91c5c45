// What a plan of tables says of objects and their keys.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/ingest/tables/table_source.h"

namespace kgwalk::graph {

struct PlannedKey {
  bool is_left_out = false;
  bool is_list = false;        // some objects have several values of it
  std::string separator = {};  // of a list within a text
  std::string relation = {};
  // Of a link: the things by the texts that lead to them, and where those stand: "table.column". Null where
  // rows are known by their tables and those texts.
  const std::unordered_map<std::string, RowThing>* things = nullptr;
  std::string to = {};
  // Of the key by which objects are known, since several bear one name: their table.
  std::string rows_of = {};
};

struct ObjectPlan {
  std::map<std::string, PlannedKey, std::less<>> keys =
      {};  // those that it does not have are read as they are
  // Keys that hold what objects are called which do not say it themselves, and what such an object is; empty:
  // nothing is known.
  std::vector<std::string> name = {};
  std::string kind = {};
  std::vector<std::string> missing = {};  // texts that say nothing: "N/A"
};

}  // namespace kgwalk::graph
