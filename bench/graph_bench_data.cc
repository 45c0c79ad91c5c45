#include "graph_bench_data.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <random>

#include "kgwalk/store.h"

namespace kgwalk::bench {
namespace {

namespace fs = std::filesystem;

struct WorkFolder {
  WorkFolder() : path(fs::temp_directory_path() / ("kgwalk_graph_bench_" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::optional<fs::path> data_folder(const char* name) {
  const char* given = std::getenv("KGWALK_DATA");
  const fs::path root = given == nullptr ? "" : given;
  if (!fs::exists(root / name)) return std::nullopt;
  return root / name;
}

std::optional<graph::KnowledgeGraph> read_fb15k237() {
  const auto folder = data_folder("FB15k-237");
  if (!folder) return std::nullopt;
  std::vector<graph::NamedTriple> triples;
  for (const char* name : {"train.txt", "valid.txt", "test.txt"}) {
    std::ifstream in(*folder / name);
    std::string line;
    while (std::getline(in, line)) {
      const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
      triples.push_back(
          {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)});
    }
  }
  return graph::KnowledgeGraph::from_triples(triples);
}

std::optional<graph::IngestOptions> find_opendialkg() {
  const auto folder = data_folder("opendialkg");
  if (!folder) return std::nullopt;
  graph::IngestOptions options;
  options.database = work_folder() / "opendialkg";
  options.triples = {*folder / "opendialkg_triples.txt"};
  options.entities = *folder / "opendialkg_entities.txt";
  options.relations = *folder / "opendialkg_relations.txt";
  options.annotation_only = *folder / "annotation_only_triples.txt";
  for (const char* split : {"train", "train_turns", "dev", "test"})
    options.dialogues.push_back({split, *folder / (std::string(split) + ".csv")});
  options.replace = true;
  return options;
}

std::optional<graph::KnowledgeGraph> read_opendialkg() {
  if (!opendialkg_files()) return std::nullopt;
  (void)graph::ingest(*opendialkg_files());
  return graph::Store::open(opendialkg_files()->database, graph::Store::Mode::kReadOnly).load_graph();
}

graph::KnowledgeGraph map_uniform() {
  const fs::path file = work_folder() / "uniform.txt";
  {
    std::ofstream out(file, std::ios::binary);
    const graph::KnowledgeGraph& graph = uniform_graph();
    for (graph::EntityId e = 0; e < graph.num_entities(); ++e)
      for (const graph::Edge& edge : graph.out_edges(e))
        if (graph.relation_name(edge.relation) == "r")
          out << graph.entity_name(e) << "\tr\t" << graph.entity_name(edge.tail) << '\n';
  }
  graph::IngestOptions options;
  options.database = work_folder() / "uniform";
  options.triples = {file};
  (void)graph::ingest(options);
  return graph::Store::open(options.database, graph::Store::Mode::kReadOnly).load_graph();
}

graph::KnowledgeGraph make_uniform() {
  std::mt19937_64 random(1);
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < 1200000; ++i)
    triples.push_back({std::to_string(random() % 100000), "r", std::to_string(random() % 100000)});
  return graph::KnowledgeGraph::from_triples(triples);
}

fs::path make_big_triples() {
  constexpr int kTriples = 1190000, kNames = 100000, kRelations = 200;
  const fs::path file = work_folder() / "triples.txt";
  std::ofstream out(file, std::ios::binary);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform;
  for (int i = 0; i < kTriples; ++i) {
    const int head = static_cast<int>(static_cast<long long>(i) * kNames / kTriples);
    const int tail = static_cast<int>(kNames * std::pow(uniform(random), 3));
    const int relation = static_cast<int>(kRelations * std::pow(uniform(random), 2));
    out << "Entity number " << head << "\trelation " << relation << "\tEntity number " << tail << '\n';
  }
  return file;
}

// What stands before and behind a term; names become parts of IRIs.
fs::path make_million_statements(const char* name, const std::string& entity, const std::string& relation,
                                 const std::string& close, const std::string& header) {
  const fs::path file = work_folder() / name;
  std::ofstream out(file, std::ios::binary);
  out << header;
  std::ifstream in(big_triples());
  std::string line;
  for (int i = 0; i < 1000000 && std::getline(in, line); ++i) {
    std::replace(line.begin(), line.end(), ' ', '_');
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    out << entity << line.substr(0, first) << close << ' ' << relation
        << line.substr(first + 1, second - first - 1) << close << ' ' << entity << line.substr(second + 1)
        << close << " .\n";
  }
  return file;
}

}  // namespace

const fs::path& work_folder() {
  static const WorkFolder folder;
  return folder.path;
}

const graph::KnowledgeGraph* fb15k237() {
  static const std::optional<graph::KnowledgeGraph> graph = read_fb15k237();
  return graph ? &*graph : nullptr;
}

const graph::IngestOptions* opendialkg_files() {
  static const std::optional<graph::IngestOptions> files = find_opendialkg();
  return files ? &*files : nullptr;
}

const graph::KnowledgeGraph* opendialkg() {
  static const std::optional<graph::KnowledgeGraph> graph = read_opendialkg();
  return graph ? &*graph : nullptr;
}

const graph::KnowledgeGraph& uniform_graph() {
  static const graph::KnowledgeGraph graph = make_uniform();
  return graph;
}

const graph::KnowledgeGraph& mapped_graph() {
  static const graph::KnowledgeGraph graph = map_uniform();
  return graph;
}

const fs::path& big_triples() {
  static const fs::path file = make_big_triples();
  return file;
}

const fs::path& million_ntriples() {
  static const fs::path file = make_million_statements("million.nt", "<http://example.org/entity/",
                                                       "<http://example.org/relation/", ">", "");
  return file;
}

const fs::path& million_turtle() {
  static const fs::path file = make_million_statements(
      "million.ttl", "e:", "r:", "",
      "@prefix e: <http://example.org/entity/> .\n@prefix r: <http://example.org/relation/> .\n");
  return file;
}

}  // namespace kgwalk::bench
