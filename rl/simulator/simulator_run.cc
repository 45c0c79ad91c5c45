#include "rl/simulator/simulator_run.h"

#include <algorithm>
#include <utility>

#include "dialogue/response/response_model.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/model_folder.h"
#include "walker/training/run.h"

namespace kgwalk::rl {
namespace {

using seq2seq::DialogueCoder;

// The assistant is not heard in a share of the turns, spread evenly.
void deafen(std::vector<UserTurn>& turns, double share) {
  double due = 0;
  for (UserTurn& turn : turns) {
    due += share;
    if (due < 1) continue;
    due -= 1;
    std::erase_if(turn.situation.context,
                  [](const graph::Chat& chat) { return chat.speaker == graph::Speaker::kAssistant; });
    turn.unspoken = !turn.opening;
  }
}

seq2seq::SentencePiece train_user_pieces(const std::vector<UserTurn>& turns, const SituationSource& source,
                                         const SimulatorConfig& config, const RunFolder& folder) {
  return seq2seq::train_pieces(
      [&](const auto& add) {
        for (const UserTurn& turn : turns) {
          const seq2seq::Dialogue read = source.read(turn.situation, {turn.unspoken, turn.swapped});
          for (const std::string& text : DialogueCoder::plain_parts(turn.text, read)) add(text);
          for (const seq2seq::Turn& part : read.turns)
            if (part.speaker > 0)  // what was said is a turn's text elsewhere
              for (const std::string& text : DialogueCoder::plain_parts(part.text, read)) add(text);
        }
      },
      config.vocabulary, folder.path() / "vocabulary", DialogueCoder::control_pieces(config.model.speakers));
}

std::string checksum_of_turns(std::span<const UserTurn> turns) {
  Checksum sum;
  for (const UserTurn& turn : turns) {
    for (const graph::Chat& chat : turn.situation.context) sum.add(chat.text + '\n');
    const std::vector<graph::Triple>& walked = turn.situation.walked;
    sum.add({reinterpret_cast<const char*>(walked.data()), walked.size() * sizeof(graph::Triple)});
    sum.add(std::to_string(turn.situation.start) + '\n' + turn.text + (turn.unspoken ? "\f\f" : "\f") +
            (turn.swapped ? "a" : "u"));
  }
  return sum.hex();
}

// The vocabulary depends on a control piece that says how many names may be said; so the user is made after
// it.
struct TrainingTurns {
  std::vector<UserTurn> train, dev;
};

TrainingTurns turns_of(const graph::Store& store, const SimulatorConfig& config) {
  const auto whose = config.both ? Whose::kBoth : Whose::kUser;
  TrainingTurns turns{user_turns(dialogues_of(store, config.train_splits), config.openings, whose),
                      user_turns(store.dialogues(config.dev_split), false)};
  if (turns.train.empty())
    throw ConfigError(
        "no turn of a user follows a path in the splits given; ingest dialogues with paths, or allow "
        "openings");
  if (turns.dev.empty()) throw ConfigError("no turn of a user follows a path in the development split");
  deafen(turns.train, config.deaf);
  return turns;
}

RunManifest manifest_of(const SimulatorTrainOptions& options, const graph::KnowledgeGraph& graph,
                        const TrainingTurns& turns, const seq2seq::SentencePiece& vocabulary) {
  RunManifest manifest(kSimulatorRun, options.config, options.seed);
  manifest.database = walker::remembered_path(options.database);
  manifest.checksums = {{"graph", graph.checksum()},
                        {"training", checksum_of_turns(turns.train)},
                        {"dev", checksum_of_turns(turns.dev)},
                        {"vocabulary", vocabulary.checksum()}};
  return manifest;
}

void speak_by_wordings_if_few(std::size_t turns, SimulatorConfig& config, Reporter& reporter) {
  if (turns >= static_cast<std::size_t>(config.enough)) return;
  config.speech.attempts = 0;
  reporter.warn(with_commas(static_cast<long long>(turns)) +
                " turns are too few to learn speech from (enough: " + with_commas(config.enough) +
                "): this simulator speaks by wordings");
}

}  // namespace

SimulatorConfig simulator_config_of(const RunFolder& run) {
  const Json config = run.manifest().part_json("simulator");
  if (config.contains("metapath"))
    throw FormatError(
        run.path().string() +
            ": this user simulator is of a form before, which heard itself alone and made names up; it "
            "cannot be read any more and has to be trained anew, into another folder",
        Remedy{Remedy::kTrain,
               std::string(kSimulatorRun.command),
               {{"db", run.manifest().database.string()}, {"run", run.path().string() + "_2"}}});
  return run.manifest().part<SimulatorConfig>("simulator");
}

seq2seq::PairTrainReport train_simulator(const SimulatorTrainOptions& given, Reporter& reporter,
                                         const StopFlag& stop) {
  validate(given.config, "simulator configuration");
  SimulatorTrainOptions options = given;  // the run remembers the splits it was trained on by name
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  if (options.config.train_splits.empty()) options.config.train_splits = dialogue::training_splits(store);
  SimulatorConfig& config = options.config;
  SimulatorResources resources{std::make_shared<const graph::KnowledgeGraph>(store.load_graph()), {}, {}};
  resources.ordinary = dialogue::ordinary_names_of(store, *resources.graph);
  const TrainingTurns turns = turns_of(store, config);
  speak_by_wordings_if_few(turns.train.size(), config, reporter);

  RunFolder folder = RunFolder::create(options.run, kSimulatorRun);
  if (folder.has_checkpoint("last")) (void)simulator_config_of(folder);
  const SituationSource source(config, *resources.graph, resources.ordinary);
  resources.vocabulary = std::make_shared<const seq2seq::SentencePiece>(seq2seq::vocabulary_of_run(
      folder, reporter, [&] { return train_user_pieces(turns.train, source, config, folder); }));
  const seq2seq::SentencePiece& vocabulary = *resources.vocabulary;
  const RunManifest manifest = manifest_of(options, *resources.graph, turns, vocabulary);
  seed_torch(options.seed);
  seq2seq::PointerGenerator model(config.model, vocabulary.size(), vocabulary.special().unk);
  const SimulatedUser user(config, resources, model);
  seq2seq::SummaryData train = user.encode(turns.train), dev = user.encode(turns.dev);
  seq2seq::PairTrainReport report;
  report.vocabulary = vocabulary.size();
  report.pairs = static_cast<std::int64_t>(train.pairs.size());
  report.left_out = train.empty + train.too_long;
  report.cut = train.cut;
  report.pieces = train.target_pieces;
  report.parameters = seq2seq::count_parameters(*model, *model->transformer);
  seq2seq::SummaryTask task(config, model, vocabulary, std::move(train), std::move(dev),
                            folder.path() / "snapshots");
  seq2seq::train_pairs(task, {kSimulatorRun, "user simulator", manifest, &config}, folder, vocabulary, report,
                       reporter, stop);
  return report;
}

std::unique_ptr<SimulatedUser> SimulatedUser::open(const graph::Store& store,
                                                   const std::filesystem::path& path) {
  const RunFolder run = RunFolder::open(path, kSimulatorRun);
  const auto config = simulator_config_of(run);
  SimulatorResources resources{std::make_shared<const graph::KnowledgeGraph>(store.load_graph()), {}, {}};
  if (run.manifest().checksums.value("graph", "") != resources.graph->checksum())
    throw FormatError(
        run.path().string() +
        ": this user simulator was trained with another version of the knowledge graph; open it with the "
        "database of its training, or train again");
  if (!std::filesystem::exists(run.path() / "model"))
    throw FormatError(run.path().string() + ": the training of this user simulator has not come to its end",
                      Remedy{Remedy::kTrain,
                             std::string(kSimulatorRun.command),
                             {{"db", run.manifest().database.string()}, {"run", run.path().string()}}});
  seq2seq::ModelFiles files = seq2seq::read_model_files(run.path(), kSimulatorRun, "sentencepiece.model");
  resources.ordinary = dialogue::ordinary_names_of(store, *resources.graph);
  resources.vocabulary = std::make_shared<const seq2seq::SentencePiece>(
      std::move(files.vocabulary), run.path().string() + "/model/sentencepiece.model");
  seq2seq::PointerGenerator model(config.model, resources.vocabulary->size(),
                                  resources.vocabulary->special().unk);
  load_state(*model, files.weights, run.path().string());
  move_to(*model, compute_device());
  return std::make_unique<SimulatedUser>(config, std::move(resources), std::move(model));
}

}  // namespace kgwalk::rl
