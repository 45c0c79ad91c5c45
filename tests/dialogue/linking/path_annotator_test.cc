#include "dialogue/linking/path_annotator.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

class Annotator : public ::testing::Test {
 protected:
  Annotator()
      : graph_(graph::KnowledgeGraph::from_triples(
            std::vector<graph::NamedTriple>{{"Heat", "directed_by", "Michael Mann"},
                                            {"Heat", "has_genre", "Crime"},
                                            {"Heat", "starred_actors", "Al Pacino"},
                                            {"Collateral", "directed_by", "Michael Mann"},
                                            {"Collateral", "written_by", "Michael Mann"},
                                            {"Scarface", "starred_actors", "Al Pacino"},
                                            {"Scarface", "has_genre", "Crime"},
                                            {"Casino", "has_genre", "Crime"},
                                            {"Jaws", "has_genre", "Crime"}})),
        linker_(graph_, {}) {}

  [[nodiscard]] Json annotate(const std::vector<std::string>& said, AnnotateConfig config = {}) {
    Json dialogue = {{"messages", Json::array()}};
    for (const std::string& text : said)
      dialogue["messages"].push_back(
          {{"speaker", dialogue["messages"].size() % 2 == 0 ? "user" : "assistant"}, {"text", text}});
    counts_ = {};
    return PathAnnotator(graph_, linker_, config).annotate(dialogue, counts_)["messages"];
  }

  graph::KnowledgeGraph graph_;
  EntityLinker linker_;
  AnnotationCounts counts_;
};

TEST_F(Annotator, FindsWhatIsNamedAndTheFactThatLeadsThere) {
  const Json messages = annotate({"I saw Heat last night.", "Michael Mann directed that one, right?"});
  EXPECT_EQ(messages[0]["entities"], Json({"Heat"}));
  EXPECT_FALSE(messages[0].contains("path"));
  EXPECT_EQ(messages[1]["path"], Json::parse(R"([["Heat", "directed_by", "Michael Mann"]])"));
  EXPECT_GT(messages[1]["weight"].get<double>(), 0.9);
  EXPECT_EQ(counts_.paths, 1U);
}

TEST_F(Annotator, AWordOfTheRelationDecidesBetweenParallelFacts) {
  EXPECT_EQ(annotate({"Collateral", "written by Michael Mann"})[1]["path"][0][1], "written_by");
  EXPECT_EQ(annotate({"Collateral", "directed by Michael Mann"})[1]["path"][0][1], "directed_by");
}

TEST_F(Annotator, PrefersTheWayThatFewOthersShare) {
  const Json messages = annotate({"Heat is great.", "Then try Scarface."});
  ASSERT_EQ(messages[1]["path"].size(), 2U) << messages;
  EXPECT_EQ(messages[1]["path"][0][2], "Al Pacino") << "Crime is a hub";
}

TEST_F(Annotator, KeepsToItsLimits) {
  EXPECT_FALSE(annotate({"Heat is great.", "Then try Scarface."}, {.max_hops = 1})[1].contains("path"));
  EXPECT_FALSE(annotate({"Heat is great.", "Then try Scarface."}, {.least = 0.99})[1].contains("path"));
  EXPECT_EQ(counts_.unlikely, 1U);
  EXPECT_FALSE(annotate({"Heat", "Really?", "Yes.", "Al Pacino"}, {.messages = 2})[3].contains("path"));
  EXPECT_TRUE(annotate({"Heat", "Really?", "Yes.", "Al Pacino"}, {.messages = 3})[3].contains("path"));
  EXPECT_THROW((void)annotate({}, {.max_hops = 4}), ConfigError);
}

TEST_F(Annotator, AnnotationsThatAreThereStay) {
  const Json given = Json::parse(
      R"({"id": 7, "messages": [{"speaker": "user", "text": "It has Pacino in it", "entities": ["Heat"]},)"
      R"({"speaker": "assistant", "text": "Yes", "path": [["Heat", "starred_actors", "Al Pacino"]]},)"
      R"({"speaker": "user", "text": "Scarface as well"}]})");
  const Json out = PathAnnotator(graph_, linker_, {}).annotate(given, counts_);
  EXPECT_EQ(out["id"], 7);
  EXPECT_EQ(out["messages"][0], given["messages"][0]);
  EXPECT_EQ(out["messages"][1], given["messages"][1]);
  EXPECT_EQ(out["messages"][2]["path"][0][0], "Al Pacino") << "from where the last path ended";
  EXPECT_EQ(counts_.given_paths, 1U);
  EXPECT_THROW((void)PathAnnotator(graph_, linker_, {}).annotate(Json::parse("[]"), counts_), ConfigError);
  EXPECT_THROW(
      (void)PathAnnotator(graph_, linker_, {}).annotate(Json::parse(R"({"messages": [{}]})"), counts_),
      ConfigError);
}

}  // namespace
}  // namespace kgwalk::dialogue
