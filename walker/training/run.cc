#include "walker/training/run.h"

#include <algorithm>
#include <future>

#include "dialogue/pretraining/pretrain_text.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/data/dataset.h"
#include "walker/network/encoder_text.h"
#include "walker/network/neural_walker.h"
#include "walker/search/ensemble.h"
#include "walker/search/prior.h"
#include "walker/training/other_graph.h"
#include "walker/training/training.h"

namespace kgwalk::walker {
namespace {

bool is_neural(const WalkerConfig& config) { return config.model != WalkerKind::kPrior; }

bool hears_states(const WalkerConfig& config) {
  return config.text.states && is_neural(config) &&
         (config.model != WalkerKind::kScorer || config.text.pooled);
}

std::vector<Context> contexts_of(const InputBuilder& inputs, std::span<const Example> examples) {
  std::vector<Context> contexts;
  for (const Example& example : examples) contexts.push_back(inputs.heard(example));
  return contexts;
}

NamedTensors walker_weights(const WalkerRun& run, const std::filesystem::path& checkpoint) {
  NamedTensors tensors = read_checkpoint_model(checkpoint);
  if (run.weight_prefix.empty()) return tensors;
  NamedTensors own;
  for (auto& [name, tensor] : tensors)
    if (name.starts_with(run.weight_prefix)) own.emplace(name.substr(run.weight_prefix.size()), tensor);
  return own;
}

}  // namespace

Json checksums_of(const Resources& resources) {
  Json json = Json::object();
  json["graph"] = resources.graph->checksum();
  json["stored_tables"] = resources.tables.checksum;
  json["training"] = resources.statistics->checksum();
  json["text"] = resources.text->checksum();
  if (resources.goal_tables.entities.defined()) json["stored_goal_tables"] = resources.goal_tables.checksum;
  return json;
}

namespace {

std::vector<QuestionSource> question_sources(const TrainOptions& options, const Resources& resources,
                                             Reporter& reporter) {
  std::vector<QuestionSource> sources;
  for (const QuestionFile& file : options.questions) {
    sources.emplace_back(file.name, file.weight, dialogue::read_questions(file.path), resources,
                         options.config);
    reporter.info(std::to_string(sources.back().size()) + " questions of " + file.name);
    if (sources.back().left_out() > 0)
      reporter.warn(std::to_string(sources.back().left_out()) + " questions of " + file.name +
                    " are left out: the graph does not have what they ask about");
  }
  return sources;
}

RunManifest manifest_of(const TrainOptions& options, const Resources& resources) {
  RunManifest manifest(kWalkerRun, options.config, options.seed);
  manifest.database = remembered_path(options.database);
  manifest.text = remembered_path(options.text);
  manifest.checksums = checksums_of(resources);
  for (const QuestionFile& file : options.questions)
    manifest.checksums["questions " + file.name] = checksum_of_file(file.path);
  return manifest;
}

}  // namespace

bool hears_text(const WalkerConfig& config) {
  return hears_states(config) || (is_neural(config) && config.listen.on && config.listen.text);
}

std::shared_ptr<TextSource> open_text(bool hears, const std::filesystem::path& folder,
                                      const graph::Store* read, graph::Store* write, int trained) {
  if (!hears) return std::make_shared<NoText>();
  if (folder.empty())
    throw ConfigError(
        "this model hears text and no text encoder was given; its text states can be turned off too "
        "(text.states)",
        {Remedy{Remedy::kGive, "text"}, Remedy{Remedy::kTrain, std::string(dialogue::kTextRun.command)}});
  std::shared_ptr<const dialogue::TextEncoder> encoder = dialogue::TextEncoder::load(folder);
  if (trained > 0) encoder = encoder->without_top(trained);
  return std::make_shared<EncoderText>(std::move(encoder), read, write);
}

graph::Store open_for_training(const std::filesystem::path& database, bool& writable, Reporter& reporter) {
  if (writable) {
    try {
      return graph::Store::open(database, graph::Store::Mode::kReadWrite);
    } catch (const StoreError& error) {
      reporter.warn(std::string("text states are not cached: ") + error.what());
    }
  }
  writable = false;
  return graph::Store::open(database, graph::Store::Mode::kReadOnly);
}

void check_belongs(const RunFolder& run, const Json& here) {
  const Json& remembered = run.manifest().checksums;
  std::string differing;
  const std::pair<const char*, const char*> what[] = {{"graph", "the knowledge graph"},
                                                      {"stored_tables", "the tables of embeddings"},
                                                      {"training", "the training dialogues"},
                                                      {"text", "the text encoder"}};
  // Runs of before remember "tables", of scaled tables, which differ between processors: nothing to compare.
  const bool of_before = remembered.contains("tables");
  for (const auto& [key, name] : what) {
    if (of_before && key == std::string_view("stored_tables")) continue;
    if (!remembered.contains(key) || remembered[key] != here[key])
      differing += (differing.empty() ? "" : ", ") + std::string(name) + " (checksum " +
                   (remembered.contains(key) ? remembered[key].dump() : "none") + ", here " +
                   here[key].dump() + ")";
  }
  const char* goal = "stored_goal_tables";
  if (remembered.contains(goal) && here.contains(goal) && remembered[goal] != here[goal])
    differing +=
        (differing.empty() ? "" : ", ") + std::string("the tables that candidates and goal are compared by");
  if (!differing.empty())
    throw FormatError(run.path().string() + ": this model was trained with another version of " + differing +
                      "; open it with the database and text encoder of its training, or train again");
}

std::filesystem::path remembered_path(const std::filesystem::path& path) {
  return path.empty() ? path : std::filesystem::absolute(path);
}

TrainReport train_walker(const TrainOptions& given, Reporter& reporter, const StopFlag& stop) {
  validate(given.config, "walker configuration");
  bool writable = hears_text(given.config);
  graph::Store store = open_for_training(given.database, writable, reporter);
  TrainOptions options = given;  // the run remembers the splits it was trained on by name
  if (options.config.train_splits.empty()) options.config.train_splits = dialogue::training_splits(store);
  const std::shared_ptr<TextSource> text =
      open_text(hears_text(options.config), options.text, &store, writable ? &store : nullptr,
                options.config.text.trained_layers);
  Resources resources = load_resources(options.config, store, [&] { return text; });
  RunFolder folder = RunFolder::create(options.run, kWalkerRun);
  const RunManifest manifest = manifest_of(options, resources);
  if (!is_neural(options.config)) {
    folder.write_manifest(manifest);
    return {};
  }
  std::vector<Example> train = load_examples(store, *resources.graph, options.config.train_splits);
  // Who has no dialogues trains on questions alone.
  const std::vector<std::string> splits = store.splits();
  const bool has_dev = std::find(splits.begin(), splits.end(), options.config.dev_split) != splits.end();
  std::vector<Example> dev;
  if (has_dev || options.questions.empty())
    dev = load_examples(store, *resources.graph, std::vector<std::string>{options.config.dev_split});
  seed_torch(options.seed);
  NeuralWalker model(options.config, resources);
  std::string slot = options.config.text.user_only ? "walker-user-" : "walker-";
  if (options.config.text.trained_layers > 0) slot += "lower-";
  if (hears_states(options.config)) {
    text->prepare(contexts_of(model.inputs(), train), slot + "train", reporter);
    text->prepare(contexts_of(model.inputs(), dev), slot + "dev", reporter);
  }
  reporter.info(model.describe() + "; " + std::to_string(train.size()) + " training paths, " +
                std::to_string(dev.size()) + " for choosing");
  WalkTask task(model, std::move(train), std::move(dev), question_sources(options, resources, reporter));
  return kgwalk::train(task, options.config.trainer, manifest, folder, reporter, stop);
}

WalkerRun::WalkerRun(RunFolder from, std::string prefix)
    : folder(std::move(from)),
      config(folder.manifest().part<WalkerConfig>("walker")),
      weight_prefix(std::move(prefix)) {}

WalkerRun open_walker_run(const std::filesystem::path& run) {
  return WalkerRun(RunFolder::open(run, kWalkerRun));
}

std::shared_ptr<TextSource> open_text_of_run(const graph::Store& store, const WalkerRun& run,
                                             const std::filesystem::path& text) {
  return open_text(hears_text(run.config), text.empty() ? run.folder.manifest().text : text, &store, nullptr,
                   run.config.text.trained_layers);
}

namespace {

std::unique_ptr<WalkModel> open_with(const graph::Store& store, const WalkerRun& run, const TextOpener& text,
                                     const OpenOptions& options) {
  if (options.other_graph && is_of_another_graph(store, run.folder))
    return open_on_other_graph(store, run, text(), options.checkpoint);
  WalkerConfig config = run.config;
  const bool adds_goal = options.goal_rank > 0 && !config.scoring.goal;
  if (adds_goal) {
    config.scoring.goal = true;
    config.scoring.goal_width = options.goal_width;
    config.scoring.goal_rank = options.goal_rank;
    validate(config, run.folder.path().string() + ": a walker that is to head for goals");
  }
  if (options.goal_exact) config.scoring.goal_exact = true;
  Resources resources = load_resources(config, store, text);
  check_belongs(run.folder, checksums_of(resources));
  if (!is_neural(config)) return std::make_unique<PriorWalker>(std::move(resources), config.prior_weights);
  const std::filesystem::path checkpoint = run.folder.need_checkpoint(options.checkpoint);
  NamedTensors weights = walker_weights(run, checkpoint);
  widen_absence(weights);
  auto model = std::make_unique<NeuralWalker>(config, std::move(resources), weights);
  if (adds_goal)
    for (const auto& weight : model->net().named_parameters())
      if (weight.key().starts_with("scorer.goal"))
        weights.emplace(weight.key(), weight.value().detach().clone());
  load_state(model->net(), weights, checkpoint.string());
  move_to(model->net(), compute_device());
  model->net().eval();
  return model;
}

}  // namespace

std::string checksum_of_walker(const WalkerRun& run) {
  if (!is_neural(run.config)) return checksum_of(to_json_of(run.config).dump());
  return checksum_of_file(run.folder.need_checkpoint("best") / "model.safetensors");
}

// The encoder's weights are read while names are indexed and messages are counted.
std::unique_ptr<WalkModel> open_walker(const graph::Store& store, const WalkerRun& run,
                                       const OpenOptions& options) {
  std::future<std::shared_ptr<TextSource>> text =
      std::async(std::launch::async, [&] { return open_text_of_run(store, run, options.text); });
  return open_with(
      store, run, [&] { return text.get(); }, options);
}

std::unique_ptr<WalkModel> open_walker_hearing(const graph::Store& store, const WalkerRun& run,
                                               std::shared_ptr<const TextSource> text,
                                               const OpenOptions& options) {
  return open_with(
      store, run, [&] { return text; }, options);
}

std::unique_ptr<WalkModel> open_walkers(const graph::Store& store, std::span<const WalkerRun> runs,
                                        const OpenOptions& options) {
  if (runs.empty()) throw ConfigError("no run was given");
  std::vector<std::unique_ptr<WalkModel>> models;
  for (const WalkerRun& run : runs) models.push_back(open_walker(store, run, options));
  if (models.size() == 1) return std::move(models.front());
  return std::make_unique<EnsembleWalker>(std::move(models));
}

}  // namespace kgwalk::walker
