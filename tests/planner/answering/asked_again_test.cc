// Few words behind an answer: the same check of another thing, the other end of an order, other names.
#include "planner/answering/asked_again.h"

#include <gtest/gtest.h>

#include "planner/answering/heard.h"
#include "tests/listening/world.h"

namespace kgwalk {
namespace {

using listening::HeardForm;

class AskedAgain : public ::testing::Test {
 protected:
  [[nodiscard]] listening::HeardParts parts(const std::string& text) const {
    return listening::heard_parts(world_.lexicon, world_.finder, text);
  }
  testing::World world_;
  listening::ListenedGraph listened_{world_.graph};
};

TEST_F(AskedAgain, ACheckIsMadeAgainOfAnother) {
  Focus before;
  const graph::RelationId by = *world_.graph.find_relation("directed by");
  before.question = forms::check_among(forms::entities({world_.entity("Ada Lindqvist")}),
                                       forms::step(forms::entities({world_.entity("Night Ferry")}), {by}));
  before.before.checked = true;
  const auto again = [&](const std::string& text) {
    HeardForm unsaid;
    unsaid.unsaid = true;
    unsaid.probability = 1;
    listening::HeardUtterance heard;
    heard.parts = parts(text);
    heard.forms = {unsaid};
    const auto form = check_again(heard, before, listened_);
    return !form ? "none" : *form->truth ? "yes" : "no";
  };
  EXPECT_STREQ(again("And Bruno Castell?"), "no");
  EXPECT_STREQ(again("And Silver Harbor?"), "yes");
  EXPECT_STREQ(again("What about Paper Moons?"), "no");
  EXPECT_STREQ(again("And Oslo?"), "none");  // directs nothing and is directed by nobody
  EXPECT_STREQ(again("Where is Bruno Castell from?"), "none");
  before.before.checked = false;
  EXPECT_STREQ(again("And Bruno Castell?"), "none");
}

TEST_F(AskedAgain, TheOtherEndOfAnOrderIsAskedForByItsWordAlone) {
  Focus before;
  const graph::RelationId year = *world_.graph.find_relation("release year");
  const graph::RelationId starring = world_.graph.inverse(*world_.graph.find_relation("starring"));
  before.question = forms::find(forms::last(
      forms::step(forms::entities({world_.entity("Carla Venn")}), {starring}), forms::value_of({year}), 1));
  before.order = {world_.entity("Paper Moons")};
  const auto again = [&](const std::string& text) {
    listening::HeardUtterance heard;
    heard.parts = parts(text);
    const auto form = order_again(heard, before, listened_);
    return form ? std::string(world_.graph.entity_name(form->answers.front())) : "none";
  };
  EXPECT_EQ(again("And the oldest?"), "Silver Harbor");
  EXPECT_EQ(again("the earliest one"), "Silver Harbor");
  before.question->set.n = 2;  // "the two newest" - of several asked before one is asked for now
  EXPECT_EQ(again("And the oldest?"), "Silver Harbor");
  EXPECT_EQ(again("And the newest?"), "none");           // was told
  EXPECT_EQ(again("And the oldest director?"), "none");  // says more
  EXPECT_EQ(again("And the oldest of Oslo?"), "none");
}

TEST_F(AskedAgain, OtherNamesAreAskedFor) {
  for (const char* text : {"What are the aliases of Oslo?", "what else is Oslo called", "Oslo's nickname?",
                           "What other names does it have?", "What is Oslo also known as?"})
    EXPECT_TRUE(asks_for_other_names(parts(text).said)) << text;
  for (const char* text : {"Name another film by Ada Lindqvist", "Which city has the most aliases?",
                           "Is Oslo an alias of Girona?", "What else did she direct?"})
    EXPECT_FALSE(asks_for_other_names(parts(text).said)) << text;
}

}  // namespace
}  // namespace kgwalk
