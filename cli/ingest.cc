// kgwalk ingest: triples, names and dialogues into a database.
#include <cstdio>
#include <ctime>

#include "cli/commands.h"
#include "kgwalk/error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/store.h"
#include "runtime/text.h"

namespace kgwalk::cli {
namespace {

struct IngestOptions {
  graph::IngestOptions ingest;
  std::vector<std::string> dialogues;  // NAME=FILE
};

graph::DialogueSource parse_source(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw CLI::ValidationError("--dialogs", "'" + text + "' is not NAME=FILE, e.g. train=train.csv");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string number(const Json& value) { return with_commas(value.get<long long>()); }

void print_counts(const Json& counts) {
  std::printf("entities    %s, %s of them with edges\n", number(counts["entities"]).c_str(),
              number(counts["connected_entities"]).c_str());
  std::printf("relations   %s, %s of them in use\n", number(counts["relations"]).c_str(),
              number(counts["relations_in_use"]).c_str());
  std::printf("triples     %s read, %s duplicates, %s inverses added: %s edges\n",
              number(counts["triple_lines"]).c_str(), number(counts["duplicate_triples"]).c_str(),
              number(counts["added_inverses"]).c_str(), number(counts["edges"]).c_str());
  for (const auto& split : counts["splits"].items())
    std::printf(
        "%-11s %s dialogues, %s messages, %s paths (%s of one hop, %s of two), %s side talk dropped\n",
        split.key().c_str(), number(split.value()["dialogues"]).c_str(),
        number(split.value()["messages"]).c_str(), number(split.value()["paths"]).c_str(),
        number(split.value()["one_hop_paths"]).c_str(), number(split.value()["two_hop_paths"]).c_str(),
        number(split.value()["side_talk"]).c_str());
  if (counts["skipped"].get<long long>() > 0)
    std::printf("skipped     %s bad lines\n", number(counts["skipped"]).c_str());
  for (const auto& file : counts["files"].items())
    for (const auto& reason : file.value()["skipped_by_reason"].items())
      std::printf("            %s: %s %s\n", file.key().c_str(), number(reason.value()).c_str(),
                  reason.key().c_str());
}

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(IngestOptions options, Common& common) {
  for (const std::string& text : options.dialogues) options.ingest.dialogues.push_back(parse_source(text));
  const double begin = seconds_now();
  const graph::IngestReport report = graph::ingest(options.ingest, *common.reporter, *common.stop);
  const double seconds = seconds_now() - begin;
  print_counts(report.counts);
  std::printf("database    %s, %.2f s\n", options.ingest.database.c_str(), seconds);
  common.write_json({{"counts", report.counts}, {"problems", report.problems}, {"seconds", seconds}});
}

}  // namespace

Verb add_ingest(CLI::App& app, Common& common) {
  auto options = std::make_shared<IngestOptions>();
  graph::IngestOptions& ingest = options->ingest;
  app.add_option("--db", ingest.database, "database to make, a folder")->required();
  app.add_option("--triples", ingest.triples, "head TAB relation TAB tail, one a line; repeatable")
      ->required()
      ->check(CLI::ExistingFile);
  app.add_option("--entities", ingest.entities, "entity names, one a line")->check(CLI::ExistingFile);
  app.add_option("--relations", ingest.relations, "relation names, one a line")->check(CLI::ExistingFile);
  app.add_option("--annotation-only", ingest.annotation_only,
                 "triples known only because an annotator walked them; marked in the graph")
      ->check(CLI::ExistingFile);
  app.add_option("--dialogs", options->dialogues, "dialogue csv under a split name: NAME=FILE; repeatable");
  app.add_flag("--strict", ingest.strict, "stop at the first bad line instead of skipping it");
  app.add_flag("--replace", ingest.replace, "replace the database that is there");
  app.add_option("--max-line-bytes", ingest.max_line_bytes, "longer lines and rows are skipped")
      ->capture_default_str();
  return [options, &common] { run(*options, common); };
}

}  // namespace kgwalk::cli
