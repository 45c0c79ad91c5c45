#include "seq2seq/tasks/recognition/eval.h"

#include <ctime>

#include "kgwalk/error.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/tasks/recognition/task.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::size_t kChunk = 64;  // utterances between two signs of progress

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Json json_of(const EditCounts& counts) {
  return {{"rate", counts.rate()},
          {"reference", counts.reference()},
          {"substitutions", counts.substitutions},
          {"deletions", counts.deletions},
          {"insertions", counts.insertions}};
}

void score(const Recognizer& recognizer, const Recording& recording, const std::string& hypothesis,
           RecognitionEvalReport& report) {
  report.references.push_back(recognizer.units().normalized(recording.text));
  report.hypotheses.push_back(hypothesis);
  const auto alignment = align_tokens(split_words(report.references.back()), split_words(hypothesis));
  const EditCounts counts = count_edits(alignment);
  report.words += counts;
  report.right += counts.errors() == 0;
  report.characters +=
      count_edits(error_characters(report.references.back(), true), error_characters(hypothesis, true));
  report.characters_without_spaces +=
      count_edits(error_characters(report.references.back(), false), error_characters(hypothesis, false));
  report.alignments += recording.file.filename().string() + '\n' + alignment_text(alignment) + '\n';
}

}  // namespace

double RecognitionEvalReport::accuracy() const {
  return references.empty() ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(references.size());
}

double RecognitionEvalReport::real_time_factor() const {
  return sound_seconds > 0 ? (processor_seconds + feature_seconds) / sound_seconds : 0;
}

Json RecognitionEvalReport::to_json() const {
  return {{"utterances", references.size()},
          {"wer", json_of(words)},
          {"cer", json_of(characters)},
          {"cer_without_spaces", json_of(characters_without_spaces)},
          {"accuracy", accuracy()},
          {"sound_seconds", sound_seconds},
          {"processor_seconds", processor_seconds},
          {"feature_seconds", feature_seconds},
          {"real_time_factor", real_time_factor()}};
}

RecognitionEvalReport evaluate_recognition(const Recognizer& recognizer,
                                           std::span<const Recording> recordings, Reporter& reporter) {
  if (recordings.empty()) throw ConfigError("there is no recording to evaluate");
  RecognitionEvalReport report;
  const auto progress =
      reporter.start("transcribing", static_cast<std::int64_t>(recordings.size()), "recordings");
  for (std::size_t at = 0; at < recordings.size(); at += kChunk) {
    const auto part = recordings.subspan(at, std::min(kChunk, recordings.size() - at));
    const double begin = processor_seconds();
    std::vector<torch::Tensor> features;
    for (const Recording& recording : part) {
      double seconds = 0;
      const auto x = recognizer.features_of_file(recording.file, seconds);
      features.push_back(x ? *x : torch::zeros({0, recognizer.config().feature_width()}));
      report.sound_seconds += seconds;
    }
    const double made = processor_seconds();
    const std::vector<Transcription> found = recognizer.transcribe_features(features);
    report.feature_seconds += made - begin;
    report.processor_seconds += processor_seconds() - made;
    for (std::size_t i = 0; i < part.size(); ++i) score(recognizer, part[i], found[i].best().text, report);
    progress->add(static_cast<std::int64_t>(part.size()));
  }
  return report;
}

std::vector<NamedPlot> recognition_plots(const Recognizer& recognizer, const Recording& recording) {
  double seconds = 0;
  const auto x = recognizer.features_of_file(recording.file, seconds);
  const std::vector<int> units = recognizer.units().encode(recording.text);
  if (!x || x->size(0) == 0 || units.empty())
    throw ConfigError(recording.file.string() + ": attention maps need sound and its text");
  const torch::NoGradGuard no_grad;
  CtcAttention model = recognizer.model();
  const AttentionMaps maps(*model);
  const std::vector<torch::Tensor> features{*x};
  const SpeechBatch batch = pad_features(features);
  const EncodedSpeech speech = model->encode(batch.x, batch.lengths);
  std::vector<std::string> written{"<s>"}, frames;
  for (const int id : units) written.push_back(recognizer.units().unit(id));
  const double frame_s =
      recognizer.config().features.shift_ms / 1000 * recognizer.config().model.subsampling.factor;
  for (std::int64_t t = 0; t < speech.states.size(1); ++t)
    frames.push_back(t % 10 == 0 ? std::to_string(static_cast<double>(t) * frame_s).substr(0, 4) : " ");
  if (model->options().attends()) {
    const std::vector<const std::vector<int>*> rows{&units};
    (void)model->teach(speech, targets_of(rows).teaching.previous, {});
  }
  return maps.plots(0, [&](const std::string& name) {
    if (name.find("decoder") == std::string::npos) return MapLabels{frames, frames};
    return name.find("memory") == std::string::npos ? MapLabels{written, written}
                                                    : MapLabels{written, frames};
  });
}

}  // namespace kgwalk::seq2seq
