// What queries answer as JSON: one form for every interface, that of docs/reference/openapi.json.
#pragma once

#include <optional>
#include <vector>

#include "kgwalk/complete.h"
#include "kgwalk/connect.h"
#include "kgwalk/explore.h"
#include "kgwalk/json.h"
#include "kgwalk/retrieve.h"

namespace kgwalk {

// {"head", "relation", "tail"}, and "sources" and "weight" where the graph has them.
[[nodiscard]] Json hop_json(const NamedHop& hop);
[[nodiscard]] Json hops_json(const std::vector<NamedHop>& hops);

// {"entity", "edges", "kind"}.
[[nodiscard]] Json found_json(const EntityFound& found);
// {"entities": [...]}, each with its "fit".
[[nodiscard]] Json search_json(const std::vector<EntityFound>& found);
// {"distance", "path"}: null where nothing joins the two.
[[nodiscard]] Json way_json(const std::optional<std::vector<NamedHop>>& way);
[[nodiscard]] Json links_json(const std::vector<Link>& links);                    // {"links": [...]}
[[nodiscard]] Json completions_json(const std::vector<Completion>& completions);  // {"answers": [...]}
// {"text", "tokens", "cut", "entities", "facts"}.
[[nodiscard]] Json retrieved_json(const Retrieved& found);

}  // namespace kgwalk
