#include "kgwalk/input_format.h"

#include <algorithm>
#include <cctype>

namespace kgwalk::graph {
namespace {

struct FormatWord {
  std::string_view text;
  InputFormat format;
};

constexpr FormatWord kExtensions[] = {
    {"csv", InputFormat::kCsv},       {"nt", InputFormat::kNTriples},   {"nq", InputFormat::kNQuads},
    {"ttl", InputFormat::kTurtle},    {"turtle", InputFormat::kTurtle}, {"trig", InputFormat::kTrig},
    {"rdf", InputFormat::kRdfXml},    {"owl", InputFormat::kRdfXml},    {"xml", InputFormat::kRdfXml},
    {"rdfxml", InputFormat::kRdfXml}, {"nquads", InputFormat::kNQuads}, {"ntriples", InputFormat::kNTriples},
};

constexpr FormatWord kMediaTypes[] = {
    {"text/csv", InputFormat::kCsv},
    {"text/tab-separated-values", InputFormat::kTsv},
    {"application/n-triples", InputFormat::kNTriples},
    {"text/plain", InputFormat::kTriples},
    {"application/n-quads", InputFormat::kNQuads},
    {"text/x-nquads", InputFormat::kNQuads},
    {"text/turtle", InputFormat::kTurtle},
    {"application/x-turtle", InputFormat::kTurtle},
    {"application/trig", InputFormat::kTrig},
    {"application/rdf+xml", InputFormat::kRdfXml},
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

template <std::size_t N>
std::optional<InputFormat> format_word(const FormatWord (&words)[N], std::string_view text) {
  for (const FormatWord& word : words)
    if (word.text == text) return word.format;
  return std::nullopt;
}

}  // namespace

std::optional<InputFormat> format_named(std::string_view word) {
  std::string text = lower_case(word.substr(0, word.find(';')));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (Choice<InputFormat> choice = InputFormat::kAuto; choice.assign(text)) return choice;
  if (const auto media = format_word(kMediaTypes, text)) return media;
  if (text.starts_with('.')) text.erase(0, 1);
  return format_word(kExtensions, text);
}

InputFormat format_of(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  for (std::string end = lower_case(name.extension().string());
       end == ".gz" || end == ".zst" || end == ".zstd"; end = lower_case(name.extension().string()))
    name = name.stem();
  const std::string extension = lower_case(name.extension().string());
  if (extension.empty()) return InputFormat::kTriples;
  return format_word(kExtensions, extension.substr(1)).value_or(InputFormat::kTriples);
}

}  // namespace kgwalk::graph
