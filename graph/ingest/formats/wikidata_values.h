// Values of Wikidata's statements as terms (https://www.wikidata.org/wiki/Help:Data_type).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/statement.h"

namespace kgwalk::graph {

inline constexpr std::string_view kWikidataEntity = "http://www.wikidata.org/entity/";

// A term that owns its texts.
struct WikidataValue {
  TermKind kind = TermKind::kLiteral;
  std::string text, language = {}, datatype = {};
  bool has_unknown_unit = false;
  [[nodiscard]] Term term() const { return {kind, text, language, datatype}; }
};

// The value of a snak of a property with this datatype ("url", "quantity" ...): an item is an IRI, as are
// addresses and files of Commons; a time is a date, month, year or, where it is less precise, words
// ("1950s"); a day of the Julian calendar is given by the Gregorian one; a quantity with a unit is "180 cm",
// in UCUM's letters where the unit is a usual one, else with the unit's id; a place is a point of GeoSPARQL.
// nullopt, and `why` told, where the value breaks its form (31 February).
[[nodiscard]] std::optional<WikidataValue> wikidata_value(const JsonNode& datavalue,
                                                          std::string_view datatype, std::string& why);

}  // namespace kgwalk::graph
