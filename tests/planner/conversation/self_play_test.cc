// Dialogues between a simulated user and the assistant.
#include "planner/conversation/self_play.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"
#include "rl/simulator/worded_user.h"
#include "tests/planner/talk_world.h"

namespace kgwalk {
namespace {

using testing::contains;

SelfPlay films(SelfPlayOptions options = {}) {
  const auto graph = testing::talk_graph();
  Planner planner(std::make_unique<const PlannerCore>(std::make_unique<testing::CompassWalker>(graph),
                                                      Planner::Stage::kTwo));
  auto guide = std::make_shared<const Guide>(
      std::make_unique<const GuideCore>(std::move(planner), std::make_unique<const rl::WordedUser>(graph)));
  auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  options.goals = "train";
  options.distances = {2, 3};
  Talk talk(guide, linker, options.conversation, std::make_shared<const Responder>(Responder::by_wordings()));
  return {std::move(options), guide, std::move(talk), {}};
}

std::string lines_of(const SelfPlayReport& report) {
  std::string lines;
  for (const SelfPlayDialogue& dialogue : report.dialogues) lines += dialogue.to_json().dump() + "\n";
  return lines;
}

TEST(SelfPlay, TalksToTheGoalsAndTellsOfBothSides) {
  const SelfPlayReport report = films({.dialogues = 12}).run(silent_reporter(), never_stop());
  ASSERT_EQ(report.dialogues.size(), 12U);
  std::size_t reached = 0;
  for (const SelfPlayDialogue& dialogue : report.dialogues) {
    EXPECT_TRUE(dialogue.distance == 2 || dialogue.distance == 3);
    ASSERT_FALSE(dialogue.turns.empty());
    reached += dialogue.reached;
    EXPECT_EQ(dialogue.reached, dialogue.turns.back().left == 0);
    for (const SelfPlayTurn& turn : dialogue.turns) {
      EXPECT_FALSE(turn.user.empty());
      EXPECT_FALSE(turn.assistant.empty());
      EXPECT_EQ(turn.named, turn.names) << turn.assistant;
      EXPECT_TRUE(turn.wrong.empty()) << turn.assistant;
    }
  }
  EXPECT_GT(reached, 9U);
  const Json json = report.to_json();
  EXPECT_EQ(json["dialogues"], 12);
  EXPECT_EQ(json["names_said"], 100);
  EXPECT_DOUBLE_EQ(json["reached"]["percent"].get<double>(), 100.0 * static_cast<double>(reached) / 12);
  EXPECT_TRUE(contains(report.to_text(), "12 "));
}

TEST(SelfPlay, TheSeedDecidesTheDialoguesWhateverTheThreads) {
  set_num_threads(2);
  const std::string two = lines_of(films({.dialogues = 8}).run(silent_reporter(), never_stop()));
  set_num_threads(1);
  EXPECT_EQ(lines_of(films({.dialogues = 8}).run(silent_reporter(), never_stop())), two);
  EXPECT_NE(lines_of(films({.dialogues = 8, .seed = 2}).run(silent_reporter(), never_stop())), two);
}

TEST(SelfPlay, KeepsWhatWasFinishedWhenItIsStopped) {
  StopFlag stop;
  stop.request();
  const SelfPlayReport report = films({.dialogues = 8}).run(silent_reporter(), stop);
  EXPECT_TRUE(report.dialogues.empty());
  EXPECT_TRUE(contains(report.to_text(), "stopped: 0 of 8 dialogues"));
  EXPECT_EQ(report.to_json()["asked_for"], 8);
}

TEST(SelfPlay, ShowsBothSidesOnAPage) {
  SelfPlayReport report = films({.dialogues = 4}).run(silent_reporter(), never_stop());
  report.dialogues.front().turns.front().user = "<b>\"Heat\" & Ünïcode</b>";
  const std::string page = self_play_as_html(report, 2);
  EXPECT_TRUE(contains(page, "The first 2 of 4 dialogues"));
  EXPECT_TRUE(contains(page, "&lt;b&gt;"));
  EXPECT_FALSE(contains(page, "<b>"));
  EXPECT_TRUE(contains(page, "class=\"said user\""));
  EXPECT_TRUE(contains(page, "class=\"said assistant\""));
}

TEST(SelfPlay, RefusesWhatItCannotDo) {
  const auto refusal = [](const SelfPlayOptions& options) {
    try {
      (void)SelfPlay::open(options);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(contains(refusal({.dialogues = 0}), "dialogues"));
  EXPECT_TRUE(contains(refusal({.distances = {}}), "distances"));
  EXPECT_TRUE(contains(refusal({.turns = 0}), "turns"));
}

}  // namespace
}  // namespace kgwalk
