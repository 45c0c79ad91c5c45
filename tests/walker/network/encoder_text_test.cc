#include "walker/network/encoder_text.h"

#include <gtest/gtest.h>

#include "tests/dialogue/test_world.h"

namespace kgwalk::walker {
namespace {

using graph::Speaker;

Context said(const char* text) { return {{Speaker::kUser, text}}; }

TEST(EncoderText, ContextsHeardBeforeAreEncodedOnce) {
  const EncoderText text(dialogue::test::make_encoder(3));
  const Context film = said("Do you like the film?"), music = said("I like the music.");
  const std::vector<Context> both{film, music, film};
  const TextSource::Batch first = text.batch(both);
  EXPECT_EQ(text.num_encoded(), 2u) << "equal ones of a batch are one";
  EXPECT_TRUE(torch::equal(first.states[0], first.states[2]));
  const TextSource::Batch again = text.batch(both);
  EXPECT_EQ(text.num_encoded(), 2u);
  EXPECT_TRUE(torch::equal(first.states, again.states));
  EXPECT_TRUE(torch::equal(first.keep, again.keep));
  const Context longer{film[0], {Speaker::kAssistant, "I like the music."}};
  (void)text.batch(std::vector<Context>{longer});
  EXPECT_EQ(text.num_encoded(), 3u);
  EXPECT_TRUE(torch::equal(
      again.states[1].narrow(0, 0, text.num_tokens(music)),
      EncoderText(dialogue::test::make_encoder(3)).batch(std::vector<Context>{music}).states[0]));
}

TEST(EncoderText, ForgetsWhatWasNotAskedForTheLongest) {
  const auto encoder = dialogue::test::make_encoder(3);
  const Context a = said("film"), b = said("music"), c = said("orchestra hours");
  const EncoderText whole(encoder);
  const EncoderText text(encoder, nullptr, nullptr, whole.num_tokens(a) + whole.num_tokens(c));
  for (const Context& context : {a, b, a, c, a}) (void)text.batch(std::vector<Context>{context});
  EXPECT_EQ(text.num_encoded(), 3u) << "a was kept, as it had been asked for again";
  (void)text.batch(std::vector<Context>{b});
  EXPECT_EQ(text.num_encoded(), 4u);
}

TEST(EncoderText, PreparedContextsAreNotEncodedAgain) {
  EncoderText text(dialogue::test::make_encoder(3));
  const std::vector<Context> prepared{said("film"), said("music")};
  text.prepare(prepared, "", silent_reporter());
  (void)text.batch(prepared);
  EXPECT_EQ(text.num_encoded(), 0u);
  const std::vector<Context> mixed{prepared[1], said("hours"), prepared[0]};
  const TextSource::Batch batch = text.batch(mixed);
  EXPECT_EQ(text.num_encoded(), 1u);
  EXPECT_TRUE(torch::equal(batch.states[2].narrow(0, 0, text.num_tokens(mixed[2])),
                           text.batch(std::vector<Context>{prepared[0]}).states[0]));
}

}  // namespace
}  // namespace kgwalk::walker
