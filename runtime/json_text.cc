#include "runtime/json_text.h"

#include <set>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk {
namespace {

std::string line_and_column(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

// The library's message without its own prefix "[json....] parse error at line 1, column 2: ".
std::string plain_reason(std::string_view message) {
  const std::size_t column = message.find("column");
  const std::size_t colon = message.find(": ", column == std::string_view::npos ? 0 : column);
  return std::string(colon == std::string_view::npos ? message : message.substr(colon + 2));
}

}  // namespace

Json parse_json(std::string_view text, std::string_view source) {
  std::vector<std::set<std::string>> open_objects;
  std::string duplicate;
  const auto watch = [&](int, nlohmann::detail::parse_event_t event, Json& parsed) {
    using Event = nlohmann::detail::parse_event_t;
    if (event == Event::object_start) open_objects.emplace_back();
    if (event == Event::object_end) open_objects.pop_back();
    if (event == Event::key && !open_objects.back().insert(parsed.get<std::string>()).second &&
        duplicate.empty())
      duplicate = parsed.get<std::string>();
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, watch, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const Json::parse_error& error) {
    throw FormatError(std::string(source) + ":" + line_and_column(text, error.byte) +
                      ": broken json: " + plain_reason(error.what()));
  } catch (const Json::exception& error) {  // e.g. a number out of range
    throw FormatError(std::string(source) + ": broken json: " + error.what());
  }
  if (!duplicate.empty())
    throw FormatError(std::string(source) + ": the key '" + duplicate + "' is given twice in one object");
  return json;
}

Json read_json_file(const std::string& path) { return parse_json(read_file(path), path); }

void apply_assignment(Json& json, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string key(assignment.substr(0, equals));
  if (equals == std::string_view::npos || key.empty() || key.front() == '.' || key.back() == '.' ||
      key.find("..") != std::string::npos)
    throw ConfigError("setting " + std::string(assignment) +
                      ": expected KEY=VALUE with dots in KEY, e.g. adam.lr=0.001");
  const std::string_view text = assignment.substr(equals + 1);
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) value = std::string(text);
  Json nested = std::move(value);
  for (std::size_t end = key.size(); end != std::string::npos;) {
    const std::size_t dot = key.rfind('.', end - 1);
    const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
    Json outer = Json::object();
    outer[key.substr(begin, end - begin)] = std::move(nested);
    nested = std::move(outer);
    end = dot;
  }
  merge_json(json, nested);
}

void merge_json(Json& base, const Json& later) {
  if (!base.is_object() || !later.is_object()) {
    base = later;
    return;
  }
  for (const auto& item : later.items()) merge_json(base[item.key()], item.value());
}

}  // namespace kgwalk
