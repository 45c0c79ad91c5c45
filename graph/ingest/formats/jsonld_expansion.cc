#include "graph/ingest/formats/jsonld_expansion.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/ingest/formats/iri_reference.h"

namespace kgwalk::graph {
namespace {

std::optional<std::string> iri_of_key(const JsonLdContext& active, std::string_view key) {
  return JsonLdContexts::expand_iri(active, key, false, true);
}

JsonNode with_member(std::string_view key, JsonNode value) {
  JsonNode node = JsonNode::object();
  node.set(key, std::move(value));
  return node;
}

JsonNode as_array(JsonNode node) {
  if (node.is_array()) return node;
  JsonNode array = JsonNode::array();
  if (!node.is_null()) array.items.push_back(std::move(node));
  return array;
}

JsonNode text_or_null(const std::optional<std::string>& text) {
  return text ? JsonNode::string(*text) : JsonNode();
}

void move_into(JsonNode& array, JsonNode&& values) {
  JsonNode all = as_array(std::move(values));
  for (JsonNode& value : all.items) array.items.push_back(std::move(value));
}

// Before the values that the key has.
void put_first(JsonNode& item, const std::string& key, JsonNode first) {
  JsonNode all = as_array(std::move(first));
  if (JsonNode* known = item.find(key)) move_into(all, std::move(*known));
  item.set(key, std::move(all));
}

// A node's context does not reach the nodes within, unless it says so.
bool goes_back(const JsonLdContext& active, const JsonNode& element, bool from_map) {
  if (!active.previous || from_map) return false;
  bool is_reference = false;
  for (const std::string& key : element.keys) {
    const auto iri = iri_of_key(active, key);
    if (iri == "@value") return false;
    is_reference = iri == "@id" && element.keys.size() == 1;
  }
  return !is_reference;
}

void check_value(const JsonNode& result) {
  constexpr std::string_view kKeys[] = {"@direction", "@index", "@language", "@type", "@value"};
  for (const std::string& key : result.keys)
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys))
      throw JsonLdError("a value has '" + key.substr(0, 80) + "' beside @value");
  const JsonNode& value = *result.find("@value");
  const JsonNode* type = result.find("@type");
  if (type != nullptr && (result.has("@language") || result.has("@direction")))
    throw JsonLdError("a value has a @type, and a @language or @direction");
  if (type != nullptr && type->is_string("@json")) return;
  if (value.is_array() || value.is_object())
    throw JsonLdError("@value is neither a text, number nor truth value");
  if (value.is_null()) return;
  if (result.has("@language") && !value.is_string()) throw JsonLdError("a @language of what is no text");
  if (type != nullptr && !(type->is_string() && (is_whole_iri(type->text))))
    throw JsonLdError("the @type of a value is no IRI");
}

// What is left of a node once its members are expanded.
JsonNode finished(JsonNode result, const std::string& property) {
  const bool at_top = property.empty() || property == "@graph";
  if (const JsonNode* value = result.find("@value")) {
    check_value(result);
    const JsonNode* type = result.find("@type");
    if ((value->is_null() && !(type != nullptr && type->is_string("@json"))) || at_top) return {};
    return result;
  }
  if (JsonNode* type = result.find("@type"); type != nullptr && !type->is_array())
    result.set("@type", as_array(std::move(*type)));
  for (const char* key : {"@set", "@list"})
    if (JsonNode* values = result.find(key)) {
      if (result.keys.size() > 1 + (result.has("@index") ? 1U : 0U))
        throw JsonLdError(std::string(key) + " stands beside other keys");
      if (std::string_view(key) == "@set") return JsonNode(std::move(*values));
      if (at_top) return {};
      return result;
    }
  if (result.keys.size() == 1 && result.keys[0] == "@language") return {};
  if (at_top && (result.keys.empty() || (result.keys.size() == 1 && result.keys[0] == "@id"))) return {};
  return result;
}

bool is_value_or_list(const JsonNode& node) { return node.has("@value") || node.has("@list"); }

}  // namespace

JsonNode JsonLdExpansion::expand(const JsonLdContextPtr& active, const std::string& property,
                                 const JsonNode& element, bool from_map) {
  if (element.is_null()) return {};
  if (element.is_array()) return expand_array(active, property, element, from_map);
  if (element.is_object()) return expand_object(active, property, element, from_map);
  if (property.empty() || property == "@graph") return {};
  const JsonLdTerm* term = active->term(property);
  return expand_scalar(
      term != nullptr && term->context ? contexts_.scoped(active, *term, true, true) : active, property,
      element);
}

JsonNode JsonLdExpansion::expand_array(const JsonLdContextPtr& active, const std::string& property,
                                       const JsonNode& element, bool from_map) {
  const JsonLdTerm* term = active->term(property);
  JsonNode all = JsonNode::array();
  for (const JsonNode& item : element.items) {
    JsonNode expanded = expand(active, property, item, from_map);
    if (term != nullptr && term->has(kListContainer) && expanded.is_array())
      expanded = with_member("@list", std::move(expanded));
    move_into(all, std::move(expanded));
  }
  return all;
}

JsonNode JsonLdExpansion::expand_scalar(const JsonLdContextPtr& active, const std::string& property,
                                        const JsonNode& value) {
  const JsonLdTerm* term = active->term(property);
  const std::string_view type = term == nullptr ? std::string_view() : std::string_view(term->type);
  if (value.is_string() && (type == "@id" || type == "@vocab"))
    return with_member("@id",
                       text_or_null(JsonLdContexts::expand_iri(*active, value.text, true, type == "@vocab")));
  JsonNode result = with_member("@value", value);
  if (!type.empty() && type != "@id" && type != "@vocab" && type != "@none") {
    result.set("@type", JsonNode::string(type));
  } else if (value.is_string()) {
    const std::string& language = term != nullptr && term->language ? *term->language : active->language;
    if (!language.empty()) result.set("@language", JsonNode::string(language));
  }
  return result;
}

// Of the contexts that a node brings along, those of its types come last.
JsonLdExpansion::Scope JsonLdExpansion::scope_of(JsonLdContextPtr active, const std::string& property,
                                                 const JsonNode& element) {
  if (const JsonNode* local = element.find("@context")) active = contexts_.process(active, *local);
  Scope scope{active, active, property};
  std::vector<std::pair<std::string, const JsonNode*>> type_keys;
  for (std::size_t i = 0; i < element.keys.size(); ++i)
    if (iri_of_key(*active, element.keys[i]) == "@type")
      type_keys.emplace_back(element.keys[i], &element.items[i]);
  std::sort(type_keys.begin(), type_keys.end());
  for (const auto& [key, value] : type_keys) {
    std::vector<std::string> types;
    for (const JsonNode* type : values_of(*value))
      if (type->is_string()) types.push_back(type->text);
    if (key == type_keys.front().first && !types.empty())
      scope.is_json = iri_of_key(*active, types.back()) == "@json";
    std::sort(types.begin(), types.end());
    for (const std::string& type : types)
      if (const JsonLdTerm* term = scope.type_scoped->term(type); term != nullptr && term->context)
        scope.active = contexts_.scoped(scope.active, *term, false, false);
  }
  return scope;
}

JsonNode JsonLdExpansion::expand_object(JsonLdContextPtr active, const std::string& property,
                                        const JsonNode& element, bool from_map) {
  const JsonLdContextPtr given = active;  // whose term may bring a context
  const JsonLdTerm* term = property.empty() ? nullptr : given->term(property);
  if (goes_back(*active, element, from_map)) active = active->previous;
  if (term != nullptr && term->context) active = contexts_.scoped(active, *term, true, true);
  const Scope scope = scope_of(std::move(active), property, element);
  JsonNode result = JsonNode::object();
  members(scope, element, result);
  return finished(std::move(result), property);
}

void JsonLdExpansion::members(const Scope& scope, const JsonNode& element, JsonNode& result) {
  std::vector<std::size_t> nests;
  for (std::size_t i = 0; i < element.keys.size(); ++i) {
    const std::string& key = element.keys[i];
    if (key == "@context") continue;
    const auto iri = iri_of_key(*scope.active, key);
    const bool is_keyword = iri && is_jsonld_keyword(*iri);
    if (!iri || (!is_keyword && iri->find(':') == std::string::npos)) {
      if (!element.items[i].is_null()) ++left_out_[key];
    } else if (iri == "@nest") {
      nests.push_back(i);
    } else if (is_keyword) {
      keyword(scope, key, *iri, element.items[i], result);
    } else {
      this->property(scope, key, *iri, element.items[i], result);
    }
  }
  for (const std::size_t nest : nests) nested(scope, element.keys[nest], element.items[nest], result);
}

void JsonLdExpansion::nested(const Scope& scope, const std::string& key, const JsonNode& value,
                             JsonNode& result) {
  Scope within = scope;
  if (const JsonLdTerm* term = scope.active->term(key); term != nullptr && term->context)
    within.active = contexts_.scoped(scope.active, *term, true, true);
  for (const JsonNode* each : values_of(value)) {
    const bool has_value = std::any_of(each->keys.begin(), each->keys.end(), [&](const std::string& name) {
      return iri_of_key(*within.active, name) == "@value";
    });
    if (!each->is_object() || has_value) throw JsonLdError("@nest holds what is no object of properties");
    members(within, *each, result);
  }
}

void JsonLdExpansion::keyword(const Scope& scope, const std::string& key, const std::string& keyword,
                              const JsonNode& value, JsonNode& result) {
  if (scope.property == "@reverse") throw JsonLdError("@reverse holds the keyword " + keyword);
  if (result.has(keyword) && keyword != "@included" && keyword != "@type")
    throw JsonLdError("'" + key.substr(0, 80) + "' says " + keyword + " for a second time");
  const bool is_text = value.is_string();
  if (keyword == "@id") {
    if (!is_text) throw JsonLdError("@id is no text");
    return result.set("@id",
                      text_or_null(JsonLdContexts::expand_iri(*scope.active, value.text, true, false)));
  }
  if (keyword == "@type") return types(scope, value, result);
  if (keyword == "@graph") return result.set("@graph", as_array(expand(scope.active, "@graph", value)));
  if (keyword == "@included") return included(scope, value, result);
  if (keyword == "@reverse") return reverse(scope, value, result);
  if (keyword == "@value") {
    if (!scope.is_json && (value.is_array() || value.is_object()))
      throw JsonLdError("@value is neither a text, number nor truth value");
    return result.set("@value", value);
  }
  if (keyword == "@language" || keyword == "@index" || keyword == "@direction") {
    if (!is_text) throw JsonLdError(keyword + " is no text");
    if (keyword == "@direction" && value.text != "ltr" && value.text != "rtl")
      throw JsonLdError("@direction is neither ltr nor rtl");
    return result.set(keyword, value);
  }
  if (keyword == "@list") {
    if (scope.property.empty() || scope.property == "@graph") return;
    return result.set("@list", as_array(expand(scope.active, scope.property, value)));
  }
  if (keyword == "@set") return result.set("@set", expand(scope.active, scope.property, value));
  throw JsonLdError(keyword + " stands where it may not");
}

void JsonLdExpansion::types(const Scope& scope, const JsonNode& value, JsonNode& result) {
  JsonNode all = JsonNode::array();
  for (const JsonNode* type : values_of(value)) {
    if (!type->is_string()) throw JsonLdError("@type is neither a text nor a list of texts");
    const auto iri = JsonLdContexts::expand_iri(*scope.type_scoped, type->text, true, true);
    if (iri) all.items.push_back(JsonNode::string(*iri));
  }
  if (JsonNode* known = result.find("@type")) {
    JsonNode before = as_array(std::move(*known));
    move_into(before, std::move(all));
    return result.set("@type", std::move(before));
  }
  // A single type stays bare: values have one, nodes a list.
  result.set("@type", value.is_array() || all.items.size() != 1 ? std::move(all) : JsonNode(all.items[0]));
}

void JsonLdExpansion::included(const Scope& scope, const JsonNode& value, JsonNode& result) {
  JsonNode all = as_array(expand(scope.active, "", value));
  if (all.items.empty() || std::any_of(all.items.begin(), all.items.end(), [](const JsonNode& item) {
        return !item.is_object() || is_value_or_list(item);
      }))
    throw JsonLdError("@included holds what is no node");
  if (JsonNode* known = result.find("@included")) return move_into(*known, std::move(all));
  result.set("@included", std::move(all));
}

void JsonLdExpansion::reverse(const Scope& scope, const JsonNode& value, JsonNode& result) {
  if (!value.is_object()) throw JsonLdError("@reverse is no object");
  JsonNode expanded = expand(scope.active, "@reverse", value);
  for (std::size_t i = 0; i < expanded.keys.size(); ++i) {
    const std::string& key = expanded.keys[i];
    if (key == "@reverse") {  // twice turned around
      for (std::size_t k = 0; k < expanded.items[i].keys.size(); ++k)
        for (JsonNode& item : expanded.items[i].items[k].items)
          result.append(expanded.items[i].keys[k], std::move(item));
      continue;
    }
    if (!result.has("@reverse")) result.set("@reverse", JsonNode::object());
    for (JsonNode& item : expanded.items[i].items) {
      if (is_value_or_list(item)) throw JsonLdError("@reverse leads to a value or list");
      result.find("@reverse")->append(key, std::move(item));
    }
  }
}

void JsonLdExpansion::property(const Scope& scope, const std::string& key, const std::string& iri,
                               const JsonNode& value, JsonNode& result) {
  static const JsonLdTerm kPlain;
  const JsonLdTerm* found = scope.active->term(key);
  const JsonLdTerm& term = found == nullptr ? kPlain : *found;
  JsonNode expanded;
  if (term.type == "@json") {
    expanded = with_member("@value", value);
    expanded.set("@type", JsonNode::string("@json"));
  } else if (term.has(kLanguageContainer) && value.is_object()) {
    expanded = language_map(scope, value);
  } else if ((term.containers & (kIndexContainer | kIdContainer | kTypeContainer)) != 0 &&
             value.is_object()) {
    expanded = index_map(scope, key, term, value);
  } else {
    expanded = expand(scope.active, key, value);
  }
  if (expanded.is_null()) return;
  if (term.has(kListContainer) && !expanded.has("@list"))
    expanded = with_member("@list", as_array(std::move(expanded)));
  JsonNode all = as_array(std::move(expanded));
  if (term.has(kGraphContainer) && !term.has(kIdContainer) && !term.has(kIndexContainer))
    for (JsonNode& each : all.items) each = with_member("@graph", as_array(std::move(each)));
  if (term.is_reverse && !result.has("@reverse")) result.set("@reverse", JsonNode::object());
  JsonNode& into = term.is_reverse ? *result.find("@reverse") : result;
  for (JsonNode& each : all.items) {
    if (term.is_reverse && is_value_or_list(each))
      throw JsonLdError("the reverse term '" + key.substr(0, 80) + "' leads to a value or list");
    into.append(iri, std::move(each));
  }
}

JsonNode JsonLdExpansion::language_map(const Scope& scope, const JsonNode& value) {
  JsonNode all = JsonNode::array();
  for (std::size_t i = 0; i < value.keys.size(); ++i)
    for (const JsonNode* text : values_of(value.items[i])) {
      if (text->is_null()) continue;
      if (!text->is_string()) throw JsonLdError("a map of languages holds what is no text");
      JsonNode item = with_member("@value", *text);
      const std::string& language = value.keys[i];
      if (language != "@none" && iri_of_key(*scope.active, language) != "@none")
        item.set("@language", JsonNode::string(language));
      all.items.push_back(std::move(item));
    }
  return all;
}

JsonNode JsonLdExpansion::index_map(const Scope& scope, const std::string& key, const JsonLdTerm& term,
                                    const JsonNode& value) {
  JsonNode all = JsonNode::array();
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string& index = value.keys[i];
    JsonLdContextPtr active = scope.active;
    if ((term.containers & (kIdContainer | kTypeContainer)) != 0 && active->previous)
      active = active->previous;
    if (const JsonLdTerm* type = active->term(index);
        term.has(kTypeContainer) && type != nullptr && type->context)
      active = contexts_.scoped(active, *type, false, false);
    JsonNode items = as_array(expand(active, key, as_array(value.items[i]), true));
    for (JsonNode& item : items.items) {
      if (term.has(kGraphContainer) && !item.has("@graph"))
        item = with_member("@graph", as_array(std::move(item)));
      index_item(scope, term, index, item);
      all.items.push_back(std::move(item));
    }
  }
  return all;
}

// Puts what a value stands under in its map into the value. A bare index says nothing of it.
void JsonLdExpansion::index_item(const Scope& scope, const JsonLdTerm& term, const std::string& index,
                                 JsonNode& item) {
  const JsonLdContext& active = *scope.active;
  const auto meaning = iri_of_key(active, index);
  if (!meaning || *meaning == "@none") return;
  if (term.has(kIndexContainer) && term.index != "@index") {
    if (item.has("@value"))
      throw JsonLdError("values under '" + index.substr(0, 80) + "' cannot have properties");
    const auto property_iri = iri_of_key(active, term.index);
    if (!property_iri || !has_scheme(*property_iri)) throw JsonLdError("the @index of a term is no IRI");
    put_first(item, *property_iri, expand_scalar(scope.active, term.index, JsonNode::string(index)));
  } else if (term.has(kIdContainer) && !item.has("@id")) {
    item.set("@id", text_or_null(JsonLdContexts::expand_iri(active, index, true, false)));
  } else if (term.has(kTypeContainer)) {
    put_first(item, "@type", JsonNode::string(*meaning));
  }
}

}  // namespace kgwalk::graph
