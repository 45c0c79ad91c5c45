// kgwalk ingest: triples, names and dialogues into a database.
#include "kgwalk/ingest.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "runtime/stopwatch.h"
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

std::string number(std::uint64_t value) { return with_commas(static_cast<long long>(value)); }

void print_report(const graph::IngestReport& report) {
  print("entities    {}, {} of them with edges\n", number(report.entities),
        number(report.connected_entities));
  print("relations   {}, {} of them in use\n", number(report.relations), number(report.relations_in_use));
  print("triples     {} read, {} duplicates, {} inverses added: {} edges\n", number(report.triple_lines),
        number(report.duplicate_triples), number(report.added_inverses), number(report.edges));
  for (const auto& [name, split] : report.splits)
    print("{:<11} {} dialogues, {} messages, {} paths ({} of one hop, {} of two), {} side talk dropped\n",
          name, number(split.dialogues), number(split.messages), number(split.paths),
          number(split.one_hop_paths), number(split.two_hop_paths), number(split.side_talk));
  if (report.skipped > 0) print("skipped     {} bad lines\n", number(report.skipped));
  for (const auto& [name, file] : report.files)
    for (const auto& [reason, count] : file.skipped_by_reason)
      print("            {}: {} {}\n", name, number(count), graph::reason_name(reason));
}

void run(IngestOptions options, Common& common) {
  for (const std::string& text : options.dialogues) options.ingest.dialogues.push_back(parse_source(text));
  const Stopwatch watch;
  const graph::IngestReport report = graph::ingest(options.ingest, *common.reporter, *common.stop);
  const double seconds = watch.seconds();
  print_report(report);
  print("database    {}, {:.2f} s\n", options.ingest.database.string(), seconds);
  common.write_json({{"counts", report.to_json()}, {"problems", report.problems}, {"seconds", seconds}});
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
