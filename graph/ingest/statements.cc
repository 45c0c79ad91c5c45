#include "graph/ingest/statements.h"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/term_graph.h"
#include "graph/names.h"
#include "graph/values/literal.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

using Role = KeptText::Role;

// Longer literals are texts of their subject, no things to talk about.
constexpr std::size_t kMaxThingLetters = 80;

bool is_name(std::string_view text) {
  const std::string key = name_key(text);
  return !key.empty() && key != "~";
}

std::string beginning(std::string_view text) {
  std::string part(text.substr(0, 60));
  while (!part.empty() && invalid_utf8_at(part)) part.pop_back();
  return part + (part.size() < text.size() ? "..." : "");
}

bool is_long(std::string_view text) {
  if (text.size() <= kMaxThingLetters) return false;
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return static_cast<std::size_t>(letters) > kMaxThingLetters;
}

bool is_plain_text(const Term& literal) {
  return literal.datatype.empty() || literal.datatype == "http://www.w3.org/2001/XMLSchema#string";
}

bool is_name_term(const Term& term) { return term.kind == TermKind::kName; }

}  // namespace

bool name_is_good(std::string_view name, std::size_t line, const char* what, ProblemLog& log) {
  if (const auto at = invalid_utf8_at(name)) {
    log.skip(line, Reason::kInvalidUtf8,
             "the " + std::string(what) + " is not valid UTF-8 at its byte " + std::to_string(*at + 1));
    return false;
  }
  if (is_name(name)) return true;
  log.skip(line, Reason::kEmptyName, "the " + std::string(what) + " is empty");
  return false;
}

Statements::Statements(const InputOptions& options)
    : options_(options), roles_(options, gathered_.prefixes) {}
Statements::~Statements() = default;

void Statements::allow_empty_entity() {
  empty_entity_allowed_ = true;
  builder_.allow_empty_entity();
}

bool Statements::entity_is_good(std::string_view name, std::size_t line, const char* what,
                                ProblemLog& log) const {
  if (builder_.knows_entity_spelling(name)) return true;
  if (empty_entity_allowed_ && !invalid_utf8_at(name)) return true;
  return name_is_good(name, line, what, log);
}

bool Statements::relation_is_good(std::string_view name, std::size_t line, const char* what,
                                  ProblemLog& log) const {
  return builder_.knows_relation_spelling(name) || name_is_good(name, line, what, log);
}

bool Statements::is_good(const Term& term, std::size_t line, ProblemLog& log) const {
  if (term.text.size() > options_.max_name_bytes) {
    log.skip(line, Reason::kLongName,
             "'" + beginning(term.text) + "' has " + std::to_string(term.text.size()) + " bytes; at most " +
                 std::to_string(options_.max_name_bytes) + " are taken");
    return false;
  }
  if (const auto at = invalid_utf8_at(term.text)) {
    log.skip(line, Reason::kInvalidUtf8, "a term is not valid UTF-8 at its byte " + std::to_string(*at + 1));
    return false;
  }
  const bool is_text = term.kind != TermKind::kIri && term.kind != TermKind::kBlank;
  const bool literal = term.kind == TermKind::kLiteral;
  const std::string text = is_text ? name_text(term.text) : std::string(term.text);
  if (literal ? !name_key(text).empty() : is_text ? is_name(text) : !text.empty()) return true;
  log.skip(line, Reason::kEmptyName, literal ? "the literal is empty" : "a term is empty");
  return false;
}

TermId Statements::intern(const Term& term, std::size_t line, ProblemLog& log) {
  const bool by_key = is_name_term(term);
  if (by_key && !is_good(term, line, log)) return kNoName;  // only good names have keys
  const TermId known = gathered_.terms.find(term);
  if (known != kNoName) return known;
  if (!by_key && !is_good(term, line, log)) return kNoName;
  const TermId id = gathered_.terms.insert_asked();
  if (by_key) keep_text(id, kNoName, Role::kLabel, {TermKind::kLiteral, name_text(term.text), {}, {}}, 0);
  return id;
}

TermId Statements::intern_subject(const Term& term, std::size_t line, ProblemLog& log) {
  const Terms& terms = gathered_.terms;
  const bool has_parts = term.kind == TermKind::kLiteral || is_name_term(term);  // beside its text, or a key
  if (has_parts) return intern(term, line, log);
  if (subject_ == kNoName || terms.kind(subject_) != term.kind || terms.text(subject_) != term.text)
    subject_ = intern(term, line, log);
  return subject_;
}

TermId Statements::intern_predicate(const Term& term, std::size_t line, ProblemLog& log) {
  const bool has_parts = term.kind == TermKind::kLiteral;
  if (has_parts) return intern(term, line, log);
  MetPredicate& met = met_predicates_[hash_bytes(term.text) % met_predicates_.size()];
  if (met.term != kNoName && met.kind == term.kind && met.text == term.text) return met.term;
  const TermId id = intern(term, line, log);
  if (id != kNoName) met = {term.kind, std::string(term.text), id};
  return id;
}

bool Statements::mention(const Term& term, std::size_t line, ProblemLog& log) {
  const TermId id = intern_subject(term, line, log);
  if (id == kNoName) return false;
  gathered_.mention(id);
  names_are_mentioned_ = names_are_mentioned_ || is_name_term(term);
  return true;
}

void Statements::name(const Term& term, std::string_view text, std::size_t line, ProblemLog& log) {
  if (!mention(term, line, log) || !is_good({TermKind::kLiteral, text, {}, {}}, line, log)) return;
  keep_text(intern_subject(term, line, log), kNoName, Role::kLabel,
            {TermKind::kLiteral, name_text(text), {}, {}}, 0);
}

void Statements::prefix(std::string_view name, std::string_view iri) {
  const auto known = std::find_if(gathered_.prefixes.begin(), gathered_.prefixes.end(),
                                  [&](const auto& prefix) { return prefix.first == name; });
  if (known == gathered_.prefixes.end()) gathered_.prefixes.emplace_back(name, iri);
}

bool Statements::add(const Statement& s, std::size_t line, const StatementFile& file) {
  const bool names = is_name_term(s.subject) && is_name_term(s.predicate) && is_name_term(s.object);
  return names && !names_are_mentioned_ ? add_names(s, line, file) : add_terms(s, line, file);
}

bool Statements::add_names(const Statement& s, std::size_t line, const StatementFile& file) {
  // Names that are known cost one look-up each; all three are checked before any is taken.
  EntityId head = builder_.entity_spelled(s.subject.text), tail = builder_.entity_spelled(s.object.text);
  RelationId relation = builder_.relation_spelled(s.predicate.text);
  const bool good = (head != kNoName || entity_is_good(s.subject.text, line, "head", file.log)) &&
                    (relation != kNoName || relation_is_good(s.predicate.text, line, "relation", file.log)) &&
                    (tail != kNoName || entity_is_good(s.object.text, line, "tail", file.log));
  if (!good) return false;
  if (head == kNoName) head = builder_.entity(s.subject.text);
  if (relation == kNoName) relation = builder_.relation(s.predicate.text);
  if (tail == kNoName) tail = builder_.entity(s.object.text);
  builder_.add({head, relation, tail});
  if (s.weight || !s.source.empty())
    name_notes_.add(builder_.num_triples() - 1, s.weight, gathered_.terms.word(s.source));
  ++file.counts.triples;
  return true;
}

bool Statements::add_terms(const Statement& s, std::size_t line, const StatementFile& file) {
  ++file.counts.statements;
  ProblemLog& log = file.log;
  if (!s.source.empty() && !is_good({TermKind::kIri, s.source, {}, {}}, line, log)) return false;
  const TermId subject = intern_subject(s.subject, line, log);
  if (subject == kNoName) return false;
  const bool literal = s.object.kind == TermKind::kLiteral;
  const TermId predicate = intern_predicate(s.predicate, line, log);
  if (predicate == kNoName) return false;
  if (literal) {
    const PredicateRole role = roles_.of(predicate, s.predicate.text);
    using Kind = PredicateRole::Kind;
    const bool names = role.kind == Kind::kLabel || role.kind == Kind::kAlias;
    if (names && !is_good(s.object, line, log)) return false;
    if (keep(subject, predicate, role, s, file)) {
      file.counts.lost_qualifiers += s.qualifiers.size();
      return true;
    }
  }
  const TermId object = intern(s.object, line, log);
  if (object == kNoName) return false;
  gathered_.facts.push_back({subject, predicate, object});
  const auto number = static_cast<std::uint32_t>(gathered_.facts.size() - 1);
  if (s.weight || !s.source.empty()) gathered_.notes.add(number, s.weight, gathered_.terms.word(s.source));
  add_qualifiers(s, number, line, file);
  if (s.between_nodes && !(gathered_.is_mentioned(subject) && gathered_.is_mentioned(object)))
    open_ends_.push_back({number, file.number, line});
  gathered_.files_end.resize(file.number + std::size_t{1}, number);
  gathered_.files_end.back() = number + 1;
  ++file.counts.triples;
  return true;
}

// Those that cannot be names are told and left out alone.
void Statements::add_qualifiers(const Statement& s, std::uint32_t fact, std::size_t line,
                                const StatementFile& file) {
  std::uint64_t kept = 0;
  for (const QualifierTerms& each : s.qualifiers) {
    const bool text = each.value.kind == TermKind::kLiteral;
    if (text && (options_.literals == LiteralUse::kDrop || is_long(each.value.text))) continue;
    const TermId predicate = intern(each.predicate, line, file.log);
    const TermId value = predicate == kNoName ? kNoName : intern(each.value, line, file.log);
    if (value == kNoName) continue;
    gathered_.qualifiers.push_back({fact, gathered_.num_qualified, predicate, value});
    ++kept;
  }
  gathered_.num_qualified += kept > 0 ? 1 : 0;
  file.counts.qualifiers += kept;
  file.counts.lost_qualifiers += s.qualifiers.size() - kept;
}

// False for a literal that is an entity.
bool Statements::keep(TermId subject, TermId predicate, PredicateRole role, const Statement& s,
                      const StatementFile& file) {
  using Kind = PredicateRole::Kind;
  FileReport& counts = file.counts;
  const auto as = [&](Role kept, std::uint64_t& count) {
    ++count;
    keep_text(subject, predicate, kept, s.object, gathered_.terms.word(s.source));
    gathered_.kept.back().rank = role.rank;
    return true;
  };
  if (role.kind == Kind::kLabel) return as(Role::kLabel, counts.labels);
  if (role.kind == Kind::kAlias) return as(Role::kAlias, counts.aliases);
  if (role.kind == Kind::kDescription) return as(Role::kDescription, counts.descriptions);
  const bool names = role.kind == Kind::kPerhapsName && is_plain_text(s.object) && !is_long(s.object.text) &&
                     is_name(name_text(s.object.text));
  if (names) {
    keep_text(subject, predicate, Role::kPerhapsName, s.object, gathered_.terms.word(s.source));
    KeptText& kept = gathered_.kept.back();
    kept.before_fact = static_cast<std::uint32_t>(gathered_.facts.size());
    kept.file = static_cast<std::uint16_t>(file.number);
    return true;  // counted when it is known
  }
  if (options_.literals == LiteralUse::kDrop) return ++counts.dropped_literals, true;
  if (is_long(s.object.text) && is_plain_text(s.object)) return as(Role::kDescription, counts.descriptions);
  if (options_.literals == LiteralUse::kValues) return as(Role::kValue, counts.values);
  return false;
}

void Statements::keep_text(TermId subject, TermId predicate, Role role, const Term& text,
                           std::uint32_t source) {
  Terms& terms = gathered_.terms;
  gathered_.kept.push_back({subject, predicate, terms.word(text.language), terms.word(text.datatype), source,
                            role, 0, 0, 0, static_cast<std::uint32_t>(text.text.size()),
                            gathered_.texts.size()});
  gathered_.texts += text.text;
}

// Without files of nodes the ids are all that there is, and stay.
std::vector<Statements::Lost> Statements::drop_lost() {
  std::vector<Lost> lost;
  if (gathered_.mentioned.empty()) return lost;
  for (const Ends& ends : open_ends_) {
    TermFact& fact = gathered_.facts[ends.fact];
    for (const TermId end : {fact.subject, fact.object})
      if (!gathered_.is_mentioned(end)) {
        lost.push_back({std::string(gathered_.terms.text(end)), ends.line, ends.file});
        fact.predicate = kNoName;
        break;
      }
  }
  return lost;
}

// Such a literal is kept as it stands, and is a text where values are asked for.
void Statements::note_broken_literals(IngestReport& report) const {
  const Terms& terms = gathered_.terms;
  std::uint64_t count = 0;
  std::string first;
  const auto look_at = [&](std::string_view text, std::uint32_t datatype) {
    if (datatype == 0 || !breaks_datatype(text, terms.word_text(datatype))) return;
    const std::string_view type = terms.word_text(datatype);
    if (++count == 1)
      first = "'" + beginning(text) + "' is no " + std::string(type.substr(type.rfind('#') + 1));
  };
  for (TermId term = 0; term < terms.size(); ++term)
    if (terms.is_literal(term)) look_at(terms.text(term), terms.datatype(term));
  for (const KeptText& kept : gathered_.kept) look_at(gathered_.text_of(kept), kept.datatype);
  if (count > 0)
    report.notes.push_back(first +
                           (count == 1 ? "" : ", one of " + std::to_string(count) + " such literals") +
                           ": what breaks its datatype stays a text");
}

std::vector<Statements::Lost> Statements::give_facts(IngestReport& report) {
  std::vector<Lost> lost = drop_lost();
  for (std::string& word : roles_.unmatched())
    report.notes.push_back(std::move(word) + " is no property of the graph");
  note_broken_literals(report);
  graph_ = std::make_unique<TermGraph>(gathered_, options_, roles_.num_ranks());
  graph_->settle(report);
  graph_->give_facts(builder_);
  return lost;
}

void Statements::give_other_entities() { graph_->give_other_entities(builder_); }

Values Statements::give_values() const { return graph_->give_values(); }

void Statements::give_details(DetailsMaker& maker) const {
  graph_->give_details(maker);
  if (name_notes_.empty() && gathered_.notes.empty()) return;
  const std::size_t first = builder_.num_triples() - gathered_.facts.size();
  std::size_t i = 0;
  builder_.for_each_chunk([&](std::span<const Triple> triples) {
    for (const Triple& triple : triples) {
      const bool waited = i >= first;
      const FactNotes& notes = waited ? gathered_.notes : name_notes_;
      const std::size_t fact = waited ? i - first : i;
      maker.add_fact(triple, notes.weight(fact), gathered_.terms.word_text(notes.source(fact)));
      ++i;
    }
  });
}

std::size_t Statements::num_told_apart() const noexcept { return graph_->num_told_apart(); }

}  // namespace kgwalk::graph
