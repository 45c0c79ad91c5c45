// train_listener(): what hears questions as forms.
#include <algorithm>

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
  // Without a text encoder the listener has words of its own.
  if (options.text.empty()) config.listening.encoder = listening::WordEncoderKind::kOwn;
  return with_values(options.settings, config);
}

}  // namespace

Trained train_listener(const TrainListenerOptions& options, Reporter& reporter, const StopFlag& stop) {
  const ListenConfiguration config = listener_config(options);
  const ListenedDatabase opened(options.database);
  std::vector<FormQuestion> questions = make_form_questions(
      opened.listened.lexicon(), opened.listened.engine(), config.questions, options.seed);
  std::string shown;
  for (std::size_t i = 0; i < std::min(options.shown, questions.size()); ++i)
    shown += questions[i].kind + ": " + questions[i].text + "\n";
  if (!options.questions.empty())
    for (FormQuestion& question :
         written_questions(options.questions, options.without_named, opened, reporter))
      questions.push_back(std::move(question));
  std::vector<listening::Lesson> lessons = {{opened.listened, questions}};
  const School school(config.questions, options.seed);
  if (!school.questions.empty()) lessons.push_back({school.listened, school.questions});
  Trained trained = trained_in(
      options.run,
      listening::train_listener({options.run, options.database, options.text, config.listening, options.seed},
                                lessons, load_encoder(options.text), reporter, stop));
  trained.text.insert(0, shown);
  return trained;
}

}  // namespace kgwalk
