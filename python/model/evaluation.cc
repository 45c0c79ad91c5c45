// Measures of what was trained.
#include "kgwalk/evaluation.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>
#include <vector>

#include "python/binding/record.h"
#include "python/model/bindings.h"
#include "python/model/settings.h"
#include "python/model/work.h"

namespace kgwalk::python {
namespace {

// What is measured: packed=..., or run(s) with their database.
template <class Options>
Keywords<Options> of_model() {
  using Given = const py::handle&;
  Keywords<Options> keywords;
  keywords
      .key("packed", [](Options& self, Given given) { self.of.packed = given.cast<std::filesystem::path>(); })
      .key("run",
           [](Options& self, Given given) { self.of.runs = {given.cast<std::filesystem::path>().string()}; })
      .key("runs",
           [](Options& self, Given given) {
             for (const auto& run : given.cast<std::vector<std::filesystem::path>>())
               self.of.runs.push_back(run.string());
           })
      .key("database",
           [](Options& self, Given given) { self.of.database = given.cast<std::filesystem::path>(); })
      .key("text", [](Options& self, Given given) { self.of.text = given.cast<std::filesystem::path>(); })
      .key("other_graph", [](Options& self, Given given) { self.of.other_graph = given.cast<bool>(); });
  return keywords;
}

template <class T>
Record<T> report(py::module_& m, const char* name, const char* doc) {
  Record<T> record(m, name, doc);
  record
      .field(
          "text", [](const T& self) { return self.text; }, "Whole lines, as the command line prints them.")
      .field(
          "json", [](const T& self) { return self.json; }, "All numbers.");
  return record;
}

void bind_paths(py::module_& m) {
  Record<RecallAt>(m, "RecallAt", "In percent, with its 95 % interval.")
      .field("percent", &RecallAt::percent, "The share.")
      .field("low", &RecallAt::low, "Of the interval.")
      .field("high", &RecallAt::high, "Of the interval.");
  report<PathsEvaluated>(m, "PathsEvaluated", "How well people's paths are found.")
      .field("paths", &PathsEvaluated::paths, "How many.")
      .field("unreached", &PathsEvaluated::unreached, "That the search did not find.")
      .field("path", &PathsEvaluated::path, "By k: the people's path is among the k best.")
      .field("relation", &PathsEvaluated::relation, "By k: the same with its relations.")
      .field("target", &PathsEvaluated::target, "By k: its last entity is among the k best.");
  using Paths = EvaluatePathsOptions;
  auto keywords = of_model<Paths>();
  keywords.key("split", &Paths::split)
      .key("dialogs", &Paths::dialogs)
      .key("candidate_starts", &Paths::candidate_starts)
      .key("beam", &Paths::beam)
      .key("length_weight", &Paths::length_weight)
      .key("resamples", &Paths::resamples)
      .key("readings", &Paths::readings)
      .key("ranks", &Paths::ranks)
      .key("seed", &Paths::seed);
  def_work(m, "evaluate_paths", keywords, &evaluate_paths,
           "People's paths in a split, or a csv of dialogues.");
}

void bind_questions(py::module_& m) {
  using Row = QuestionsEvaluated::Row;
  Record<Row>(m, "QuestionsRow", "Percent, each over the questions that it is asked of.")
      .field("count", &Row::count, "Questions.")
      .field("first", &Row::first, "A right entity comes first.")
      .field("first3", &Row::first3, "Among the first three.")
      .field("list_precision", &Row::list_precision, "Of lists.")
      .field("list_f1", &Row::list_f1, "Of lists.")
      .field("verified", &Row::verified, "Yes or no is right.")
      .field("absence_told", &Row::absence_told, "Of questions that cannot be answered.")
      .field("refused", &Row::refused, "Of questions that can.")
      .field("start", &Row::start, "The right start came first.")
      .field("act", &Row::act, "Asked or not is right.");
  report<QuestionsEvaluated>(m, "QuestionsEvaluated", "How well questions are answered.")
      .field("rows", &QuestionsEvaluated::rows, "By kind, hops and mention, and 'all'.");
  using Questions = EvaluateQuestionsOptions;
  auto questions = of_model<Questions>();
  questions.key("questions", &Questions::questions)
      .key("candidate_starts", &Questions::candidate_starts)
      .key("beam", &Questions::beam)
      .key("output", &Questions::output)
      .key("ranks", &Questions::ranks);
  def_work(m, "evaluate_questions", questions, &evaluate_questions, "A file of make_questions().");

  report<ListenerEvaluated>(m, "ListenerEvaluated", "How well people's questions are heard.")
      .field("questions", &ListenerEvaluated::questions, "How many.")
      .field("right", &ListenerEvaluated::right, "Percent whose likeliest answer is right.")
      .field("among", &ListenerEvaluated::among, "Percent with a right one among those weighed.");
  using Listener = EvaluateListenerOptions;
  Keywords<Listener> listener;
  listener.key("database", &Listener::database)
      .key("run", &Listener::run)
      .key("text", &Listener::text)
      .key("questions", &Listener::questions)
      .key("without_named", &Listener::without_named)
      .key("heard", &Listener::heard);
  def_work(m, "evaluate_listener", listener, &evaluate_listener,
           "A run of train_listener() on people's questions.");
}

void bind_walks(py::module_& m) {
  using Row = SuccessEvaluated::Row;
  Record<Row>(m, "SuccessRow", "Walks to goals at one distance.")
      .field("distance", &Row::distance, "Hops of a shortest path.")
      .field("pairs", &Row::pairs, "Walks.")
      .field("within_d", &Row::within_d, "That reached the goal within the distance.")
      .field("within_d_plus_2", &Row::within_d_plus_2, "Within two hops more.")
      .field("within_2d", &Row::within_2d, "Within twice the distance.")
      .field("log_prob", &Row::log_prob, "Mean of a hop by stage 1.");
  Record<SuccessEvaluated::OfRun>(m, "SuccessOfRun", "The rows of a run.")
      .field("run", &SuccessEvaluated::OfRun::run, "Its folder.")
      .field("rows", &SuccessEvaluated::OfRun::rows, "By distance.");
  report<SuccessEvaluated>(m, "SuccessEvaluated", "How often goals are reached.")
      .field("runs", &SuccessEvaluated::runs, "A table each.");
  using Success = EvaluateSuccessOptions;
  auto success = of_model<Success>();
  success.key("stage1", &Success::stage1)
      .key("simulator", &Success::simulator)
      .key("distances", &Success::distances)
      .key("episodes", &Success::episodes)
      .key("extra", &Success::extra)
      .key("goals", &Success::goals)
      .key("ask", &Success::ask)
      .key("walks", &Success::walks)
      .key("plot", &Success::plot)
      .key("seed", &Success::seed);
  def_work(m, "evaluate_success", with_settings(success), &evaluate_success,
           "Walks to goals at stated distances.");
  using Routes = EvaluateRoutesOptions;
  auto routes = of_model<Routes>();
  routes.key("stage1", &Routes::stage1)
      .key("split", &Routes::split)
      .key("walks", &Routes::walks)
      .key("seed", &Routes::seed);
  def_work(m, "evaluate_routes", with_settings(routes), &evaluate_routes,
           "Walks between the ends of real dialogues beside what people did.");
}

void bind_conversations(py::module_& m) {
  using Kind = ConversationsEvaluated::Kind;
  Record<Kind>(m, "ConversationsKind", "Turns of one kind.")
      .field("name", &Kind::name, "Empty: all together.")
      .field("right", &Kind::right, "Turns that were right.")
      .field("turns", &Kind::turns, "Turns.");
  report<ConversationsEvaluated>(m, "ConversationsEvaluated", "How well conversations were held.")
      .field("kinds", &ConversationsEvaluated::kinds, "In the order of the exam.")
      .field("conversations", &ConversationsEvaluated::conversations, "That were held.")
      .field("asked_for", &ConversationsEvaluated::asked_for, "More than held where it was stopped.");
  using Talks = EvaluateConversationsOptions;
  Keywords<Talks> talks;
  talks.key("packed", &Talks::packed)
      .key("database", &Talks::database)
      .key("run", &Talks::run)
      .key("text", &Talks::text)
      .key("listener", &Talks::listener)
      .key("simulator", &Talks::simulator)
      .key("responder", &Talks::responder)
      .key("other_graph", &Talks::other_graph)
      .key("exam", &Talks::exam)
      .key("log", &Talks::log)
      .key("show", &Talks::show)
      .key("seed", &Talks::seed);
  def_work(m, "evaluate_conversations", talks, &evaluate_conversations,
           "Conversations with what makes an answer right: the file `exam`.");
}

}  // namespace

void bind_evaluation(py::module_& m) {
  bind_paths(m);
  bind_questions(m);
  bind_walks(m);
  bind_conversations(m);
}

}  // namespace kgwalk::python
