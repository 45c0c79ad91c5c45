// PAD, the training (thesis chapter 4): a speech encoder is drawn to a frozen text encoder on pairs of speech
// and text. Sequences (G), tokens (T) and spans (S) may be aligned, alone or together (table 4.3).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/choice.h"
#include "kgwalk/progress.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/attention/significance.h"
#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/tasks/understanding/alignment.h"
#include "seq2seq/tasks/understanding/spans.h"
#include "seq2seq/tasks/understanding/teacher.h"

namespace kgwalk::seq2seq {

// Which states stand for a sequence in the alignment of sequences.
enum class GlobalAlignment { kNone, kCls, kMean, kFirst };
constexpr auto choice_names(GlobalAlignment) {
  return choices_in_order<GlobalAlignment>("none", "cls", "mean", "first");
}
// How the pieces of a text count in an alignment.
enum class PieceWeights { kNone, kEqual, kIdf, kPrior };
constexpr auto choice_names(PieceWeights) {
  return choices_in_order<PieceWeights>("none", "equal", "idf", "prior");
}

// Which alignments, and by what their units are weighted. Names of the tables:
//   Glob-cls          global cls, first      PAD-Glob       global mean, both priors
//   Glob-avr          global mean, no priors
//   TLocal            tokens equal           PAD-TLocal     tokens prior
//   TLocal-idf        tokens idf             PAD-SLocal     spans prior
//   SLocal w/o prior  spans equal            w/o span pool  spans.widths [1]
//                                            w/o anch pts   spans.anchors even
struct AlignmentObjective {
  // Eq. 4.1, |s - t|_1 of one state a side, "such as the cls embedding in BERT or the averaged embeddings".
  // cls: the teacher's at [CLS] and the mean of the frames, since wav2vec 2.0 has no such position. first:
  // the one at the first position of either side, [CLS] and the first frame. mean: means of both, weighted by
  // priors where asked for.
  Choice<GlobalAlignment> global = GlobalAlignment::kNone;
  bool speech_prior = true, text_prior = true;  // of global mean
  // A sum over the width stands beside cosines. The thesis prints no weights of joint objectives (table 4.3).
  double global_weight = 0.02;
  Choice<PieceWeights> tokens = PieceWeights::kNone;  // Eq. 4.2 over frames: how the text's pieces count
  double tokens_weight = 1;
  Choice<PieceWeights> local_spans =
      PieceWeights::kNone;  // Eq. 4.2 over the spans of AASA: how the text's pieces count
  double spans_weight = 1;
  SpanOptions spans;
  Choice<SignificanceLayers> prior_layers = SignificanceLayers::kAll;
  template <class F>
  void fields(F& f) {
    f("global", global,
      "States that stand for a sequence in the alignment of sequences (Eq. 4.1): the text's [CLS] with the "
      "mean of the frames (cls) or with the first frame (first), or both means; none switches it off.");
    f("speech_prior", speech_prior, "With global mean, frames count by their significance.");
    f("text_prior", text_prior, "With global mean, pieces count by their significance.");
    f("global_weight", global_weight, "Weight of the alignment of sequences.").range(0, 1e6);
    f("tokens", tokens, "How pieces count in their alignment with frames (Eq. 4.2); none switches it off.");
    f("tokens_weight", tokens_weight, "Weight of the alignment with frames.").range(0, 1e6);
    f("local_spans", local_spans, "How pieces count in their alignment with spans; none switches it off.");
    f("spans_weight", spans_weight, "Weight of the alignment with spans.").range(0, 1e6);
    f("spans", spans, "Spans.");
    f("prior_layers", prior_layers, "Layers whose attention maps give the significance.");
  }
  void check(Problems& problems) const;
  [[nodiscard]] bool needs_speech_prior() const;
};

// Texts as a batch of units with the weights of `kind` ("equal", "idf", "prior").
[[nodiscard]] Units text_units(const std::vector<const TaughtText*>& texts, PieceWeights kind,
                               const std::vector<double>& idf);

// The objective of a batch: sum of its alignments with their weights. `speech` carries its prior in
// `weights` when needs_speech_prior().
struct AlignmentLoss {
  torch::Tensor loss;
  Json parts;  // global, tokens, spans: each alignment without its weight
};
[[nodiscard]] AlignmentLoss alignment_loss(const Units& speech, const std::vector<const TaughtText*>& texts,
                                           const AlignmentObjective& objective,
                                           const std::vector<double>& idf);

struct AlignConfig {
  AlignmentObjective objective;
  bool freeze_convolutions = true;
  double max_seconds = 20;
  int batch_frames = 1500;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("objective", objective, "What is aligned.");
    f("freeze_convolutions", freeze_convolutions, "The convolutions of the front end stay as they are.");
    f("max_seconds", max_seconds, "Longest utterance in seconds; 0 means no limit.").range(0, 1e6);
    f("batch_frames", batch_frames, "Number of frames in a batch, padding counted.").range(1, 1e7);
    f("trainer", trainer, "Training loop.");
  }
};
struct AlignOptions {
  std::filesystem::path
      manifest;  // columns text and split: "align" is trained on, "dev" tells when it is best
  std::filesystem::path teacher, student, run;
  AlignConfig config;
  std::uint64_t seed = 1;
};

// Trains in a run folder of kind "task-slu-align", resuming an interrupted run; RUN/encoder is the student.
// The dev loss of every evaluation (figure 4.2) is in metrics.jsonl. ConfigError for texts without pieces,
// widths that differ, and an objective that aligns nothing.
PretrainReport align_speech(const AlignOptions& options, Reporter& reporter, const StopFlag& stop);

// What the priors and spans look like for one utterance (docs: --plots).
struct SignificancePicture {
  std::vector<float> samples;       // normalized, 16 kHz
  std::vector<float> speech_prior;  // a number a frame
  std::int64_t samples_per_frame = 0;
  std::vector<SpeechSpan> spans;    // those that a piece chose, in the order of the pieces; all when no text
  std::vector<std::string> pieces;  // of the text, may be empty
  std::vector<float> text_prior;
};
// `teacher` may be null, then there are no pieces.
[[nodiscard]] SignificancePicture significance_picture(const std::filesystem::path& file,
                                                       const std::string& text, Wav2Vec2& student,
                                                       const Teacher* teacher,
                                                       const AlignmentObjective& objective);
// Waveform with the chosen spans over it, the prior of the frames below, pieces and their prior under it.
[[nodiscard]] std::string significance_svg(const std::string& title, const SignificancePicture& picture);

}  // namespace kgwalk::seq2seq
