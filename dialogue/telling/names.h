// Names, values and nouns as parts of a sentence. Torch-free.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/typed_values.h"

namespace kgwalk::dialogue {

inline constexpr std::size_t kLongestText = 80;  // bytes; longer texts are cut

// A text cut at the end of a sentence, else of a word, with "..." where a sentence was cut.
[[nodiscard]] std::string short_text(std::string_view text);

// The name of a thing as the graph writes it, a value as people write it, a long text cut.
[[nodiscard]] std::string said_name(const graph::TypedValues& values, graph::EntityId entity);
// The same for the tail of a relation, which decides whether 1995 is a year.
[[nodiscard]] std::string said_tail(const graph::TypedValues& values, graph::RelationId relation,
                                    graph::EntityId tail);
// "in 1995", "on 1 April 2004", "at 21:15".
[[nodiscard]] std::string when_text(const graph::TypedValue& time);

// What "X is a Y" tells: the relation of types, or one that is called "is a" or "instance of".
[[nodiscard]] std::optional<graph::RelationId> kind_relation(const graph::KnowledgeGraph& graph);

// The name of a type as a noun: "Film" -> "film", "SoccerClub" -> "soccer club"; "NASA" and "Q11424" as they
// are.
[[nodiscard]] std::string noun_of(std::string_view type);
[[nodiscard]] std::string plural_noun(std::string_view noun);  // "person" -> "people"
// "whose genre is ", "whose weaknesses include ": before what limits by it.
[[nodiscard]] std::string whose(const std::string& noun);
[[nodiscard]] std::string with_article(const std::string& noun);  // "an actor", "a university"
// "one" film, "12" films, "1,204" films.
[[nodiscard]] std::string number_text(std::uint64_t number);

// An average: rounded to six digits, with "about" where that took something away.
[[nodiscard]] std::string rounded_text(graph::TypedValue number, bool year);

// The first letter as a capital.
[[nodiscard]] std::string capital(std::string text);
// As a sentence: with a period, unless a mark ends it.
[[nodiscard]] std::string ended(std::string text);

}  // namespace kgwalk::dialogue
