// Data of the graph benchmarks, made or read once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::bench {

// FB15k-237 (train, valid and test) and OpenDialKG from the folder of data, $KGWALK_DATA. Null when they are
// not there.
[[nodiscard]] const graph::KnowledgeGraph* fb15k237();
[[nodiscard]] const graph::KnowledgeGraph* opendialkg();
[[nodiscard]] const graph::IngestOptions* opendialkg_files();

// 100,000 vertices and 1.2 million random edges, uniform.
[[nodiscard]] const graph::KnowledgeGraph& uniform_graph();
// The same as a database gives it, mapped from its file.
[[nodiscard]] const graph::KnowledgeGraph& mapped_graph();
// The file of 1,190,000 triples over 100,000 names and 200 relations, heads in runs, tails
// skewed towards few.
[[nodiscard]] const std::filesystem::path& big_triples();
// The first million of them as N-Triples and as Turtle with prefixes, a statement a line.
[[nodiscard]] const std::filesystem::path& million_ntriples();
[[nodiscard]] const std::filesystem::path& million_turtle();

// A folder for databases, emptied at the end of the program.
[[nodiscard]] const std::filesystem::path& work_folder();

}  // namespace kgwalk::bench
