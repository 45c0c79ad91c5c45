// Words for what has only an IRI.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::graph {

// "http://example.org/resource/Iron_Man_(film)" -> "Iron Man (film)": what stands behind the last '#', '/'
// or, where there is neither, ':'; percent signs decoded, underscores read as spaces. The whole IRI when
// nothing is left.
[[nodiscard]] std::string entity_name_of(std::string_view iri);

// "http://example.org/ontology/birthPlace" -> "birth place", "ACTED_IN" -> "acted in", "hasIMDbURL" ->
// "has IMDb URL".
[[nodiscard]] std::string relation_words_of(std::string_view iri);

// The same for any IRI: itself where what comes out would be no name.
[[nodiscard]] std::string entity_name_of_id(std::string_view iri);
[[nodiscard]] std::string relation_name_of_id(std::string_view iri);

// The part that the names above are made of, as it is written: "Iron_Man_(film)".
[[nodiscard]] std::string_view local_part(std::string_view iri);
// The one in front of it: "resource".
[[nodiscard]] std::string_view parent_part(std::string_view iri);

// A literal as N-Triples writes it, with its quotes.
[[nodiscard]] std::string literal_text(std::string_view text, std::string_view language,
                                       std::string_view datatype);

// Text as a name: control characters (line breaks, tabs) become spaces, none at its ends.
[[nodiscard]] std::string name_text(std::string_view text);

}  // namespace kgwalk::graph
