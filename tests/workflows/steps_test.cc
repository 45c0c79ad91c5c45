// Steps of a workflow: what is told of them, what is done again and what is not.
#include "workflows/steps/steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

namespace fs = std::filesystem;

// Counts its work and what an observer is told.
class StepsTest : public ::testing::Test {
 protected:
  Step step(const std::string& title, Arguments arguments = {}) {
    Step made{.title = title, .function = "count", .arguments = std::move(arguments), .work = {}};
    made.work = [this, title] {
      worked_.push_back(title);
      return Report{"worked\n", {{"title", title}}};
    };
    return made;
  }
  Steps steps() { return Steps(observer_, folder_ / "state.json"); }

  test::TempFolder folder_;
  std::vector<std::string> worked_, begun_, ended_;
  WorkflowObserver observer_{
      .begins =
          [this](const WorkflowStep& step) { begun_.push_back(step.title + (step.done ? " done" : "")); },
      .ends =
          [this](const WorkflowStep& step, const WorkflowResult& result) {
            ended_.push_back(step.title + ": " + result.text + result.learned);
          }};
};

TEST_F(StepsTest, TellsOfEachAsItBeginsAndEnds) {
  Steps row = steps();
  Step learning = step("a");
  learning.learned = [](const Json& json) { return "learned " + json.at("title").get<std::string>(); };
  row.run(learning);
  EXPECT_EQ(begun_, std::vector<std::string>{"a"});
  EXPECT_EQ(ended_, std::vector<std::string>{"a: worked\nlearned a"});
}

TEST_F(StepsTest, WhatIsDoneIsPassedOverByTheNextCall) {
  {
    Steps row = steps();
    row.run(step("a", {{"count", "1"}}));
    row.run(step("b"));
  }
  Steps row = steps();
  row.run(step("a", {{"count", "1"}}));
  row.run(step("b"));
  EXPECT_EQ(worked_, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(begun_.back(), "b done");
  EXPECT_EQ(ended_.size(), 2U);
}

TEST_F(StepsTest, AnotherArgumentDoesItAndAllBehindItAgain) {
  {
    Steps row = steps();
    row.run(step("a", {{"count", "1"}}));
    row.run(step("b"));
  }
  Steps row = steps();
  row.run(step("a", {{"count", "2"}}));
  row.run(step("b"));
  EXPECT_EQ(worked_, (std::vector<std::string>{"a", "b", "a", "b"}));
}

TEST_F(StepsTest, AnotherContentOfAnInputDoesItAgain) {
  Step reading = step("a");
  reading.inputs = {folder_ / "in.txt"};
  for (const char* content : {"1", "1", "2"}) {
    write_file_atomically(folder_ / "in.txt", content);
    steps().run(reading);
  }
  EXPECT_EQ(worked_.size(), 2U);
}

TEST_F(StepsTest, OutputsStayWhereAStepWasStoppedAndGoWhereItIsAnother) {
  Step writing = step("a");
  writing.outputs = {folder_ / "out.txt"};
  bool stopped = true, was_there = false;
  writing.work = [&]() -> Report {
    was_there = fs::exists(folder_ / "out.txt");
    write_file_atomically(folder_ / "out.txt", "half");
    if (stopped) throw Interrupted("saved");
    return {};
  };
  EXPECT_THROW(steps().run(writing), Interrupted);
  stopped = false;
  steps().run(writing);
  EXPECT_TRUE(was_there) << "a training goes on in its run";
  writing.arguments = {{"count", "2"}};
  steps().run(writing);
  EXPECT_FALSE(was_there) << "a run of other arguments is no run to go on with";
}

TEST_F(StepsTest, TimesOfEarlierCallsCount) {
  steps().run(step("a"));
  const double before = steps().seconds();
  Steps row = steps();
  row.run(step("a"));
  EXPECT_EQ(row.seconds(), before);
}

TEST_F(StepsTest, AStateOfSomethingElseIsRefused) {
  write_file_atomically(folder_ / "state.json", "{\"format\": \"other\"}");
  EXPECT_THROW(steps(), FormatError);
}

TEST_F(StepsTest, TheJsonOfAStepGoesToItsFile) {
  Step measuring = step("a");
  measuring.json = folder_ / "a.json";
  steps().run(measuring);
  EXPECT_EQ(read_json_file((folder_ / "a.json").string()).at("title"), "a");
}

TEST_F(StepsTest, WhatAnObserverThrowsEndsTheWorkflow) {
  observer_.begins = [](const WorkflowStep&) { throw std::runtime_error("enough"); };
  Steps row = steps();
  EXPECT_THROW(row.run(step("a")), std::runtime_error);
  EXPECT_TRUE(worked_.empty());
}

}  // namespace
}  // namespace kgwalk
