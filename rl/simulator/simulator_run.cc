#include "rl/simulator/simulator_run.h"

#include "dialogue/linking/name_index.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "rl/environment/recent_text.h"
#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/checkpoint.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/text/spm_train.h"
#include "walker/training/run.h"

namespace kgwalk::rl {
namespace {

constexpr const char* kVocabularyFile = "sentencepiece.model";  // as Tokenizer::save() calls it

// Every training message, then the names in the training paths.
std::vector<std::string> vocabulary_lines(std::span<const graph::Dialogue> dialogues,
                                          const graph::KnowledgeGraph& graph) {
  std::vector<std::string> lines, names;
  for (const graph::Dialogue& dialogue : dialogues) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      if (const auto* chat = std::get_if<graph::Chat>(&event)) lines.push_back(chat->text);
      if (const auto* path = std::get_if<graph::WalkedPath>(&event)) {
        names.push_back(dialogue::plain_name(graph.entity_name(path->hops.front().head)));
        for (const graph::Triple& hop : path->hops)
          names.push_back(dialogue::plain_name(graph.entity_name(hop.tail)));
      }
    }
  }
  lines.insert(lines.end(), names.begin(), names.end());
  return lines;
}

// That of the interrupted training when there is one, else a new one.
seq2seq::SentencePiece make_vocabulary(std::span<const graph::Dialogue> dialogues,
                                       const graph::KnowledgeGraph& graph, const SimulatorConfig& config,
                                       const RunFolder& folder, Reporter& reporter) {
  if (folder.has_checkpoint("last"))
    return seq2seq::SentencePiece::load(folder.checkpoint("last") / kVocabularyFile);
  reporter.info("training the vocabulary (spm_train)");
  const std::filesystem::path scratch = folder.path() / "vocabulary";
  std::filesystem::create_directories(scratch);
  seq2seq::VocabularyOptions options;
  options.size = config.vocabulary;
  options.fold_case = false;
  options.control = {kEndPiece};
  seq2seq::SentencePiece trained =
      seq2seq::train_sentencepiece(vocabulary_lines(dialogues, graph), options, scratch);
  std::filesystem::remove_all(scratch);
  return trained;
}

std::string checksum_of_turns(std::span<const UserTurn> turns) {
  Checksum sum;
  for (const UserTurn& turn : turns) {
    for (const graph::Chat& chat : turn.situation.context) sum.add(chat.text + '\n');
    const std::vector<graph::Triple>& walked = turn.situation.walked;
    sum.add({reinterpret_cast<const char*>(walked.data()), walked.size() * sizeof(graph::Triple)});
    sum.add(std::to_string(turn.situation.start) + '\n' + turn.text + '\f');
  }
  return sum.hex();
}

Json checksums_of(const SimulatorResources& resources, std::span<const UserTurn> train) {
  Json json = Json::object();
  json["graph"] = resources.graph->checksum();
  json["tables"] = resources.tables.checksum;
  json["training"] = checksum_of_turns(train);
  json["text"] = resources.text->checksum();
  return json;
}

SimulatorResources load_resources(const graph::Store& store, const SimulatorConfig& config,
                                  std::shared_ptr<walker::TextSource> text) {
  SimulatorResources resources;
  resources.graph = std::make_shared<const graph::KnowledgeGraph>(store.load_graph());
  const graph::KnowledgeGraph& graph = *resources.graph;
  resources.tables =
      config.metapath.random_tables
          ? walker::random_graph_tables(graph.num_entities(), graph.num_relations(), config.metapath, 1)
          : walker::load_graph_tables(store, graph, config.metapath);
  resources.text = std::move(text);
  return resources;
}

void prepare_text(const SimulatedUser& user, std::span<const UserTurn> turns, std::string_view slot,
                  Reporter& reporter) {
  std::vector<walker::Context> contexts;
  for (const UserTurn& turn : turns) contexts.push_back(user.heard(turn.situation));
  user.text()->prepare(contexts, slot, reporter);
}

RunManifest manifest_of(const SimulatorTrainOptions& options, Json checksums,
                        const seq2seq::SentencePiece& vocabulary) {
  RunManifest manifest(kSimulatorRun, to_json_of(options.config), options.seed);
  manifest.database = walker::remembered_path(options.database);
  manifest.text = walker::remembered_path(options.text);
  manifest.checksums = std::move(checksums);
  manifest.checksums["vocabulary"] = vocabulary.checksum();
  return manifest;
}

}  // namespace

TrainReport train_simulator(const SimulatorTrainOptions& given, Reporter& reporter, const StopFlag& stop) {
  validate(given.config, "simulator configuration");
  SimulatorTrainOptions options = given;  // the run remembers the splits it was trained on by name
  bool writable = options.config.states;
  graph::Store store = walker::open_for_training(options.database, writable, reporter);
  if (options.config.train_splits.empty()) options.config.train_splits = dialogue::training_splits(store);
  const auto text =
      walker::open_text(options.config.states, options.text, &store, writable ? &store : nullptr);
  SimulatorResources resources = load_resources(store, options.config, text);
  const std::vector<graph::Dialogue> dialogues = dialogues_of(store, options.config.train_splits);
  std::vector<UserTurn> train = user_turns(dialogues, options.config.openings);
  std::vector<UserTurn> dev = user_turns(store.dialogues(options.config.dev_split), true);

  RunFolder folder = RunFolder::create(options.run, kSimulatorRun);
  resources.vocabulary = std::make_shared<const seq2seq::SentencePiece>(
      make_vocabulary(dialogues, *resources.graph, options.config, folder, reporter));
  const RunManifest manifest = manifest_of(options, checksums_of(resources, train), *resources.vocabulary);
  seed_torch(options.seed);
  SimulatedUser user(options.config, resources);
  prepare_text(user, train, "simulator-train", reporter);
  prepare_text(user, dev, "simulator-dev", reporter);
  std::int64_t weights = 0;
  for (const torch::Tensor& p : user.net().parameters()) weights += p.numel();
  reporter.info("user simulator, " + with_commas(weights) + " trained weights, " +
                with_commas(resources.vocabulary->size()) + " pieces; " +
                with_commas(static_cast<long long>(train.size())) + " training turns");
  UtteranceTask task(user, std::move(train), std::move(dev));
  return kgwalk::train(task, options.config.trainer, manifest, folder, reporter, stop);
}

std::unique_ptr<SimulatedUser> SimulatedUser::open(const graph::Store& store, const RunFolder& run,
                                                   const std::filesystem::path& text,
                                                   const std::string& checkpoint) {
  const RunManifest& manifest = run.manifest();
  const auto config = manifest.part<SimulatorConfig>("simulator");
  auto source = walker::open_text(config.states, text.empty() ? manifest.text : text, nullptr, nullptr);
  SimulatorResources resources =
      load_resources(store, config, std::make_shared<RecentText>(std::move(source)));
  const std::vector<UserTurn> train = user_turns(dialogues_of(store, config.train_splits), config.openings);
  walker::check_belongs(run, checksums_of(resources, train));
  const std::filesystem::path from = run.need_checkpoint(checkpoint);
  resources.vocabulary =
      std::make_shared<const seq2seq::SentencePiece>(seq2seq::SentencePiece::load(from / kVocabularyFile));
  if (resources.vocabulary->checksum() != manifest.checksums.value("vocabulary", ""))
    throw FormatError(from.string() + ": the vocabulary is not the one of the training (checksums disagree)");
  auto user = std::make_unique<SimulatedUser>(config, std::move(resources));
  load_state(user->net(), read_checkpoint_model(from), from.string());
  user->net().eval();
  return user;
}

std::unique_ptr<SimulatedUser> SimulatedUser::open(const graph::Store& store,
                                                   const std::filesystem::path& run,
                                                   const std::filesystem::path& text,
                                                   const std::string& checkpoint) {
  return open(store, RunFolder::open(run, kSimulatorRun), text, checkpoint);
}

}  // namespace kgwalk::rl
