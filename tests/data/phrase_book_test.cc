// How lines are filled with names: articles, small letters, pronouns, marks after names, look-ups.
#include "data/phrase_book.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::sample {
namespace {

namespace fs = std::filesystem;

class PhraseBookTest : public testing::Test {
 protected:
  PhraseBookTest() {
    fs::create_directories(folder_);
    const fs::path tables = folder_ / "facts.tsv";
    kgwalk::write_file_atomically(
        tables,
        "@film\tname\tdirected_by:person\thas_genre:genre\trelease_year:year\tBased On:book\n"
        "Jaws\tAda Jr.\tThriller\t1975\tJaws (Novel)\n"
        "Who Goes?\tAda Jr.\tHorror\t\t\n"
        "@person\tname\tpronoun\tCountry:country\n"
        "Ada Jr.\tshe\tNetherlands\n");
    graph_ = FactGraph::read({&tables, 1});
  }
  ~PhraseBookTest() override { fs::remove_all(folder_); }

  PhraseBook book(const std::string& more = "") {
    const std::string lists = "@ the\n- Netherlands\n@ small\n- genre\n@ capital\n";
    kgwalk::write_file_atomically(folder_ / "phrases.txt", lists + more);
    return PhraseBook::read(folder_ / "phrases.txt", graph_);
  }
  int id(const std::string& name) const {
    for (int entity = 0; entity < graph_.num_entities(); ++entity) {
      if (graph_.name(entity) == name) return entity;
    }
    ADD_FAILURE() << "no entity " << name;
    return 0;
  }

  fs::path folder_ = fs::temp_directory_path() / ("kgwalk_phrases_" + std::to_string(::getpid()));
  FactGraph graph_;
};

TEST_F(PhraseBookTest, NamesTakeArticlesAndSmallLettersInsideASentence) {
  const PhraseBook phrases = book();
  EXPECT_EQ(phrases.fill("{h} is from {t}.", {id("Ada Jr."), id("Netherlands")}),
            "Ada Jr. is from the Netherlands.");
  EXPECT_EQ(phrases.fill("{t} it is. {t}!", {id("Netherlands")}), "The Netherlands it is. The Netherlands!");
  EXPECT_EQ(phrases.fill("I like {t}, it is {t.a}.", {id("Thriller")}), "I like thriller, it is a thriller.");
}

TEST_F(PhraseBookTest, MarksAreNotDoubled) {
  const PhraseBook phrases = book();
  EXPECT_EQ(phrases.fill("It is by {t}.", {id("Ada Jr.")}), "It is by Ada Jr.");
  EXPECT_EQ(phrases.fill("Have you seen {t}?", {id("Who Goes?")}), "Have you seen Who Goes?");
}

TEST_F(PhraseBookTest, NamesakesOnOnePathAreToldApart) {
  const std::vector<int> path = {id("Jaws"), id("Jaws (Novel)")};
  EXPECT_EQ(book().fill("{h} comes from {t}.", path), "Jaws comes from the novel Jaws.");
  EXPECT_EQ(book().fill("Read {t}.", {id("Jaws (Novel)")}), "Read Jaws.");
}

TEST_F(PhraseBookTest, LookUpsFollowARelationOrRejectTheLine) {
  const PhraseBook phrases = book();
  EXPECT_EQ(phrases.fill("In {t:release_year}?", {id("Ada Jr."), id("Jaws")}), "In 1975?");
  EXPECT_EQ(phrases.fill("In {t:release_year}?", {id("Ada Jr."), id("Who Goes?")}), std::nullopt);
  EXPECT_EQ(phrases.fill("By {t:directed_by}?", {id("Ada Jr."), id("Jaws")}), std::nullopt)
      << "would name the start";
}

TEST_F(PhraseBookTest, PronounsStandForWhatWasJustNamed) {
  const PhraseBook phrases = book();
  EXPECT_EQ(phrases.fill("{He} made {his} film.", {id("Ada Jr.")}), "She made her film.");
  EXPECT_EQ(phrases.with_pronoun("Who is in {h}?", id("Jaws")), "Who is in it?");
  EXPECT_EQ(phrases.with_pronoun("What did {h} do?", id("Ada Jr.")), "What did {he} do?");
  EXPECT_EQ(phrases.with_pronoun("A film by {h}?", id("Ada Jr.")), "A film by {him}?");
  EXPECT_EQ(phrases.with_pronoun("The cast of {h}?", id("Jaws")), "The cast of {h}?");
  EXPECT_EQ(phrases.with_pronoun("Where is {h}?", id("Netherlands")), "Where is {h}?");
}

TEST_F(PhraseBookTest, SlipsAreToldWithTheirLine) {
  const auto bad_line = [&](const std::string& text) -> std::size_t {
    try {
      (void)book(text);
    } catch (const DataError& error) {
      return error.line() - 5;  // after the lists
    }
    return 0;
  };
  EXPECT_EQ(bad_line("= film/directed_by/person | 3\n? Who?\n! {t}.\n"), 0U);
  EXPECT_EQ(bad_line("= film/directed/person\n"), 1U) << "unknown relation";
  EXPECT_EQ(bad_line("= film/directed_by\n"), 1U) << "half a hop";
  EXPECT_EQ(bad_line("? Who?\n"), 1U) << "a question before any pattern";
  EXPECT_EQ(bad_line("= film/directed_by/person\nWho?\n"), 2U) << "no mark";
  EXPECT_THROW((void)book().fill("{x}", {0}), ConfigError);
}

}  // namespace
}  // namespace kgwalk::sample
