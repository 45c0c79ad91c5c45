// Completion of names in what is typed at a terminal.
#include "cli/use/line_editor.h"

#include <gtest/gtest.h>

namespace kgwalk::cli {
namespace {

const std::vector<std::string> kNames = {"Iron Man", "Iron Man 2", "Tom Hanks", "Tom Hardy", "Zoë", "Zoé"};

Completions complete(std::string_view before, std::size_t most = 10) {
  return complete_names(
      before, kNames.size(), [](std::size_t i) { return std::string_view(kNames[i]); }, most);
}

TEST(LineEditor, CompletesTheLongestEndThatNamesBeginWith) {
  const Completions found = complete("Who directed iron m");
  EXPECT_EQ(found.length, 6U);
  EXPECT_EQ(found.texts, (std::vector<std::string>{"Iron Man", "Iron Man 2"}));
  EXPECT_EQ(complete("Did Tom Hanks or Tom Har").texts, std::vector<std::string>{"Tom Hardy"});
  EXPECT_EQ(complete("tom ha", 1).texts.size(), 1U);
}

TEST(LineEditor, CompletesNothingOfWhatNoNameBeginsWith) {
  for (const char* before : {"", "T", "Who directed ", "Iron Mann", "atom h"})
    EXPECT_TRUE(complete(before).texts.empty()) << before;
}

TEST(LineEditor, CompletesAsFarAsNamesAgreeAndNoHalfOfACharacter) {
  EXPECT_EQ(common_start({"Tom Hanks", "Tom Hardy"}), "Tom Ha");
  EXPECT_EQ(common_start({"Zoë", "Zoé"}), "Zo");
  EXPECT_EQ(common_start({"Iron Man"}), "Iron Man");
  EXPECT_EQ(common_start({}), "");
}

}  // namespace
}  // namespace kgwalk::cli
