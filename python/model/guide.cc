// Guide and Responder.
#include "kgwalk/guide.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <string>
#include <vector>

#include "kgwalk/responder.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

void bind_responder(py::module_& m) {
  py::class_<Responder, std::shared_ptr<Responder>>(m, "Responder", "Puts answers and paths into sentences.")
      .def_static(
          "by_wordings", [] { return std::make_shared<Responder>(Responder::by_wordings()); },
          "By wordings of relations that are built in; it speaks of any graph.")
      .def_static(
          "open",
          [](const fs::path& database, const fs::path& run) {
            return released([&] { return std::make_shared<Responder>(Responder::open(database, run)); });
          },
          py::arg("database"), py::arg("run"), "By a trained response model, which names no other entities.")
      .def(
          "say",
          [](const Responder& self, const Plan& plan, std::size_t path) {
            return released([&] { return self.say(plan, path); });
          },
          py::arg("plan").none(false), py::arg("path") = 0,
          "A sentence or two: the answer, or where nothing was asked the path with this place.")
      .def_static("ask_which", &Responder::ask_which, py::arg("name"), py::arg("entities"),
                  py::arg("turn") = 0, "Asks which of the entities that bear a name is meant.")
      .def_static("ask_nearest", &Responder::ask_nearest, py::arg("entities"), py::arg("turn") = 0,
                  "Asks whether one of these is meant, when a name is unknown.")
      .def_static("ask_anything", &Responder::ask_anything, py::arg("turn") = 0, "Asks what to talk about.");
}

}  // namespace

void bind_guide(py::module_& m) {
  bind_responder(m);
  py::class_<Guide, std::shared_ptr<Guide>>(m, "Guide", "Walks to a goal, turn by turn; a walker of stage 2.")
      .def_static(
          "open",
          [](const fs::path& database, const fs::path& run, const fs::path& simulator, const fs::path& text,
             bool other_graph, const std::shared_ptr<Responder>& responder) {
            const GuideOptions options{.database = database,
                                       .run = run,
                                       .simulator = simulator,
                                       .text = text,
                                       .other_graph = other_graph,
                                       .responder = responder};
            return released([&] { return std::make_shared<Guide>(Guide::open(options)); });
          },
          py::arg("database"), py::arg("run"), py::kw_only(), py::arg("simulator") = "", py::arg("text") = "",
          py::arg("other_graph") = false, py::arg("responder") = py::none(),
          "`simulator`: run of the simulated user, 'wordings', or '' for a user who says nothing.")
      .def(
          "lead",
          [](const Guide& self, const std::string& start, const std::string& goal, int turns,
             const std::vector<std::string>& say, int shown, std::uint64_t seed) {
            const TrajectoryRequest request{
                .start = start, .goal = goal, .turns = turns, .say = say, .shown = shown, .seed = seed};
            return released([&] { return self.lead(request); });
          },
          py::arg("start"), py::arg("goal"), py::kw_only(), py::arg("turns") = 10,
          py::arg("say") = std::vector<std::string>{}, py::arg("shown") = 10, py::arg("seed") = 1,
          "Walk until the goal is reached or `turns` hops are taken. `say`: what the user says, turn by "
          "turn; "
          "`shown`: candidates kept a turn.");
}

}  // namespace kgwalk::python
