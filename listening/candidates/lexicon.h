// A graph's relations and types as words: what hearing compares with what was said. Torch-free.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/typed_values.h"
#include "listening/words/families.h"
#include "listening/words/likeness.h"
#include "listening/words/prepositions.h"
#include "listening/words/voices.h"

namespace kgwalk::listening {

// A relation and its inverse share one entry.
struct RelationWords {
  std::vector<std::string> words;        // of its name
  std::vector<float> weights;            // of each word: rare ones tell more; they sum to one
  const Family* family = nullptr;        // or none
  std::unordered_set<std::string> said;  // words by which it is asked for beside its own
  EndKind tail = EndKind::kUnknown;      // by its family, else by the values it leads to
  EndKind head = EndKind::kUnknown;      // what most things that have it are, by all of their relations
  RelationPrepositions prepositions = {};
  RelationVoices voices = {};
  std::size_t edges = 0;
  // Where it leads to yes and no ("is radioactive": 1 or 0), what says yes.
  std::optional<graph::EntityId> yes = {};
  // Places in Lexicon::vocabulary() of `words`, of `said`, of the family's less sure words and of the words
  // of its nouns.
  std::vector<std::uint32_t> word_ids, said_ids, loose_ids, noun_ids;
};

// Whether people have it as the place where they are: a city in a table of people.
[[nodiscard]] bool is_home(const RelationWords& relation);

struct TypeWords {
  graph::EntityId type = 0;
  std::vector<std::string> words;
  std::vector<graph::EntityId> members;  // ascending
  // Of what a relation says yes to ("radioactive" of is_radioactive): that relation, `type` being its yes.
  std::optional<graph::RelationId> flag = {};
  // Of what a relation leads to, which is called by it ("islands" where a column of that name says where each
  // lives): that relation, `type` being one of them.
  std::optional<graph::RelationId> range = {};
  std::vector<std::uint32_t> word_ids = {};  // places in Lexicon::vocabulary() of `words`
};

// The words of one graph, which it borrows. Immutable and thread-safe after building.
class Lexicon {
 public:
  Lexicon(const graph::KnowledgeGraph& graph, const graph::TypedValues& values);

  [[nodiscard]] const graph::KnowledgeGraph& graph() const noexcept { return graph_; }
  [[nodiscard]] const graph::TypedValues& values() const noexcept { return values_; }

  // Entries are numbered from 0; entry_of(r) == entry_of(inverse(r)).
  [[nodiscard]] std::size_t num_entries() const noexcept { return entries_.size(); }
  [[nodiscard]] std::size_t entry_of(graph::RelationId relation) const noexcept {
    return entry_of_[relation];
  }
  [[nodiscard]] bool is_inverse(graph::RelationId relation) const noexcept { return inverse_[relation]; }
  [[nodiscard]] const RelationWords& relation(graph::RelationId r) const noexcept {
    return entries_[entry_of_[r]];
  }
  [[nodiscard]] const RelationWords& entry(std::size_t i) const noexcept { return entries_[i]; }
  // Whether all of the folded words stand in the name of one relation.
  [[nodiscard]] bool names_relation(std::span<const std::string> words) const;
  // All words of entries and types, each once.
  [[nodiscard]] const std::vector<ComparedWord>& vocabulary() const noexcept { return vocabulary_; }
  // Whether a word of it says a place in an order: "number", "rank".
  [[nodiscard]] bool is_order_word(std::uint32_t word) const noexcept { return order_words_[word]; }
  // Whether a relation that leads to numbers is called by the noun, which they count: "cylinders".
  [[nodiscard]] bool counts(const ComparedWord& noun) const;
  // Not asked about: types and labels, the empty name.
  [[nodiscard]] bool is_askable(graph::RelationId relation) const noexcept;
  // Leads from a thing to its types: asked for as what it is ("what does X do for a living"), and no way to
  // anything else, since what is of a type is heard as a set.
  [[nodiscard]] bool tells_types(graph::RelationId relation) const noexcept;

  // Types of the graph by GraphDetails::type_relation(), or by a relation called "type", "is a", "instance
  // of".
  // Behind them stand those of flags, which are said with another ("radioactive elements"), then those of
  // what relations lead to.
  [[nodiscard]] const std::vector<TypeWords>& types() const noexcept { return types_; }
  [[nodiscard]] std::span<const TypeWords> own_types() const noexcept { return {types_.data(), own_types_}; }
  [[nodiscard]] std::span<const TypeWords> flags() const noexcept {
    return std::span(types_).subspan(own_types_, flags_);
  }
  [[nodiscard]] std::span<const TypeWords> ranges() const noexcept {
    return std::span(types_).subspan(own_types_ + flags_);
  }
  [[nodiscard]] bool is_type_relation(graph::RelationId relation) const noexcept;
  // Those that lead from a type to what is of it.
  [[nodiscard]] std::vector<graph::RelationId> from_types() const;
  // Places in types() of those that an entity has, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& types_of(graph::EntityId entity) const noexcept;
  // The family that asks for the types of a person as what they do ("what does X do for a living"); nullptr
  // for whatever else, and where another relation tells what people do.
  [[nodiscard]] const Family* profession_of(graph::EntityId entity) const;
  // What an entity is, by its relations, both ways; kUnknown where nothing says it.
  [[nodiscard]] EndKind kind_of(graph::EntityId entity) const;
  // Whether it is what many things are said to have, and no type: "comedy", "biology". Nobody writes such a
  // word with a capital.
  [[nodiscard]] bool is_general(graph::EntityId entity) const;
  // Nouns that may stand for it ("the director", "that river"): of its types and of its relations, both ways.
  [[nodiscard]] bool is_called(graph::EntityId entity, std::string_view noun) const;
  // Whether a type is told of some of the set only, though most of the others are called by its name all the
  // same: "films with X" are all of them then. The set is ascending.
  [[nodiscard]] bool is_told_of_some(std::uint32_t type, const std::vector<graph::EntityId>& set) const;

 private:
  void read_relations();
  void read_types();
  void find_type_of();
  void add_from_below(std::map<graph::EntityId, std::vector<graph::EntityId>>& members) const;
  void read_heads();
  void read_professions();
  void read_flags();
  void add_flag_types();
  void add_range_types();
  void number_words();
  void number_nouns();

  const graph::KnowledgeGraph& graph_;
  const graph::TypedValues& values_;
  std::vector<std::size_t> entry_of_;
  std::vector<bool> inverse_;
  std::vector<RelationWords> entries_;
  std::vector<ComparedWord> vocabulary_;
  std::vector<bool> order_words_;  // by place in vocabulary_
  std::vector<TypeWords> types_;
  std::size_t own_types_ = 0, flags_ = 0;
  bool type_is_said_of_another_ = false;
  const Family* profession_ = nullptr;  // that types of people are asked by
  std::unordered_map<graph::EntityId, std::vector<std::uint32_t>> types_of_;
  // Nouns of families, numbered, and by relation those of what has it, ascending.
  std::unordered_map<std::string_view, std::uint32_t> nouns_;
  std::vector<std::vector<std::uint32_t>> nouns_of_;
  std::vector<bool> is_type_;  // by relation
};

}  // namespace kgwalk::listening
