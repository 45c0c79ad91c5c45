// Gathers statements of RDF, of Neo4j's files and of tables with ids: their terms, which label is a term's name, their
// facts, values and what else was said of them. When all files are read, terms get names and the graph its facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/ingest/formats/rdf.h"
#include "graph/ingest/problem_log.h"
#include "graph/ingest/unique_names.h"
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
  // A name that stands beside the term in its table; the first one counts.
  void name(const Term& term, std::string_view text, std::size_t line, ProblemLog& log);
  // Whether the terms of a fact can be taken, and the fact itself has not been.
  [[nodiscard]] bool are_good(const Statement& statement, std::size_t line, ProblemLog& log) const;

  // Names every term and adds the facts, in the order in which they were read.
  void give_facts(GraphBuilder& builder);
  // Those that are in no fact: after all facts of all sources.
  void give_other_entities(GraphBuilder& builder);
  // By the ids of the builder, of which `graph` is made.
  [[nodiscard]] Values give_values() const;
  void give_details(DetailsMaker& maker) const;
  [[nodiscard]] std::size_t num_told_apart() const noexcept { return told_apart_.size(); }

 private:
  using TermId = std::uint32_t;
  struct Fact {
    TermId subject, predicate, object;
  };
  struct Kept {  // a text that is no fact; words are places in words_
    TermId subject, predicate;
    ValueRole role;
    std::uint32_t language, datatype, source;
    std::uint64_t begin, bytes;
  };
  struct Label {
    std::uint32_t rank;
    std::string text;
    bool several = false;
  };
  enum Use : std::uint8_t { kInFact = 1, kRelation = 2, kMentioned = 4 };

  // kNoName, and the reason logged, when the term cannot be one.
  [[nodiscard]] TermId intern(const Term& term, std::size_t line, ProblemLog& log);
  [[nodiscard]] bool is_good(const Term& term, std::size_t line, ProblemLog& log) const;
  [[nodiscard]] std::uint32_t word(std::string_view text);
  [[nodiscard]] std::uint32_t label_rank(std::string_view predicate, const Term& object) const;
  [[nodiscard]] std::optional<ValueRole> role_of(const Statement& statement) const;
  void add_label(TermId subject, const Term& object, std::uint32_t rank);
  void keep(TermId subject, TermId predicate, ValueRole role, const Statement& statement);
  void add_fact(TermId subject, TermId predicate, TermId object, const Statement& statement);

  [[nodiscard]] std::string name_of(TermId term, bool relation) const;
  [[nodiscard]] std::string_view id_of(TermId term) const;  // as make_unique() takes it
  [[nodiscard]] std::string given_id(TermId term) const;    // as GraphDetails has it; empty: none
  // Names of the terms with any of these uses, by term; empty for others.
  [[nodiscard]] std::vector<std::string> names_of(std::uint8_t uses, bool relations,
                                                  std::vector<TermId>* told_apart = nullptr) const;
  [[nodiscard]] std::vector<Hints> hints_of(std::span<const TermId> terms) const;
  void take_year(TermId predicate, std::string_view text, std::pair<int, std::string>& best) const;
  [[nodiscard]] bool is_implied(const Kept& kept) const;
  [[nodiscard]] std::string_view text_of(const Kept& kept) const {
    return std::string_view(texts_).substr(kept.begin, kept.bytes);
  }

  const InputOptions& options_;
  StringSet terms_;  // a letter for the kind, then the text
  std::string key_;  // room for one of them
  std::vector<std::uint8_t> uses_;
  std::unordered_map<TermId, Label> labels_;
  std::vector<Fact> facts_;
  std::vector<float> fact_weights_;          // of facts_, as far as one was given; NaN: none
  std::vector<std::uint32_t> fact_sources_;  // likewise: places in words_
  std::unordered_map<TermId, std::pair<std::uint32_t, std::uint32_t>> literal_types_;  // language, datatype
  std::vector<Kept> kept_;
  std::string texts_;
  StringSet words_;                                         // the first is empty
  std::vector<std::string> entity_names_, relation_names_;  // by term, once facts were given
  std::vector<EntityId> entities_;                          // likewise
  std::vector<RelationId> relations_;
  std::vector<TermId> told_apart_;
};

}  // namespace kgwalk::graph
