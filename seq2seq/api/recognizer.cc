#include "kgwalk/recognizer.h"

#include "kgwalk/error.h"
#include "seq2seq/tasks/recognition/recognizer.h"
#include "seq2seq/tasks/recognition/stream.h"

namespace kgwalk {

struct Recognizer::Model {
  seq2seq::Recognizer recognizer;
};

struct Recognizer::Stream::State {
  seq2seq::SpeechStream stream;
};

Recognizer Recognizer::open(const std::filesystem::path& path, const RecognizerOptions& options) {
  seq2seq::Recognizer recognizer = seq2seq::Recognizer::open(path);
  seq2seq::SpeechSearchOptions search = recognizer.config().search;
  if (options.beam != 0) search.beam = options.beam;
  search.nbest = options.nbest;
  recognizer.set_search(search);
  if (!options.language.empty()) recognizer.set_language(options.language);
  return Recognizer(std::make_unique<Model>(Model{std::move(recognizer)}));
}

Recognizer::Recognizer(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Recognizer::Recognizer(Recognizer&&) noexcept = default;
Recognizer& Recognizer::operator=(Recognizer&&) noexcept = default;
Recognizer::~Recognizer() = default;

Transcription Recognizer::transcribe_file(const std::filesystem::path& file) const {
  return model_->recognizer.transcribe_file(file);
}

Transcription Recognizer::transcribe_bytes(std::string_view bytes, const std::string& name,
                                           double max_seconds) const {
  const seq2seq::Sound sound = seq2seq::sound_from_bytes(bytes, name, rate(), max_seconds);
  return model_->recognizer.transcribe({&sound, 1}).front();
}

Transcription Recognizer::transcribe(std::span<const float> samples, int rate) const {
  if (rate < 1)
    throw ConfigError("recognizer: a rate of " + std::to_string(rate) + " samples a second is none");
  const seq2seq::Sound sound{rate, {samples.begin(), samples.end()}};
  return model_->recognizer.transcribe({&sound, 1}).front();
}

int Recognizer::rate() const { return model_->recognizer.config().features.rate; }

Recognizer::Stream Recognizer::stream() const {
  return Stream(std::make_unique<Stream::State>(Stream::State{seq2seq::SpeechStream(model_->recognizer)}));
}

Recognizer::Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}
Recognizer::Stream::Stream(Stream&&) noexcept = default;
Recognizer::Stream& Recognizer::Stream::operator=(Stream&&) noexcept = default;
Recognizer::Stream::~Stream() = default;

void Recognizer::Stream::hear(std::span<const float> samples) { state_->stream.hear(samples); }
const std::string& Recognizer::Stream::text() const { return state_->stream.text(); }
double Recognizer::Stream::heard_s() const { return state_->stream.heard_s(); }
double Recognizer::Stream::settled_s() const { return state_->stream.settled_s(); }
Transcription Recognizer::Stream::finish() { return state_->stream.finish(); }

}  // namespace kgwalk
