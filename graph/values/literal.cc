#include "graph/values/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "graph/values/moments.h"
#include "graph/values/units.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kXsd = "http://www.w3.org/2001/XMLSchema#";

constexpr std::string_view kIntegers[] = {"integer",
                                          "int",
                                          "long",
                                          "short",
                                          "byte",
                                          "nonNegativeInteger",
                                          "unsignedInt",
                                          "unsignedLong",
                                          "unsignedShort",
                                          "unsignedByte",
                                          "positiveInteger",
                                          "nonPositiveInteger",
                                          "negativeInteger"};

// Units in UCUM's letters stand behind the number.
constexpr std::string_view kWithUnit[] = {"https://w3id.org/cdt/", "http://w3id.org/cdt/",
                                          "https://w3id.org/lindt/custom_datatypes#",
                                          "http://w3id.org/lindt/custom_datatypes#"};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_sign(std::string_view text) {
  return text.starts_with('+') || text.starts_with('-') ? text.substr(1) : text;
}

bool is_decimal(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return all_digits(text);
  const std::string_view whole = text.substr(0, point), part = text.substr(point + 1);
  return (whole.empty() || all_digits(whole)) && (part.empty() || all_digits(part)) && text.size() > 1;
}

bool is_double(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return is_decimal(text);
  return is_decimal(text.substr(0, e)) && all_digits(without_sign(text.substr(e + 1)));
}

std::optional<TypedValue> number_of(std::string_view text, UnitId unit = 0) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double read = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(read)) return std::nullopt;
  return number_value(read, unit);
}

std::optional<TypedValue> number_with_unit(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
  const std::size_t unit_at = std::min(text.find_first_not_of(' ', end), text.size());
  const auto unit = unit_at == text.size() ? std::optional<UnitId>(0) : find_unit(text.substr(unit_at));
  if (!unit || !is_double(without_sign(text.substr(0, end)))) return std::nullopt;
  return number_of(text.substr(0, end), *unit);
}

std::optional<TypedValue> of_xsd(std::string_view text, std::string_view type) {
  if (std::find(std::begin(kIntegers), std::end(kIntegers), type) != std::end(kIntegers))
    return all_digits(without_sign(text)) ? number_of(text) : std::nullopt;
  if (type == "decimal") return is_decimal(without_sign(text)) ? number_of(text) : std::nullopt;
  if (type == "double" || type == "float")
    return is_double(without_sign(text)) ? number_of(text) : std::nullopt;
  if (type == "boolean") {
    const bool yes = text == "true" || text == "1";
    if (!yes && text != "false" && text != "0") return std::nullopt;
    return TypedValue{.kind = ValueKind::kBoolean, .from = yes ? 1.0 : 0.0, .to = yes ? 1.0 : 0.0};
  }
  if (type == "gYear") return iso_year(text);
  if (type == "gYearMonth") return iso_month(text);
  if (type == "date") return iso_day(text);
  if (type == "dateTime" || type == "dateTimeStamp")
    return text.find(' ') == std::string_view::npos ? iso_day_time(text) : std::nullopt;
  if (type == "time") return iso_time(text);
  return std::nullopt;
}

void append_code_point(std::string& text, unsigned long code) {
  const auto byte = [&](unsigned long bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      byte(0xe0 | (code >> 12));
    } else {
      byte(0xf0 | (code >> 18));
      byte(0x80 | ((code >> 12) & 0x3f));
    }
    byte(0x80 | ((code >> 6) & 0x3f));
  }
  byte(0x80 | (code & 0x3f));
}

// Undoes the escape at text[at], a backslash; returns the place behind it.
std::size_t unescape(std::string_view text, std::size_t at, std::string& out) {
  const char c = at + 1 < text.size() ? text[at + 1] : '\\';
  const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits > 0 && at + 2 + digits <= text.size()) {
    unsigned long code = 0;
    std::from_chars(text.data() + at + 2, text.data() + at + 2 + digits, code, 16);
    append_code_point(out, code);
    return at + 2 + digits;
  }
  constexpr std::string_view kLetters = "tbnrf", kMeant = "\t\b\n\r\f";
  const std::size_t letter = kLetters.find(c);
  out += letter == std::string_view::npos ? c : kMeant[letter];
  return at + 2;
}

}  // namespace

std::optional<Literal> split_literal(std::string_view literal) {
  if (!literal.starts_with('"')) return std::nullopt;
  Literal parts;
  std::size_t at = 1;
  while (at < literal.size() && literal[at] != '"') {
    if (literal[at] == '\\')
      at = unescape(literal, at, parts.text);
    else
      parts.text += literal[at++];
  }
  if (at >= literal.size()) return std::nullopt;
  const std::string_view rest = literal.substr(at + 1);
  if (rest.starts_with('@')) parts.language = rest.substr(1);
  if (rest.starts_with("^^<") && rest.ends_with('>')) parts.datatype = rest.substr(3, rest.size() - 4);
  return parts;
}

std::optional<TypedValue> value_of_datatype(std::string_view text, std::string_view datatype) {
  if (datatype.starts_with(kXsd)) return of_xsd(text, datatype.substr(kXsd.size()));
  for (const std::string_view prefix : kWithUnit)
    if (datatype.starts_with(prefix)) return number_with_unit(text);
  const auto unit = datatype.empty() ? std::nullopt : find_unit(datatype);
  return unit && is_double(without_sign(text)) ? number_of(text, *unit) : std::nullopt;
}

bool breaks_datatype(std::string_view text, std::string_view datatype) {
  constexpr std::string_view kOthers[] = {"decimal",    "double", "float",    "boolean",       "gYear",
                                          "gYearMonth", "date",   "dateTime", "dateTimeStamp", "time"};
  if (!datatype.starts_with(kXsd)) return false;
  const std::string_view type = datatype.substr(kXsd.size());
  const auto among = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), type) != std::end(names);
  };
  if (!among(kIntegers) && !among(kOthers)) return false;
  const bool endless = text == "INF" || text == "+INF" || text == "-INF" || text == "NaN";
  if (endless && (type == "double" || type == "float")) return false;
  return !of_xsd(text, type);
}

bool is_untyped(const Literal& literal) noexcept {
  return literal.language.empty() && (literal.datatype.empty() || (literal.datatype.starts_with(kXsd) &&
                                                                   literal.datatype.ends_with("#string")));
}

TypedValue value_of_literal(std::string_view literal) {
  const auto parts = split_literal(literal);
  if (!parts) return {};
  if (parts->language.empty())
    if (const auto value = value_of_datatype(parts->text, parts->datatype)) return *value;
  return text_value(parts->text);
}

}  // namespace kgwalk::graph
