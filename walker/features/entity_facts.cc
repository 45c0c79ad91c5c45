#include "walker/features/entity_facts.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/text.h"

namespace kgwalk::walker {
namespace {

bool looks_like_number(std::string_view name) {
  bool digit = false;
  for (const char c : name) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80)
      return false;
    digit |= std::isdigit(static_cast<unsigned char>(c)) != 0;
  }
  return digit;
}

// Years about which a graph tells lie around 0 and within about 1 of it, as features do.
constexpr int kMiddleYear = 1950;
constexpr float kYearScale = 50;
constexpr int kFirstYear = 1800, kLastYear = 2099;  // other four digits are likely no year

// Scaled, for "1985"; 0 for anything else.
float year_value(std::string_view name) {
  if (name.size() != 4 ||
      !std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); }))
    return 0;
  const int year = std::stoi(std::string(name));
  return year >= kFirstYear && year <= kLastYear ? static_cast<float>(year - kMiddleYear) / kYearScale : 0;
}

// The same for a date, "1985-07-03".
float year_in(std::string_view name) {
  return name.size() > 4 && name[4] != '-' ? 0 : year_value(name.substr(0, 4));
}

// How well the words of a relation say when a thing came out: 0 best.
int release_rank(std::string_view words) {
  const auto has = [&](std::string_view word) { return words.find(word) != std::string_view::npos; };
  if (has("release") || has("publi") || has("premier")) return 0;
  return has("year") ? 1 : 2;
}

// The relation that says when things came out: nine of ten of its tails are years, and its words say so best;
// of several that with the most facts. None in graphs without years.
std::optional<graph::RelationId> release_relation(const graph::KnowledgeGraph& graph) {
  std::vector<std::size_t> facts(graph.num_relations()), years(graph.num_relations());
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e)
    for (const graph::Edge& edge : graph.out_edges(e)) {
      ++facts[edge.relation];
      years[edge.relation] += year_in(graph.entity_name(edge.tail)) != 0 ? 1 : 0;
    }
  std::optional<graph::RelationId> best;
  const auto key = [&](graph::RelationId r) {
    return std::tuple(release_rank(fold_name(graph.relation_name(r))), ~facts[r]);
  };
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
    const bool tells_years = facts[r] > 0 && 10 * years[r] >= 9 * facts[r];
    if (tells_years && !graph.relation_name(r).starts_with('~') && (!best || key(r) < key(*best))) best = r;
  }
  return best;
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

float log_size(std::size_t size) { return std::log(static_cast<float>(std::max<std::size_t>(size, 1))); }

void note_name(std::string_view name, EntityFacts& facts) {
  facts.year = year_value(name);
  if (looks_like_number(name)) facts.marks |= EntityFacts::kNumber;
  if (name.find('(') != std::string_view::npos) facts.marks |= EntityFacts::kBracket;
  if (ends_in_number_sign(name)) facts.marks |= EntityFacts::kNumberSign;
  if (has_non_latin(name)) facts.marks |= EntityFacts::kNonLatin;
}

void note_counts(graph::EntityId e, const Statistics& s, EntityFacts& facts) {
  const int targets = s.targets(e, kNoGroup), middles = s.middles(e, kNoGroup);
  const int starts = s.starts(e, kNoGroup), messages = s.messages(e, kNoGroup);
  facts.log_targets = log_count(targets);
  facts.log_middles = log_count(middles);
  facts.log_starts = log_count(starts);
  facts.log_messages = log_count(messages);
  facts.target_share = target_share(targets, starts, middles);
  if (targets > 0) facts.marks |= EntityFacts::kTarget;
  if (middles > 0) facts.marks |= EntityFacts::kMiddle;
  if (starts > 0) facts.marks |= EntityFacts::kStart;
  if (messages > 0) facts.marks |= EntityFacts::kNamed;
}

}  // namespace

float log_count(int count) noexcept { return count == 0 ? 0.0F : std::log1p(static_cast<float>(count)); }

float target_share(int targets, int starts, int middles) noexcept {
  return std::log((static_cast<float>(targets) + 0.3F) / (static_cast<float>(starts + middles) + 0.6F));
}

std::vector<EntityFacts> entity_facts(const graph::KnowledgeGraph& graph, const dialogue::NameIndex& names,
                                      const Statistics& statistics) {
  std::vector<EntityFacts> all(graph.num_entities());
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e) {
    EntityFacts& facts = all[e];
    note_name(graph.entity_name(e), facts);
    note_counts(e, statistics, facts);
    const std::span<const dialogue::WordId> words = names.name_words(e);
    facts.words = words.data();
    facts.num_words = static_cast<std::uint32_t>(words.size());
    facts.name_words = log_size(words.size());
    facts.same_names = log_size(names.named_like(e).size());
    for (const dialogue::WordId w : words) facts.name_rarity += statistics.rarity(w);
    facts.degree = log_count(static_cast<int>(graph.out_edges(e).size()));
  }
  const auto release = release_relation(graph);
  if (!release) return all;
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e)
    for (const graph::Edge& edge : graph.out_edges(e))
      if (const float year = edge.relation == *release ? year_in(graph.entity_name(edge.tail)) : 0; year != 0)
        all[e].release_year = year;
  return all;
}

}  // namespace kgwalk::walker
