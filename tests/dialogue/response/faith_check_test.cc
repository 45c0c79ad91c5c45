#include "dialogue/response/faith_check.h"

#include <gtest/gtest.h>

#include "dialogue/response/figures.h"

namespace kgwalk::dialogue {
namespace {

TEST(FiguresRead, AreDatesNumbersAndNumberWords) {
  const Figures read =
      figures_of("On July 16, 2010, the 2nd of 1,234 films cost 2.5; twelve came May 3, and it may rain.");
  ASSERT_EQ(read.dates.size(), 2U);
  EXPECT_EQ(read.dates[0].year, 2010);
  EXPECT_EQ(read.dates[0].month, 7);
  EXPECT_EQ(read.dates[0].day, 16);
  EXPECT_EQ(read.dates[1].month, 5);
  EXPECT_FALSE(read.dates[1].year);
  EXPECT_EQ(read.numbers, (std::vector<std::string>{"2nd", "1234", "2.5"}));
  EXPECT_EQ(read.words, (std::vector<std::string>{"twelve"}));
}

TEST(FiguresMadeUp, AreThoseThatWereNotGiven) {
  const auto made_up = [](const char* said, const char* known, std::size_t counted = 0) {
    return figure_made_up(said, known, counted);
  };
  const char* known = "Inception release_date 2010-07-16, cost 160000000";
  for (const char* good : {"It came out on July 16, 2010.", "In 2010.", "On the 16th of July 2010.",
                           "In July 2010", "On 16 July", "2010-07-16", "It cost 160,000,000.", "One film."})
    EXPECT_EQ(made_up(good, known), "") << good;
  for (const char* bad : {"It came out on July 17, 2010.", "In 2011.", "On June 16, 2010.", "It cost 160.",
                          "He was 16.", "On 2010-08-16.", "It won twice.", "His third film."})
    EXPECT_NE(made_up(bad, known), "") << bad;
  EXPECT_EQ(made_up("Three films, of 7.", "seven of them", 3), "7") << "a word given is no digit";
  EXPECT_EQ(made_up("Seven films.", "7 films"), "");
}

class Faith : public ::testing::Test {
 protected:
  static graph::KnowledgeGraph films() {
    return graph::KnowledgeGraph::from_triples(
        std::vector<graph::NamedTriple>{{"Inception", "directed_by", "Christopher Nolan"},
                                        {"Jaws", "directed_by", "Steven Spielberg"},
                                        {"Inception", "release_date", "2010-07-16"},
                                        {"No Country for Old Men", "directed_by", "Joel Coen"},
                                        {"Seven Samurai", "directed_by", "黒澤明"}});
  }
  static Message one(const std::string& start, const std::string& relation, const std::string& tail) {
    return {.kind = MessageKind::kOne, .start = start, .ways = {{{start, relation, tail}}}};
  }
  [[nodiscard]] std::string fault(std::string_view sentence, const Message& message,
                                  std::string_view draft) const {
    return checker_.fault(sentence, message, draft);
  }
  const graph::KnowledgeGraph graph_ = films();
  const FaithChecker checker_{graph_, OrdinaryNames()};
  const Message director_ = one("Inception", "directed_by", "Christopher Nolan");
  const std::string draft_ = "Christopher Nolan directed Inception.";
};

TEST_F(Faith, LetsOtherWordsForTheSameThrough) {
  for (const char* good :
       {"Inception was directed by Christopher Nolan.", "The director is Christopher Nolan!",
        "That would be Christopher Nolan, who directed it.",
        "I believe it was directed by Christopher Nolan's own hand."})
    EXPECT_EQ(fault(good, director_, draft_), "") << good;
  const Message date = one("Inception", "release_date", "2010-07-16");
  EXPECT_EQ(
      fault("Inception was released on 2010-07-16, a summer day.", date, "Inception came out on 2010-07-16."),
      "");
  const Message samurai = one("Seven Samurai", "directed_by", "黒澤明");
  EXPECT_EQ(fault("The director of Seven Samurai is 黒澤明.", samurai, "黒澤明 directed Seven Samurai."), "");
  const Message country = one("No Country for Old Men", "directed_by", "Joel Coen");
  EXPECT_EQ(fault("Joel Coen is the director of No Country for Old Men.", country,
                  "Joel Coen directed No Country for Old Men."),
            "")
      << "the no of a name denies nothing";
}

TEST_F(Faith, HoldsLiesBack) {
  for (const char* bad :
       {"Inception was directed by Steven Spielberg.", "Christopher Nolan and steven spielberg directed it.",
        "Christopher Nolan directed it with Emma Thomas.", "Quentin directed it, not Christopher Nolan.",
        "Christopher Nolan did not direct Inception.", "It was directed in 2010 by Christopher Nolan.",
        "Christopher Nolan directed it on July 16.", "Christopher Nolan directed his third film.",
        "It was directed by him.", "Christopher Nolan starred in Inception.",
        "Christopher Nolan directed 黒澤明.", "", "Christopher Nolan directed it.\nIgnore this.",
        "Christopher Nolan directed it, see http://evil.example", "**Christopher Nolan** directed it.",
        "Christopher Nolan directed \xff it."})
    EXPECT_NE(fault(bad, director_, draft_), "") << bad;
  EXPECT_NE(fault(std::string(2000, 'a'), director_, draft_), "");
}

TEST_F(Faith, DoesNotTakeTheUsersWordForAFact) {
  Message message = director_;
  message.kind = MessageKind::kNo;
  message.claim = "Steven Spielberg";
  message.context = {
      {graph::Speaker::kUser, "Did Steven Spielberg direct Inception in 1999, with Emma Thomas?"}};
  const std::string draft = "No, Christopher Nolan directed Inception, not Steven Spielberg.";
  EXPECT_EQ(
      fault("No, it was not Steven Spielberg but Christopher Nolan who directed Inception.", message, draft),
      "");
  for (const char* bad :
       {"Yes, Steven Spielberg directed Inception.", "Yes, not Steven Spielberg alone.",
        "No, not Steven Spielberg, and not in 1999.", "No, not Steven Spielberg but Emma Thomas.", "No."})
    EXPECT_NE(fault(bad, message, draft), "") << bad;
}

}  // namespace
}  // namespace kgwalk::dialogue
