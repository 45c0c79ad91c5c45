// A JSON schema as clients of language models send it for structured outputs: what of it is understood, and
// reading it.
//
// Understood: type (or a list of types), properties, required, additionalProperties, items, enum, const,
// default, anyOf, oneOf, allOf of one, $ref into $defs, minimum, maximum, minLength, maxLength, minItems,
// maxItems; title, description, examples and the like say nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/json.h"

namespace kgwalk::server {

class SchemaWords {
 public:
  // Borrows the root. Refusal (400) that names `field` for a keyword that is not understood, a reference that
  // leads nowhere or in a circle, and a word of the wrong type.
  SchemaWords(const Json& root, std::string field);

  // The schema that a reference, or an allOf of one, stands for.
  [[nodiscard]] const Json& plain(const Json& schema) const;
  // It, or what it may be instead, in the order given.
  [[nodiscard]] std::vector<const Json*> choices(const Json& schema, int depth = 0) const;

  // For a schema without choices. Where no type is told it may be any.
  [[nodiscard]] static bool may_be(const Json& schema, std::string_view type);
  [[nodiscard]] static bool only(const Json& schema, std::string_view type);  // that, or null
  // The value is one of an enumeration and within bounds. Types are not looked at.
  [[nodiscard]] static bool holds(const Json& schema, const Json& value);

 private:
  void check(const Json& schema, int depth) const;
  [[noreturn]] void refuse(const std::string& why) const;

  const Json& root_;
  std::string field_;
};

}  // namespace kgwalk::server
