#include "walker/features.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "runtime/error.h"

namespace kgwalk::walker {
namespace {

enum Feature : std::size_t {
  kStop,
  kTargets,
  kNeverTarget,
  kMiddles,
  kStarts,
  kMessages,
  kNeverNamed,
  kDegree,
  kRelationFanOut,
  kParallel,
  kHopWalked,
  kRelationWalked,
  kEndWalked,
  kNumber,
  kYear,
  kReleaseYear,
  kNoReleaseYear,
  kNameWords,
  kBracket,
  kNumberSign,
  kNamed1,
  kOverlap1,
  kNamed2,
  kOverlap2,
  kNamed3,
  kOverlap3,
  kNamedEarlier,
  kOnPath,
  kPreviousStart,
  kPreviousMiddle,
  kPreviousEnd,
  kIsStart,
  kHalfNamed,
  kNeighbourNamed,
  kNeighbourOnPath,
  kHereStarts,
  kHereDegree,
  kTargetShare,
  kOverlapEarlier,
  kWalkedBefore,
  kWalkedBack,
  kCommonPath,
  kCommonNamed,
  kOverlapHere,
  kSameNames,
  kNonLatin,
  kNamedLikePath,
  kProfilePrevious,
  kProfileStart,
  kHopAnywhere,
  kNeighbourNamed1,
  kNeighboursOnPath,
  kNamedAnywhere,
  kTypeFlags
};
static_assert(kTypeFlags == kFeatureNames.size());

constexpr std::size_t kMaxNamed = 30;  // named entities whose neighbours are looked at

float log1p_of(int count) { return std::log1p(static_cast<float>(count)); }

bool looks_like_number(std::string_view name) {
  bool digit = false;
  for (const char c : name) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80)
      return false;
    digit |= std::isdigit(static_cast<unsigned char>(c)) != 0;
  }
  return digit;
}

// (year - 1950) / 50 for "1985"; 0 for anything else.
float year_value(std::string_view name) {
  if (name.size() != 4 ||
      !std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }))
    return 0;
  const int year = std::stoi(std::string(name));
  return year >= 1800 && year < 2100 ? static_cast<float>(year - 1950) / 50.0F : 0;
}

bool ends_in_number_sign(std::string_view name) {
  std::size_t i = name.size();
  while (i > 0 && std::isdigit(static_cast<unsigned char>(name[i - 1])) != 0) --i;
  return i < name.size() && i > 0 && name[i - 1] == '#';
}

// A letter beyond Latin scripts.
bool has_non_latin(std::string_view name) {
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    const auto lead = static_cast<unsigned char>(name[i]);
    if (lead >= 0xe0) return true;  // U+0800 and above
    if (lead >= 0xc9 && (lead != 0xc9 || static_cast<unsigned char>(name[i + 1]) >= 0x90))
      return true;  // U+0250 on
  }
  return false;
}

bool adjacent(const graph::KnowledgeGraph& graph, graph::EntityId a, graph::EntityId b) {
  auto near = graph.neighbours(a);
  graph::EntityId other = b;
  if (graph.neighbours(b).size() < near.size()) {
    near = graph.neighbours(b);
    other = a;
  }
  return std::binary_search(near.begin(), near.end(), other);
}

}  // namespace

FeatureExtractor::FeatureExtractor(const graph::KnowledgeGraph& graph, const NameIndex& names,
                                   const Statistics& statistics)
    : graph_(graph), names_(names), statistics_(statistics), profiles_(graph, kNumTypeFlags) {
  const std::size_t n = graph.num_entities();
  release_year_.assign(n, 0);
  const auto release = graph.find_relation("release_year");
  for (graph::EntityId e = 0; e < n; ++e) {
    const std::string_view name = graph.entity_name(e);
    year_.push_back(year_value(name));
    is_number_.push_back(looks_like_number(name) ? 1 : 0);
    has_bracket_.push_back(name.find('(') != std::string_view::npos ? 1 : 0);
    has_number_sign_.push_back(ends_in_number_sign(name) ? 1 : 0);
    non_latin_.push_back(has_non_latin(name) ? 1 : 0);
    same_names_.push_back(std::log(static_cast<float>(std::max<std::size_t>(names.named_like(e).size(), 1))));
    float rarity = 0;
    for (const WordId w : names.name_words(e)) rarity += statistics.rarity(w);
    name_rarity_.push_back(rarity);
    degree_.push_back(log1p_of(static_cast<int>(graph.out_edges(e).size())));
  }
  for (graph::EntityId e = 0; e < n; ++e) {
    const auto edges = graph.out_edges(e);
    std::unordered_map<graph::RelationId, int> by_relation;
    std::unordered_map<graph::EntityId, int> by_tail;
    for (const graph::Edge& edge : edges) {
      ++by_relation[edge.relation];
      ++by_tail[edge.tail];
      if (release && edge.relation == *release && year_[edge.tail] != 0) release_year_[e] = year_[edge.tail];
    }
    for (const graph::Edge& edge : edges) {
      relation_fan_out_.push_back(std::log(static_cast<float>(by_relation[edge.relation])));
      parallel_.push_back(std::log(static_cast<float>(by_tail[edge.tail])));
    }
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
    const std::vector<WordId> words = names_.encode(example.context[i].text);
    for (const WordId w : words)
      if (w != kUnknownWord) c.heard[w].words |= bit;
    for (const graph::EntityId e : names_.mentions(words)) c.named[e] |= bit;
  }
  note_paths(example, c);
  note_neighbourhoods(example, c);
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

void FeatureExtractor::note_neighbourhoods(const Example& example, FeatureContext& c) const {
  std::vector<graph::EntityId> recent;  // of the last two paths
  for (const auto& [entity, value] : c.on_path)
    if (value > 0.6F) recent.push_back(entity);
  std::vector<graph::EntityId> named;
  for (const auto& [entity, bits] : c.named)
    if (graph_.out_edges(entity).size() > 2 && names_.name_words(entity).size() > 1) named.push_back(entity);
  std::sort(named.begin(), named.end());
  named.resize(std::min(named.size(), kMaxNamed));
  c.near_path = profiles_.neighbourhood(recent);
  c.near_named = profiles_.neighbourhood(named);
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

void FeatureExtractor::fill_counts(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                                   float* row) const {
  const Statistics& s = statistics_;
  const GroupId g = context.group;
  const int targets = s.targets(tail, g), middles = s.middles(tail, g), starts = s.starts(tail, g);
  const int messages = s.messages(tail, g);
  row[kTargets] = log1p_of(targets);
  row[kNeverTarget] = targets == 0;
  row[kMiddles] = log1p_of(middles);
  row[kStarts] = log1p_of(starts);
  row[kMessages] = log1p_of(messages);
  row[kNeverNamed] = messages == 0;
  row[kDegree] = degree_[tail];
  row[kHopWalked] = log1p_of(s.hops(here, tail, g));
  row[kEndWalked] = log1p_of(s.ends_from(context.start, tail, g));
  row[kTargetShare] =
      std::log((static_cast<float>(targets) + 0.3F) / (static_cast<float>(starts + middles) + 0.6F));
}

void FeatureExtractor::fill_name(graph::EntityId tail, float* row) const {
  row[kNumber] = is_number_[tail];
  row[kYear] = year_[tail];
  row[kReleaseYear] = release_year_[tail];
  row[kNoReleaseYear] = release_year_[tail] == 0;
  row[kNameWords] = std::log(static_cast<float>(std::max<std::size_t>(names_.name_words(tail).size(), 1)));
  row[kBracket] = has_bracket_[tail];
  row[kNumberSign] = has_number_sign_[tail];
  row[kSameNames] = same_names_[tail];
  row[kNonLatin] = non_latin_[tail];
  const std::uint32_t flags = profiles_.flags(tail);
  for (std::size_t i = 0; i < kNumTypeFlags; ++i) row[kTypeFlags + i] = static_cast<float>((flags >> i) & 1U);
}

void FeatureExtractor::fill_history(const FeatureContext& context, graph::EntityId tail, float* row) const {
  std::array<float, 4> heard{};
  for (const WordId w : names_.name_words(tail)) {
    const auto it = context.heard.find(w);
    if (it == context.heard.end()) continue;
    for (std::size_t k = 0; k < 4; ++k)
      if ((it->second.words >> k) & 1U) heard[k] += statistics_.rarity(w);
  }
  const float whole = std::max(name_rarity_[tail], 1e-6F);
  row[kOverlap1] = heard[0] / whole;
  row[kOverlap2] = heard[1] / whole;
  row[kOverlap3] = heard[2] / whole;
  row[kOverlapEarlier] = heard[3] / whole;
  row[kHalfNamed] = std::max({heard[0], heard[1], heard[2]}) >= 0.5F * whole;
  const auto named = context.named.find(tail);
  const unsigned bits = named == context.named.end() ? 0 : named->second;
  row[kNamed1] = static_cast<float>(bits & 1U);
  row[kNamed2] = static_cast<float>((bits >> 1) & 1U);
  row[kNamed3] = static_cast<float>((bits >> 2) & 1U);
  row[kNamedEarlier] = static_cast<float>((bits >> 3) & 1U);
  row[kNamedAnywhere] = bits != 0;
  for (const auto& [entity, value] : context.on_path)
    if (entity == tail) row[kOnPath] = value;
  row[kPreviousStart] = context.previous_start == static_cast<std::int64_t>(tail);
  row[kPreviousMiddle] = context.previous_middle == static_cast<std::int64_t>(tail);
  row[kPreviousEnd] = context.previous_end == static_cast<std::int64_t>(tail);
  row[kIsStart] = context.start == tail;
}

void FeatureExtractor::fill_neighbours(const FeatureContext& context, graph::EntityId here,
                                       graph::EntityId tail, float* row) const {
  for (const auto& [entity, bits] : context.named) {
    if (entity != here && adjacent(graph_, tail, entity)) {
      row[kNeighbourNamed] = 1;
      if ((bits & 1U) != 0) row[kNeighbourNamed1] = 1;
    }
  }
  int count = 0;
  for (const auto& [entity, value] : context.on_path)
    count += entity != here && adjacent(graph_, tail, entity);
  row[kNeighboursOnPath] = log1p_of(count);
  for (const auto& [entity, value] : context.on_path) {  // nearest paths first: the first hit is the largest
    if (entity != here && adjacent(graph_, tail, entity)) {
      row[kNeighbourOnPath] = value;
      break;
    }
  }
}

void FeatureExtractor::fill_graph(const FeatureContext& context, graph::EntityId here, graph::EntityId tail,
                                  float* row) const {
  for (auto it = context.walked.rbegin(); it != context.walked.rend();
       ++it) {  // the nearest paths come last and stay
    if (it->first.head == here && it->first.tail == tail) row[kWalkedBefore] = it->second;
    if (it->first.head == tail && it->first.tail == here) row[kWalkedBack] = it->second;
  }
  row[kCommonPath] = std::log1p(profiles_.shared(tail, context.near_path, here));
  row[kCommonNamed] = std::log1p(profiles_.shared(tail, context.near_named, here));
  float heard = 0;
  const auto here_words = names_.name_words(here);
  for (const WordId w : names_.name_words(tail))
    if (std::find(here_words.begin(), here_words.end(), w) != here_words.end())
      heard += statistics_.rarity(w);
  row[kOverlapHere] = heard / std::max(name_rarity_[tail], 1e-6F);
  row[kNamedLikePath] = std::binary_search(context.like_path.begin(), context.like_path.end(), tail);
  row[kProfilePrevious] = profiles_.cosine(tail, context.previous_profile);
  row[kProfileStart] = profiles_.cosine(tail, context.start_profile);
}

void FeatureExtractor::extract_state(const FeatureContext& context, int hops, graph::EntityId here,
                                     float* rows) const {
  const auto edges = graph_.out_edges(here);
  const std::size_t first = graph_.offsets()[here];
  const float here_starts = log1p_of(statistics_.starts(here, context.group));
  graph::RelationId last = graph_.num_relations();
  float walked = 0;
  for (std::size_t j = 0; j <= edges.size(); ++j) {
    float* row = rows + j * kNumFeatures;
    std::fill(row, row + kNumFeatures, 0.0F);
    const bool stop = j == edges.size();
    const graph::EntityId tail = stop ? here : edges[j].tail;  // stopping is described by the entity stood on
    row[kStop] = stop;
    fill_counts(context, here, tail, row);
    fill_name(tail, row);
    fill_history(context, tail, row);
    fill_graph(context, here, tail, row);
    if (hops == 0) fill_neighbours(context, here, tail, row);
    if (!stop) {
      if (edges[j].relation != last) {
        last = edges[j].relation;
        walked = log1p_of(statistics_.relation_at(here, last, context.group));
      }
      row[kRelationWalked] = walked;
      row[kHopAnywhere] = log1p_of(statistics_.relation_to(last, tail, context.group));
      row[kRelationFanOut] = relation_fan_out_[first + j];
      row[kParallel] = parallel_[first + j];
    }
    row[kHereStarts] = here_starts;
    row[kHereDegree] = degree_[here];
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
    state[0] = c.user;
    state[1] = c.no_path;
    state[2] = c.paths;
    state[3] = c.utterances;
    state[4] = std::log(static_cast<float>(graph_.out_edges(here).size() + 1)) / 5;
    state[5] = static_cast<float>(hops_taken[s]);
    state[6] = c.two_hops;
    state[7] = c.two_hop_share;
    state[8] = c.led_back;
  }
}

}  // namespace kgwalk::walker
