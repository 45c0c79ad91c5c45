// Values that ingestion kept beside the graph: literals of entities that are no entities themselves
// (InputOptions::literals, kgwalk/input_format.h).
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

struct Value {
  std::string_view name;      // what the value is of the entity, in words: "release date"
  std::string_view text;      // UTF-8, as it was written
  std::string_view language;  // a tag, or empty
  std::string_view datatype;  // an IRI, or empty
};

class Values {
 public:
  // nullopt when the database has none. StoreError when what it has is damaged.
  [[nodiscard]] static std::optional<Values> load(const Store& store);

  // In the order of the files; empty for an entity without values or an unknown id.
  [[nodiscard]] std::vector<Value> of(EntityId entity) const;
  [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }  // of all entities

  // The writer's side; entities in ascending order.
  void add(EntityId entity, const Value& value);
  // As they are stored (docs/reference/formats/graph.md).
  [[nodiscard]] std::string to_bytes() const;
  // StoreError when the bytes are no values.
  [[nodiscard]] static Values from_bytes(std::string bytes);

 private:
  struct Record {
    EntityId entity;
    std::uint32_t name, language, datatype;  // each a position in words_
    std::uint64_t text_begin, text_bytes;
  };
  static_assert(sizeof(Record) == 32);
  [[nodiscard]] std::uint32_t word(std::string_view text);

  std::vector<Record> records_;
  std::vector<std::string> words_ = {""};
  std::unordered_map<std::string, std::uint32_t> word_ids_ = {{"", 0}};
  std::string texts_;
};

}  // namespace kgwalk::graph
