// Settings by name: which win, and what is refused.
#include "kgwalk/settings.h"

#include <gtest/gtest.h>

#include "kgwalk/distance_factors.h"
#include "kgwalk/error.h"
#include "kgwalk/training.h"
#include "runtime/files.h"
#include "tests/error_text.h"
#include "tests/temp_folder.h"
#include "workflows/configured.h"

namespace kgwalk {
namespace {

using Factors = embeddings::DistanceFactorsConfig;

TEST(Settings, LaterOnesWin) {
  const test::TempFolder folder;
  write_file_atomically(folder / "a.json", "{\"rank\": 1, \"oversampling\": 1, \"sample_pairs\": 1}");
  Settings settings{.files = {folder / "a.json"}, .assignments = {"sample_pairs=3"}};
  settings.values["oversampling"] = 2;
  settings.values["sample_pairs"] = 2;
  const Factors config = with_values(settings, Factors{});
  EXPECT_EQ(config.rank, 1);
  EXPECT_EQ(config.oversampling, 2);
  EXPECT_EQ(config.sample_pairs, 3);
}

TEST(Settings, WrongNamesValuesAndPresetsAreTold) {
  Settings settings;
  settings.values = {{"rnk", 8}};
  EXPECT_NE(test::advice_of<ConfigError>([&] { (void)with_values(settings, Factors{}); }).find("rank"),
            std::string::npos);
  EXPECT_THROW((void)with_values({.assignments = {"rank=0"}}, Factors{}), ConfigError);
  EXPECT_THROW(embed({.database = "none.db", .settings = {.preset = "large"}}), ConfigError);
  EXPECT_THROW(train_walker({.database = "none.db", .run = "none", .settings = {.preset = "larg"}}),
               ConfigError);
}

TEST(Settings, OptionsOfEveryFunctionAreListed) {
  for (const char* function :
       {"compute_distances", "embed", "predict_links", "make_questions", "pretrain_text", "train_walker",
        "train_listener", "train_simulator", "train_responder", "train_stage2"}) {
    const Json options = options_of(function);
    ASSERT_FALSE(options.empty()) << function;
    EXPECT_TRUE(options.front().contains("description")) << function;
    for (const std::string& preset : presets_of(function))
      EXPECT_NO_THROW((void)options_of(function, preset));
  }
  EXPECT_NE(test::advice_of<ConfigError>([] { (void)options_of("train_waler"); }).find("train_walker"),
            std::string::npos);
  EXPECT_THROW((void)options_of("embed", "large"), ConfigError);
}

TEST(Settings, ValuesOfAPresetAreItsOwn) {
  const auto value_of = [](const Json& options, const std::string& name) {
    for (const Json& option : options)
      if (option.at("name") == name) return option.at("value");
    return Json();
  };
  EXPECT_NE(value_of(options_of("train_walker", "tiny"), "trainer.max_epochs"), Json());
  EXPECT_NE(options_of("train_walker", "tiny"), options_of("train_walker", "hitkg_paper"));
}

}  // namespace
}  // namespace kgwalk
