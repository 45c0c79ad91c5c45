// What a turn answers from what was heard: sentences, the rest of a list, asking back, and what is kept of
// it.
#include <gtest/gtest.h>

#include "dialogue/linking/entity_linker.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "planner/answering/answering_turn.h"
#include "planner/answering/focus.h"
#include "planner/answering/hear_turn.h"
#include "planner/answering/heard.h"
#include "planner/answering/said_sentences.h"
#include "planner/answering/said_years.h"
#include "planner/exam/apart_exam.h"
#include "tests/listening/world.h"
#include "tests/temp_folder.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using listening::HeardForm;

class Answering : public ::testing::Test {
 protected:
  [[nodiscard]] listening::HeardParts parts(const std::string& text) const {
    return listening::heard_parts(world_.lexicon, world_.finder, text);
  }
  [[nodiscard]] HeardForm films_of(const std::string& director) const {
    const EntityId entity = world_.entity(director);
    const graph::RelationId by = world_.graph.inverse(*world_.graph.find_relation("directed by"));
    HeardForm form;
    form.probability = 0.9;
    form.query = forms::find(forms::step(forms::entities({entity}), {by}));
    form.answers = world_.engine.answer(form.query).entities;
    std::sort(form.answers.begin(), form.answers.end());
    form.about = {entity};
    form.relations = {by};
    return form;
  }
  testing::World world_;
  listening::ListenedGraph listened_{world_.graph};
  Descriptions undescribed_{{}};
};

TEST_F(Answering, SentencesEndOutsideOfNames) {
  EXPECT_EQ(sentences_of(parts("Hi! Who directed Night Ferry? And when?")),
            (std::vector<std::string>{"Hi!", "Who directed Night Ferry?", "And when?"}));
  EXPECT_EQ(sentences_of(parts("I met Dr. Venn. She is nice.")),
            (std::vector<std::string>{"I met Dr. Venn.", "She is nice."}));
  EXPECT_EQ(sentences_of(parts("who made it")), std::vector<std::string>{"who made it"});
  EXPECT_EQ(sentences_of(parts("")), std::vector<std::string>{""});
}

TEST_F(Answering, TwoQuestionsAreFoundAndWhetherTheSecondRefersToTheFirst) {
  const auto two = two_questions(parts("Who directed Night Ferry and when was it released?"));
  ASSERT_TRUE(two);
  EXPECT_EQ(two->first, "Who directed Night Ferry?");
  EXPECT_EQ(two->second, "when was it released?");
  EXPECT_TRUE(two->refers);
  const auto relative =
      two_questions(parts("Which film was directed by Ada Lindqvist and whose star is Carla Venn?"));
  ASSERT_TRUE(relative);
  EXPECT_FALSE(relative->refers);
  EXPECT_FALSE(two_questions(parts("Films with Carla Venn and Dario Pohl?")));
}

TEST_F(Answering, AQuestionIsAskedAgainOfAnother) {
  EXPECT_EQ(with_name("Who wrote Heat?", "Heat", "Salt"), "Who wrote Salt?");
  EXPECT_EQ(with_name("How long is it?", "", "Salt"), "How long is Salt?");
  EXPECT_EQ(with_name("What is its runtime?", "", "Salt"), "What is Salt's runtime?");
  EXPECT_EQ(with_name("What is the capital?", "", "Peru"), "What is the capital of Peru");
}

TEST_F(Answering, TheRestLeavesOutWhatWasTold) {
  const HeardForm form = films_of("Ada Lindqvist");
  const Focus nothing;
  const AnsweredTurn first = AnsweringTurn(listened_, undescribed_, nothing, 0).answer(form);
  EXPECT_NE(first.sentence.find("Silver Harbor"), std::string::npos) << first.sentence;
  EXPECT_NE(first.sentence.find("Night Ferry"), std::string::npos) << first.sentence;
  EXPECT_EQ(first.focus.before.answers.size(), 2U);
  const AnsweredTurn rest = AnsweringTurn(listened_, undescribed_, first.focus, 1).rest({&form, 1}, {});
  EXPECT_EQ(rest.kind, TurnKind::kReplied) << rest.sentence;
  EXPECT_EQ(rest.sentence.find("I know no others"), 0U) << rest.sentence;
  EXPECT_EQ(AnsweringTurn(listened_, undescribed_, first.focus, 1).rest_of_before().sentence, rest.sentence);
  // "What else did the director of Night Ferry direct": it is named and left out.
  Focus named;
  HeardForm others = form;
  others.about = {world_.entity("Night Ferry")};
  const AnsweredTurn other = AnsweringTurn(listened_, undescribed_, named, 1).rest({&others, 1}, {});
  EXPECT_NE(other.sentence.find("Silver Harbor"), std::string::npos) << other.sentence;
  EXPECT_EQ(other.answer.entities, std::vector<EntityId>{world_.entity("Silver Harbor")});
  // "Besides Night Ferry, what did she direct": so is what the utterance names.
  const EntityId beside = world_.entity("Night Ferry");
  const AnsweredTurn besides =
      AnsweringTurn(listened_, undescribed_, named, 1).rest({&form, 1}, {&beside, 1});
  EXPECT_EQ(besides.answer.entities, other.answer.entities);
}

TEST_F(Answering, WhetherThereAreAnyIsAnsweredByYes) {
  HeardForm form = films_of("Ada Lindqvist");
  EXPECT_TRUE(asks_whether_there_are(form, parts("Are there films by Ada Lindqvist?")));
  EXPECT_TRUE(asks_whether_there_are(form, parts("Do you know any films by Ada Lindqvist?")));
  EXPECT_FALSE(asks_whether_there_are(form, parts("Which films are there by Ada Lindqvist?")));
  // "Was it Ada who called the shots on Night Ferry", heard as who directed it.
  form.about = {world_.entity("Night Ferry")};
  form.answers = {world_.entity("Ada Lindqvist")};
  EXPECT_TRUE(says_so(form, parts("Was it Ada Lindqvist who called the shots on Night Ferry?")));
  EXPECT_FALSE(says_so(form, parts("Was it Bruno Castell who called the shots on Night Ferry?")));
  EXPECT_FALSE(says_so(films_of("Ada Lindqvist"), parts("Can you name the films of Ada Lindqvist?")));
  const AnsweredTurn turn =
      AnsweringTurn(listened_, undescribed_, {}, 0).answer(films_of("Ada Lindqvist"), true);
  EXPECT_TRUE(turn.sentence.starts_with("Yes: ")) << turn.sentence;
  EXPECT_EQ(turn.focus.said, turn.sentence);
}

TEST_F(Answering, WhoAsksOfANameAloneIsToldThatItIsUnknown) {
  EXPECT_TRUE(is_of_name_alone(parts("Where is Heathrow?").said, "Heathrow"));
  EXPECT_FALSE(is_of_name_alone(parts("What is the weather like at Heathrow?").said, "Heathrow"));
}

TEST_F(Answering, WhatTheSourceSaysOfAThingIsTold) {
  const test::TempFolder folder;
  graph::IngestOptions options;
  options.database = folder / "kg";
  options.triples = {folder.write("beings.json", R"([
 {"name": "Cerberus", "owner": "Hades", "description": "the three-headed hound who guards the gates of the underworld"},
 {"name": "Hades", "owner": "Hades"}])")};
  (void)graph::ingest(options);
  const graph::KnowledgeGraph graph =
      graph::Store::open(options.database, graph::Store::Mode::kReadOnly).load_graph();
  const Descriptions described(options.database), gone(folder / "nothing");
  const EntityId cerberus = *graph.find_entity("Cerberus");
  EXPECT_EQ(described.of(cerberus), "the three-headed hound who guards the gates of the underworld");
  EXPECT_EQ(described.of(*graph.find_entity("Hades")), "");
  EXPECT_EQ(gone.of(cerberus), "");
  const listening::ListenedGraph listened(graph);
  const AnsweredTurn told = AnsweringTurn(listened, described, {}, 0).about(cerberus);
  EXPECT_NE(told.sentence.find("hree-headed hound"), std::string::npos) << told.sentence;
}

// "Who directed Night Ferry?" - "Did she direct anything else?"
TEST_F(Answering, WhetherThereIsAnythingElseIsToldByIt) {
  HeardForm check = films_of("Ada Lindqvist");
  check.query = forms::check_among(forms::entities({world_.entity("Night Ferry")}), check.query.set);
  check.truth = true;
  check.answers.clear();
  EXPECT_TRUE(asks_for_others(check, parts("Did she direct anything else?")));
  EXPECT_FALSE(asks_for_others(check, parts("Did she direct Night Ferry or something else?")));
  EXPECT_FALSE(asks_for_others(check, parts("Did she direct it?")));
  check.about.push_back(world_.entity("Night Ferry"));
  const AnsweredTurn others = AnsweringTurn(listened_, undescribed_, {}, 1).rest_of_checked(check);
  EXPECT_EQ(others.answer.entities, std::vector<EntityId>{world_.entity("Silver Harbor")}) << others.sentence;
}

TEST_F(Answering, AYearThatIsNotToldGetsNoOthersValue) {
  const auto graph =
      graph::KnowledgeGraph::from_triples(std::vector<graph::NamedTriple>{{"Ulm", "pop", "117"},
                                                                          {"Ulm", "1990 pop", "110"},
                                                                          {"Ulm", "2000 pop", "117"},
                                                                          {"Ulm", "land", "Swabia"}});
  const auto told = [&](const char* relation, const char* text) {
    HeardForm form;
    form.relations = {*graph.find_relation(relation)};
    return year_not_told(graph, form, parts(text)).value_or("");
  };
  EXPECT_EQ(told("pop", "pop of Ulm in 1800"), "I have no pop of 1800: I know some of 1990 to 2000.");
  EXPECT_EQ(told("2000 pop", "how about 1800?"), "I have no pop of 1800: I know some of 1990 to 2000.");
  EXPECT_EQ(told("2000 pop", "pop in 2000"), "");
  EXPECT_EQ(told("pop", "pop of Ulm"), "");
  EXPECT_EQ(told("pop", "towns with a pop over 2050"), "");
  EXPECT_EQ(told("land", "land of Ulm in 1800"), "");
}

// "Who is a microbiologist": one relation alone leads on from what is named.
TEST_F(Answering, WhoIsOneIsAnsweredByTheOnlyWay) {
  listening::HeardUtterance heard{.parts = parts("Who is the Ada Lindqvist?"), .acts = {}, .forms = {}};
  HeardForm unsaid, next = films_of("Ada Lindqvist");
  unsaid.unsaid = true;
  unsaid.probability = 0.9;
  next.probability = 0.095;
  heard.forms = {unsaid, next};
  EXPECT_FALSE(best_of(heard).unsaid);
  heard.forms[1].probability = 0.05;
  EXPECT_TRUE(best_of(heard).unsaid) << "others are as likely";
  heard.forms[1].probability = 0.095;
  for (const char* text : {"Who is Ada Lindqvist?", "Who married the Ada Lindqvist?"}) {
    heard.parts = parts(text);
    EXPECT_TRUE(best_of(heard).unsaid) << text;
  }
}

// "Did they make a film together?" - "Which one?"
TEST_F(Answering, WhatThereIsIsListedBehindTheYes) {
  HeardForm form = films_of("Ada Lindqvist");
  const HeardForm films = form;
  form.query = forms::check(form.query.set);
  form.truth = true;
  form.answers.clear();
  const AnsweredTurn checked = AnsweringTurn(listened_, undescribed_, {}, 0).answer(form);
  const auto listed = AnsweringTurn(listened_, undescribed_, checked.focus, 1).listed_of_before();
  ASSERT_TRUE(listed);
  EXPECT_NE(listed->sentence.find("Night Ferry"), std::string::npos) << listed->sentence;
  const AnsweredTurn found = AnsweringTurn(listened_, undescribed_, {}, 0).answer(films);
  EXPECT_FALSE(AnsweringTurn(listened_, undescribed_, found.focus, 1).listed_of_before());
  EXPECT_TRUE(asks_which_alone(parts("Which one?")));
  EXPECT_TRUE(asks_which_alone(parts("in what movies?")));
  EXPECT_FALSE(asks_which_alone(parts("Which one is the oldest film with him?")));
  EXPECT_FALSE(asks_which_alone(parts("Which film is by Ada Lindqvist?")));
}

// "How many films did she direct?" - "Could you name all of them?"
TEST_F(Answering, AllOfWhatWasOnlyCountedIsListed) {
  HeardForm form = films_of("Ada Lindqvist");
  form.counted = true;
  form.query = forms::count(form.query.set);
  const AnsweredTurn counted = AnsweringTurn(listened_, undescribed_, {}, 0).answer(form);
  for (const bool all : {true, false}) {
    const AnsweredTurn listed = AnsweringTurn(listened_, undescribed_, counted.focus, 1).more(all);
    EXPECT_NE(listed.sentence.find("Silver Harbor"), std::string::npos) << listed.sentence;
    EXPECT_NE(listed.sentence.find("Night Ferry"), std::string::npos) << listed.sentence;
  }
}

TEST_F(Answering, WhatIsNotKnownIsSaidAndOffered) {
  const Focus before;
  HeardForm unsaid;
  unsaid.unsaid = true;
  unsaid.about = {world_.entity("Carla Venn")};
  const AnsweredTurn not_said =
      AnsweringTurn(listened_, undescribed_, before, 0).unsaid(unsaid, {}, "Carla", "Is Carla left handed?");
  EXPECT_EQ(not_said.sentence, "I do not know that about Carla Venn.");
  EXPECT_EQ(not_said.focus.offered_for, "Is Carla left handed?");
  EXPECT_EQ(not_said.focus.offered_name, "Carla");
  EXPECT_FALSE(not_said.focus.before.context.offered) << "nothing is there to choose from";
  const EntityId ferry = world_.entity("Night Ferry");
  const AnsweredTurn named =
      AnsweringTurn(listened_, undescribed_, before, 0).unsaid({.unsaid = true}, ferry, "", "");
  EXPECT_EQ(named.sentence, "I do not know that about Night Ferry.");
  ASSERT_FALSE(named.focus.before.focus.empty());
  EXPECT_EQ(named.focus.before.focus.back().first, ferry) << "it is spoken of from now on";
  const AnsweredTurn unknown =
      AnsweringTurn(listened_, undescribed_, before, 0)
          .unknown({"Carla Vann", {world_.entity("Carla Venn")}}, std::nullopt, "Who is Carla Vann?");
  EXPECT_EQ(unknown.sentence, "I do not know Carla Vann. Did you mean Carla Venn?");
  EXPECT_TRUE(unknown.focus.before.context.offered);
  EXPECT_EQ(unknown.focus.offered_for, "Who is Carla Vann?");
  EXPECT_EQ(unknown.focus.offered_name, "Carla Vann");
  EXPECT_EQ(AnsweringTurn(listened_, undescribed_, before, 0).more(false).kind, TurnKind::kReplied);
  EXPECT_EQ(AnsweringTurn(listened_, undescribed_, before, 0).unknown({"Brask Bros."}, {}, "").sentence,
            "I do not know Brask Bros.");
  const AnsweredTurn beside =
      AnsweringTurn(listened_, undescribed_, before, 0).unknown({"Vann"}, ferry, "Is Vann in it?");
  ASSERT_FALSE(beside.focus.before.focus.empty());
  EXPECT_EQ(beside.focus.before.focus.back().first, ferry) << "what is named beside it is spoken of";
}

TEST_F(Answering, WhatSaysAllThatItMeansStandsAlone) {
  for (const char* text :
       {"Who directed Night Ferry?", "what is the runtime of Night Ferry", "Is Carla Venn in Night Ferry?",
        "When did the film Night Ferry come out?", "list the films that star Carla Venn"})
    EXPECT_TRUE(stands_alone(parts(text))) << text;
  for (const char* text :
       {"Who directed it?", "Is Carla Venn in the cast?", "And Carla Venn?", "Carla Venn?",
        "what else did Ada Lindqvist direct", "Which star Carla Venn?", "did she meet Carla Venn",
        "with Carla Venn but without Ada Lindqvist", "is Carla Venn in that", "when did the film come out"})
    EXPECT_FALSE(stands_alone(parts(text))) << text;
  EXPECT_TRUE(stands_alone(parts("Are there films by Ada Lindqvist?")));
  EXPECT_FALSE(stands_alone(parts("Which films did Ada Lindqvist make there?")));
}

// "Is Carla Vann the director of Night Ferry" is heard as whether there is one, where nobody is called so.
TEST_F(Answering, WhatIsUnknownIsDeniedWhereOthersAreKnown) {
  HeardForm whether = films_of("Ada Lindqvist");
  whether.query = forms::check(whether.query.set);
  whether.truth = true;
  const AnsweredTurn denied = AnsweringTurn(listened_, undescribed_, {}, 0).deny({"Iron Quay"}, whether);
  EXPECT_EQ(denied.sentence.find("No, not as far as I know: I do not know Iron Quay. "), 0U)
      << denied.sentence;
  EXPECT_NE(denied.sentence.find("Silver Harbor"), std::string::npos) << denied.sentence;
  const auto words =
      unknown_words(parts("did ada lindqvist direct zorblatt"), {world_.graph, {}}, world_.lexicon);
  ASSERT_TRUE(words);
  EXPECT_EQ(words->text, "zorblatt") << "the name is known";
}

TEST_F(Answering, TheOneNameThatHoldsWhatWasSaidIsMeant) {
  const graph::EntityId club = world_.entity("Ada Lindqvist");
  EXPECT_EQ(only_holder({"ada lindqvist", {club}}, world_.graph), club);
  EXPECT_EQ(only_holder({"Lindqvist", {club}}, world_.graph), std::nullopt);  // one word says too little
  EXPECT_EQ(only_holder({"Ada Castell", {club}}, world_.graph), std::nullopt);
}

TEST_F(Answering, WhoPlayedAPartThatNobodyKnowsIsOneOfThoseInTheWork) {
  const dialogue::EntityLinker linker(world_.graph, {});
  const auto plays = [&](const std::string& text) {
    const auto name = unknown_name(parts(text), linker, world_.lexicon);
    return name && name->part ? name->text : "";
  };
  EXPECT_EQ(plays("Who played Zorblatt Five in Night Ferry?"), "Zorblatt Five");
  EXPECT_EQ(plays("Who was cast in the role of Zorblatt?"), "Zorblatt");
  EXPECT_EQ(plays("Who starred as Zorblatt?"), "Zorblatt");
  EXPECT_EQ(plays("Did Zorblatt Five play in Night Ferry?"), "");
  const AnsweredTurn told = AnsweringTurn(listened_, undescribed_, Focus(), 0)
                                .answer_beside({"Zorblatt Five"}, films_of("Ada Lindqvist"));
  EXPECT_EQ(told.sentence.find("I do not know who played Zorblatt Five. "), 0U) << told.sentence;
  EXPECT_NE(told.sentence.find("Silver Harbor"), std::string::npos) << told.sentence;
  EXPECT_EQ(told.focus.said, told.sentence);
}

TEST_F(Answering, UnknownNamesAreFoundWhole) {
  const dialogue::EntityLinker linker(world_.graph, {});
  const auto unknown = [&](const std::string& text) {
    const auto name = unknown_name(parts(text), linker, world_.lexicon);
    return name ? name->text : "";
  };
  EXPECT_EQ(unknown("Who directed Zorblatt Five?"), "Zorblatt Five");
  EXPECT_EQ(unknown("Zorblatt Five was directed by whom?"), "Zorblatt Five");
  EXPECT_EQ(unknown("Who directed Night Ferry on Sunday?"), "");
  EXPECT_EQ(unknown("Who is the CEO of Oslo?"), "");
  EXPECT_EQ(unknown("Tell me the Directed By of Night Ferry"), "") << "words of a relation";
  EXPECT_EQ(unknown("Who is Carla, then?"), "") << "in a small graph it can be no other";
  EXPECT_EQ(unknown("Who is Karlotta, then?"), "Karlotta");
  EXPECT_EQ(unknown("Who directed Night Ferry: The Zorblatt Return?"), "Night Ferry: The Zorblatt Return");
  EXPECT_EQ(unknown("Back to Night Ferry: Who directed it?"), "");
  const graph::KnowledgeGraph hills = graph::KnowledgeGraph::from_triples(std::vector<graph::NamedTriple>{
      {"Mount Zugor", "height", "900"}, {"Zork against Zork", "height", "5"}});
  const graph::TypedValues values(hills);
  const listening::Lexicon lexicon(hills, values);
  const dialogue::MentionFinder finder(hills);
  const dialogue::EntityLinker names(hills, {});
  const auto of_hills = [&](const std::string& text) {
    const auto name = unknown_name(listening::heard_parts(lexicon, finder, text), names, lexicon);
    return name ? name->text : "";
  };
  EXPECT_EQ(of_hills("How high is Zugor?"), "") << "Mount says what it is";
  EXPECT_EQ(of_hills("How high is Zugor Five?"), "Zugor Five");
  EXPECT_EQ(unknown("WHO DIRECTED THAT THING"), "");
  EXPECT_EQ(unknown("Who wrote the Night Ferry Trilogy?"), "") << "an everyday word, written large";
  EXPECT_EQ(unknown("Who directed Midnight at the Zorblatt Factory?"), "Midnight at the Zorblatt Factory");
  EXPECT_EQ(unknown("Was Ada Lindqvist at the Zorblatt Factory?"), "Zorblatt Factory");
  const auto rare = [&](const std::string& text) {
    const auto name = unknown_words(parts(text), linker, world_.lexicon);
    return name ? name->text : "";
  };
  EXPECT_EQ(rare("which film did brannock ilsteed direct"), "brannock ilsteed");
  EXPECT_EQ(rare("who is the director"), "") << "a word that asks for something";
}

TEST_F(Answering, ANameAloneCorrectsAndAQuestionAboutItDoesNot) {
  const auto corrects = [&](const std::string& text, listening::Act act) {
    return named_alone({.parts = parts(text), .acts = {{act, 1}}, .forms = {}}) ==
           world_.entity("Night Ferry");
  };
  using listening::Act;
  EXPECT_TRUE(corrects("Night Ferry", Act::kTellAbout));
  EXPECT_TRUE(corrects("Night Ferry?", Act::kQuestion));
  EXPECT_TRUE(corrects("I mean Night Ferry", Act::kCorrection));
  EXPECT_TRUE(corrects("sorry, Night Ferry", Act::kCorrection));
  EXPECT_FALSE(corrects("Tell me about Night Ferry", Act::kTellAbout));
  EXPECT_FALSE(corrects("I like Night Ferry", Act::kStatement));
  EXPECT_FALSE(corrects("What is Night Ferry?", Act::kQuestion));
  EXPECT_FALSE(corrects("Is Night Ferry good?", Act::kQuestion));
  EXPECT_FALSE(corrects("No, who directed Night Ferry?", Act::kCorrection));
}

TEST_F(Answering, AFocusComesBackFromItsJson) {
  const HeardForm form = films_of("Ada Lindqvist");
  AnsweredTurn turn = AnsweringTurn(listened_, undescribed_, {}, 0).answer(form);
  turn.focus.offered = {world_.entity("Oslo")};
  turn.focus.offered_for = "where?";
  turn.focus.before.capitals = true;
  const Json json = to_json(turn.focus, world_.values);
  EXPECT_EQ(to_json(focus_of(json, world_.values), world_.values), json);
  EXPECT_TRUE(focus_of(json, world_.values).before.capitals);
  Json broken = json;
  broken["those"] = {"Nobody"};
  EXPECT_THROW((void)focus_of(broken, world_.values), FormatError);
}

TEST_F(Answering, OfTwoComparedOneIsChosenAndOneLeft) {
  const EntityId a = world_.entity("Night Ferry"), b = world_.entity("Paper Moons");
  const EntityId named[] = {a, b}, answers[] = {a};
  listening::SaidBefore before;
  listening::remember({.named = named, .answers = answers}, before);
  for (const auto& [entity, note] : before.focus) {
    EXPECT_EQ(note.chosen, entity == a);
    EXPECT_EQ(note.left, entity == b);
  }
}

TEST_F(Answering, AnExamInWordingsApartAsksWhatTheGraphHas) {
  const ApartExam apart = apart_exam(world_.values, 60, 1);
  EXPECT_EQ(apart.of_relations, 6U);  // type, directed by, starring, release year, birth place, country
  EXPECT_GE(apart.relations, 4U);
  ASSERT_GT(apart.exam.size(), 10U);
  for (const auto& conversation : apart.exam) {
    const ExamTurn& turn = conversation.front();
    EXPECT_EQ(turn.say.find('{'), std::string::npos) << turn.say;
    EXPECT_TRUE(turn.yes || !turn.any.empty() || turn.all.size() > 1) << turn.say;
  }
  const ApartExam again = apart_exam(world_.values, 60, 1);
  ASSERT_EQ(again.exam.size(), apart.exam.size());
  EXPECT_EQ(again.exam.back().front().say, apart.exam.back().front().say);
}

}  // namespace
}  // namespace kgwalk
