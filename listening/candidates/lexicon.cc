#include "listening/candidates/lexicon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "dialogue/linking/name_index.h"
#include "dialogue/linking/spoken_relation.h"
#include "kgwalk/graph_details.h"
#include "listening/words/rank_words.h"
#include "listening/words/relation_words.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr float kFunctionWordWeight = 0.03F;
constexpr std::string_view kSubclassIri = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
constexpr std::string_view kHomeWords[] = {"live", "lives",  "lived",   "living",
                                           "home", "reside", "resides", "based"};

EndKind kind_of_values(graph::ValueKind kind) {
  if (graph::is_time(kind)) return EndKind::kDate;
  return kind == graph::ValueKind::kNumber ? EndKind::kNumber : EndKind::kUnknown;
}

const std::vector<std::string> kProfession = {"profession"};

// What the words of a relation do not say, what it leads to does.
void take_family(RelationWords& relation, const Family* family) {
  if (family == nullptr) return;
  relation.family = family;
  relation.said.insert(family->said.begin(), family->said.end());
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += word;
  return all;
}

bool names_types(const std::vector<std::string>& words) {
  const std::vector<std::string> names[] = {{"type"}, {"is", "a"}, {"instance", "of"}};
  return std::find(std::begin(names), std::end(names), words) != std::end(names);
}

// Relations that only people have.
bool is_of_a_person(const std::vector<std::string>& words) {
  constexpr std::string_view kTelling[] = {"birth",      "gender",     "spouse",
                                           "occupation", "profession", "nationality"};
  const auto says = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (says("surname") || says("firstname") || says("lastname") ||
      ((says("first") || says("last")) && says("name")))
    return true;
  return std::any_of(std::begin(kTelling), std::end(kTelling), says);
}

}  // namespace

Lexicon::Lexicon(const graph::KnowledgeGraph& graph, const graph::TypedValues& values)
    : graph_(graph), values_(values) {
  read_relations();
  read_types();
  read_heads();
  read_professions();
  read_flags();
  add_flag_types();
  add_range_types();
  number_words();
  number_nouns();
}

void Lexicon::number_nouns() {
  nouns_of_.resize(graph_.num_relations());
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const RelationWords& relation = entries_[entry_of_[r]];
    if (relation.family == nullptr) continue;
    for (const std::string& noun : inverse_[r] ? relation.family->nouns : relation.family->head_nouns)
      nouns_of_[r].push_back(
          nouns_.try_emplace(noun, static_cast<std::uint32_t>(nouns_.size())).first->second);
    std::sort(nouns_of_[r].begin(), nouns_of_[r].end());
  }
}

void Lexicon::number_words() {
  std::unordered_map<std::string, std::uint32_t> places;
  const auto numbered = [&](const auto& words) {
    std::vector<std::uint32_t> ids;
    for (const std::string& word : words) {
      const auto [found, added] = places.try_emplace(word, static_cast<std::uint32_t>(vocabulary_.size()));
      if (added) vocabulary_.emplace_back(word), order_words_.push_back(says_order(word));
      ids.push_back(found->second);
    }
    return ids;
  };
  for (RelationWords& entry : entries_) {
    entry.word_ids = numbered(entry.words);
    entry.said_ids = numbered(entry.said);
    if (entry.family == nullptr) continue;
    entry.loose_ids = numbered(entry.family->loose);
    entry.noun_ids = numbered(entry.family->nouns);
  }
  for (TypeWords& type : types_) type.word_ids = numbered(type.words);
}

void Lexicon::read_relations() {
  const RelationId count = graph_.num_relations();
  entry_of_.assign(count, 0);
  inverse_.assign(count, false);
  is_type_.assign(count, false);
  std::map<std::string, int> uses;
  for (RelationId r = 0; r < count; ++r) inverse_[r] = graph_.relation_name(r).starts_with('~');
  for (RelationId r = 0; r < count; ++r) {
    if (inverse_[r]) continue;
    RelationWords entry;
    RelationLabel label = relation_label(graph_.relation_name(r));
    entry.words = std::move(label.words);
    // "series_id" that leads to a series: a key's name, which nobody says.
    if (entry.words.size() > 1 && entry.words.back() == "id" &&
        values_.ends(r).tails == graph::ValueKind::kThing)
      entry.words.pop_back();
    entry.family = family_of(entry.words);
    if (entry.family != nullptr) entry.said = entry.family->said;
    entry.said.insert(label.uncut.begin(), label.uncut.end());
    entry.prepositions = prepositions_of(entry.words, entry.family);
    entry.voices = voices_of(entry.words, entry.family);
    const EndKind by_values = kind_of_values(values_.ends(r).tails);
    entry.tail = by_values != EndKind::kUnknown ? by_values
                 : entry.family != nullptr      ? entry.family->tail
                                                : EndKind::kUnknown;
    for (const std::string& word : std::unordered_set<std::string>(entry.words.begin(), entry.words.end()))
      ++uses[word];
    entry_of_[r] = entry_of_[graph_.inverse(r)] = entries_.size();
    entries_.push_back(std::move(entry));
  }
  for (RelationWords& entry : entries_) {
    float sum = 0;
    for (const std::string& word : entry.words) {
      const float rare = std::log(1 + static_cast<float>(entries_.size()) / static_cast<float>(uses[word]));
      entry.weights.push_back(is_function_word(word) ? kFunctionWordWeight : rare);
      sum += entry.weights.back();
    }
    for (float& weight : entry.weights) weight /= std::max(sum, 1e-6F);
  }
  for (const graph::Edge& edge : graph_.edges())
    if (!inverse_[edge.relation]) ++entries_[entry_of_[edge.relation]].edges;
}

void Lexicon::read_types() {
  const auto given = graph::details(graph_).type_relation();
  for (RelationId r = 0; r < graph_.num_relations(); ++r)
    if (!inverse_[r] && (given ? *given == r : names_types(entries_[entry_of_[r]].words)))
      is_type_[r] = is_type_[graph_.inverse(r)] = true;
  std::map<EntityId, std::vector<EntityId>> members;
  for (EntityId e = 0; e < graph_.num_connected(); ++e)
    for (const graph::Edge& edge : graph_.out_edges(e))
      if (is_type_[edge.relation] && !inverse_[edge.relation]) members[edge.tail].push_back(e);
  add_from_below(members);
  for (auto& [type, entities] : members) {
    // What stands in brackets tells a type from a namesake.
    std::vector<std::string> words = words_of_label(dialogue::plain_name(graph_.entity_name(type)));
    std::sort(entities.begin(), entities.end());
    entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
    for (const EntityId e : entities) types_of_[e].push_back(static_cast<std::uint32_t>(types_.size()));
    types_.push_back({type, std::move(words), std::move(entities)});
  }
  own_types_ = types_.size();
  find_type_of();
}

// "Pokemon type" is what is meant by "type" where there is one such, and not what a thing is; so is a column
// "type".
void Lexicon::find_type_of() {
  for (RelationId r = 0; r < graph_.num_relations(); ++r)
    if (!is_type_[r] && entries_[entry_of_[r]].words == std::vector<std::string>{"type"})
      type_is_said_of_another_ = true;
  if (type_is_said_of_another_) return;
  RelationWords* found = nullptr;
  for (RelationWords& entry : entries_) {
    const bool of_a_type =
        entry.words.size() > 1 && entry.words.back() == "type" &&
        std::any_of(types_.begin(), types_.end(), [&](const TypeWords& type) {
          return std::equal(type.words.begin(), type.words.end(), entry.words.begin(), entry.words.end() - 1);
        });
    if (!of_a_type) continue;
    if (found != nullptr) return;
    found = &entry;
  }
  if (found == nullptr) return;
  found->words = {"type"};
  found->weights = {1};
  type_is_said_of_another_ = true;
}

// What is of a type is of all types above it, as forms have it.
void Lexicon::add_from_below(std::map<EntityId, std::vector<EntityId>>& members) const {
  std::optional<RelationId> up;
  for (RelationId r = 0; r < graph_.num_relations(); ++r)
    if (!inverse_[r] && graph::details(graph_).relation_id(r) == kSubclassIri) up = r;
  if (!up) return;
  std::map<EntityId, std::vector<EntityId>> all = members;
  for (const auto& [type, own] : members) {
    std::set<EntityId> above = {type};
    std::vector<EntityId> open = {type};
    while (!open.empty()) {
      const EntityId at = open.back();
      open.pop_back();
      for (const graph::Edge& edge : graph_.out_edges(at))
        if (edge.relation == *up && above.insert(edge.tail).second) {
          open.push_back(edge.tail);
          std::vector<EntityId>& there = all[edge.tail];
          there.insert(there.end(), own.begin(), own.end());
        }
    }
  }
  members = std::move(all);
}

// What the heads of each relation are, from some of them. A person is asked about by where they live,
// whatever the column with the city is called.
void Lexicon::read_heads() {
  constexpr int kLookedAt = 24;
  std::vector<std::array<int, 8>> votes(entries_.size());
  std::vector<int> looked(entries_.size(), 0);
  std::size_t left = entries_.size();
  for (EntityId e = 0; e < graph_.num_connected() && left > 0; ++e) {
    std::optional<EndKind> kind;
    RelationId last = graph_.num_relations();
    for (const graph::Edge& edge : graph_.out_edges(e)) {
      if (edge.relation == last || inverse_[edge.relation]) continue;
      last = edge.relation;
      const std::size_t entry = entry_of_[last];
      if (looked[entry] == kLookedAt) continue;
      if (!kind) kind = kind_of(e);
      ++votes[entry][static_cast<std::size_t>(*kind)];
      if (++looked[entry] == kLookedAt) --left;
    }
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    RelationWords& entry = entries_[i];
    const auto most = std::max_element(votes[i].begin(), votes[i].end());
    if (2 * *most > looked[i]) entry.head = static_cast<EndKind>(most - votes[i].begin());
    if (is_home(entry))
      for (const std::string_view word : kHomeWords) entry.said.emplace(word);
    // Among people a title is a post: no work has it.
    if (entry.head == EndKind::kPerson && entry.words == std::vector<std::string>{"title"})
      take_family(entry, family_of(kProfession));
  }
}

// The types of people are what they do, unless another relation says that of many.
void Lexicon::read_professions() {
  constexpr std::size_t kFew = 4;  // times as many types as told professions
  const Family* const profession = family_of(kProfession);
  if (profession == nullptr) return;
  std::size_t told = 0;
  for (const RelationWords& entry : entries_)
    if (entry.family == profession) told += entry.edges;
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    RelationWords& entry = entries_[entry_of_[r]];
    if (!tells_types(r) || entry.edges < kFew * told) continue;
    profession_ = profession;
    entry.said.insert(profession->said.begin(), profession->said.end());
    if (entry.head == EndKind::kPerson) entry.family = profession;
  }
}

const Family* Lexicon::profession_of(EntityId entity) const {
  constexpr std::string_view kAnybody[] = {"person", "people", "human", "agent", "thing"};
  if (profession_ == nullptr) return nullptr;
  const std::vector<std::uint32_t>& types = types_of(entity);
  const bool told = std::any_of(types.begin(), types.end(), [&](std::uint32_t type) {
    const std::vector<std::string>& words = types_[type].words;
    return !words.empty() &&
           std::find(std::begin(kAnybody), std::end(kAnybody), words.back()) == std::end(kAnybody);
  });
  return told && kind_of(entity) == EndKind::kPerson ? profession_ : nullptr;
}

// Relations that lead to no more than yes and no.
void Lexicon::read_flags() {
  std::vector<bool> other(entries_.size(), false), no(entries_.size(), false);
  for (const graph::Edge& edge : graph_.edges()) {
    const std::size_t entry = entry_of_[edge.relation];
    if (inverse_[edge.relation] || other[entry] || entries_[entry].yes == edge.tail) continue;
    const std::optional<bool> says = dialogue::yes_or_no(dialogue::plain_name(graph_.entity_name(edge.tail)));
    if (says == true && !entries_[entry].yes)
      entries_[entry].yes = edge.tail;
    else if (says == false)
      no[entry] = true;
    else
      other[entry] = true;
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const bool says_is = entries_[i].words.size() > 1 &&
                         (entries_[i].words.front() == "is" || entries_[i].words.front() == "has");
    if (other[i] || (!no[i] && !says_is)) entries_[i].yes.reset();
  }
}

void Lexicon::add_flag_types() {
  constexpr std::string_view kBeing[] = {"is", "was", "has", "can"};
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const RelationWords& entry = entries_[entry_of_[r]];
    if (inverse_[r] || !entry.yes) continue;
    TypeWords type{.type = *entry.yes, .words = entry.words, .members = {}, .flag = r};
    if (std::find(std::begin(kBeing), std::end(kBeing), type.words.front()) != std::end(kBeing))
      type.words.erase(type.words.begin());
    RelationLabel label = relation_label(graph_.relation_name(r));
    if (label.uncut.size() == 1 && type.words.size() > 1 && joined(type.words) == label.uncut.front())
      type.words = std::move(label.uncut);  // "landlocked", not "land locked"
    for (const graph::Edge& edge : graph_.out_edges(*entry.yes))
      if (edge.relation == graph_.inverse(r)) type.members.push_back(edge.tail);
    std::sort(type.members.begin(), type.members.end());
    if (!type.words.empty()) types_.push_back(std::move(type));
  }
}

bool is_home(const RelationWords& relation) {
  return relation.head == EndKind::kPerson && relation.tail == EndKind::kPlace &&
         relation.family != nullptr && relation.family->head != EndKind::kPerson;
}

EndKind Lexicon::kind_of(EntityId entity) const {
  constexpr std::size_t kLookedAt = 64;
  std::array<int, 8> votes{};
  const auto edges = graph_.out_edges(entity);
  for (std::size_t i = 0; i < edges.size(); i += 1 + edges.size() / kLookedAt) {
    if (is_type_[edges[i].relation]) continue;  // anything has a type
    const RelationWords& relation = entries_[entry_of_[edges[i].relation]];
    if (inverse_[edges[i].relation])
      ++votes[static_cast<std::size_t>(relation.tail)];
    else if (is_of_a_person(relation.words))
      votes[static_cast<std::size_t>(EndKind::kPerson)] += 2;
    else if (relation.family != nullptr)
      ++votes[static_cast<std::size_t>(relation.family->head)];
  }
  votes[static_cast<std::size_t>(EndKind::kUnknown)] = 0;
  const auto best = std::max_element(votes.begin(), votes.end());
  return *best == 0 ? EndKind::kUnknown : static_cast<EndKind>(best - votes.begin());
}

bool Lexicon::is_called(EntityId entity, std::string_view noun) const {
  for (const std::uint32_t type : types_of(entity))
    if (std::find(types_[type].words.begin(), types_[type].words.end(), noun) != types_[type].words.end())
      return true;
  const auto known = nouns_.find(noun);
  if (known == nouns_.end()) return false;
  const auto edges = graph_.out_edges(entity);
  for (auto edge = edges.begin(); edge != edges.end();) {
    const RelationId relation = edge->relation;
    if (std::binary_search(nouns_of_[relation].begin(), nouns_of_[relation].end(), known->second))
      return true;
    edge = std::partition_point(edge, edges.end(),  // a hub has many of one relation
                                [&](const graph::Edge& other) { return other.relation == relation; });
  }
  return false;
}

bool Lexicon::is_told_of_some(std::uint32_t type, const std::vector<EntityId>& set) const {
  constexpr std::size_t kLookedAt = 12;
  const TypeWords& told = types_[type];
  if (told.words.size() != 1) return false;
  std::size_t others = 0, called = 0;
  for (std::size_t i = 0; i < set.size() && others < kLookedAt; i += 1 + set.size() / (4 * kLookedAt)) {
    if (std::binary_search(told.members.begin(), told.members.end(), set[i])) continue;
    ++others;
    // What is said to be something else is that: suppliers are no customers, whatever both have.
    const std::vector<std::uint32_t>& own = types_of(set[i]);
    const bool is_another = !own.empty() && std::none_of(own.begin(), own.end(), [&](std::uint32_t t) {
      return std::find(types_[t].words.begin(), types_[t].words.end(), told.words.front()) !=
             types_[t].words.end();
    });
    called += !is_another && is_called(set[i], told.words.front()) ? 1 : 0;
  }
  return 2 * called > others;
}

bool Lexicon::names_relation(std::span<const std::string> words) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const RelationWords& entry) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(entry.words.begin(), entry.words.end(), word) != entry.words.end();
    });
  });
}

bool Lexicon::is_askable(RelationId relation) const noexcept {
  return !is_type_[relation] && !entries_[entry_of_[relation]].words.empty();
}

bool Lexicon::tells_types(RelationId relation) const noexcept {
  return is_type_[relation] && !inverse_[relation] && !type_is_said_of_another_ &&
         !entries_[entry_of_[relation]].words.empty();
}

bool Lexicon::counts(const ComparedWord& noun) const {
  constexpr float kSame = 0.95F;
  return std::any_of(entries_.begin(), entries_.end(), [&](const RelationWords& entry) {
    return entry.tail == EndKind::kNumber &&
           std::any_of(entry.word_ids.begin(), entry.word_ids.end(),
                       [&](std::uint32_t word) { return likeness(vocabulary_[word], noun) >= kSame; });
  });
}

bool Lexicon::is_general(EntityId entity) const {
  constexpr std::size_t kMany = 20;
  std::size_t alike = 0;
  RelationId last = 0;
  for (const graph::Edge& edge : graph_.out_edges(entity)) {
    if (!inverse_[edge.relation]) continue;
    if (is_type_relation(edge.relation)) return false;
    alike = edge.relation == last ? alike + 1 : 1;
    last = edge.relation;
    if (alike >= kMany) return true;
  }
  return false;
}

bool Lexicon::is_type_relation(RelationId relation) const noexcept { return is_type_[relation]; }

std::vector<RelationId> Lexicon::from_types() const {
  std::vector<RelationId> relations;
  for (RelationId r = 0; r < graph_.num_relations(); ++r)
    if (is_type_[r] && inverse_[r]) relations.push_back(r);
  return relations;
}

const std::vector<std::uint32_t>& Lexicon::types_of(EntityId entity) const noexcept {
  static const std::vector<std::uint32_t> none;
  const auto found = types_of_.find(entity);
  return found == types_of_.end() ? none : found->second;
}

}  // namespace kgwalk::listening
