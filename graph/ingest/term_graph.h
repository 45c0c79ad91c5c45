// Terms and what was said of them become a graph: names are chosen, what is no fact after all is taken out,
// entities of one name are told apart, and the graph is filled.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/details.h"
#include "graph/graph_builder.h"
#include "graph/ingest/gathered.h"
#include "graph/ingest/unique_names.h"
#include "kgwalk/ingest.h"
#include "kgwalk/input_format.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {

class TermGraph {
 public:
  // `gathered` and `options` must outlive the object; labels have so many ranks.
  TermGraph(Gathered& gathered, const InputOptions& options, std::size_t num_ranks)
      : g_(gathered), options_(options), num_ranks_(num_ranks) {}

  // Chooses names, and takes out of the facts what is none: a literal that repeats a name of its subject, the
  // address of a file, what declares a property, and facts whose predicate is kNoName. Corrects the counts of
  // `report` and says there what names things.
  void settle(IngestReport& report);
  // Names every term and adds the facts in their order.
  void give_facts(GraphBuilder& builder);
  // Those that are in no fact: after all facts of all sources.
  void give_other_entities(GraphBuilder& builder);
  // By the ids of the builder, of which the graph is made.
  [[nodiscard]] Values give_values() const;
  void give_details(DetailsMaker& maker) const;
  [[nodiscard]] std::size_t num_told_apart() const noexcept { return told_apart_.size(); }

 private:
  using Role = KeptText::Role;
  enum Use : std::uint8_t {
    kInFact = 1,
    kRelation = 2,
    kMentioned = 4,
    kSubject = 8,
    kProperty = 16,
    kLiteral = 32,
    kIri = 64,
    kBlank = 128
  };
  struct Sifted;

  // settle(), in its steps
  void choose_labels(IngestReport& report);
  void find_properties();
  void sift(IngestReport& report);
  void sift_fact(const TermFact& fact, std::size_t file, Sifted& into, IngestReport& report);
  void sift_name(KeptText& kept, Sifted& into, IngestReport& report);
  void sift_qualifiers(std::uint32_t fact, std::size_t& next, Sifted& into) const;
  void note_own_names();
  void call_blank_nodes();
  void mark_uses();
  [[nodiscard]] bool is_own_name(TermId subject, std::string_view text) const;
  // Whether a fact tells the given or the family name of somebody who is called otherwise.
  [[nodiscard]] bool tells_part_of_name(const TermFact& fact) const;
  [[nodiscard]] bool is_literal(TermId term) const { return (uses_[term] & kLiteral) != 0; }
  [[nodiscard]] bool is_text_type(std::uint32_t datatype) const;
  [[nodiscard]] bool is_property(TermId term) const { return (uses_[term] & kProperty) != 0; }
  [[nodiscard]] bool is_address(TermId object) const;

  [[nodiscard]] std::string_view label_of(TermId term) const;  // empty: none
  [[nodiscard]] std::string name_of(TermId term, bool relation) const;
  [[nodiscard]] std::string_view id_of(TermId term) const;  // as make_unique() takes it
  [[nodiscard]] std::string given_id(TermId term) const;    // as GraphDetails has it; empty: none
  // Names of the terms with any of these uses; told apart where several have one.
  [[nodiscard]] std::vector<std::pair<TermId, std::string>> names_of(std::uint8_t uses, bool relations);
  void spell_values_as_things();
  [[nodiscard]] std::vector<Hints> hints_of(std::span<const TermId> terms);
  [[nodiscard]] TermId same_elsewhere(TermId term);
  void take_year(TermId predicate, std::string_view text, std::pair<int, std::string>& best) const;
  [[nodiscard]] bool is_implied(const KeptText& kept) const;
  [[nodiscard]] TermId relation_term(TermId property) const;  // that it is the property of
  // Places of the facts whose literals are written otherwise than their entities, with all others of the same
  // edges.
  [[nodiscard]] std::vector<std::size_t> otherwise_written() const;
  void give_qualifiers(DetailsMaker& maker) const;
  [[nodiscard]] Value value_of(const KeptText& kept) const;
  [[nodiscard]] Value written_value(std::size_t fact) const;

  Gathered& g_;
  const InputOptions& options_;
  std::size_t num_ranks_;
  std::vector<std::uint32_t> labels_;  // by term: place in kept, kNoName where it has none
  std::vector<bool> has_more_labels_;
  std::vector<std::uint8_t> uses_;
  // A property's own description (wd:P36) to the predicate that is used (wdt:P36), and back.
  std::unordered_map<TermId, TermId> predicate_of_, described_by_;
  std::vector<std::pair<TermId, std::uint64_t>> own_names_;  // hashes of keys, ascending
  std::unordered_map<TermId, std::string> called_;           // blank nodes, by what they hold
  mutable std::unordered_map<TermId, bool> name_parts_;      // by property
  std::vector<std::string> entity_names_;                    // by term, once facts were given
  std::unordered_map<TermId, std::string> relation_names_;
  std::vector<EntityId> entities_;
  std::unordered_map<TermId, RelationId> relations_;
  std::vector<TermId> told_apart_;
};

}  // namespace kgwalk::graph
