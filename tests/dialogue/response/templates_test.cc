#include <gtest/gtest.h>

#include <set>

#include "dialogue/linking/spoken_relation.h"
#include "dialogue/response/templates.h"
#include "kgwalk/error.h"
#include "tests/error_text.h"

namespace kgwalk::dialogue {
namespace {

using kgwalk::test::advice_of;

Message path(std::vector<Way> ways, MessageKind kind = MessageKind::kPath) {
  Message message{.kind = kind};
  message.start = ways.front().front().head;
  message.ways = std::move(ways);
  return message;
}

std::string say(const Message& message, std::size_t frame = 0, std::size_t statement = 0) {
  return TemplateSpeaker().say(message, {frame, statement});
}

TEST(TemplateSpeaker, SaysAFactInBothDirections) {
  EXPECT_EQ(say(path({{{"Heat", "directed_by", "Michael Mann"}}})), "Michael Mann directed Heat.");
  EXPECT_EQ(say(path({{{"Michael Mann", "~directed_by", "Heat"}}})), "Michael Mann directed Heat.");
  EXPECT_EQ(say(path({{{"Al Pacino", "Starring TV role", "Angels in America"}}})),
            "Al Pacino starred in Angels in America.");
}

TEST(TemplateSpeaker, SaysAWayOfTwoFacts) {
  EXPECT_EQ(
      say(path({{{"Heat", "directed_by", "Michael Mann"}, {"Michael Mann", "Place of birth", "Chicago"}}})),
      "Michael Mann directed Heat, and Michael Mann was born in Chicago.");
}

TEST(TemplateSpeaker, ListsAgreeInNumberAndAreJoined) {
  const Message cast = path({{{"Heat", "starred_actors", "Al Pacino"}},
                             {{"Heat", "starred_actors", "Robert De Niro"}},
                             {{"Heat", "~Film appeared in", "Val Kilmer"}}},
                            MessageKind::kList);
  EXPECT_EQ(say(cast), "Al Pacino, Robert De Niro and Val Kilmer starred in Heat.");
  EXPECT_EQ(say(cast, 0, 4), "Al Pacino, Robert De Niro and Val Kilmer are the actors in Heat.");
  EXPECT_EQ(say(cast, 1, 5),
            "As far as I know, the actors in Heat are Al Pacino, Robert De Niro and Val Kilmer.");
  const Message films =
      path({{{"Mann", "~written_by", "Heat"}}, {{"Mann", "~written_by", "Ali"}}}, MessageKind::kList);
  EXPECT_EQ(say(films, 0, 1), "Heat and Ali were written by Mann.");
}

TEST(TemplateSpeaker, LongListsAreCounted) {
  Message message{.kind = MessageKind::kList, .start = "Heat"};
  for (int i = 0; i < 25; ++i)
    message.ways.push_back({{"Heat", "starred_actors", std::string(1, static_cast<char>('A' + i))}});
  EXPECT_EQ(say(message), "A, B, C, D, E, F, G, H, I, J and 15 more starred in Heat.");
}

TEST(TemplateSpeaker, GroupsWhatLeadsThroughTheSameEntity) {
  EXPECT_EQ(say(path({{{"Heat", "directed_by", "Mann"}, {"Mann", "~directed_by", "Ali"}},
                      {{"Heat", "directed_by", "Mann"}, {"Mann", "~directed_by", "Collateral"}}},
                     MessageKind::kList)),
            "Mann directed Heat, and Mann directed Ali and Collateral.");
}

TEST(TemplateSpeaker, SaysYesAndNoWithTheFact) {
  Message message = path({{{"Heat", "directed_by", "Mann"}}}, MessageKind::kYes);
  message.claim = "Mann";
  EXPECT_EQ(say(message), "Yes, Mann directed Heat.");
  message.kind = MessageKind::kNo;
  EXPECT_EQ(say(message), "No, but Mann directed Heat.");
  message.ways.clear();
  EXPECT_EQ(say(message), "No, my graph does not say that of Heat and Mann.");
}

TEST(TemplateSpeaker, SaysWhatTheGraphDoesNotSayAndWhatItSays) {
  Message message{.kind = MessageKind::kNotSaid, .start = "Heat"};
  EXPECT_EQ(say(message), "I do not know that about Heat; my graph does not say.");
  message.asked = "Costume design by";
  message.instead = {"directed_by", "Costume design by", "has_genre", "starred_actors", "in_language"};
  EXPECT_EQ(say(message, 2),
            "Sorry, the costume designer of Heat is not in my graph. I could tell you the director of Heat, "
            "the genre of "
            "Heat or an actor in Heat instead.");
  message.start = "Mann";
  message.asked = "~directed_by";
  message.instead.clear();
  EXPECT_EQ(say(message, 1), "My graph does not tell what Mann directed.");
  EXPECT_EQ(say(Message{.kind = MessageKind::kNothing, .start = "Xylo"}),
            "I do not know where to go from Xylo.");
}

TEST(TemplateSpeaker, TellsWhenTheGoalIsReached) {
  Message message = path({{{"Heat", "directed_by", "Mann"}}});
  message.goal = "Mann";
  EXPECT_EQ(say(message), "Mann directed Heat, which brings us to Mann.");
  message.goal = "Elsewhere";
  EXPECT_EQ(say(message), "Mann directed Heat.");
}

TEST(TemplateSpeaker, NamesAreCopiedWhole) {
  EXPECT_EQ(say(path({{{"\"Heat\" {x} (1995 Film)", "directed_by", "東京 O'Neil Jr."}}}), 0, 1),
            "\"Heat\" {x} (1995 Film) was directed by 東京 O'Neil Jr.");
  EXPECT_EQ(say(path({{{"Ann", "Award Won", "The Prize"}}})), "Ann won The Prize.");
  EXPECT_EQ(say(path({{{"iPhone", "made_by", "eBay"}}})), "iPhone was made by eBay.");
  EXPECT_EQ(say(path({{{"James", "is-a", "Actor"}}}), 0, 1), "James is an Actor.");
}

TEST(TemplateSpeaker, AsksBack) {
  const TemplateSpeaker speaker;
  EXPECT_EQ(speaker.ask_which("Heat", {"Heat (1995 Film)", "Heat (1986 Film)"}, 0),
            "There is more than one Heat; do you mean Heat (1995 Film) or Heat (1986 Film)?");
  EXPECT_EQ(speaker.ask_nearest({"Al Pacino"}, 3), "Did you mean Al Pacino?");
  EXPECT_FALSE(speaker.ask_anything(0).empty());
}

TEST(TemplateSpeaker, EveryFamilyAndFrameHasFiveWordings) {
  const TemplateSpeaker speaker;
  for (const Family& family : builtin_bank().families) {
    const std::string& relation = family.relations.front();
    EXPECT_GE(speaker.wordings_of(relation), 5U) << family.name;
    std::set<std::string> said;
    for (std::size_t i = 0; i < 5; ++i) said.insert(say(path({{{"Aa", relation, "Bb"}}}), 0, i));
    EXPECT_EQ(said.size(), 5U) << family.name;
    for (const std::string& sentence : said) {
      EXPECT_NE(sentence.find("Aa"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("Bb"), std::string::npos) << sentence;
      EXPECT_EQ(sentence.find_first_of("{}|"), std::string::npos) << sentence;
    }
  }
  for (const std::string_view frame : kFrames) {
    const std::size_t least = frame == "is_noun" ? 2 : 5;
    EXPECT_GE(builtin_wordings().frame(frame).size(), least) << frame;
  }
}

TEST(TemplateSpeaker, EveryWordingOfARelationThatNoBankKnowsIsASentence) {
  EXPECT_EQ(say(path({{{"Ada Lovelace", "wrote_about", "Analytical Engine"}}})),
            "Ada Lovelace wrote about Analytical Engine.");
  EXPECT_EQ(say(path({{{"Ada Lovelace", "born_in", "London"}}})), "Ada Lovelace was born in London.");
  EXPECT_EQ(say(path({{{"London", "capital_of", "England"}}})), "London is the capital of England.");
  EXPECT_EQ(say(path({{{"England", "~capital_of", "London"}}})), "London is the capital of England.");
  EXPECT_EQ(say(path({{{"England", "population", "56 million"}}})),
            "The population of England is 56 million.");
  EXPECT_EQ(say(path({{{"Heat", "has_tags", "police"}}}), 0, 1), "The tags of Heat include police.");
  EXPECT_EQ(say(path({{{"Danube", "flows through", "Hungary"}}})), "Danube flows through Hungary.");
  EXPECT_EQ(say(path({{{"Hungary", "~flows through", "Danube"}}})), "Danube flows through Hungary.");
  EXPECT_EQ(say(path({{{"Ada", "works_for", "Nimbus"}}}), 0, 4), "Nimbus is what Ada works for.");
  EXPECT_EQ(say(path({{{"Spain", "borders", "Portugal"}}})), "Spain borders Portugal.");
  const std::vector<Way> rivers = {{{"Portugal", "~flows through", "Tagus"}},
                                   {{"Portugal", "~flows through", "Douro"}}};
  EXPECT_EQ(say(path(rivers, MessageKind::kList)), "Tagus and Douro flow through Portugal.");
}

TEST(TemplateSpeaker, ValuesOfRelationsThatNoBankKnowsAreSaidAsWhatTheyAre) {
  const auto said = [&](const char* relation, const char* value, std::size_t statement = 0) {
    return say(path({{{"Nimbus", relation, value}}}), 0, statement);
  };
  EXPECT_EQ(said("founded", "2004-04-01"), "Nimbus was founded on 2004-04-01.");
  EXPECT_EQ(said("founded", "2004"), "Nimbus was founded in 2004.");
  EXPECT_EQ(say(path({{{"2004-04", "~founded", "Nimbus"}}})), "Nimbus was founded in 2004-04.");
  EXPECT_EQ(said("founded", "Acme"), "Nimbus founded Acme.") << "a name is an object";
  EXPECT_EQ(said("sketched", "1917"), "Nimbus has \"sketched: 1917\" in my graph.") << "a title or a year";
  EXPECT_EQ(said("employees", "9"), "Nimbus has 9 employees.");
  EXPECT_EQ(said("employees", "Ada"), "Ada is among the employees of Nimbus.");
  EXPECT_EQ(said("landlocked", "false"), "Nimbus has \"landlocked: false\" in my graph.");
  EXPECT_EQ(said("is_public", "1", 1), "\"is public: 1\" is what my graph says of Nimbus.");
  EXPECT_EQ(said("height", "12"), "The height of Nimbus is 12.");
}

TEST(SpokenRelation, FormsFollowTheWords) {
  EXPECT_EQ(spoken_relation("designed").form, RelationForm::kVerb);
  EXPECT_EQ(spoken_relation("died_in").form, RelationForm::kVerb);
  EXPECT_EQ(spoken_relation("Located in").form, RelationForm::kParticiple);
  EXPECT_EQ(spoken_relation("part of").form, RelationForm::kNounOf);
  EXPECT_EQ(spoken_relation("TV role").words, "TV role");
  EXPECT_EQ(spoken_relation("has_color").words, "color");
  EXPECT_EQ(spoken_relation("___").words, "___");
  for (const char* present :
       {"flows through", "works_in", "reports to", "borders", "is part of", "consists of"})
    EXPECT_EQ(spoken_relation(present).form, RelationForm::kPresent) << present;
  for (const char* nouns : {"employees", "languages spoken", "top 3 producers", "kinds of rock"})
    EXPECT_EQ(spoken_relation(nouns).form, RelationForm::kNouns) << nouns;
  for (const char* one :
       {"class", "status", "analysis", "series", "headquarters", "is radioactive", "bus stop"})
    EXPECT_EQ(spoken_relation(one).form, RelationForm::kNoun) << one;
}

TEST(SpokenRelation, FlagsAreSaidAsWhatTheyMean) {
  EXPECT_EQ(flag_predicate("is_radioactive", "1"), "is radioactive");
  EXPECT_EQ(flag_predicate("is radioactive", "False"), "is not radioactive");
  EXPECT_EQ(flag_predicate("has_rings", "no"), "has no rings");
  EXPECT_EQ(flag_predicate("can_fly", "0"), "cannot fly");
  EXPECT_EQ(flag_predicate("is_radioactive", "2"), "");
  EXPECT_EQ(flag_predicate("isotopes", "1"), "");
  EXPECT_EQ(flag_predicate("~is_radioactive", "Tin"), "");
}

TEST(SpokenRelation, StandsOnAnEdgeInEitherDirection) {
  const std::pair<const char*, const char*> kLabels[] = {
      {"directed_by", "directed by"}, {"~directed_by", "directed"}, {"~written_by", "wrote"},
      {"~music_by", "music for"},     {"has_genre", "genre"},       {"~has_genre", "genre of"},
      {"in_language", "language"},    {"~capital_of", "capital"},   {"~born_in", "← born in"},
      {"~Award Won", "← award won"},  {"~is-a", "← is a"},          {"~flows through", "← flows through"}};
  for (const auto& [relation, label] : kLabels) EXPECT_EQ(relation_label(relation), label) << relation;
}

TEST(Wordings, BadLinesAreToldWithTheirNumber) {
  const Bank bank = parse_bank("[a] thing -> thing : r\n> what is {x}\n", "bank");
  const auto advice = [&](const char* text) {
    return advice_of<Error>([&] { (void)Wordings(text, "words", bank); });
  };
  EXPECT_NE(advice("[b]\n").find("words:1: [b] is no family"), std::string::npos);
  EXPECT_NE(advice("[a]\n\n{z} is\n").find("words:3: there is no mark {z}"), std::string::npos);
  EXPECT_NE(advice("{x} is {y}\n").find("words:1: a wording stands below a section"), std::string::npos);
  EXPECT_NE(advice("[a]\n{x} is {y}\n").find("[a] needs a statement"), std::string::npos);
  EXPECT_NE(advice("[a]\n{x} is {y\n").find("ends with }"), std::string::npos);
}

}  // namespace
}  // namespace kgwalk::dialogue
