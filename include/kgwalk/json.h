// The json type of everything that kgwalk reads and writes: configurations, metadata of tables, reports.
//
// Example:
//   kgwalk::Json meta = {{"kind", "transe"}, {"dim", 64}};
//   meta["seed"] = 1;
//   std::cout << meta.dump() << '\n';  // {"kind":"transe","dim":64,"seed":1}
//
// Keys keep the order in which they were given; looking one up takes time in proportion to their number. A
// key that is missing or a value of another type throws nlohmann::json::exception, as documented there.
#pragma once

#include <nlohmann/json.hpp>

namespace kgwalk {

using Json = nlohmann::ordered_json;

}  // namespace kgwalk
