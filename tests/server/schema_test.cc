// Inputs checked by their schema.
#include "server/schema.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"

namespace kgwalk::server {
namespace {

const Json kSchema = Json::parse(R"({
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 5},
    "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
    "share": {"type": "number"},
    "goal": {"type": ["string", "null"]},
    "kind": {"type": "string", "enum": ["a", "b"], "default": "a"},
    "list": {"type": "array", "maxItems": 2, "items": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}
  },
  "required": ["name"]
})");

std::string refused(const char* text) {
  try {
    (void)fitted(kSchema, Json::parse(text), "thing");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Schema, FillsInDefaultsAndKeepsWhatIsGiven) {
  EXPECT_EQ(fitted(kSchema, Json::parse(R"({"name": "x", "goal": null})"), "thing"),
            Json::parse(R"({"name": "x", "count": 3, "goal": null, "kind": "a"})"));
}

TEST(Schema, NamesAllThatIsWrongAtOnceWithTheNearestKeys) {
  EXPECT_EQ(refused(R"({"nam": "x", "count": 10, "kind": "c"})"),
            "thing: nam: is not known (did you mean 'name'?); name: is missing; count: must be at most 9; "
            "kind: must be one of "
            "\"a\", \"b\"");
}

TEST(Schema, NamesAllKeysWhereNoneIsNear) {
  EXPECT_TRUE(
      refused(R"({"name": "x", "budget": 10})").starts_with("thing: budget: is not known; there are "));
  EXPECT_TRUE(refused(R"({"name": "x", "budget": 10})").find("count") != std::string::npos);
}

TEST(Schema, LooksIntoLists) {
  EXPECT_EQ(
      refused(R"({"name": "x", "list": [{"x": 1}, {"x": "1"}, {}]})"),
      "thing: list: must be at most 2 items long; list[1].x: must be of type integer; list[2].x: is missing");
}

TEST(Schema, TellsTypesApart) {
  EXPECT_EQ(refused(R"({"name": "x", "count": 2.5})"), "thing: count: must be of type integer");
  EXPECT_EQ(refused(R"({"name": "x", "count": true})"), "thing: count: must be of type integer");
  EXPECT_EQ(refused(R"({"name": "x", "goal": 1})"), "thing: goal: must be of type string or null");
  EXPECT_EQ(refused(R"({"name": "x", "share": 2})"), "");
  EXPECT_EQ(refused(R"({"name": ""})"), "thing: name: must be at least 1 bytes long");
  EXPECT_EQ(refused("[]"), "thing: must be a json object");
}

TEST(Schema, ReadsAQueryByItsTypes) {
  EXPECT_EQ(from_query(kSchema, {{"name", "7"}, {"count", "4"}, {"share", "1.5"}}),
            Json::parse(R"({"count": 4, "name": "7", "share": 1.5})"));
  EXPECT_EQ(from_query(kSchema, {{"count", "four"}})["count"], "four");  // for fitted() to refuse
}

}  // namespace
}  // namespace kgwalk::server
