// kgwalk distances: the histogram of distances, the index for single pairs, and
// the low-rank factors.
#include "cli/frame/command.h"
#include "cli/frame/shard_options.h"
#include "kgwalk/training.h"

namespace kgwalk::cli {
namespace {

struct DistancesVerb {
  ComputeDistancesOptions compute;
  bool no_histogram = false;
};

void run_distances(const DistancesVerb& verb, const Common& common) {
  ComputeDistancesOptions options = verb.compute;
  options.histogram = !verb.no_histogram;
  options.seed = common.given_seed();
  options.settings = common.settings();
  options.shards = shards_of(options.shards, common);
  common.tell(compute_distances(options, *common.reporter, *common.stop));
}

Verb add_distances(CLI::App& app, Common& common) {
  auto options = std::make_shared<DistancesVerb>();
  app.add_option("--db", options->compute.database, "database made by kgwalk ingest")->required();
  app.add_option("--rank", options->compute.rank, "store low-rank factors of this rank; 0 = none")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_flag("--index", options->compute.index, "store the index for distances of single pairs");
  app.add_option(
         "--sample", options->compute.sample,
         "sources that the histogram is estimated from; 0 = all, else 2 or more; by default 1000 above "
         "100,000 entities")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_flag("--no-histogram", options->no_histogram, "do not count pairs");
  add_shards(app, options->compute.shards);
  return [options, &common] { run_distances(*options, common); };
}

std::vector<Configurable> configures_distances() {
  return {configurable_of("distances", "compute_distances")};
}

const Registration kDistancesCommand({.name = "distances",
                                      .help = "exact distances of all pairs, their index and their factors",
                                      .example = "--db films.db --index --rank 256",
                                      .add = add_distances,
                                      .group = Group::kGraph,
                                      .place = 5,
                                      .configures = configures_distances});

}  // namespace
}  // namespace kgwalk::cli
