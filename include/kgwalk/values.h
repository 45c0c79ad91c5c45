// Texts that ingestion kept beside the graph: literals of entities that are no entities themselves
// (InputOptions::literals, kgwalk/input_format.h), descriptions, and labels and aliases as they were written.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const auto graph = store.load_graph();
//   const auto film = graph.find_entity("Iron Man");
//   if (const auto values = kgwalk::graph::Values::load(store); values && film)
//     for (const kgwalk::graph::Value& value : values->of(*film))
//       std::cout << value.name << ": " << value.text << '\n';  // release date: 2008-05-02
//
// Views borrow from the Values. Thread-safe: all functions are const.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kgwalk/graph_types.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {

// What a text is of its entity. Aliases for finding entities by: GraphDetails::aliases().
enum class ValueRole : std::uint32_t {
  kValue,
  kDescription,
  kLabel,
  kAlias,
  // What a fact leads to that is nothing to talk about: the address of a picture, or what the declaration of
  // a property names. The text is an IRI, or "_:" and the label of a blank node.
  kResource,
};

struct Value {
  std::string_view name;            // what the value is of the entity, in words: "release date"
  std::string_view text;            // UTF-8, as it was written
  std::string_view language;        // a tag, or empty
  std::string_view datatype;        // an IRI, or empty
  std::string_view predicate = {};  // IRI that `name` was made of, or empty
  std::string_view source = {};     // what gave it, as GraphDetails::sources(), or empty
  ValueRole role = ValueRole::kValue;
  std::string_view subject =
      {};  // of a relation: the IRI that the text is of, where it is not the relation's own
};

class Values {
 public:
  // nullopt when the database has none. What databases of before kept is read too. StoreError when what it
  // has is damaged.
  [[nodiscard]] static std::optional<Values> load(const Store& store);

  // In the order of the files; empty for an entity without values or an unknown id.
  [[nodiscard]] std::vector<Value> of(EntityId entity) const { return of(entity, ValueRole::kValue); }
  [[nodiscard]] std::vector<Value> of(EntityId entity, ValueRole role) const;
  [[nodiscard]] std::vector<Value> of_relation(RelationId relation) const;  // in all roles
  // The first description; empty where there is none.
  [[nodiscard]] std::string_view description(EntityId entity) const;
  // Texts of all entities and relations, in all roles.
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }

  // The writer's side; entities in ascending order, then relations in ascending order.
  void add(EntityId entity, const Value& value) { add(entity, value, false); }
  void add_relation(RelationId relation, const Value& value) { add(relation, value, true); }
  // As they are stored (docs/reference/formats/graph.md).
  [[nodiscard]] std::string to_bytes() const;
  // StoreError when the bytes are no values.
  [[nodiscard]] static Values from_bytes(std::string bytes);

 private:
  struct Record {
    std::uint32_t owner;                                        // an entity or relation
    std::uint32_t name, language, datatype, predicate, source;  // each a position in words_
    std::uint16_t role, of_relation;
    std::uint32_t subject;  // a position in words_
    std::uint64_t text_begin, text_bytes;
  };
  static_assert(sizeof(Record) == 48);
  [[nodiscard]] std::uint32_t word(std::string_view text);
  void add(std::uint32_t owner, const Value& value, bool of_relation);
  [[nodiscard]] std::vector<Value> texts_of(std::uint32_t owner, bool of_relation,
                                            std::optional<ValueRole> role) const;
  void read_first_version(const char* records, std::size_t count);
  void read_second_version(const char* records, std::size_t count);

  std::vector<Record> records_;
  std::vector<std::string> words_ = {""};
  std::unordered_map<std::string, std::uint32_t> word_ids_ = {{"", 0}};
  std::string texts_;
};

}  // namespace kgwalk::graph
