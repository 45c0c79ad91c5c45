#include "dialogue/response/training.h"

#include <algorithm>
#include <utility>

#include "dialogue/questions/generate.h"
#include "dialogue/response/examples.h"
#include "dialogue/response/name_check.h"
#include "dialogue/response/response_model.h"
#include "dialogue/response/source.h"
#include "dialogue/response/spelling.h"
#include "dialogue/turn_example.h"
#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using seq2seq::DialogueCoder;

struct TrainingResponses {
  std::vector<ResponseExample> train, dev;
};

bool is_faithful(const NameChecker& checker, const ResponseExample& example) {
  const NameVerdict verdict = checker.check(example.text, example.message);
  const std::string& end = example.message.ways.front().back().tail;
  return verdict.wrong.empty() &&
         std::find(verdict.named.begin(), verdict.named.end(), end) != verdict.named.end();
}

TrainingResponses responses_of(const graph::Store& store, const graph::KnowledgeGraph& graph,
                               const ResponseTrainOptions& options, ResponseTrainReport& report) {
  TrainingResponses responses;
  for (const std::string& split : options.config.train_splits) {
    std::vector<ResponseExample> part = spoken_paths(store.dialogues(split), graph);
    std::move(part.begin(), part.end(), std::back_inserter(responses.train));
  }
  responses.dev = spoken_paths(store.dialogues(options.config.dev_split), graph);
  std::vector<ResponseExample> worded =
      worded_paths(responses.train, options.config.worded, TemplateSpeaker(), options.seed);
  // Which weights are kept goes by both: what people said alone is overfitted before facts are told right.
  if (options.config.worded > 0) {
    std::vector<ResponseExample> part = worded_paths(responses.dev, 1, TemplateSpeaker(), options.seed);
    std::move(part.begin(), part.end(), std::back_inserter(responses.dev));
  }
  const NameChecker checker(graph, ordinary_names_of(store, graph));
  report.ordinary = static_cast<std::int64_t>(checker.ordinary().size());
  if (options.config.faithful)
    report.unfaithful = static_cast<std::int64_t>(
        std::erase_if(responses.train, [&](const ResponseExample& e) { return !is_faithful(checker, e); }));
  report.paths = static_cast<std::int64_t>(responses.train.size());
  report.worded = static_cast<std::int64_t>(worded.size());
  std::move(worded.begin(), worded.end(), std::back_inserter(responses.train));
  if (options.config.questions > 0) {
    GenerateConfig generate;
    generate.count = options.config.questions;
    const auto questions = generate_questions(graph, builtin_bank(), generate, options.seed);
    std::vector<ResponseExample> answers = spoken_answers(questions, graph, TemplateSpeaker(), options.seed);
    report.answers = static_cast<std::int64_t>(answers.size());
    std::move(answers.begin(), answers.end(), std::back_inserter(responses.train));
  }
  return responses;
}

seq2seq::SentencePiece train_response_pieces(const std::vector<ResponseExample>& examples,
                                             const ResponseConfig& config, const RunFolder& folder) {
  return seq2seq::train_pieces(
      [&](const auto& add) {
        for (const ResponseExample& example : examples) {
          const seq2seq::Dialogue source =
              source_of(example.message, static_cast<std::size_t>(config.model.speakers), {}, config.facts);
          const std::string said = spelled(example.text, source.speakers);
          for (const std::string& text : DialogueCoder::plain_parts(said, source)) add(text);
          for (const seq2seq::Turn& turn : source.turns)
            for (const std::string& text : DialogueCoder::plain_parts(turn.text, source)) add(text);
        }
      },
      config.vocabulary, folder.path() / "vocabulary", DialogueCoder::control_pieces(config.model.speakers));
}

std::string checksum_of_responses(const std::vector<ResponseExample>& examples) {
  Checksum sum;
  for (const ResponseExample& example : examples)
    sum.add(to_json(example.message).dump() + '\0' + example.text + '\0');
  return sum.hex();
}

RunManifest response_manifest(const ResponseTrainOptions& options, const graph::KnowledgeGraph& graph,
                              const TrainingResponses& responses, const seq2seq::SentencePiece& vocabulary) {
  RunManifest manifest(kResponseRun, options.config, options.seed);
  manifest.database = std::filesystem::absolute(options.database).lexically_normal();
  manifest.checksums = {{"graph", graph.checksum()},
                        {"train", checksum_of_responses(responses.train)},
                        {"dev", checksum_of_responses(responses.dev)},
                        {"vocabulary", vocabulary.checksum()}};
  return manifest;
}

}  // namespace

Json ResponseTrainReport::to_json() const {
  Json json = training.to_json();
  json["paths"] = paths;
  json["worded"] = worded;
  json["answers"] = answers;
  json["unfaithful"] = unfaithful;
  json["ordinary_names"] = ordinary;
  return json;
}

ResponseTrainReport train_responder(const ResponseTrainOptions& given, Reporter& reporter,
                                    const StopFlag& stop) {
  validate(given.config, "response configuration");
  ResponseTrainOptions options = given;  // the run remembers the splits it was trained on by name
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  if (options.config.train_splits.empty()) options.config.train_splits = training_splits(store);
  const ResponseConfig& config = options.config;
  const graph::KnowledgeGraph graph = store.load_graph();
  ResponseTrainReport report;
  const TrainingResponses responses = responses_of(store, graph, options, report);
  reporter.info(with_commas(report.paths) + " paths and " + with_commas(report.answers) +
                " answers with sentences, " + with_commas(report.worded) + " paths by wordings; " +
                with_commas(report.unfaithful) + " sentences left out for the names in them; " +
                with_commas(report.ordinary) + " names are ordinary words");
  RunFolder folder = RunFolder::create(options.run, kResponseRun);
  const seq2seq::SentencePiece vocabulary = seq2seq::vocabulary_of_run(
      folder, reporter, [&] { return train_response_pieces(responses.train, config, folder); });
  const DialogueCoder coder(vocabulary, config.vocabulary, config.model.speakers);
  seq2seq::SummaryData train = encode_responses(coder, responses.train, config, true),
                       dev = encode_responses(coder, responses.dev, config, false);
  report.training.vocabulary = vocabulary.size();
  report.training.pairs = static_cast<std::int64_t>(train.pairs.size());
  report.training.left_out = train.empty + train.too_long;
  report.training.cut = train.cut;
  report.training.pieces = train.target_pieces;
  seed_torch(options.seed);
  seq2seq::PointerGenerator model(config.model, vocabulary.size(), vocabulary.special().unk);
  report.training.parameters = seq2seq::count_parameters(*model, *model->transformer);
  seq2seq::SummaryTask task(config, model, vocabulary, std::move(train), std::move(dev),
                            folder.path() / "snapshots");
  seq2seq::train_pairs(
      task,
      {kResponseRun, "response model", response_manifest(options, graph, responses, vocabulary), &config},
      folder, vocabulary, report.training, reporter, stop);
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace kgwalk::dialogue
