// Expanded nodes of JSON-LD as statements (https://www.w3.org/TR/json-ld11-api/, section 8).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/input_text.h"

namespace kgwalk::graph {

class JsonLdStatements {
 public:
  // Both must outlive the object.
  JsonLdStatements(const InputText& text, StatementSink& sink) : text_(text), sink_(sink) {}

  // A term that owns its texts.
  struct Thing {
    TermKind kind = TermKind::kIri;
    std::string text, language, datatype;
    [[nodiscard]] Term term() const { return {kind, text, language, datatype}; }
  };

  // What follows is another document: its blank nodes are others, though their labels be the same. Those of
  // the first one keep theirs.
  void begin_document() {
    ++num_documents_;
    blanks_.clear();
  }
  // Hands on what a node says, and the nodes within. `graph`: the source of its statements, or empty. nullopt
  // where its @id is no IRI: what it says itself is left out then, and counted.
  std::optional<Thing> node(const JsonNode& node, const std::string& graph, std::size_t line);
  // Every node of an array.
  void nodes(const JsonNode& all, const std::string& graph, std::size_t line);
  // A graph's name as the source of a statement.
  [[nodiscard]] static std::string graph_name(const Thing& thing);

  // Statements left out because a term is neither an IRI nor a blank node.
  [[nodiscard]] std::size_t num_relative() const noexcept { return num_relative_; }

 private:
  [[nodiscard]] std::optional<Thing> thing_named(std::string_view id);
  [[nodiscard]] Thing new_blank();
  void members(const std::optional<Thing>& subject, const JsonNode& node, const std::string& graph);
  void types(const std::optional<Thing>& subject, const JsonNode& types, const std::string& graph);
  void reverse(const std::optional<Thing>& subject, const JsonNode& properties, const std::string& graph);
  [[nodiscard]] std::optional<Thing> object_of(const JsonNode& value, const std::string& graph);
  [[nodiscard]] std::optional<Thing> list_of(const JsonNode& values, const std::string& graph);
  [[nodiscard]] std::optional<Thing> literal_of(const JsonNode& value) const;
  void add(const std::optional<Thing>& subject, std::string_view predicate,
           const std::optional<Thing>& object, const std::string& graph);

  const InputText& text_;
  StatementSink& sink_;
  std::unordered_map<std::string, std::string> blanks_;  // of a later document: by its own labels
  std::size_t line_ = 0, num_documents_ = 0, num_blanks_ = 0, num_relative_ = 0;
};

}  // namespace kgwalk::graph
