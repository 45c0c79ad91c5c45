// The user simulator: what it reads, what it may say, and against plain loops over its own network.
#include "rl/simulator/user_simulator.h"

#include <gtest/gtest.h>
#include <torch/optim.h>

#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "rl/simulator/speech_report.h"
#include "runtime/tensor/torch.h"
#include "tests/rl/small_talk.h"

namespace kgwalk::rl {
namespace {

using testing::film_situations;
using testing::film_user;
using testing::pointers_to;
using torch::Tensor;

walker::Example about(const graph::KnowledgeGraph& graph, const std::string& entity) {
  walker::Example situation;
  situation.start = *graph.find_entity(entity);
  return situation;
}

std::string source_text(const SimulatedUser& user, const walker::Example& situation, bool unspoken = false) {
  std::string text;
  const seq2seq::Dialogue read = user.source().read(situation, {.unspoken = unspoken});
  for (const seq2seq::Turn& turn : read.turns)
    text += (turn.speaker > 0 ? read.speakers[static_cast<std::size_t>(turn.speaker) - 1] + "| " : "") +
            turn.text + "\n";
  return text;
}

TEST(SituationSource, HoldsWhatBothSaidTheHopsAndWhatTheVertexIs) {
  const auto user = film_user();
  walker::Example situation = about(user->graph(), "Scarface (1983 Film)");
  const graph::EntityId pacino = *user->graph().find_entity("Al Pacino"),
                        heat = *user->graph().find_entity("Heat");
  const graph::RelationId starred = *user->graph().find_relation("starred_actors");
  situation.walked = {{heat, starred, pacino},
                      {pacino, *user->graph().find_relation("~starred_actors"), situation.start}};
  situation.path_ends = {1, 2};
  situation.context = {{graph::Speaker::kUser, "a"},
                       {graph::Speaker::kUser, "I like Taxi Driver."},
                       {graph::Speaker::kAssistant, "Al Pacino was in Heat."},
                       {graph::Speaker::kUser, "What else?"}};
  EXPECT_EQ(source_text(*user, situation),
            "U: I like Taxi Driver.\nA: Al Pacino was in Heat.\nU: What else?\n"
            "Heat| starred actors Al Pacino\nAl Pacino| ~ starred actors Scarface\n"
            "Scarface| is scarface\nAl Pacino| is al pacino\nHeat| is heat\nTaxi Driver| is taxi driver\n"
            "Scarface| has starred actors, has genre\nScarface| say\n");
  EXPECT_TRUE(source_text(*user, situation, true).ends_with("Scarface| turn to\n"));
  EXPECT_EQ(user->source().read(situation, {.swapped = true}).turns.back().text, "say as assistant");
}

TEST(SituationSource, HoldsAsManyNamesAsTheModelHas) {
  SimulatorConfig config = testing::small_simulator();
  const auto user = film_user(config);
  walker::Example situation = about(user->graph(), "Drama");
  situation.context = {{graph::Speaker::kAssistant,
                        "Heat, Collateral, Taxi Driver, Al Pacino, Michael Mann, Robert De Niro, Crime"}};
  EXPECT_EQ(user->source().read(situation, {}).speakers.size(), 6U);
}

// Logits of the next piece after `said`, everything computed anew for one situation alone: [V].
Tensor next_log_probs(const SimulatedUser& user, const UserTurn& turn, const std::vector<int>& target,
                      std::size_t place) {
  seq2seq::SummaryData data = user.encode({&turn, 1});
  const seq2seq::DialoguePieces* source[] = {&data.pairs.front().source};
  const auto encoded = user.model()->encode(seq2seq::pointed_source(source));
  seq2seq::PointedState state = user.model()->start(encoded);
  Tensor out = user.model()->step(torch::tensor({user.vocabulary().id_of("<s>")}, torch::kInt64), state);
  for (std::size_t i = 0; i < place; ++i)
    out = user.model()->step(torch::tensor({target[i]}, torch::kInt64), state);
  return out.squeeze(0);
}

TEST(SimulatedUser, PerplexityIsThatOfAPlainLoop) {
  set_torch_threads(1);
  const auto user = film_user();
  const auto situations = film_situations(user->graph(), 40);  // more than one batch
  std::vector<UserTurn> turns;
  for (std::size_t i = 0; i < situations.size(); ++i)
    turns.push_back(
        {situations[i], testing::sentences()[i % testing::sentences().size()], false, i % 2 == 0, false});
  const torch::NoGradGuard no_grad;
  double negative = 0;
  std::int64_t pieces = 0, words = 0;
  for (const UserTurn& turn : turns) {
    const std::vector<int> target = user->encode({&turn, 1}).pairs.front().target;
    for (std::size_t t = 0; t < target.size(); ++t)
      negative -= next_log_probs(*user, turn, target, t)[target[t]].item<double>();
    pieces += static_cast<std::int64_t>(target.size());
    words += count_words(turn.text) + 1;
  }
  const UtterancePerplexity found = perplexity_of(*user, turns);
  EXPECT_EQ(found.turns, 40);
  EXPECT_EQ(found.pieces, pieces);
  EXPECT_EQ(found.words, words);
  EXPECT_NEAR(found.negative_log_prob / negative, 1, 1e-4);
  EXPECT_NEAR(found.per_word() / std::exp(negative / static_cast<double>(words)), 1, 1e-3);
}

TEST(SimulatedUser, NamesAreOnePieceEach) {
  const auto user = film_user();
  UserTurn turn{about(user->graph(), "Michael Mann"), "Michael Mann", false, false, false};
  const std::vector<int> target = user->encode({&turn, 1}).pairs.front().target;
  ASSERT_EQ(target.size(), 2U);
  EXPECT_EQ(user->vocabulary().piece(target[0]), "<name1>");
}

TEST(SimulatedUser, UntrainedItNamesNothingButTheSituation) {
  set_torch_threads(1);
  SimulatorConfig config = testing::small_simulator();
  config.speech.ask = 0;
  config.speech.temperature = 2;
  config.speech.top_k = 0;
  config.speech.top_p = 1;
  const auto user = film_user(config, 5);
  const SpokenNames names(user->graph(), {});
  const auto situations = film_situations(user->graph(), 60);
  Random random(2);
  const auto said = user->say(pointers_to(situations), random);
  int by_model = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    by_model += said[i].by == Utterance::By::kModel;
    const auto allowed = user->source().allowed(situations[i]);
    const dialogue::AllowedNames may(allowed);
    for (const char* name :
         {"Heat", "Collateral", "Taxi Driver", "Al Pacino", "Michael Mann", "Robert De Niro"})
      if (dialogue::guarded_words(" " + said[i].text).size() > 0 &&
          said[i].text.find(name) != std::string::npos) {
        EXPECT_TRUE(may.contain(dialogue::guarded_words(name))) << said[i].text;
      }
  }
  EXPECT_GT(by_model, 30);
}

TEST(SimulatedUser, WhatIsSaidDoesNotDependOnTheOtherSituations) {
  set_torch_threads(1);
  const auto user = film_user(testing::small_simulator(), 5);
  const auto situations = film_situations(user->graph(), 80);  // more than are spoken at once
  const auto pointers = pointers_to(situations);
  Random together(7), alone(7);
  const auto said = user->speak(pointers, together);
  std::set<std::string> different(said.begin(), said.end());
  EXPECT_GT(different.size(), 40U);
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

TEST(SimulatedUser, LearnsWhatIsSaidAboutWhatAndToWhat) {
  set_torch_threads(1);
  SimulatorConfig config = testing::small_simulator();
  config.speech.temperature = 0;
  config.speech.ask = 0;
  config.smoothing = 0;
  const auto user = film_user(config);
  std::vector<UserTurn> turns;
  const auto add = [&](const char* entity, const char* heard, const char* text) {
    UserTurn turn{about(user->graph(), entity), text, false, false, false};
    turn.situation.context = {{graph::Speaker::kAssistant, heard}};
    turns.push_back(turn);
  };
  add("Heat", "is it good?", "who directed Heat?");
  add("Al Pacino", "is it good?", "Al Pacino is a great actor.");
  add("Al Pacino", "do you like drama?", "is Al Pacino good?");
  const seq2seq::SummaryData data = user->encode(turns);
  std::vector<std::size_t> all{0, 1, 2};
  const seq2seq::SummaryBatch batch = seq2seq::make_batch(data, all, user->vocabulary().id_of("<s>"));
  torch::optim::Adam optimizer(user->model()->parameters(), torch::optim::AdamOptions(0.01));
  const double before = perplexity_of(*user, turns).per_piece();
  // Long enough that rounding, which depends on where memory lies, decides nothing.
  for (int step = 0; step < 250; ++step) {
    user->model()->train();
    optimizer.zero_grad();
    user->model()->loss(user->model()->encode(batch.source), batch.target, 0, 0).loss.backward();
    optimizer.step();
  }
  user->model()->eval();
  EXPECT_GT(before, 20);
  EXPECT_LT(perplexity_of(*user, turns).per_piece(), 1.2);
  std::vector<const walker::Example*> situations;
  for (const UserTurn& turn : turns) situations.push_back(&turn.situation);
  Random random(1);
  const auto said = user->say(situations, random);
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(said[i].text, turns[i].text);
}

TEST(SimulatedUser, RefusesSpeechOutOfRange) {
  const auto user = film_user();
  SpeechConfig speech;
  speech.top_p = 0;
  EXPECT_THROW(user->set_speech(speech), ConfigError);
  const std::string before = user->checksum();
  speech.top_p = 1;
  user->set_speech(speech);
  EXPECT_NE(user->checksum(), before) << "how words are drawn decides what is said";
}

TEST(CapitalRule, LetsCapitalsBeginSentencesAndNoMore) {
  const auto vocabulary = testing::film_vocabulary();
  const CapitalRule rule(*vocabulary);
  std::vector<float> begins(static_cast<std::size_t>(vocabulary->size()), 0.0F), inside = begins;
  rule.forbid({}, begins);
  const std::int64_t said[] = {vocabulary->id_of("\u2581is")};
  rule.forbid(said, inside);
  int barred = 0;
  for (int id = 0; id < vocabulary->size(); ++id) {
    const std::string& piece = vocabulary->piece(id);
    if (vocabulary->is_control(id)) continue;
    const bool capital = std::any_of(piece.begin(), piece.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const bool own = piece == "\u2581I";
    EXPECT_EQ(std::isinf(inside[static_cast<std::size_t>(id)]), capital && !own) << piece;
    if (!capital) {
      EXPECT_EQ(begins[static_cast<std::size_t>(id)], 0) << piece;
    }
    barred += std::isinf(begins[static_cast<std::size_t>(id)]);
  }
  EXPECT_GT(barred, 0);
}

TEST(SpokenNames, AreRunsOfWordsWithCapitals) {
  const auto graph = walker::testing::film_graph();
  const graph::Dialogue dialogue{.events = {graph::Chat{graph::Speaker::kUser, "i know who and yes"}}};
  const SpokenNames names(*graph, {&dialogue, 1});
  EXPECT_EQ(names.of("Who directed Taxi Driver? Yes, I know."), (std::vector<std::string>{"Taxi Driver"}));
  EXPECT_EQ(names.of("Theron Man is good, and Michael Mann's Heat"),
            (std::vector<std::string>{"Theron Man", "Michael Mann's Heat"}));
  EXPECT_TRUE(names.of("who is it? yes").empty());
  EXPECT_TRUE(names.of("Who's it?").empty());
  EXPECT_TRUE(names.right("Scarface", {}));
  EXPECT_FALSE(names.right("Theron Man", {}));
  const std::string heard[] = {"I saw Theron Man."};
  EXPECT_TRUE(names.right("Theron Man", heard));
}

}  // namespace
}  // namespace kgwalk::rl
