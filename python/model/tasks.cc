// Tasks on text: translation, summaries, language models, vectors of sentences.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "kgwalk/language_model.h"
#include "kgwalk/summarizer.h"
#include "kgwalk/text_embedder.h"
#include "kgwalk/translator.h"
#include "python/binding/arrays.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

template <class Model>
std::unique_ptr<Model> open_decoder(const fs::path& path, int beam, int nbest, int batch, bool int8) {
  const DecodingOptions options{.beam = beam, .nbest = nbest, .batch = batch, .int8 = int8};
  return released([&] { return std::make_unique<Model>(Model::open(path, options)); });
}

template <class Model>
void def_open(py::class_<Model>& c, const char* doc) {
  c.def_static("open", &open_decoder<Model>, py::arg("path"), py::kw_only(), py::arg("beam") = 0,
               py::arg("nbest") = 1, py::arg("batch") = 64, py::arg("int8") = false, doc);
}

void bind_decoders(py::module_& m) {
  Record<Hypothesis> hypothesis(m, "Hypothesis", "An output for a source.");
  hypothesis.field("text", &Hypothesis::text, "The words.")
      .field("log_prob", &Hypothesis::log_prob, "Natural logarithm, of all pieces and the end.")
      .field("score", &Hypothesis::score, "After the length penalty.");
  Record<Decoded> decoded(m, "Decoded", "What came out for a source.");
  decoded.field("hypotheses", &Decoded::hypotheses, "Best first.")
      .field("cut", &Decoded::cut, "The source was longer than the model's limit.")
      .field("repaired", &Decoded::repaired, "Bytes that were no UTF-8 were replaced.")
      .field(
          "text", [](const Decoded& self) { return self.text(); }, "Of the best.");
  decoded.def("__str__", [](const Decoded& self) { return self.text(); });

  py::class_<Translator> translator(m, "Translator", "Translates sentences.");
  def_open(
      translator,
      "A finished run of `kgwalk task mt train`. `beam` 0: the run's; 1 is greedy. `int8`: products in 8-bit "
      "integers.");
  translator.def(
      "translate",
      [](const Translator& self, const std::vector<std::string>& lines) {
        return released([&] { return self.translate(lines); });
      },
      py::arg("lines"), "A result a line, in their order; many lines at once are faster than one by one.");
  py::class_<Summarizer> summarizer(m, "Summarizer", "Summarizes dialogues.");
  def_open(summarizer, "A finished run of `kgwalk task summarize train`. Options as of Translator.open.");
  summarizer.def(
      "summarize",
      [](const Summarizer& self, const std::vector<std::string>& dialogues) {
        return released([&] { return self.summarize(dialogues); });
      },
      py::arg("dialogues"), "A result a dialogue, each a text with one turn a line, 'NAME: TEXT'.");
}

void bind_language_model(py::module_& m) {
  Record<Perplexity>(m, "Perplexity", "How well a text is told.")
      .field("per_word", &Perplexity::per_word, "exp of the mean of -log p a word, ends of lines counted.")
      .field("log_prob", &Perplexity::log_prob, "Natural logarithm, of the whole text.")
      .field("words", &Perplexity::words, "Ends of lines included.")
      .field("unknown", &Perplexity::unknown, "Words that the vocabulary does not hold.");
  py::class_<LanguageModel>(m, "LanguageModel", "Tells and continues lines of words.")
      .def_static(
          "open",
          [](const fs::path& path, int beam, int nbest, int words, int window, int stride) {
            const LanguageModelOptions options{
                .beam = beam, .nbest = nbest, .words = words, .window = window, .stride = stride};
            return released(
                [&] { return std::make_unique<LanguageModel>(LanguageModel::open(path, options)); });
          },
          py::arg("path"), py::kw_only(), py::arg("beam") = 0, py::arg("nbest") = 1, py::arg("words") = 0,
          py::arg("window") = 0, py::arg("stride") = 0,
          "A finished run of `kgwalk task lm train`. What is 0 stays as it was trained with.")
      .def(
          "perplexity",
          [](const LanguageModel& self, const std::vector<std::string>& lines) {
            return released([&] { return self.perplexity(lines); });
          },
          py::arg("lines"), "Of a text of lines, words separated by spaces.")
      .def(
          "continue_line",
          [](const LanguageModel& self, const std::string& text) {
            return released([&] { return self.continue_line(text); });
          },
          py::arg("text"), "What may follow on the line, best first.");
}

py::array_t<float> embed(const TextEmbedder& self, const std::vector<std::string>& texts) {
  const std::vector<EmbeddedText> all = released([&] { return self.embed(texts); });
  std::vector<float> rows;
  rows.reserve(all.size() * self.width());
  for (const EmbeddedText& text : all) rows.insert(rows.end(), text.vector.begin(), text.vector.end());
  return array_of(std::move(rows),
                  {static_cast<py::ssize_t>(all.size()), static_cast<py::ssize_t>(self.width())});
}

}  // namespace

void bind_tasks(py::module_& m) {
  bind_decoders(m);
  bind_language_model(m);
  py::class_<TextEmbedder>(m, "TextEmbedder", "Vectors of texts, by a frozen encoder.")
      .def_static(
          "open",
          [](const fs::path& folder) {
            return released([&] { return std::make_unique<TextEmbedder>(TextEmbedder::open(folder)); });
          },
          py::arg("folder"), "A folder in Hugging Face's form (ALBERT, BERT), or a run of text pre-training.")
      .def_property_readonly("width", &TextEmbedder::width, "Of the vectors.")
      .def_property_readonly("max_tokens", &TextEmbedder::max_tokens, "What is longer is read up to there.")
      .def("embed", &embed, py::arg("texts"), "float32 [len(texts), width]: rows of length 1.");
}

}  // namespace kgwalk::python
