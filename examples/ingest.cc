// Makes a database of a graph's files and writes the graph out as N-Triples: ingest DATABASE EXPORT FILE...
#include <iostream>

#include "kgwalk/error.h"
#include "kgwalk/export.h"
#include "kgwalk/ingest.h"

int main(int argc, char** argv) try {
  if (argc < 4) {
    std::cerr << "usage: ingest DATABASE EXPORT FILE...\n";
    return 2;
  }
  using namespace kgwalk::graph;
  IngestOptions options;
  options.database = argv[1];
  for (int i = 3; i < argc; ++i) options.triples.emplace_back(argv[i]);
  const IngestReport report = ingest(options);
  const Store store = Store::open(argv[1], Store::Mode::kReadOnly);
  const GraphExportReport out = export_graph(store, argv[2], {.format = GraphFormat::kNTriples});
  std::cout << report.to_json().at("entities") << " entities, " << out.facts << " facts\n";
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
