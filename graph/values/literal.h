// The parts of a literal as N-Triples writes it, and what its datatype makes of its text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kgwalk/typed_values.h"

namespace kgwalk::graph {

struct Literal {
  std::string text;           // escapes undone
  std::string_view language;  // of the literal's own bytes
  std::string_view datatype;  // likewise; empty where none is written
};

// nullopt for what is no literal.
[[nodiscard]] std::optional<Literal> split_literal(std::string_view literal);

// By the rules of the datatype, to the letter; nullopt where it is unknown or the text breaks it, and for
// texts.
[[nodiscard]] std::optional<TypedValue> value_of_datatype(std::string_view text, std::string_view datatype);

// Whether the datatype is one of XML Schema's numbers, truth values and times, and the text is none of them
// ("2001-02-31" as a date).
[[nodiscard]] bool breaks_datatype(std::string_view text, std::string_view datatype);

// Neither language nor datatype, or xsd:string: such a text may be a value that nobody typed.
[[nodiscard]] bool is_untyped(const Literal& literal) noexcept;

}  // namespace kgwalk::graph
