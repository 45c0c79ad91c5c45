// Reads a Turtle file through the installed library and gives it out again: what the formats need is linked,
// too.
#include <kgwalk/export.h>
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
  const auto out = graph::export_graph(store, folder / "films.txt");
  std::ifstream written(folder / "films.txt");
  std::string line;
  std::getline(written, line);
  fs::remove_all(folder);
  if (report.edges == 2 && out.facts == 1 && line == "Rocky\tstarred actors\tSylvester Stallone") return 0;
  std::cerr << "unexpected: " << report.edges << " edges, " << out.facts << " facts, '" << line << "'\n";
  return 1;
}
