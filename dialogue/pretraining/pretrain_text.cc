#include "dialogue/pretraining/pretrain_text.h"

#include <memory>

#include "dialogue/pretraining/masked_text.h"
#include "dialogue/text/name_states.h"
#include "dialogue/text/text_encoder.h"
#include "dialogue/turn_example.h"
#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/text.h"
#include "seq2seq/text/albert_tokenizer.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::dialogue {
namespace {

MaskedTextData load_data(const graph::Store& store, const graph::KnowledgeGraph& graph,
                         const PretrainTextConfig& config) {
  MaskedTextData data;
  data.graph = &graph;
  const std::vector<std::string> splits =
      config.train_splits.empty() ? training_splits(store) : config.train_splits;
  if (splits.empty()) {
    throw ConfigError(
        "the database has no split whose name begins with 'train'; name its splits in train_splits, or "
        "ingest "
        "dialogues as split 'train'",
        Remedy{Remedy::kReingest, store.path().string(), {{"dialogues", "train=FILE"}}});
  }
  for (const std::string& split : splits) {
    for (graph::Dialogue& dialogue : store.dialogues(split)) data.train.push_back(std::move(dialogue));
  }
  data.dev = store.dialogues(config.dev_split);
  return data;
}

// What the vocabulary is trained on: every message once, then the names of the graph.
std::vector<std::string> vocabulary_lines(const MaskedTextData& data) {
  std::vector<std::string> lines;
  for (const graph::Dialogue& dialogue : data.train) {
    for (const graph::DialogueEvent& event : dialogue.events) {
      if (const auto* chat = std::get_if<graph::Chat>(&event)) lines.push_back(chat->text);
    }
  }
  const graph::KnowledgeGraph& graph = *data.graph;
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e) lines.emplace_back(graph.entity_name(e));
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
    const RelationWords relation = relation_words(graph.relation_name(r));
    if (!relation.inverse) lines.push_back(relation.words);
  }
  return lines;
}

// The vocabulary of this run: that of the interrupted training when there is one, else a new one.
seq2seq::AlbertTokenizer make_vocabulary(const MaskedTextData& data, const PretrainTextConfig& config,
                                         const RunFolder& folder, Reporter& reporter) {
  const std::filesystem::path scratch = folder.path() / "vocabulary";
  const std::filesystem::path model = scratch / "vocabulary.model";
  if (folder.has_checkpoint("last") && std::filesystem::exists(model)) {
    return seq2seq::AlbertTokenizer(seq2seq::SentencePiece::load(model));
  }
  reporter.info("training the vocabulary (spm_train)");
  std::filesystem::create_directories(scratch);
  seq2seq::VocabularyOptions options;
  options.size = config.vocabulary;
  options.control = {"[CLS]", "[SEP]", "[MASK]", std::string(kUserMark), std::string(kAssistantMark)};
  // The text goes through the cleaning that the encoder's text will go through.
  seq2seq::SentencePiece trained = [&] {
    std::vector<std::string> lines = vocabulary_lines(data);
    for (std::string& line : lines) line = seq2seq::clean_albert_text(line, {});
    return seq2seq::train_sentencepiece(lines, options, scratch);
  }();
  std::filesystem::remove(scratch / "vocabulary.txt");
  return seq2seq::AlbertTokenizer(std::move(trained));
}

std::int64_t count_parameters(const torch::nn::Module& module) {
  std::int64_t count = 0;
  for (const torch::Tensor& parameter : module.parameters()) count += parameter.numel();
  return count;
}

void count_training(const MaskedTextData& data, const ContextTokenizer& tokens, std::size_t window,
                    PretrainTextReport& report) {
  for (const graph::Dialogue& dialogue : data.train) {
    for (const auto& part : dialogue_windows(dialogue, window, 0)) {
      ++report.train_sequences;
      report.train_tokens += static_cast<std::int64_t>(tokens.context(part).ids.size());
    }
  }
}

}  // namespace

PretrainTextConfig::PretrainTextConfig() {
  model.embedding_size = 128;
  model.hidden_size = 192;
  model.num_hidden_layers = 3;
  model.num_attention_heads = 3;
  model.intermediate_size = 768;
  model.hidden_act = "gelu";
  model.max_position_embeddings = 256;
  trainer.max_epochs = 10;
  trainer.adam.lr = 1e-3;
  trainer.adam.weight_decay = 0.01;
  trainer.adam.clip_norm = 1;
  trainer.schedule.kind = "linear";
  trainer.schedule.warmup_steps = 100;
}

PretrainTextConfig pretrain_preset(std::string_view name) {
  PretrainTextConfig config;
  if (name == "default") return config;
  if (name != "tiny")
    throw ConfigError("there is no preset '" + std::string(name) + "'; the presets are default and tiny");
  config.vocabulary = 600;
  config.model.embedding_size = 64;
  config.model.hidden_size = 96;
  config.model.num_hidden_layers = 2;
  config.model.num_attention_heads = 3;
  config.model.intermediate_size = 384;
  config.model.initializer_range = 0.05;
  config.facts_per_epoch = 0;
  config.batch_tokens = 256;
  config.trainer.max_epochs = 8;
  config.trainer.adam.lr = 2e-3;
  config.trainer.schedule.warmup_steps = 20;
  return config;
}

Json PretrainTextReport::to_json() const {
  return {{"vocabulary", vocabulary},     {"parameters", parameters},   {"train_sequences", train_sequences},
          {"train_tokens", train_tokens}, {"dev_tokens", dev_tokens},   {"training", training.to_json()},
          {"checksum", checksum},         {"encoder", encoder.string()}};
}

std::filesystem::path encoder_folder(const std::filesystem::path& run) { return run / "encoder"; }

PretrainTextReport pretrain_text(const graph::Store& store, const graph::KnowledgeGraph& graph,
                                 const PretrainTextConfig& config, const std::filesystem::path& run,
                                 std::uint64_t seed, Reporter& reporter, const StopFlag& stop) {
  validate(config);
  const MaskedTextData data = load_data(store, graph, config);
  RunFolder folder = RunFolder::create(run, kTextRun);
  const auto tokenizer =
      std::make_shared<const seq2seq::AlbertTokenizer>(make_vocabulary(data, config, folder, reporter));
  seq2seq::AlbertOptions options = config.model;
  options.vocab_size = tokenizer->size();
  options.pad_token_id = tokenizer->special().pad;
  const ContextTokenizer tokens(tokenizer, static_cast<std::size_t>(options.max_position_embeddings));

  torch::manual_seed(seed);
  seq2seq::AlbertForMaskedLm model(options);
  MaskedTextTask task(model, tokens, data,
                      {config.window, config.mask_share, config.facts_per_epoch, config.batch_tokens});
  PretrainTextReport report;
  report.vocabulary = tokenizer->size();
  report.parameters = count_parameters(*model);
  report.dev_tokens = task.num_dev_tokens();
  count_training(data, tokens, static_cast<std::size_t>(config.window), report);
  reporter.info("pre-training on " + with_commas(report.train_sequences) + " windows of " +
                with_commas(report.train_tokens) + " pieces; " + with_commas(report.parameters) +
                " parameters, " + with_commas(report.vocabulary) + " pieces in the vocabulary");
  report.training = train(task, config.trainer, RunManifest(kTextRun, config, seed), folder, reporter, stop);

  report.encoder = encoder_folder(run);
  write_folder_atomically(report.encoder, [&](const std::filesystem::path& temporary) {
    seq2seq::save_albert(model, temporary);
    tokenizer->save(temporary);
  });
  report.checksum = TextEncoder::load(run)->checksum();
  folder.write_result("pretrain_text", report.to_json());
  return report;
}

}  // namespace kgwalk::dialogue
