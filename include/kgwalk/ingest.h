// Ingestion: triples, lists of names and dialogues in the official OpenDialKG formats into a new database.
//
// Example:
//   const auto report = kgwalk::graph::ingest({.database = "kg.db",
//                                              .triples = {"opendialkg_triples.txt"},
//                                              .dialogues = {{"train", "train.csv"}, {"dev", "dev.csv"}}});
//   for (const std::string& problem : report.problems) std::cerr << problem << '\n';
//
// Formats, all UTF-8 with LF or CRLF: triples are lines of `head TAB relation TAB tail`; lists hold a name a
// line; dialogues are csv with a column Messages of json, as OpenDialKG has them. Docs:
// docs/reference/formats/graph.md.
//
// A bad line is skipped, counted and reported as "file:line: why", or stops the ingestion when `strict` is
// set. A path of a dialogue with a fact that the graph does not hold is a bad one too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// A csv of dialogues and the split that it belongs to.
struct DialogueSource {
  std::string split;  // "train", "dev", ...; not empty. Files of the same split are appended in their order
  std::filesystem::path file;
};

struct IngestOptions {
  // Needed: the folder to make. An existing database is replaced only when `replace` is set, and only once
  // the new one is whole.
  std::filesystem::path database = {};
  bool replace = false;

  // Needed: one file or more. Ids follow first appearance in them.
  std::vector<std::filesystem::path> triples = {};

  // Optional: names that may lack facts. Those that have some are known already.
  std::filesystem::path entities = {};
  std::filesystem::path relations = {};

  // Optional: those of the triples that are known only from annotations of dialogues;
  // KnowledgeGraph::annotation_only() tells them from the others.
  std::filesystem::path annotation_only = {};

  // Optional; none: a graph to walk, nothing to train a walker on.
  std::vector<DialogueSource> dialogues = {};

  bool strict = false;                   // the first bad line throws DataError
  std::size_t max_line_bytes = 1 << 20;  // longer lines are bad ones
  std::size_t max_reported = 20;         // bad lines reported one by one, a file; all are counted
};

// Counts per file and in total: lines, triples, duplicates, added inverses, bad lines by reason, dialogues,
// messages, paths, hops, side talk.
struct IngestReport {
  Json counts;
  std::vector<std::string> problems;  // "file:line: why", the first max_reported of each file
};

// Makes the database and returns what was read. All or nothing: at every moment the old database lies at
// `database` or the whole new one, also when this throws or the program dies.
//
// Throws ConfigError (no triples, a split without a name), DataError (`strict`, or a file that is not of its
// format at all), StoreError (the database exists, or another ingestion into it runs), IoError (unreadable
// file, disk full), Stopped when `stop` is set. Thread-safe for different databases.
IngestReport ingest(const IngestOptions& options, Reporter& reporter = silent_reporter(),
                    const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
