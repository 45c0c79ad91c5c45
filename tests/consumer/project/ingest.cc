// Reads a Turtle file through the installed library and looks at the graph: what the formats need is linked, too.
#include <kgwalk/ingest.h>
#include <kgwalk/store.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

int main() {
  namespace fs = std::filesystem;
  namespace graph = kgwalk::graph;
  const fs::path folder = fs::current_path() / "ingest_consumer.tmp";
  fs::create_directories(folder);
  std::ofstream(folder / "films.ttl")
      << "@prefix : <http://example.org/> .\n:Rocky :starredActors :Sylvester_Stallone .\n";
  const auto report =
      graph::ingest({.database = folder / "kg.db", .replace = true, .triples = {folder / "films.ttl"}});
  const auto store = graph::Store::open(folder / "kg.db", graph::Store::Mode::kReadOnly);
  const auto read = store.load_graph();
  fs::remove_all(folder);
  if (report.edges == 2 && read.find_entity("Sylvester Stallone") && read.find_relation("starred actors"))
    return 0;
  std::cerr << "unexpected: " << report.edges << " edges of " << read.num_entities() << " entities\n";
  return 1;
}
