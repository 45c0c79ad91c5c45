// Forms: questions to the graph as values, evaluated exactly.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "kgwalk/form_text.h"
#include "kgwalk/query.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/binding/text.h"
#include "python/graph/bindings.h"
#include "python/graph/checks.h"

namespace kgwalk::python {
namespace {

using forms::Answer;
using forms::Query;
using graph::EntityId;
using graph::KnowledgeGraph;
using graph::TypedValue;
using Before = std::vector<std::vector<EntityId>>;

// The engine borrows the values, and they the graph: all three live here.
class Forms {
 public:
  explicit Forms(std::shared_ptr<KnowledgeGraph> graph)
      : graph_(std::move(graph)), values_(*graph_), engine_(values_) {}
  [[nodiscard]] const std::shared_ptr<KnowledgeGraph>& graph() const { return graph_; }
  [[nodiscard]] const graph::TypedValues& values() const { return values_; }
  [[nodiscard]] const forms::Engine& engine() const { return engine_; }

 private:
  std::shared_ptr<KnowledgeGraph> graph_;
  graph::TypedValues values_;
  forms::Engine engine_;
};

// A Query, a form as json, or a text of SPARQL.
Query query_of(const Forms& self, const py::object& given) {
  if (py::isinstance<Query>(given)) return given.cast<Query>();
  if (py::isinstance<py::str>(given)) return forms::query_of_sparql(text_of(given), self.values());
  if (!py::isinstance<py::dict>(given))
    throw py::type_error("query: must be a Query, a form (a dictionary) or a text of SPARQL, not " +
                         py::repr(given).cast<std::string>());
  return forms::query_of_json(to_json(given), self.values());
}

void check_before(const Forms& self, const Before& before) {
  for (const std::vector<EntityId>& answer : before)
    for (const EntityId entity : answer) checked_entity(*self.graph(), entity);
}

Answer answer(const Forms& self, const py::object& given, const Before& before, std::uint64_t max_rows,
              std::uint64_t max_visits, double seconds, const StopHandle& stop) {
  const Query query = query_of(self, given);
  check_before(self, before);
  const StopHandle flag = stop ? stop : std::make_shared<StopFlag>();
  const Released lock(flag.get());
  return self.engine().answer(
      query, before,
      {.max_rows = max_rows, .max_visits = max_visits, .budget_s = seconds, .stop = flag.get()});
}

std::vector<std::tuple<EntityId, graph::RelationId, EntityId>> evidence(const Forms& self,
                                                                        const py::object& given,
                                                                        std::int64_t entity,
                                                                        const Before& before) {
  const Query query = query_of(self, given);
  check_before(self, before);
  const EntityId id = checked_entity(*self.graph(), entity);
  const std::vector<graph::Triple> facts =
      released([&] { return self.engine().evidence(query, id, before); });
  std::vector<std::tuple<EntityId, graph::RelationId, EntityId>> result;
  for (const graph::Triple& fact : facts) result.emplace_back(fact.head, fact.relation, fact.tail);
  return result;
}

void bind_answers(py::module_& m) {
  Record<forms::Measured>(m, "Measured", "What an entity was ordered or compared by.")
      .field("entity", &forms::Measured::entity, "Its id.")
      .field("value", &forms::Measured::value, "The value; a count is a number.")
      .field("value_id", &forms::Measured::value_id, "The entity that stands for the value, or None.");

  Record<Answer>(m, "FormAnswer", "The answer to a form. `names()` of Forms gives names for ids.")
      .field("entities", &Answer::entities, "Ids.")
      .field("order", &Answer::order, "How they are ordered: 'id', 'ascending' or 'descending'.")
      .field("measured", &Answer::measured, "Values, where entities were ordered or compared.")
      .field("relations", &Answer::relations, "Ids, where relations were asked for.")
      .field("number", &Answer::number, "A count, sum, average or difference; else None.")
      .field("truth", &Answer::truth, "Yes or no; else None.")
      .field("total", &Answer::total, "How many entities there are, whatever of them is told.")
      .field("ties", &Answer::ties, "More than the n asked for, since the last of them are equal.")
      .field("no_common_value", &Answer::no_common_value, "Nothing compared has values that compare.")
      .field("cut", &Answer::cut, "Why it is not whole: 'none', 'rows', 'visits', 'time' or 'stopped'.")
      .field("complete", &Answer::complete, "Whether it is whole.");

  py::class_<Query>(m, "Query", "A form: what Forms.query() read.")
      .def_property_readonly(
          "kind", [](const Query& self) { return std::string(choice_name(self.kind)); },
          "'find', 'count', 'sum', 'average', 'which', 'whether', 'difference', 'check' or 'relations'.")
      .def(
          "__eq__", [](const Query& a, const Query& b) { return a == b; }, py::is_operator())
      .def("__repr__", [](const Query& self) { return "Query('" + choice_name(self.kind) + "')"; });
}

void bind_text(py::class_<Forms>& c) {
  c.def("query", &query_of, py::arg("query"),
        "Read a form (a dictionary, see docs/reference/forms.md) or a SELECT or ASK of SPARQL (text). "
        "ConfigError for unknown keys and names, with the nearest.")
      .def(
          "words",
          [](const Forms& self, const py::object& given, const Answer* came, std::size_t most_names) {
            const Query query = query_of(self, given);
            return came == nullptr ? forms::in_words(query, self.values())
                                   : forms::in_words(query, self.values(), *came, most_names);
          },
          py::arg("query"), py::arg("answer") = py::none(), py::arg("most_names") = 5,
          "The form as an exact phrase, with what came out where `answer` is given.")
      .def(
          "form",
          [](const Forms& self, const py::object& given) {
            return forms::to_json(query_of(self, given), self.values());
          },
          py::arg("query"), "The form as json.")
      .def(
          "sparql",
          [](const Forms& self, const py::object& given, const Before& before, const std::string& base) {
            check_before(self, before);
            return forms::to_sparql(query_of(self, given), self.values(), before, {.base = base});
          },
          py::arg("query"), py::arg("before") = Before{}, py::kw_only(),
          py::arg("base") = "http://example.org/",
          "The form as SPARQL. ConfigError where SPARQL has no words for it.")
      .def(
          "answer_json",
          [](const Forms& self, const Answer& answer) { return forms::to_json(answer, self.values()); },
          py::arg("answer"), "An answer as json, with names.")
      .def(
          "names",
          [](const Forms& self, const Answer& answer) {
            std::vector<std::string> names;
            for (const EntityId entity : answer.entities) names.push_back(self.values().shown(entity));
            return names;
          },
          py::arg("answer"), "Names of an answer's entities, values as people write them.");
}

void bind_typed_values(py::class_<Forms>& c) {
  c.def(
       "value",
       [](const Forms& self, std::int64_t entity) {
         return self.values().value(checked_entity(*self.graph(), entity));
       },
       py::arg("entity"), "What an entity is by itself, as a value.")
      .def(
          "value_of",
          [](const Forms& self, std::int64_t relation, std::int64_t tail) {
            return self.values().value(checked_relation(*self.graph(), relation),
                                       checked_entity(*self.graph(), tail));
          },
          py::arg("relation"), py::arg("tail"), "The same as the relation reads its tail.")
      .def(
          "ends",
          [](const Forms& self, std::int64_t relation) {
            const graph::RelationEnds ends = self.values().ends(checked_relation(*self.graph(), relation));
            return py::make_tuple(choice_name(ends.heads), choice_name(ends.tails));
          },
          py::arg("relation"), "Kinds of value at (heads, tails) of a relation.")
      .def(
          "ranked",
          [](const Forms& self, std::int64_t relation) {
            std::vector<std::pair<double, EntityId>> ranked;
            for (const graph::RankedValue& each :
                 self.values().ranked(checked_relation(*self.graph(), relation)))
              ranked.emplace_back(each.key, each.value);
            return ranked;
          },
          py::arg("relation"), "Distinct tails that can be ordered: (TypedValue.start, entity), ascending.");
}

}  // namespace

void bind_forms(py::module_& m) {
  bind_answers(m);
  py::class_<Forms> c(
      m, "Forms",
      "Answers forms over a graph, exactly. Any number of threads may ask it at the same time. "
      "A query is a Query, a form as a dictionary or a text of SPARQL.");
  c.def(py::init([](std::shared_ptr<KnowledgeGraph> graph) {
          return released([&] { return std::make_unique<Forms>(std::move(graph)); });
        }),
        py::arg("graph").none(false), "Read the values of a graph: about a second for a million edges.")
      .def_property_readonly("graph", &Forms::graph, "The graph that is asked.")
      .def("answer", &answer, py::arg("query"), py::arg("before") = Before{}, py::kw_only(),
           py::arg("max_rows") = 0, py::arg("max_visits") = 100'000'000, py::arg("seconds") = 0.0,
           py::arg("stop") = py::none(),
           "Evaluate. `before`: ids of earlier answers, by number. Limits: entities told, edges looked at, "
           "wall "
           "time in seconds; 0 is none. An answer that meets one says so in `cut`.")
      .def("evidence", &evidence, py::arg("query"), py::arg("entity"), py::arg("before") = Before{},
           "Facts (head, relation, tail) by id that make an entity a member of the answer.");
  bind_text(c);
  bind_typed_values(c);
}

}  // namespace kgwalk::python
