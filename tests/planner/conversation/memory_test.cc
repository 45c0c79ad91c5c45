// A conversation that is kept and goes on elsewhere, and one that is drawn.
#include <gtest/gtest.h>

#include "kgwalk/conversation.h"
#include "kgwalk/error.h"
#include "planner/conversation/talk.h"
#include "tests/planner/talk_world.h"
#include "tests/without_times.h"

namespace kgwalk {
namespace {

using kgwalk::test::without_times;

using testing::contains;

Conversation fresh() {
  auto guide = std::make_shared<const Guide>(testing::compass_guide());
  auto linker = std::make_shared<const dialogue::EntityLinker>(guide->planner().graph(),
                                                               std::span<const graph::Dialogue>());
  return Conversation(std::make_unique<Talk>(std::move(guide), std::move(linker), ConversationOptions{}));
}

// What is kept goes through text, as on disk.
Conversation kept(const Conversation& conversation) {
  Conversation other = fresh();
  other.recall(Json::parse(conversation.memory().dump()));
  return other;
}

constexpr const char* kLines[] = {"I saw heat",
                                  "2",
                                  "/goal Michael Mann",
                                  "And then?",
                                  "/take 2",
                                  "/undo",
                                  "/auto 2",
                                  "/from Taxi Driver",
                                  "/goal Crime",
                                  "Go on.",
                                  "/undo",
                                  "/why",
                                  "/undo",
                                  "/auto 3"};

TEST(ConversationMemory, GoesOnAfterEveryLineAsIfNothingHadHappened) {
  const std::size_t count = std::size(kLines);
  for (std::size_t cut = 1; cut < count; ++cut) {
    // A number picks from what was offered last, which is not kept.
    if (std::string_view(kLines[cut]) == "2") continue;
    Conversation whole = fresh(), first = fresh();
    for (std::size_t i = 0; i < cut; ++i) {
      (void)whole.answer(kLines[i]);
      (void)first.answer(kLines[i]);
    }
    Conversation second = kept(first);
    EXPECT_EQ(without_times(second.transcript()), without_times(whole.transcript()));
    for (std::size_t i = cut; i < count; ++i)
      EXPECT_EQ(second.answer(kLines[i]).text, whole.answer(kLines[i]).text) << kLines[i] << " after " << cut;
    EXPECT_EQ(without_times(second.memory()), without_times(whole.memory()));
  }
}

TEST(ConversationMemory, GrowsWithWhatIsSaidNotWithItsSquare) {
  Conversation conversation = fresh();
  (void)conversation.answer("/from Taxi Driver");
  const auto size_after = [&](int turns) {
    for (int i = 0; i < turns; ++i) (void)conversation.answer("And then? " + std::to_string(i));
    return conversation.memory().dump().size();
  };
  const std::size_t once = size_after(20);
  EXPECT_LT(size_after(20), 2 * once + once / 4);
}

TEST(ConversationMemory, RefusesWhatIsNoneAndStaysAsItWas) {
  Conversation conversation = fresh();
  (void)conversation.answer("/from Scarface");
  const Json good = conversation.memory();
  const auto refused = [&](Json bad) { EXPECT_THROW(conversation.recall(bad), FormatError) << bad.dump(); };
  refused(Json::object());
  refused(nullptr);
  refused(Json::array());
  Json bad = good;
  bad["graph"] = "another";
  refused(bad);
  bad = good;
  bad["version"] = 2;
  refused(bad);
  bad = good;
  bad["states"].back()["at"] = "Nobody";
  refused(bad);
  bad = good;
  bad["states"].back()["walked"]["more"] = Json::parse(R"([[["Scarface", "directed_by", "Mars"]]])");
  refused(bad);
  bad = good;
  bad["states"].back()["said"]["same"] = 7;
  refused(bad);
  bad = good;
  bad["random"] = Json::parse("[1]");
  refused(bad);
  bad = good;
  bad["states"] = Json::array();
  refused(bad);
  EXPECT_EQ(conversation.memory(), good);
}

TEST(ConversationStanding, TellsWhereTheWalkStandsAndWhatWasWeighed) {
  Conversation conversation = fresh();
  EXPECT_TRUE(conversation.standing().at.empty());
  (void)conversation.answer("/from Taxi Driver");
  (void)conversation.answer("/goal Crime");
  EXPECT_EQ(conversation.standing().distance, 5);
  (void)conversation.answer("And then?");
  const Standing standing = conversation.standing();
  EXPECT_EQ(standing.at, "Robert De Niro");
  EXPECT_EQ(standing.goal, "Crime");
  EXPECT_EQ(standing.distance, 4);
  EXPECT_EQ(standing.taken, 0U);
  ASSERT_TRUE(standing.plan);
  EXPECT_EQ(standing.plan->branches.front().at, "Taxi Driver");
}

TEST(ConversationStanding, TellsWhatANumberPicks) {
  Conversation conversation = fresh();
  (void)conversation.answer("I saw heat");
  EXPECT_EQ(conversation.standing().offered,
            (std::vector<std::string>{"Heat (1995 Film)", "Heat (1986 Film)"}));
}

TEST(ConversationTake, WalksWhatWasWeighedInPlaceOfWhatWasWalked) {
  Conversation conversation = fresh();
  (void)conversation.answer("/from Heat (1995 Film)");
  (void)conversation.answer("/goal Crime");
  (void)conversation.answer("Go on.");
  ASSERT_EQ(conversation.standing().at, "Michael Mann");
  const std::string text = conversation.take({"Heat (1995 Film)", "starred_actors", "Al Pacino"}).text;
  EXPECT_TRUE(contains(text, "-> Al Pacino, 4 hops left to Crime")) << text;
  EXPECT_EQ(conversation.transcript()["turns"].size(), 1U);
  EXPECT_EQ(conversation.standing().at, "Al Pacino");
  EXPECT_EQ(kept(conversation).standing().taken, conversation.standing().taken);
  (void)conversation.answer("/undo");
  EXPECT_EQ(conversation.standing().at, "Michael Mann");
  EXPECT_TRUE(
      contains(conversation.take({"Heat (1995 Film)", "starred_actors", "Mars"}).text, "was not weighed"));
  EXPECT_EQ(conversation.standing().at, "Michael Mann");
}

}  // namespace
}  // namespace kgwalk
