// Connect, complete, look around, and forms with sentences.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/complete.h"
#include "kgwalk/connect.h"
#include "kgwalk/explore.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/querier.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/history.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;
using graph::KnowledgeGraph;

void bind_connect(py::module_& m) {
  Record<ConnectingPath> path(m, "ConnectingPath", "A path that joins two entities.");
  path.field("hops", &ConnectingPath::hops, "In order.")
      .field("log_prob", &ConnectingPath::log_prob, "Natural logarithm: the walker's, of all hops.")
      .field("reason", &ConnectingPath::reason, "Why it tells something, in a line.");
  path.def("__str__", &ConnectingPath::to_string);
  Record<Link>(m, "Link", "Two entities and what joins them.")
      .field("source", &Link::from, "As the graph spells it.")
      .field("target", &Link::to, "As the graph spells it.")
      .field("distance", &Link::distance, "Hops of a shortest path, or None.")
      .field("paths", &Link::paths, "The most telling first.");
  m.def(
      "connect",
      [](const Planner& planner, const std::vector<std::string>& entities, int k, int detour, int beam,
         const History& history) {
        const ConnectRequest request{
            .entities = entities, .k = k, .detour = detour, .beam = beam, .history = history.utterances};
        return released([&] { return connect(planner, request); });
      },
      py::arg("planner").none(false), py::arg("entities"), py::kw_only(), py::arg("k") = 3,
      py::arg("detour") = 2, py::arg("beam") = 32, py::arg("history") = py::tuple(),
      "Paths between 2 to 10 entities; more than two are joined by as few links as possible. `detour`: hops "
      "more than a shortest path has.");
}

void bind_complete(py::module_& m) {
  Record<Completion>(m, "Completion", "A fact that may hold.")
      .field("fact", &Completion::fact, "Whole.")
      .field("distance", &Completion::distance, "The smaller, the likelier; see EmbeddingTables.distance.")
      .field("known", &Completion::known, "Whether the graph holds it.")
      .field("probability", &Completion::probability,
             "That it is the right one, 0 to 1; None where not known.");
  py::class_<Completer>(m, "Completer", "Facts with a part missing, by tables of embeddings.")
      .def_static(
          "open",
          [](const fs::path& database, int dim, const std::string& model) {
            return released(
                [&] { return std::make_unique<Completer>(Completer::open(database, dim, model)); });
          },
          py::arg("database"), py::arg("dim") = 0, py::arg("model") = "",
          "The best tables of a database; those `dim` wide or of one model where they are given.")
      .def(
          "complete",
          [](const Completer& self, const std::string& head, const std::string& relation,
             const std::string& tail, int k, bool known, const std::string& having_relation,
             const std::string& having_entity) {
            const CompleteRequest request{.head = head,
                                          .relation = relation,
                                          .tail = tail,
                                          .k = k,
                                          .known = known,
                                          .having_relation = having_relation,
                                          .having_entity = having_entity};
            return released([&] { return self.complete(request); });
          },
          py::kw_only(), py::arg("head") = "", py::arg("relation") = "", py::arg("tail") = "",
          py::arg("k") = 10, py::arg("known") = true, py::arg("having_relation") = "",
          py::arg("having_entity") = "",
          "Likeliest first. Leave out the one of head, relation and tail that is asked for. `known`: False "
          "leaves out what the graph holds.");
}

constexpr const char* kFits[] = {"same", "begins", "word_begins", "near"};

void bind_explorer_records(py::module_& m) {
  Record<EntityFound>(m, "EntityFound", "An entity that was looked for.")
      .field("name", &EntityFound::name, "As the graph spells it.")
      .field("edges", &EntityFound::edges, "Out-edges, inverses included.")
      .field("kind", &EntityFound::kind, "'film', 'person'; empty: not known.")
      .field(
          "fit", [](const EntityFound& self) { return std::string(kFits[static_cast<int>(self.fit)]); },
          "'same', 'begins', 'word_begins' or 'near'.");
  Record<NeighborGroup>(m, "NeighborGroup", "Neighbors by one relation.")
      .field("relation", &NeighborGroup::relation, "Its name.")
      .field("label", &NeighborGroup::label, "In everyday words.")
      .field("total", &NeighborGroup::total, "Tails that there are.")
      .field("tails", &NeighborGroup::tails, "Those with the most edges first.");
  Record<Neighborhood>(m, "Neighborhood", "What an entity is joined to.")
      .field("entity", &Neighborhood::entity, "As the graph spells it.")
      .field("kind", &Neighborhood::kind, "'film', 'person'; empty: not known.")
      .field("edges", &Neighborhood::edges, "Out-edges, inverses included.")
      .field("groups", &Neighborhood::groups, "By relation.");
  Record<KindCount>(m, "KindCount", "A kind of entities.")
      .field("kind", &KindCount::kind, "Its name.")
      .field("entities", &KindCount::entities, "How many.")
      .field("examples", &KindCount::examples, "Up to three.");
  Record<RelationCount>(m, "RelationCount", "A relation.")
      .field("relation", &RelationCount::relation, "Its name.")
      .field("label", &RelationCount::label, "In everyday words.")
      .field("facts", &RelationCount::facts, "How many.");
}

void bind_explorer(py::module_& m) {
  bind_explorer_records(m);
  py::class_<Explorer>(m, "Explorer", "Looks around in a graph.")
      .def(py::init([](const KnowledgeGraph& graph) {
             return released([&] { return std::make_unique<Explorer>(graph); });
           }),
           py::arg("graph").none(false), py::keep_alive<1, 2>(), "About 0.1 s for 100,000 names.")
      .def(
          "search",
          [](const Explorer& self, const std::string& text, std::size_t count) {
            return released([&] { return self.search(text, count); });
          },
          py::arg("text"), py::arg("count") = 10, "Entities for what was typed so far, the best first.")
      .def(
          "around",
          [](const Explorer& self, const std::string& entity, const std::string& relation,
             std::size_t per_relation, std::size_t skip) {
            return self.around(
                {.entity = entity, .relation = relation, .per_relation = per_relation, .skip = skip});
          },
          py::arg("entity"), py::arg("relation") = "", py::kw_only(), py::arg("per_relation") = 8,
          py::arg("skip") = 0, "What an entity is joined to, relation by relation.")
      .def("kinds", &Explorer::kinds, "Kinds of entities, those that there are most of first.")
      .def("relations", &Explorer::relations, py::arg("count") = 20, "Relations, the most frequent first.")
      .def(
          "way",
          [](const Explorer& self, const std::string& source, const std::string& target) {
            return released([&] { return self.way(source, target); });
          },
          py::arg("source"), py::arg("target"), "Hops of a shortest path, or None without one.");
}

void bind_querier(py::module_& m) {
  py::class_<Querier>(m, "Querier",
                      "Answers forms and SPARQL with a sentence, the form in words, and facts as evidence.")
      .def(py::init([](const KnowledgeGraph& graph) {
             return released([&] { return std::make_unique<Querier>(graph); });
           }),
           py::arg("graph").none(false), py::keep_alive<1, 2>(), "Reads the values of a graph once.")
      .def(
          "answer",
          [](const Querier& self, const py::object& query, std::size_t rows, double seconds) {
            FormRequest request{.rows = rows, .seconds = seconds};
            if (py::isinstance<py::str>(query))
              request.sparql = query.cast<std::string>();
            else if (py::isinstance<py::dict>(query))
              request.form = to_json(query).dump();
            else
              throw py::type_error("query: must be a form (a dictionary) or a text of SPARQL, not " +
                                   py::repr(query).cast<std::string>());
            return released([&] { return self.to_json(self.answer(request)); });
          },
          py::arg("query"), py::kw_only(), py::arg("rows") = 100, py::arg("seconds") = 5.0,
          "json: 'said', 'words', 'form', 'sparql', 'answer', 'rows', 'evidence'. A dictionary is a form, a "
          "text SPARQL.");
}

}  // namespace

void bind_queries(py::module_& m) {
  bind_connect(m);
  bind_complete(m);
  bind_explorer(m);
  bind_querier(m);
}

}  // namespace kgwalk::python
