// The user simulator against plain loops over its own network.
#include <torch/optim.h>

#include "rl/simulator/user_simulator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "rl/simulator/simulator_training.h"
#include "runtime/tensor/torch.h"
#include "tests/rl/small_talk.h"

namespace kgwalk::rl {
namespace {

using testing::film_situations;
using testing::film_user;
using testing::pointers_to;
using torch::Tensor;

// Logits of the next piece after `said`, everything computed anew for one situation alone: [V].
Tensor next_logits(const SimulatedUser& user, const walker::Example& situation,
                   const std::vector<int>& said) {
  const torch::NoGradGuard no_grad;
  const walker::Example* one[] = {&situation};
  const std::vector<std::int64_t> ids(said.begin(), said.end());
  const Tensor pieces = torch::tensor(at::ArrayRef<std::int64_t>(ids), torch::kInt64).unsqueeze(0);  // [1, T]
  const Tensor states = user.net().teach(user.inputs(one), pieces);  // [1, T + 1, D]
  return user.net().logits(states.select(1, states.size(1) - 1)).squeeze(0);
}

bool may_be_said(const SimulatedUser& user, int id) {
  return !user.vocabulary().is_control(id) && id != user.vocabulary().special().unk;
}

// What greedy speech must be, one piece after the other; `ended` tells whether it came to its end.
std::vector<int> greedy_pieces(const SimulatedUser& user, const walker::Example& situation, bool& ended) {
  std::vector<int> said;
  for (ended = false; static_cast<int>(said.size()) < user.config().speech.max_pieces;) {
    const Tensor logits = next_logits(user, situation, said);
    int best = -1;
    for (int id = 0; id < user.vocabulary().size(); ++id) {
      if (!may_be_said(user, id) && !(id == user.end_piece() && !said.empty())) continue;
      if (best < 0 || logits[id].item<float>() > logits[best].item<float>()) best = id;
    }
    ended = best == user.end_piece();
    if (ended) break;
    said.push_back(best);
  }
  return said;
}

std::string until_last_sentence(const std::string& text) {
  const std::size_t end = text.find_last_of(".!?");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

TEST(SimulatedUser, GreedySpeechEqualsFullRecomputation) {
  set_torch_threads(1);
  for (const bool name : {true, false}) {
    SimulatorConfig config = testing::small_simulator();
    config.vertex_name = name;
    config.decoder.hi.history = name ? 0 : 1;  // cached keys of lower layers too
    const auto user = film_user(config);
    {  // Whether it ends is to depend on what was said.
      const torch::NoGradGuard no_grad;
      user->net().output->weight[user->end_piece()] *= 4;
    }
    SpeechConfig speech;
    speech.temperature = 0;
    speech.max_pieces = 12;
    user->set_speech(speech);
    const auto situations = film_situations(user->graph(), 14);
    Random random(1);
    const auto said = user->speak(pointers_to(situations), random);
    std::set<std::size_t> lengths;
    for (std::size_t i = 0; i < situations.size(); ++i) {
      bool ended = false;
      const std::vector<int> expected = greedy_pieces(*user, situations[i], ended);
      lengths.insert(expected.size());
      const std::string text = user->vocabulary().decode(expected);
      EXPECT_EQ(said[i], ended ? text : until_last_sentence(text)) << i;
    }
    EXPECT_GT(lengths.size(), 1U) << "rows were to end at different times";
  }
}

TEST(SimulatedUser, StepsOfTheDecoderEqualTeacherForcing) {
  set_torch_threads(1);
  const auto user = film_user();
  const auto situations = film_situations(user->graph(), 5);
  const auto pointers = pointers_to(situations);
  const torch::NoGradGuard no_grad;
  const Tensor pieces = torch::randint(3, user->vocabulary().size(), {5, 7}, torch::kInt64);
  const Tensor whole = user->net().teach(user->inputs(pointers), pieces);  // [5, 8, D]
  seq2seq::DecoderState state;
  Tensor out = user->net().start(user->inputs(pointers), state);  // [5, D]
  for (std::int64_t said = 0;; ++said) {
    EXPECT_TRUE(torch::allclose(out, whole.select(1, said), 1e-4, 1e-5)) << "after " << said << " pieces";
    if (said == 7) break;
    out = user->net().extend(pieces.select(1, said), said, state);
  }
}

TEST(SimulatedUser, WhatIsSaidDoesNotDependOnTheOtherSituations) {
  set_torch_threads(1);
  const auto user = film_user(testing::small_simulator(), 5, 1.0);
  SpeechConfig speech;
  speech.temperature = 1;
  speech.top_p = 1;
  user->set_speech(speech);
  const auto situations = film_situations(user->graph(), 150);  // more than are spoken at once
  const auto pointers = pointers_to(situations);
  Random together(7), alone(7);
  const auto said = user->speak(pointers, together);
  std::set<std::string> different(said.begin(), said.end());
  EXPECT_GT(different.size(), 100U);
  for (std::size_t i = 0; i < situations.size(); ++i)
    EXPECT_EQ(user->speak(std::span(pointers).subspan(i, 1), alone).front(), said[i]) << i;
  EXPECT_EQ(together.next(), alone.next()) << "one number a situation";
}

TEST(SimulatedUser, TheSeedDecidesTheWords) {
  set_torch_threads(1);
  const auto user = film_user();
  const auto situations = film_situations(user->graph(), 20);
  Random a(3), b(3), c(4);
  const auto first = user->speak(pointers_to(situations), a);
  EXPECT_EQ(user->speak(pointers_to(situations), b), first);
  EXPECT_NE(user->speak(pointers_to(situations), c), first);
  EXPECT_NE(user->speak(pointers_to(situations), a), first) << "the generator goes on";
}

TEST(SimulatedUser, HearsTheUserAlone) {
  set_torch_threads(1);
  const auto user = film_user();
  walker::Example situation = film_situations(user->graph(), 1).front();
  situation.context = {{graph::Speaker::kUser, "a"}, {graph::Speaker::kAssistant, "b"},
                       {graph::Speaker::kUser, "c"}, {graph::Speaker::kUser, "d"},
                       {graph::Speaker::kUser, "e"}, {graph::Speaker::kAssistant, "f"}};
  std::string heard;
  for (const graph::Chat& chat : user->heard(situation)) heard += chat.text;
  EXPECT_EQ(heard, "cde");
  const Tensor before = next_logits(*user, situation, {});
  situation.context[1].text = "what the assistant says does not matter";
  EXPECT_TRUE(torch::equal(before, next_logits(*user, situation, {})));
  situation.context[4].text = "what the user says does";
  EXPECT_FALSE(torch::allclose(before, next_logits(*user, situation, {})));
}

TEST(SimulatedUser, PerplexityIsThatOfAPlainLoop) {
  set_torch_threads(1);
  SimulatorConfig config = testing::small_simulator();
  config.max_pieces = 9;  // so that some utterances are cut
  config.speech.max_pieces = 9;
  const auto user = film_user(config);
  const auto situations = film_situations(user->graph(), 70);  // more than one batch
  std::vector<UserTurn> turns;
  for (std::size_t i = 0; i < situations.size(); ++i)
    turns.push_back({situations[i], testing::sentences()[i % testing::sentences().size()], false});

  double negative = 0;
  std::int64_t pieces = 0, words = 0, cut = 0;
  for (const UserTurn& turn : turns) {
    std::vector<int> target = user->vocabulary().encode(turn.text).ids;
    if (target.size() >= 9) {
      ++cut;
      target.resize(9);
      for (const int id : target) words += user->vocabulary().starts_word(id);
    } else {
      target.push_back(user->end_piece());
      words += count_words(turn.text) + 1;
    }
    for (std::size_t t = 0; t < target.size(); ++t) {
      const std::vector<int> before(target.begin(), target.begin() + static_cast<std::ptrdiff_t>(t));
      negative -= torch::log_softmax(next_logits(*user, turn.situation, before), 0)[target[t]].item<double>();
      ++pieces;
    }
  }
  const UtterancePerplexity found = perplexity_of(*user, turns);
  EXPECT_EQ(found.turns, 70);
  EXPECT_EQ(found.pieces, pieces);
  EXPECT_EQ(found.words, words);
  EXPECT_EQ(found.cut, cut);
  EXPECT_GT(cut, 0);
  EXPECT_LT(cut, 70);
  EXPECT_NEAR(found.negative_log_prob / negative, 1, 1e-5);
  EXPECT_NEAR(found.per_piece(), std::exp(negative / static_cast<double>(pieces)), 1e-3);
  EXPECT_NEAR(found.per_word() / std::exp(negative / static_cast<double>(words)), 1, 1e-4);
}

TEST(SimulatedUser, LearnsWhatIsSaidAboutWhat) {
  set_torch_threads(1);
  SimulatorConfig config = testing::small_simulator();
  config.encoder.layers = config.decoder.layers = 1;
  config.encoder.dropout = config.decoder.dropout = 0;
  config.speech.temperature = 0;
  config.speech.max_pieces = 24;
  const auto user = film_user(config);
  const graph::KnowledgeGraph& graph = user->graph();
  std::vector<UserTurn> turns;
  for (const auto& [entity, text] :
       {std::pair("Heat", "Who directed Heat?"), std::pair("Al Pacino", "Al Pacino is a great actor."),
        std::pair("Drama", "Do you like drama?")}) {
    UserTurn turn;
    turn.situation.start = *graph.find_entity(entity);
    turn.text = text;
    turns.push_back(turn);
  }
  UtteranceTask task(*user, turns, turns);
  torch::optim::Adam optimizer(user->net().parameters(), torch::optim::AdamOptions(0.01));
  Random shuffle(1);
  const double before = perplexity_of(*user, turns).per_piece();
  for (int epoch = 0; epoch < 60; ++epoch) {
    ASSERT_EQ(task.begin_epoch(epoch, shuffle), 1);
    user->net().train();
    optimizer.zero_grad();
    task.step(0).loss.backward();
    optimizer.step();
  }
  user->net().eval();
  EXPECT_GT(before, 20);
  EXPECT_LT(perplexity_of(*user, turns).per_piece(), 1.2);
  std::vector<const walker::Example*> situations;
  for (const UserTurn& turn : turns) situations.push_back(&turn.situation);
  Random random(1);
  const auto said = user->speak(situations, random);
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(said[i], turns[i].text);
}

TEST(SimulatedUser, RefusesAVocabularyWithoutAnEnd) {
  const test::TempFolder scratch;
  seq2seq::VocabularyOptions options;
  options.size = 60;
  SimulatorResources resources;
  resources.graph = walker::testing::film_graph();
  const SimulatorConfig config = testing::small_simulator();
  resources.tables = walker::random_graph_tables(resources.graph->num_entities(),
                                                 resources.graph->num_relations(), config.metapath, 1);
  resources.text = std::make_shared<walker::testing::WordText>();
  resources.vocabulary = std::make_shared<const seq2seq::SentencePiece>(
      seq2seq::train_sentencepiece(testing::sentences(), options, scratch.path()));
  EXPECT_TRUE(
      test::contains(test::message_of<FormatError>([&] { SimulatedUser(config, resources); }), kEndPiece));
}

TEST(SimulatedUser, RefusesSpeechOutOfRange) {
  const auto user = film_user();
  SpeechConfig speech;
  speech.top_p = 0;
  EXPECT_THROW(user->set_speech(speech), ConfigError);
  speech.top_p = 1;
  speech.max_pieces = 25;  // longer than what was learned
  EXPECT_THROW(user->set_speech(speech), ConfigError);
  const std::string before = user->checksum();
  speech.max_pieces = 5;
  user->set_speech(speech);
  EXPECT_NE(user->checksum(), before) << "how words are drawn decides what is said";
}

}  // namespace
}  // namespace kgwalk::rl
