#include "runtime/config.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "runtime/files.h"

namespace kgwalk {
namespace {

std::string type_of(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_boolean()) return "true or false";
  if (json.is_number_float()) return "the fraction " + json.dump();
  if (json.is_number()) return "the number " + json.dump();
  if (json.is_string()) return "the text " + json.dump();
  return json.is_array() ? "a list" : "an object";
}

template <class T>
void read_integer(const Json& json, T& out, std::string_view where, Problems& problems) {
  using Limits = std::numeric_limits<T>;
  const auto fits = [](auto value) {
    return std::cmp_greater_equal(value, Limits::min()) && std::cmp_less_equal(value, Limits::max());
  };
  if (json.is_number_unsigned()) {
    if (const auto value = json.get<std::uint64_t>(); fits(value)) return void(out = static_cast<T>(value));
  } else if (json.is_number_integer()) {
    if (const auto value = json.get<std::int64_t>(); fits(value)) return void(out = static_cast<T>(value));
  } else if (json.is_number_float()) {
    // 1e6 is written as a float but means an integer; beyond 2^53 a double cannot say which one.
    const double value = json.get<double>();
    if (value == std::floor(value) && std::abs(value) <= 0x1p53 && fits(static_cast<std::int64_t>(value)))
      return void(out = static_cast<T>(value));
  } else {
    return problems.add(where, "expected an integer, found " + type_of(json));
  }
  problems.add(where, "expected an integer from " + std::to_string(Limits::min()) + " to " +
                          std::to_string(Limits::max()) + ", found " + json.dump());
}

template <class T>
void read_real(const Json& json, T& out, std::string_view where, Problems& problems) {
  if (!json.is_number()) return problems.add(where, "expected a number, found " + type_of(json));
  out = static_cast<T>(json.get<double>());
}

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

void Problems::add(std::string_view where, std::string_view what) {
  list_.push_back(where.empty() ? std::string(what) : std::string(where) + ": " + std::string(what));
}

void Problems::add_below(std::string_view path, const Problems& nested) {
  for (const std::string& problem : nested.list_) list_.push_back(config_detail::joined(path, problem));
}

void Problems::throw_if_any(std::string_view source) const {
  if (list_.empty()) return;
  std::string text(source);
  for (const std::string& problem : list_) text += (&problem == &list_.front() ? ": " : "; ") + problem;
  throw ConfigError(text);
}

namespace config_detail {

std::string joined(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
}

void read_value(const Json& json, bool& out, std::string_view where, Problems& problems) {
  if (!json.is_boolean()) return problems.add(where, "expected true or false, found " + type_of(json));
  out = json.get<bool>();
}
void read_value(const Json& json, int& out, std::string_view where, Problems& problems) {
  read_integer(json, out, where, problems);
}
void read_value(const Json& json, std::int64_t& out, std::string_view where, Problems& problems) {
  read_integer(json, out, where, problems);
}
void read_value(const Json& json, std::uint64_t& out, std::string_view where, Problems& problems) {
  read_integer(json, out, where, problems);
}
void read_value(const Json& json, float& out, std::string_view where, Problems& problems) {
  read_real(json, out, where, problems);
}
void read_value(const Json& json, double& out, std::string_view where, Problems& problems) {
  read_real(json, out, where, problems);
}
void read_value(const Json& json, std::string& out, std::string_view where, Problems& problems) {
  if (!json.is_string()) return problems.add(where, "expected text (\"...\"), found " + type_of(json));
  out = json.get<std::string>();
}

Reader::Reader(const Json& json, std::string_view path, Problems& problems)
    : json_(json), path_(path), problems_(problems) {}

void Reader::finish() {
  if (!json_.is_object()) return problems_.add(path_, "expected an object ({...}), found " + type_of(json_));
  for (const auto& item : json_.items()) {
    const std::string& key = item.key();
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      problems_.add(joined(path_, key), "unknown key" + did_you_mean(key, known_));
  }
}

}  // namespace config_detail

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
