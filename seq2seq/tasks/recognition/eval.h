// Evaluation of a recognizer: word and character error rates with their edits, sentences that are right, the
// alignment of every utterance, speed; and pictures of what its attention looks at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "seq2seq/attention/attention_plots.h"
#include "seq2seq/metrics/edits.h"
#include "seq2seq/tasks/recognition/recognizer.h"
#include "seq2seq/tasks/recognition/speech_data.h"

namespace kgwalk::seq2seq {

struct RecognitionEvalReport {
  std::vector<std::string> references, hypotheses;  // normalized
  EditCounts words, characters, characters_without_spaces;
  std::int64_t right = 0;                           // utterances without an error
  double sound_seconds = 0, processor_seconds = 0;  // decoding, features not counted
  double feature_seconds = 0;                       // processor time of reading files and making features
  std::string alignments;                           // three lines an utterance under its file's name
  [[nodiscard]] double accuracy() const;            // per cent of utterances without an error
  [[nodiscard]] double real_time_factor() const;  // processor time of features and decoding a second of sound
  [[nodiscard]] Json to_json() const;
};

// ConfigError when there is nothing to evaluate.
[[nodiscard]] RecognitionEvalReport evaluate_recognition(const Recognizer& recognizer,
                                                         std::span<const Recording> recordings,
                                                         Reporter& reporter);

// One picture an attention for one recording (TASA's figure 2): the encoder's frames over frames, the
// decoder's units over units and over frames. ConfigError for a recording without frames or text.
[[nodiscard]] std::vector<NamedPlot> recognition_plots(const Recognizer& recognizer,
                                                       const Recording& recording);

}  // namespace kgwalk::seq2seq
