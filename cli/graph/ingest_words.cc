#include "cli/graph/ingest_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace kgwalk::cli {
namespace {

[[noreturn]] void refuse_option(const char* option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(',', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

graph::DialogueSource parse_source(const std::string& text, bool divided) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos && divided) return {"", text};
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse_option("--dialogs", "'" + text + "' is not NAME=FILE, e.g. train=train.csv (or give --split)");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// "70,15,15" (train, dev, test) or "NAME=SHARE,...".
std::vector<std::pair<std::string, double>> parse_split(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  constexpr const char* kUsual[] = {"train", "dev", "test"};
  std::vector<std::pair<std::string, double>> shares;
  for (const std::string& part : parts) {
    const std::size_t equals = part.find('=');
    const bool named = equals != std::string::npos;
    double share = 0;
    if ((!named && parts.size() != 3) ||
        !CLI::detail::lexical_cast(named ? part.substr(equals + 1) : part, share))
      refuse_option("--split",
                    "'" + text + "' is neither three shares, as 70,15,15, nor NAME=SHARE,NAME=SHARE");
    shares.emplace_back(named ? part.substr(0, equals) : kUsual[shares.size()], share);
  }
  return shares;
}

void apply_input(const IngestWords& options, graph::InputOptions& input) {
  if (!options.format.empty()) {
    const auto format = graph::format_named(options.format);
    if (!format)
      refuse_option("--format", "'" + options.format + "' " + input.format.advice(options.format) +
                                    ", an extension of them or a media type");
    input.format = *format;
  }
  if (!options.columns.empty()) {
    const std::vector<std::string> parts = parts_of(options.columns);
    if (parts.size() != 3) refuse_option("--columns", "'" + options.columns + "' is not HEAD,RELATION,TAIL");
    std::copy(parts.begin(), parts.end(), input.columns.begin());
  }
  if (!options.id_columns.empty()) {
    const std::vector<std::string> parts = parts_of(options.id_columns);
    if (parts.size() != 2 && parts.size() != 3)
      refuse_option("--id-columns", "'" + options.id_columns + "' is not HEAD_ID,TAIL_ID[,RELATION_ID]");
    input.id_columns = parts;
  }
  const auto take_character = [](const char* option, const std::string& text, char& into) {
    if (text.empty()) return;
    if (text != "tab" && text.size() != 1)
      refuse_option(option, "'" + text + "' is neither one character nor tab");
    into = text == "tab" ? '\t' : text[0];
  };
  take_character("--separator", options.separator, input.separator);
  take_character("--quote", options.quote, input.quote);
  take_character("--list-separator", options.list_separator, input.list_separator);
  if (!options.labels.empty()) input.labels = options.labels;
  if (!options.aliases.empty()) input.aliases = options.aliases;
  if (!options.descriptions.empty()) input.descriptions = options.descriptions;
  if (!options.literals.empty() && !input.literals.assign(options.literals))
    refuse_option("--literals", "'" + options.literals + "' " + input.literals.advice(options.literals));
}

}  // namespace

void apply_words(IngestWords& options) {
  graph::IngestOptions& ingest = options.ingest;
  if (!options.opendialkg.empty()) {
    graph::IngestOptions release = graph::opendialkg_release(options.opendialkg);
    ingest.triples.insert(ingest.triples.begin(), release.triples.begin(), release.triples.end());
    if (ingest.entities.empty()) ingest.entities = release.entities;
    if (ingest.relations.empty()) ingest.relations = release.relations;
    ingest.dialogues = release.dialogues;
    ingest.division = release.division;
  }
  if (ingest.triples.empty() && ingest.sparql.url.empty())
    refuse_option("--triples", "a file, --opendialkg DIR or --from-sparql URL is required");
  if (!options.split.empty()) ingest.division.shares = parse_split(options.split);
  ingest.division.seed = options.split_seed;
  for (const std::string& text : options.dialogues)
    ingest.dialogues.push_back(parse_source(text, !ingest.division.shares.empty()));
  apply_input(options, ingest.input);
}

}  // namespace kgwalk::cli
