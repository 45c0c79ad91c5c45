#include "walker/network/neural_walker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "runtime/text.h"
#include "walker/features/relation_examples.h"
#include "walker/network/ragged.h"
#include "walker/network/relation_fits.h"

namespace kgwalk::walker {

using torch::Tensor;

namespace {

constexpr std::size_t kMostEverydayNames = 12;  // of an utterance in which the linker finds no name
constexpr std::size_t kExamples = 8;            // of what a relation leads to
constexpr float kNever = -1e9F;                 // log-probability of what is not so

RelationBags bags_of_graph(const WalkerConfig& config, const Resources& resources, const NamedTensors& read) {
  if (!config.listen.on) return {};
  std::vector<std::string> names;
  for (graph::RelationId r = 0; r < resources.graph->num_relations(); ++r)
    names.emplace_back(resources.graph->relation_name(r));
  const auto texts = read.find("listener.relation_texts"), shown = read.find("listener.relation_shown");
  if (texts != read.end() && shown != read.end()) {
    RelationBags bags = relation_bags(*resources.pieces, names, true);
    bags.texts = texts->second;
    bags.examples = shown->second;
    return bags;
  }
  std::vector<std::string> examples;
  if (resources.phrases) examples = relation_examples(*resources.graph, kExamples);
  return relation_bags(*resources.pieces, names, true, resources.phrases.get(), examples);
}

}  // namespace

WalkerNetImpl::WalkerNetImpl(const WalkerConfig& config, const GraphTables& tables, const InputSizes& sizes,
                             const RelationBags& relations) {
  metapath = register_module("metapath", MetaPathTables(config.metapath, tables));
  network = register_module("network", make_network(config, metapath, sizes));
  scorer = register_module(
      "scorer", CandidateScorer(config.scoring, metapath, network->state_width(), config.max_hops));
  if (!config.listen.on) return;
  starts = register_buffer("starts", torch::zeros({kNumStartFeatures}));
  listener = register_module("listener", Listener(config.listen, relations, config.max_hops));
}

struct NeuralWalker::Batch : Encoded {
  std::vector<Example> examples;
  std::vector<const Example*> pointers;
  std::vector<FeatureContext> contexts;  // empty without features
  std::vector<GoalContext> goals;        // empty when no example has a goal, or none is compared
  std::unique_ptr<WalkState> state;
  Listening listening;
};

NeuralWalker::NeuralWalker(const WalkerConfig& config, Resources resources, const NamedTensors& read)
    : config_(config),
      resources_(std::move(resources)),
      inputs_(config, *resources_.graph, *resources_.text, resources_.vocabulary.get(),
              resources_.pieces.get(), resources_.phrases.get()),
      net_(config, resources_.tables,
           InputSizes{resources_.text->width(), resources_.text->max_tokens(), resources_.vocabulary->size(),
                      resources_.text->encoder()},
           bags_of_graph(config, resources_, read)) {
  net_->eval();
}

std::string NeuralWalker::describe() const {
  std::int64_t count = 0;
  for (const Tensor& p : net_->parameters()) count += p.numel();
  return std::string(config_.model.name()) + ", " + with_commas(count) + " trained weights";
}

torch::Device NeuralWalker::device() const { return net_->metapath->special.device(); }

CandidateTensors NeuralWalker::candidates(std::span<const graph::EntityId> entities,
                                          std::span<const std::int32_t> hops,
                                          std::span<const FeatureContext* const> contexts,
                                          std::span<const GoalContext* const> goals) const {
  const Candidates found = candidates_of(*resources_.graph, entities);
  CandidateTensors c = to_tensors(found, hops, config_.scoring);
  if (config_.scoring.features) {
    c.features = torch::empty({found.size(), kNumFeatures});
    c.state_features = torch::empty({found.num_states(), kNumStateFeatures});
    resources_.features->extract(
        contexts, hops, found, {c.features.data_ptr<float>(), static_cast<std::size_t>(c.features.numel())},
        {c.state_features.data_ptr<float>(), static_cast<std::size_t>(c.state_features.numel())});
  }
  if (!goals.empty()) {
    c.goal_features = torch::empty({found.size(), kNumGoalFeatures});
    c.goal_given = torch::empty({found.num_states()});
    for (std::size_t i = 0; i < goals.size(); ++i)
      c.goal_given.data_ptr<float>()[i] = goals[i]->goal.has_value();
    resources_.goals->extract(
        goals, found, {c.goal_features.data_ptr<float>(), static_cast<std::size_t>(c.goal_features.numel())});
  }
  return c;
}

std::vector<GoalContext> NeuralWalker::goal_contexts(std::span<const Example* const> examples) const {
  std::vector<GoalContext> goals;
  if (!config_.scoring.goal) return goals;
  if (std::none_of(examples.begin(), examples.end(), [](const Example* e) { return e->goal.has_value(); }))
    return goals;
  for (const Example* example : examples) goals.push_back(resources_.goals->context(*example));
  return goals;
}

NeuralWalker::Situations NeuralWalker::Situations::without_goals(std::int64_t no_goal) const {
  Situations result = *this;
  result.inputs.goals = torch::full_like(inputs.goals, no_goal);
  result.candidates.goal_features = Tensor();
  return result;
}

NeuralWalker::Situations NeuralWalker::situations(std::span<const Example* const> examples) const {
  std::vector<graph::EntityId> entities;
  std::vector<FeatureContext> contexts;
  std::vector<const FeatureContext*> context_pointers;
  for (const Example* example : examples) {
    entities.push_back(example->start);
    if (config_.scoring.features) contexts.push_back(resources_.features->context(*example, kNoGroup));
  }
  for (const FeatureContext& context : contexts) context_pointers.push_back(&context);
  const std::vector<GoalContext> goals = goal_contexts(examples);
  std::vector<const GoalContext*> goal_pointers;
  for (const GoalContext& goal : goals) goal_pointers.push_back(&goal);
  const std::vector<std::int32_t> hops(examples.size(), 0);
  return {inputs_.build(examples), candidates(entities, hops, context_pointers, goal_pointers)};
}

NeuralWalker::FirstHop NeuralWalker::first_hop(const Situations& situations) const {
  const Tensor none = torch::zeros({situations.inputs.size(), 0}, torch::kInt64);
  FirstHop hop;
  hop.states = teach(situations.inputs, MetaPathIds{none, none, none}).states.select(1, 0);
  const std::int64_t count = situations.inputs.size();
  const Standing standing{hop.states, torch::arange(count),
                          torch::full({count}, static_cast<std::int64_t>(graph().num_relations()))};
  const bool spoken = config_.listen.on && !situations.inputs.silent.all().item<bool>();
  hop.scores = scores(standing, situations.candidates, spoken ? listen(situations.inputs) : Listening{});
  return hop;
}

NeuralWalker::Listening NeuralWalker::listen(const WalkInputs& inputs) const {
  Listening listening;
  if (!config_.listen.on) return listening;
  listening.relations = net_->listener->graph_relations();
  listening.heard = net_->listener->hear(inputs.said, listening.relations);
  // Where nothing was said, nothing is asked.
  const Tensor asks = ListenerImpl::asks(listening.heard);
  listening.asks = torch::where(on(asks.device(), inputs.silent).unsqueeze(1),
                                on(asks.device(), torch::tensor({kNever, 0.0F})), asks);
  return listening;
}

Decoded NeuralWalker::teach(const WalkInputs& inputs, const MetaPathIds& hops) const {
  return net_->network->teach(inputs.to(device()), hops.to(device()));
}

Tensor NeuralWalker::scores(const Standing& standing, const CandidateTensors& candidates,
                            const Listening& listening) const {
  const CandidateTensors c = candidates.to(standing.states.device());
  const Tensor habit = net_->scorer(standing.states, c);
  if (!listening.on()) return habit;
  const Tensor heard =
      net_->listener->score(listening.heard, listening.relations, standing.owners, c.hops, standing.before);
  return heard_log_probs(habit, heard, listening.asks.index_select(0, on(habit.device(), standing.owners)),
                         c);
}

std::unique_ptr<Encoded> NeuralWalker::encode(std::span<const Example> examples) const {
  const torch::NoGradGuard no_grad;
  auto batch = std::make_unique<Batch>();
  batch->examples.assign(examples.begin(), examples.end());
  for (const Example& example : batch->examples) batch->pointers.push_back(&example);
  if (config_.scoring.features)
    for (const Example& example : batch->examples)
      batch->contexts.push_back(resources_.features->context(example, kNoGroup));
  batch->goals = goal_contexts(batch->pointers);
  if (!examples.empty()) {
    const WalkInputs inputs = inputs_.build(batch->pointers).to(device());
    batch->state = net_->network->start(inputs);
    batch->listening = listen(inputs);
  }
  return batch;
}

// States of paths that all have the same number of hops: [N, D].
Tensor NeuralWalker::states_of(const Batch& batch, std::span<const PartialPath> paths) const {
  // The network wants the paths of one example together, examples in ascending order.
  std::vector<std::int64_t> order(paths.size()), place(paths.size()), owners;
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return paths[static_cast<std::size_t>(a)].example < paths[static_cast<std::size_t>(b)].example;
  });
  std::vector<PartialPath> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.push_back(paths[static_cast<std::size_t>(order[i])]);
    owners.push_back(sorted.back().example);
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  const Tensor owner = int64_tensor(owners, batch.state->first.device());
  const int hops = paths.front().num_hops;
  const Tensor states =
      hops == 0
          ? batch.state->first.index_select(0, owner)
          : net_->network->extend(*batch.state,
                                  InputBuilder::hops(sorted, batch.pointers, hops).to(owner.device()), owner);
  return states.index_select(0, int64_tensor(place, states.device()));
}

CandidateScores NeuralWalker::score(Encoded& encoded, std::span<const PartialPath> states) const {
  const torch::NoGradGuard no_grad;
  const auto& batch = static_cast<const Batch&>(encoded);
  CandidateScores result;
  result.offsets.push_back(0);
  for (std::size_t begin = 0; begin < states.size();) {
    std::size_t end = begin;
    while (end < states.size() && states[end].num_hops == states[begin].num_hops) ++end;
    const auto part = states.subspan(begin, end - begin);
    std::vector<graph::EntityId> entities;
    std::vector<std::int32_t> hops;
    std::vector<const FeatureContext*> contexts;
    std::vector<const GoalContext*> goals;
    std::vector<std::int64_t> owners, before;
    for (const PartialPath& path : part) {
      owners.push_back(path.example);
      before.push_back(path.num_hops > 0 ? path.hops[static_cast<std::size_t>(path.num_hops - 1)].relation
                                         : graph().num_relations());
      const auto example = static_cast<std::size_t>(path.example);
      entities.push_back(entity_of(path, batch.examples[example].start));
      hops.push_back(path.num_hops);
      if (config_.scoring.features) contexts.push_back(&batch.contexts[example]);
      if (!batch.goals.empty()) goals.push_back(&batch.goals[example]);
    }
    const CandidateTensors c = candidates(entities, hops, contexts, goals);
    const Tensor log_probs = on_processor(ragged_log_softmax(
        scores({states_of(batch, part), int64_tensor(owners), int64_tensor(before)}, c, batch.listening),
        c.offsets));
    const float* data = log_probs.data_ptr<float>();
    const std::int64_t base = result.offsets.back();
    result.log_probs.insert(result.log_probs.end(), data, data + log_probs.numel());
    for (std::size_t i = 1; i <= part.size(); ++i)
      result.offsets.push_back(base + c.offsets.data_ptr<std::int64_t>()[i]);
    begin = end;
  }
  return result;
}

std::vector<float> NeuralWalker::length_log_probs(Encoded& encoded) const {
  const torch::NoGradGuard no_grad;
  const auto& batch = static_cast<const Batch&>(encoded);
  if (!batch.state || !batch.state->lengths.defined()) return {};
  const Tensor log_probs = on_processor(torch::log_softmax(batch.state->lengths, 1));  // [B, max_hops]
  std::vector<float> result(batch.examples.size() * kMaxHops, -1e9F);
  for (std::int64_t b = 0; b < log_probs.size(0); ++b)
    for (std::int64_t k = 0; k < log_probs.size(1); ++k)
      result[static_cast<std::size_t>(b * kMaxHops + k)] = log_probs[b][k].item<float>();
  return result;
}

namespace {

// Takes from one example's rows the relations of the whole graph that are likeliest, and the shares of those
// that its start has.
void fill_relations(const graph::KnowledgeGraph& graph, graph::EntityId start, const RowSpans& rows,
                    Hearing& hearing) {
  double all = 0, here = 0;
  const float top = *std::max_element(rows.plain.begin(), rows.plain.end());
  const float top_of_all = *std::max_element(rows.fitted.begin(), rows.fitted.end());
  for (const float score : rows.fitted) all += std::exp(static_cast<double>(score - top_of_all));
  for (const graph::Edge& edge : graph.out_edges(start)) {
    if (!hearing.present.empty() && hearing.present.back().relation == edge.relation) continue;
    hearing.present.push_back(
        {edge.relation, std::exp(static_cast<double>(rows.plain[edge.relation] - top))});
    here += hearing.present.back().probability;
  }
  for (HeardRelation& relation : hearing.present) relation.probability /= here > 0 ? here : 1;
  std::stable_sort(
      hearing.present.begin(), hearing.present.end(),
      [](const HeardRelation& a, const HeardRelation& b) { return a.probability > b.probability; });
  std::vector<graph::RelationId> order(rows.fitted.size());
  std::iota(order.begin(), order.end(), graph::RelationId{0});
  const std::size_t kept = std::min(order.size(), kAskedRelations);
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](graph::RelationId a, graph::RelationId b) { return rows.fitted[a] > rows.fitted[b]; });
  for (std::size_t i = 0; i < kept; ++i)
    hearing.asked.push_back(
        {order[i], std::exp(static_cast<double>(rows.fitted[order[i]] - top_of_all)) / all});
}

}  // namespace

ListenerImpl::Rows NeuralWalker::rows_at(const ListenerImpl::Heard& heard,
                                         const ListenerImpl::Relations& relations,
                                         std::span<const graph::EntityId> starts) const {
  const auto count = static_cast<std::int64_t>(starts.size());
  const std::size_t width = graph().num_relations();
  return net_->listener->rows(heard, relations, torch::arange(count), torch::zeros({count}, torch::kInt64),
                              torch::full({count}, static_cast<std::int64_t>(width)),
                              fits_of(*resources_.company, starts, width));
}

std::vector<Hearing> NeuralWalker::hear(Encoded& encoded) const {
  const torch::NoGradGuard no_grad;
  const auto& batch = static_cast<const Batch&>(encoded);
  std::vector<Hearing> result;
  if (!batch.listening.on()) return result;
  const auto count = static_cast<std::int64_t>(batch.examples.size());
  std::vector<graph::EntityId> starts;
  for (const Example& example : batch.examples) starts.push_back(example.start);
  const ListenerImpl::Rows rows = rows_at(batch.listening.heard, batch.listening.relations, starts);
  const Tensor acts = on_processor(torch::softmax(batch.listening.heard.acts, 1));
  std::vector<float> features;
  for (std::int64_t b = 0; b < count; ++b) {
    Hearing& hearing = result.emplace_back();
    for (int a = 0; a < kNumActs; ++a)
      hearing.acts[static_cast<std::size_t>(a)] = acts.data_ptr<float>()[b * kNumActs + a];
    const RowSpans row(rows, b);
    const graph::EntityId start = starts[static_cast<std::size_t>(b)];
    fill_relations(graph(), start, row, hearing);
    const std::span<const float> acted(acts.data_ptr<float>() + b * kNumActs, kNumActs);
    for (const float feature : absence_features(row, graph(), start, acted)) features.push_back(feature);
  }
  const Tensor missing = on_processor(
      torch::sigmoid(net_->listener->missing(torch::tensor(features).view({count, kNumAbsence}))));
  for (std::int64_t b = 0; b < count; ++b) {
    result[static_cast<std::size_t>(b)].missing = missing[b].item<double>();
    result[static_cast<std::size_t>(b)].missing_from = net_->listener->missing_from();
  }
  return result;
}

RelationHearing NeuralWalker::relation_hearing(Encoded& encoded, std::size_t example) const {
  const auto& batch = static_cast<const Batch&>(encoded);
  if (!batch.listening.on()) return {};
  return [this, &batch, example](int hop, std::span<const graph::RelationId> before) {
    const torch::NoGradGuard no_grad;
    const auto count = static_cast<std::int64_t>(before.size());
    const Tensor scores = on_processor(net_->listener->score(
        batch.listening.heard, batch.listening.relations,
        torch::full({count}, static_cast<std::int64_t>(example), torch::kInt64),
        torch::full({count}, hop, torch::kInt64), int64_tensor({before.begin(), before.end()})));
    std::vector<std::vector<float>> rows;
    const std::int64_t width = scores.size(1);
    for (const float* row = scores.data_ptr<float>(); static_cast<std::int64_t>(rows.size()) < count;
         row += width)
      rows.emplace_back(row, row + width);
    return rows;
  };
}

std::vector<StartCandidate> NeuralWalker::start_candidates(const Example& example) const {
  if (!config_.listen.on) return {};
  const torch::NoGradGuard no_grad;
  const auto everyday = [this](std::string_view text) {
    std::vector<graph::EntityId> named = resources_.names->longest_mentions(
        resources_.names->encode(text), resources_.statistics->common_words());
    if (named.size() > kMostEverydayNames) named.resize(kMostEverydayNames);
    return named;
  };
  std::vector<StartCandidate> candidates = find_starts(example, graph(), *resources_.linker, everyday);
  std::vector<HeardText> said;
  for (const StartCandidate& candidate : candidates)
    said.push_back(resources_.pieces->read(example.context, graph().entity_name(candidate.entity),
                                           config_.listen.utterances, config_.listen.max_words,
                                           candidate.entity));
  if (said.empty()) return candidates;
  const ListenerImpl::Relations relations = net_->listener->graph_relations();
  const ListenerImpl::Heard heard = net_->listener->hear(said_of(said, resources_.phrases.get()), relations);
  std::vector<graph::EntityId> entities;
  for (const StartCandidate& candidate : candidates) entities.push_back(candidate.entity);
  const ListenerImpl::Rows rows = rows_at(heard, relations, entities);
  const Tensor asks = on_processor(ListenerImpl::asks(heard).select(1, 0).exp());
  const Tensor acts = on_processor(torch::softmax(heard.acts, 1));
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    StartCandidate& candidate = candidates[i];
    const auto fit =
        standing_features(RowSpans(rows, static_cast<std::int64_t>(i)), graph(), candidate.entity);
    const float asked = asks.data_ptr<float>()[i];
    float* f = candidate.features.data() + kStaticStartFeatures;
    f[0] = asked * std::max(fit[0], -8.0F);
    f[1] = asked * std::max(fit[1], -8.0F);
    f[2] = asked * fit[2];
    f[3] = asked * candidate.features[0];  // named in the question itself
    f[4] = asked * candidate.features[8];  // end of the last path
    f[5] = asked * std::max(fit[4], -8.0F);
    f[6] = asked * std::max(fit[5], -8.0F);
    f[7] = asked * fit[6];
    f[8] = asked * fit[3];
    f[9] = asked;
    f[10] = acts.data_ptr<float>()[i * kNumActs + static_cast<std::size_t>(Act::kVerify)];
  }
  return candidates;
}

std::vector<ChosenStart> NeuralWalker::choose_start(const Example& example) const {
  const std::vector<StartCandidate> candidates = start_candidates(example);
  const Tensor fitted = candidates.empty() ? Tensor() : on_processor(net_->starts);
  const float* weights = candidates.empty() ? nullptr : fitted.data_ptr<float>();
  std::vector<ChosenStart> starts;
  double top = -1e30, sum = 0;
  for (const StartCandidate& candidate : candidates) {
    double score = 0;
    for (int f = 0; f < kNumStartFeatures; ++f)
      score += static_cast<double>(weights[f]) *
               static_cast<double>(candidate.features[static_cast<std::size_t>(f)]);
    starts.push_back({candidate.entity, score, candidate.features.front() > 0});
    top = std::max(top, score);
  }
  for (const ChosenStart& start : starts) sum += std::exp(start.log_prob - top);
  for (ChosenStart& start : starts) start.log_prob -= top + std::log(sum);
  std::stable_sort(starts.begin(), starts.end(),
                   [](const ChosenStart& a, const ChosenStart& b) { return a.log_prob > b.log_prob; });
  return starts;
}

}  // namespace kgwalk::walker
