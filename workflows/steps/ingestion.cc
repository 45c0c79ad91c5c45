#include "workflows/steps/ingestion.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "runtime/stopwatch.h"
#include "runtime/text.h"

namespace kgwalk {
namespace {

std::string counted_text(std::uint64_t count) { return with_commas(static_cast<long long>(count)); }

std::string text_of(const graph::IngestReport& report) {
  std::string text;
  text += fmt::format("entities    {}, {} of them with edges\n", counted_text(report.entities),
                      counted_text(report.connected_entities));
  text += fmt::format("relations   {}, {} of them in use\n", counted_text(report.relations),
                      counted_text(report.relations_in_use));
  text += fmt::format("triples     {} read, {} duplicates, {} inverses added: {} edges\n",
                      counted_text(report.triple_lines), counted_text(report.duplicate_triples),
                      counted_text(report.added_inverses), counted_text(report.edges));
  if (report.labels + report.values + report.dropped_literals > 0)
    text += fmt::format("literals    {} labels, {} values, {} dropped\n", counted_text(report.labels),
                        counted_text(report.values), counted_text(report.dropped_literals));
  if (report.aliases + report.descriptions + report.told_apart > 0)
    text += fmt::format("entities    {} aliases, {} descriptions; {} told apart from others of their name\n",
                        counted_text(report.aliases), counted_text(report.descriptions),
                        counted_text(report.told_apart));
  if (report.qualified > 0)
    text += fmt::format("facts       {} with qualifiers\n", counted_text(report.qualified));
  if (report.weighted + report.sourced > 0)
    text += fmt::format("facts       {} with a weight, {} with a source\n", counted_text(report.weighted),
                        counted_text(report.sourced));
  for (const auto& [property, count] : report.named_by)
    text += fmt::format("named       {} by {}\n", counted_text(count), property);
  std::string aside;
  for (const std::string& relation : report.housekeeping) aside += (aside.empty() ? "" : ", ") + relation;
  if (!aside.empty()) text += fmt::format("aside       {}: of the records, not of the things\n", aside);
  for (const auto& [name, split] : report.splits)
    text += fmt::format(
        "{:<11} {} dialogues, {} messages, {} paths ({} of one hop, {} of two), {} side talk dropped\n", name,
        counted_text(split.dialogues), counted_text(split.messages), counted_text(split.paths),
        counted_text(split.one_hop_paths), counted_text(split.two_hop_paths), counted_text(split.side_talk));
  if (report.skipped > 0) text += fmt::format("skipped     {} bad lines\n", counted_text(report.skipped));
  for (const auto& [name, file] : report.files)
    for (const auto& [reason, count] : file.skipped_by_reason)
      text += fmt::format("            {}: {} {}\n", name, counted_text(count), graph::reason_name(reason));
  return text;
}

}  // namespace

Report ingest_reported(const graph::IngestOptions& options, Reporter& reporter, const StopFlag& stop) {
  const Stopwatch watch;
  const graph::IngestReport report = graph::ingest(options, reporter, stop);
  const double seconds = watch.seconds();
  return {text_of(report) + fmt::format("database    {}, {:.2f} s\n", options.database.string(), seconds),
          {{"counts", report.to_json()}, {"problems", report.problems}, {"seconds", seconds}}};
}

}  // namespace kgwalk
