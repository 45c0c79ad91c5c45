// The sample through the product's own reader: a strict ingestion takes every line of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <variant>

#include "kgwalk/ingest.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace {

namespace fs = std::filesystem;
using namespace kgwalk::graph;

TEST(SampleIngestion, StrictlyTakesEveryTripleNameDialogueAndPath) {
  const fs::path sample = fs::path(KGWALK_SOURCE_DIR) / "data" / "sample";
  const fs::path database = fs::temp_directory_path() / ("kgwalk_sample_db_" + std::to_string(::getpid()));
  IngestOptions options;
  options.database = database;
  options.triples = {sample / "triples.txt"};
  options.entities = sample / "entities.txt";
  options.relations = sample / "relations.txt";
  for (const char* split : {"train", "dev", "test"}) {
    options.dialogues.push_back({split, sample / (std::string(split) + ".csv")});
  }
  options.strict = true;
  const IngestReport report = ingest(options);
  EXPECT_TRUE(report.problems.empty());
  {
    const Store store = Store::open(database, Store::Mode::kReadOnly);
    const KnowledgeGraph graph = store.load_graph();
    EXPECT_EQ(graph.num_entities(), graph.num_connected()) << "each name of entities.txt has an edge";
    EXPECT_TRUE(graph.find_entity("beyoncé"));
    std::size_t two_hop_paths = 0;
    for (const char* split : {"train", "dev", "test"}) {
      const auto dialogues = store.dialogues(split);
      EXPECT_EQ(dialogues.size(), std::string(split) == "train" ? 360U : 60U);
      for (const Dialogue& dialogue : dialogues) {
        for (const DialogueEvent& event : dialogue.events) {
          if (const auto* path = std::get_if<WalkedPath>(&event)) two_hop_paths += path->hops.size() == 2;
        }
      }
    }
    EXPECT_GT(two_hop_paths, 200U);
  }
  fs::remove_all(database);
}

}  // namespace
