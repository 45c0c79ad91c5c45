#include "runtime/config.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/runtime/test_support.h"

namespace kgwalk {
namespace {

using test::contains;
using test::message_of;

enum class Kind { kPlain, kFancy };
constexpr auto choice_names(Kind) {
  return formerly(choices_in_order<Kind>("plain", "fancy"), "ornate", Kind::kFancy);
}

struct Inner {
  double rate = 0.5;
  Choice<Kind> kind = Kind::kPlain;
  template <class F>
  void fields(F& f) {
    f("rate", rate, "a rate").range(0, 1).formerly("pace");
    f("kind", kind, "a kind");
  }
};

struct Outer {
  int width = 3;
  std::uint64_t seed = 1;
  bool fast = false;
  std::vector<int> sizes{1, 2};
  Inner inner;
  template <class F>
  void fields(F& f) {
    f("width", width, "a width").range(1, 100);
    f("seed", seed, "a seed");
    f("fast", fast, "a switch");
    f("sizes", sizes, "some sizes");
    f("inner", inner, "nested");
  }
  void check(Problems& problems) const {
    if (fast && width > 50) problems.add("width", "must be at most 50 when fast");
  }
};

TEST(Config, ReadsWhatItWrites) {
  Outer a;
  a.width = 7;
  a.seed = 18446744073709551615ULL;
  a.inner.rate = 0.1;
  Outer b;
  apply_json(b, to_json_of(a), "test");
  EXPECT_EQ(to_json_of(b), to_json_of(a));
  EXPECT_EQ(b.seed, 18446744073709551615ULL);
}

TEST(Config, UnknownKeyNamesTheNearest) {
  Outer config;
  const std::string text = message_of<ConfigError>([&] {
    apply_json(config, Json{{"inner", {{"raet", 1}}}}, "my.json");
  });
  EXPECT_EQ(text, "my.json: inner.raet: unknown key (did you mean 'rate'?)");
}

TEST(Config, AllProblemsAreToldAtOnceAndNothingIsChanged) {
  Outer config;
  const Json json =
      parse_json(R"({"width": "wide", "fast": 1, "sizes": [1, "b"], "inner": {"rate": null, "x": 1},
                                   "seed": -1, "nonsense": {}})",
                 "test");
  const std::string text = message_of<ConfigError>([&] { apply_json(config, json, "f.json"); });
  for (const char* part :
       {"width: expected an integer", "fast: expected true or false", "sizes.1: expected an integer",
        "inner.rate: expected a number", "inner.x: unknown key", "seed: expected an integer from 0",
        "nonsense: unknown key"})
    EXPECT_TRUE(contains(text, part)) << part << " is not in: " << text;
  EXPECT_EQ(to_json_of(config), to_json_of(Outer{}));
}

TEST(Config, ValidationFindsRangesChoicesAndRulesAcrossFields) {
  Outer config;
  config.width = 60;
  config.fast = true;
  config.inner.rate = std::nan("");
  const std::string text = message_of<ConfigError>([&] { validate(config); });
  EXPECT_TRUE(contains(text, "inner.rate")) << text;
  EXPECT_TRUE(contains(text, "at most 50 when fast")) << text;
  const Json odd = {{"inner", {{"kind", "odd"}}}};
  const std::string choice = message_of<ConfigError>([&] { apply_json(config, odd, "f.json"); });
  EXPECT_TRUE(contains(choice, "inner.kind: is 'odd'; must be one of plain, fancy")) << choice;
  config.width = 0;
  EXPECT_TRUE(contains(message_of<ConfigError>([&] { validate(config); }), "width: is 0; must be from 1"))
      << text;
  EXPECT_NO_THROW(validate(Outer{}));
}

struct Outermost {
  Outer outer;
  template <class F>
  void fields(F& f) {
    f("outer", outer, "nested with rules of its own");
  }
};

TEST(Config, RulesAcrossFieldsNameTheWholePath) {
  Outermost config;
  config.outer.width = 60;
  config.outer.fast = true;
  EXPECT_EQ(message_of<ConfigError>([&] { validate(config, "f.json"); }),
            "f.json: outer.width: must be at most 50 when fast");
}

TEST(Config, IntegersAreExactOrRefused) {
  Outer config;
  apply_json(config, parse_json(R"({"width": 1e1})", "t"), "t");
  EXPECT_EQ(config.width, 10);
  for (const char* bad : {"1.5", "3000000000", "1e300", "-3000000000", "true", "\"3\""})
    EXPECT_THROW(apply_json(config, parse_json("{\"width\": " + std::string(bad) + "}", "t"), "t"),
                 ConfigError)
        << bad;
}

TEST(Config, AnObjectIsExpectedWhereAStructIs) {
  Outer config;
  EXPECT_THROW(apply_json(config, Json(3), "t"), ConfigError);
  EXPECT_THROW(apply_json(config, Json{{"inner", 3}}, "t"), ConfigError);
}

TEST(Config, CommentsAreAllowedInFiles) {
  const test::TempFolder folder;
  write_file_atomically(folder / "c.json", "// a comment\n{\"width\": /* here too */ 9}\n");
  EXPECT_EQ(read_json_file(folder / "c.json")["width"], 9);
}

TEST(Config, BrokenJsonNamesFileLineAndColumn) {
  const std::string text =
      message_of<FormatError>([] { (void)parse_json("{\n  \"a\": 1,\n  \"b\": oops\n}", "x.json"); });
  EXPECT_TRUE(contains(text, "x.json:3:8: broken json: ")) << text;
  EXPECT_FALSE(contains(text, "json.exception")) << text;
}

TEST(Config, AKeyGivenTwiceIsRefusedAtAnyDepth) {
  EXPECT_TRUE(contains(message_of<FormatError>([] { (void)parse_json(R"({"a": {"b": 1, "b": 2}})", "x"); }),
                       "'b' is given twice"));
  EXPECT_NO_THROW((void)parse_json(R"({"a": {"b": 1}, "b": {"a": [{"a": 1}, {"a": 2}]}})", "x"));
}

TEST(Config, AssignmentsMakeNestedValues) {
  Json json = Json::object();
  apply_assignment(json, "inner.rate=0.25");
  apply_assignment(json, "inner.kind=fancy");
  apply_assignment(json, "sizes=[4,5]");
  apply_assignment(json, "text=a=b");
  EXPECT_EQ(json,
            parse_json(R"({"inner": {"rate": 0.25, "kind": "fancy"}, "sizes": [4, 5], "text": "a=b"})", "t"));
  for (const char* bad : {"novalue", "=1", ".a=1", "a.=1", "a..b=1"})
    EXPECT_THROW(apply_assignment(json, bad), ConfigError) << bad;
}

TEST(Config, LaterSourcesWin) {
  const test::TempFolder folder;
  write_file_atomically(folder / "a.json", R"({"width": 4, "inner": {"rate": 0.1}})");
  write_file_atomically(folder / "b.json", R"({"width": 5})");
  const auto config =
      load_config<Outer>({folder / "a.json", folder / "b.json"}, {"inner.kind=fancy", "seed=9"});
  EXPECT_EQ(config.width, 5);
  EXPECT_EQ(config.inner.rate, 0.1);
  EXPECT_EQ(config.inner.kind, Kind::kFancy);
  EXPECT_EQ(config.seed, 9u);
  EXPECT_THROW((void)load_config<Outer>({}, {"width=1000"}), ConfigError);
}

TEST(Config, MergeReplacesAllButObjects) {
  Json base = parse_json(R"({"a": {"x": 1, "y": [1, 2]}, "b": 3})", "t");
  merge_json(base, parse_json(R"({"a": {"y": [9]}, "b": {"c": 1}})", "t"));
  EXPECT_EQ(base, parse_json(R"({"a": {"x": 1, "y": [9]}, "b": {"c": 1}})", "t"));
}

TEST(Config, WordsOfOlderFilesAreReadAndNotWritten) {
  Outer config;
  apply_json(config, read_json_file(KGWALK_SOURCE_DIR "/tests/runtime/fixtures/config_of_0_1.json"), "old");
  EXPECT_EQ(config.inner.kind, Kind::kFancy);
  EXPECT_EQ(config.inner.rate, 0.25);
  EXPECT_EQ(to_json_of(config)["inner"], (Json{{"rate", 0.25}, {"kind", "fancy"}}));
}

TEST(Config, AChoiceComparesWithItsEnumAndSaysWhatItMayBe) {
  Choice<Kind> kind = "fancy";
  EXPECT_EQ(kind, Kind::kFancy);
  EXPECT_EQ(kind.name(), "fancy");
  EXPECT_EQ(Choice<Kind>::names(), (std::vector<std::string>{"plain", "fancy"}));
  const std::string text = message_of<ConfigError>([] { (void)Choice<Kind>("fency"); });
  EXPECT_TRUE(contains(text, "plain, fancy (did you mean 'fancy'?)")) << text;
}

TEST(Config, DescribesEveryOptionWithValueRangeAndChoices) {
  const std::vector<OptionDoc> options = describe(Outer{});
  ASSERT_EQ(options.size(), 6u);
  EXPECT_EQ(options[0].name, "width");
  EXPECT_EQ(options[0].type, "integer");
  EXPECT_EQ(options[0].value, 3);
  EXPECT_EQ(options[0].high, 100);
  EXPECT_EQ(options[4].name, "inner.rate");
  EXPECT_EQ(options[4].former, std::vector<std::string>{"pace"});
  EXPECT_EQ(options[5].choices, (std::vector<std::string>{"plain", "fancy"}));
  EXPECT_EQ(options[5].description, "a kind");
}

}  // namespace
}  // namespace kgwalk
