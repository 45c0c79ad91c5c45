#include "graph/ingest/formats/named_facts.h"

#include <algorithm>
#include <string>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/formats/table_columns.h"
#include "graph/ingest/vocabulary.h"
#include "runtime/text.h"

namespace kgwalk::graph {

bool NamedFacts::look_up(NamedFact& fact, std::size_t line) const {
  if (text_.entity_ids == nullptr) return true;
  const auto name_of = [&](const IdMap& map, std::string_view& field, const char* what) {
    const auto name = map.name(field);
    if (name)
      field = *name;
    else
      text_.log.skip(line, Reason::kBadId,
                     "the " + std::string(what) + " '" + std::string(field) + "' is no id of its map");
    return name.has_value();
  };
  return name_of(*text_.entity_ids, fact.head, "head") &&
         name_of(*text_.relation_ids, fact.relation, "relation") &&
         name_of(*text_.entity_ids, fact.tail, "tail");
}

Term NamedRelations::term(std::string_view id, std::string_view name, std::size_t line) {
  if (id.empty()) return {TermKind::kName, name, {}, {}};
  const bool is_iri = id.find(':') != std::string_view::npos;
  const Term relation{is_iri ? TermKind::kIri : TermKind::kId, id, {}, {}};
  if (met_.emplace(id).second && name != (is_iri ? relation_name_without_label(id) : id))
    (void)sink_.add({relation, {TermKind::kIri, kRdfsLabel, {}, {}}, {TermKind::kLiteral, name, {}, {}}},
                    line);
  return relation;
}

Term NamedFacts::term(std::string_view id, std::string_view name, std::optional<Literal>& literal) const {
  if (id.starts_with('"'))
    if (literal = split_literal(id); literal)
      return {TermKind::kLiteral, literal->text, literal->language, literal->datatype};
  if (!id.empty()) return term_of_id(id);
  return text_.names_are_ids ? term_of_id(name) : Term{TermKind::kName, name, {}, {}};
}

void NamedFacts::take(NamedFact fact, std::size_t line) {
  if (!look_up(fact, line)) return;
  std::optional<Literal> head, tail;
  const Statement statement{.subject = term(fact.head_id, fact.head, head),
                            .predicate = relations_.term(fact.relation_id, fact.relation, line),
                            .object = term(fact.tail_id, fact.tail, tail),
                            .source = fact.source,
                            .weight = fact.weight};
  if (!sink_.add(statement, line)) return;
  const auto name = [&](std::string_view id, const Term& of, std::string_view text) {
    const bool says_more = !id.empty() && of.kind != TermKind::kLiteral && text != id;
    if (says_more) sink_.name(of, text, line);
  };
  name(fact.head_id, statement.subject, fact.head);
  name(fact.tail_id, statement.object, fact.tail);
}

bool is_fact_header(std::string_view head, std::string_view relation, std::string_view tail) {
  const std::string_view fields[3] = {head, relation, tail};
  for (std::size_t role = 0; role < 3; ++role)
    if (invalid_utf8_at(fields[role]) || !is_usual_name(role, fields[role])) return false;
  return true;
}

}  // namespace kgwalk::graph
