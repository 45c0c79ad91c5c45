// Names of relations and types as parts of an English sentence.
#pragma once

#include <string>
#include <string_view>

#include "kgwalk/forms.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::forms {

// Words of a relation or the first of several, without the mark of inverses and the underscores: "release
// year".
[[nodiscard]] std::string relation_words(const Relations& relations, const graph::KnowledgeGraph& graph);
// Whether it is read against its direction.
[[nodiscard]] bool is_backwards(const Relations& relations, const graph::KnowledgeGraph& graph);
// "directed by": what follows it is whom or what.
[[nodiscard]] bool ends_open(std::string_view words);

// The words of a type's name: "BasketballPlayer" -> "Basketball Player", "President (politics)" ->
// "President".
[[nodiscard]] std::string type_words(std::string_view name);
// "film" -> "films", "Country" -> "countries", "Q11424" as it is.
[[nodiscard]] std::string plural_of(std::string_view name);

// Of the n first without the n - 1 first: n, two or more; 0 for other sets.
[[nodiscard]] std::uint64_t place_of(const Set& set);
// 2 -> "second", 21 -> "21st".
[[nodiscard]] std::string ordinal(std::uint64_t place);

// "a, b and c"; `last` stands before the last one.
[[nodiscard]] std::string listed(const std::vector<std::string>& texts, std::string_view last = "and");

// "after 2005", "of at least 1,000", "from 1990 to 1999".
[[nodiscard]] std::string condition_words(const Condition& condition);
// "at least 3".
[[nodiscard]] std::string count_words(const Condition& condition);

// What a statement says beside a fact: "in 2010", "with position mayor or governor".
[[nodiscard]] std::string qualified_words(const Qualified& given, const graph::TypedValues& values);

}  // namespace kgwalk::forms
