// KnowledgeGraph: its arrays as views of numpy's, names, look-up.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"
#include "python/binding/arrays.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/binding/text.h"
#include "python/graph/bindings.h"
#include "python/graph/checks.h"

namespace kgwalk::python {
namespace {

using graph::Edge;
using graph::EntityId;
using graph::KnowledgeGraph;
using graph::RelationId;

py::array_t<Edge> edges_view(std::span<const Edge> edges, const py::object& self) {
  return view_of(edges, self);
}

const KnowledgeGraph& graph_of(const py::object& self) { return self.cast<const KnowledgeGraph&>(); }

std::shared_ptr<KnowledgeGraph> from_triples(const py::iterable& triples,
                                             const std::vector<std::string>& extra) {
  std::vector<graph::NamedTriple> named;
  for (const py::handle item : triples) {
    if (!py::isinstance<py::sequence>(item) || py::isinstance<py::str>(item) || py::len(item) != 3)
      throw py::type_error("triples: each must be (head, relation, tail), not " +
                           py::repr(item).cast<std::string>());
    const auto parts = py::reinterpret_borrow<py::sequence>(item);
    for (const py::handle part : parts)
      if (!py::isinstance<py::str>(part))
        throw py::type_error("triples: head, relation and tail must be text, not " +
                             py::repr(part).cast<std::string>());
    named.push_back({text_of(parts[0]), text_of(parts[1]), text_of(parts[2])});
  }
  return released(
      [&] { return std::make_shared<KnowledgeGraph>(KnowledgeGraph::from_triples(named, extra)); });
}

std::shared_ptr<KnowledgeGraph> open_graph(const std::filesystem::path& database) {
  return released([&] {
    return std::make_shared<KnowledgeGraph>(
        graph::Store::open(database, graph::Store::Mode::kReadOnly).load_graph());
  });
}

[[noreturn]] void unknown(const char* what, const std::string& name, const std::vector<std::string>& near) {
  std::string advice;
  for (const std::string& other : near) advice += (advice.empty() ? "; did you mean '" : ", '") + other + "'";
  throw ConfigError(std::string(what) + " '" + name + "' is not in the graph" + advice +
                    (advice.empty() ? "" : "?"));
}

EntityId entity_of(const KnowledgeGraph& self, const std::string& name) {
  if (const auto id = self.find_entity(name)) return *id;
  unknown("entity", name, released([&] { return self.suggest_entities(name); }));
}

RelationId relation_of(const KnowledgeGraph& self, const std::string& name) {
  if (const auto id = self.find_relation(name)) return *id;
  unknown("relation", name, self.suggest_relations(name));
}

// The converters are written in Python: they need packages that may not be there.
auto converter(const char* name) {
  return [name](const py::object& self, const py::args& args, const py::kwargs& kwargs) {
    return py::module_::import("kgwalk._convert").attr(name)(self, *args, **kwargs);
  };
}

template <class Class>
void bind_arrays(Class& c) {
  c.def_property_readonly(
       "offsets", [](const py::object& self) { return view_of(graph_of(self).offsets(), self); },
       "uint64 [num_entities + 1], a view: the out-edges of entity e are edges[offsets[e]:offsets[e + 1]].")
      .def_property_readonly(
          "edges", [](const py::object& self) { return edges_view(graph_of(self).edges(), self); },
          "[num_edges], a view with the fields 'relation' and 'tail' (uint32): all out-edges, inverses "
          "included, by head, relation and tail.")
      .def_property_readonly(
          "neighbor_offsets",
          [](const py::object& self) { return view_of(graph_of(self).neighbor_offsets(), self); },
          "uint64 [num_entities + 1], a view: rows of all_neighbors.")
      .def_property_readonly(
          "all_neighbors",
          [](const py::object& self) { return view_of(graph_of(self).all_neighbors(), self); },
          "uint32, a view: the neighbors of all entities, one entity after the other.")
      .def(
          "out_edges",
          [](const py::object& self, std::int64_t entity) {
            const KnowledgeGraph& graph = graph_of(self);
            return edges_view(graph.out_edges(checked_entity(graph, entity)), self);
          },
          py::arg("entity"), "The out-edges of an entity: a view of `edges`.")
      .def(
          "neighbors",
          [](const py::object& self, std::int64_t entity) {
            const KnowledgeGraph& graph = graph_of(self);
            return view_of(graph.neighbors(checked_entity(graph, entity)), self);
          },
          py::arg("entity"),
          "uint32, a view: distinct neighbors, ascending; parallel edges once, self-loops left out.");
}

template <class Class>
void bind_names(Class& c) {
  c.def(
       "entity_name",
       [](const KnowledgeGraph& self, std::int64_t id) { return self.entity_name(checked_entity(self, id)); },
       py::arg("entity"), "The name of an entity, as it was first spelled.")
      .def(
          "relation_name",
          [](const KnowledgeGraph& self, std::int64_t id) {
            return self.relation_name(checked_relation(self, id));
          },
          py::arg("relation"), "The name of a relation; an inverse begins with '~'.")
      .def(
          "entity_names",
          [](const KnowledgeGraph& self) {
            py::list names(self.num_entities());
            for (EntityId id = 0; id < self.num_entities(); ++id) names[id] = py::cast(self.entity_name(id));
            return names;
          },
          "Names of all entities, by id.")
      .def(
          "relation_names",
          [](const KnowledgeGraph& self) {
            py::list names(self.num_relations());
            for (RelationId id = 0; id < self.num_relations(); ++id)
              names[id] = py::cast(self.relation_name(id));
            return names;
          },
          "Names of all relations, by id, inverses included.")
      .def("entity", &entity_of, py::arg("name"),
           "The id of an entity by its name, in any case and Unicode form. ConfigError names the nearest.")
      .def("relation", &relation_of, py::arg("name"), "The same for relations.")
      .def(
          "find_entity",
          [](const KnowledgeGraph& self, const std::string& name) { return self.find_entity(name); },
          py::arg("name"), "As entity(), but None when there is no such name.")
      .def(
          "find_relation",
          [](const KnowledgeGraph& self, const std::string& name) { return self.find_relation(name); },
          py::arg("name"), "As relation(), but None when there is no such name.")
      .def(
          "suggest_entities",
          [](const KnowledgeGraph& self, const std::string& name, std::size_t count) {
            return released([&] { return self.suggest_entities(name, count); });
          },
          py::arg("name"), py::arg("count") = 3, "Nearest names, best first.")
      .def(
          "suggest_relations",
          [](const KnowledgeGraph& self, const std::string& name, std::size_t count) {
            return self.suggest_relations(name, count);
          },
          py::arg("name"), py::arg("count") = 3, "Nearest names, best first.");
}

}  // namespace

void bind_knowledge_graph(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(Edge, relation, tail);
  GraphClass c(
      m, "KnowledgeGraph",
      "A graph in memory, which never changes: rows of out-edges (CSR), inverses included. Ids of entities "
      "and "
      "relations begin with 0; entities with an edge come first. Arrays are views without copies, which keep "
      "the graph alive and cannot be written.");
  c.def_static("from_triples", &from_triples, py::arg("triples"),
               py::arg("extra_entities") = std::vector<std::string>{},
               "Build from (head, relation, tail) names; inverses are added, duplicates dropped, and names "
               "that differ in case or Unicode form are one.")
      .def_static("open", &open_graph, py::arg("database"), "The graph of a database made by ingest().")
      .def_property_readonly("num_entities", &KnowledgeGraph::num_entities, "All names.")
      .def_property_readonly("num_connected", &KnowledgeGraph::num_connected,
                             "Entities with an edge: ids below this.")
      .def_property_readonly("num_relations", &KnowledgeGraph::num_relations, "Relations, inverses included.")
      .def_property_readonly("num_edges", &KnowledgeGraph::num_edges, "Directed edges, inverses included.")
      .def_property_readonly(
          "checksum", &KnowledgeGraph::checksum,
          "Of names and edges, in hexadecimal: tables made for another graph are told by it.")
      .def("__len__", &KnowledgeGraph::num_entities)
      .def("__contains__", [](const KnowledgeGraph& self,
                              const std::string& name) { return self.find_entity(name).has_value(); })
      .def("__repr__",
           [](const KnowledgeGraph& self) {
             return "KnowledgeGraph(" + std::to_string(self.num_entities()) + " entities, " +
                    std::to_string(self.num_relations()) + " relations, " + std::to_string(self.num_edges()) +
                    " edges)";
           })
      .def(
          "has_edge",
          [](const KnowledgeGraph& self, std::int64_t head, std::int64_t relation, std::int64_t tail) {
            return self.has_edge(checked_triple(self, head, relation, tail));
          },
          py::arg("head"), py::arg("relation"), py::arg("tail"), "Whether the fact is known, by ids.")
      .def(
          "annotation_only",
          [](const KnowledgeGraph& self, std::int64_t head, std::int64_t relation, std::int64_t tail) {
            return self.annotation_only(checked_triple(self, head, relation, tail));
          },
          py::arg("head"), py::arg("relation"), py::arg("tail"),
          "Whether the fact is known only from an annotation of a dialogue.")
      .def(
          "inverse",
          [](const KnowledgeGraph& self, std::int64_t relation) {
            return self.inverse(checked_relation(self, relation));
          },
          py::arg("relation"), "The relation of the same facts read backwards.")
      .def("facts", converter("facts"),
           "facts(inverses=False): uint32 arrays (heads, relations, tails) of all facts, inverses left out.")
      .def("to_edges", converter("to_edges"),
           "to_edges(inverses=False): (head, relation, tail) names, one after the other.")
      .def("to_networkx", converter("to_networkx"),
           "to_networkx(inverses=False): a networkx.MultiDiGraph of names; keys are relations.")
      .def(
          "to_scipy", converter("to_scipy"),
          "to_scipy(relation=None): a scipy.sparse.csr_array [num_entities, num_entities] with the number of "
          "edges between two, of one relation or of all.")
      .def("to_pandas", converter("to_pandas"),
           "to_pandas(inverses=False): a pandas.DataFrame with the columns head, relation and tail.");
  bind_arrays(c);
  bind_names(c);
  bind_details(c);
}

}  // namespace kgwalk::python
