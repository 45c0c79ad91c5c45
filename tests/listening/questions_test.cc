#include <gtest/gtest.h>

#include <set>

#include "kgwalk/error.h"
#include "listening/questions/english.h"
#include "listening/questions/generator.h"
#include "listening/questions/question_file.h"
#include "runtime/files.h"
#include "tests/listening/world.h"
#include "tests/runtime/test_support.h"

namespace kgwalk::listening {
namespace {

class Questions : public ::testing::Test {
 protected:
  std::vector<FormQuestion> make(int count, std::uint64_t seed) const {
    QuestionConfig config;
    config.count = count;
    return make_form_questions(world_.lexicon, world_.engine, config, seed);
  }
  testing::World world_;
};

TEST_F(Questions, AreTheSameForASeedAndOfEveryKind) {
  const std::vector<FormQuestion> first = make(400, 7), again = make(400, 7);
  ASSERT_EQ(first.size(), 400U);
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].text, again[i].text);
    kinds.insert(first[i].kind);
  }
  for (const char* kind :
       {"one hop", "two hops", "and", "count", "yes or no", "first or last", "filter", "but", "compared"})
    EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TEST_F(Questions, HaveAnAnswerOrATruthAndNameWhatTheyAsk) {
  for (const FormQuestion& question : make(300, 11)) {
    EXPECT_NE(question.answers.empty(), !question.truth.has_value()) << question.text;
    EXPECT_FALSE(question.named.empty()) << question.text;
    EXPECT_TRUE(std::is_sorted(question.answers.begin(), question.answers.end()));
    for (const graph::RelationId relation : question.relations)
      EXPECT_TRUE(world_.lexicon.is_askable(relation)) << question.text;
  }
}

TEST_F(Questions, MostlyHaveARightCandidate) {
  int right = 0;
  const std::vector<FormQuestion> questions = make(200, 13);
  for (const FormQuestion& question : questions) {
    const Prepared heard = world_.prepared(question.text);
    const std::vector<float> targets = right_candidates(question, heard.candidates, heard.parts.mentions);
    right += std::any_of(targets.begin(), targets.end(), [](float x) { return x > 0; }) ? 1 : 0;
  }
  EXPECT_GT(right, 160) << "names are sometimes mistyped beyond finding";
}

TEST_F(Questions, OfPeopleAreReadFromAFile) {
  const test::TempFolder folder;
  write_file_atomically(
      folder / "asked.jsonl",
      R"({"question": "Who made Night Ferry?", "answers": ["Ada Lindqvist"], "kind": "one hop"}
{"question": "How many films?", "count": 3}
{"question": "Is it so?", "yes": true}
{"question": "Who?", "answers": ["Nobody Known"]}
)");
  const QuestionFile file = read_form_questions(folder / "asked.jsonl", world_.graph, false);
  ASSERT_EQ(file.questions.size(), 3U);
  EXPECT_EQ(file.left_out, 1U);
  EXPECT_EQ(file.questions[0].answers, world_.all({"Ada Lindqvist"}));
  EXPECT_TRUE(file.questions[1].counted);
  write_file_atomically(folder / "bad.jsonl", "{\"question\": \"x\"}\n");
  EXPECT_THROW((void)read_form_questions(folder / "bad.jsonl", world_.graph, false), DataError);
}

TEST(English, KnowsPluralsAndArticles) {
  EXPECT_EQ(plural_of("city"), "cities");
  EXPECT_EQ(plural_of("place of birth"), "places of birth");
  EXPECT_EQ(plural_of("person"), "people");
  EXPECT_EQ(plural_of("series"), "series");
  EXPECT_EQ(singular_of("actors"), "actor");
  EXPECT_EQ(with_article("actor"), "an actor");
  EXPECT_EQ(with_article("university"), "a university");
}

}  // namespace
}  // namespace kgwalk::listening
