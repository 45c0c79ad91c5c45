// Reads small texts, with and without a database, and looks at what became of them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/fact_reader.h"
#include "graph/ingest/source_files.h"
#include "kgwalk/error.h"
#include "tests/graph/graph_fixtures.h"

namespace kgwalk::graph::testing {

class FormatTest : public ::testing::Test {
 protected:
  FormatTest() {
    options_.database = folder_ / "kg";
    options_.replace = true;
  }

  // A database of one file with this name and text.
  IngestReport store(const std::string& name, std::string_view text) {
    options_.triples = {folder_.write(name, text)};
    return store();
  }
  IngestReport store() {
    IngestReport report = ingest(options_);
    graph_ = Store::open(options_.database, Store::Mode::kReadOnly).load_graph();
    return report;
  }

  // The same without a database, which is faster.
  IngestReport read(const std::string& name, std::string_view text) {
    options_.triples = {folder_.write(name, text)};
    return read();
  }
  IngestReport read() {
    IngestReport report;
    SourceFiles files(options_, folder_.path(), report, silent_reporter(), never_stop());
    FactReader facts(options_, files, report);
    facts.read_all(never_stop());
    graph_ = facts.builder().build();
    return report;
  }

  // What was read or stored last.
  [[nodiscard]] const KnowledgeGraph& graph() const { return *graph_; }

  // The facts of the graph without their inverses, as "head | relation | tail", sorted.
  [[nodiscard]] std::vector<std::string> facts() const {
    const KnowledgeGraph& g = graph();
    std::vector<std::string> list;
    for (EntityId head = 0; head < g.num_connected(); ++head)
      for (const Edge& edge : g.out_edges(head))
        if (!g.relation_name(edge.relation).starts_with('~'))
          list.push_back(std::string(g.entity_name(head)) + " | " +
                         std::string(g.relation_name(edge.relation)) + " | " +
                         std::string(g.entity_name(edge.tail)));
    std::sort(list.begin(), list.end());
    return list;
  }

  // What is said about files, without their folder.
  [[nodiscard]] std::vector<std::string> problems(const IngestReport& report) const {
    std::vector<std::string> list;
    for (const std::string& text : report.problems)
      list.push_back(text.substr(folder_.path().string().size() + 1));
    return list;
  }

  using Lines = std::vector<std::string>;
  TempFolder folder_;
  IngestOptions options_;
  std::optional<KnowledgeGraph> graph_;
};

}  // namespace kgwalk::graph::testing
