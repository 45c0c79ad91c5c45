// The web page: files that are compiled into the program.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/message.h"

namespace kgwalk::server {

// The file at this path of the server ("/", "/docs", "/app.js", ...), nullopt when the page has none there. A
// client that has it already (If-None-Match) gets 304.
[[nodiscard]] std::optional<Response> page_file(const Request& request);
[[nodiscard]] bool is_page_file(std::string_view path);

}  // namespace kgwalk::server
