// From files to a model that answers.
#include "kgwalk/workflows.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/binding/calls.h"
#include "python/binding/keywords.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

// Tells a callable of steps: it is given a WorkflowStep and, when the step ends, a WorkflowResult, else None.
// What it raises ends the workflow; its False asks it to stop.
class StepTeller {
 public:
  StepTeller(const py::object& on_step, std::shared_ptr<StopFlag> stop)
      : on_step_(on_step), stop_(std::move(stop)) {}

  [[nodiscard]] WorkflowObserver observer() {
    if (on_step_.is_none()) return {};
    return {.begins = [this](const WorkflowStep& step) { tell(step, nullptr); },
            .ends = [this](const WorkflowStep& step, const WorkflowResult& result) { tell(step, &result); }};
  }

 private:
  void tell(const WorkflowStep& step, const WorkflowResult* result) {
    const Acquired lock;
    if (!lock.held()) return;
    const py::object answer = on_step_(step, result == nullptr ? py::object(py::none()) : py::cast(*result));
    if (answer.ptr() == Py_False) stop_->request();
  }

  const py::object& on_step_;
  std::shared_ptr<StopFlag> stop_;
};

template <class Options, class Result>
void def_workflow(py::module_& m, const char* name, const Keywords<Options>& keywords,
                  Result (*work)(const Options&, const WorkflowObserver&, Reporter&, const StopFlag&),
                  const std::string& doc) {
  m.def(
      name,
      [keywords, work](const py::object& on_step, const py::object& progress, const StopHandle& given_stop,
                       const py::kwargs& given) {
        const Options options = keywords.read(given);
        const StopHandle stop = given_stop ? given_stop : std::make_shared<StopFlag>();
        StepTeller teller(on_step, stop);
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return work(options, teller.observer(), reporter, flag);
        });
      },
      py::kw_only(), py::arg("on_step") = py::none(), py::arg("progress") = py::none(),
      py::arg("stop") = py::none(), (doc + " " + keywords.told()).c_str());
}

Keywords<QuickstartOptions> quickstart_keywords() {
  using Options = QuickstartOptions;
  Keywords<Options> keywords;
  keywords
      .key("triples",
           [](Options& self, const py::handle& given) {
             if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given))
               self.graph.triples = given.cast<std::vector<fs::path>>();
             else
               self.graph.triples = {given.cast<fs::path>()};
           })
      .key("input", [](Options& self,
                       const py::handle& given) { self.graph.input = given.cast<graph::InputOptions>(); })
      .key("mapping",
           [](Options& self, const py::handle& given) { self.graph.mapping = given.cast<fs::path>(); })
      .key("entities",
           [](Options& self, const py::handle& given) { self.graph.entities = given.cast<fs::path>(); })
      .key("dialogues",
           [](Options& self, const py::handle& given) {
             for (const auto& [split, file] : given.cast<py::dict>())
               self.graph.dialogues.push_back({split.cast<std::string>(), file.cast<fs::path>()});
           })
      .key("folder", &Options::folder)
      .key("text", &Options::text)
      .key("questions", &Options::questions)
      .key("walks", &Options::walks)
      .key("about", &Options::about)
      .key("license", &Options::license)
      .key("ask", &Options::ask)
      .key("seed", &Options::seed);
  return keywords;
}

void bind_steps(py::module_& m) {
  Record<WorkflowStep>(m, "WorkflowStep", "A step of a workflow.")
      .field("title", &WorkflowStep::title, "'The walker'.")
      .field("function", &WorkflowStep::function, "That is called: 'train_walker'.")
      .field("arguments", &WorkflowStep::arguments, "Options that differ from their defaults, as text.")
      .field("number", &WorkflowStep::number, "From 1.")
      .field("of", &WorkflowStep::of, "Steps of the workflow; 0: not known.")
      .field("done", &WorkflowStep::done, "By a call before: it is passed over.");
  Record<WorkflowResult>(m, "WorkflowResult", "What came of a step.")
      .field("learned", &WorkflowResult::learned, "By a training, in a sentence.")
      .field(
          "text", [](const WorkflowResult& self) { return self.text; }, "Whole lines.")
      .field(
          "json", [](const WorkflowResult& self) { return self.json; }, "All numbers.");
}

void bind_results(py::module_& m) {
  Record<ModelSummary>(m, "ModelSummary", "What a model is about and what it can be asked.")
      .field("title", &ModelSummary::title, "Of the page.")
      .field(
          "text", [](const ModelSummary& self) { return self.text; }, "The page, as Markdown.")
      .field(
          "json", [](const ModelSummary& self) { return self.json; }, "All numbers.");
  Record<QuickstartResult>(m, "QuickstartResult", "What quickstart() made.")
      .field("folder", &QuickstartResult::folder, "Of everything.")
      .field("database", &QuickstartResult::database, "The database.")
      .field("run", &QuickstartResult::run, "The walker's.")
      .field("model", &QuickstartResult::model, "Packed: Planner.open(model).")
      .field("page", &QuickstartResult::page, "The summary, a file.")
      .field("summary", &QuickstartResult::summary, "The summary.")
      .field("seconds", &QuickstartResult::seconds, "Of all steps.");
  Record<OpenDialKgResult>(m, "OpenDialKgResult", "What opendialkg() made.")
      .field("folder", &OpenDialKgResult::folder, "Of everything.")
      .field("model", &OpenDialKgResult::model, "In one file.")
      .field("page", &OpenDialKgResult::page, "html: tables, curves, answers.")
      .field("seconds", &OpenDialKgResult::seconds, "Of all steps.");
  Record<DemoResult>(m, "DemoResult", "What demo() made.")
      .field("database", &DemoResult::database, "The database.")
      .field("agent", &DemoResult::agent, "Run of stage 2.")
      .field("listener", &DemoResult::listener, "Run of the listener.")
      .field("simulator", &DemoResult::simulator, "Run of the simulated user.")
      .field("model", &DemoResult::model, "A file that names the parts.")
      .field("pages", &DemoResult::pages, "html: a plan, a walk to a goal, dialogues.");
}

}  // namespace

void bind_workflows(py::module_& m) {
  bind_steps(m);
  bind_results(m);
  def_workflow(
      m, "quickstart", quickstart_keywords(), &quickstart,
      "From the files of a graph (`triples`) to a packed model in `folder`. A call that was stopped goes "
      "on.");
  Keywords<OpenDialKgOptions> recipe;
  recipe.key("data", &OpenDialKgOptions::data)
      .key("folder", &OpenDialKgOptions::folder)
      .key("text", &OpenDialKgOptions::text)
      .key("quick", &OpenDialKgOptions::quick)
      .key("seed", &OpenDialKgOptions::seed);
  def_workflow(m, "opendialkg", recipe, &opendialkg,
               "From the files of OpenDialKG to evaluated walkers of both stages and a packed model.");
  Keywords<DemoOptions> demonstration;
  demonstration.key("data", &DemoOptions::data)
      .key("folder", &DemoOptions::folder)
      .key("seed", &DemoOptions::seed);
  def_workflow(m, "demo", demonstration, &demo, "Both stages on the sample, with a measure of each.");
  m.def(
      "summarize_model",
      [](const fs::path& model, const std::vector<std::string>& ask, const py::object& progress,
         const StopHandle& stop) {
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return summarize_model({.model = model, .ask = ask}, reporter, flag);
        });
      },
      py::arg("model"), py::arg("ask") = std::vector<std::string>{}, py::kw_only(),
      py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "What a packed model is about, what it can be asked and how it answers.");
}

}  // namespace kgwalk::python
