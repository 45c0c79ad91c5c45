#include "graph/ingest/formats/jsonld_statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "graph/ingest/formats/iri_reference.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
constexpr std::string_view kXsdBegin = "http://www.w3.org/2001/XMLSchema#";
constexpr double kTooLarge = 1e21;  // from here on numbers are written with an exponent

std::string rdf(std::string_view name) { return std::string(kRdf).append(name); }
std::string xsd(std::string_view name) { return std::string(kXsdBegin).append(name); }

// 5.3 -> "5.3E0"
std::string canonical_double(double value) {
  std::array<char, 40> room{};
  const auto end =
      std::to_chars(room.data(), room.data() + room.size(), value, std::chars_format::scientific).ptr;
  std::string text(room.data(), end);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') == std::string::npos) mantissa += ".0";
  int exponent = 0;
  const std::size_t digits = e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + digits, text.data() + text.size(), exponent);
  return mantissa + "E" + std::to_string(exponent);
}

std::string whole_number(const JsonNode& value) {
  if (value.kind == JsonNode::Kind::kInteger) return value.text;
  std::array<char, 40> room{};
  const auto end =
      std::to_chars(room.data(), room.data() + room.size(), value.number, std::chars_format::fixed, 0).ptr;
  const std::string text(room.data(), end);
  return text == "-0" ? "0" : text;
}

// As ECMAScript writes numbers, which RFC 8785 asks for.
std::string script_number(const JsonNode& value) {
  const double size = std::abs(value.number);
  if (size < kTooLarge && value.number == std::floor(value.number)) return whole_number(value);
  std::array<char, 60> room{};
  const bool fixed = size >= 1e-6 && size < kTooLarge;
  const auto end = std::to_chars(room.data(), room.data() + room.size(), value.number,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(room.data(), end);
  if (const std::size_t e = text.find('e'); e != std::string::npos && text[e + 2] == '0')
    text.erase(e + 2, 1);
  return text;
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kLetters = "btnvfr";  // of 8 to 13; 11 has none
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (byte >= 8 && byte <= 13 && byte != 11) {
      (out += '\\') += kLetters[byte - 8U];
    } else if (byte < 0x20) {
      constexpr const char* kHex = "0123456789abcdef";
      ((out += "\\u00") += kHex[byte >> 4]) += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// In the order of UTF-16, in which letters beyond the first 65,536 come before U+E000.
bool is_before(std::string_view a, std::string_view b) {
  const auto rank = [](char c) {
    const int byte = static_cast<unsigned char>(c);
    return byte >= 0xf0 ? 0xed * 8 + 1 + (byte - 0xf0) % 7 : byte * 8;
  };
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [&](char x, char y) { return rank(x) < rank(y); });
}

// Letters, digits and '-' between parts of one to eight.
bool is_language_tag(std::string_view tag) {
  std::size_t length = 0;
  bool first = true;
  for (const char c : tag) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '-' ? length == 0 : !(first ? std::isalpha(byte) : std::isalnum(byte)) || length == 8)
      return false;
    if (c == '-') first = false;
    length = c == '-' ? 0 : length + 1;
  }
  return length > 0;
}

// Canonical JSON (RFC 8785).
void append_canonical(std::string& out, const JsonNode& node) {
  using Kind = JsonNode::Kind;
  if (node.is_null()) out += "null";
  if (node.is_boolean()) out += node.kind == Kind::kTrue ? "true" : "false";
  if (node.is_number()) out += script_number(node);
  if (node.is_string()) append_quoted(out, node.text);
  if (node.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (i > 0) out += ',';
      append_canonical(out, node.items[i]);
    }
    out += ']';
  }
  if (!node.is_object()) return;
  std::vector<std::size_t> order(node.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return is_before(node.keys[a], node.keys[b]); });
  out += '{';
  for (const std::size_t i : order) {
    if (out.back() != '{') out += ',';
    append_quoted(out, node.keys[i]);
    out += ':';
    append_canonical(out, node.items[i]);
  }
  out += '}';
}

// Labels of the text's own blank nodes that look like those made here get a mark more.
bool is_made_label(std::string_view label) {
  if (!label.starts_with("node")) return false;
  const std::size_t digits_end = label.find_first_not_of("0123456789", 4);
  return digits_end != 4 && label.size() > 4 &&
         label.find_first_not_of('_', digits_end) == std::string_view::npos;
}

}  // namespace

std::optional<JsonLdStatements::Thing> JsonLdStatements::thing_named(std::string_view id) {
  if (id.starts_with("_:") && id.size() > 2) {
    const std::string_view label = id.substr(2);
    if (num_documents_ > 1) {
      std::string& own = blanks_[std::string(label)];
      if (own.empty()) own = new_blank().text;
      return Thing{TermKind::kBlank, own, {}, {}};
    }
    std::string text = text_.blank_prefix + std::string(label);
    if (is_made_label(label)) text += '_';
    return Thing{TermKind::kBlank, std::move(text), {}, {}};
  }
  if (!is_whole_iri(id)) return std::nullopt;
  return Thing{TermKind::kIri, std::string(id), {}, {}};
}

JsonLdStatements::Thing JsonLdStatements::new_blank() {
  return {TermKind::kBlank, text_.blank_prefix + "node" + std::to_string(++num_blanks_), {}, {}};
}

std::string JsonLdStatements::graph_name(const Thing& thing) {
  return thing.kind == TermKind::kBlank ? "_:" + thing.text : thing.text;
}

void JsonLdStatements::add(const std::optional<Thing>& subject, std::string_view predicate,
                           const std::optional<Thing>& object, const std::string& graph) {
  if (!subject || !object || !is_whole_iri(predicate)) {
    ++num_relative_;
    return;
  }
  if (object->text.size() > text_.max_line_bytes) {
    text_.log.skip(line_, Reason::kLongLine,
                   "a text of " + std::to_string(object->text.size()) + " bytes; at most " +
                       std::to_string(text_.max_line_bytes) + " are taken");
    return;
  }
  (void)sink_.add({.subject = subject->term(),
                   .predicate = {TermKind::kIri, predicate, {}, {}},
                   .object = object->term(),
                   .source = graph},
                  line_);
}

void JsonLdStatements::nodes(const JsonNode& all, const std::string& graph, std::size_t line) {
  for (const JsonNode* each : values_of(all))
    if (each->is_object() && !each->has("@value") && !each->has("@list")) (void)node(*each, graph, line);
}

std::optional<JsonLdStatements::Thing> JsonLdStatements::node(const JsonNode& node, const std::string& graph,
                                                              std::size_t line) {
  line_ = line;
  const JsonNode* id = node.find("@id");
  const std::optional<Thing> subject = id == nullptr     ? new_blank()
                                       : id->is_string() ? thing_named(id->text)
                                                         : std::nullopt;
  members(subject, node, graph);
  return subject;
}

void JsonLdStatements::members(const std::optional<Thing>& subject, const JsonNode& node,
                               const std::string& graph) {
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& key = node.keys[i];
    const JsonNode& value = node.items[i];
    if (key == "@type") {
      types(subject, value, graph);
    } else if (key == "@reverse") {
      reverse(subject, value, graph);
    } else if (key == "@included") {
      nodes(value, graph, line_);
    } else if (key == "@graph") {
      subject ? nodes(value, graph_name(*subject), line_) : void(++num_relative_);
    } else if (!key.starts_with('@')) {
      for (const JsonNode* each : values_of(value)) add(subject, key, object_of(*each, graph), graph);
    }
  }
}

void JsonLdStatements::types(const std::optional<Thing>& subject, const JsonNode& types,
                             const std::string& graph) {
  for (const JsonNode* type : values_of(types))
    add(subject, kRdfType, type->is_string() ? thing_named(type->text) : std::nullopt, graph);
}

void JsonLdStatements::reverse(const std::optional<Thing>& subject, const JsonNode& properties,
                               const std::string& graph) {
  for (std::size_t i = 0; i < properties.keys.size(); ++i)
    for (const JsonNode* each : values_of(properties.items[i]))
      add(node(*each, graph, line_), properties.keys[i], subject, graph);
}

std::optional<JsonLdStatements::Thing> JsonLdStatements::object_of(const JsonNode& value,
                                                                   const std::string& graph) {
  if (value.has("@value")) return literal_of(value);
  if (const JsonNode* list = value.find("@list")) return list_of(*list, graph);
  return node(value, graph, line_);
}

std::optional<JsonLdStatements::Thing> JsonLdStatements::list_of(const JsonNode& values,
                                                                 const std::string& graph) {
  const Thing nil{TermKind::kIri, rdf("nil"), {}, {}};
  std::optional<Thing> first, last;
  for (const JsonNode* each : values_of(values)) {
    const Thing cell = new_blank();
    if (last) add(last, rdf("rest"), cell, graph);
    if (!first) first = cell;
    add(cell, rdf("first"), object_of(*each, graph), graph);
    last = cell;
  }
  if (!last) return nil;
  add(last, rdf("rest"), nil, graph);
  return first;
}

std::optional<JsonLdStatements::Thing> JsonLdStatements::literal_of(const JsonNode& value) const {
  const JsonNode& content = *value.find("@value");
  const JsonNode* type = value.find("@type");
  const JsonNode* language = value.find("@language");
  Thing thing{TermKind::kLiteral, content.text, {}, type == nullptr ? std::string() : type->text};
  if (thing.datatype == "@json") {
    thing.text.clear();
    append_canonical(thing.text, content);
    thing.datatype = rdf("JSON");
  } else if (content.is_boolean()) {
    thing.text = content.kind == JsonNode::Kind::kTrue ? "true" : "false";
    if (type == nullptr) thing.datatype = xsd("boolean");
  } else if (content.is_number()) {
    const double number = content.number;
    const bool whole = number == std::floor(number) && std::abs(number) < kTooLarge;
    const bool as_double = !whole || thing.datatype == xsd("double");
    thing.text = as_double ? canonical_double(number) : whole_number(content);
    if (type == nullptr) thing.datatype = xsd(as_double ? "double" : "integer");
  } else if (language != nullptr) {
    if (!is_language_tag(language->text)) return std::nullopt;
    thing.language = language->text;
  } else if (thing.datatype == xsd("string")) {
    thing.datatype.clear();
  }
  if (type != nullptr && thing.datatype.starts_with("_:")) return std::nullopt;
  return thing;
}

}  // namespace kgwalk::graph
