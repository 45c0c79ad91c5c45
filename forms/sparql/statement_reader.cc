// What statements say beside their facts: nodes of RDF's reification, as kgwalk export writes them.
#include <algorithm>

#include "forms/sparql/group_reader.h"
#include "kgwalk/error.h"

namespace kgwalk::forms {
namespace {

constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

[[noreturn]] void refuse(const std::string& why) { throw ConfigError("SPARQL: " + why); }

// "subject" of rdf:subject; empty for other paths.
std::string_view part_of_statement(const SparqlPath& path) {
  if (path.kind != SparqlPath::kIri || !path.iri.starts_with(kRdf)) return {};
  const std::string_view part = std::string_view(path.iri).substr(kRdf.size());
  return part == "subject" || part == "predicate" || part == "object" || part == "type" ? part
                                                                                        : std::string_view();
}

bool is_variable_of(const SparqlTerm& term, std::string_view name) {
  return term.kind == SparqlTerm::kVariable && term.text == name;
}

}  // namespace

struct GroupReader::Statement {
  const SparqlTerm* subject = nullptr;
  const SparqlTerm* predicate = nullptr;
  const SparqlTerm* object = nullptr;
  std::vector<const SparqlElement*> said = {};
};

// All that the group says of a statement's node.
GroupReader::Statement GroupReader::statement_of(const std::string& node) {
  Statement statement;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& element = group_.elements[i];
    if (used_[i] || element.kind != SparqlElement::kTriple || !is_variable_of(element.subject, node))
      continue;
    used_[i] = true;
    const std::string_view part = part_of_statement(element.path);
    if (part.empty())
      statement.said.push_back(&element);
    else if (part == "subject")
      statement.subject = &element.object;
    else if (part == "predicate")
      statement.predicate = &element.object;
    else if (part == "object")
      statement.object = &element.object;
  }
  if (statement.subject == nullptr || statement.object == nullptr || statement.predicate == nullptr ||
      statement.predicate->kind != SparqlTerm::kIri)
    refuse("the statement ?" + node +
           " needs its rdf:subject, rdf:predicate and rdf:object, the predicate an IRI");
  return statement;
}

// A table of values, a constant, or what filters say. Nullopt where the table is empty: nothing holds.
std::optional<Qualified> GroupReader::qualified_by(const SparqlElement& said) {
  std::vector<Relations> steps = names_.steps(said.path, false);
  if (steps.size() != 1) refuse("what a statement says is one step away from it");
  Qualified qualified{.relations = std::move(steps.front())};
  if (said.object.kind != SparqlTerm::kVariable) {
    qualified.entities = {names_.entity(said.object)};
    return qualified;
  }
  const std::string& value = said.object.text;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const SparqlElement& table = group_.elements[i];
    const bool is_its = !used_[i] && table.kind == SparqlElement::kValues &&
                        table.variables == std::vector<std::string>{value};
    if (!is_its) continue;
    used_[i] = true;
    for (const auto& row : table.rows) qualified.entities.push_back(names_.entity(row.front()));
    return qualified.entities.empty() ? std::nullopt : std::optional(qualified);
  }
  const auto condition = condition_on(value, qualified.relations);
  if (!condition) refuse("nothing is said of ?" + value + ", which a statement says");
  qualified.condition = *condition;
  return qualified;
}

// What is said of a variable here, or else around the group, where each part of a union may ask for it.
std::optional<Set> GroupReader::set_here_or_around(const std::string& variable) {
  if (auto here = set_of(variable)) return here;
  if (around_ == nullptr) return std::nullopt;
  const auto known = around_->lent_.find(variable);
  if (known != around_->lent_.end()) return known->second;
  auto set = around_->set_of(variable);
  if (set) around_->lent_.emplace(variable, *set);
  return set;
}

bool GroupReader::take_statement(const SparqlElement& element, const std::string& variable,
                                 std::vector<Set>& parts) {
  const std::string_view part = part_of_statement(element.path);
  const bool is_end = (part == "subject" || part == "object") && is_variable_of(element.object, variable) &&
                      element.subject.kind == SparqlTerm::kVariable;
  if (!is_end) return false;
  parts.push_back(end_of(statement_of(element.subject.text), part == "subject"));
  return true;
}

// The subjects or objects of the facts that a statement is of, by what it says and its other end.
Set GroupReader::end_of(const Statement& statement, bool asks_subject) {
  const SparqlTerm& other = asks_subject ? *statement.object : *statement.subject;
  const RelationId relation = names_.relation(statement.predicate->text);
  std::vector<Qualified> qualified;
  bool holds = true;
  for (const SparqlElement* said : statement.said) {
    auto one = qualified_by(*said);
    holds = holds && one.has_value();
    if (one) qualified.push_back(std::move(*one));
  }
  std::optional<Set> from;
  if (other.kind == SparqlTerm::kVariable)
    from = set_here_or_around(other.text);
  else
    from = entities({names_.entity(other)});
  if (!from) refuse("nothing is said of ?" + other.text + ", the other end of a statement");
  const Relations along = {asks_subject ? names_.graph().inverse(relation) : relation};
  return holds ? step(std::move(*from), along, std::move(qualified)) : entities({});
}

const SparqlElement* GroupReader::whole_element() const {
  const auto constant_end = [&](const std::string& node, std::string_view part) -> const SparqlElement* {
    for (const SparqlElement& element : group_.elements)
      if (element.kind == SparqlElement::kTriple && part_of_statement(element.path) == part &&
          element.object.kind != SparqlTerm::kVariable &&
          (node.empty() ? element.subject.kind == SparqlTerm::kVariable
                        : is_variable_of(element.subject, node)))
        return &element;
    return nullptr;
  };
  const SparqlElement* subject = constant_end("", "subject");
  return subject != nullptr && constant_end(subject->subject.text, "object") != nullptr ? subject : nullptr;
}

std::optional<std::pair<EntityId, EntityId>> GroupReader::ends_of_whole() const {
  const SparqlElement* subject = whole_element();
  if (subject == nullptr) return std::nullopt;
  GroupReader reader(group_, names_);
  const Statement statement = reader.statement_of(subject->subject.text);
  return std::pair(names_.entity(*statement.subject), names_.entity(*statement.object));
}

std::optional<Set> GroupReader::whole_statement(EntityId member) {
  const SparqlElement* subject = whole_element();
  if (subject == nullptr) return std::nullopt;
  const Statement statement = statement_of(subject->subject.text);
  if (names_.entity(*statement.subject) == member) return end_of(statement, true);
  if (names_.entity(*statement.object) == member) return end_of(statement, false);
  return std::nullopt;
}

// Statements of one set that differ in their relations alone are one step.
bool GroupReader::join_statements(std::vector<Set>& parts) {
  const auto is_alike = [&](const Set& part) {
    return part.kind == SetKind::kStep && !part.qualified.empty() && part.parts == parts.front().parts &&
           part.qualified == parts.front().qualified;
  };
  if (!std::all_of(parts.begin(), parts.end(), is_alike)) return false;
  for (std::size_t i = 1; i < parts.size(); ++i)
    parts.front().relations.insert(parts.front().relations.end(), parts[i].relations.begin(),
                                   parts[i].relations.end());
  parts.resize(1);
  return true;
}

}  // namespace kgwalk::forms
