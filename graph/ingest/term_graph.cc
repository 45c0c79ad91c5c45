#include "graph/ingest/term_graph.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/name_finder.h"
#include "graph/ingest/reified.h"
#include "graph/ingest/vocabulary.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

bool equal_tags(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// 0 is best: the language itself, one of its regions, none, others.
std::uint32_t language_rank(std::string_view tag, std::string_view wanted) {
  if (tag.empty()) return wanted.empty() ? 0 : 2;
  if (wanted.empty()) return 3;
  if (equal_tags(tag, wanted)) return 0;
  const bool region = tag.size() > wanted.size() && tag[wanted.size()] == '-' &&
                      equal_tags(tag.substr(0, wanted.size()), wanted);
  return region ? 1 : 3;
}

// Counts of a file and of all files, which are moved together.
void move_count(IngestReport& report, std::size_t file, std::uint64_t FileReport::*from,
                std::uint64_t IngestReport::*all_from, std::uint64_t FileReport::*to,
                std::uint64_t IngestReport::*all_to) {
  FileReport* counts = file < report.files.size() ? &report.files[file].second : nullptr;
  // Facts of a table of entities are none of the lines of triples.
  const bool of_triples = counts == nullptr || counts->kind == FileKind::kTriples;
  if (!of_triples && all_from == &IngestReport::triple_lines) all_from = nullptr;
  if (!of_triples && all_to == &IngestReport::triple_lines) all_to = nullptr;
  if (from != nullptr && counts != nullptr) --(counts->*from);
  if (all_from != nullptr) --(report.*all_from);
  if (to != nullptr && counts != nullptr) ++(counts->*to);
  if (all_to != nullptr) ++(report.*all_to);
}

}  // namespace

// What stays of the facts takes the place of those that were looked at: a second list of them would be most
// of what memory holds.
struct TermGraph::Sifted {
  explicit Sifted(std::vector<TermFact>& list) : facts(list) {}

  void add(const TermFact& fact) {
    last = fact;
    ++size;
    waiting.push_back(fact);
  }
  // Facts in front of this place are not needed any more.
  void pass(std::size_t place) {
    for (; !waiting.empty() && written < place; waiting.pop_front()) facts[written++] = waiting.front();
  }
  void end() {
    pass(facts.size());
    facts.resize(written);
    facts.insert(facts.end(), waiting.begin(), waiting.end());
  }

  std::vector<TermFact>& facts;
  std::deque<TermFact> waiting;  // for a place: names become facts too
  std::size_t size = 0, written = 0;
  TermFact last{kNoName, kNoName, kNoName};
  FactNotes notes;
  std::vector<TermQualifier> qualifiers;
  std::uint32_t source = 0;  // of the fact at hand
  std::optional<float> weight;
};

void TermGraph::settle(IngestReport& report) {
  take_reified(g_, report);
  find_names(g_, num_ranks_);
  name_people(g_, num_ranks_);
  choose_labels(report);
  uses_.resize(g_.terms.size());
  for (TermId term = 0; term < uses_.size(); ++term) {  // facts ask for their terms in any order
    const TermKind kind = g_.terms.kind(term);
    uses_[term] = kind == TermKind::kLiteral ? kLiteral
                  : kind == TermKind::kIri   ? kIri
                  : kind == TermKind::kBlank ? kBlank
                                             : 0;
  }
  find_properties();
  sift(report);
  mark_uses();
  call_blank_nodes();
}

void TermGraph::choose_labels(IngestReport& report) {
  labels_.assign(g_.terms.size(), kNoName);
  has_more_labels_.assign(g_.terms.size(), false);
  std::map<std::uint32_t, std::uint32_t> language_ranks;
  const auto rank = [&](const KeptText& kept) {
    if (kept.predicate == kNoName) return std::uint32_t{0};
    const auto [known, is_new] = language_ranks.try_emplace(kept.language, 0);
    if (is_new) known->second = language_rank(g_.terms.word_text(kept.language), options_.language);
    return 1 + known->second * 256 + kept.rank;
  };
  for (std::uint32_t i = 0; i < g_.kept.size(); ++i) {
    const KeptText& kept = g_.kept[i];
    if (kept.role != Role::kLabel) continue;
    std::uint32_t& best = labels_[kept.subject];
    if (best != kNoName) has_more_labels_[kept.subject] = true;
    if (best == kNoName || rank(kept) < rank(g_.kept[best])) best = i;
  }
  std::map<TermId, std::uint64_t> named_by;
  for (const std::uint32_t label : labels_)
    if (label != kNoName && g_.kept[label].predicate != kNoName) ++named_by[g_.kept[label].predicate];
  for (const auto& [property, count] : named_by)
    report.named_by[std::string(g_.terms.text(property))] += count;
}

// Properties are what is used as a predicate, what is declared as one, and what describes one elsewhere: a
// node with the same last part that leads to it, as wd:P36 does to wdt:P36.
void TermGraph::find_properties() {
  for (const TermFact& fact : g_.facts) {
    uses_[fact.subject] |= kSubject;
    if (fact.predicate != kNoName) uses_[fact.predicate] |= kRelation;
  }
  for (const TermQualifier& each : g_.qualifiers) uses_[each.predicate] |= kRelation;
  for (const KeptText& kept : g_.kept)
    if (kept.predicate != kNoName && (kept.role == Role::kValue || kept.role == Role::kPerhapsName))
      uses_[kept.predicate] |= kRelation;
  for (const KeptText& kept : g_.kept)
    if (kept.predicate != kNoName && (uses_[kept.subject] & kRelation) != 0) uses_[kept.subject] |= kProperty;
  const TermId type = g_.terms.find_iri(kRdfType);
  for (const TermFact& fact : g_.facts) {
    if (fact.predicate == kNoName) continue;
    if ((uses_[fact.subject] & kRelation) != 0 && declares(g_.terms.text(fact.predicate)))
      uses_[fact.subject] |= kProperty;
    const bool iris = (uses_[fact.object] & kIri) != 0;
    if (!iris) continue;
    if (fact.predicate == type) {
      if (is_property_class(g_.terms.text(fact.object))) uses_[fact.subject] |= kProperty;
      continue;
    }
    const bool leads = (uses_[fact.object] & kRelation) != 0 && (uses_[fact.subject] & kRelation) == 0 &&
                       fact.object != fact.subject;
    if (!leads || local_part(g_.terms.text(fact.subject)) != local_part(g_.terms.text(fact.object))) continue;
    uses_[fact.subject] |= kProperty;
    predicate_of_.try_emplace(fact.subject, fact.object);
    described_by_.try_emplace(fact.object, fact.subject);
  }
}

TermId TermGraph::relation_term(TermId property) const {
  const auto found = predicate_of_.find(property);
  return found == predicate_of_.end() ? property : found->second;
}

bool TermGraph::is_address(TermId object) const {
  return (uses_[object] & (kIri | kSubject)) == kIri && labels_[object] == kNoName &&
         !g_.is_mentioned(object) && is_file_address(g_.terms.text(object));
}

// Those that a text may repeat: where there is no text but numbers and dates, there is nothing to note.
void TermGraph::note_own_names() {
  const auto is_text = [&](const TermFact& fact) {
    return is_literal(fact.object) && is_text_type(g_.terms.datatype(fact.object));
  };
  const auto perhaps = [](const KeptText& kept) { return kept.role == Role::kPerhapsName; };
  if (std::none_of(g_.kept.begin(), g_.kept.end(), perhaps) &&
      std::none_of(g_.facts.begin(), g_.facts.end(), is_text))
    return;
  for (const KeptText& kept : g_.kept)
    if (kept.role == Role::kLabel || kept.role == Role::kAlias)
      own_names_.emplace_back(kept.subject, hash_bytes(name_key(name_text(g_.text_of(kept)))));
  std::sort(own_names_.begin(), own_names_.end());
}

bool TermGraph::is_text_type(std::uint32_t datatype) const {
  return datatype == 0 || g_.terms.word_text(datatype) == "http://www.w3.org/2001/XMLSchema#string";
}

bool TermGraph::is_own_name(TermId subject, std::string_view text) const {
  const std::string key = name_key(name_text(text));
  const std::pair wanted{subject, hash_bytes(key)};
  if (std::binary_search(own_names_.begin(), own_names_.end(), wanted)) return true;
  return labels_[subject] == kNoName && name_key(name_of(subject, false)) == key;
}

void TermGraph::sift_fact(const TermFact& fact, std::size_t file, Sifted& into, IngestReport& report) {
  if (fact.predicate == kNoName) return;  // was left out, and is counted so
  const bool literal = is_literal(fact.object);
  if (is_property(fact.subject) || is_address(fact.object)) {
    move_count(report, file, &FileReport::triples, &IngestReport::triple_lines, &FileReport::values,
               &IngestReport::values);
    return g_.keep(fact, literal ? Role::kValue : Role::kResource, into.source);
  }
  if (literal && is_text_type(g_.terms.datatype(fact.object)) &&
      is_own_name(fact.subject, g_.terms.text(fact.object)) && !tells_part_of_name(fact)) {
    move_count(report, file, &FileReport::triples, &IngestReport::triple_lines, &FileReport::labels,
               &IngestReport::labels);
    return g_.keep(fact, Role::kAlias, into.source);
  }
  into.add(fact);
  if (into.weight || into.source != 0) into.notes.add(into.size - 1, into.weight, into.source);
}

// A text that was found to be no label is a literal like others.
void TermGraph::sift_name(KeptText& kept, Sifted& into, IngestReport& report) {
  const auto as = [&](Role role, std::uint64_t FileReport::*count, std::uint64_t IngestReport::*all) {
    kept.role = role;
    move_count(report, kept.file, nullptr, nullptr, count, all);
  };
  const std::string text(g_.text_of(kept));
  if (is_property(kept.subject)) return as(Role::kValue, &FileReport::values, &IngestReport::values);
  if (is_own_name(kept.subject, text)) return as(Role::kAlias, &FileReport::labels, &IngestReport::labels);
  if (options_.literals == LiteralUse::kValues)
    return as(Role::kValue, &FileReport::values, &IngestReport::values);
  if (options_.literals == LiteralUse::kDrop) {
    move_count(report, kept.file, nullptr, nullptr, &FileReport::dropped_literals,
               &IngestReport::dropped_literals);
    return;
  }
  const Term literal{TermKind::kLiteral, text, g_.terms.word_text(kept.language),
                     g_.terms.word_text(kept.datatype)};
  TermId object = g_.terms.find(literal);
  if (object == kNoName) {
    object = g_.terms.insert_asked();
    uses_.push_back(kLiteral);
    labels_.push_back(kNoName);
    has_more_labels_.push_back(false);
  }
  into.add({kept.subject, kept.predicate, object});
  if (kept.source != 0) into.notes.add(into.size - 1, std::nullopt, kept.source);
  move_count(report, kept.file, nullptr, nullptr, &FileReport::triples, &IngestReport::triple_lines);
}

// Those of a fact go where it went; `next` is the first of them. A fact that became a text loses them.
void TermGraph::sift_qualifiers(std::uint32_t fact, std::size_t& next, Sifted& into) const {
  const bool stays = into.size > 0 && into.last == g_.facts[fact];
  for (; next < g_.qualifiers.size() && g_.qualifiers[next].fact == fact; ++next) {
    if (!stays) continue;
    into.qualifiers.push_back(g_.qualifiers[next]);
    into.qualifiers.back().fact = static_cast<std::uint32_t>(into.size - 1);
  }
}

void TermGraph::sift(IngestReport& report) {
  note_own_names();
  Sifted sifted(g_.facts);
  // Labels that were found are counted now.
  for (const KeptText& kept : g_.kept)
    if (kept.role == Role::kLabel && kept.rank >= num_ranks_)
      move_count(report, kept.file, nullptr, nullptr, &FileReport::labels, &IngestReport::labels);
  const std::size_t num_kept = g_.kept.size();
  std::size_t next = 0, next_qualifier = 0;
  const auto names_before = [&](std::size_t fact) {
    for (; next < num_kept; ++next) {
      if (g_.kept[next].role != Role::kPerhapsName) continue;
      if (g_.kept[next].before_fact > fact) return;
      sift_name(g_.kept[next], sifted, report);
    }
  };
  for (std::size_t i = 0; i < g_.facts.size(); ++i) {
    names_before(i);
    sifted.source = g_.notes.source(i);
    sifted.weight = g_.notes.weight(i);
    sift_fact(g_.facts[i], g_.file_of(i), sifted, report);
    sift_qualifiers(static_cast<std::uint32_t>(i), next_qualifier, sifted);
    sifted.pass(i + 1);
  }
  names_before(g_.facts.size());
  sifted.end();
  g_.notes = std::move(sifted.notes);
  g_.qualifiers = std::move(sifted.qualifiers);
  own_names_ = {};
}

void TermGraph::mark_uses() {
  for (std::uint8_t& use : uses_) use &= kProperty | kLiteral | kIri | kBlank;
  for (const TermFact& fact : g_.facts) {
    uses_[fact.subject] |= kInFact;
    uses_[fact.predicate] |= kRelation;
    uses_[fact.object] |= kInFact;
  }
  for (const TermQualifier& each : g_.qualifiers) {
    uses_[each.predicate] |= kRelation;
    uses_[each.value] |= kMentioned;
  }
  for (const KeptText& kept : g_.kept) {
    if (kept.predicate == kNoName) continue;
    if (kept.role == Role::kPerhapsName || is_property(kept.subject)) continue;
    uses_[kept.subject] |= kMentioned;
    if (kept.role == Role::kValue || kept.role == Role::kResource) uses_[kept.predicate] |= kRelation;
  }
  for (TermId term = 0; term < g_.mentioned.size() && term < uses_.size(); ++term)
    if (g_.mentioned[term]) uses_[term] |= kMentioned;
  for (TermId term = 0; term < uses_.size(); ++term)  // a declared property is a relation, used or not
    if (is_property(term) && !predicate_of_.contains(term)) uses_[term] |= kRelation;
}

}  // namespace kgwalk::graph
