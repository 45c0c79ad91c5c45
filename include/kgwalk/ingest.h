// Ingestion: triples, entity and relation lists and dialogue csv in the official OpenDialKG formats into
// a new database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

struct DialogueSource {
  std::string split;  // "train", "dev", ...; the same split may be given more than once (files are appended)
  std::filesystem::path file;
};

struct IngestOptions {
  std::filesystem::path database;  // made anew; an existing one is replaced only when `replace` is set
  std::vector<std::filesystem::path> triples;
  std::filesystem::path entities;   // optional: names, one a line
  std::filesystem::path relations;  // optional
  std::filesystem::path
      annotation_only;  // optional: triples known only from annotations, marked in the graph
  std::vector<DialogueSource> dialogues;
  bool strict = false;  // the first bad line throws DataError instead of being skipped and counted
  bool replace = false;
  std::size_t max_line_bytes = 1 << 20;
  std::size_t max_reported = 20;  // bad lines reported one by one per file; all are counted
};

// Counts per file and in total: lines, triples, duplicates, added inverses, bad lines by reason, dialogues,
// messages, paths, hops, side talk.
struct IngestReport {
  Json counts;
  std::vector<std::string> problems;  // "file:line: why", the first max_reported of each file
};

// Throws DataError (strict), StoreError (database exists, locked), IoError (disk full,
// unreadable file), Stopped.
IngestReport ingest(const IngestOptions& options, Reporter& reporter = silent_reporter(),
                    const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
