#include "graph/ingest/statements.h"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

#include "graph/ingest/iri_names.h"
#include "graph/ingest/unique_names.h"
#include "graph/names.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::uint32_t kNoLabel = 0xffffffffu;
constexpr std::uint32_t kLanguageRanks = 4;

char letter_of(TermKind kind) { return kind == TermKind::kIri ? '<' : kind == TermKind::kBlank ? '_' : '"'; }

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

Statements::Statements(const InputOptions& options) : options_(options) {}

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
  if (term.kind == TermKind::kLiteral ? is_name(name_text(term.text)) : !term.text.empty()) return true;
  log.skip(line, Reason::kEmptyName,
           term.kind == TermKind::kLiteral ? "the literal is empty" : "a term is empty");
  return false;
}

Statements::TermId Statements::intern(const Term& term, std::size_t line, ProblemLog& log) {
  key_.assign(1, letter_of(term.kind));
  key_ += term.text;
  const TermId known = terms_.find(key_);
  if (known != kNoName) return known;
  if (!is_good(term, line, log)) return kNoName;
  uses_.push_back(0);
  return terms_.insert(key_);
}

std::uint32_t Statements::label_rank(std::string_view predicate, const Term& object) const {
  if (object.kind != TermKind::kLiteral) return kNoLabel;
  const auto found = std::find(options_.labels.begin(), options_.labels.end(), predicate);
  if (found == options_.labels.end()) return kNoLabel;
  return language_rank(object.language, options_.language) *
             static_cast<std::uint32_t>(options_.labels.size()) +
         static_cast<std::uint32_t>(found - options_.labels.begin());
}

void Statements::add_label(TermId subject, const Term& object, std::uint32_t rank, std::size_t line,
                           ProblemLog& log, FileReport& counts) {
  if (!is_good(object, line, log)) return;
  ++counts.labels;
  uses_[subject] |= kMentioned;
  const auto [label, is_new] = labels_.try_emplace(subject, Label{rank, name_text(object.text)});
  if (!is_new && rank < label->second.rank) label->second = {rank, name_text(object.text)};
}

void Statements::add(const Statement& s, std::size_t line, ProblemLog& log, FileReport& counts) {
  ++counts.statements;
  const TermId subject = intern(s.subject, line, log);
  if (subject == kNoName) return;
  if (const std::uint32_t rank = label_rank(s.predicate.text, s.object); rank != kNoLabel)
    return add_label(subject, s.object, rank, line, log, counts);
  const bool literal = s.object.kind == TermKind::kLiteral;
  if (literal && options_.literals == LiteralUse::kDrop) {
    ++counts.dropped_literals;
    return;
  }
  const TermId predicate = intern(s.predicate, line, log);
  if (predicate == kNoName) return;
  if (literal && options_.literals == LiteralUse::kValues) {
    uses_[subject] |= kMentioned;
    uses_[predicate] |= kRelation;
    values_.push_back({subject, predicate, std::string(s.object.text), std::string(s.object.language),
                       std::string(s.object.datatype)});
    ++counts.values;
    return;
  }
  const TermId object = intern(s.object, line, log);
  if (object == kNoName) return;
  uses_[subject] |= kInFact;
  uses_[predicate] |= kRelation;
  uses_[object] |= kInFact;
  facts_.push_back({subject, predicate, object});
  ++counts.triples;
}

void Statements::mention(const Term& term, std::size_t line, ProblemLog& log) {
  if (const TermId id = intern(term, line, log); id != kNoName) uses_[id] |= kMentioned;
}

std::string Statements::name_of(TermId term, bool relation) const {
  const std::string_view key = terms_.strings()[term];
  const std::string_view text = key.substr(1);
  if (key.front() == '"') return name_text(text);
  if (const auto label = labels_.find(term); label != labels_.end()) {
    std::string name = label->second.text;
    if (relation) name.erase(0, name.find_first_not_of("~ "));  // the mark of inverses
    if (!name.empty()) return name;
  }
  if (key.front() == '_') return "_:" + std::string(text);
  const std::string name = relation ? relation_words_of(text) : entity_name_of(text);
  return is_name(name) ? name : std::string(text);
}

std::vector<std::string> Statements::names_of(std::uint8_t uses, bool relations) const {
  std::vector<Named> named;
  std::vector<TermId> terms;
  for (TermId term = 0; term < uses_.size(); ++term) {
    // What is only labeled and serves as a relation is no entity.
    const bool only_labeled = (uses_[term] & (kInFact | kRelation)) == kRelation;
    if ((uses_[term] & uses) == 0 || (!relations && only_labeled)) continue;
    const std::string_view key = terms_.strings()[term];
    named.push_back({name_of(term, relations), key.front() == '"' ? std::string_view() : key.substr(1)});
    terms.push_back(term);
  }
  make_unique(named);
  std::vector<std::string> names(uses_.size());
  for (std::size_t i = 0; i < terms.size(); ++i) names[terms[i]] = std::move(named[i].name);
  return names;
}

void Statements::give_facts(GraphBuilder& builder) {
  entity_names_ = names_of(kInFact | kMentioned, false);
  relation_names_ = names_of(kRelation, true);
  std::vector<EntityId> entities(uses_.size(), kNoName);
  std::vector<RelationId> relations(uses_.size(), kNoName);
  const auto entity = [&](TermId term) {
    if (entities[term] == kNoName) entities[term] = builder.entity(entity_names_[term]);
    return entities[term];
  };
  for (const Fact& fact : facts_) {
    const EntityId head = entity(fact.subject);
    RelationId& relation = relations[fact.predicate];
    if (relation == kNoName) relation = builder.relation(relation_names_[fact.predicate]);
    builder.add({head, relation, entity(fact.object)});
  }
  facts_ = {};
}

void Statements::give_other_entities(GraphBuilder& builder) {
  for (const std::string& name : entity_names_)
    if (!name.empty()) (void)builder.entity(name);
}

Values Statements::give_values(const GraphBuilder& builder) const {
  std::vector<std::pair<EntityId, std::size_t>> order;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const std::string& name = entity_names_[values_[i].subject]; !name.empty())  // of no mere relation
      order.emplace_back(builder.find_entity(name), i);
  std::sort(order.begin(), order.end());
  Values values;
  for (const auto& [entity, i] : order) {
    const Kept& kept = values_[i];
    values.add(entity, {relation_names_[kept.predicate], kept.text, kept.language, kept.datatype});
  }
  return values;
}

}  // namespace kgwalk::graph
