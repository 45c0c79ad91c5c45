// References to IRIs and what they are relative to (RFC 3986, section 5).
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::graph {

// Whether text begins with a scheme and a colon.
[[nodiscard]] bool has_scheme(std::string_view text) noexcept;

// Whether text is an IRI that a statement may have: with a scheme, without spaces and the marks that none may
// contain.
[[nodiscard]] bool is_whole_iri(std::string_view text) noexcept;

// What the reference means beside `base`, an IRI. The reference itself where it has a scheme.
[[nodiscard]] std::string resolved_iri(std::string_view reference, std::string_view base);

}  // namespace kgwalk::graph
