// Takes the statements of all files, and fills the graph with them: the one way in. Facts whose terms are all
// names go into the graph at once; others wait until it is known what their terms are called.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/ingest/gathered.h"
#include "graph/ingest/predicate_roles.h"
#include "graph/ingest/problem_log.h"
#include "graph/ingest/statement.h"
#include "kgwalk/ingest.h"
#include "kgwalk/input_format.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

class TermGraph;

// Whether a name can be used, for `what` ("head", "entity name"): valid UTF-8 and not empty; false, and the
// reason logged, when not.
[[nodiscard]] bool name_is_good(std::string_view name, std::size_t line, const char* what, ProblemLog& log);

// The file that statements are of.
struct StatementFile {
  ProblemLog& log;
  FileReport& counts;
  std::uint32_t number;  // among IngestReport::files
};

class Statements {
 public:
  explicit Statements(const InputOptions& options);
  ~Statements();
  Statements(const Statements&) = delete;
  Statements& operator=(const Statements&) = delete;

  // OpenDialKG has one entity whose name is empty. Off at first.
  void allow_empty_entity();
  // So many facts of names are about to come.
  void reserve(std::size_t facts) { builder_.reserve(facts); }

  // What StatementSink tells of each. What became of a statement is counted, a bad one logged; add() tells
  // whether it was taken.
  bool add(const Statement& statement, std::size_t line, const StatementFile& file);
  bool mention(const Term& term, std::size_t line, ProblemLog& log);
  void name(const Term& term, std::string_view text, std::size_t line, ProblemLog& log);
  void prefix(std::string_view name, std::string_view iri);

  // A statement that is left out because a node at its end is in no file.
  struct Lost {
    std::string node;
    std::size_t line;
    std::uint32_t file;  // StatementFile::number
  };
  // Names every term and adds the facts that waited, in the order in which they were read; once all files
  // are. Says in `report` what names things.
  std::vector<Lost> give_facts(IngestReport& report);
  // Entities and relations that are in no fact: after the facts of all sources.
  void give_other_entities();
  // By the ids of the builder, of which the graph is made.
  [[nodiscard]] Values give_values() const;
  void give_details(DetailsMaker& maker) const;
  [[nodiscard]] std::size_t num_told_apart() const noexcept;
  [[nodiscard]] GraphBuilder& builder() noexcept { return builder_; }

  // The same; spellings that are known already cost nothing.
  [[nodiscard]] bool entity_is_good(std::string_view name, std::size_t line, const char* what,
                                    ProblemLog& log) const;
  [[nodiscard]] bool relation_is_good(std::string_view name, std::size_t line, const char* what,
                                      ProblemLog& log) const;

 private:
  struct Ends {  // of a fact between nodes that were not met when it was
    std::uint32_t fact, file;
    std::size_t line;
  };

  bool add_names(const Statement& statement, std::size_t line, const StatementFile& file);
  bool add_terms(const Statement& statement, std::size_t line, const StatementFile& file);
  void add_qualifiers(const Statement& statement, std::uint32_t fact, std::size_t line,
                      const StatementFile& file);
  bool keep(TermId subject, TermId predicate, PredicateRole role, const Statement& statement,
            const StatementFile& file);
  // kNoName, and the reason logged, when the term cannot be one.
  [[nodiscard]] TermId intern(const Term& term, std::size_t line, ProblemLog& log);
  // The same for what statements are about: those of one subject mostly follow each other.
  [[nodiscard]] TermId intern_subject(const Term& term, std::size_t line, ProblemLog& log);
  // The same for predicates, of which there are few.
  [[nodiscard]] TermId intern_predicate(const Term& term, std::size_t line, ProblemLog& log);
  [[nodiscard]] bool is_good(const Term& term, std::size_t line, ProblemLog& log) const;
  void keep_text(TermId subject, TermId predicate, KeptText::Role role, const Term& text,
                 std::uint32_t source);
  [[nodiscard]] std::vector<Lost> drop_lost();
  void note_broken_literals(IngestReport& report) const;

  const InputOptions& options_;
  GraphBuilder builder_;
  FactNotes name_notes_;  // of the builder's triples
  Gathered gathered_;
  PredicateRoles roles_;
  std::vector<Ends> open_ends_;
  TermId subject_ = kNoName;  // of the statement before
  struct MetPredicate {
    TermKind kind{};
    std::string text;
    TermId term = kNoName;
  };
  std::array<MetPredicate, 64> met_predicates_;  // each at its text's hash
  bool empty_entity_allowed_ = false;
  bool names_are_mentioned_ = false;  // by a table of entities: facts of names wait then, too
  std::unique_ptr<TermGraph> graph_;  // once facts were given
};

}  // namespace kgwalk::graph
