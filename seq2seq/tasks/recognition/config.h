// What a recognizer is, how it is trained and how it searches. Presets: seq2seq/presets/asr_*.json.
#pragma once

#include <string>
#include <vector>

#include "runtime/run_manifest.h"
#include "runtime/tensor/trainer.h"
#include "seq2seq/audio/features.h"
#include "seq2seq/models/recognizer.h"
#include "seq2seq/tasks/recognition/units.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kRecognitionRun{
    .name = "task-asr", .command = "task asr train", .parts = {"recognition"}};

struct SpeechSearchOptions {
  std::string method = "joint";
  int beam = 10;
  int nbest = 1;
  double ctc_weight = 0.3;  // joint
  int candidates = 20;      // joint: units a hypothesis that get a CTC score
  double lm_weight = 0.3;   // with a language model
  double unit_bonus = 0;    // joint, ctc_beam: added for every unit, since sums of logarithms like short text
  int batch = 16;           // utterances decoded together
  template <class F>
  void fields(F& f) {
    f("method", method, "attention and CTC label by label, CTC's prefix beam or its best path")
        .one_of({"joint", "ctc_beam", "ctc_greedy"});
    f("beam", beam, "hypotheses kept").range(1, 1000);
    f("nbest", nbest, "hypotheses given an utterance").range(1, 1000);
    f("ctc_weight", ctc_weight, "joint: share of CTC's score").range(0, 1);
    f("candidates", candidates, "joint: units a hypothesis that get a CTC score").range(1, 1e6);
    f("lm_weight", lm_weight, "of the language model's score, when there is one").range(0, 10);
    f("unit_bonus", unit_bonus, "joint, ctc_beam: added for every unit").range(-10, 10);
    f("batch", batch, "utterances decoded together").range(1, 10000);
  }
  void check(Problems& problems) const;
};

struct RecognitionConfig {
  std::string input = "sound";
  FeatureOptions features;
  int spectrum = 0;  // features: cepstra become so many log-mel bands (spectrum_of_cepstra); 0 = they stay
  std::string utterance_norm = "mean";  // before the differences; global normalization comes after them
  std::vector<double> speeds{1};
  SpecAugmentOptions spec_augment;
  RecognizerOptions model;
  UnitOptions units;
  int max_frames = 8000;   // of a batch: utterances times the longest one's frames
  double smoothing = 0.1;  // of the decoder's labels
  int hold_out = 20;
  int average = 5;
  std::string keep = "average";
  SpeechSearchOptions search;
  TrainerConfig trainer;
  template <class F>
  void fields(F& f) {
    f("input", input, "sound files, or files of features (features.cepstra values a frame)")
        .one_of({"sound", "features"});
    f("features", features, "acoustic features");
    f("spectrum", spectrum,
      "files of features: log-mel bands that their cepstra are turned back into; 0 = none")
        .range(0, 512);
    f("utterance_norm", utterance_norm, "of each utterance: its mean, its mean and deviation, or none")
        .one_of({"none", "mean", "full"});
    f("speeds", speeds, "speeds that training utterances are heard at, one drawn each time");
    f("spec_augment", spec_augment, "masks of training utterances");
    f("model", model, "network");
    f("units", units, "what is written");
    f("max_frames", max_frames, "frames of a batch, padding counted").range(1, 1 << 24);
    f("smoothing", smoothing, "label smoothing of the decoder").range(0, 0.99);
    f("hold_out", hold_out, "without development data every so many-th training utterance is taken for it")
        .range(2, 1e6);
    f("average", average, "evaluations whose weights are averaged at the end").range(1, 1000);
    f("keep", keep, "weights of the finished model: the average, or those of the best evaluation")
        .one_of({"average", "best"});
    f("search", search, "how speech is decoded");
    f("trainer", trainer, "training loop");
  }
  void check(Problems& problems) const;
  [[nodiscard]] int feature_width() const;  // values a frame, with differences
  [[nodiscard]] int feature_groups() const { return 1 + features.deltas; }
};

}  // namespace kgwalk::seq2seq
