#include "walker/training/training.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "walker/evaluation/evaluation.h"
#include "walker/network/ragged.h"
#include "walker/training/start_fit.h"

namespace kgwalk::walker {

using torch::Tensor;

// One state for each hop of each gold path, and one for stopping after it unless the path has max_hops hops.
struct WalkTask::States {
  std::vector<graph::EntityId> entities;
  std::vector<std::int32_t> hops;
  std::vector<const FeatureContext*> contexts;
  std::vector<std::int64_t> rows;         // row of the decoder's states, b (max_hops) + hops
  std::vector<std::int64_t> gold_places;  // within the state's candidates
  std::vector<graph::EntityId> gold_tails;
  std::vector<std::int64_t> owners, before;  // example of each, relation walked last
  std::vector<std::uint8_t> stops;
};

WalkTask::WalkTask(NeuralWalker& model, std::vector<Example> train, std::vector<Example> dev,
                   std::vector<QuestionSource> questions)
    : model_(model), train_(std::move(train)), dev_(std::move(dev)), questions_(std::move(questions)) {
  if (!questions_.empty() && !model.config().listen.on)
    throw ConfigError("questions were given to a walker that does not listen (listen.on)");
  set_unheard();
  if (train_.empty() && questions_.empty())
    throw ConfigError("there is no training path in the splits given; ingest dialogues with paths");
  const Resources& r = model_.resources();
  for (const Example& example : train_) {
    if (example.gold.empty() || static_cast<int>(example.gold.size()) > model_.config().max_hops)
      throw ConfigError("a training path has " + std::to_string(example.gold.size()) + " hops; max_hops is " +
                        std::to_string(model_.config().max_hops));
    contexts_.push_back(model_.config().scoring.features
                            ? r.features->context(example, r.statistics->group_of(example.dialogue))
                            : FeatureContext{});
    text_lengths_.push_back(model_.config().model == WalkerKind::kScorer && !model_.config().text.pooled
                                ? 1
                                : model_.inputs().text_length(example));
  }
  if (model_.config().scoring.features && !train_.empty()) set_feature_scale();
  remember_text_layers();
  // Without dialogues there are no habits to learn: those of fresh weights would be noise.
  if (train_.empty()) model_.net().scorer->forget();
}

void WalkTask::set_unheard() {
  Tensor unheard;
  for (const QuestionSource& source : questions_)
    if (source.never_asked().defined())
      unheard = unheard.defined() ? unheard.logical_and(source.never_asked()) : source.never_asked();
  if (unheard.defined())
    model_.net().listener->set_unheard(unheard.slice(0, 0, unheard.size(0) - 1).to(torch::kFloat32));
}

void WalkTask::remember_text_layers() {
  text_layers_.clear();
  for (auto& weight : model_.net().named_parameters())
    if (weight.key().find("text_top.") != std::string::npos)
      text_layers_.emplace_back(weight.value(), weight.value().detach().clone());
}

// Adam's steps do not grow with the gradient, so a smaller rate is a shorter step: back towards where it
// began.
void WalkTask::after_update(std::int64_t /*step*/) {
  const torch::NoGradGuard no_grad;
  for (auto& [weight, before] : text_layers_) {
    before = on(weight.device(), before);  // remembered where the weights were made
    weight.copy_(before + (weight - before) * model_.config().text.trained_rate);
    before.copy_(weight);
  }
}

void WalkTask::load_extra(const std::filesystem::path& /*folder*/) { remember_text_layers(); }

torch::nn::Module& WalkTask::module() { return model_.net(); }

WalkTask::States WalkTask::collect(std::span<const Example* const> examples,
                                   std::span<const std::size_t> ids) const {
  States s;
  const int max_hops = model_.config().max_hops;
  for (std::size_t b = 0; b < examples.size(); ++b) {
    const Example& example = *examples[b];
    const int length = static_cast<int>(example.gold.size());
    graph::EntityId here = example.start;
    for (int h = 0; h <= length && h < max_hops; ++h) {
      const bool stop = h == length;
      s.entities.push_back(here);
      s.hops.push_back(h);
      s.contexts.push_back(&contexts_[ids[b]]);
      s.rows.push_back(static_cast<std::int64_t>(b) * max_hops + h);
      s.stops.push_back(stop ? 1 : 0);
      s.owners.push_back(static_cast<std::int64_t>(b));
      s.before.push_back(h == 0 ? model_.graph().num_relations()
                                : example.gold[static_cast<std::size_t>(h - 1)].relation);
      const auto edges = model_.graph().out_edges(here);
      const graph::Edge gold = stop ? graph::Edge{} : example.gold[static_cast<std::size_t>(h)];
      const std::int64_t place =
          stop ? static_cast<std::int64_t>(edges.size()) : place_of(model_.graph(), here, gold);
      if (place < 0) throw ConfigError("a training path uses an edge that is not in the graph");
      s.gold_places.push_back(place);
      s.gold_tails.push_back(stop ? model_.graph().num_entities() : gold.tail);
      here = gold.tail;
    }
  }
  return s;
}

void WalkTask::set_feature_scale() {
  Tensor sum = torch::zeros({kNumFeatures}, torch::kFloat64), squares = torch::zeros_like(sum);
  std::int64_t rows = 0;
  for (std::size_t begin = 0; begin < train_.size(); begin += 256) {
    const std::size_t end = std::min(begin + 256, train_.size());
    std::vector<const Example*> examples;
    std::vector<std::size_t> ids(end - begin);
    std::iota(ids.begin(), ids.end(), begin);
    for (const std::size_t i : ids) examples.push_back(&train_[i]);
    const States s = collect(examples, ids);
    const Tensor f = model_.candidates(s.entities, s.hops, s.contexts).features.to(torch::kFloat64);
    sum += f.sum(0);
    squares += (f * f).sum(0);
    rows += f.size(0);
  }
  const Tensor mean = sum / rows;
  const Tensor deviation = (squares / rows - mean * mean).clamp_min(0).sqrt();
  model_.net().scorer->set_feature_scale(mean.to(torch::kFloat32), deviation.to(torch::kFloat32));
}

// Batches of examples of similar text length; the order of batches is random.
std::int64_t WalkTask::begin_epoch(int /*epoch*/, Random& random) {
  std::vector<std::size_t> order(train_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(std::span(order));
  const WalkerConfig& config = model_.config();
  const std::size_t pool = static_cast<std::size_t>(config.max_batch) * 16;
  batches_.clear();
  for (std::size_t begin = 0; begin < order.size(); begin += pool) {
    const std::size_t end = std::min(begin + pool, order.size());
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](std::size_t a, std::size_t b) { return text_lengths_[a] < text_lengths_[b]; });
    std::vector<std::size_t> batch;
    for (std::size_t i = begin; i < end; ++i) {
      const auto next = static_cast<std::int64_t>(batch.size() + 1);
      const bool full = next > config.max_batch || (next * text_lengths_[order[i]] > config.batch_tokens);
      if (full && !batch.empty()) batches_.push_back(std::exchange(batch, {}));
      batch.push_back(order[i]);
    }
    if (!batch.empty()) batches_.push_back(std::move(batch));
  }
  random.shuffle(std::span(batches_));
  if (!questions_.empty()) question_seed_ = random.next();
  if (train_.empty()) {  // questions alone: an epoch draws as many as there are
    std::size_t count = 0;
    for (const QuestionSource& source : questions_) count += source.size();
    batches_.resize(std::max<std::size_t>(1, count / static_cast<std::size_t>(config.listen.batch)));
  }
  return num_batches();
}

Tensor WalkTask::accepted(const States& states, const CandidateTensors& c) const {
  Tensor right = torch::zeros({c.tails.size(0)});
  const std::int64_t* tails = c.tails.data_ptr<std::int64_t>();
  const std::int64_t* offsets = c.offsets.data_ptr<std::int64_t>();
  for (std::size_t i = 0; i < states.rows.size(); ++i)
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k)
      right.data_ptr<float>()[k] = tails[k] == static_cast<std::int64_t>(states.gold_tails[i]);
  return right;
}

StepResult WalkTask::step(std::int64_t index) {
  const std::vector<std::size_t>& ids = batches_[static_cast<std::size_t>(index)];
  const WalkerConfig& config = model_.config();
  if (ids.empty()) {
    const Tensor heard = question_loss(index);
    return {heard, static_cast<double>(config.listen.batch), {{"question_loss", heard.item<double>()}}};
  }
  std::vector<const Example*> examples;
  std::vector<PartialPath> prefixes;  // gold hops up to the last supervised state
  std::vector<std::int64_t> lengths;
  for (std::size_t b = 0; b < ids.size(); ++b) {
    const Example& example = train_[ids[b]];
    examples.push_back(&example);
    PartialPath prefix{.example = static_cast<std::int32_t>(b)};
    prefix.num_hops =
        std::min<std::int32_t>(static_cast<std::int32_t>(example.gold.size()), config.max_hops - 1);
    std::copy_n(example.gold.begin(), prefix.num_hops, prefix.hops.begin());
    prefixes.push_back(prefix);
    lengths.push_back(static_cast<std::int64_t>(example.gold.size()) - 1);
  }
  const States states = collect(examples, ids);
  const CandidateTensors c = model_.candidates(states.entities, states.hops, states.contexts);
  const MetaPathIds hops = InputBuilder::hops(prefixes, examples, config.max_hops - 1);
  const WalkInputs inputs = model_.inputs().build(examples);
  const Decoded decoded = model_.teach(inputs, hops);  // [B, max_hops, D]
  const Tensor rows = decoded.states.reshape({-1, decoded.states.size(2)})
                          .index_select(0, int64_tensor(states.rows, model_.device()));
  Tensor log_probs = model_.scores({rows, int64_tensor(states.owners), int64_tensor(states.before)}, c,
                                   model_.listen(inputs));
  if (!config.scoring.separate) log_probs = ragged_log_softmax(log_probs, c.offsets);

  WalkTargets targets;
  targets.gold = c.offsets.slice(0, 0, c.offsets.size(0) - 1) + int64_tensor(states.gold_places);
  if (config.loss.parallel) targets.accepted = accepted(states, c);
  targets.lengths = int64_tensor(lengths);
  const WalkLoss loss = walk_loss(config.loss, log_probs, c.offsets, decoded.lengths, targets);
  StepResult result{loss.total, static_cast<double>(ids.size()), Json::object()};
  result.metrics["path_loss"] = loss.path.item<double>();
  if (loss.length.defined()) result.metrics["length_loss"] = loss.length.item<double>();
  if (!questions_.empty()) {
    const Tensor heard = question_loss(index);
    result.loss = result.loss + heard;
    result.metrics["question_loss"] = heard.item<double>();
  }
  return result;
}

// Each update learns from questions beside its dialogues, a share of the batch a source. Drawn anew by the
// number of the batch, so that a resumed epoch draws the same.
Tensor WalkTask::question_loss(std::int64_t batch) {
  Random random(question_seed_, static_cast<std::uint64_t>(batch));
  double weights = 0;
  for (const QuestionSource& source : questions_) weights += source.weight();
  Tensor sum = torch::zeros({});
  for (const QuestionSource& source : questions_) {
    const double share = source.weight() / weights;
    const auto count = std::max<std::int64_t>(1, std::llround(share * model_.config().listen.batch));
    sum = sum + source.loss(*model_.net().listener, count, random) * share;
  }
  return sum;
}

// What is fitted and not learned by steps is fitted here, before the weights are kept. Questions and
// dialogues weigh about the same in the choice of starts.
void WalkTask::evaluate_questions(Json& json) {
  std::vector<Example> started;
  for (const QuestionSource& source : questions_)
    started.insert(started.end(), source.started().begin(), source.started().end());
  const std::size_t every =
      std::max<std::size_t>(1, train_.size() / std::max<std::size_t>(1, started.size()));  // of dialogues
  for (std::size_t i = 0; i < train_.size(); i += every) started.push_back(train_[i]);
  fit_starts(model_, started);
  double first = 0;
  for (const QuestionSource& source : questions_) {
    const QuestionScore score = source.evaluate(*model_.net().listener);
    json["asked@1 " + source.name()] = 100 * score.first;
    json["act " + source.name()] = 100 * score.act;
    first += 100 * score.first / static_cast<double>(questions_.size());
  }
  json["score"] = dev_.empty() ? first : (json["score"].get<double>() + first) / 2;
}

Json WalkTask::evaluate() {
  const bool training = model_.net().is_training();
  model_.net().eval();
  EvaluationConfig config;
  config.search = model_.config().search;
  config.resamples = 0;
  Json json = Json::object();
  if (!dev_.empty()) {
    const Evaluation found = evaluate_paths(model_, dev_, config);
    double sum = 0;
    for (std::size_t k = 0; k < kRecallAt.size(); ++k) {
      json["path@" + std::to_string(kRecallAt[k])] = found.all.path[k].percent;
      sum += found.all.path[k].percent;
    }
    for (std::size_t k = 0; k < kRecallAt.size(); ++k) {
      json["tgt@" + std::to_string(kRecallAt[k])] = found.all.target[k].percent;
      sum += found.all.target[k].percent;
    }
    json["score"] = sum / (2 * kRecallAt.size());
  }
  if (!questions_.empty()) evaluate_questions(json);
  model_.net().train(training);
  return json;
}

}  // namespace kgwalk::walker
