#include "server/page/page.h"

#include <array>
#include <string>

#include "runtime/checksum.h"
#include "server/page/files.h"

namespace kgwalk::server {
namespace {

// Nothing from elsewhere, no script in the page itself: a name of the graph that holds markup stays text.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PageFile* file_at(std::string_view path) {
  if (path == "/") path = "/index.html";
  if (path == "/docs") path = "/docs.html";
  for (const PageFile& file : page_files())
    if (path.substr(1) == file.name) return &file;
  return nullptr;
}

const char* type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return "image/svg+xml";
}

}  // namespace

bool is_page_file(std::string_view path) { return path.starts_with('/') && file_at(path) != nullptr; }

std::optional<Response> page_file(const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  const PageFile* file = request.path.starts_with('/') ? file_at(request.path) : nullptr;
  if (file == nullptr) return std::nullopt;
  const std::string tag = "\"" + checksum_of(file->text) + "\"";
  Response response;
  response.type = type_of(file->name);
  response.headers = {{"ETag", tag},
                      {"Cache-Control", "no-cache"},
                      {"Content-Security-Policy", kPolicy},
                      {"Referrer-Policy", "no-referrer"}};
  if (request.header("if-none-match") == tag) {
    response.status = 304;
  } else {
    response.body = file->text;
  }
  return response;
}

}  // namespace kgwalk::server
