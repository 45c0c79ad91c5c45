#include "workflows/steps/calls.h"

#include <type_traits>
#include <utility>

#include "workflows/steps/ingestion.h"

namespace kgwalk {

template <class Options, class Function>
Step Calls::step(std::string title, const char* name, const Options& options, Function function) const {
  Step step{.title = std::move(title), .function = name, .arguments = arguments_of(options), .work = {}};
  step.work = [options, function, &reporter = reporter_, &stop = stop_]() -> Report {
    if constexpr (std::is_invocable_v<Function, const Options&>)
      return function(options);
    else
      return function(options, reporter, stop);
  };
  // A run that was begun with other arguments is no run to go on with.
  if constexpr (requires {
                  options.run;
                  options.seed;
                  options.settings;
                })
    if (!options.run.empty()) step.outputs = {options.run};
  return step;
}

Step Calls::operator()(std::string title, const graph::IngestOptions& options) const {
  Step made = step(std::move(title), "ingest", options, ingest_reported);
  made.outputs = {options.database};
  made.inputs.assign(options.triples.begin(), options.triples.end());
  for (const graph::DialogueSource& source : options.dialogues) made.inputs.push_back(source.file);
  for (const std::filesystem::path& file :
       {options.entities, options.relations, options.annotation_only, options.mapping, options.sparql.query})
    if (!file.empty()) made.inputs.push_back(file);
  return made;
}
Step Calls::operator()(std::string title, const ComputeDistancesOptions& options) const {
  return step(std::move(title), "compute_distances", options, compute_distances);
}
Step Calls::operator()(std::string title, const EmbedOptions& options) const {
  return step(std::move(title), "embed", options, embed);
}
Step Calls::operator()(std::string title, const PretrainTextOptions& options) const {
  return step(std::move(title), "pretrain_text", options, pretrain_text);
}
Step Calls::operator()(std::string title, const MakeQuestionsOptions& options) const {
  Step made = step(std::move(title), "make_questions", options, make_questions);
  made.outputs = {options.out};
  return made;
}
Step Calls::operator()(std::string title, const TrainWalkerOptions& options) const {
  return step(std::move(title), "train_walker", options, train_walker);
}
Step Calls::operator()(std::string title, const TrainListenerOptions& options) const {
  return step(std::move(title), "train_listener", options, train_listener);
}
Step Calls::operator()(std::string title, const TrainSimulatorOptions& options) const {
  return step(std::move(title), "train_simulator", options, train_simulator);
}
Step Calls::operator()(std::string title, const TrainStage2Options& options) const {
  return step(std::move(title), "train_stage2", options, train_stage2);
}
Step Calls::operator()(std::string title, const EvaluatePathsOptions& options) const {
  return step(std::move(title), "evaluate_paths", options, evaluate_paths);
}
Step Calls::operator()(std::string title, const EvaluateQuestionsOptions& options) const {
  return step(std::move(title), "evaluate_questions", options, evaluate_questions);
}
Step Calls::operator()(std::string title, const EvaluateSuccessOptions& options) const {
  return step(std::move(title), "evaluate_success", options, evaluate_success);
}
Step Calls::operator()(std::string title, const AskListenerOptions& options) const {
  return step(std::move(title), "ask_listener", options, ask_listener);
}
Step Calls::operator()(std::string title, const PlanPageOptions& options) const {
  Step made = step(std::move(title), "plan", options, write_plan);
  made.outputs = {options.out};
  return made;
}
Step Calls::operator()(std::string title, const DialoguesPageOptions& options) const {
  Step made = step(std::move(title), "self_play", options, write_dialogues);
  made.outputs = {options.out, options.html};
  return made;
}
Step Calls::operator()(std::string title, const PackOptions& options) const {
  Step made = step(std::move(title), "pack", options, pack);
  made.outputs = {options.out};
  return made;
}

Step with_json(Step step, const std::filesystem::path& file) {
  step.json = file;
  step.arguments.emplace_back("json", file.string());
  step.outputs.push_back(file);
  return step;
}

}  // namespace kgwalk
