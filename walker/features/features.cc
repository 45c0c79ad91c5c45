#include "walker/features/features.h"

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"

namespace kgwalk::walker {
namespace {

using enum CandidateFeature::Index;

constexpr std::size_t kMaxNamed = 30;  // named entities whose neighbors are looked at
constexpr std::size_t kAhead =
    8;  // candidates fetched from memory before their turn; twice that, where they lie

// Sets as one bit an id in 1,024: most ids that are not in a set are told by one look.
bool may_hold(const FeatureContext::Filter& filter, std::int64_t id) {
  const auto bit = static_cast<std::size_t>(id) % 1024;
  return ((filter[bit / 64] >> (bit % 64)) & 1U) != 0;
}

void note(FeatureContext::Filter& filter, std::int64_t id) {
  const auto bit = static_cast<std::size_t>(id) % 1024;
  filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

bool holds(std::span<const std::uint64_t> bits, graph::EntityId e) {
  return !bits.empty() && ((bits[e / 64] >> (e % 64)) & 1U) != 0;
}

std::vector<std::uint64_t> either(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::vector<std::uint64_t> bits(a.begin(), a.end());
  bits.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) bits[i] |= b[i];
  return bits;
}

bool adjacent(const graph::KnowledgeGraph& graph, graph::EntityId a, graph::EntityId b) {
  auto near = graph.neighbors(a);
  graph::EntityId other = b;
  if (graph.neighbors(b).size() < near.size()) {
    near = graph.neighbors(b);
    other = a;
  }
  return std::binary_search(near.begin(), near.end(), other);
}

}  // namespace

// Who neighbors an entity that was named or walked through, but for the entity stood on.
struct FeatureExtractor::Near {
  std::vector<std::uint64_t> named, named_last, path;  // bits; empty = none
};

// What the candidates of one state share.
struct FeatureExtractor::Here {
  graph::EntityId entity = 0;
  std::span<const dialogue::WordId> words;  // of its name
  std::vector<std::uint64_t> near;          // bits: near_path or near_named
};

FeatureExtractor::FeatureExtractor(const graph::KnowledgeGraph& graph, const dialogue::NameIndex& names,
                                   const Statistics& statistics)
    : graph_(graph),
      names_(names),
      statistics_(statistics),
      profiles_(graph, kNumTypeFlags),
      facts_(entity_facts(graph, names, statistics)) {
  std::vector<graph::EntityId> tails;
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e) {
    facts_[e].relations = profiles_.flags(e);
    add_edges(graph.out_edges(e), tails);
  }
}

// `edges` of one entity, by relation; `tails`: room to work in.
void FeatureExtractor::add_edges(std::span<const graph::Edge> edges, std::vector<graph::EntityId>& tails) {
  tails.clear();
  for (const graph::Edge& edge : edges) tails.push_back(edge.tail);
  std::sort(tails.begin(), tails.end());
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end].relation == edges[begin].relation) ++end;
    relation_fan_out_.insert(relation_fan_out_.end(), end - begin, std::log(static_cast<float>(end - begin)));
  }
  for (const graph::Edge& edge : edges) {
    const auto [first, last] = std::equal_range(tails.begin(), tails.end(), edge.tail);
    parallel_.push_back(first + 1 == last ? 0.0F : std::log(static_cast<float>(last - first)));
  }
}

FeatureContext FeatureExtractor::context(const Example& example, GroupId group) const {
  FeatureContext c;
  c.group = group;
  c.start = example.start;
  const std::size_t n = example.context.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t back = n - 1 - i;
    const auto bit = static_cast<std::uint8_t>(1U << std::min<std::size_t>(back, 3));
    const std::vector<dialogue::WordId> words = names_.encode(example.context[i].text);
    for (const dialogue::WordId w : words)
      if (w != dialogue::kUnknownWord) c.heard[w].words |= bit;
    for (const graph::EntityId e : names_.mentions(words)) c.named[e] |= bit;
  }
  for (const auto& [word, heard] : c.heard) note(c.heard_filter, word);
  for (const auto& [entity, bits] : c.named) note(c.named_filter, entity);
  note_paths(example, c);
  for (const auto& [entity, value] : c.on_path) note(c.path_filter, entity);
  note_neighborhoods(example, c);
  c.user = example.speaker == graph::Speaker::kUser ? 1 : 0;
  c.no_path = example.path_ends.empty() ? 1 : 0;
  c.paths = static_cast<float>(std::min<std::size_t>(example.path_ends.size(), 5)) / 5;
  c.utterances = static_cast<float>(std::min<std::size_t>(n, 10)) / 10;
  return c;
}

// Entities and hops of earlier paths, nearest paths first.
void FeatureExtractor::note_paths(const Example& example, FeatureContext& c) const {
  const std::size_t num_paths = example.path_ends.size();
  std::unordered_map<graph::EntityId, float> seen;
  for (std::size_t age = 0; age < num_paths; ++age) {
    const std::size_t p = num_paths - 1 - age;
    const float value = 1.0F / (1.0F + 0.5F * static_cast<float>(age));
    for (std::size_t h = p == 0 ? 0 : example.path_ends[p - 1]; h < example.path_ends[p]; ++h) {
      c.walked.emplace_back(example.walked[h], value);
      for (const graph::EntityId e : {example.walked[h].head, example.walked[h].tail})
        if (seen.try_emplace(e, value).second) c.on_path.emplace_back(e, value);
    }
  }
  if (num_paths == 0) return;
  const std::size_t begin = num_paths > 1 ? example.path_ends[num_paths - 2] : 0,
                    end = example.path_ends.back();
  c.previous_start = example.walked[begin].head;
  c.previous_end = example.walked[end - 1].tail;
  if (end - begin > 1) c.previous_middle = example.walked[begin].tail;
  c.previous_profile = profiles_.dense(example.walked[begin].head);
  c.two_hops = end - begin > 1 ? 1 : 0;
  for (std::size_t p = 0; p < num_paths; ++p) {
    const std::size_t from = p == 0 ? 0 : example.path_ends[p - 1];
    c.two_hop_share += example.path_ends[p] - from > 1 ? 1.0F / static_cast<float>(num_paths) : 0;
    if (p + 1 < num_paths && example.walked[from].head == example.walked[end - 1].tail) c.led_back = 1;
  }
}

void FeatureExtractor::note_neighborhoods(const Example& example, FeatureContext& c) const {
  std::vector<graph::EntityId> recent;  // of the last two paths
  for (const auto& [entity, value] : c.on_path)
    if (value > 0.6F) recent.push_back(entity);
  std::vector<graph::EntityId> named;
  for (const auto& [entity, bits] : c.named)
    if (graph_.out_edges(entity).size() > 2 && names_.name_words(entity).size() > 1) named.push_back(entity);
  std::sort(named.begin(), named.end());
  named.resize(std::min(named.size(), kMaxNamed));
  c.near_path = profiles_.neighborhood(recent);
  c.near_named = profiles_.neighborhood(named);
  recent.push_back(example.start);
  for (const graph::EntityId entity : recent)
    for (const graph::EntityId other : names_.named_like(entity))
      if (other != entity) c.like_path.push_back(other);
  std::erase_if(c.like_path, [&](graph::EntityId e) {
    return std::find(recent.begin(), recent.end() - 1, e) != recent.end() - 1;
  });
  std::sort(c.like_path.begin(), c.like_path.end());
  c.start_profile = profiles_.dense(example.start);
}

// Only what was ever counted is looked up; the counts of all groups stand in the facts.
void FeatureExtractor::fill_counts(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                                   float* row) const {
  const Statistics& s = statistics_;
  const EntityFacts& facts = facts_[tail];
  const GroupId g = context.group;
  if (g == kNoGroup) {
    row[kTargets] = facts.log_targets;
    row[kNeverTarget] = !facts.has(EntityFacts::kTarget);
    row[kMiddles] = facts.log_middles;
    row[kStarts] = facts.log_starts;
    row[kMessages] = facts.log_messages;
    row[kNeverNamed] = !facts.has(EntityFacts::kNamed);
    row[kTargetShare] = facts.target_share;
  } else {
    const int targets = facts.has(EntityFacts::kTarget) ? s.targets(tail, g) : 0,
              middles = facts.has(EntityFacts::kMiddle) ? s.middles(tail, g) : 0,
              starts = facts.has(EntityFacts::kStart) ? s.starts(tail, g) : 0,
              messages = facts.has(EntityFacts::kNamed) ? s.messages(tail, g) : 0;
    row[kTargets] = log_count(targets);
    row[kNeverTarget] = targets == 0;
    row[kMiddles] = log_count(middles);
    row[kStarts] = log_count(starts);
    row[kMessages] = log_count(messages);
    row[kNeverNamed] = messages == 0;
    row[kTargetShare] = target_share(targets, starts, middles);
  }
  row[kDegree] = facts.degree;
  if (facts.has(EntityFacts::kTarget) || facts.has(EntityFacts::kMiddle))
    row[kHopWalked] = log_count(s.hops(here, tail, g));
  if (facts.has(EntityFacts::kTarget)) row[kEndWalked] = log_count(s.ends_from(context.start, tail, g));
}

void FeatureExtractor::fill_name(graph::EntityId tail, float* row) const {
  const EntityFacts& facts = facts_[tail];
  row[kNumber] = facts.has(EntityFacts::kNumber);
  row[kYear] = facts.year;
  row[kReleaseYear] = facts.release_year;
  row[kNoReleaseYear] = facts.release_year == 0;
  row[kNameWords] = facts.name_words;
  row[kBracket] = facts.has(EntityFacts::kBracket);
  row[kNumberSign] = facts.has(EntityFacts::kNumberSign);
  row[kSameNames] = facts.same_names;
  row[kNonLatin] = facts.has(EntityFacts::kNonLatin);
  for (std::size_t i = 0; i < kNumTypeFlags; ++i)
    row[kTypeFlags + i] = static_cast<float>((facts.relations >> i) & 1U);
}

void FeatureExtractor::fill_history(const FeatureContext& context, graph::EntityId tail, float* row) const {
  const EntityFacts& facts = facts_[tail];
  std::array<float, 4> heard{};
  for (const dialogue::WordId w : std::span(facts.words, facts.num_words)) {
    if (!may_hold(context.heard_filter, w)) continue;
    const auto it = context.heard.find(w);
    if (it == context.heard.end()) continue;
    for (std::size_t k = 0; k < 4; ++k)
      if ((it->second.words >> k) & 1U) heard[k] += statistics_.rarity(w);
  }
  if (std::any_of(heard.begin(), heard.end(), [](float h) { return h != 0; })) {
    const float whole = std::max(facts.name_rarity, 1e-6F);
    row[kOverlap1] = heard[0] / whole;
    row[kOverlap2] = heard[1] / whole;
    row[kOverlap3] = heard[2] / whole;
    row[kOverlapEarlier] = heard[3] / whole;
    row[kHalfNamed] = std::max({heard[0], heard[1], heard[2]}) >= 0.5F * whole;
  }
  const auto named = may_hold(context.named_filter, tail) ? context.named.find(tail) : context.named.end();
  const unsigned bits = named == context.named.end() ? 0 : named->second;
  row[kNamed1] = static_cast<float>(bits & 1U);
  row[kNamed2] = static_cast<float>((bits >> 1) & 1U);
  row[kNamed3] = static_cast<float>((bits >> 2) & 1U);
  row[kNamedEarlier] = static_cast<float>((bits >> 3) & 1U);
  row[kNamedAnywhere] = bits != 0;
  row[kIsStart] = context.start == tail;
}

void FeatureExtractor::fill_path(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                                 float* row) const {
  if (!may_hold(context.path_filter, tail)) return;
  for (const auto& [entity, value] : context.on_path)
    if (entity == tail) row[kOnPath] = value;
  row[kPreviousStart] = context.previous_start == static_cast<std::int64_t>(tail);
  row[kPreviousMiddle] = context.previous_middle == static_cast<std::int64_t>(tail);
  row[kPreviousEnd] = context.previous_end == static_cast<std::int64_t>(tail);
  for (auto it = context.walked.rbegin(); it != context.walked.rend();
       ++it) {  // the nearest paths come last and stay
    if (it->first.head == here && it->first.tail == tail) row[kWalkedBefore] = it->second;
    if (it->first.head == tail && it->first.tail == here) row[kWalkedBack] = it->second;
  }
}

FeatureExtractor::Near FeatureExtractor::near(const FeatureContext& context, graph::EntityId here) const {
  std::vector<graph::EntityId> named, named_last, path;
  for (const auto& [entity, bits] : context.named) {
    if (entity == here) continue;
    named.push_back(entity);
    if ((bits & 1U) != 0) named_last.push_back(entity);
  }
  for (const auto& [entity, value] : context.on_path)
    if (entity != here) path.push_back(entity);
  return {profiles_.neighborhood(named), profiles_.neighborhood(named_last), profiles_.neighborhood(path)};
}

void FeatureExtractor::fill_neighbors(const FeatureContext& context, const Near& near, graph::EntityId here,
                                      graph::EntityId tail, float* row) const {
  row[kNeighborNamed] = holds(near.named, tail);
  row[kNeighborNamed1] = holds(near.named_last, tail);
  if (!holds(near.path, tail)) return;
  int count = 0;
  for (const auto& [entity, value] : context.on_path) {  // nearest paths first: the first hit is the largest
    if (entity == here || !adjacent(graph_, tail, entity)) continue;
    if (count++ == 0) row[kNeighborOnPath] = value;
  }
  row[kNeighborsOnPath] = log_count(count);
}

void FeatureExtractor::fill_graph(const FeatureContext& context, const Here& here, graph::EntityId tail,
                                  float* row) const {
  const auto [path, named] =
      profiles_.shared(tail, here.near, {context.near_path, context.near_named}, here.entity);
  if (path != 0) row[kCommonPath] = std::log1p(path);
  if (named != 0) row[kCommonNamed] = std::log1p(named);
  const EntityFacts& facts = facts_[tail];
  float heard = 0;
  for (const dialogue::WordId w : std::span(facts.words, facts.num_words))
    if (std::find(here.words.begin(), here.words.end(), w) != here.words.end())
      heard += statistics_.rarity(w);
  if (heard != 0) row[kOverlapHere] = heard / std::max(facts.name_rarity, 1e-6F);
  row[kNamedLikePath] = std::binary_search(context.like_path.begin(), context.like_path.end(), tail);
  row[kProfilePrevious] = profiles_.cosine(tail, context.previous_profile);
  row[kProfileStart] = profiles_.cosine(tail, context.start_profile);
}

// Hubs lead to entities all over memory: what candidates need of it is asked for before their turn.
void FeatureExtractor::fetch_ahead(std::span<const graph::Edge> edges, std::size_t j) const {
  if (j + 2 * kAhead < edges.size()) {
    const graph::EntityId tail = edges[j + 2 * kAhead].tail;
    __builtin_prefetch(&facts_[tail]);
    profiles_.fetch_places(tail);
  }
  if (j + kAhead >= edges.size()) return;
  const graph::EntityId tail = edges[j + kAhead].tail;
  __builtin_prefetch(facts_[tail].words);
  profiles_.fetch(tail);
}

void FeatureExtractor::extract_state(const FeatureContext& context, int hops, graph::EntityId here,
                                     float* rows) const {
  const auto edges = graph_.out_edges(here);
  const std::size_t first = graph_.first_edge(here);
  const float here_starts = log_count(statistics_.starts(here, context.group));
  const Near near = hops == 0 ? this->near(context, here) : Near{};
  const Here shared{here, names_.name_words(here), either(context.near_path, context.near_named)};
  graph::RelationId last = graph_.num_relations();
  float walked = 0;
  for (std::size_t j = 0; j <= edges.size(); ++j) {
    fetch_ahead(edges, j);
    float* row = rows + j * kNumFeatures;
    std::fill(row, row + kNumFeatures, 0.0F);
    const bool stop = j == edges.size();
    const graph::EntityId tail = stop ? here : edges[j].tail;  // stopping is described by the entity stood on
    row[kStop] = stop;
    fill_counts(context, here, tail, row);
    fill_name(tail, row);
    fill_history(context, tail, row);
    fill_path(context, here, tail, row);
    fill_graph(context, shared, tail, row);
    if (hops == 0) fill_neighbors(context, near, here, tail, row);
    if (!stop) {
      if (edges[j].relation != last) {
        last = edges[j].relation;
        walked = log_count(statistics_.relation_at(here, last, context.group));
      }
      row[kRelationWalked] = walked;
      if (row[kTargets] != 0 || row[kMiddles] != 0)
        row[kHopAnywhere] = log_count(statistics_.relation_to(last, tail, context.group));
      row[kRelationFanOut] = relation_fan_out_[first + j];
      row[kParallel] = parallel_[first + j];
    }
    row[kHereStarts] = here_starts;
    row[kHereDegree] = facts_[here].degree;
  }
}

void FeatureExtractor::extract(std::span<const FeatureContext* const> contexts,
                               std::span<const std::int32_t> hops_taken, const Candidates& candidates,
                               std::span<float> out, std::span<float> state_out) const {
  const std::int64_t n = candidates.num_states();
  if (contexts.size() != static_cast<std::size_t>(n) || hops_taken.size() != static_cast<std::size_t>(n) ||
      out.size() != static_cast<std::size_t>(candidates.size() * kNumFeatures) ||
      state_out.size() != static_cast<std::size_t>(n * kNumStateFeatures))
    throw ShapeError(
        "features: one context and hop count a state, and rows for all candidates and states are needed");
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t i = 0; i < n; ++i) {
    const auto s = static_cast<std::size_t>(i);
    const FeatureContext& c = *contexts[s];
    const auto here = static_cast<graph::EntityId>(candidates.entities[s]);
    extract_state(c, hops_taken[s], here, out.data() + candidates.offsets[s] * kNumFeatures);
    float* state = state_out.data() + i * kNumStateFeatures;
    state[StateFeature::kUserNext] = c.user;
    state[StateFeature::kNoPath] = c.no_path;
    state[StateFeature::kPaths] = c.paths;
    state[StateFeature::kUtterances] = c.utterances;
    state[StateFeature::kFanOut] = std::log(static_cast<float>(graph_.out_edges(here).size() + 1)) / 5;
    state[StateFeature::kHopsTaken] = static_cast<float>(hops_taken[s]);
    state[StateFeature::kTwoHops] = c.two_hops;
    state[StateFeature::kTwoHopShare] = c.two_hop_share;
    state[StateFeature::kLedBack] = c.led_back;
  }
}

}  // namespace kgwalk::walker
