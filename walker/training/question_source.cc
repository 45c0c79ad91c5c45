#include "walker/training/question_source.h"

#include <torch/nn/functional/loss.h>

#include <algorithm>

#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "walker/data/question_turns.h"
#include "walker/network/ragged.h"
#include "walker/network/relation_fits.h"
#include "walker/search/answers.h"
#include "walker/training/answer_marginal.h"

namespace kgwalk::walker {

using dialogue::Asks;
using torch::Tensor;

namespace {

constexpr std::uint64_t kKeptBack = 20;  // one wording in so many chooses the checkpoint

constexpr std::size_t kMostKeptAnswers = 400;  // questions with answers alone that choose the checkpoint
constexpr std::size_t kStarted = 4000;         // questions that the choice of starts is fitted to

// Wordings of two hops are those of their parts: "birthplace/3+director/7".
bool is_kept(const std::string& wording, std::size_t place) {
  if (wording.empty()) return place % kKeptBack == kKeptBack - 1;
  for (std::string_view rest = wording; !rest.empty();) {
    const std::size_t end = std::min(rest.find('+'), rest.size());
    if (std::stoull(checksum_of(rest.substr(0, end)).substr(0, 8), nullptr, 16) % kKeptBack == 0) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// log of the sum of exp(values) [M] of each owner [M] of `count`.
Tensor log_sum_of(const Tensor& values, const Tensor& owners, std::int64_t count) {
  const Tensor top = values.detach().max();
  const Tensor sums = torch::zeros({count}, values.options()).index_add(0, owners, (values - top).exp());
  return (sums + 1e-20).log() + top;
}

constexpr std::int64_t kUnknownAct = -1;

// Where the act of a question is not known, that something is asked is.
Tensor acts_loss(const ListenerImpl::Heard& heard, const std::vector<std::int64_t>& acts) {
  const Tensor known = int64_tensor(acts, heard.acts.device());
  const Tensor unknown = (known == kUnknownAct).to(torch::kFloat32);
  const Tensor right = known.clamp_min(0);
  const Tensor known_loss =
      -torch::log_softmax(heard.acts, 1).gather(1, right.unsqueeze(1)).squeeze(1) * (1 - unknown);
  return (known_loss - ListenerImpl::asks(heard).select(1, 0) * unknown).mean();
}

bool contains(const std::vector<graph::RelationId>& list, graph::RelationId relation) {
  return std::find(list.begin(), list.end(), relation) != list.end();
}

}  // namespace

// Hops of a batch to be learned: where each stands, what it may choose and what is right.
struct QuestionSource::States {
  std::vector<std::int64_t> owners, hops, before;
  std::vector<graph::EntityId> entities;             // stood on; empty without a graph
  std::vector<std::int64_t> present, offsets{0};     // relations that each state has, stopping last; CSR
  std::vector<std::int64_t> right_places, right_of;  // places in `present` that are right, and their state
  std::vector<std::int64_t> asked, asked_of;  // right relations whether present or not, and their state
};

QuestionSource::QuestionSource(std::string name, double weight,
                               const std::vector<dialogue::QuestionTurn>& questions,
                               const Resources& resources, const WalkerConfig& config)
    : name_(std::move(name)), weight_(weight), resources_(resources), config_(config) {
  const bool graph =
      std::any_of(questions.begin(), questions.end(), [](const auto& q) { return !q.start.empty(); });
  if (!graph) {
    std::vector<std::string> names;
    for (const dialogue::QuestionTurn& question : questions)
      for (const auto& hop : question.relations)
        for (const std::string& relation : hop)
          if (own_ids_.emplace(relation, static_cast<graph::RelationId>(names.size())).second)
            names.push_back(relation);
    if (names.empty()) throw ConfigError("questions \"" + name_ + "\": none names a start or a relation");
    own_ = relation_bags(*resources_.pieces, names, false, resources_.phrases.get());
  }
  for (std::size_t i = 0; i < questions.size(); ++i)
    add(questions[i], is_kept(questions[i].wording, i) ? kept_ : train_);
  if (train_.empty()) throw ConfigError("questions \"" + name_ + "\": there is none to learn from");
  if (!on_graph()) return;
  if (!aliases_.empty()) aliases_.read(*resources_.pieces, resources_.phrases.get());
  never_asked_ = torch::ones({static_cast<std::int64_t>(resources.graph->num_relations()) + 1}, torch::kBool);
  bool* never = never_asked_.data_ptr<bool>();
  never[resources.graph->num_relations()] = false;
  for (const HeardQuestion& question : train_)
    for (const auto& hop : question.asked)
      for (const graph::RelationId relation : hop) never[relation] = false;
}

void QuestionSource::add(const dialogue::QuestionTurn& question, std::vector<HeardQuestion>& list) {
  if (static_cast<int>(question.relations.size()) > config_.max_hops) return;
  const bool by_answers = question.relations.empty() && question.asks != Asks::kNothing;
  if (by_answers && (question.start.empty() || question.answers.empty())) return;
  HeardQuestion heard;
  heard.act = act_of(question.asks);
  heard.missing = question.asks == Asks::kMissing;
  if (!question.start.empty() && &list == &train_)
    for (const std::string& words : question.said_as) heard.said_as.push_back(aliases_.add(words));
  if (by_answers && !resources_.graph->find_entity(question.start)) {
    ++left_out_;
    return;
  }
  try {
    resolve(question, heard, list.size());
  } catch (const ConfigError& error) {
    throw ConfigError("questions \"" + name_ + "\", \"" + question.turns.back() + "\": " + error.what());
  }
  if (by_answers && (heard.answers.empty() || (&list == &kept_ && ++kept_answers_ > kMostKeptAnswers)))
    return;
  const std::vector<graph::Chat> chats = chats_of(question.turns);
  heard.said =
      resources_.pieces->read(chats, question.start, config_.listen.utterances, config_.listen.max_words,
                              resources_.graph->find_entity(question.start));
  list.push_back(std::move(heard));
  if (&list == &train_ && !question.start.empty() && started_.size() < kStarted)
    started_.push_back(example_of(question, *resources_.graph));
}

// Relations to ids, and the way of a right answer: which one of several is taken depends on the question's
// place.
void QuestionSource::resolve(const dialogue::QuestionTurn& question, HeardQuestion& heard,
                             std::uint64_t place) const {
  const graph::KnowledgeGraph& graph = *resources_.graph;
  for (const auto& hop : question.relations) {
    heard.asked.emplace_back();
    for (const std::string& name : hop) {
      if (!on_graph()) {
        heard.asked.back().push_back(own_ids_.at(name));
      } else {
        heard.asked.back().push_back(relation_named(graph, name));
      }
    }
  }
  if (!on_graph()) return;
  if (question.start.empty()) {
    if (question.asks != Asks::kNothing)
      throw ConfigError("it has no start, and others of its source have one");
    return;
  }
  graph::EntityId here = graph::entity_named(graph, question.start, "start");
  if (heard.asked.empty() && question.asks != Asks::kNothing) {
    heard.at.push_back(here);
    for (const std::string& answer : question.answers)
      if (const auto entity = graph.find_entity(answer)) heard.answers.push_back(*entity);
    std::sort(heard.answers.begin(), heard.answers.end());
    return;
  }
  Random random(place, 7);
  for (std::size_t h = 0; h < heard.asked.size(); ++h) {
    heard.at.push_back(here);
    std::vector<graph::EntityId> next;
    for (const graph::Edge& edge : graph.out_edges(here))
      if (contains(heard.asked[h], edge.relation)) next.push_back(edge.tail);
    if (next.empty()) return;  // asked for and not there
    here = next[random.below(next.size())];
  }
  heard.at.push_back(here);
}

ListenerImpl::Relations QuestionSource::relations(ListenerImpl& listener) const {
  return on_graph() ? listener.graph_relations() : listener.read(own_);
}

// Some of the relations that are asked for read by other words.
std::optional<RelationBags> QuestionSource::reworded(const ListenerImpl& listener,
                                                     const std::vector<const HeardQuestion*>& batch,
                                                     Random& random) const {
  if (!on_graph() || aliases_.empty() || config_.listen.reworded == 0 || !config_.listen.relation_words)
    return std::nullopt;
  std::vector<std::int64_t> chosen(resources_.graph->num_relations(), -1);
  for (const HeardQuestion* question : batch) {
    if (question->said_as.empty()) continue;
    const std::int64_t alias = question->said_as[random.below(question->said_as.size())];
    for (const graph::RelationId relation : question->asked.front())
      chosen[relation] = random.uniform() < config_.listen.reworded ? alias : -1;
  }
  return aliases_.in_place(listener.graph_bags(), chosen);
}

Tensor QuestionSource::fits(std::span<const graph::EntityId> entities) const {
  return fits_of(*resources_.company, entities, resources_.graph->num_relations());
}

QuestionSource::States QuestionSource::collect(const std::vector<const HeardQuestion*>& batch,
                                               std::int64_t stop) const {
  States s;
  for (std::size_t b = 0; b < batch.size(); ++b) {
    const HeardQuestion& question = *batch[b];
    const std::size_t hops = question.asked.size();
    if (hops == 0) continue;
    // Without a graph only the first hop is known; where the last one may stop, that is learned too.
    const std::size_t states =
        !on_graph() ? 1 : std::min(question.at.size(), static_cast<std::size_t>(config_.max_hops));
    for (std::size_t h = 0; h < states; ++h) {
      const auto state = static_cast<std::int64_t>(s.owners.size());
      const bool ends = h == hops;
      s.owners.push_back(static_cast<std::int64_t>(b));
      s.hops.push_back(static_cast<std::int64_t>(h));
      s.before.push_back(h == 0 ? stop : question.asked[h - 1].front());
      std::vector<graph::RelationId> right;
      if (!ends) right = question.asked[h];
      for (const graph::RelationId relation : right) {
        s.asked.push_back(relation);
        s.asked_of.push_back(state);
      }
      if (ends) {
        s.asked.push_back(stop);
        s.asked_of.push_back(state);
      }
      if (on_graph()) {
        s.entities.push_back(question.at[h]);
        std::int64_t last = -1;
        for (const graph::Edge& edge : resources_.graph->out_edges(question.at[h])) {
          if (edge.relation == last) continue;
          last = edge.relation;
          if (contains(right, edge.relation)) {
            s.right_places.push_back(static_cast<std::int64_t>(s.present.size()));
            s.right_of.push_back(state);
          }
          s.present.push_back(last);
        }
        if (ends) {
          s.right_places.push_back(static_cast<std::int64_t>(s.present.size()));
          s.right_of.push_back(state);
        }
        s.present.push_back(stop);
      }
      s.offsets.push_back(static_cast<std::int64_t>(s.present.size()));
    }
  }
  return s;
}

Tensor QuestionSource::loss(ListenerImpl& listener, std::int64_t count, Random& random) const {
  std::vector<const HeardQuestion*> batch;
  std::vector<HeardText> said;
  std::vector<std::int64_t> acts;
  for (std::int64_t i = 0; i < count; ++i) {
    batch.push_back(&train_[random.below(train_.size())]);
    said.push_back(batch.back()->said);
    // Nobody says whether a question with answers alone asks for one thing or all of them.
    acts.push_back(batch.back()->answers.empty() ? static_cast<std::int64_t>(batch.back()->act)
                                                 : kUnknownAct);
  }
  const std::optional<RelationBags> other_words = reworded(listener, batch, random);
  const ListenerImpl::Relations relations =
      other_words ? listener.read(*other_words) : this->relations(listener);
  const ListenerImpl::Heard heard = listener.hear(said_of(said, resources_.phrases.get()), relations);
  // What a source without a graph asks for is one thing or several: nobody says.
  Tensor loss = on_graph() ? acts_loss(heard, acts) : -ListenerImpl::asks(heard).select(1, 0).mean();
  if (on_graph()) loss = loss + answers_loss(listener, heard, relations, batch);
  const std::int64_t stop = relations.bags.size();
  const States s = collect(batch, stop);
  const auto states = static_cast<std::int64_t>(s.owners.size());
  if (states == 0) return loss;
  Tensor scores = listener.score(heard, relations, int64_tensor(s.owners), int64_tensor(s.hops),
                                 int64_tensor(s.before));  // [N, R + 1]
  const auto there = [&](const std::vector<std::int64_t>& ids) { return int64_tensor(ids, scores.device()); };
  if (on_graph()) scores = scores.masked_fill(on(scores.device(), never_asked_), -1e4);
  const Tensor all =
      torch::log_softmax(on_graph() ? listener.among_all(scores, fits(s.entities)) : scores, 1);
  const Tensor asked_of = there(s.asked_of);
  const Tensor asked = all.reshape({-1}).index_select(0, asked_of * (stop + 1) + there(s.asked));
  const Tensor among_all = -log_sum_of(asked, asked_of, states).mean();
  if (!on_graph()) return loss + among_all;
  loss = loss + among_all * config_.listen.global_loss;

  const Tensor offsets = int64_tensor(s.offsets);
  const Tensor picked = ragged_pick(scores, int64_tensor(s.present), offsets);
  const Tensor log_probs = ragged_log_softmax(picked, offsets);
  // States that lack what is asked for have nothing right among what is present.
  const Tensor right =
      log_sum_of(log_probs.index_select(0, there(s.right_places)), there(s.right_of), states);
  std::vector<float> has_right(s.owners.size(), 0.0F);
  for (const std::int64_t state : s.right_of) has_right[static_cast<std::size_t>(state)] = 1;
  const Tensor present = on(scores.device(), torch::tensor(has_right));
  return loss - (right * present).sum() / present.sum().clamp_min(1);
}

Tensor QuestionSource::answers_loss(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                    const ListenerImpl::Relations& relations,
                                    const std::vector<const HeardQuestion*>& batch) const {
  std::vector<AnsweredQuestion> answered;
  for (std::size_t b = 0; b < batch.size(); ++b)
    if (!batch[b]->answers.empty())
      answered.push_back({static_cast<std::int64_t>(b), batch[b]->at.front(), batch[b]->answers});
  if (answered.empty()) return torch::zeros({});
  const Tensor loss = answer_loss(listener, heard, relations, *resources_.graph, answered, config_.max_hops);
  return loss * (static_cast<double>(answered.size()) / static_cast<double>(batch.size()));
}

bool QuestionSource::reaches_answer(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                    const ListenerImpl::Relations& relations, std::int64_t row,
                                    const HeardQuestion& question) const {
  const RelationHearing hearing = [&](int hop, std::span<const graph::RelationId> before) {
    const auto count = static_cast<std::int64_t>(before.size());
    const Tensor scores = on_processor(listener.score(
        heard, relations, torch::full({count}, row, torch::kInt64), torch::full({count}, hop, torch::kInt64),
        int64_tensor({before.begin(), before.end()})));
    std::vector<std::vector<float>> rows;
    for (std::int64_t i = 0; i < count; ++i)
      rows.emplace_back(scores.data_ptr<float>() + i * scores.size(1),
                        scores.data_ptr<float>() + (i + 1) * scores.size(1));
    return rows;
  };
  const std::vector<AnsweredEntity> ends = right_answers(
      ways_heard(*resources_.graph, question.at.front(), hearing, {.max_hops = config_.max_hops}), {});
  return !ends.empty() &&
         std::binary_search(question.answers.begin(), question.answers.end(), ends.front().entity);
}

// Sums over the questions kept back, and what absence is fitted to.
struct QuestionSource::Tally {
  std::int64_t judged = 0, first = 0, acts = 0;
  std::vector<float> features, absent;
};

void QuestionSource::judge_acts(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                const ListenerImpl::Relations& relations,
                                const std::vector<const HeardQuestion*>& batch, Tally& tally) const {
  const Tensor act = on_processor(heard.acts.argmax(1));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const auto judged_act = act[row].item<std::int64_t>();
    const bool by_answers = !batch[i]->answers.empty();
    tally.acts += by_answers ? judged_act != static_cast<std::int64_t>(Act::kNothing)
                             : judged_act == static_cast<std::int64_t>(batch[i]->act);
    if (!by_answers) continue;
    ++tally.judged;
    tally.first += reaches_answer(listener, heard, relations, row, *batch[i]) ? 1 : 0;
  }
}

void QuestionSource::judge_relations(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                     const ListenerImpl::Relations& relations,
                                     const std::vector<const HeardQuestion*>& batch, Tally& tally) const {
  const std::int64_t stop = relations.bags.size();
  const States s = collect(batch, stop);
  if (s.owners.empty()) return;
  const Tensor owners = int64_tensor(s.owners), hops = int64_tensor(s.hops), before = int64_tensor(s.before);
  ListenerImpl::Rows rows;
  if (on_graph()) {
    rows = listener.rows(heard, relations, owners, hops, before, fits(s.entities));
  } else {
    rows.plain = on_processor(listener.score(heard, relations, owners, hops, before));
  }
  const float* row = rows.plain.data_ptr<float>();
  const Tensor acts = on_processor(torch::softmax(heard.acts, 1));
  for (std::size_t i = 0; i < s.owners.size(); ++i, row += stop + 1) {
    const HeardQuestion& question = *batch[static_cast<std::size_t>(s.owners[i])];
    if (s.hops[i] != 0) continue;
    if (on_graph()) {
      const RowSpans spans(rows, static_cast<std::int64_t>(i));
      const std::span<const float> acted(acts.data_ptr<float>() + s.owners[i] * kNumActs, kNumActs);
      for (const float f : absence_features(spans, *resources_.graph, question.at.front(), acted))
        tally.features.push_back(f);
      tally.absent.push_back(question.missing ? 1.0F : 0.0F);
    }
    if (question.missing) continue;
    std::int64_t best = 0;
    if (on_graph()) {
      best = *std::max_element(s.present.begin() + s.offsets[i], s.present.begin() + s.offsets[i + 1] - 1,
                               [&](std::int64_t a, std::int64_t b) { return row[a] < row[b]; });
    } else {
      best = std::max_element(row, row + stop) - row;
    }
    ++tally.judged;
    tally.first += contains(question.asked.front(), static_cast<graph::RelationId>(best)) ? 1 : 0;
  }
}

QuestionScore QuestionSource::evaluate(ListenerImpl& listener) const {
  const torch::NoGradGuard no_grad;
  const ListenerImpl::Relations relations = this->relations(listener);
  Tally tally;
  for (std::size_t begin = 0; begin < kept_.size(); begin += 256) {
    std::vector<const HeardQuestion*> batch;
    std::vector<HeardText> said;
    for (std::size_t i = begin; i < std::min(begin + 256, kept_.size()); ++i) {
      batch.push_back(&kept_[i]);
      said.push_back(kept_[i].said);
    }
    const ListenerImpl::Heard heard = listener.hear(said_of(said, resources_.phrases.get()), relations);
    judge_acts(listener, heard, relations, batch, tally);
    judge_relations(listener, heard, relations, batch, tally);
  }
  const auto absent = std::count(tally.absent.begin(), tally.absent.end(), 1.0F);
  if (absent > 0 && absent < static_cast<std::ptrdiff_t>(tally.absent.size()))
    listener.calibrate(torch::tensor(tally.features).view({-1, kNumAbsence}), torch::tensor(tally.absent));
  const auto share = [](std::int64_t part, std::int64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0.0;
  };
  QuestionScore result;
  result.count = static_cast<std::int64_t>(kept_.size());
  result.first = share(tally.first, tally.judged);
  result.act = share(tally.acts, result.count);
  return result;
}

}  // namespace kgwalk::walker
