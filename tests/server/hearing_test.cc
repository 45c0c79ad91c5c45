// A language model that hears questions as forms, played by a server of the test: its forms are answered by
// the graph, and what is no form of it is not.
#include <gtest/gtest.h>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "listening/network/listener.h"
#include "listening/questions/generator.h"
#include "planner/answering/answerer.h"
#include "planner/remote/hearer.h"
#include "server/doors/schema_words.h"
#include "server/http/problem.h"
#include "tests/server/scripted_model.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using server::Request;
using server::Response;
using testing::says;
using testing::Scripted;

class Hearing : public ::testing::Test {
 protected:
  [[nodiscard]] graph::EntityId id(const char* name) const { return *graph_->find_entity(name); }
  // The outcome, and what came out.
  std::string heard(const std::string& url, std::vector<graph::EntityId> mentioned) {
    const Hearer hearer({.url = url, .timeout_s = 5}, engine_);
    const HeardQuestion question = hearer.hear({.text = "What did Mann direct?", .mentioned = mentioned});
    std::string out = choice_name(question.outcome);
    if (question.outcome == HearingOutcome::kHeard)
      out += ": " + forms::in_words(question.query, hearer.engine().values(), question.answer);
    return out;
  }
  std::string heard(const std::string& answer) {
    Scripted model([&](const Request&) { return says(answer); });
    return heard(model.url(), {id("Michael Mann")});
  }
  const std::shared_ptr<const graph::KnowledgeGraph> graph_ =
      std::make_shared<const graph::KnowledgeGraph>(graph::KnowledgeGraph::from_triples(
          std::vector<graph::NamedTriple>{{"Heat", "directed by", "Michael Mann"},
                                          {"Collateral", "directed by", "Michael Mann"},
                                          {"Jaws", "directed by", "Steven Spielberg"},
                                          {"Heat", "release year", "1995"},
                                          {"Collateral", "release year", "2004"},
                                          {"Jaws", "release year", "1975"}}));
  const graph::TypedValues values_{*graph_};
  const forms::Engine engine_{values_};
};

TEST_F(Hearing, AnswersTheFormByTheGraph) {
  const std::string told = heard(R"({"form": {"find": {"where": "release year", "test": ">", "value": 2000,
                                  "of": {"step": "~directed by", "from": "Michael Mann"}}}})");
  EXPECT_TRUE(told.starts_with("heard: ")) << told;
  EXPECT_TRUE(told.ends_with(": Collateral")) << told;
  const std::string counted =
      heard(R"({"form": {"count": {"step": "~directed by", "from": "Michael Mann"}}})");
  EXPECT_TRUE(counted.ends_with(": 2")) << counted;
}

TEST_F(Hearing, TellsTheGrammarAndTheNamesThatWereFound) {
  Scripted model([](const Request&) { return says(R"({"form": null})"); });
  EXPECT_EQ(heard(model.url(), {id("Michael Mann"), id("Heat")}), "not asked");
  const Json body = model.requests().at(0).json();
  EXPECT_EQ(body["response_format"]["type"], "json_schema");
  const Json& schema = body["response_format"]["json_schema"]["schema"];
  EXPECT_EQ(schema["$defs"]["entity"]["enum"], Json({"Michael Mann", "Heat"}));
  EXPECT_EQ(schema["$defs"]["relation"]["enum"].size(), 4U);
  const Json given = Json::parse(body["messages"][1]["content"].get<std::string>());
  EXPECT_EQ(given["said"], "What did Mann direct?");
}

TEST_F(Hearing, RefusesWhatIsNoFormOfTheGraphOrNamesWhatWasNotFound) {
  for (const char* answer :
       {"no json", "[]", R"({"form": 5})", R"({"form": {"find": {"step": "married to", "from": "Heat"}}})",
        R"({"form": {"find": {"step": "~directed by", "from": "Steven Spielberg"}}})",
        R"({"form": {"count": {"type": "Heat"}}})", R"({"form": {"find": {"before": 0}}})",
        R"({"form": {"find": "Michael Mann"}, "x": )"})
    EXPECT_EQ(heard(answer), "refused") << answer;
}

TEST_F(Hearing, FailsWithoutAnErrorWhereNoAnswerComes) {
  Scripted model([](const Request&) { return server::problem("/v1/x", 500, "broken"); });
  EXPECT_EQ(heard(model.url(), {id("Heat")}), "failed");
  EXPECT_EQ(heard("http://127.0.0.1:1/v1", {id("Heat")}), "failed");
  EXPECT_THROW(Hearer({.url = "ftp://x"}, engine_), ConfigError);
}

// In a conversation: the model's form where it is one, else what the listener heard.
TEST_F(Hearing, AConversationTakesTheFormAndCountsIt) {
  const test::TempFolder folder;
  const listening::ListenedGraph listened(*graph_);
  listening::QuestionConfig questions;
  questions.count = 60;
  listening::ListenTraining training;
  training.run = folder / "listener";
  training.config.rank = training.config.hidden = 8;
  training.config.own.width = 16;
  training.config.own.buckets = 512;
  training.config.kept_back = 0.2;
  training.config.trainer.max_epochs = 1;
  const auto made = listening::make_form_questions(listened.lexicon(), listened.engine(), questions, 1);
  const listening::Lesson lessons[] = {{listened, made}};
  (void)listening::train_listener(training, lessons, nullptr, silent_reporter(), never_stop());
  const dialogue::EntityLinker linker(*graph_, {});
  const auto tally = std::make_shared<PhrasingTally>();
  std::string form = R"({"form": {"count": {"step": "~directed by", "from": "Michael Mann"}}})";
  Scripted model([&](const Request&) { return says(form); });
  const auto answerer =
      Answerer::open_for(*graph_, folder / ".", {}, {}, {.url = model.url(), .timeout_s = 5, .tally = tally});
  const AnsweredTurn counted = answerer->answer("How many films did Michael Mann direct?", {}, 0, linker);
  EXPECT_EQ(counted.kind, TurnKind::kAnswered);
  EXPECT_NE(counted.sentence.find('2'), std::string::npos) << counted.sentence;
  EXPECT_EQ(counted.about, id("Michael Mann"));
  form = "no form";
  (void)answerer->answer("How many films did Michael Mann direct?", {}, 0, linker);
  EXPECT_EQ(tally->said, 1U);
  EXPECT_EQ(tally->refused, 1U);
  EXPECT_THROW((void)Answerer::open_for(*graph_, folder / "nothing", {}, {}, {.url = model.url()}),
               ConfigError);
}

// Every reference leads somewhere, and no keyword is one that engines commonly do not know.
TEST(FormSchema, HoldsTogetherWhateverThereIsToName) {
  for (const FormNames& names :
       {FormNames{}, FormNames{.entities = {"a"}}, FormNames{.types = {"t"}, .relations = {"r", "~r"}},
        FormNames{{"a", "b"}, {"t"}, {"r"}}}) {
    const Json schema = form_schema(names);
    EXPECT_NO_THROW(server::SchemaWords(schema, "schema")) << schema;
    EXPECT_EQ(schema["required"], Json({"form"}));
  }
}

}  // namespace
}  // namespace kgwalk
