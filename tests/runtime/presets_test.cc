#include "runtime/presets.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

constexpr Preset kTable[] = {
    {"mt_plain", "// a comment\n{\"width\": 8}"}, {"mt_tiny", "{\"width\": 4}"}, {"lm_plain", "{}"}};

TEST(Presets, AreFoundByPrefixAndName) {
  EXPECT_EQ(preset_of(kTable, "plain", "preset", "mt_"), Json({{"width", 8}}));
  EXPECT_EQ(preset_of(kTable, "lm_plain", "preset"), Json::object());
  EXPECT_EQ(preset_names_of(kTable, "mt_"), (std::vector<std::string>{"plain", "tiny"}));
  EXPECT_EQ(preset_names_of(kTable).size(), 3U);
}

TEST(Presets, AnUnknownNameIsAnsweredWithTheNearestOfItsPrefix) {
  try {
    (void)preset_of(kTable, "plian", "translation preset", "mt_");
    FAIL();
  } catch (const ConfigError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("translation preset 'plian'"), std::string::npos) << what;
    EXPECT_NE(what.find("'plain'"), std::string::npos) << what;
    EXPECT_EQ(what.find("lm_"), std::string::npos) << what;
  }
  EXPECT_THROW((void)preset_of(kTable, "", "preset", "mt_"), ConfigError);
}

}  // namespace
}  // namespace kgwalk
