// What a recognizer is, how it is trained and how it searches. Presets: seq2seq/presets/asr_*.json.
#pragma once

#include <string>
#include <vector>

#include "runtime/run_manifest.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/audio/features.h"
#include "seq2seq/models/ctc_attention.h"
#include "seq2seq/tasks/recognition/units.h"
#include "seq2seq/tasks/snapshots.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kRecognitionRun{
    .name = "task-asr", .command = "task asr train", .parts = {"recognition"}};

// Attention and CTC label by label, CTC's prefix beam, or its best path.
enum class SpeechSearch { kJoint, kCtcBeam, kCtcGreedy };
constexpr auto choice_names(SpeechSearch) {
  return choices_in_order<SpeechSearch>("joint", "ctc_beam", "ctc_greedy");
}

struct SpeechSearchOptions {
  Choice<SpeechSearch> method = SpeechSearch::kJoint;
  int beam = 10;
  int nbest = 1;
  double ctc_weight = 0.3;  // joint
  int candidates = 20;      // joint: units a hypothesis that get a CTC score
  double lm_weight = 0.3;   // with a language model
  double unit_bonus = 0;    // joint, ctc_beam: added for every unit, since sums of logarithms like short text
  int batch = 16;           // utterances decoded together
  double longest_s = 30;    // of sound at once; longer sound is cut (long_sound.h)
  template <class F>
  void fields(F& f) {
    f("method", method, "Attention and CTC label by label (joint), CTC's prefix beam, or its best path.");
    f("beam", beam, "Number of hypotheses or partial paths that are kept.").range(1, 1000);
    f("nbest", nbest, "Number of hypotheses given for an utterance.").range(1, 1000);
    f("ctc_weight", ctc_weight, "Share of CTC's score in the joint search.").range(0, 1);
    f("candidates", candidates, "Number of units a hypothesis that get a CTC score in the joint search.")
        .range(1, 1e6);
    f("lm_weight", lm_weight, "Weight of the language model's score, when there is one.").range(0, 10);
    f("unit_bonus", unit_bonus, "Score added for every unit by joint and ctc_beam.").range(-10, 10);
    f("batch", batch, "Number of utterances decoded together.").range(1, 10000);
    f("longest_s", longest_s,
      "Seconds of sound that are recognized at once; longer sound is cut at its quietest places.")
        .range(2, 3600);
  }
  void check(Problems& problems) const;
};

// Files of sound, or files of features.
enum class SpeechInputKind { kSound, kFeatures };
constexpr auto choice_names(SpeechInputKind) {
  return choices_in_order<SpeechInputKind>("sound", "features");
}
// What is taken out of each utterance's features: nothing, their mean, mean and deviation.
enum class UtteranceNorm { kNone, kMean, kFull };
constexpr auto choice_names(UtteranceNorm) { return choices_in_order<UtteranceNorm>("none", "mean", "full"); }

struct RecognitionConfig {
  Choice<SpeechInputKind> input = SpeechInputKind::kSound;
  FeatureOptions features;
  int spectrum = 0;  // features: cepstra become so many log-mel bands (spectrum_of_cepstra); 0 = they stay
  Choice<UtteranceNorm> utterance_norm =
      UtteranceNorm::kMean;  // before the differences; global normalization comes after them
  std::vector<double> speeds{1};
  SpecAugmentOptions spec_augment;
  CtcAttentionOptions model;
  UnitOptions units;
  int max_frames = 8000;   // of a batch: utterances times the longest one's frames
  double smoothing = 0.1;  // of the decoder's labels
  int hold_out = 20;
  int average = 5;
  Choice<KeptWeights> keep = KeptWeights::kAverage;
  SpeechSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("input", input, "Files of sound, or files of features with features.cepstra values a frame.");
    f("features", features, "Acoustic features.");
    f("spectrum", spectrum,
      "Number of log-mel bands that the cepstra of files of features are turned back into; 0 "
      "means none.")
        .range(0, 512);
    f("utterance_norm", utterance_norm,
      "What is taken out of each utterance's features: nothing, their mean, or mean and "
      "deviation.");
    f("speeds", speeds, "Speeds that training utterances are heard at, one drawn each time.");
    f("spec_augment", spec_augment, "Masks of training utterances.");
    f("model", model, "Network.");
    f("units", units, "What is written.");
    f("max_frames", max_frames, "Number of frames in a batch, padding counted.").range(1, 1 << 24);
    f("smoothing", smoothing, "Label smoothing of the training loss.").range(0, 0.99);
    f("hold_out", hold_out, "Without development data, every so many-th training utterance is taken for it.")
        .range(2, 1e6);
    f("average", average, "Number of last evaluations whose weights are averaged at the end.").range(1, 1000);
    f("keep", keep, "Weights of the finished model: that average, or those of the best evaluation.");
    f("search", search, "How speech is decoded.");
    f("trainer", trainer, "Training loop.");
  }
  void check(Problems& problems) const;
  [[nodiscard]] int feature_width() const;  // values a frame, with differences
  [[nodiscard]] int feature_groups() const { return 1 + features.deltas; }
};

}  // namespace kgwalk::seq2seq
