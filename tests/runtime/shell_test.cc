#include "runtime/shell.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace kgwalk {
namespace {

// What the shell makes of the words, each ended by a line feed.
std::string read_back(const std::string& words) {
  FILE* pipe = popen(("printf '%s\\n' " + words).c_str(), "r");
  if (pipe == nullptr) return "no shell";
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  pclose(pipe);
  return out;
}

TEST(Shell, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(shell_quote("runs/walker-1.json"), "runs/walker-1.json");
  EXPECT_EQ(shell_command(std::vector<std::string>{"kgwalk", "train", "--set", "a.b=1,2"}),
            "kgwalk train --set a.b=1,2");
}

TEST(Shell, EveryWordIsReadBackByTheShell) {
  const std::vector<std::string> words{"",  "two words", "it's", "$HOME", "`ls`", "a\\b",
                                       "*", "\"q\"",     "a;b",  "#x",    "~",    "Ame\xCC\x81lie"};
  std::string expected;
  for (const std::string& word : words) expected += word + "\n";
  EXPECT_EQ(read_back(shell_command(words)), expected);
}

}  // namespace
}  // namespace kgwalk
