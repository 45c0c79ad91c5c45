// The queries of LC-QuAD, where they are there: all are read and answered as its file says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "kgwalk/error.h"
#include "kgwalk/form_text.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/ingest.h"
#include "kgwalk/query.h"
#include "kgwalk/store.h"
#include "tests/temp_folder.h"

namespace kgwalk::forms {
namespace {

// Each thing under the name that the file has: without what ingestion put behind it to tell it apart.
std::set<std::string> names_of(const Answer& answer, const Json& item, const graph::KnowledgeGraph& graph) {
  const std::string sparql = item["sparql"];
  std::set<std::string> names;
  for (const EntityId entity : answer.entities) {
    const std::string_view label = graph::details(graph).label(entity), id = graph::details(graph).id(entity);
    if (sparql.find("<" + std::string(id) + ">") != std::string::npos) continue;  // named in the question
    names.insert(std::string(label.empty() ? graph.entity_name(entity) : label));
  }
  return names;
}

TEST(LcQuad, IsReadAndAnswered) {
  const char* data = std::getenv("KGWALK_DATA");
  if (data == nullptr || !std::filesystem::exists(std::filesystem::path(data) / "lcquad"))
    GTEST_SKIP() << "LC-QuAD is not there; set KGWALK_DATA to the folder that holds lcquad/";
  const std::filesystem::path lcquad = std::filesystem::path(data) / "lcquad";
  test::TempFolder folder;
  graph::IngestOptions options;
  options.database = folder / "kg";
  options.triples = {lcquad / "graph.nt"};
  (void)graph::ingest(options);
  const auto graph = graph::Store::open(folder / "kg", graph::Store::Mode::kReadOnly).load_graph();
  const graph::TypedValues values(graph);
  const Engine engine(values);
  std::ifstream lines(lcquad / "train.jsonl");
  int read = 0, unknown = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json item = Json::parse(line);
    try {
      const Answer answer = engine.answer(query_of_sparql(item["sparql"].get<std::string>(), values));
      ++read;
      if (item.contains("count")) {
        EXPECT_EQ(answer.number->from, item["count"].get<double>()) << line;
      } else if (item.contains("yes")) {
        EXPECT_EQ(answer.truth, item["yes"].get<bool>()) << line;
      } else {
        EXPECT_EQ(names_of(answer, item, graph), item["answers"].get<std::set<std::string>>()) << line;
      }
    } catch (const ConfigError& error) {  // what names nothing has no facts
      ++unknown;
      EXPECT_NE(std::string(error.what()).find("is not in the graph"), std::string::npos)
          << line << error.what();
      EXPECT_FALSE(item.value("yes", false)) << line;
    }
  }
  EXPECT_GT(read, 3900);
  EXPECT_LT(unknown, 100);
}

}  // namespace
}  // namespace kgwalk::forms
