#include <gtest/gtest.h>
#include <torch/optim/adam.h>

#include "listening/network/listen_task.h"
#include "listening/questions/generator.h"
#include "tests/listening/world.h"

namespace kgwalk::listening {
namespace {

constexpr int kWidth = 24;

class Network : public ::testing::Test {
 protected:
  Network() {
    torch::manual_seed(1);
    tables_ = word_tables(world_.lexicon, nullptr);
    FormScorerOptions options;
    options.own = OwnWordsConfig{.width = kWidth, .buckets = 2048};
    for (const std::string_view name : feature_names()) options.features.emplace_back(name);
    options.num_cues = static_cast<std::int64_t>(cue_names().size());
    options.rank = options.hidden = 8;
    scorer_ = FormScorer(options);
  }

  ListenExample example(const FormQuestion& question) {
    const Prepared prepared = world_.prepared(question.text);
    ListenExample out;
    out.input = form_input(prepared);
    out.input.targets =
        right_candidates(question, prepared.candidates, prepared.parts.mentions, world_.lexicon);
    out.kind = question.kind;
    out.groups = group_answers(prepared.candidates);
    out.right = right_groups(question, prepared.candidates, prepared.parts.mentions, out.groups);
    return out;
  }

  std::vector<ListenExample> examples(int count) {
    std::vector<ListenExample> out;
    QuestionConfig config;
    config.count = count;
    for (const FormQuestion& question : make_form_questions(world_.lexicon, world_.engine, config, 5)) {
      ListenExample made = example(question);
      if (!made.right.empty()) out.push_back(std::move(made));
    }
    return out;
  }

  testing::World world_;
  WordTables tables_;
  FormScorer scorer_{nullptr};
};

TEST_F(Network, ProbabilitiesOfAnUtteranceSumToOneWhateverStandsBesideItInABatch) {
  const std::vector<ListenExample> all = examples(12);
  ASSERT_GT(all.size(), 4U);
  scorer_->eval();
  const torch::NoGradGuard no_grad;
  std::vector<const ListenExample*> batch;
  for (const ListenExample& one : all) batch.push_back(&one);
  FormBatch rows;
  const torch::Tensor together = score(scorer_, tables_, batch, rows);
  std::int64_t begin = 0;
  for (const ListenExample* one : batch) {
    const auto count = static_cast<std::int64_t>(one->input.num_candidates());
    const torch::Tensor part = together.slice(0, begin, begin + count);
    EXPECT_NEAR(part.exp().sum().item<double>(), 1, 1e-4);
    FormBatch alone_rows;
    const ListenExample* const alone[] = {one};
    EXPECT_TRUE(torch::allclose(part, score(scorer_, tables_, alone, alone_rows), 1e-4, 1e-3));
    begin += count;
  }
}

TEST_F(Network, LearnsASmallWorldByHeart) {
  std::vector<ListenExample> all = examples(60);
  ListenTask task(scorer_, tables_, all, all, 16);
  const double before = task.evaluate()["score"];
  torch::optim::Adam optimizer(scorer_->parameters(), torch::optim::AdamOptions(5e-3));
  Random random(3);
  scorer_->train();
  for (int epoch = 0; epoch < 25; ++epoch)
    for (std::int64_t b = 0, count = task.begin_epoch(epoch, random); b < count; ++b) {
      optimizer.zero_grad();
      task.step(b).loss.backward();
      optimizer.step();
    }
  scorer_->eval();
  const double after = task.evaluate()["score"];
  EXPECT_GT(after, before);
  EXPECT_GE(after, 85);
}

TEST_F(Network, AnswersThatAreTheSameCountTogether) {
  const Prepared prepared = world_.prepared("films with Carla Venn and Dario Pohl");
  const AnswerGroups groups = group_answers(prepared.candidates);
  for (std::size_t a = 0; a < prepared.candidates.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (prepared.candidates[a].truth || prepared.candidates[b].truth) continue;
      EXPECT_EQ(groups.of[2 * a] == groups.of[2 * b],
                prepared.candidates[a].answers == prepared.candidates[b].answers);
    }
}

}  // namespace
}  // namespace kgwalk::listening
