// Tasks on sound: recognition, understanding.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/recognizer.h"
#include "kgwalk/understander.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;
using Samples = py::array_t<float, py::array::c_style>;

std::span<const float> samples_of(const py::array& given, Samples& kept) {
  if (!py::isinstance<py::array_t<float>>(given))
    throw py::type_error("samples: must be float32 in [-1, 1], not " +
                         py::str(given.dtype()).cast<std::string>());
  if (given.ndim() != 1)
    throw py::value_error("samples: must be [samples] of one channel, not of " +
                          std::to_string(given.ndim()) + " dimensions");
  kept = Samples::ensure(given);
  return {kept.data(), static_cast<std::size_t>(kept.size())};
}

// A stream belongs to one thread at a time: threads of Python's wait for each other.
class SharedStream {
 public:
  explicit SharedStream(Recognizer::Stream stream) : stream_(std::move(stream)) {}

  template <class Work>
  auto with(Work&& work) {
    return released([&] {
      const std::lock_guard held(mutex_);
      return work(stream_);
    });
  }

 private:
  std::mutex mutex_;
  Recognizer::Stream stream_;
};

void bind_records(py::module_& m) {
  Record<SpokenWord>(m, "SpokenWord", "A word and when it was said.")
      .field("text", &SpokenWord::text, "The word.")
      .field("begin_s", &SpokenWord::begin_s, "Seconds from the beginning.")
      .field("end_s", &SpokenWord::end_s, "Seconds from the beginning.");
  Record<SpeechHypothesis>(m, "SpeechHypothesis", "What may have been said.")
      .field("text", &SpeechHypothesis::text, "The words.")
      .field("score", &SpeechHypothesis::score, "Natural logarithm.")
      .field("words", &SpeechHypothesis::words, "Empty where the text cannot be aligned.");
  Record<Transcription> transcription(m, "Transcription", "What was heard.");
  transcription.field("hypotheses", &Transcription::hypotheses, "Best first, at least one.")
      .field("seconds", &Transcription::seconds, "Of sound.")
      .field("note", &Transcription::note, "Why the text is empty.")
      .field(
          "text", [](const Transcription& self) { return self.best().text; }, "Of the best.");
  transcription.def("__str__", [](const Transcription& self) { return self.best().text; });
  Record<Understanding>(m, "Understanding", "What was understood.")
      .field("label", &Understanding::label, "An intent or emotion.")
      .field("probability", &Understanding::probability, "Of the label, 0 to 1.")
      .field("slots", &Understanding::slots, "Types in the order in which they were heard, or 'type=value'.");
}

void bind_stream(py::module_& m) {
  py::class_<SharedStream>(m, "RecognizerStream",
                           "An utterance while it is heard; Recognizer.stream() makes one.")
      .def(
          "hear",
          [](SharedStream& self, const py::array& given) {
            Samples kept;
            const std::span<const float> samples = samples_of(given, kept);
            self.with([&](Recognizer::Stream& stream) { stream.hear(samples); });
          },
          py::arg("samples"), "float32 [n] in [-1, 1] at Recognizer.rate.")
      .def_property_readonly(
          "text",
          [](SharedStream& self) {
            return self.with([](Recognizer::Stream& stream) { return std::string(stream.text()); });
          },
          "What is settled so far; it only grows.")
      .def_property_readonly(
          "heard_s",
          [](SharedStream& self) {
            return self.with([](Recognizer::Stream& stream) { return stream.heard_s(); });
          },
          "Seconds heard.")
      .def_property_readonly(
          "settled_s",
          [](SharedStream& self) {
            return self.with([](Recognizer::Stream& stream) { return stream.settled_s(); });
          },
          "Seconds of them that are settled.")
      .def(
          "finish",
          [](SharedStream& self) {
            return self.with([](Recognizer::Stream& stream) { return stream.finish(); });
          },
          "The end: the same as transcribing the whole sound at once.");
}

}  // namespace

void bind_speech(py::module_& m) {
  bind_records(m);
  bind_stream(m);
  py::class_<Recognizer, std::shared_ptr<Recognizer>>(m, "Recognizer", "Recognizes speech.")
      .def_static(
          "open",
          [](const fs::path& path, int beam, int nbest, const fs::path& language) {
            const RecognizerOptions options{.beam = beam, .nbest = nbest, .language = language};
            return released([&] { return std::make_shared<Recognizer>(Recognizer::open(path, options)); });
          },
          py::arg("path"), py::kw_only(), py::arg("beam") = 0, py::arg("nbest") = 1, py::arg("language") = "",
          "A finished run of `kgwalk task asr train`. `language`: run of a language model that has a say.")
      .def_property_readonly("rate", &Recognizer::rate, "Samples a second that a stream hears.")
      .def(
          "transcribe_file",
          [](const Recognizer& self, const fs::path& file) {
            return released([&] { return self.transcribe_file(file); });
          },
          py::arg("file"), "A sound file: wav, flac and others.")
      .def(
          "transcribe_bytes",
          [](const Recognizer& self, const py::bytes& bytes, const std::string& name, double max_seconds) {
            const std::string_view text(bytes);
            return released([&] { return self.transcribe_bytes(text, name, max_seconds); });
          },
          py::arg("bytes"), py::arg("name") = "sound", py::arg("max_seconds") = 600.0,
          "The bytes of a sound file; messages call it `name`.")
      .def(
          "transcribe",
          [](const Recognizer& self, const py::array& given, int rate) {
            Samples kept;
            const std::span<const float> samples = samples_of(given, kept);
            return released([&] { return self.transcribe(samples, rate); });
          },
          py::arg("samples"), py::arg("rate"),
          "float32 [n] in [-1, 1] of one channel, `rate` samples a second.")
      .def(
          "stream",
          [](const Recognizer& self) {
            return released([&] { return std::make_unique<SharedStream>(self.stream()); });
          },
          py::keep_alive<0, 1>(), "An utterance while it is heard; of models that were trained to stream.");

  py::class_<Understander>(m, "Understander", "Understands speech: intents, emotions, slots.")
      .def_static(
          "open",
          [](const fs::path& path) {
            return released([&] { return std::make_unique<Understander>(Understander::open(path)); });
          },
          py::arg("path"), "A finished run of `kgwalk task slu train`.")
      .def(
          "understand",
          [](const Understander& self, const std::vector<fs::path>& files) {
            return released([&] { return self.understand(files); });
          },
          py::arg("files"), "A result a sound file, in their order.")
      .def_property_readonly("labels", &Understander::labels, "All labels or slots that the model knows.");
}

}  // namespace kgwalk::python
