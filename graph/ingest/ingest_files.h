// The sorted table files of a new database, one a column family. For ingestion only.
#pragma once

#include <filesystem>
#include <string>

#include "graph/ingest/ingest_writer.h"

namespace kgwalk::graph {

// Each writes one file that rocksdb can ingest, or none and gives false when there is nothing to write.
// IoError when the disk refuses. They may run at the same time.
bool write_names(const KnowledgeGraph& graph, const std::filesystem::path& file);
bool write_adjacency(const KnowledgeGraph& graph, const std::filesystem::path& file);
// Details and values, if there are any.
bool write_blobs(const KnowledgeGraph& graph, const Values& values, const std::filesystem::path& file);
bool write_dialogues(const IngestWriter::Splits& splits, const std::filesystem::path& file);

}  // namespace kgwalk::graph
