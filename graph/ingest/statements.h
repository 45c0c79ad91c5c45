// Gathers statements of RDF and of Neo4j's files: their terms, which label is a term's name, their facts and values.
// When all files are read, terms get names and the graph its facts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/ingest/formats/rdf.h"
#include "graph/ingest/problem_log.h"
#include "kgwalk/ingest.h"
#include "kgwalk/input_format.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

class Statements {
 public:
  explicit Statements(const InputOptions& options);

  // One statement or node of a file: what became of it is counted, a bad one logged.
  void add(const Statement& statement, std::size_t line, ProblemLog& log, FileReport& counts);
  void mention(const Term& term, std::size_t line, ProblemLog& log);

  // Names every term and adds the facts, in the order in which they were read.
  void give_facts(GraphBuilder& builder);
  // Those that are in no fact: after all facts of all sources.
  void give_other_entities(GraphBuilder& builder);
  // By the ids of the builder.
  [[nodiscard]] Values give_values(const GraphBuilder& builder) const;

 private:
  using TermId = std::uint32_t;
  struct Fact {
    TermId subject, predicate, object;
  };
  struct Kept {  // a value
    TermId subject, predicate;
    std::string text, language, datatype;
  };
  struct Label {
    std::uint32_t rank;
    std::string text;
  };
  enum Use : std::uint8_t { kInFact = 1, kRelation = 2, kMentioned = 4 };

  // kNoName, and the reason logged, when the term cannot be one.
  [[nodiscard]] TermId intern(const Term& term, std::size_t line, ProblemLog& log);
  [[nodiscard]] bool is_good(const Term& term, std::size_t line, ProblemLog& log) const;
  [[nodiscard]] std::uint32_t label_rank(std::string_view predicate, const Term& object) const;
  void add_label(TermId subject, const Term& object, std::uint32_t rank, std::size_t line, ProblemLog& log,
                 FileReport& counts);
  [[nodiscard]] std::string name_of(TermId term, bool relation) const;
  // Names of the terms with any of these uses, by term; empty for others.
  [[nodiscard]] std::vector<std::string> names_of(std::uint8_t uses, bool relations) const;

  const InputOptions& options_;
  StringSet terms_;  // a letter for the kind, then the text
  std::string key_;  // room for one of them
  std::vector<std::uint8_t> uses_;
  std::unordered_map<TermId, Label> labels_;
  std::vector<Fact> facts_;
  std::vector<Kept> values_;
  std::vector<std::string> entity_names_, relation_names_;  // by term, once facts were given
};

}  // namespace kgwalk::graph
