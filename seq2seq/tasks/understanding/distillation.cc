#include "seq2seq/tasks/understanding/distillation.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/torch_threads.h"
#include "runtime/text.h"
#include "seq2seq/tasks/understanding/run_kinds.h"
#include "seq2seq/tasks/understanding/speech_batch.h"

namespace kgwalk::seq2seq {

using torch::Tensor;
namespace fs = std::filesystem;

void AlignmentObjective::check(Problems& problems) const {
  if (global == GlobalAlignment::kNone && tokens == PieceWeights::kNone && local_spans == PieceWeights::kNone)
    problems.add("global", "global, tokens and local_spans are all none: nothing would be aligned");
}

bool AlignmentObjective::needs_speech_prior() const {
  return (global == GlobalAlignment::kMean && speech_prior) ||
         (local_spans != PieceWeights::kNone && spans.anchors == SpanAnchors::kSignificance);
}

Units text_units(const std::vector<const TaughtText*>& texts, PieceWeights kind,
                 const std::vector<double>& idf) {
  std::int64_t longest = 0;
  for (const TaughtText* text : texts) longest = std::max(longest, text->states.size(0));
  const auto count = static_cast<std::int64_t>(texts.size());
  Units units;
  units.states = torch::zeros({count, longest, texts[0]->states.size(1)});
  units.keep = torch::zeros({count, longest}, torch::kBool);
  Tensor weights = torch::zeros({count, longest});
  for (std::int64_t b = 0; b < count; ++b) {
    const TaughtText& text = *texts[static_cast<std::size_t>(b)];
    const std::int64_t n = text.states.size(0);
    units.states[b].narrow(0, 0, n).copy_(text.states);
    units.keep[b].narrow(0, 0, n).fill_(true);
    if (kind == PieceWeights::kPrior) weights[b].narrow(0, 0, n).copy_(text.prior);
    for (std::int64_t j = 0; kind == PieceWeights::kIdf && j < n; ++j)
      weights[b][j] = idf[static_cast<std::size_t>(text.ids[static_cast<std::size_t>(j)])];
  }
  if (kind != PieceWeights::kEqual) units.weights = restrict_prior(weights, units.keep);
  return units;
}

namespace {

Tensor global_part(const Units& speech, const std::vector<const TaughtText*>& texts,
                   const AlignmentObjective& objective) {
  if (objective.global == GlobalAlignment::kCls || objective.global == GlobalAlignment::kFirst) {
    std::vector<Tensor> cls;
    for (const TaughtText* text : texts) cls.push_back(text->cls);
    return global_alignment(objective.global == GlobalAlignment::kFirst
                                ? speech.states.select(1, 0)
                                : pooled_units({speech.states, speech.keep, {}}),
                            on(speech.states.device(), torch::stack(cls)));
  }
  Units own = speech;
  if (!objective.speech_prior) own.weights = Tensor();
  return global_alignment(
      pooled_units(own),
      pooled_units(text_units(texts, objective.text_prior ? PieceWeights::kPrior : PieceWeights::kEqual, {})
                       .to(speech.states.device())));
}

}  // namespace

AlignmentLoss alignment_loss(const Units& speech, const std::vector<const TaughtText*>& texts,
                             const AlignmentObjective& objective, const std::vector<double>& idf) {
  AlignmentLoss result;
  const auto add = [&](const char* name, const Tensor& part, double weight) {
    result.parts[name] = part.item<double>();
    result.loss = result.loss.defined() ? result.loss + weight * part : weight * part;
  };
  if (objective.global != GlobalAlignment::kNone)
    add("global", global_part(speech, texts, objective), objective.global_weight);
  if (objective.tokens != PieceWeights::kNone)
    add("tokens",
        local_alignment(speech, text_units(texts, objective.tokens, idf).to(speech.states.device())),
        objective.tokens_weight);
  if (objective.local_spans != PieceWeights::kNone)
    add("spans",
        local_alignment(aggregate_spans(speech, objective.spans).units,
                        text_units(texts, objective.local_spans, idf).to(speech.states.device())),
        objective.spans_weight);
  return result;
}

namespace {

struct SpokenTexts {
  std::vector<std::vector<float>> waves;
  std::vector<std::int64_t> frames;
  std::vector<TaughtText> texts;
};

// Frames of a batch with their prior when the objective needs one.
Units speech_units(Wav2Vec2& student, const SpeechInput& input, const AlignmentObjective& objective) {
  AttentionTrace trace;
  trace.keep_logits = true;
  const bool prior = objective.needs_speech_prior();
  const SpeechOutput out = student->forward(input, false, prior ? &trace : nullptr);
  Units units{out.states, out.keep, {}};
  if (prior) units.weights = significance_of(trace, out.keep, objective.prior_layers);
  return units;
}

class AlignTask : public Task {
 public:
  AlignTask(const AlignConfig& config, Wav2Vec2 student, SpokenTexts train, SpokenTexts dev)
      : config_(config),
        student_(std::move(student)),
        train_(std::move(train)),
        dev_(std::move(dev)),
        idf_(inverse_document_frequencies(train_.texts)) {
    // Pieces that only the dev texts have are as rare as can be.
    int size = 0;
    for (const TaughtText& text : dev_.texts)
      for (const int id : text.ids) size = std::max(size, id + 1);
    const double rarest = idf_.empty() ? 0 : *std::max_element(idf_.begin(), idf_.end());
    if (idf_.size() < static_cast<std::size_t>(size)) idf_.resize(static_cast<std::size_t>(size), rarest);
    if (config.freeze_convolutions) student_->freeze_convolutions();
  }

  [[nodiscard]] torch::nn::Module& module() override { return *student_; }

  std::int64_t begin_epoch(int /*epoch*/, Random& random) override {
    batches_ = frame_batches(train_.frames, config_.batch_frames, random);
    return static_cast<std::int64_t>(batches_.size());
  }

  [[nodiscard]] StepResult step(std::int64_t batch) override {
    const std::vector<std::size_t>& places = batches_[static_cast<std::size_t>(batch)];
    AlignmentLoss loss = loss_of(train_, places);
    return {loss.loss, static_cast<double>(places.size()), std::move(loss.parts)};
  }

  [[nodiscard]] Json evaluate() override {
    Json means = Json::object();
    double total = 0;
    Random fixed(1);
    for (const std::vector<std::size_t>& places : frame_batches(dev_.frames, config_.batch_frames, fixed)) {
      const AlignmentLoss loss = loss_of(dev_, places);
      const double share = static_cast<double>(places.size()) / static_cast<double>(dev_.waves.size());
      total += share * loss.loss.item<double>();
      for (const auto& item : loss.parts.items())
        means[item.key()] = means.value(item.key(), 0.0) + share * item.value().get<double>();
    }
    means["loss"] = total;
    means["score"] = -total;
    return means;
  }

 private:
  [[nodiscard]] AlignmentLoss loss_of(const SpokenTexts& speech, const std::vector<std::size_t>& places) {
    std::vector<const TaughtText*> texts;
    for (const std::size_t place : places) texts.push_back(&speech.texts[place]);
    return alignment_loss(speech_units(student_, pad_speech(speech.waves, places), config_.objective), texts,
                          config_.objective, idf_);
  }

  const AlignConfig& config_;
  Wav2Vec2 student_;
  SpokenTexts train_, dev_;
  std::vector<double> idf_;
  std::vector<std::vector<std::size_t>> batches_;
};

SpokenTexts spoken_texts(const Manifest& manifest, const std::string& split, const Teacher& teacher,
                         const Wav2Vec2Options& shape, const AlignConfig& config, Reporter& reporter) {
  const std::vector<std::size_t> places = items_of_split(manifest, split);
  std::vector<std::string> lines;
  for (const std::size_t place : places) {
    const SpokenItem& item = manifest.items[place];
    if (item.text.empty())
      throw DataError(manifest.file.string(), item.line, "the utterance has no text to be aligned with");
    lines.push_back(item.text);
  }
  SpokenTexts speech;
  speech.texts = teacher.teach(lines, config.objective.prior_layers);
  speech.waves = read_all_speech(manifest, places, shape, config.max_seconds, reporter);
  speech.frames = frames_of(speech.waves, shape);
  return speech;
}

}  // namespace

PretrainReport align_speech(const AlignOptions& options, Reporter& reporter, const StopFlag& stop) {
  validate(options.config, "alignment configuration");
  const AlignConfig& config = options.config;
  const Manifest manifest = read_manifest(options.manifest);
  manifest.require("text", "alignment");
  const Teacher teacher = Teacher::open(options.teacher);
  const Wav2Vec2 student = open_speech_encoder(options.student);
  if (teacher.width() != student->options().hidden_size)
    throw ConfigError("the teacher is " + std::to_string(teacher.width()) + " wide, the student " +
                      std::to_string(student->options().hidden_size) + "; alignment needs equal widths");
  RunManifest made(kAlignRun, config, options.seed);
  made.checksums = {{"manifest", checksum_of(read_file(options.manifest))},
                    {"teacher", teacher.checksum()},
                    {"student", checksum_of(wav2vec2_state(student))}};
  RunFolder folder = RunFolder::create(options.run, kAlignRun);
  seed_torch(options.seed);
  SpokenTexts train = spoken_texts(manifest, "align", teacher, student->options(), config, reporter);
  PretrainReport report;
  report.items = static_cast<std::int64_t>(train.waves.size());
  AlignTask task(config, student, std::move(train),
                 spoken_texts(manifest, "dev", teacher, student->options(), config, reporter));
  report.parameters = parameter_count(*student);
  reporter.info("aligning " + with_commas(report.items) + " utterances, " + with_commas(report.parameters) +
                " trained weights");
  report.training = kgwalk::train(task, config.trainer, made, folder, reporter, stop);
  report.encoder = folder.path() / "encoder";
  write_folder_atomically(report.encoder, [&](const fs::path& to) { save_wav2vec2(student, to); });
  folder.write_result("training", report.to_json());
  return report;
}

SignificancePicture significance_picture(const fs::path& file, const std::string& text, Wav2Vec2& student,
                                         const Teacher* teacher, const AlignmentObjective& objective) {
  const torch::NoGradGuard no_grad;
  student->eval();
  SignificancePicture picture;
  picture.samples = read_speech(file, student->options(), 0);
  picture.samples_per_frame = student->options().samples_per_frame();
  AlignmentObjective with_prior = objective;
  with_prior.global = "mean";
  with_prior.speech_prior = true;
  const std::vector<float>* const waves[] = {&picture.samples};
  const Units frames = speech_units(student, pad_speech(waves), with_prior);
  const Tensor prior = on_processor(frames.weights[0]);
  picture.speech_prior.assign(prior.data_ptr<float>(), prior.data_ptr<float>() + prior.size(0));
  const SpanPools pools = aggregate_spans(frames, objective.spans);
  picture.spans = pools.spans[0];
  if (!teacher || text.empty()) return picture;
  const TaughtText taught = teacher->teach(std::span(&text, 1), objective.prior_layers)[0];
  picture.pieces = taught.pieces;
  picture.text_prior.assign(taught.prior.data_ptr<float>(),
                            taught.prior.data_ptr<float>() + taught.prior.size(0));
  const Units told = text_units({&taught}, PieceWeights::kEqual, {}).to(frames.states.device());
  const Tensor place = on_processor(best_matches(pools.units, told).place[0]);
  picture.spans.clear();
  for (std::int64_t j = 0; j < place.size(0); ++j)
    picture.spans.push_back(pools.spans[0][static_cast<std::size_t>(place[j].item<std::int64_t>())]);
  return picture;
}

}  // namespace kgwalk::seq2seq
