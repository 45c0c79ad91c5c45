// What statements say beside names and facts: values, ids, other names, weights and sources; and what tells entities of
// one name apart.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/statements.h"

namespace kgwalk::graph {
namespace {

constexpr const char* kLabelPredicate = "http://www.w3.org/2000/01/rdf-schema#label";
constexpr std::size_t kMaxHinted = 8;  // neighbors looked at

// "1997-12-19" -> "1997"; empty for what is no year.
std::string year_in(std::string_view text) {
  if (text.size() < 4 || (text.size() > 4 && text[4] != '-')) return {};
  const bool digits =
      std::all_of(text.begin(), text.begin() + 4, [](char c) { return c >= '0' && c <= '9'; });
  return digits && (text[0] == '1' || text[0] == '2') ? std::string(text.substr(0, 4)) : std::string();
}

// How well what a relation is called tells a year: 0 best, 3 not at all.
int year_rank(std::string_view words) {
  const auto has = [&](std::string_view word) { return words.find(word) != std::string_view::npos; };
  if (words == "year" || has("release") || has("publi") || has("premier")) return 0;
  if (has("birth") || has("born") || has("found")) return 1;
  return has("year") || has("date") ? 2 : 3;
}

}  // namespace

void Statements::take_year(TermId predicate, std::string_view text, std::pair<int, std::string>& best) const {
  std::string year = year_in(text);
  if (year.empty()) return;
  const int rank = year_rank(name_of(predicate, true));
  if (rank < best.first) best = {rank, std::move(year)};
}

std::vector<Hints> Statements::hints_of(std::span<const TermId> terms) const {
  std::unordered_map<TermId, std::size_t> places;
  for (std::size_t i = 0; i < terms.size(); ++i) places.emplace(terms[i], i);
  std::vector<Hints> hints(terms.size());
  std::vector<std::pair<int, std::string>> years(terms.size(), {3, ""});
  const TermId type = terms_.find("<" + std::string(kRdfType));
  const auto hint = [&](const Fact& fact, TermId of, TermId other) {
    const auto place = places.find(of);
    if (place == places.end()) return;
    Hints& h = hints[place->second];
    ++h.facts;
    const std::string_view key = terms_.strings()[other];
    if (of == fact.subject && fact.predicate == type) {
      if (h.type.empty()) h.type = name_of(other, false);
    } else if (key.front() == '"') {
      take_year(fact.predicate, key.substr(1), years[place->second]);
    } else if (key.front() != '_' && h.neighbors.size() < kMaxHinted && !places.contains(other)) {
      // A relation that leads away and the same one that leads here are two.
      h.neighbors.emplace_back(2 * fact.predicate + (of == fact.subject ? 0 : 1), name_of(other, false));
    }
  };
  for (const Fact& fact : facts_) hint(fact, fact.subject, fact.object);
  for (const Fact& fact : facts_) hint(fact, fact.object, fact.subject);
  for (const Kept& kept : kept_)
    if (const auto place = places.find(kept.subject); place != places.end() && kept.role == ValueRole::kValue)
      take_year(kept.predicate, text_of(kept), years[place->second]);
  for (std::size_t i = 0; i < terms.size(); ++i) hints[i].year = years[i].second;
  return hints;
}

// A plain rdfs:label that is the name itself: export makes it of the name.
bool Statements::is_implied(const Kept& kept) const {
  if (kept.role != ValueRole::kLabel || kept.language != 0 || kept.datatype != 0 || kept.source != 0)
    return false;
  if (entities_[kept.subject] == kNoName || terms_.strings()[kept.predicate].substr(1) != kLabelPredicate)
    return false;
  const Label& label = labels_.at(kept.subject);
  if (label.several || label.text != text_of(kept)) return false;
  return entity_name_of_id(terms_.strings()[kept.subject].substr(1)) != label.text;
}

Values Statements::give_values() const {
  struct Place {
    bool of_relation;
    std::uint32_t owner;
    std::size_t kept;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> order;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const TermId subject = kept_[i].subject;
    if (entities_[subject] != kNoName) {
      if (!is_implied(kept_[i])) order.push_back({false, entities_[subject], i});
    } else if (relations_[subject] != kNoName) {
      order.push_back({true, relations_[subject], i});
    }
  }
  std::sort(order.begin(), order.end());
  Values values;
  for (const Place& place : order) {
    const Kept& kept = kept_[place.kept];
    const std::string_view predicate = terms_.strings()[kept.predicate].substr(1);
    const std::string name =
        kept.role == ValueRole::kValue ? relation_names_[kept.predicate] : relation_words_of(predicate);
    const Value value{name,
                      text_of(kept),
                      words_.strings()[kept.language],
                      words_.strings()[kept.datatype],
                      predicate,
                      words_.strings()[kept.source],
                      kept.role};
    place.of_relation ? values.add_relation(place.owner, value) : values.add(place.owner, value);
  }
  return values;
}

void Statements::give_details(DetailsMaker& maker) const {
  for (TermId term = 0; term < entities_.size(); ++term) {
    const bool is_relation = relations_[term] != kNoName, is_entity = entities_[term] != kNoName;
    if (!is_relation && !is_entity) continue;
    const std::string id = given_id(term);
    if (id.empty()) continue;
    const bool blank = id.starts_with("_:");  // what it is has to be kept though its name looks like it
    if (is_entity && (blank || id != entity_names_[term])) maker.set_id(entities_[term], id);
    if (is_relation && id != relation_names_[term]) maker.set_relation_id(relations_[term], id);
    if (is_relation && id == kRdfType) maker.set_type_relation(relations_[term]);
  }
  for (const TermId term : told_apart_) maker.set_label(entities_[term], name_of(term, false));
  for (const Kept& kept : kept_) {
    const bool names = kept.role == ValueRole::kAlias || kept.role == ValueRole::kLabel;
    if (names && entities_[kept.subject] != kNoName)
      maker.add_alias(entities_[kept.subject], name_text(text_of(kept)));
  }
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Fact& fact = facts_[i];
    std::optional<float> weight;
    if (i < fact_weights_.size() && !std::isnan(fact_weights_[i])) weight = fact_weights_[i];
    const std::string_view source =
        i < fact_sources_.size() ? words_.strings()[fact_sources_[i]] : std::string_view();
    maker.add_fact({entities_[fact.subject], relations_[fact.predicate], entities_[fact.object]}, weight,
                   source);
  }
}

}  // namespace kgwalk::graph
