#include "server/http/form.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "server/http/problem.h"

namespace kgwalk::server {
namespace {

constexpr std::size_t kMostParts = 100;
constexpr std::string_view kEndOfLine = "\r\n";

Refusal broken(const char* why) { return {400, std::string("the form is not well formed: ") + why}; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// From a quote on; takes it off `rest` with the text. "\"" stands for a quote within.
std::string quoted(std::string_view& rest) {
  std::string out;
  std::size_t i = 1;
  for (; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\')) ++i;
    out += rest[i];
  }
  if (i == rest.size()) throw broken("a quote is left open");
  rest.remove_prefix(i + 1);
  return out;
}

// The value of `name` in "form-data; name=\"file\"; filename=\"a.wav\"".
std::optional<std::string> form_value(std::string_view header, std::string_view name) {
  std::string_view rest = header;
  while (true) {
    const std::size_t semicolon = rest.find(';');
    if (semicolon == std::string_view::npos) return std::nullopt;
    rest = trimmed(rest.substr(semicolon + 1));
    const std::size_t equals = std::min(rest.find('='), rest.size());
    const std::string key = lower(trimmed(rest.substr(0, equals)));
    rest = trimmed(rest.substr(std::min(equals + 1, rest.size())));
    std::string value;
    if (rest.starts_with('"')) {
      value = quoted(rest);
    } else {
      value = trimmed(rest.substr(0, rest.find(';')));
    }
    if (key == name) return value;
  }
}

std::string boundary_of(const Request& request) {
  const std::string_view type = request.header("content-type");
  if (!lower(type).starts_with("multipart/form-data"))
    throw Refusal(415, "send a form: Content-Type must be multipart/form-data");
  const std::optional<std::string> boundary = form_value(type, "boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70) throw broken("it names no boundary");
  return *boundary;
}

// Lines of the header of a part, up to the empty one.
FormPart part_of(std::string_view text) {
  FormPart part;
  bool named = false;
  for (;;) {
    const std::size_t end = text.find(kEndOfLine);
    if (end == std::string_view::npos) throw broken("a part has no body");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + kEndOfLine.size());
    if (line.empty()) break;
    if (!lower(line.substr(0, line.find(':'))).starts_with("content-disposition")) continue;
    const std::optional<std::string> name = form_value(line, "name");
    named = name.has_value();
    part.name = name.value_or("");
    part.file = form_value(line, "filename").value_or("");
  }
  if (!named) throw broken("a part has no name");
  part.body = text;
  return part;
}

}  // namespace

std::vector<FormPart> form_parts(const Request& request) {
  const std::string delimiter = "--" + boundary_of(request);
  const std::string between = std::string(kEndOfLine) + delimiter;
  std::string_view rest = request.body;
  // What stands before the first part means nothing.
  const std::size_t first = rest.starts_with(delimiter) ? 0 : rest.find(between);
  if (first == std::string_view::npos) throw broken("its boundary is not in it");
  rest.remove_prefix(rest.find(delimiter, first) + delimiter.size());
  std::vector<FormPart> parts;
  while (!rest.starts_with("--")) {
    const std::size_t line = rest.find(kEndOfLine);
    if (line == std::string_view::npos || !trimmed(rest.substr(0, line)).empty())
      throw broken("a boundary ends in the middle of a line");
    rest.remove_prefix(line + kEndOfLine.size());
    const std::size_t end = rest.find(between);
    if (end == std::string_view::npos) throw broken("it breaks off");
    if (parts.size() == kMostParts) throw broken("it has more than 100 parts");
    parts.push_back(part_of(rest.substr(0, end)));
    rest.remove_prefix(end + between.size());
  }
  return parts;
}

const FormPart* part_named(const std::vector<FormPart>& parts, std::string_view name) {
  const auto found =
      std::find_if(parts.begin(), parts.end(), [&](const FormPart& part) { return part.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace kgwalk::server
