// Planner.
#include "kgwalk/planner.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/graphs.h"
#include "python/model/history.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<Planner> open_planner(const fs::path& database, const std::optional<fs::path>& run,
                                      int threads, const fs::path& text, bool other_graph) {
  return released([&] {
    return std::make_shared<Planner>(
        run ? Planner::open(database, *run, {.threads = threads, .text = text, .other_graph = other_graph})
            : Planner::open(database));
  });
}

PlanRequest request_of(const History& history, const std::string& start,
                       const std::optional<std::string>& goal,
                       const std::vector<std::vector<GivenHop>>& walked, int k, int beam, int max_hops) {
  PlanRequest request{.history = history.utterances,
                      .start = start,
                      .goal = goal,
                      .k = k,
                      .beam = beam,
                      .max_hops = max_hops};
  for (const std::vector<GivenHop>& path : walked) {
    std::vector<NamedHop>& hops = request.walked.emplace_back();
    for (const GivenHop& given : path) hops.push_back(given.hop);
  }
  return request;
}

// plan() and explain() take the same.
template <class Call>
void def_call(py::class_<Planner, std::shared_ptr<Planner>>& c, const char* name, Call call,
              const char* doc) {
  c.def(
      name,
      [call](const Planner& self, const History& history, const std::string& start,
             const std::optional<std::string>& goal, const std::vector<std::vector<GivenHop>>& walked, int k,
             int beam, int max_hops) {
        const PlanRequest request = request_of(history, start, goal, walked, k, beam, max_hops);
        return released([&] { return call(self, request); });
      },
      py::arg("history") = py::tuple(), py::kw_only(), py::arg("start") = "", py::arg("goal") = py::none(),
      py::arg("walked") = py::tuple(), py::arg("k") = 5, py::arg("beam") = 25, py::arg("max_hops") = 2, doc);
}

}  // namespace

void bind_planner(py::module_& m) {
  py::class_<Planner, std::shared_ptr<Planner>> c(
      m, "Planner",
      "Plans the next paths of a dialogue over a graph. Any number of threads may ask it at the same time; "
      "calls do not hold the interpreter's lock.");
  c.def_static(
      "open", &open_planner, py::arg("database"), py::arg("run") = py::none(), py::kw_only(),
      py::arg("threads") = 0, py::arg("text") = "", py::arg("other_graph") = false,
      "A database and the run of a trained walker, or a packed model alone. Takes seconds. `threads`: "
      "of this process, 0 as they are; `text`: folder of the text encoder when it has moved; "
      "`other_graph`: the database may hold another graph than the one trained on.");
  def_call(
      c, "plan", [](const Planner& self, const PlanRequest& request) { return self.plan(request); },
      "The k most probable paths, best first. `history`: a text, or ('user' | 'assistant', text) pairs, "
      "oldest "
      "first; `start`: entity to walk from, '' to choose it from what was said; `goal`: entity to come "
      "nearer "
      "to; `walked`: paths of earlier turns, of (head, relation, tail); `beam`: partial paths kept.");
  def_call(
      c, "explain", [](const Planner& self, const PlanRequest& request) { return self.explain(request); },
      "The same paths with the answer, what was weighed on the way, and how the goal lies.");
  c.def(
       "survey",
       [](const Planner& self, const std::string& start, const std::string& goal) {
         return released([&] { return self.survey(start, goal); });
       },
       py::arg("start"), py::arg("goal"), "How a goal lies to a start, nothing planned.")
      .def_property_readonly(
          "stage", [](const Planner& self) { return self.stage() == Planner::Stage::kOne ? 1 : 2; },
          "1, or 2 of a walker that heads for goals.")
      .def_property_readonly("graph", &graph_of_planner, "The graph that is walked on.")
      .def("__repr__", [](const Planner& self) {
        return "Planner(stage " + std::string(self.stage() == Planner::Stage::kOne ? "1" : "2") + ", " +
               std::to_string(self.graph().num_entities()) + " entities)";
      });
}

}  // namespace kgwalk::python
