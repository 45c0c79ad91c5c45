#include "graph/ingest/formats/iri_reference.h"

#include <algorithm>
#include <cctype>

namespace kgwalk::graph {
namespace {

struct Parts {
  std::string_view scheme, authority, path, query, fragment;  // with their marks: "s:", "//a", "?q", "#f"
};

// What `marks` do not occur in, taken from the front.
std::string_view take_until(std::string_view& text, std::string_view marks, std::size_t from = 0) {
  const std::size_t end = std::min(text.find_first_of(marks, from), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end);
  return part;
}

Parts parts_of(std::string_view text) {
  Parts parts;
  if (has_scheme(text)) {
    const std::size_t colon = text.find(':');
    parts.scheme = text.substr(0, colon + 1);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) parts.authority = take_until(text, "/?#", 2);
  parts.path = take_until(text, "?#");
  if (text.starts_with('?')) parts.query = take_until(text, "#");
  parts.fragment = text;
  return parts;
}

// Without the segments "." and "..".
std::string without_dots(std::string_view path) {
  std::string out;
  const auto drop_last = [&] { out.erase(out.rfind('/') == std::string::npos ? 0 : out.rfind('/')); };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last();
    } else if (path == "/..") {
      path = "/";
      drop_last();
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

std::string merged_path(const Parts& base, std::string_view path) {
  if (!base.authority.empty() && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : base.path.substr(0, slash + 1)) +
         std::string(path);
}

}  // namespace

bool has_scheme(std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !std::isalpha(static_cast<unsigned char>(text[0])))
    return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_whole_iri(std::string_view text) noexcept {
  return has_scheme(text) && std::count(text.begin(), text.end(), '#') <= 1 &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) {
           return c <= 0x20 ||
                  std::string_view("<>\"{}|\\^`").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

std::string resolved_iri(std::string_view reference, std::string_view base) {
  const Parts r = parts_of(reference), b = parts_of(base);
  const auto joined = [&](std::string_view scheme, std::string_view authority, const std::string& path,
                          std::string_view query) {
    std::string iri(scheme);
    ((iri += authority) += path) += query;
    return iri += r.fragment;
  };
  if (!r.scheme.empty()) return std::string(reference);
  if (!r.authority.empty()) return joined(b.scheme, r.authority, without_dots(r.path), r.query);
  if (r.path.empty())
    return joined(b.scheme, b.authority, std::string(b.path), r.query.empty() ? b.query : r.query);
  const std::string path = r.path.starts_with('/') ? std::string(r.path) : merged_path(b, r.path);
  return joined(b.scheme, b.authority, without_dots(path), r.query);
}

}  // namespace kgwalk::graph
