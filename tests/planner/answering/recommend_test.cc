// Recommendations, two things side by side, and names that are cut out of longer ones.
#include <gtest/gtest.h>

#include "dialogue/linking/entity_linker.h"
#include "planner/answering/alike.h"
#include "planner/answering/answering_turn.h"
#include "planner/answering/recommend.h"
#include "planner/answering/said_names.h"
#include "planner/answering/side_by_side.h"
#include "tests/listening/world.h"

namespace kgwalk {
namespace {

const Descriptions kUndescribed{{}};

using graph::EntityId;
using listening::HeardForm;
using listening::HeardUtterance;

class Recommending : public ::testing::Test {
 protected:
  [[nodiscard]] HeardUtterance heard(const std::string& text) const {
    HeardUtterance utterance;
    utterance.parts = listening::heard_parts(world_.lexicon, world_.finder, text);
    return utterance;
  }
  [[nodiscard]] AnsweredTurn said(const HeardUtterance& utterance, const Focus& before = {}) const {
    AnsweringTurn turn(listened_, kUndescribed, before, 0);
    const auto named = entities_named(utterance.parts);
    return recommended(turn, utterance, named.empty() ? std::nullopt : std::optional(named.front()),
                       world_.lexicon);
  }
  testing::World world_;
  listening::ListenedGraph listened_{world_.graph};
};

TEST_F(Recommending, ThingsAreAlikeThatShareMost) {
  const auto alike = alike_things(world_.lexicon, world_.entity("Silver Harbor"), std::nullopt, 5);
  ASSERT_EQ(alike.size(), 2U);
  EXPECT_EQ(alike[0].entity, world_.entity("Night Ferry")) << "of the same director";
  EXPECT_EQ(alike[1].entity, world_.entity("Paper Moons"));
  ASSERT_EQ(alike[0].facts.size(), 2U);
  EXPECT_EQ(alike[0].facts[0].tail, world_.entity("Ada Lindqvist")) << "the rarest first";
  for (const graph::Triple& fact : alike[0].facts) EXPECT_TRUE(world_.graph.has_edge(fact));
  EXPECT_TRUE(alike_things(world_.lexicon, world_.entity("Norway"), std::nullopt, 5).empty());
}

TEST_F(Recommending, WhatIsLikedLeadsToWhatIsLikeItWithTheReason) {
  const AnsweredTurn turn = said(heard("I loved Silver Harbor, what should I see next?"));
  EXPECT_EQ(turn.kind, TurnKind::kAnswered);
  EXPECT_EQ(turn.sentence.find("You might like Night Ferry or Paper Moons. Like Silver Harbor, "), 0U)
      << turn.sentence;
  EXPECT_NE(turn.sentence.find("Ada Lindqvist"), std::string::npos) << turn.sentence;
  EXPECT_EQ(turn.evidence.size(), 2U);
  EXPECT_EQ(turn.focus.order.front(), world_.entity("Night Ferry")) << "the first one is told first";
  // "What should I see next?": what was spoken of.
  const AnsweredTurn next = said(heard("what should I see next?"), turn.focus);
  EXPECT_EQ(next.sentence, turn.sentence);
  EXPECT_EQ(said(heard("any tips?")).kind, TurnKind::kReplied);
}

TEST_F(Recommending, OfASetThoseThatMostIsKnownOfComeFirst) {
  HeardUtterance utterance = heard("a good film with Carla Venn");
  HeardForm form;
  form.probability = 0.4;
  form.query = forms::find(forms::step(forms::entities({world_.entity("Carla Venn")}),
                                       {world_.graph.inverse(*world_.graph.find_relation("starring"))}));
  form.answers = world_.engine.answer(form.query).entities;
  std::sort(form.answers.begin(), form.answers.end());
  HeardForm none;
  none.unsaid = true;
  none.probability = 0.5;
  utterance.forms = {none, form};
  const AnsweredTurn turn = said(utterance);
  EXPECT_EQ(turn.sentence, "How about Silver Harbor, Paper Moons or Night Ferry?");
  EXPECT_EQ(turn.focus.before.answers.size(), 3U);
}

TEST_F(Recommending, TwoThingsAreLaidSideBySideWhereNothingElseIsSaid) {
  const auto reply = [&](const std::string& text) {
    AnsweringTurn turn(listened_, kUndescribed, {}, 0);
    const auto both = side_by_side(turn, heard(text).parts, world_.lexicon);
    return both ? both->sentence : std::string();
  };
  const std::string common = reply("What do Silver Harbor and Night Ferry have in common?");
  EXPECT_NE(common.find("Ada Lindqvist directed Silver Harbor and Night Ferry."), std::string::npos)
      << common;
  EXPECT_NE(common.find("Carla Venn"), std::string::npos) << common;
  const std::string apart = reply("what's the difference between Silver Harbor and Paper Moons");
  EXPECT_NE(apart.find("Ada Lindqvist"), std::string::npos) << apart;
  EXPECT_NE(apart.find("Bruno Castell"), std::string::npos) << apart;
  EXPECT_EQ(reply("Which actors do Silver Harbor and Night Ferry have in common?"), "") << "it says what";
  EXPECT_EQ(reply("Who is in Silver Harbor and Night Ferry?"), "");
  EXPECT_EQ(reply("What do Oslo and Girona have in common?"),
            "I know nothing that Oslo and Girona have in common.");
}

TEST_F(Recommending, ANameIsNotCutOutOfALongerOne) {
  const dialogue::EntityLinker linker(world_.graph, std::span<const graph::Dialogue>());
  const auto cut = [&](const std::string& text, const std::string& meant) {
    const EntityId about = world_.entity(meant);
    const auto name = cut_name(listening::heard_parts(world_.lexicon, world_.finder, text), {&about, 1},
                               linker, world_.lexicon);
    return name ? name->text : std::string();
  };
  EXPECT_EQ(cut("who plays for Oslo Girona?", "Oslo"), "Oslo Girona");
  EXPECT_EQ(cut("what is in Oslo Norway?", "Oslo"), "") << "one lies in the other";
  EXPECT_EQ(cut("what is in Oslo and Girona?", "Oslo"), "");
  EXPECT_EQ(cut("who directed Night Ferry?", "Night Ferry"), "");
}

}  // namespace
}  // namespace kgwalk
