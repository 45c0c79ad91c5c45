// The json type of everything that kgwalk writes: keys keep the order they were given in.
#pragma once

#include <nlohmann/json.hpp>

namespace kgwalk {

using Json = nlohmann::ordered_json;

}  // namespace kgwalk
