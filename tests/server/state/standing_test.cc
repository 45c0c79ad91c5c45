#include "server/state/standing.h"

#include <gtest/gtest.h>

namespace kgwalk::server {
namespace {

TEST(Standing, WhatIsSaidIsTheSentenceAlone) {
  const Conversation::Reply reply{.text = "assistant: A directed B.\n 1. 90 %  B -[directed_by]-> A\n",
                                  .said = "A directed B."};
  EXPECT_EQ(said(reply), "A directed B.");
  EXPECT_EQ(shown(reply), reply.text);
}

TEST(Standing, WhereTheAssistantSaysNothingWhatIsShownIsSaid) {
  EXPECT_EQ(said({.text = "at Inception; no goal\n"}), "at Inception; no goal");
  EXPECT_EQ(said({}), "");
}

}  // namespace
}  // namespace kgwalk::server
