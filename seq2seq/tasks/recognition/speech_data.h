// Lists of recordings and the features made of them.
//
// A list is one of
//   FILE.tsv[#COLUMN=VALUE]  first line names the columns; `path` (relative to the file) and `text`
//                            are needed, others are read only by the condition, which keeps the rows that
//                            fulfill it
//   FILE.fileids             CMU Sphinx: names, one a line, in FOLDER/etc; FILE.transcription beside it holds
//                            "TEXT (NAME)"; features are FOLDER/feat/NAME.mfc, or sounds FOLDER/wav/NAME.wav
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/tasks/recognition/config.h"

namespace kgwalk::seq2seq {

struct Recording {
  std::filesystem::path file;
  std::string text;
};

// DataError with file and line for rows that lack a column, names without a transcription and the like;
// ConfigError when no row is left.
[[nodiscard]] std::vector<Recording> read_recordings(const std::string& list);
[[nodiscard]] std::string checksum_of_recordings(std::span<const Recording> recordings);

struct Utterance {
  std::filesystem::path file;
  std::string text;                     // as in the list
  std::vector<int> units;               // without an end
  std::vector<torch::Tensor> features;  // float32 [T, F], one a speed
  double seconds = 0;
  [[nodiscard]] std::int64_t frames() const { return features.front().size(0); }
};

// Differences and the utterance's own normalization on features that were read or made.
[[nodiscard]] torch::Tensor finished_features(const torch::Tensor& x, const RecognitionConfig& config);
// Features of a file at one speed, [T, F]. A file of features is interpolated in time. Seconds are those
// of the file.
[[nodiscard]] torch::Tensor load_features(const std::filesystem::path& file, const RecognitionConfig& config,
                                          double speed, double& seconds);

struct SpeechData {
  std::vector<Utterance> utterances;
  std::int64_t silent = 0;     // left out: no text
  std::int64_t too_short = 0;  // left out: fewer frames than CTC needs for the text
  double seconds = 0;
};
// Every recording is kept or counted as left out. For evaluation (`training` false) nothing is left out and
// only the speed 1 is made. Files in parallel.
[[nodiscard]] SpeechData load_speech(std::span<const Recording> recordings, const RecognitionConfig& config,
                                     const SpeechUnits& units, bool training, Reporter& reporter);

}  // namespace kgwalk::seq2seq
