#include "graph/ingest/formats/json_parts.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// Under these the name that people use stands, the best first.
constexpr std::string_view kUsualKeys[] = {"common", "default", "en", "eng", "short", "value", "text"};

void gather_texts(const JsonNode& node, std::vector<std::string_view>& texts) {
  if (node.is_string() && !node.text.empty() &&
      std::find(texts.begin(), texts.end(), node.text) == texts.end())
    texts.push_back(node.text);
  for (const JsonNode& item : node.items) gather_texts(item, texts);
}

bool is_number_key(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Two or three letters, all of one case.
bool is_code_key(const std::string& key) {
  const auto all_in = [&](char from, char to) {
    return std::all_of(key.begin(), key.end(), [&](char c) { return c >= from && c <= to; });
  };
  return (key.size() == 2 || key.size() == 3) && (all_in('a', 'z') || all_in('A', 'Z'));
}

// "npc_dota_hero_axe": what programs know a thing by.
bool is_code(std::string_view text) {
  return text.find('_') != std::string_view::npos && std::all_of(text.begin(), text.end(), [](char c) {
           return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

// The key of a name that is none by itself: "localized_name", "displayName".
bool ends_with_name(const std::string& key) {
  const std::string folded = fold_name(key);
  return folded.size() > 4 && folded.ends_with("name");
}

// Where the name is a code and another key tells what people say, that one.
void prefer_readable_name(const JsonNode& object, NamingKeys& keys) {
  if (keys.texts.size() != 1 || !is_code(keys.texts.front())) return;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const JsonNode& value = object.items[i];
    if (!value.is_string() || value.text.empty() || is_code(value.text) || !ends_with_name(object.keys[i]))
      continue;
    keys.name = i;
    keys.texts = {value.text, keys.texts.front()};
    return;
  }
}

}  // namespace

KeyUse use_of(const std::string& key) {
  static const std::map<std::string_view, KeyUse> kUses = {
      {"id", KeyUse::kId},       {"@id", KeyUse::kAtId},  {"name", KeyUse::kName},  {"label", KeyUse::kLabel},
      {"title", KeyUse::kTitle}, {"type", KeyUse::kType}, {"types", KeyUse::kType}, {"@type", KeyUse::kType}};
  if (invalid_utf8_at(key)) return KeyUse::kProperty;
  const auto known = kUses.find(fold_name(key));
  return known == kUses.end() ? KeyUse::kProperty : known->second;
}

std::vector<std::string_view> texts_of_name(const JsonNode& name) {
  std::vector<std::string_view> texts;
  for (const std::string_view usual : kUsualKeys)
    if (const JsonNode* text = name.find(usual); text != nullptr && text->is_string())
      gather_texts(*text, texts);
  for (const JsonNode& item : name.items)  // those of the object itself before those further in
    if (item.is_string()) gather_texts(item, texts);
  gather_texts(name, texts);
  return texts;
}

bool is_map_of_codes(const JsonNode& object) {
  if (!object.is_object() || object.keys.empty()) return false;
  if (std::all_of(object.keys.begin(), object.keys.end(), is_number_key)) return true;
  // {"lat": 12.5, "lng": 70} has short keys, too; numbers are filed under years alone.
  const bool has_numbers = std::any_of(object.items.begin(), object.items.end(),
                                       [](const JsonNode& item) { return item.is_number(); });
  return !has_numbers && std::all_of(object.keys.begin(), object.keys.end(), is_code_key);
}

NamingKeys naming_keys(const JsonNode& object, KeyUses& uses) {
  NamingKeys keys;
  KeyUse id = KeyUse::kProperty, name = KeyUse::kProperty;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    const JsonNode& value = object.items[i];
    const KeyUse use = uses[object.keys[i]];
    const bool names = use >= KeyUse::kName && use <= KeyUse::kTitle;
    if (value.is_object() && names && use < name) {
      const NamingKeys within = naming_keys(value, uses);
      const bool is_thing = within.id != kNoKey || within.name != kNoKey;  // that is called so, and no name
      if (auto texts = is_thing ? std::vector<std::string_view>() : texts_of_name(value); !texts.empty())
        name = use, keys.name = i, keys.texts = std::move(texts);
      continue;
    }
    if (!(value.is_string() && !value.text.empty()) && !value.is_number()) continue;
    if (use <= KeyUse::kAtId && use < id) id = use, keys.id = i;
    if (names && use < name) name = use, keys.name = i, keys.texts = {value.text};
  }
  prefer_readable_name(object, keys);
  return keys;
}

bool has_name(const JsonNode& object) {
  KeyUses uses;
  return naming_keys(object, uses).name != kNoKey;
}

IdAndName id_and_name(const JsonNode& object) {
  KeyUses uses;
  const NamingKeys keys = naming_keys(object, uses);
  return {keys.id == kNoKey ? std::string() : object.items[keys.id].text,
          keys.texts.empty() ? std::string() : std::string(keys.texts.front())};
}

}  // namespace kgwalk::graph
