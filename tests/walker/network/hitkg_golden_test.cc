// HiTKG as a whole against a reference that shares nothing with it (tests/golden/make_hitkg.py): the order of
// the memories, what the decoder is given, where lengths and scores are read, and the loss.
#include <gtest/gtest.h>

#include <cctype>

#include "runtime/tensor/torch.h"
#include "tests/seq2seq/golden.h"
#include "walker/network/neural_walker.h"
#include "walker/network/ragged.h"
#include "walker/training/loss.h"

namespace kgwalk::walker {
namespace {

using seq2seq::testing::largest_difference;
using seq2seq::testing::tensor_of;
using torch::Tensor;

constexpr std::int64_t kEntities = 7, kRelations = 4, kTextPositions = 6;

Tensor ids_of(const std::vector<std::int64_t>& values) {
  return torch::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64);
}

class HitkgGolden : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    golden_ =
        read_json_file((seq2seq::testing::source_dir() / "tests/golden/hitkg.json").string())[GetParam()];
    const Json& o = golden_["options"];
    apply_json(config_.encoder, o["encoder"], "hitkg.json");
    apply_json(config_.decoder, o["decoder"], "hitkg.json");
    config_.max_path_history = 4;
    config_.max_hops = o["max_hops"];
    config_.goal_visible = o["goal"];
    config_.metapath.kg_width = o["kg"];
    config_.metapath.distance_width = o["distance"];
    config_.metapath.projected = o["projected"];
    config_.metapath.train_relations = o["train_relations"];
    config_.scoring.relation_bias = o["bias"];
  }
  [[nodiscard]] WalkerNet net() const {
    GraphTables tables;
    tables.entities = tensor_of(golden_["tables"]["entities"]);
    tables.relations = tensor_of(golden_["tables"]["relations"]);
    tables.kg_width = config_.metapath.kg_width;
    WalkerNet net(config_, tables, InputSizes{golden_["options"]["text"], kTextPositions, 1}, RelationBags{});
    seq2seq::testing::load_weights(*net, golden_["weights"]);
    return net;
  }
  [[nodiscard]] const Json& examples() const { return golden_["inputs"]["examples"]; }

  // Two examples of different lengths, padded with what must not be seen.
  [[nodiscard]] WalkInputs inputs() const {
    WalkInputs in;
    const std::int64_t width = golden_["options"]["text"];
    std::int64_t text = 1, history = 1;
    for (const Json& e : examples()) {
      text = std::max(text, e["text"]["shape"][0].get<std::int64_t>());
      history = std::max(history, static_cast<std::int64_t>(e["history"].size()));
    }
    in.text = torch::full({2, text, width}, 5, torch::kFloat64);
    in.text_keep = torch::zeros({2, text}, torch::kBool);
    in.history = {torch::zeros({2, history}, torch::kInt64), torch::ones({2, history}, torch::kInt64),
                  torch::ones({2, history}, torch::kInt64)};
    in.history_keep = torch::zeros({2, history}, torch::kBool);
    std::vector<std::int64_t> starts, goals;
    for (std::int64_t b = 0; b < 2; ++b) {
      const Json& e = examples()[static_cast<std::size_t>(b)];
      const Tensor states = tensor_of(e["text"]);
      in.text[b].narrow(0, 0, states.size(0)).copy_(states);
      in.text_keep[b].narrow(0, 0, states.size(0)).fill_(true);
      for (std::size_t i = 0; i < e["history"].size(); ++i) {
        const auto place = static_cast<std::int64_t>(i);
        in.history.relations[b][place] = e["history"][i][0].get<std::int64_t>();
        in.history.tails[b][place] = e["history"][i][1].get<std::int64_t>();
        in.history_keep[b][place] = true;
      }
      starts.push_back(e["start"]);
      goals.push_back(e["goal"].is_null() ? kEntities : e["goal"].get<std::int64_t>());
    }
    in.starts = ids_of(starts);
    in.goals = ids_of(goals);
    return in;
  }
  [[nodiscard]] MetaPathIds path() const {
    MetaPathIds ids{torch::zeros({2, 1}, torch::kInt64), torch::zeros({2, 1}, torch::kInt64),
                    torch::zeros({2, 1}, torch::kInt64)};
    for (std::int64_t b = 0; b < 2; ++b) {
      const Json& hop = examples()[static_cast<std::size_t>(b)]["path"][0];
      ids.relations[b][0] = hop[0].get<std::int64_t>();
      ids.tails[b][0] = hop[1].get<std::int64_t>();
    }
    return ids;
  }
  // Candidates of both examples before the first hop and, after them, of both before the second.
  [[nodiscard]] CandidateTensors candidates() const {
    Candidates c;
    c.offsets = {0};
    std::vector<std::int32_t> hops;
    for (std::size_t hop = 0; hop < 2; ++hop)
      for (std::size_t b = 0; b < 2; ++b) {
        for (const Json& pair : examples()[b]["candidates"][hop]) {
          c.relations.push_back(pair[0]);
          c.tails.push_back(pair[1]);
        }
        c.relations.push_back(kRelations);
        c.tails.push_back(kEntities);
        c.states.resize(c.relations.size(), static_cast<std::int32_t>(c.entities.size()));
        c.entities.push_back(0);
        c.offsets.push_back(static_cast<std::int64_t>(c.relations.size()));
        hops.push_back(static_cast<std::int32_t>(hop));
      }
    return to_tensors(c, hops, config_.scoring);
  }
  // Largest difference of any log-probability of a candidate from the reference.
  [[nodiscard]] double off(const Tensor& log_probs, const CandidateTensors& c) const {
    double worst = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      const std::size_t hop = n / 2, b = n % 2;
      const auto* at = c.offsets.data_ptr<std::int64_t>() + n;
      worst = std::max(worst, largest_difference(log_probs.slice(0, at[0], at[1]),
                                                 tensor_of(golden_["expected"]["hops"][b][hop])));
    }
    return worst;
  }
  [[nodiscard]] Tensor log_probs(WalkerNet& net, const CandidateTensors& c) const {
    const Tensor states = net->network->teach(inputs(), path()).states;  // [2, 2, D]
    return ragged_log_softmax(net->scorer(states.transpose(0, 1).reshape({4, -1}), c), c.offsets);
  }

  Json golden_;
  WalkerConfig config_;
};

TEST_P(HitkgGolden, ProbabilitiesLengthsAndLossEqualTheReference) {
  const torch::NoGradGuard no_grad;
  WalkerNet net = this->net();
  const CandidateTensors c = candidates();
  const Tensor log_p = log_probs(net, c);
  EXPECT_LT(off(log_p, c), 1e-9);
  const Tensor lengths = net->network->teach(inputs(), path()).lengths;
  WalkTargets targets;
  std::vector<std::int64_t> gold, length;
  for (std::size_t n = 0; n < 4; ++n)
    gold.push_back(c.offsets.data_ptr<std::int64_t>()[n] +
                   examples()[n % 2]["gold"][n / 2].get<std::int64_t>());
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_LT(largest_difference(lengths[static_cast<std::int64_t>(b)].log_softmax(0),
                                 tensor_of(golden_["expected"]["lengths"][b])),
              1e-9);
    length.push_back(examples()[b]["length"]);
  }
  targets.gold = ids_of(gold);
  targets.lengths = ids_of(length);
  const WalkLoss loss = walk_loss(LossConfig{}, log_p, c.offsets, lengths, targets);
  for (const auto& [value, name] :
       {std::pair{loss.path, "path"}, {loss.length, "length"}, {loss.total, "loss"}})
    EXPECT_NEAR(value.item<double>(), tensor_of(golden_["expected"][name]).item<double>(), 1e-9) << name;
}

TEST_P(HitkgGolden, StepByStepEqualsTheReferenceToo) {
  const torch::NoGradGuard no_grad;
  WalkerNet net = this->net();
  const CandidateTensors c = candidates();
  const auto state = net->network->start(inputs());
  const Tensor second = net->network->extend(*state, path(), torch::arange(2));
  EXPECT_LT(off(ragged_log_softmax(net->scorer(torch::cat({state->first, second}), c), c.offsets), c), 1e-9);
  for (std::int64_t b = 0; b < 2; ++b)
    EXPECT_LT(largest_difference(state->lengths[b].log_softmax(0),
                                 tensor_of(golden_["expected"]["lengths"][static_cast<std::size_t>(b)])),
              1e-9);
}

// What the golden values can tell apart: with the memories swapped they are missed.
TEST_P(HitkgGolden, SwappedMemoriesAreNoticed) {
  const torch::NoGradGuard no_grad;
  config_.dialogue_first = true;
  WalkerNet net = this->net();
  const CandidateTensors c = candidates();
  EXPECT_GT(off(log_probs(net, c), c), 1e-3);
}

// And lengths that were read at bop, which holds the first scores, would be others than those at cls.
TEST_P(HitkgGolden, LengthsReadAtBopAreNoticed) {
  const torch::NoGradGuard no_grad;
  WalkerNet net = this->net();
  const Tensor at_bop = net->network->teach(inputs(), path()).states.select(1, 0);  // [2, D]
  const Tensor weight = tensor_of(golden_["weights"]["network.length_head.weight"]),
               bias = tensor_of(golden_["weights"]["network.length_head.bias"]);
  const Tensor lengths = (torch::matmul(at_bop, weight.t()) + bias).log_softmax(1);
  for (std::int64_t b = 0; b < 2; ++b)
    EXPECT_GT(largest_difference(lengths[b],
                                 tensor_of(golden_["expected"]["lengths"][static_cast<std::size_t>(b)])),
              1e-3);
}

// The second example has no goal. With one, stage 2 gives other scores; in stage 1 every goal is masked.
TEST_P(HitkgGolden, AGoalIsNoticedWhereItIsVisible) {
  const torch::NoGradGuard no_grad;
  WalkerNet net = this->net();
  const CandidateTensors c = candidates();
  WalkInputs seen = inputs();
  seen.goals.fill_(1);
  const Tensor states = net->network->teach(seen, path()).states.transpose(0, 1).reshape({4, -1});
  const double change = off(ragged_log_softmax(net->scorer(states, c), c.offsets), c);
  if (config_.goal_visible) {
    EXPECT_GT(change, 1e-3);
  } else {
    EXPECT_LT(change, 1e-9);
  }
}

std::string case_name(const ::testing::TestParamInfo<std::string>& of) {
  std::string name;
  for (const char c : of.param)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, HitkgGolden,
                         ::testing::Values("stage 1 as printed", "stage 2 as printed",
                                           "ours, with projections and a bias"),
                         case_name);

}  // namespace
}  // namespace kgwalk::walker
