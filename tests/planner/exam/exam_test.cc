// Exams of conversations: the verdicts are those of the script that the format comes from.
#include "planner/exam/exam.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/json_text.h"
#include "tests/error_text.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using test::TempFolder;

Exam read(const TempFolder& folder, const std::string& text) {
  write_file_atomically(folder / "exam.json", text);
  return read_exam(folder / "exam.json");
}

TEST(Exam, VerdictsAreThoseOfTheScript) {
  const Json golden = read_json_file(KGWALK_SOURCE_DIR "/tests/golden/exam_verdicts.json");
  const TempFolder folder;
  std::size_t compared = 0;
  for (std::size_t t = 0; t < golden.at("turns").size(); ++t) {
    Json turn = golden.at("turns").at(t);
    turn["kind"] = "x";
    const ExamTurn asked = read(folder, Json::array({Json::array({turn})}).dump()).front().front();
    const std::string right = golden.at("right").at(t);
    for (std::size_t i = 0; i < right.size(); ++i, ++compared) {
      const std::string said = golden.at("said").at(i);
      EXPECT_EQ(is_right(asked, said, golden.at("walked").at(t)), right[i] == '1') << turn.dump() << "\n"
                                                                                   << said;
    }
  }
  EXPECT_GT(compared, 3000U);
}

TEST(Exam, ReadsWhatIsJudgedAndWhatIsNot) {
  const TempFolder folder;
  const Exam exam = read(folder, R"([[{"say": "Hi", "kind": null},
    {"say": "How many?", "kind": "count", "number": 2}], [{"say": "Is it?", "kind": "yes or no", "yesno": "no"}]])");
  ASSERT_EQ(exam.size(), 2U);
  EXPECT_EQ(exam[0][0].kind, "");
  EXPECT_EQ(exam[0][1].number, 2);
  EXPECT_EQ(exam[1][0].yes, false);
}

TEST(Exam, SaysWhereAFileIsNoExam) {
  const TempFolder folder;
  const auto refused = [&](const std::string& text) {
    return test::advice_of<FormatError>([&] { (void)read(folder, text); });
  };
  EXPECT_NE(refused("{}").find("is no list of conversations"), std::string::npos);
  EXPECT_NE(refused(R"([[{"say": "a", "kind": "b"}]])").find("conversation 1, turn 1 is judged"),
            std::string::npos);
  EXPECT_NE(refused(R"([[{"say": "a", "anny": ["b"]}]])").find("did you mean 'any'"), std::string::npos);
  EXPECT_NE(refused(R"([[{"say": "a", "kind": "b", "yesno": "maybe"}]])").find("yes or no"),
            std::string::npos);
  EXPECT_NE(refused(R"([[{"kind": "b"}]])").find("'say'"), std::string::npos);
}

TEST(Exam, TellsKindsInTheirOrderWithIntervals) {
  ExamReport report;
  const auto turn = [](const char* kind, bool right) {
    HeldTurn held;
    held.turn.say = "?";
    held.turn.kind = kind;
    held.right = right;
    return held;
  };
  report.conversations = {{turn("", false), turn("one", true)}, {turn("all", true), turn("one", false)}};
  const auto kinds = report.kinds();
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].name, "one");
  EXPECT_EQ(kinds[0].right, 1);
  EXPECT_EQ(kinds[0].turns, 2);
  EXPECT_EQ(kinds[2].turns, 3) << "all together";
  // Wilson's interval of 1 of 2, by hand: 9.5 to 90.5.
  EXPECT_NE(report.to_text().find(" 50.0 %    9.5 to  90.5     1 of    2  one\n"), std::string::npos)
      << report.to_text();
  EXPECT_EQ(report.to_json()["all"]["right"], 2);
  EXPECT_NE(report.to_markdown().find("*one: right*"), std::string::npos);
}

}  // namespace
}  // namespace kgwalk
