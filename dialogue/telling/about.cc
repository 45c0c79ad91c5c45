#include "dialogue/telling/about.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "dialogue/questions/wording_text.h"
#include "dialogue/telling/fact_speaker.h"
#include "dialogue/telling/names.h"
#include "forms/rows.h"
#include "forms/text/relation_phrases.h"
#include "graph/values/relation_words.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::RelationId;
using graph::Triple;

constexpr std::size_t kMostEnds = 3;  // of one relation so many are named

// What describes, what tells a kind, what it has to do with others, numbers, and by which codes others know
// it.
enum class Rank { kText, kKind, kFact, kNumber, kCode };

bool is_text(const graph::KnowledgeGraph& graph, EntityId entity) {
  const std::string_view id = graph::details(graph).id(entity);
  if (!id.starts_with('"')) return graph.entity_name(entity).size() > kLongestText;
  return graph::value_of_literal(id).kind == graph::ValueKind::kText;
}

bool tells_kind(const graph::KnowledgeGraph& graph, RelationId relation) {
  static constexpr std::array<std::string_view, 7> kKinds{
      "is a", "is-a", "type", "instance of", "category", "occupation", "profession"};
  if (graph::details(graph).type_relation() == relation) return true;
  const std::string key = relation_key(graph.relation_name(relation));
  return std::any_of(kKinds.begin(), kKinds.end(),
                     [&](std::string_view kind) { return relation_key(kind) == key; });
}

bool describes(const graph::KnowledgeGraph& graph, RelationId relation) {
  static constexpr std::array<std::string_view, 8> kWords{
      "description", "abstract", "comment", "summary", "bio", "biography", "short description", "about"};
  const std::string key = relation_key(graph.relation_name(relation));
  return std::find(kWords.begin(), kWords.end(), key) != kWords.end();
}

// "Iso3", "postal code", "geonameid": numbers and short texts that identify.
bool is_code(const graph::KnowledgeGraph& graph, RelationId relation, EntityId tail) {
  static constexpr std::array<std::string_view, 16> kLast{"id",   "iso", "code", "num",    "key", "regex",
                                                          "slug", "tld", "fips", "prefix", "zip", "isbn",
                                                          "uuid", "sku", "hash", "barcode"};
  static constexpr std::array<std::string_view, 4> kGlued{"id", "code", "numeric", "regex"};
  static constexpr std::size_t kLongest = 16;
  const std::string_view literal = graph::details(graph).id(tail);
  if (graph.entity_name(tail).size() > kLongest || !literal.starts_with('"')) return false;
  const std::string key = relation_key(graph.relation_name(relation));
  const std::string_view last = std::string_view(key).substr(key.rfind(' ') + 1);
  if (std::find(kLast.begin(), kLast.end(), last) != kLast.end()) return true;
  const bool numbered = key.size() > 1 && last.back() >= '1' && last.back() <= '9';
  if (numbered && !graph::find_unit(last)) return true;
  return graph::value_of_literal(literal).kind == graph::ValueKind::kNumber &&
         std::any_of(kGlued.begin(), kGlued.end(), [&](std::string_view end) { return last.ends_with(end); });
}

bool is_number(const graph::KnowledgeGraph& graph, EntityId tail) {
  const std::string_view literal = graph::details(graph).id(tail);
  return literal.starts_with('"') && graph::value_of_literal(literal).kind == graph::ValueKind::kNumber;
}

struct Candidate {
  Rank rank;
  std::size_t shared;  // heads that have the relation to the same tail
  bool backwards;
  Triple fact;
};

// Each relation gives the fact that fewest share.
std::vector<Candidate> candidates(const graph::KnowledgeGraph& graph, EntityId entity) {
  std::vector<Candidate> all;
  const auto order = [](const Candidate& c) { return std::tie(c.shared, c.fact); };
  for (const graph::Edge& edge : graph.out_edges(entity)) {
    if (graph::details(graph).is_housekeeping(edge.relation) || edge.tail == entity) continue;
    const bool backwards = graph.relation_name(edge.relation).starts_with('~');
    const std::string_view name = graph.relation_name(edge.relation);
    const bool of_a_year = graph::without_year(name) != name;  // the latest stands beside them
    const Rank rank = !backwards && describes(graph, edge.relation) && is_text(graph, edge.tail) ? Rank::kText
                      : !backwards && tells_kind(graph, edge.relation)                           ? Rank::kKind
                      : !backwards && (of_a_year || is_code(graph, edge.relation, edge.tail))    ? Rank::kCode
                      : is_number(graph, edge.tail) ? Rank::kNumber
                                                    : Rank::kFact;
    const std::size_t shared = forms::row(graph, edge.tail, graph.inverse(edge.relation)).size();
    const Candidate one{rank, shared, backwards, {entity, edge.relation, edge.tail}};
    // Kinds are all told, of other relations one.
    if (rank != Rank::kKind && !all.empty() && all.back().fact.relation == edge.relation) {
      if (order(one) < order(all.back())) all.back() = one;
    } else {
      all.push_back(one);
    }
  }
  return all;
}

// "an actor and a director".
std::string kinds_text(const graph::TypedValues& values, const std::vector<EntityId>& kinds) {
  std::vector<std::string> nouns;
  for (const EntityId kind : kinds) nouns.push_back(with_article(noun_of(values.graph().entity_name(kind))));
  return forms::listed(nouns);
}

}  // namespace

std::vector<Triple> worth_telling(const graph::KnowledgeGraph& graph, EntityId entity, std::size_t most) {
  std::vector<Candidate> all = candidates(graph, entity);
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.rank, a.shared, a.backwards, a.fact) < std::tie(b.rank, b.shared, b.backwards, b.fact);
  });
  std::vector<Triple> facts;
  std::size_t texts = 0, kinds = 0;
  for (const Candidate& each : all) {
    if (facts.size() == most) break;
    // One text and two kinds leave room for others.
    if (each.rank == Rank::kText && texts++ >= 1) continue;
    if (each.rank == Rank::kKind && kinds++ >= 2) continue;
    facts.push_back(each.fact);
  }
  return facts;
}

std::string tell_about(const graph::TypedValues& values, EntityId entity, const Wordings& wordings,
                       std::size_t most, std::string_view description) {
  const graph::KnowledgeGraph& graph = values.graph();
  const FactSpeaker facts(values, wordings);
  const std::string name = said_name(values, entity);
  std::string text = short_text(description);
  std::vector<EntityId> kinds;
  std::vector<Worded> others;
  std::vector<WordedRelation> told;
  // More than are told: relations that say the same are told once.
  for (const Triple& fact : worth_telling(graph, entity, 3 * most)) {
    if (kinds.size() + others.size() + (text.empty() ? 0 : 1) >= most) break;
    if (!graph.relation_name(fact.relation).starts_with('~') && describes(graph, fact.relation) &&
        is_text(graph, fact.tail)) {
      if (text.empty()) text = said_tail(values, fact.relation, fact.tail);
    } else if (tells_kind(graph, fact.relation)) {
      kinds.push_back(fact.tail);
    } else {
      const WordedRelation worded = wordings.of(graph.relation_name(fact.relation));
      const bool again = std::any_of(told.begin(), told.end(), [&](const WordedRelation& before) {
        return before.wordings == worded.wordings && before.flipped == worded.flipped &&
               before.words == worded.words;
      });
      if (again) continue;
      told.push_back(worded);
      const auto row = forms::row(graph, entity, fact.relation);
      std::vector<EntityId> ends{fact.tail};
      for (const graph::Edge& edge : row)
        if (ends.size() < kMostEnds && edge.tail != fact.tail) ends.push_back(edge.tail);
      others.push_back(facts.fact(entity, fact.relation, ends, row.size() - ends.size()));
    }
  }
  std::vector<std::string> sentences;
  if (!kinds.empty()) sentences.push_back(name + " is " + kinds_text(values, kinds) + '.');
  if (!text.empty()) sentences.push_back(ended(kinds.empty() ? name + ": " + text : capital(text)));
  // Two facts a sentence.
  for (std::size_t i = 0; i < others.size(); i += 2) {
    Worded both = others[i];
    if (i + 1 < others.size()) both.text += ", and " + others[i + 1].text;
    sentences.push_back(ended(both.begins_with_name ? both.text : capital(both.text)));
  }
  if (sentences.empty()) return "About " + name + " I know only the name.";
  std::string all;
  for (const std::string& sentence : sentences) all += (all.empty() ? "" : " ") + sentence;
  return all;
}

}  // namespace kgwalk::dialogue
