// The embedded API of speech recognition: open a model's folder, transcribe sounds.
//
//   auto recognizer = Recognizer::open("runs/an4");
//   for (const Transcription& t : recognizer.transcribe(sounds)) std::cout << t.best().text << '\n';
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/progress.h"
#include "kgwalk/recognizer.h"
#include "seq2seq/audio/sound.h"
#include "seq2seq/search/ctc.h"
#include "seq2seq/tasks/recognition/config.h"
#include "seq2seq/tasks/recognition/unit_language.h"
#include "seq2seq/tasks/recognition/units.h"

namespace kgwalk::seq2seq {

// Why a text is empty.
inline constexpr const char* kTooShort = "shorter than a frame";
inline constexpr const char* kSilence = "silence";

// Public types (kgwalk/recognizer.h) by the names that the tasks know them by.
using kgwalk::SpeechHypothesis;
using kgwalk::SpokenWord;
using kgwalk::Transcription;

// Safe for concurrent calls of the transcribing functions.
class Recognizer {
 public:
  // A model's folder or a finished run of `kgwalk task asr train`. Errors as read_model_files'.
  [[nodiscard]] static Recognizer open(const std::filesystem::path& path);
  Recognizer(RecognitionConfig config, CtcAttention model, SpeechUnits units);

  // One result a sound, in order; any rate. A sound shorter than a frame and one without any sample but zero
  // have an empty text and a note. One longer than search.longest_s is cut at pauses and has one hypothesis.
  // ConfigError when the model reads features.
  [[nodiscard]] std::vector<Transcription> transcribe(std::span<const Sound> sounds) const;
  // A file of what the model reads, sound or features. Errors as read_sound's and load_features'; Stopped
  // when the flag is raised before all is heard.
  [[nodiscard]] Transcription transcribe_file(const std::filesystem::path& file,
                                              const StopFlag& stop = never_stop()) const;
  // The same for finished features [T, F] (load_features); T = 0 is shorter than a frame.
  [[nodiscard]] std::vector<Transcription> transcribe_features(std::span<const torch::Tensor> features) const;
  // Transcribes log p of CTC, float32 [T', V], by a method of CTC (ConfigError for `joint`); T' = 0 is
  // shorter than a frame.
  [[nodiscard]] Transcription transcription_of(const torch::Tensor& frame_scores) const;
  // Features of a file, as the model reads them; nullopt for silence. Errors as read_sound's.
  [[nodiscard]] std::optional<torch::Tensor> features_of_file(const std::filesystem::path& file,
                                                              double& seconds) const;
  [[nodiscard]] std::optional<torch::Tensor> features_of_sound(const Sound& sound) const;

  void set_search(const SpeechSearchOptions& search);     // ConfigError for impossible options
  void set_language(const std::filesystem::path& model);  // shallow fusion with a model of `task lm`

  [[nodiscard]] const RecognitionConfig& config() const noexcept { return config_; }
  [[nodiscard]] const SpeechUnits& units() const noexcept { return units_; }
  [[nodiscard]] CtcAttention model() const { return model_; }

 private:
  [[nodiscard]] bool is_long(const Sound& sound) const { return sound.seconds() > config_.search.longest_s; }
  [[nodiscard]] Transcription transcribe_short(const Sound& sound) const;
  [[nodiscard]] Transcription transcribe_long(const Sound& sound, const StopFlag& stop) const;
  struct Found {
    std::vector<int> units;
    double score = 0;
  };
  void transcribe_batch(std::span<const std::size_t> places, std::span<const torch::Tensor> features,
                        std::vector<Transcription>& results) const;
  std::vector<std::vector<Found>> joint(const EncodedSpeech& speech, const torch::Tensor& scores) const;
  std::vector<Found> by_ctc(const FrameScores& scores) const;
  SpeechHypothesis hypothesis_of(const Found& found, const FrameScores& scores) const;

  RecognitionConfig config_;
  mutable CtcAttention model_;
  SpeechUnits units_;
  std::shared_ptr<const UnitLanguage> language_;
};

}  // namespace kgwalk::seq2seq
