#include "walker/training/answer_marginal.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "walker/network/ragged.h"

namespace kgwalk::walker {

using graph::EntityId;
using graph::RelationId;
using torch::Tensor;

namespace {

struct State {
  EntityId entity;
  RelationId before;
  std::int64_t question;
};

// States of one hop, what they may choose, and the steps from them that can still reach an answer.
struct Layer {
  std::vector<State> states;
  std::vector<std::int64_t> present, offsets{0};  // relations of each state, stopping last; CSR
  std::vector<std::int64_t> from, place, to;  // a step: state, place of its relation in `present`, next state
  std::vector<double> share;                  // of the relation's edges that lead to that next state
};

// All layers of a batch. The backward pass over the graph decides what is kept: a state from which no answer
// can be reached in the hops left carries nothing.
class Lattice {
 public:
  Lattice(const graph::KnowledgeGraph& graph, std::span<const AnsweredQuestion> questions, int max_hops)
      : graph_(graph), questions_(questions), max_hops_(max_hops) {
    layers_.resize(static_cast<std::size_t>(max_hops) + 1);
    for (std::size_t q = 0; q < questions.size(); ++q) build(static_cast<std::int64_t>(q));
  }

  const Layer& layer(int hop) const { return layers_[static_cast<std::size_t>(hop)]; }
  [[nodiscard]] std::vector<std::int64_t> answered(int hop) const {  // states of the hop that are answers
    std::vector<std::int64_t> found;
    const Layer& at = layer(hop);
    for (std::size_t i = 0; i < at.states.size(); ++i)
      if (is_answer(at.states[i].question, at.states[i].entity))
        found.push_back(static_cast<std::int64_t>(i));
    return found;
  }

 private:
  struct Step {
    std::size_t from;
    RelationId relation;
    std::uint64_t to;
    double share;
  };
  struct Grown {
    std::vector<State> states;
    std::vector<Step> steps;
  };

  void build(std::int64_t q) {
    std::vector<Grown> grown(static_cast<std::size_t>(max_hops_) + 1);
    grown[0].states.push_back({questions_[static_cast<std::size_t>(q)].start, graph_.num_relations(), q});
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> ids(grown.size());
    for (int h = 0; h < max_hops_; ++h) grow(h, grown, ids, q);
    std::vector<std::vector<char>> useful(grown.size());
    for (std::size_t h = grown.size(); h-- > 0;) {
      useful[h].assign(grown[h].states.size(), 0);
      for (std::size_t i = 0; i < useful[h].size(); ++i)
        useful[h][i] = h > 0 && is_answer(q, grown[h].states[i].entity) ? 1 : 0;
      if (h + 1 == grown.size()) continue;
      for (const Step& step : grown[h].steps)
        if (useful[h + 1][ids[h + 1].at(step.to)] != 0) useful[h][step.from] = 1;
    }
    keep(grown, ids, useful);
  }

  void grow(int h, std::vector<Grown>& grown,
            std::vector<std::unordered_map<std::uint64_t, std::size_t>>& ids, std::int64_t q) const {
    const bool last = h + 1 == max_hops_;
    const EntityId start = questions_[static_cast<std::size_t>(q)].start;
    Grown& here = grown[static_cast<std::size_t>(h)];
    Grown& next = grown[static_cast<std::size_t>(h) + 1];
    auto& next_ids = ids[static_cast<std::size_t>(h) + 1];
    for (std::size_t i = 0; i < here.states.size(); ++i) {
      const auto edges = graph_.out_edges(here.states[i].entity);
      for (std::size_t begin = 0; begin < edges.size();) {
        std::size_t end = begin, onward = 0;
        for (; end < edges.size() && edges[end].relation == edges[begin].relation; ++end)
          onward += edges[end].tail != start ? 1 : 0;
        const std::size_t first = std::exchange(begin, end);
        if (onward > kWidestStep && !last) continue;
        for (std::size_t e = first; e < end; ++e) {
          const graph::Edge& edge = edges[e];
          if (edge.tail == start || (last && !is_answer(q, edge.tail))) continue;
          const std::uint64_t key = (static_cast<std::uint64_t>(edge.tail) << 32) | edge.relation;
          if (next_ids.emplace(key, next.states.size()).second)
            next.states.push_back({edge.tail, edge.relation, q});
          here.steps.push_back({i, edge.relation, key, 1.0 / static_cast<double>(onward)});
        }
      }
    }
  }

  void keep(const std::vector<Grown>& grown,
            const std::vector<std::unordered_map<std::uint64_t, std::size_t>>& ids,
            const std::vector<std::vector<char>>& useful) {
    std::vector<std::int64_t> next_places;
    for (std::size_t h = grown.size(); h-- > 0;) {
      Layer& layer = layers_[h];
      std::vector<std::int64_t> places(grown[h].states.size(), -1);
      std::vector<std::int64_t> firsts(grown[h].states.size(), 0);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (useful[h][i] == 0) continue;
        places[i] = static_cast<std::int64_t>(layer.states.size());
        firsts[i] = static_cast<std::int64_t>(layer.present.size());
        layer.states.push_back(grown[h].states[i]);
        add_present(layer);
      }
      for (const Step& step : grown[h].steps) {
        const std::int64_t from = places[step.from];
        const std::int64_t to = next_places[ids[h + 1].at(step.to)];
        if (from < 0 || to < 0) continue;
        const std::int64_t* begin = layer.present.data() + firsts[step.from];
        const std::int64_t* end = layer.present.data() + layer.offsets[static_cast<std::size_t>(from) + 1];
        layer.from.push_back(from);
        layer.place.push_back(std::lower_bound(begin, end - 1, static_cast<std::int64_t>(step.relation)) -
                              layer.present.data());
        layer.to.push_back(to);
        layer.share.push_back(step.share);
      }
      next_places = std::move(places);
    }
  }

  // Relations of the state added last: those with an edge that does not lead back to the start.
  void add_present(Layer& layer) const {
    const State& state = layer.states.back();
    const EntityId start = questions_[static_cast<std::size_t>(state.question)].start;
    std::int64_t last = -1;
    for (const graph::Edge& edge : graph_.out_edges(state.entity)) {
      if (edge.relation == last || edge.tail == start) continue;
      last = edge.relation;
      layer.present.push_back(last);
    }
    layer.present.push_back(graph_.num_relations());
    layer.offsets.push_back(static_cast<std::int64_t>(layer.present.size()));
  }

  bool is_answer(std::int64_t q, EntityId entity) const {
    const auto& answers = questions_[static_cast<std::size_t>(q)].answers;
    return std::binary_search(answers.begin(), answers.end(), entity);
  }

  const graph::KnowledgeGraph& graph_;
  std::span<const AnsweredQuestion> questions_;
  const int max_hops_;
  std::vector<Layer> layers_;
};

// log-probabilities of what each state of a layer may choose. Rows of scores are shared by the states of a
// question that came by one relation.
Tensor choices(ListenerImpl& listener, const ListenerImpl::Heard& heard,
               const ListenerImpl::Relations& relations, std::span<const AnsweredQuestion> questions,
               const Layer& layer, int hop) {
  std::vector<std::int64_t> owners, before, rows;
  std::unordered_map<std::uint64_t, std::int64_t> known;
  for (const State& state : layer.states) {
    const std::uint64_t key = (static_cast<std::uint64_t>(state.question) << 32) | state.before;
    const auto [place, added] = known.emplace(key, static_cast<std::int64_t>(owners.size()));
    if (added) {
      owners.push_back(questions[static_cast<std::size_t>(state.question)].owner);
      before.push_back(state.before);
    }
    rows.push_back(place->second);
  }
  const auto count = static_cast<std::int64_t>(owners.size());
  const Tensor scores = listener.score(heard, relations, int64_tensor(owners),
                                       torch::full({count}, hop, torch::kInt64), int64_tensor(before));
  Tensor log_probs = scores;
  if (hop == 0)
    log_probs = torch::constant_pad_nd(scores.slice(1, 0, -1), {0, 1}, -1e4);  // nobody stops at the start
  log_probs = torch::log_softmax(log_probs, 1);
  const Tensor places = ragged_repeat(int64_tensor(rows), int64_tensor(layer.offsets)) * scores.size(1) +
                        int64_tensor(layer.present);
  return log_probs.reshape({-1}).index_select(0, on(log_probs.device(), places));
}

}  // namespace

Tensor answer_loss(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                   const ListenerImpl::Relations& relations, const graph::KnowledgeGraph& graph,
                   std::span<const AnsweredQuestion> questions, int max_hops) {
  const Lattice lattice(graph, questions, max_hops);
  const auto count = static_cast<std::int64_t>(questions.size());
  const auto doubles = heard.queries.options().dtype(torch::kFloat64);
  const auto there = [&](const std::vector<std::int64_t>& ids) {
    return int64_tensor(ids, doubles.device());
  };
  const auto there_of = [&](const std::vector<double>& numbers) {
    return on(doubles.device(), torch::tensor(at::ArrayRef<double>(numbers), torch::kFloat64));
  };
  Tensor right = torch::zeros({count}, doubles);
  Tensor mass = torch::ones({static_cast<std::int64_t>(lattice.layer(0).states.size())}, doubles);
  for (int hop = 0; hop <= max_hops; ++hop) {
    const Layer& layer = lattice.layer(hop);
    if (layer.states.empty()) break;
    Tensor chosen;
    if (hop < max_hops)
      chosen = choices(listener, heard, relations, questions, layer, hop).to(torch::kFloat64).exp();
    const std::vector<std::int64_t> ends = lattice.answered(hop);
    if (hop > 0 && !ends.empty()) {
      std::vector<std::int64_t> owners, stops;
      for (const std::int64_t i : ends) {
        owners.push_back(layer.states[static_cast<std::size_t>(i)].question);
        stops.push_back(layer.offsets[static_cast<std::size_t>(i) + 1] - 1);
      }
      Tensor ended = mass.index_select(0, there(ends));
      if (hop < max_hops) ended = ended * chosen.index_select(0, there(stops));
      right = right.index_add(0, there(owners), ended);
    }
    if (hop == max_hops || layer.from.empty()) break;
    const Tensor moved = mass.index_select(0, there(layer.from)) *
                         chosen.index_select(0, there(layer.place)) * there_of(layer.share);
    mass = torch::zeros({static_cast<std::int64_t>(lattice.layer(hop + 1).states.size())}, doubles)
               .index_add(0, there(layer.to), moved);
  }
  std::vector<double> reachable(static_cast<std::size_t>(count), 0);
  for (const State& state : lattice.layer(0).states) reachable[static_cast<std::size_t>(state.question)] = 1;
  const Tensor counts = there_of(reachable);
  const Tensor losses = -(right + 1e-30).log() * counts;
  return (losses.sum() / counts.sum().clamp_min(1)).to(torch::kFloat32);
}

}  // namespace kgwalk::walker
