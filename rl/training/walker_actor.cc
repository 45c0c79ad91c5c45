#include "rl/training/walker_actor.h"

#include <cmath>
#include <string>
#include <utility>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "walker/features/goal_features.h"
#include "walker/network/ragged.h"

namespace kgwalk::rl {
namespace {

using torch::Tensor;
using walker::NeuralWalker;

// What the critic knows beside the state where candidates are compared with the goal; the thesis' critic has
// the state alone, in which the goal is an input of the decoder.
constexpr std::int64_t kValueFeatures = 5;
constexpr double kNever = -1e9;  // score of stopping: in stage 2 every turn takes a hop
constexpr const char* kStateFile = "environment.json";

// Place of each segment's last candidate, which is stopping: int64 [N].
Tensor stop_places(const Tensor& offsets) { return offsets.slice(0, 1) - 1; }

Tensor hop_log_probs_of(const Tensor& scores, const Tensor& offsets) {
  return walker::ragged_log_softmax(scores.index_fill(0, on(scores.device(), stop_places(offsets)), kNever),
                                    offsets);  // [K]
}

// One candidate of each segment, drawn by its probability.
std::vector<std::int64_t> draw(const Tensor& log_probs, const Tensor& offsets, Random& random) {
  const Tensor values = on_processor(log_probs);
  const float* p = values.data_ptr<float>();
  const std::int64_t* o = offsets.data_ptr<std::int64_t>();
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i + 1 < offsets.size(0); ++i) {
    double left = random.uniform();
    const std::int64_t stop = o[i + 1] - 1;
    std::int64_t k = o[i];
    for (std::int64_t next = k; next < stop; ++next) {
      k = next;
      left -= std::exp(static_cast<double>(p[next]));
      if (left < 0) break;
    }
    chosen.push_back(k);
  }
  return chosen;
}

// Candidates that the rules close, of any situation that they leave something; where only hubs are left,
// these are open.
Tensor closed_candidates(const walker::CandidateTensors& c, std::span<const walker::Example* const> examples,
                         const RouteRules& rules) {
  const std::int64_t *offsets = c.offsets.data_ptr<std::int64_t>(), *tails = c.tails.data_ptr<std::int64_t>();
  std::vector<std::int64_t> closed;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::int64_t begin = offsets[i], stop = offsets[i + 1] - 1;
    for (const Strictness strictness : {Strictness::kAll, Strictness::kHubsToo}) {
      std::vector<std::int64_t> here;
      for (std::int64_t k = begin; k < stop; ++k)
        if (!rules.allow(*examples[i], static_cast<graph::EntityId>(tails[k]), strictness)) here.push_back(k);
      if (static_cast<std::int64_t>(here.size()) == stop - begin) continue;
      closed.insert(closed.end(), here.begin(), here.end());
      break;
    }
  }
  return int64_tensor(closed);
}

}  // namespace

struct WalkerActor::Present {
  NeuralWalker::Situations situations;
  Tensor about;   // [B, kValueFeatures]
  Tensor closed;  // candidates that no hop may take, int64; undefined where all are open
};

Stage2NetImpl::Stage2NetImpl(walker::WalkerNetImpl& walker, std::int64_t input_width, int hidden) {
  register_module("walker", walker.shared_from_this());
  value_in_ = register_module("value_in", seq2seq::Linear(input_width, hidden));
  value_out_ = register_module("value_out", seq2seq::Linear(hidden, 1));
}

Tensor Stage2NetImpl::value(const Tensor& states, const Tensor& about) {
  return value_out_(torch::relu(value_in_(torch::cat({states, on(states.device(), about)}, 1)))).squeeze(1);
}

WalkerActor::WalkerActor(NeuralWalker& policy, const NeuralWalker* stage1, walker::WalkTask* supervised,
                         Environment& environment, const Stage2Config& config, std::uint64_t seed,
                         std::function<Json()> evaluate)
    : policy_(policy),
      stage1_(stage1),
      supervised_(supervised),
      environment_(environment),
      config_(config),
      evaluate_(std::move(evaluate)),
      rules_(policy.graph(), config.route),
      net_(policy.net(),
           policy.net().network->state_width() + (policy.config().scoring.goal ? kValueFeatures : 0),
           config.value_hidden),
      random_(seed, 21),
      shuffle_(seed, 22),
      earned_(environment.size(), 0.0) {
  if (config.train == Stage2Weights::kGoal && !policy.config().scoring.goal)
    throw ConfigError(
        "train=goal needs a walker that compares candidates with a goal (scoring.goal); train=all does not");
  if (config.imitation > 0 && supervised != nullptr)
    throw ConfigError("imitation and stage 1's loss (supervised) cannot be had together");
  if (config.imitation > 0) imitation_.emplace(policy, rules_, config.imitation_batch, seed);
  if (config.environment.reward.naturalness > 0 && stage1 == nullptr)
    throw ConfigError("a reward for naturalness needs the walker of stage 1");
  if (config.train == Stage2Weights::kGoal)
    for (auto& parameter : policy.net().named_parameters())
      parameter.value().set_requires_grad(parameter.key().find("goal") != std::string::npos);
}

// Made once for values() at the end of a rollout and act() after it: the weights change in between,
// this does not.
WalkerActor::Present& WalkerActor::present() {
  if (present_) return *present_;
  const std::vector<const walker::Example*> examples = environment_.situations();
  auto now = std::make_shared<Present>();
  now->situations = policy_.situations(examples);
  present_ = now;
  const auto& c = now->situations.candidates;
  if (!config_.route.free()) now->closed = closed_candidates(c, examples, rules_);
  if (!policy_.config().scoring.goal) {
    now->about = torch::empty({static_cast<std::int64_t>(examples.size()), 0});
    return *present_;
  }
  const Tensor stop = c.goal_features.index_select(0, stop_places(c.offsets));  // [B, kNumGoalFeatures]
  now->about = torch::empty({static_cast<std::int64_t>(examples.size()), kValueFeatures});
  float* row = now->about.data_ptr<float>();
  const float* f = stop.data_ptr<float>();
  for (std::size_t i = 0; i < examples.size(); ++i, row += kValueFeatures, f += walker::kNumGoalFeatures) {
    row[0] = f[walker::GoalFeature::kEstimate];
    row[1] = f[walker::GoalFeature::kLink];
    row[2] = f[walker::GoalFeature::kTailDegree] / 5;
    row[3] = f[walker::GoalFeature::kVisited];
    row[4] = static_cast<float>(environment_.hops_left(i)) / 10;
  }
  return *present_;
}

Tensor WalkerActor::open_log_probs(const Tensor& scores, const Present& now) const {
  const Tensor& offsets = now.situations.candidates.offsets;
  if (!now.closed.defined()) return hop_log_probs_of(scores, offsets);
  return hop_log_probs_of(scores.index_fill(0, on(scores.device(), now.closed), kNever), offsets);
}

Step WalkerActor::act() {
  policy_.net().eval();  // no dropout: what is walked is what is learned from
  const std::shared_ptr<Present> now = (present(), present_);
  const auto& c = now->situations.candidates;
  const NeuralWalker::FirstHop hop = policy_.first_hop(now->situations);
  const Tensor log_probs = open_log_probs(hop.scores, *now);  // [K]
  const std::vector<std::int64_t> chosen = draw(log_probs, c.offsets, random_);

  Step step;
  const torch::Device device = log_probs.device();
  step.log_probs = log_probs.index_select(0, int64_tensor(chosen, device));  // [B]
  step.entropies =
      torch::zeros({c.offsets.size(0) - 1}, log_probs.options())
          .index_add(0, on(device, walker::segments_of(c.offsets)), -(log_probs.exp() * log_probs));
  step.values = net_->value(hop.states, now->about);
  step_environment(*now, chosen, step);
  present_.reset();
  return step;
}

void WalkerActor::step_environment(const Present& now, const std::vector<std::int64_t>& chosen, Step& step) {
  const auto& c = now.situations.candidates;
  std::vector<graph::Edge> hops;
  for (const std::int64_t k : chosen)
    hops.push_back({static_cast<graph::RelationId>(c.relations.data_ptr<std::int64_t>()[k]),
                    static_cast<graph::EntityId>(c.tails.data_ptr<std::int64_t>()[k])});
  std::vector<float> natural;
  if (config_.environment.reward.naturalness > 0) {
    const torch::NoGradGuard no_grad;
    const NeuralWalker::Situations plain = now.situations.without_goals(policy_.graph().num_entities());
    const Tensor log_probs = on_processor(hop_log_probs_of(stage1_->first_hop(plain).scores, c.offsets));
    for (const std::int64_t k : chosen) natural.push_back(log_probs.data_ptr<float>()[k]);
  }
  std::vector<int> taken;
  for (const Episode& e : environment_.episodes()) taken.push_back(e.hops + 1);
  const std::vector<HopOutcome> outcomes = environment_.step(hops, natural);
  const auto batch = static_cast<std::int64_t>(outcomes.size());
  step.rewards = torch::empty({batch});
  step.ended = torch::empty({batch});
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    step.rewards.data_ptr<float>()[i] = static_cast<float>(outcomes[i].reward);
    step.ended.data_ptr<float>()[i] = outcomes[i].ended;
    earned_[i] += outcomes[i].reward;
    if (!outcomes[i].ended) continue;
    ++ended_;
    reached_ += outcomes[i].reached;
    ended_hops_ += taken[i];
    ended_return_ += std::exchange(earned_[i], 0.0);
  }
}

Tensor WalkerActor::values() {
  policy_.net().eval();
  Present& now = present();
  return net_->value(policy_.first_hop(now.situations).states, now.about);
}

void WalkerActor::begin_supervised_epoch() {
  epoch_shuffle_ = shuffle_.state();
  num_batches_ = supervised_->begin_epoch(0, shuffle_);
  next_batch_ = 0;
}

Tensor WalkerActor::further_loss() {
  if (imitation_) return config_.imitation * imitation_->loss();
  if (supervised_ == nullptr) return {};
  if (next_batch_ == num_batches_) begin_supervised_epoch();
  policy_.net().train();
  const Tensor loss = config_.supervised * supervised_->step(next_batch_++).loss;
  policy_.net().eval();
  return loss;
}

Json WalkerActor::episode_metrics() {
  Json json = Json::object();
  if (ended_ == 0) return json;
  json["success"] = 100.0 * static_cast<double>(reached_) / static_cast<double>(ended_);
  json["hops"] = ended_hops_ / static_cast<double>(ended_);
  json["return"] = ended_return_ / static_cast<double>(ended_);
  ended_ = reached_ = 0;
  ended_hops_ = ended_return_ = 0;
  return json;
}

void WalkerActor::save(const std::filesystem::path& folder) const {
  const Json json = {{"environment", environment_.state()},
                     {"random", random_.state()},
                     {"supervised", {{"epoch_shuffle", epoch_shuffle_}, {"next_batch", next_batch_}}},
                     {"imitation", imitation_ ? imitation_->state() : Json()},
                     {"earned", earned_},
                     {"ended", {ended_, reached_, ended_hops_, ended_return_}}};
  write_file_atomically(folder / kStateFile, json.dump() + "\n");
}

void WalkerActor::load(const std::filesystem::path& folder) {
  const std::string file = (folder / kStateFile).string();
  const Json json = read_json_file(file);
  try {
    environment_.set_state(json.at("environment"));
    random_.set_state(json.at("random").get<std::vector<std::uint64_t>>());
    epoch_shuffle_ = json.at("supervised").at("epoch_shuffle").get<std::vector<std::uint64_t>>();
    const auto next = json.at("supervised").at("next_batch").get<std::int64_t>();
    if (supervised_ != nullptr && !epoch_shuffle_.empty()) {
      shuffle_.set_state(epoch_shuffle_);
      begin_supervised_epoch();
      next_batch_ = next;
    }
    if (imitation_) imitation_->set_state(json.at("imitation"));
    earned_ = json.at("earned").get<std::vector<double>>();
    ended_ = json.at("ended").at(0).get<std::int64_t>();
    reached_ = json.at("ended").at(1).get<std::int64_t>();
    ended_hops_ = json.at("ended").at(2).get<double>();
    ended_return_ = json.at("ended").at(3).get<double>();
  } catch (const Json::exception& error) {
    throw FormatError(file + ": is no state of stage 2 (" + error.what() +
                      "); train the run again with this program");
  }
  if (earned_.size() != environment_.size())
    throw FormatError(file + ": has the returns of " + std::to_string(earned_.size()) + " episodes, not " +
                      std::to_string(environment_.size()));
  present_.reset();
}

}  // namespace kgwalk::rl
