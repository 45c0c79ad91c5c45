// kgwalk eval routes: walks between the ends of real dialogues, beside what people did.
#include "cli/frame/shard_options.h"
#include "cli/measure/evaluated.h"
#include "cli/measure/measurements.h"

namespace kgwalk::cli {
namespace {

void run_routes(EvaluateRoutesOptions options, const Common& common) {
  need_model(options.of);
  options.seed = common.seed;
  options.settings = common.settings();
  options.shards = shards_of(options.shards, common);
  common.tell(evaluate_routes(options, *common.reporter, *common.stop));
}

Verb add_eval_routes(CLI::App& app, Common& common) {
  auto command = std::make_shared<EvaluateRoutesOptions>();
  add_measured(app, command->of,
               "run folder of 'kgwalk train' or 'kgwalk rl', or a search; several side by side");
  app.add_option("--split", command->split, "split of the dialogues (dev unless given)");
  app.add_option("--stage1", command->stage1, "walker whose log-probabilities are reported");
  app.add_option("--walks", command->walks, "file for all walks, a line of json each")->check(output_file());
  add_shards(app, command->shards);
  return [command, &common] { run_routes(*command, common); };
}

const MeasurementRegistration kEvalRoutes({"routes", "walks between the ends of real dialogues",
                                           "--run runs/guide --split dev", add_eval_routes, 4});

}  // namespace
}  // namespace kgwalk::cli
