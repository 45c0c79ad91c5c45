#include "server/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/config.h"
#include "runtime/text.h"

namespace kgwalk::server {
namespace {

bool is_type(const Json& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return value.is_null();
}

std::string types_text(const Json& type) {
  if (type.is_string()) return type.get<std::string>();
  std::string text;
  for (const Json& one : type) text += (text.empty() ? "" : " or ") + one.get<std::string>();
  return text;
}

bool has_type(const Json& value, const Json& type) {
  if (type.is_string()) return is_type(value, type.get_ref<const std::string&>());
  return std::any_of(type.begin(), type.end(),
                     [&](const Json& one) { return is_type(value, one.get_ref<const std::string&>()); });
}

// How much of it there is: a number's value, a text's or list's length.
void check_range(const Json& schema, double amount, const char* least, const char* most, const char* unit,
                 const std::string& where, Problems& problems) {
  const auto low = schema.find(least), high = schema.find(most);
  if (low != schema.end() && amount < low->get<double>())
    problems.add(where, fmt::format("must be at least {}{}", low->dump(), unit));
  if (high != schema.end() && amount > high->get<double>())
    problems.add(where, fmt::format("must be at most {}{}", high->dump(), unit));
}

std::string joined(const std::string& where, const std::string& key) {
  return where.empty() ? key : fmt::format("{}.{}", where, key);
}

Json fit(const Json& schema, const Json& value, const std::string& where, Problems& problems);

// The nearest of the keys that there are; where none is near, all.
std::string near_or_all(const std::string& key, const std::vector<std::string>& known) {
  if (std::string near = did_you_mean(key, known); !near.empty() || known.empty()) return near;
  return fmt::format("; there {} {}", known.size() == 1 ? "is" : "are", fmt::join(known, ", "));
}

Json fit_object(const Json& schema, const Json& value, const std::string& where, Problems& problems) {
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return value;
  std::vector<std::string> known;
  for (const auto& property : properties->items()) known.push_back(property.key());
  for (const auto& entry : value.items())
    if (!properties->contains(entry.key()))
      problems.add(joined(where, entry.key()), "is not known" + near_or_all(entry.key(), known));
  Json out = Json::object();
  for (const auto& property : properties->items()) {
    const std::string inside = joined(where, property.key());
    if (const auto given = value.find(property.key()); given != value.end()) {
      out[property.key()] = fit(property.value(), *given, inside, problems);
    } else if (const auto otherwise = property.value().find("default"); otherwise != property.value().end()) {
      out[property.key()] = *otherwise;
    } else if (const auto required = schema.find("required");
               required != schema.end() &&
               std::find(required->begin(), required->end(), property.key()) != required->end()) {
      problems.add(inside, "is missing");
    }
  }
  return out;
}

Json fit_text(const Json& schema, const Json& value, const std::string& where, Problems& problems) {
  const std::string& text = value.get_ref<const std::string&>();
  check_range(schema, static_cast<double>(text.size()), "minLength", "maxLength", " bytes long", where,
              problems);
  const auto choices = schema.find("enum");
  if (choices == schema.end() || std::find(choices->begin(), choices->end(), value) != choices->end())
    return value;
  std::string list;
  for (const Json& choice : *choices) list += (list.empty() ? "" : ", ") + choice.dump();
  problems.add(where, "must be one of " + list);
  return value;
}

Json fit(const Json& schema, const Json& value, const std::string& where, Problems& problems) {
  if (const auto type = schema.find("type"); type != schema.end() && !has_type(value, *type)) {
    problems.add(where, "must be of type " + types_text(*type));
    return value;
  }
  if (value.is_object()) return fit_object(schema, value, where, problems);
  if (value.is_string()) return fit_text(schema, value, where, problems);
  if (value.is_number()) check_range(schema, value.get<double>(), "minimum", "maximum", "", where, problems);
  if (!value.is_array()) return value;
  check_range(schema, static_cast<double>(value.size()), "minItems", "maxItems", " items long", where,
              problems);
  Json out = Json::array();
  const auto items = schema.find("items");
  for (std::size_t i = 0; i < value.size(); ++i)
    out.push_back(items == schema.end() ? value[i]
                                        : fit(*items, value[i], fmt::format("{}[{}]", where, i), problems));
  return out;
}

}  // namespace

Json fitted(const Json& schema, const Json& value, std::string_view what) {
  if (!value.is_object()) throw ConfigError(fmt::format("{}: must be a json object", what));
  Problems problems;
  Json out = fit(schema, value, "", problems);
  problems.throw_if_any(what);
  return out;
}

Json from_query(const Json& schema, const std::map<std::string, std::string>& query) {
  Json out = Json::object();
  for (const auto& [name, text] : query) {
    out[name] = text;
    const Json property = schema.value("properties", Json::object()).value(name, Json::object());
    const Json type = property.value("type", Json("string"));
    if (type == "string") continue;
    const Json read = Json::parse(text, nullptr, false);
    if (!read.is_discarded() && has_type(read, type)) out[name] = read;
  }
  return out;
}

}  // namespace kgwalk::server
