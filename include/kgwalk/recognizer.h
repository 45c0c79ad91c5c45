// The embedded speech recognizer: opens a trained model once, then transcribes files or samples, whole or
// while they are heard.
//
// Example:
//   const auto recognizer = kgwalk::Recognizer::open("runs/an4");
//   const auto heard = recognizer.transcribe_file("hello.wav");
//   for (const auto& word : heard.best().words) std::cout << word.begin_s << ' ' << word.text << '\n';
//
//   // With a model of a streaming preset, as the sound comes:
//   auto stream = recognizer.stream();
//   const std::vector<float> samples(1600);  // what the microphone gave, at recognizer.rate()
//   stream.hear(samples);
//   std::cout << stream.text() << '\n' << stream.finish().best().text << '\n';
//
// The model is trained by `kgwalk task asr train`; link kgwalk::speech. A recognizer owns its weights in
// memory; its const functions are thread-safe, and streams of one recognizer are independent. Nothing here
// prints; errors are the tree of kgwalk/error.h.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk {

struct SpokenWord {
  std::string text;
  double begin_s = 0, end_s = 0;  // seconds from the beginning, by CTC's alignment
};

struct SpeechHypothesis {
  std::string text;
  double score = 0;               // natural logarithm; of the method that was used
  std::vector<SpokenWord> words;  // empty where CTC cannot align the text
};

struct Transcription {
  std::vector<SpeechHypothesis> hypotheses;  // best first, at least one
  double seconds = 0;                        // of sound
  std::string note;                          // why the text is empty: no sound, or shorter than a frame
  [[nodiscard]] const SpeechHypothesis& best() const { return hypotheses.front(); }
  [[nodiscard]] Json to_json() const;
};

struct RecognizerOptions {
  int beam = 0;   // hypotheses that are kept, 1 to 1000; 0 = as the model was trained with
  int nbest = 1;  // hypotheses given for an utterance, 1 to 1000
  // Run of a language model over the same units (`kgwalk task lm train`) that has a say; empty = none.
  std::filesystem::path language = {};
};

class Recognizer {
 public:
  // `path` is a finished run of `kgwalk task asr train` or the model's folder in it. FormatError: it is
  // neither, or its files are damaged. ConfigError: an option is out of its range. IoError.
  [[nodiscard]] static Recognizer open(const std::filesystem::path& path,
                                       const RecognizerOptions& options = RecognizerOptions());

  Recognizer(Recognizer&&) noexcept;
  Recognizer& operator=(Recognizer&&) noexcept;
  ~Recognizer();

  // A sound file (wav, flac and what else libsndfile reads), any rate and number of channels; a file of
  // features where the model was trained on features. IoError when it cannot be opened, DataError when it is
  // something else or ends early. Sound that is longer than half a minute (search.longest_s of the model) is
  // cut at its quietest places and has one hypothesis; so it is in the calls below.
  [[nodiscard]] Transcription transcribe_file(const std::filesystem::path& file) const;
  // The same for the bytes of a sound file that lies in memory; messages call it `name`. ConfigError when the
  // model was trained on features, DataError also for a sound that lasts longer than `max_seconds`: it is not
  // decoded then.
  [[nodiscard]] Transcription transcribe_bytes(std::string_view bytes, const std::string& name,
                                               double max_seconds) const;
  // Samples in [-1, 1] of one channel at `rate` samples a second. ConfigError for a rate below 1, and when
  // the model was trained on features.
  [[nodiscard]] Transcription transcribe(std::span<const float> samples, int rate) const;
  // Samples a second that a stream hears.
  [[nodiscard]] int rate() const;

  // One utterance while it is heard; belongs to one thread at a time and borrows the recognizer, which may be
  // moved.
  class Stream {
   public:
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;
    ~Stream();
    // More samples in [-1, 1] at rate(), any number of them. ConfigError after finish().
    void hear(std::span<const float> samples);
    // What is settled so far; it only grows.
    [[nodiscard]] const std::string& text() const;
    // Seconds heard, and seconds of them that are settled.
    [[nodiscard]] double heard_s() const;
    [[nodiscard]] double settled_s() const;
    // The end: the same as transcribing the whole sound at once. ConfigError the second time.
    [[nodiscard]] Transcription finish();

   private:
    friend class Recognizer;
    struct State;
    explicit Stream(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  // ConfigError unless the model was trained to stream (docs/guides/speech.md).
  [[nodiscard]] Stream stream() const;

 private:
  struct Model;
  explicit Recognizer(std::unique_ptr<Model> model);
  std::unique_ptr<Model> model_;
};

}  // namespace kgwalk
