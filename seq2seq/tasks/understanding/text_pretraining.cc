// Pre-training of a small ALBERT on lines of text.
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/masked_language.h"
#include "seq2seq/tasks/text_lines.h"
#include "seq2seq/tasks/understanding/run_kinds.h"
#include "seq2seq/tasks/understanding/teacher.h"
#include "seq2seq/text/albert_tokenizer.h"
#include "seq2seq/text/spm_train.h"

namespace kgwalk::seq2seq {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHiddenSeed = 20190415;  // which dev pieces are hidden never changes

using Rows = std::vector<std::vector<int>>;

class MaskedLinesTask : public Task {
 public:
  MaskedLinesTask(AlbertForMaskedLm model, const Tokenizer& tokenizer, const TextPretrainConfig& config,
                  Rows train, Rows dev)
      : model_(std::move(model)),
        tokenizer_(tokenizer),
        config_(config),
        train_(std::move(train)),
        dev_(std::move(dev)) {}

  [[nodiscard]] torch::nn::Module& module() override { return *model_; }

  std::int64_t begin_epoch(int /*epoch*/, Random& random) override {
    epoch_seed_ = random.next();
    batches_ = batches_of(train_, random);
    return static_cast<std::int64_t>(batches_.size());
  }

  // Its own generator a batch, so that a resumed epoch hides what it would have hidden.
  [[nodiscard]] StepResult step(std::int64_t batch) override {
    Random random(epoch_seed_, static_cast<std::uint64_t>(batch) + 1);
    const MaskedBatch masked = masked_batch(train_, batches_[static_cast<std::size_t>(batch)], random);
    return {model_->loss(masked.input, masked.labels), static_cast<double>(masked.masked), {}};
  }

  [[nodiscard]] Json evaluate() override {
    MaskedScore score;
    Random order(kHiddenSeed);
    std::uint64_t stream = 0;
    for (const std::vector<std::size_t>& batch : batches_of(dev_, order)) {
      Random random(kHiddenSeed, ++stream);
      score.add(model_, masked_batch(dev_, batch, random));
    }
    return score.to_json();
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::size_t>> batches_of(const Rows& rows, Random& random) const {
    std::vector<LengthPair> lengths;
    for (const std::vector<int>& row : rows)
      lengths.push_back({static_cast<std::int64_t>(row.size()), static_cast<std::int64_t>(row.size())});
    return token_batches(lengths, config_.batch_tokens, random);
  }

  [[nodiscard]] MaskedBatch masked_batch(const Rows& rows, const std::vector<std::size_t>& places,
                                         Random& random) const {
    std::vector<const std::vector<int>*> chosen;
    for (const std::size_t place : places) chosen.push_back(&rows[place]);
    Padded padded = pad_rows(chosen);  // pads with id 0, which is <pad>
    return hide_pieces({padded.ids, padded.keep, {}}, tokenizer_, config_.mask_share, random);
  }

  AlbertForMaskedLm model_;
  const Tokenizer& tokenizer_;
  const TextPretrainConfig& config_;
  Rows train_, dev_;
  std::vector<std::vector<std::size_t>> batches_;
  std::uint64_t epoch_seed_ = 0;
};

// That of an interrupted training when there is one, else a new one.
AlbertTokenizer make_vocabulary(const std::vector<std::string>& lines, const TextPretrainConfig& config,
                                const RunFolder& folder, Reporter& reporter) {
  const fs::path scratch = folder.path() / "vocabulary", model = scratch / "vocabulary.model";
  if (folder.has_checkpoint("last") && fs::exists(model)) return AlbertTokenizer(SentencePiece::load(model));
  reporter.info("training the vocabulary (spm_train)");
  fs::create_directories(scratch);
  VocabularyOptions options;
  options.size = config.vocabulary;
  options.control = {"[CLS]", "[SEP]", "[MASK]"};
  std::vector<std::string> cleaned;
  for (const std::string& line : lines) cleaned.push_back(clean_albert_text(line, {}));
  AlbertTokenizer tokenizer(train_sentencepiece(cleaned, options, scratch));
  fs::remove(scratch / "vocabulary.txt");
  return tokenizer;
}

// Lines as [CLS] pieces [SEP]; empty ones are left out.
Rows rows_of(const std::vector<std::string>& lines, const Tokenizer& tokenizer, int limit,
             const std::string& what) {
  Rows rows;
  const SpecialIds special = tokenizer.special();
  for (const std::string& line : lines) {
    std::vector<int> ids = tokenizer.encode(line).ids;
    if (ids.empty()) continue;
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(limit) - 2));
    ids.insert(ids.begin(), special.cls);
    ids.push_back(special.sep);
    rows.push_back(std::move(ids));
  }
  if (rows.empty()) throw ConfigError("the " + what + " text has no sentence");
  return rows;
}

}  // namespace

std::int64_t parameter_count(const torch::nn::Module& module) {
  std::int64_t count = 0;
  for (const torch::Tensor& weight : module.parameters())
    if (weight.requires_grad()) count += weight.numel();
  return count;
}

Json PretrainReport::to_json() const {
  return {{"parameters", parameters},
          {"items", items},
          {"training", training.to_json()},
          {"encoder", encoder.string()}};
}

PretrainReport pretrain_teacher(const TextPretrainOptions& options, Reporter& reporter,
                                const StopFlag& stop) {
  validate(options.config, "pre-training configuration");
  const TextPretrainConfig& config = options.config;
  std::vector<std::string> train_lines;
  for (const fs::path& file : options.train)
    for (std::string& line : read_text_lines(file)) train_lines.push_back(std::move(line));
  const std::vector<std::string> dev_lines = read_text_lines(options.dev);
  RunFolder folder = RunFolder::create(options.run, kTeacherRun);
  const AlbertTokenizer tokenizer = make_vocabulary(train_lines, config, folder, reporter);
  AlbertOptions shape = config.model;
  shape.vocab_size = tokenizer.size();
  shape.pad_token_id = tokenizer.special().pad;
  PretrainReport report;
  Rows train = rows_of(train_lines, tokenizer, shape.max_position_embeddings, "training");
  report.items = static_cast<std::int64_t>(train.size());
  seed_torch(options.seed);
  AlbertForMaskedLm model(shape);
  report.parameters = parameter_count(*model);
  MaskedLinesTask task(model, tokenizer, config, std::move(train),
                       rows_of(dev_lines, tokenizer, shape.max_position_embeddings, "development"));
  reporter.info("pre-training a teacher on " + with_commas(report.items) + " sentences; " +
                with_commas(report.parameters) + " weights, " + with_commas(tokenizer.size()) + " pieces");
  RunManifest manifest(kTeacherRun, config, options.seed);
  manifest.checksums = {{"train", checksum_of_lines(train_lines)},
                        {"dev", checksum_of_lines(dev_lines)},
                        {"vocabulary", tokenizer.checksum()}};
  report.training = kgwalk::train(task, config.trainer, manifest, folder, reporter, stop);
  report.encoder = folder.path() / "encoder";
  write_folder_atomically(report.encoder, [&](const fs::path& to) {
    save_albert(model, to);
    tokenizer.save(to);
  });
  folder.write_result("training", report.to_json());
  return report;
}

}  // namespace kgwalk::seq2seq
