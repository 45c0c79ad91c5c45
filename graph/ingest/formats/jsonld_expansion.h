// Nodes of JSON-LD 1.1 written out: every key an IRI or keyword, every value an object in an array
// (https://www.w3.org/TR/json-ld11-api/, section 5).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "graph/ingest/formats/jsonld_context.h"

namespace kgwalk::graph {

class JsonLdExpansion {
 public:
  // `contexts` must outlive the object.
  explicit JsonLdExpansion(JsonLdContexts& contexts) : contexts_(contexts) {}

  // What an element says as the value of a property (empty: of none; "@graph": as a node of a graph): null,
  // an object or an array of them. JsonLdError where it breaks the rules.
  [[nodiscard]] JsonNode expand(const JsonLdContextPtr& active, const std::string& property,
                                const JsonNode& element, bool from_map = false);

  // Keys that no context knows, and how many values were left out with each.
  [[nodiscard]] const std::map<std::string, std::size_t>& left_out() const noexcept { return left_out_; }

 private:
  struct Scope {  // of one node
    JsonLdContextPtr active, type_scoped;
    const std::string& property;
    bool is_json = false;  // its type is @json
  };
  [[nodiscard]] JsonNode expand_array(const JsonLdContextPtr& active, const std::string& property,
                                      const JsonNode& element, bool from_map);
  [[nodiscard]] JsonNode expand_object(JsonLdContextPtr active, const std::string& property,
                                       const JsonNode& element, bool from_map);
  [[nodiscard]] JsonNode expand_scalar(const JsonLdContextPtr& active, const std::string& property,
                                       const JsonNode& value);
  [[nodiscard]] Scope scope_of(JsonLdContextPtr active, const std::string& property, const JsonNode& element);
  void members(const Scope& scope, const JsonNode& element, JsonNode& result);
  void keyword(const Scope& scope, const std::string& key, const std::string& keyword, const JsonNode& value,
               JsonNode& result);
  void types(const Scope& scope, const JsonNode& value, JsonNode& result);
  void included(const Scope& scope, const JsonNode& value, JsonNode& result);
  void reverse(const Scope& scope, const JsonNode& value, JsonNode& result);
  void nested(const Scope& scope, const std::string& key, const JsonNode& value, JsonNode& result);
  void property(const Scope& scope, const std::string& key, const std::string& iri, const JsonNode& value,
                JsonNode& result);
  [[nodiscard]] JsonNode language_map(const Scope& scope, const JsonNode& value);
  [[nodiscard]] JsonNode index_map(const Scope& scope, const std::string& key, const JsonLdTerm& term,
                                   const JsonNode& value);
  void index_item(const Scope& scope, const JsonLdTerm& term, const std::string& index, JsonNode& item);

  JsonLdContexts& contexts_;
  std::map<std::string, std::size_t> left_out_;
};

}  // namespace kgwalk::graph
