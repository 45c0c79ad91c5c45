// What the source of a graph gave beyond names and edges: ids, aliases, types, weights, sources; literals.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/values.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/checks.h"
#include "python/graph/store_handle.h"

namespace kgwalk::python {
namespace {

using graph::details;
using graph::EntityId;
using graph::KnowledgeGraph;
using graph::ValueRole;
using graph::Values;

std::uint64_t checked_edge(const KnowledgeGraph& graph, std::int64_t edge) {
  check_id(edge, graph.num_edges(), "edge");
  return static_cast<std::uint64_t>(edge);
}

constexpr const char* kRoles[] = {"value", "description", "label", "alias", "resource"};

ValueRole role_of(const std::string& word) {
  for (std::uint32_t i = 0; i < std::size(kRoles); ++i)
    if (word == kRoles[i]) return static_cast<ValueRole>(i);
  throw ConfigError("role '" + word + "': it " + choice_advice(word, {std::begin(kRoles), std::end(kRoles)}));
}

// Values borrow their texts from the table: they are copied for Python.
struct Literal {
  std::string name, text, language, datatype, predicate, source, role;
};

std::vector<Literal> copied(const std::vector<graph::Value>& values) {
  std::vector<Literal> literals;
  for (const graph::Value& value : values)
    literals.push_back({std::string(value.name), std::string(value.text), std::string(value.language),
                        std::string(value.datatype), std::string(value.predicate), std::string(value.source),
                        kRoles[static_cast<std::uint32_t>(value.role)]});
  return literals;
}

void bind_edges(GraphClass& c) {
  c.def(
       "edge_number",
       [](const KnowledgeGraph& self, std::int64_t head, std::int64_t relation, std::int64_t tail) {
         return graph::edge_number(self, checked_triple(self, head, relation, tail));
       },
       py::arg("head"), py::arg("relation"), py::arg("tail"),
       "The number of a fact in `edges`, or None when the graph does not have it.")
      .def_property_readonly(
          "has_weights", [](const KnowledgeGraph& self) { return details(self).has_weights(); },
          "Whether facts have weights.")
      .def(
          "weight",
          [](const KnowledgeGraph& self, std::int64_t edge) {
            return details(self).given_weight(checked_edge(self, edge));
          },
          py::arg("edge"), "The weight that the source gave an edge, or None.")
      .def_property_readonly(
          "has_sources", [](const KnowledgeGraph& self) { return details(self).has_sources(); },
          "Whether facts tell what they were taken from.")
      .def(
          "sources",
          [](const KnowledgeGraph& self, std::int64_t edge) {
            return details(self).sources(checked_edge(self, edge));
          },
          py::arg("edge"), "What an edge was taken from, ascending; empty where nothing was told.")
      .def(
          "without_source",
          [](const KnowledgeGraph& self, std::int64_t edge) {
            return details(self).without_source(checked_edge(self, edge));
          },
          py::arg("edge"), "Whether the fact stands without a source too.");
}

}  // namespace

void bind_details(GraphClass& c) {
  bind_edges(c);
  c.def(
       "source_id",
       [](const KnowledgeGraph& self, std::int64_t entity) {
         return details(self).id(checked_entity(self, entity));
       },
       py::arg("entity"), "The IRI or id that the source gave an entity; empty where the name is all.")
      .def(
          "relation_source_id",
          [](const KnowledgeGraph& self, std::int64_t relation) {
            return details(self).relation_id(checked_relation(self, relation));
          },
          py::arg("relation"), "The same of a relation.")
      .def(
          "find_source_id",
          [](const KnowledgeGraph& self, const std::string& id) { return details(self).find_id(id); },
          py::arg("id"), "The entity with this id of the source, by its exact spelling, or None.")
      .def(
          "label",
          [](const KnowledgeGraph& self, std::int64_t entity) {
            return details(self).label(checked_entity(self, entity));
          },
          py::arg("entity"),
          "The name as the source gave it, where ingestion put something behind it; else empty.")
      .def(
          "aliases",
          [](const KnowledgeGraph& self, std::int64_t entity) {
            return details(self).aliases(checked_entity(self, entity));
          },
          py::arg("entity"), "Other names, in the order of the source.")
      .def(
          "types_of",
          [](const KnowledgeGraph& self, std::int64_t entity) {
            return graph::types_of(self, checked_entity(self, entity));
          },
          py::arg("entity"), "Ids of an entity's types, ascending.")
      .def_property_readonly(
          "type_relation", [](const KnowledgeGraph& self) { return details(self).type_relation(); },
          "The relation whose tails are types, or None.")
      .def(
          "is_housekeeping",
          [](const KnowledgeGraph& self, std::int64_t relation) {
            return details(self).is_housekeeping(checked_relation(self, relation));
          },
          py::arg("relation"),
          "Whether the relation tells of the record (changed at, picture), not of the thing.");
}

void bind_literals(py::module_& m) {
  Record<Literal>(m, "LiteralValue", "A text that an entity or relation has beside the graph.")
      .field("name", &Literal::name, "What it is, in words: 'release date'.")
      .field("text", &Literal::text, "The text as it was written.")
      .field("language", &Literal::language, "A tag, or empty.")
      .field("datatype", &Literal::datatype, "An IRI, or empty.")
      .field("predicate", &Literal::predicate, "The IRI that `name` was made of, or empty.")
      .field("source", &Literal::source, "What gave it, or empty.")
      .field("role", &Literal::role, "'value', 'description', 'label', 'alias' or 'resource'.");

  py::class_<Values>(m, "Literals", "Texts beside the graph of a database: literals that name nothing.")
      .def_static(
          "load",
          [](const StoreHandle& store) {
            const auto open = store.open_store();
            return released([&] { return Values::load(*open); });
          },
          py::arg("store"), "Those of a database, or None when it has none.")
      .def("__len__", &Values::size)
      .def(
          "of",
          [](const Values& self, EntityId entity, const std::string& role) {
            return copied(self.of(entity, role_of(role)));
          },
          py::arg("entity"), py::arg("role") = "value", "Those of an entity, in the order of the files.")
      .def(
          "of_relation",
          [](const Values& self, graph::RelationId relation) { return copied(self.of_relation(relation)); },
          py::arg("relation"), "Those of a relation, in all roles.")
      .def(
          "description", [](const Values& self, EntityId entity) { return self.description(entity); },
          py::arg("entity"), "The first description of an entity; empty where there is none.");
}

}  // namespace kgwalk::python
