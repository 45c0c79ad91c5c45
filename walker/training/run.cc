#include "walker/training/run.h"

#include "kgwalk/error.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/data/dataset.h"
#include "walker/network/encoder_text.h"
#include "walker/network/neural_walker.h"
#include "walker/search/ensemble.h"
#include "walker/search/prior.h"
#include "walker/training/training.h"

namespace kgwalk::walker {
namespace {

constexpr const char* kKind = "walker";
constexpr const char* kStage2Kind = "agent";
constexpr std::string_view kStage2Prefix = "walker.";

bool is_neural(const WalkerConfig& config) { return config.model != WalkerKind::kPrior; }

bool hears_text(const WalkerConfig& config) {
  return config.text.states && is_neural(config) && config.model != WalkerKind::kScorer;
}

std::vector<Context> contexts_of(const InputBuilder& inputs, std::span<const Example> examples) {
  std::vector<Context> contexts;
  for (const Example& example : examples) contexts.push_back(inputs.heard(example));
  return contexts;
}

// Weights of a walker: a stage-2 run (kind "agent") keeps them beside those of its value head.
NamedTensors walker_weights(const RunFolder& folder, const std::string& checkpoint, bool stage2) {
  NamedTensors tensors = read_checkpoint_model(folder.checkpoint(checkpoint));
  if (!stage2) return tensors;
  NamedTensors own;
  for (auto& [name, tensor] : tensors)
    if (name.starts_with(kStage2Prefix)) own.emplace(name.substr(kStage2Prefix.size()), tensor);
  return own;
}

Json checksums_of(const Resources& resources) {
  Json json = Json::object();
  json["graph"] = resources.graph->checksum();
  json["tables"] = resources.tables.checksum;
  json["training"] = resources.statistics->checksum();
  json["text"] = resources.text->checksum();
  return json;
}

struct Remembered {
  WalkerConfig config;
  Json checksums;
  std::filesystem::path database, text;
  std::uint64_t seed = 1;
};

bool is_stage2(const std::filesystem::path& run) { return RunFolder::kind_of(run) == kStage2Kind; }

RunFolder open_folder(const std::filesystem::path& run) {
  return RunFolder::open(run, is_stage2(run) ? kStage2Kind : kKind);
}

Remembered read_run(const std::filesystem::path& run) {
  const RunFolder folder = open_folder(run);
  const Json json = folder.read_config();
  if (!json.contains("walker") || !json.contains("checksums"))
    throw FormatError(run.string() +
                      "/config.json: 'walker' or 'checksums' is missing; it is no walker's run");
  Remembered r;
  apply_json(r.config, json["walker"], run.string() + "/config.json");
  r.checksums = json["checksums"];
  r.database = json.value("database", "");
  r.text = json.value("text", "");
  r.seed = json.value("seed", std::uint64_t{1});
  return r;
}

Json full_config(const TrainOptions& options, const Resources& resources) {
  Json json = Json::object();
  json["walker"] = to_json_of(options.config);
  json["seed"] = options.seed;
  json["database"] = std::filesystem::absolute(options.database).string();
  json["text"] = options.text.empty() ? "" : std::filesystem::absolute(options.text).string();
  json["checksums"] = checksums_of(resources);
  return json;
}

std::unique_ptr<WalkModel> open_with(const graph::Store& store, const std::filesystem::path& run,
                                     std::shared_ptr<const TextSource> text, const std::string& checkpoint,
                                     bool goal_exact) {
  Remembered remembered = read_run(run);
  if (goal_exact) remembered.config.scoring.goal_exact = true;
  Resources resources = load_resources(remembered.config, store, std::move(text));
  check_belongs(remembered.checksums, checksums_of(resources), run);
  if (!is_neural(remembered.config)) return std::make_unique<PriorWalker>(std::move(resources));
  const RunFolder folder = open_folder(run);
  if (!folder.has_checkpoint(checkpoint))
    throw FormatError(run.string() + ": there is no checkpoint '" + checkpoint + "'; train it with `kgwalk " +
                      (is_stage2(run) ? "rl`" : "train`"));
  auto model = std::make_unique<NeuralWalker>(remembered.config, std::move(resources));
  load_state(model->net(), walker_weights(folder, checkpoint, is_stage2(run)),
             folder.checkpoint(checkpoint).string());
  model->net().eval();
  return model;
}

}  // namespace

std::shared_ptr<TextSource> open_text(bool hears, const std::filesystem::path& folder,
                                      const graph::Store* read, graph::Store* write) {
  if (!hears) return std::make_shared<NoText>();
  if (folder.empty())
    throw ConfigError(
        "this model hears text: give the text encoder with --text DIR (make one with `kgwalk "
        "pretrain-text`), or turn its text states off (--set text.states=false for a walker, --set "
        "states=false for a simulator)");
  return std::make_shared<EncoderText>(dialogue::TextEncoder::load(folder), read, write);
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

void check_belongs(const Json& remembered, const Json& here, const std::filesystem::path& run) {
  std::string differing;
  const std::pair<const char*, const char*> what[] = {{"graph", "the knowledge graph"},
                                                      {"tables", "the TransE tables"},
                                                      {"training", "the training dialogues"},
                                                      {"text", "the text encoder"}};
  for (const auto& [key, name] : what)
    if (!remembered.contains(key) || remembered[key] != here[key])
      differing += (differing.empty() ? "" : ", ") + std::string(name) + " (checksum " +
                   (remembered.contains(key) ? remembered[key].dump() : "none") + ", here " +
                   here[key].dump() + ")";
  if (!differing.empty())
    throw FormatError(run.string() + ": this model was trained with another version of " + differing +
                      "; open it with the database and text encoder of its training, or train again");
}

TrainReport train_walker(const TrainOptions& given, Reporter& reporter, const StopFlag& stop) {
  validate(given.config, "walker configuration");
  bool writable = hears_text(given.config);
  graph::Store store = open_for_training(given.database, writable, reporter);
  TrainOptions options = given;  // the run remembers the splits it was trained on by name
  if (options.config.train_splits.empty()) options.config.train_splits = dialogue::training_splits(store);
  const std::shared_ptr<TextSource> text =
      open_text(hears_text(options.config), options.text, &store, writable ? &store : nullptr);
  Resources resources = load_resources(options.config, store, text);
  RunFolder folder = RunFolder::create(options.run, kKind);
  const Json config = full_config(options, resources);
  if (!is_neural(options.config)) {
    folder.write_config(config);
    return {};
  }
  std::vector<Example> train = load_examples(store, *resources.graph, options.config.train_splits);
  std::vector<Example> dev =
      load_examples(store, *resources.graph, std::vector<std::string>{options.config.dev_split});
  seed_torch(options.seed);
  NeuralWalker model(options.config, resources);
  const std::string slot = options.config.text.user_only ? "walker-user-" : "walker-";
  text->prepare(contexts_of(model.inputs(), train), slot + "train", reporter);
  text->prepare(contexts_of(model.inputs(), dev), slot + "dev", reporter);
  reporter.info(model.describe() + "; " + std::to_string(train.size()) + " training paths, " +
                std::to_string(dev.size()) + " for choosing");
  WalkTask task(model, std::move(train), std::move(dev));
  return kgwalk::train(task, options.config.trainer, config, folder, options.seed, reporter, stop);
}

std::shared_ptr<TextSource> open_text_of_run(const graph::Store& store, const std::filesystem::path& run,
                                             const std::filesystem::path& text) {
  const Remembered remembered = read_run(run);
  return open_text(hears_text(remembered.config), text.empty() ? remembered.text : text, &store, nullptr);
}

std::unique_ptr<WalkModel> open_walker(const graph::Store& store, const std::filesystem::path& run,
                                       const std::filesystem::path& text, const std::string& checkpoint,
                                       bool goal_exact) {
  return open_with(store, run, open_text_of_run(store, run, text), checkpoint, goal_exact);
}

std::unique_ptr<WalkModel> open_walker_hearing(const graph::Store& store, const std::filesystem::path& run,
                                               std::shared_ptr<const TextSource> text, bool goal_exact) {
  return open_with(store, run, std::move(text), "best", goal_exact);
}

std::unique_ptr<WalkModel> open_walkers(const graph::Store& store,
                                        const std::vector<std::filesystem::path>& runs,
                                        const std::filesystem::path& text) {
  if (runs.empty()) throw ConfigError("no run was given");
  std::vector<std::unique_ptr<WalkModel>> models;
  for (const std::filesystem::path& run : runs) models.push_back(open_walker(store, run, text));
  if (models.size() == 1) return std::move(models.front());
  return std::make_unique<EnsembleWalker>(std::move(models));
}

void write_run_result(const std::filesystem::path& run, std::string_view key, const Json& value) {
  open_folder(run).write_result(key, value);
}

std::filesystem::path database_of_run(const std::filesystem::path& run) { return read_run(run).database; }

WalkerConfig config_of_run(const std::filesystem::path& run) { return read_run(run).config; }

}  // namespace kgwalk::walker
