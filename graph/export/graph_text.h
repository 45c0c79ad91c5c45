// Text of one fact, name or value in each format of kgwalk/export.h.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::graph {

// Letters, digits and "-._~" as they are, all other bytes as %XX: safe in every place of an IRI.
[[nodiscard]] std::string percent_coded(std::string_view text);
// A field of csv, in quotes where it needs them.
[[nodiscard]] std::string csv_field(std::string_view text);
// The shortest that is read back as the same number.
[[nodiscard]] std::string number_text(float number);
// Text in XML; control characters that XML does not allow become U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace kgwalk::graph
