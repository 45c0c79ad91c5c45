// Operations and reports as json.
#include <algorithm>
#include <iterator>

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

struct KindRow {
  const char* name;
  EditOperation::Kind kind;
  std::size_t num_names;
};

constexpr KindRow kKinds[] = {
    {"add", EditOperation::Kind::kAdd, 3},           {"retract", EditOperation::Kind::kRetract, 3},
    {"rename", EditOperation::Kind::kRename, 2},     {"alias", EditOperation::Kind::kAlias, 2},
    {"unalias", EditOperation::Kind::kDropAlias, 2}, {"describe", EditOperation::Kind::kDescribe, 2},
    {"merge", EditOperation::Kind::kMerge, 2},
};

const KindRow& row_of(EditOperation::Kind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [&](const KindRow& row) { return row.kind == kind; });
}

const KindRow& row_of(const Json& json) {
  const KindRow* found = nullptr;
  for (const KindRow& row : kKinds) {
    if (!json.contains(row.name)) continue;
    if (found != nullptr)
      throw ConfigError(std::string("an operation is one thing: '") + found->name + "' or '" + row.name +
                        "'");
    found = &row;
  }
  if (found == nullptr)
    throw ConfigError("an operation is one of add, retract, rename, alias, unalias, describe and merge");
  return *found;
}

}  // namespace

EditOperation EditOperation::from_json(const Json& json) {
  if (!json.is_object())
    throw ConfigError("an operation is a json object, as {\"add\": [HEAD, RELATION, TAIL]}");
  const KindRow& row = row_of(json);
  EditOperation operation{.kind = row.kind};
  for (const auto& [key, value] : json.items()) {
    if (key == row.name) {
      if (!value.is_array() || value.size() != row.num_names ||
          !std::all_of(value.begin(), value.end(), [](const Json& name) { return name.is_string(); }))
        throw ConfigError(std::string("'") + row.name + "' takes " + std::to_string(row.num_names) +
                          " strings");
      operation.names = value.get<std::vector<std::string>>();
    } else if (key == "weight" && row.kind == Kind::kAdd && value.is_number()) {
      operation.weight = value.get<float>();
    } else if (key == "new" && row.kind == Kind::kAdd && value.is_boolean()) {
      operation.make_new = value.get<bool>();
    } else {
      throw ConfigError("'" + key + "' is nothing that '" + row.name + "' takes, or of another type");
    }
  }
  return operation;
}

Json EditOperation::to_json() const {
  Json json = {{row_of(kind).name, names}};
  if (weight) json["weight"] = *weight;
  if (make_new) json["new"] = true;
  return json;
}

Json EditReport::to_json() const {
  return {{"edit", number},
          {"facts_added", facts_added},
          {"facts_retracted", facts_retracted},
          {"new_entities", new_entities},
          {"new_relations", new_relations},
          {"other_changes", other_changes},
          {"unchanged", unchanged},
          {"notes", notes}};
}

Json EditRecord::to_json() const {
  Json json = counts.to_json();
  json.erase("notes");
  json.update({{"edit", number}, {"author", author}, {"time", time}, {"what", what}});
  if (undoes != 0) json["undoes"] = undoes;
  if (undone_by != 0) json["undone_by"] = undone_by;
  return json;
}

}  // namespace kgwalk::graph
