#include "kgwalk/values.h"

#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph {
namespace {

Values some_values() {
  Values values;
  values.add(1, {"height", "1.8", "", "http://www.w3.org/2001/XMLSchema#decimal"});
  values.add(1, {"motto", "go\non", "en", ""});
  values.add(4, {"height", "", "", ""});
  return values;
}

TEST(Values, AreReadBackAsTheyWereAdded) {
  for (const Values& values : {some_values(), Values::from_bytes(some_values().to_bytes())}) {
    EXPECT_EQ(values.size(), 3u);
    const std::vector<Value> of = values.of(1);
    ASSERT_EQ(of.size(), 2u);
    EXPECT_EQ(of[0].name, "height");
    EXPECT_EQ(of[0].text, "1.8");
    EXPECT_EQ(of[0].datatype, "http://www.w3.org/2001/XMLSchema#decimal");
    EXPECT_EQ(of[1].text, "go\non");
    EXPECT_EQ(of[1].language, "en");
    EXPECT_EQ(values.of(4).at(0).text, "");
    EXPECT_TRUE(values.of(0).empty() && values.of(2).empty() && values.of(5).empty());
  }
  EXPECT_EQ(Values::from_bytes(Values().to_bytes()).size(), 0u);
}

std::string u64(std::uint64_t number) { return {reinterpret_cast<const char*>(&number), 8}; }
std::string u32(std::uint32_t number) { return {reinterpret_cast<const char*>(&number), 4}; }
std::string u16(std::uint16_t number) { return {reinterpret_cast<const char*>(&number), 2}; }

// A fixture of version 3, byte by byte.
TEST(Values, KeepTheirFormat) {
  Values values;
  values.add(2, {"n", "text", "de", "d", "p", "s", ValueRole::kAlias});
  values.add_relation(1, {"n", "x", "", "", "", "", ValueRole::kResource, "o"});
  const std::string bytes = "KGWVALS3" + u64(2) + u64(7) + u64(14) + u64(5) + u32(2) + u32(1) + u32(2) +
                            u32(3) + u32(4) + u32(5) + u16(3) + u16(0) + u32(0) + u64(0) + u64(4) + u32(1) +
                            u32(1) + u32(0) + u32(0) + u32(0) + u32(0) + u16(4) + u16(1) + u32(6) + u64(4) +
                            u64(1) + std::string("\0n\0de\0d\0p\0s\0o\0", 14) + "textx";
  EXPECT_EQ(values.to_bytes(), bytes);
  const Value read = Values::from_bytes(bytes).of_relation(1).at(0);
  EXPECT_EQ(read.subject, "o");
  EXPECT_EQ(read.role, ValueRole::kResource);
}

TEST(Values, OfTheSecondVersionAreReadAsTheyWere) {
  const std::string bytes = "KGWVALS2" + u64(2) + u64(6) + u64(12) + u64(5) + u32(2) + u32(1) + u32(2) +
                            u32(3) + u32(4) + u32(5) + u32(3) + u32(0) + u64(0) + u64(4) + u32(1) + u32(1) +
                            u32(0) + u32(0) + u32(0) + u32(0) + u32(0) + u32(1) + u64(4) + u64(1) +
                            std::string("\0n\0de\0d\0p\0s\0", 12) + "textx";
  const Values values = Values::from_bytes(bytes);
  const Value alias = values.of(2, ValueRole::kAlias).at(0);
  EXPECT_EQ(alias.text, "text");
  EXPECT_EQ(alias.predicate, "p");
  EXPECT_EQ(alias.source, "s");
  EXPECT_EQ(alias.subject, "");
  EXPECT_EQ(values.of_relation(1).at(0).text, "x");
  std::string changed = bytes;
  changed[8 + 32 + 24] = 9;  // the role
  EXPECT_THROW((void)Values::from_bytes(changed), StoreError);
}

TEST(Values, OfTheFirstVersionAreReadAsTheyWere) {
  const Values values =
      Values::from_bytes("KGWVALS1" + u64(1) + u64(4) + u64(8) + u64(4) + u32(2) + u32(1) + u32(2) + u32(3) +
                         u64(0) + u64(4) + std::string("\0n\0de\0d\0", 8) + "text");
  const std::vector<Value> read = values.of(2);
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].name, "n");
  EXPECT_EQ(read[0].text, "text");
  EXPECT_EQ(read[0].language, "de");
  EXPECT_EQ(read[0].datatype, "d");
  EXPECT_TRUE(read[0].predicate.empty() && read[0].source.empty());
}

TEST(Values, TellTheirRolesAndWhoseTheyAre) {
  Values values;
  values.add(1, {"alt label", "other", "", "", "", "", ValueRole::kAlias});
  values.add(1, {"comment", "what it is", "", "", "", "", ValueRole::kDescription});
  values.add(1, {"year", "1997", "", ""});
  values.add_relation(0, {"label", "of a relation", "", "", "", "", ValueRole::kLabel});
  EXPECT_EQ(values.of(1).size(), 1u);
  EXPECT_EQ(values.of(1, ValueRole::kAlias).at(0).text, "other");
  EXPECT_EQ(values.description(1), "what it is");
  EXPECT_EQ(values.description(0), "");
  EXPECT_TRUE(values.of(0, ValueRole::kLabel).empty());
  EXPECT_EQ(values.of_relation(0).at(0).text, "of a relation");
}

TEST(Values, ThatAreDamagedAreRefused) {
  const std::string whole = some_values().to_bytes();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW((void)Values::from_bytes(whole.substr(0, size)), StoreError) << size;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    try {  // refused, or every view lies inside
      const Values values = Values::from_bytes(changed);
      for (EntityId id = 0; id < 8; ++id)
        for (const Value& value : values.of(id))
          EXPECT_LE(value.text.size() + value.name.size(), whole.size());
    } catch (const StoreError&) {
    }
  }
}

}  // namespace
}  // namespace kgwalk::graph
