// The description of the routes in OpenAPI 3.1, made from the routes themselves.
#pragma once

#include "server/http/router.h"

namespace kgwalk::server {

// `base` is what stands before every path, "" or "/kg".
[[nodiscard]] Json openapi(const Router& router, const std::string& base, const std::string& version);

}  // namespace kgwalk::server
