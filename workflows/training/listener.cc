// train_listener(): what hears questions as forms.
#include <algorithm>
#include <optional>

#include "kgwalk/training.h"
#include "listening/questions/generator.h"
#include "listening/questions/school_graph.h"
#include "runtime/tensor/trainer.h"
#include "workflows/configured.h"
#include "workflows/training/listener_lessons.h"
#include "workflows/training/trained.h"

namespace kgwalk {
namespace {

using listening::FormQuestion;

// What made questions of a graph teach, beside what a listener could do before: half of each hears most. What
// people wrote is to be learned as a whole.
constexpr double kKeptStart = 0.5;

// The made-up graph with questions about it.
struct School {
  School(listening::QuestionConfig config, std::uint64_t seed)
      : graph(listening::school_graph(seed)), listened(graph) {
    config.count = static_cast<int>(config.school * config.count);
    if (config.count > 0)
      questions = make_form_questions(listened.lexicon(), listened.engine(), config, seed);
  }
  graph::KnowledgeGraph graph;
  listening::ListenedGraph listened;
  std::vector<FormQuestion> questions;
};

ListenConfiguration listener_config(const TrainListenerOptions& options) {
  refuse_preset(options.settings, "the listener");
  if (options.made < 1) throw ConfigError("a listener is trained on 1 question made from the graph or more");
  ListenConfiguration config;
  config.questions.count = options.made;
  const bool goes_on = !options.database.empty() && options.from != "nothing" && options.questions.empty();
  if (goes_on) config.listening.trainer.kept_start = kKeptStart;
  return with_values(options.settings, config);
}

// As listening::ListenTraining has it.
std::filesystem::path start_of(const TrainListenerOptions& options) {
  if (options.from.empty()) return listening::kFromSchool;
  return options.from == "nothing" ? "" : options.from;
}

std::string some_of(const std::vector<FormQuestion>& questions, std::size_t count) {
  std::string shown;
  for (std::size_t i = 0; i < std::min(count, questions.size()); ++i)
    shown += questions[i].kind + ": " + questions[i].text + "\n";
  return shown;
}

}  // namespace

Trained train_listener(const TrainListenerOptions& options, Reporter& reporter, const StopFlag& stop) {
  ListenConfiguration config = listener_config(options);
  std::optional<ListenedDatabase> opened;
  std::vector<FormQuestion> questions;
  std::vector<listening::Lesson> lessons;
  if (options.database.empty()) {
    if (!options.questions.empty())
      throw ConfigError("questions that people wrote need the graph that answers them",
                        Remedy{Remedy::kGive, "db"});
    config.questions.school = 1;
  } else {
    opened.emplace(options.database);
    questions = make_form_questions(opened->listened.lexicon(), opened->listened.engine(), config.questions,
                                    options.seed);
  }
  const School school(config.questions, options.seed);
  const std::string shown = some_of(opened ? questions : school.questions, options.shown);
  if (!options.questions.empty())
    for (FormQuestion& question :
         written_questions(options.questions, options.without_named, *opened, reporter))
      questions.push_back(std::move(question));
  if (opened) lessons.push_back({opened->listened, questions});
  if (!school.questions.empty()) lessons.push_back({school.listened, school.questions});
  Trained trained =
      trained_in(options.run, listening::train_listener({.run = options.run,
                                                         .database = options.database,
                                                         .text = options.text,
                                                         .from = start_of(options),
                                                         .config = config.listening,
                                                         .seed = options.seed},
                                                        lessons, load_encoder(options.text), reporter, stop));
  if (!options.weights.empty()) listening::write_weights(options.run, options.weights);
  trained.text.insert(0, shown);
  return trained;
}

}  // namespace kgwalk
