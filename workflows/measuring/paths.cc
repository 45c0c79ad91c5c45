// evaluate_paths(): path and target recalls of a walker, or of an ensemble of several.
#include <optional>

#include "dialogue/linking/entity_linker.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "kgwalk/evaluation.h"
#include "walker/data/dataset.h"
#include "walker/evaluation/evaluation.h"
#include "workflows/measuring/evaluated.h"
#include "workflows/shard_report.h"

namespace kgwalk {
namespace {

std::vector<walker::Example> examples_for(const EvaluatePathsOptions& options, const OpenedWalkers& opened,
                                          Reporter& reporter) {
  const graph::KnowledgeGraph& graph = opened.model->graph();
  if (!options.split.empty())
    return walker::load_examples(opened.store, graph, std::vector<std::string>{options.split});
  const auto dialogues = dialogue::read_dialogue_csv(options.dialogs, graph, false, reporter);
  return walker::examples_of(dialogues, graph, options.dialogs.string());
}

walker::EvaluationConfig search_of(const EvaluatePathsOptions& options, const OpenedWalkers& opened) {
  walker::EvaluationConfig config;
  config.search = opened.runs.front().config.search;
  if (options.beam > 0) config.search.beam = options.beam;
  if (options.length_weight) config.search.length_weight = *options.length_weight;
  config.resamples = options.resamples;
  config.readings = options.readings;
  config.seed = options.seed;
  return config;
}

std::map<int, RecallAt> by_k(const std::array<walker::Recall, walker::kRecallAt.size()>& recalls) {
  std::map<int, RecallAt> found;
  for (std::size_t i = 0; i < recalls.size(); ++i)
    found[walker::kRecallAt[i]] = {recalls[i].percent, recalls[i].low, recalls[i].high};
  return found;
}

}  // namespace

PathsEvaluated evaluate_paths(const EvaluatePathsOptions& options, Reporter& reporter, const StopFlag& stop) {
  if (options.split.empty() == options.dialogs.empty())
    throw ConfigError("paths are measured on a split or on a file of dialogues");
  const MeasuredModel of = resolved(options.of, reporter, stop);
  OpenedWalkers opened = open_measured(of);
  const std::vector<walker::Example> examples = examples_for(options, opened, reporter);
  if (examples.empty()) throw Error("there is no annotated path to evaluate on");
  walker::EvaluationConfig config = search_of(options, opened);
  std::optional<dialogue::EntityLinker> linker;
  if (options.candidate_starts)
    config.linker = &linker.emplace(dialogue::EntityLinker::open(opened.store, opened.model->graph()));
  ShardedWork work(options.shards);
  rest_on(opened, work);
  const walker::Evaluation found =
      walker::evaluate_paths(*opened.model, examples, config, reporter, stop, &work);
  PathsEvaluated result;
  if (told_as_shard(work, result)) return result;
  const std::string name = options.split.empty() ? options.dialogs.string() : options.split;
  result.paths = found.all.num_paths;
  result.unreached = found.all.unreached;
  result.path = by_k(found.all.path);
  result.relation = by_k(found.all.relation);
  result.target = by_k(found.all.target);
  result.json = found.to_json(name);
  result.json["model"] = opened.model->describe();
  result.json["runs"] = of.runs;
  result.text = opened.model->describe() + "\n" + found.to_text(name);
  tell_ranks(options.ranks, found.link_ranks, result);
  keep_result(of, opened, "eval " + name + (config.linker != nullptr ? " (candidate starts)" : ""),
              result.json);
  return result;
}

}  // namespace kgwalk
