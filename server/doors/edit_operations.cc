#include "server/doors/edit_operations.h"

#include <algorithm>
#include <vector>

#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/planner.h"
#include "server/doors/schemas.h"
#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

constexpr int kMaxOperations = 1000;
constexpr int kMaxText = 1 << 20;
constexpr int kBusyRetrySeconds = 2;

const std::string& database_of(const Model& model) {
  const std::string& database = model.source().database;
  if (database.empty()) throw Refusal(404, "this model has no database of its own");
  return database;
}

Json names_schema(const char* description, int count) {
  return {{"type", "array"},
          {"description", description},
          {"items", {{"type", "string"}, {"maxLength", kMaxText}}},
          {"minItems", count},
          {"maxItems", count}};
}

// As EditOperation::from_json() takes it, which checks that it is one thing.
Json operation_schema() {
  return object_schema(
      {{"add", names_schema("HEAD, RELATION, TAIL.", 3)},
       {"retract", names_schema("HEAD, RELATION, TAIL.", 3)},
       {"rename", names_schema("ENTITY, NAME: the name before stays as another name.", 2)},
       {"alias", names_schema("ENTITY, another name.", 2)},
       {"unalias", names_schema("ENTITY, the other name that goes.", 2)},
       {"describe", names_schema("ENTITY, TEXT; an empty text takes the description away.", 2)},
       {"merge", names_schema("ENTITY, OTHER: the other becomes the entity.", 2)},
       {"weight", {{"type", "number"}, {"description", "Of add."}, {"minimum", 0}}},
       {"new",
        {{"type", "boolean"},
         {"description", "Of add: entities and relations that are not there are made."}}}});
}

}  // namespace

Json edits_input() {
  return object_schema({{"count", number_schema("Edits wanted at most.", 1, 10'000, 20)}});
}

Json edits(const Model& model, const Json& input) {
  const std::vector<graph::EditRecord> log = graph::edit_log(database_of(model));
  const std::size_t count = std::min(log.size(), input["count"].get<std::size_t>());
  Json list = Json::array();
  for (std::size_t i = log.size() - count; i < log.size(); ++i) list.push_back(log[i].to_json());
  return {{"last", log.size()},
          {"served", graph::last_edit(model.planner().graph())},
          {"edits", std::move(list)}};
}

Json edit_input() {
  return object_schema(
      {{"operations",
        {{"type", "array"},
         {"description", "Done in their order, all or none; each is one thing."},
         {"items", operation_schema()},
         {"maxItems", kMaxOperations},
         {"default", Json::array()}}},
       {"undo", number_schema("Number of the edit to take back, in place of operations; 0: none.", 0,
                              2'000'000'000, 0)}});
}

Json edit(const Model& model, const Json& input) {
  const std::string& database = database_of(model);
  if (is_in_packed_model(database))
    throw Refusal(404, "the database is part of a packed model, whose files are read-only");
  const graph::EditOptions options{.author = input.at("author").get<std::string>()};
  const auto undo = input["undo"].get<std::uint64_t>();
  std::vector<graph::EditOperation> operations;
  for (const Json& operation : input["operations"])
    operations.push_back(graph::EditOperation::from_json(operation));
  if (operations.empty() == (undo == 0))
    throw ConfigError("edit: give operations, or the number of an edit to undo");
  try {
    return (undo != 0 ? graph::undo_edit(database, undo, options)
                      : graph::edit(database, operations, options))
        .to_json();
  } catch (const graph::BusyError& error) {
    throw Refusal(503, error.what(), kBusyRetrySeconds);
  }
}

}  // namespace kgwalk::server
