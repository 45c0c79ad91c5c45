// Trainings.
#include "kgwalk/training.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>
#include <utility>

#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/settings.h"
#include "python/model/work.h"

namespace kgwalk::python {
namespace {

// Files of questions: a path, {"name", "file", "weight"}, or a list of either.
void set_questions(TrainWalkerOptions& options, const py::handle& given) {
  static const Keywords<QuestionSource> keywords = Keywords<QuestionSource>()
                                                       .key("name", &QuestionSource::name)
                                                       .key("file", &QuestionSource::file)
                                                       .key("weight", &QuestionSource::weight);
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given)) {
    for (const py::handle each : given) set_questions(options, each);
  } else if (py::isinstance<py::dict>(given)) {
    options.questions.push_back(keywords.read(given.cast<py::dict>()));
  } else {
    const auto file = given.cast<std::filesystem::path>();
    options.questions.push_back({.name = file.stem().string(), .file = file});
  }
}

// What every training of a model has.
template <class Options>
Keywords<Options> of_training() {
  Keywords<Options> keywords;
  keywords.key("database", &Options::database).key("run", &Options::run).key("seed", &Options::seed);
  return with_settings(keywords);
}

void bind_tables(py::module_& m) {
  using Distances = ComputeDistancesOptions;
  Keywords<Distances> distances;
  distances.key("database", &Distances::database)
      .key("histogram", &Distances::histogram)
      .key("sample", &Distances::sample)
      .key("index", &Distances::index)
      .key("rank", &Distances::rank)
      .key("seed", &Distances::seed);
  def_work(
      m, "compute_distances", with_settings(distances), &compute_distances,
      "Exact distances of a graph: their histogram, the index of single pairs that planners read, factors of "
      "a rank.");
  Keywords<EmbedOptions> embedding = of_training<EmbedOptions>();
  embedding.key("model", &EmbedOptions::model);
  def_work(
      m, "embed", embedding, &embed,
      "Train embeddings of the graph of a database and keep the tables there; model 'transe', 'complex', "
      "'rotate' or 'distmult', settings such as {'dim': 64, 'epochs': 10}.");
  using Questions = MakeQuestionsOptions;
  Keywords<Questions> questions;
  questions.key("database", &Questions::database)
      .key("simplequestions", &Questions::simplequestions)
      .key("metaqa", &Questions::metaqa)
      .key("out", &Questions::out)
      .key("bank", &Questions::bank)
      .key("count", &Questions::count)
      .key("split", &Questions::split)
      .key("hops", &Questions::hops)
      .key("path_labels", &Questions::path_labels)
      .key("without_held", &Questions::without_held)
      .key("shown", &Questions::shown)
      .key("seed", &Questions::seed);
  def_work(m, "make_questions", with_settings(questions), &make_questions,
           "Questions to learn from, made of a graph or of files, into the file `out` (JSON Lines).");
}

void bind_walkers(py::module_& m) {
  auto walker = of_training<TrainWalkerOptions>();
  walker.key("text", &TrainWalkerOptions::text).key("questions", &set_questions);
  walker.key("model", &TrainWalkerOptions::model);
  def_work(m, "train_walker", walker, &train_walker,
           "Stage 1: a walker by the paths of dialogues and by questions. `questions`: a file or files of "
           "make_questions().");
  using Listener = TrainListenerOptions;
  auto listener = of_training<Listener>();
  listener.key("text", &Listener::text)
      .key("made", &Listener::made)
      .key("questions", &Listener::questions)
      .key("without_named", &Listener::without_named)
      .key("start", &Listener::from)  // `from` is a word of Python's own
      .key("shown", &Listener::shown);
  def_work(m, "train_listener", listener, &train_listener, "What hears a question as a form over the graph.");
  using Stage2 = TrainStage2Options;
  auto stage2 = of_training<Stage2>();
  // `from` is a word of Python's own.
  stage2.key("stage1", &Stage2::from).key("text", &Stage2::text).key("simulator", &Stage2::simulator);
  def_work(m, "train_stage2", stage2, &train_stage2,
           "Stage 2: a walker that reaches goals. `stage1`: run of train_walker() with a preset of stage 2.");
}

}  // namespace

void bind_training(py::module_& m) {
  m.def("options_of", &options_of, py::arg("function"), py::arg("preset") = "",
        "What may be set for a training: a list of {'name', 'type', 'value', 'range', 'choices', "
        "'description'}.");
  m.def("presets_of", &presets_of, py::arg("function"), "Presets of a training.");
  Record<Report>(m, "Report", "What came of work.")
      .field("text", &Report::text, "Whole lines, as the command line prints them.")
      .field("json", &Report::json, "All numbers.");
  Record<QuestionsMade>(m, "QuestionsMade", "What make_questions() made.")
      .field("questions", &QuestionsMade::questions, "How many.")
      .field(
          "text", [](const QuestionsMade& self) { return self.text; },
          "Whole lines, as the command line prints them.")
      .field(
          "json", [](const QuestionsMade& self) { return self.json; }, "All numbers.");
  Record<Trained>(m, "Trained", "What a training made.")
      .field("run", &Trained::run, "The folder.")
      .field("model", &Trained::model, "What is used by itself; '.': the run is.")
      .field("steps", &Trained::steps, "Updates.")
      .field("epochs", &Trained::epochs, "Epochs.")
      .field("best_step", &Trained::best_step, "Whose weights are used.")
      .field("best", &Trained::best, "Metrics there, as json.")
      .field("seconds", &Trained::seconds, "Wall time, over all calls.")
      .field("processor_seconds", &Trained::processor_seconds, "Of all threads.")
      .field(
          "text", [](const Trained& self) { return self.text; },
          "Whole lines, as the command line prints them.")
      .field(
          "json", [](const Trained& self) { return self.json; }, "All numbers.");
  bind_tables(m);
  bind_walkers(m);
  def_work(m, "pretrain_text", of_training<PretrainTextOptions>(), &pretrain_text,
           "A small text encoder from the training dialogues of a database.");
  def_work(m, "train_simulator", of_training<TrainSimulatorOptions>(), &train_simulator,
           "The simulated user.");
  def_work(m, "train_responder", of_training<TrainResponderOptions>(), &train_responder,
           "What puts paths and answers into sentences.");
}

}  // namespace kgwalk::python
