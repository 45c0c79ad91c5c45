#include "runtime/config_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/text.h"

namespace kgwalk::config_detail {
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

}  // namespace

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
      problems_.add(dotted(path_, key), "unknown key" + did_you_mean(key, known_));
  }
}

}  // namespace kgwalk::config_detail
