#include "graph/ingest/statements.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/unique_names.h"
#include "graph/names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::uint32_t kNoLabel = 0xffffffffu;
constexpr std::uint32_t kLanguageRanks = 4;

constexpr char kLiteralLetter = '"', kBlankLetter = '_', kIdLetter = '#', kNameLetter = '=';

char letter_of(TermKind kind) {
  switch (kind) {
    case TermKind::kIri:
      return '<';
    case TermKind::kBlank:
      return kBlankLetter;
    case TermKind::kLiteral:
      return kLiteralLetter;
    case TermKind::kId:
      return kIdLetter;
    case TermKind::kName:
      return kNameLetter;
  }
  return '?';
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

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

bool is_name(std::string_view text) {
  const std::string key = name_key(text);
  return !key.empty() && key != "~";
}

std::string beginning(std::string_view text) {
  std::string part(text.substr(0, 60));
  while (!part.empty() && invalid_utf8_at(part)) part.pop_back();
  return part + "...";
}

}  // namespace

Statements::Statements(const InputOptions& options) : options_(options) { words_.insert(""); }

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
  if (is_text ? is_name(name_text(term.text)) : !term.text.empty()) return true;
  log.skip(line, Reason::kEmptyName,
           term.kind == TermKind::kLiteral ? "the literal is empty" : "a term is empty");
  return false;
}

Statements::TermId Statements::intern(const Term& term, std::size_t line, ProblemLog& log) {
  key_.assign(1, letter_of(term.kind));
  const bool by_key = term.kind == TermKind::kName;  // equal names are one
  if (by_key && !is_good(term, line, log)) return kNoName;
  key_ += by_key ? name_key(term.text) : std::string(term.text);
  const TermId known = terms_.find(key_);
  if (known != kNoName) return known;
  if (!by_key && !is_good(term, line, log)) return kNoName;
  uses_.push_back(0);
  const TermId term_id = terms_.insert(key_);
  if (by_key) labels_.try_emplace(term_id, Label{0, name_text(term.text)});
  if (term.kind == TermKind::kLiteral && (!term.language.empty() || !term.datatype.empty()))
    literal_types_.try_emplace(term_id, word(term.language), word(term.datatype));
  return term_id;
}

std::uint32_t Statements::word(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t known = words_.find(text);
  return known == kNoName ? words_.insert(text) : known;
}

bool Statements::are_good(const Statement& s, std::size_t line, ProblemLog& log) const {
  return is_good(s.subject, line, log) && is_good(s.predicate, line, log) && is_good(s.object, line, log);
}

void Statements::name(const Term& term, std::string_view text, std::size_t line, ProblemLog& log) {
  const TermId id = intern(term, line, log);
  if (id == kNoName || !is_good({TermKind::kLiteral, text, {}, {}}, line, log)) return;
  uses_[id] |= kMentioned;
  labels_.try_emplace(id, Label{0, name_text(text)});
}

std::uint32_t Statements::label_rank(std::string_view predicate, const Term& object) const {
  if (object.kind != TermKind::kLiteral) return kNoLabel;
  const auto found = std::find(options_.labels.begin(), options_.labels.end(), predicate);
  if (found == options_.labels.end()) return kNoLabel;
  return language_rank(object.language, options_.language) *
             static_cast<std::uint32_t>(options_.labels.size()) +
         static_cast<std::uint32_t>(found - options_.labels.begin());
}

std::optional<ValueRole> Statements::role_of(const Statement& s) const {
  if (s.object.kind != TermKind::kLiteral) return std::nullopt;
  if (contains(options_.aliases, s.predicate.text)) return ValueRole::kAlias;
  if (contains(options_.descriptions, s.predicate.text)) return ValueRole::kDescription;
  if (options_.literals == LiteralUse::kValues) return ValueRole::kValue;
  return std::nullopt;
}

void Statements::add_label(TermId subject, const Term& object, std::uint32_t rank) {
  const auto [label, is_new] = labels_.try_emplace(subject, Label{rank, name_text(object.text)});
  if (is_new) return;
  if (rank < label->second.rank) label->second = {rank, name_text(object.text)};
  label->second.several = true;
}

void Statements::keep(TermId subject, TermId predicate, ValueRole role, const Statement& s) {
  uses_[subject] |= kMentioned;
  kept_.push_back({subject, predicate, role, word(s.object.language), word(s.object.datatype), word(s.source),
                   texts_.size(), s.object.text.size()});
  texts_ += s.object.text;
}

void Statements::add_fact(TermId subject, TermId predicate, TermId object, const Statement& s) {
  uses_[subject] |= kInFact;
  uses_[predicate] |= kRelation;
  uses_[object] |= kInFact;
  facts_.push_back({subject, predicate, object});
  if (s.weight) {
    fact_weights_.resize(facts_.size(), std::numeric_limits<float>::quiet_NaN());
    fact_weights_.back() = *s.weight;
  }
  if (!s.source.empty()) {
    fact_sources_.resize(facts_.size(), 0);
    fact_sources_.back() = word(s.source);
  }
}

void Statements::add(const Statement& s, std::size_t line, ProblemLog& log, FileReport& counts) {
  ++counts.statements;
  if (!s.source.empty() && !is_good({TermKind::kIri, s.source, {}, {}}, line, log)) return;
  const TermId subject = intern(s.subject, line, log);
  if (subject == kNoName) return;
  const std::uint32_t rank = label_rank(s.predicate.text, s.object);
  const std::optional<ValueRole> role = rank != kNoLabel ? std::optional(ValueRole::kLabel) : role_of(s);
  const bool literal = s.object.kind == TermKind::kLiteral;
  if (literal && !role && options_.literals == LiteralUse::kDrop) {
    ++counts.dropped_literals;
    return;
  }
  // Values are kept whatever they are; what names or is walked to must be a name.
  if (literal && role && role != ValueRole::kValue && !is_good(s.object, line, log)) return;
  const TermId predicate = intern(s.predicate, line, log);
  if (predicate == kNoName) return;
  if (role) {
    if (role == ValueRole::kLabel) add_label(subject, s.object, rank);
    if (role == ValueRole::kValue) uses_[predicate] |= kRelation;
    ++(role == ValueRole::kLabel   ? counts.labels
       : role == ValueRole::kAlias ? counts.aliases
       : role == ValueRole::kValue ? counts.values
                                   : counts.descriptions);
    return keep(subject, predicate, *role, s);
  }
  const TermId object = intern(s.object, line, log);
  if (object == kNoName) return;
  add_fact(subject, predicate, object, s);
  ++counts.triples;
}

void Statements::mention(const Term& term, std::size_t line, ProblemLog& log) {
  if (const TermId id = intern(term, line, log); id != kNoName) uses_[id] |= kMentioned;
}

std::string Statements::name_of(TermId term, bool relation) const {
  const std::string_view key = terms_.strings()[term];
  const std::string_view text = key.substr(1);
  if (key.front() == kLiteralLetter) return name_text(text);
  if (const auto label = labels_.find(term); label != labels_.end()) {
    std::string name = label->second.text;
    if (relation && key.front() != kNameLetter)
      name.erase(0, name.find_first_not_of("~ "));  // the mark of inverses
    if (!name.empty()) return name;
  }
  if (key.front() == kBlankLetter) return "_:" + std::string(text);
  if (key.front() == kIdLetter) {
    std::string name = name_text(text);
    return is_name(name) ? name : std::string(text);
  }
  return relation ? relation_name_of_id(text) : entity_name_of_id(text);
}

std::string_view Statements::id_of(TermId term) const {
  const std::string_view key = terms_.strings()[term];
  return key.front() == kLiteralLetter || key.front() == kNameLetter ? std::string_view() : key.substr(1);
}

std::string Statements::given_id(TermId term) const {
  const std::string_view key = terms_.strings()[term];
  if (key.front() == kNameLetter) return {};
  if (key.front() == kBlankLetter) return "_:" + std::string(key.substr(1));
  if (key.front() != kLiteralLetter) return std::string(key.substr(1));
  const auto type = literal_types_.find(term);
  if (type == literal_types_.end()) return literal_text(key.substr(1), {}, {});
  return literal_text(key.substr(1), words_.strings()[type->second.first],
                      words_.strings()[type->second.second]);
}

std::vector<std::string> Statements::names_of(std::uint8_t uses, bool relations,
                                              std::vector<TermId>* told_apart) const {
  std::vector<Named> named;
  std::vector<TermId> terms;
  for (TermId term = 0; term < uses_.size(); ++term) {
    // What is only labeled and serves as a relation is no entity.
    const bool only_labeled = (uses_[term] & (kInFact | kRelation)) == kRelation;
    if ((uses_[term] & uses) == 0 || (!relations && only_labeled)) continue;
    named.push_back({name_of(term, relations), id_of(term)});
    terms.push_back(term);
  }
  HintsOf hints;
  if (!relations)
    hints = [&](std::span<const std::uint32_t> places) {
      std::vector<TermId> asked;
      for (const std::uint32_t place : places) asked.push_back(terms[place]);
      return hints_of(asked);
    };
  for (const std::uint32_t place : make_unique(named, hints))
    if (told_apart != nullptr) told_apart->push_back(terms[place]);
  std::vector<std::string> names(uses_.size());
  for (std::size_t i = 0; i < terms.size(); ++i) names[terms[i]] = std::move(named[i].name);
  return names;
}

void Statements::give_facts(GraphBuilder& builder) {
  entity_names_ = names_of(kInFact | kMentioned, false, &told_apart_);
  relation_names_ = names_of(kRelation, true);
  entities_.assign(uses_.size(), kNoName);
  relations_.assign(uses_.size(), kNoName);
  const auto entity = [&](TermId term) {
    if (entities_[term] == kNoName) entities_[term] = builder.entity(entity_names_[term]);
    return entities_[term];
  };
  for (const Fact& fact : facts_) {
    const EntityId head = entity(fact.subject);
    RelationId& relation = relations_[fact.predicate];
    if (relation == kNoName) relation = builder.relation(relation_names_[fact.predicate]);
    builder.add({head, relation, entity(fact.object)});
  }
  if (fact_weights_.empty() && fact_sources_.empty()) facts_ = {};  // nothing else is to be said of them
}

void Statements::give_other_entities(GraphBuilder& builder) {
  for (TermId term = 0; term < entity_names_.size(); ++term)
    if (!entity_names_[term].empty() && entities_[term] == kNoName)
      entities_[term] = builder.entity(entity_names_[term]);
  for (const Kept& kept : kept_)  // a relation of values alone that has a label of its own
    if (const TermId term = kept.subject;
        entities_[term] == kNoName && relations_[term] == kNoName && !relation_names_[term].empty())
      relations_[term] = builder.relation(relation_names_[term]);
}

}  // namespace kgwalk::graph
