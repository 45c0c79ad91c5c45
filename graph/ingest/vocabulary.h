// What is known of vocabularies beforehand: their usual prefixes, and which of their properties name,
// describe and declare things.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kgwalk::graph {

// Prefix and IRI, as files declare them.
using Prefixes = std::vector<std::pair<std::string, std::string>>;

// "rdfs:label" -> its IRI, by the prefixes of the files first, then by the usual ones. nullopt for another
// word.
[[nodiscard]] std::optional<std::string> expanded(std::string_view word, const Prefixes& prefixes);

// Whether the word means the property: its IRI, its prefixed name, or its last part in any case.
[[nodiscard]] bool means(std::string_view word, std::string_view property, const Prefixes& prefixes);

// The word for the vocabulary that an IRI belongs to: the prefix that the files declare for it or that is
// usual, else the last part of its namespace that is no number ("0.1"), else empty.
[[nodiscard]] std::string vocabulary_of(std::string_view iri, const Prefixes& prefixes);

// Properties that name things wherever they stand, best first.
[[nodiscard]] const std::vector<std::string>& naming_properties();

// Whether a property may name things, by its last part: name, label or title.
[[nodiscard]] bool may_name(std::string_view property);

// Whether the IRI belongs to a vocabulary that declares properties and classes (rdf, rdfs, owl, wikibase).
[[nodiscard]] bool declares(std::string_view iri);
// Whether an IRI is a class of properties: rdf:Property, owl:ObjectProperty, wikibase:Property.
[[nodiscard]] bool is_property_class(std::string_view iri);

// "P36" of Wikidata -> "capital"; empty for what is not known.
[[nodiscard]] std::string_view wikidata_property(std::string_view iri);

// What a relation is called that has no label: what is known of Wikidata's, else its IRI's words.
[[nodiscard]] std::string relation_name_without_label(std::string_view iri);

// Whether an IRI is the address of a picture, sound, film or document.
[[nodiscard]] bool is_file_address(std::string_view iri);

// Whether text is an address of the web.
[[nodiscard]] bool is_web_address(std::string_view text);

}  // namespace kgwalk::graph
