#include "seq2seq/tasks/summary/dialogue.h"

#include <algorithm>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/input_bytes.h"
#include "runtime/json_text.h"
#include "seq2seq/metrics/words.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::size_t kLongestName = 40;  // bytes

std::string_view trimmed(std::string_view text) {
  const char* const space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

int place_of(std::string_view name, std::vector<std::string>& speakers) {
  const auto it = std::find(speakers.begin(), speakers.end(), name);
  if (it != speakers.end()) return static_cast<int>(it - speakers.begin()) + 1;
  speakers.emplace_back(name);
  return static_cast<int>(speakers.size());
}

bool same_name(std::string_view text, std::string_view name) {
  if (text == name) return true;
  const bool small = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
  return small && text.size() == name.size() && text[0] == name[0] - 'a' + 'A' &&
         text.substr(1) == name.substr(1);
}

bool begins_with_word_char(std::string_view text) {
  return !text.empty() && is_word_char(decode_utf8(text).code);
}

// The speaker whose name stands at the beginning of `text`, 0 = none, and the name's length.
std::pair<int, std::size_t> mention_at(std::string_view text, const std::vector<std::string>& speakers) {
  std::pair<int, std::size_t> best{0, 0};
  for (std::size_t s = 0; s < speakers.size(); ++s) {
    const std::size_t length = speakers[s].size();
    if (length > best.second && length <= text.size() && same_name(text.substr(0, length), speakers[s]) &&
        !begins_with_word_char(text.substr(length)))
      best = {static_cast<int>(s) + 1, length};
  }
  return best;
}

// The line on which each object of an array of objects begins; the json is known to be sound.
std::vector<std::size_t> lines_of_objects(std::string_view json) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (depth++ == 1) lines.push_back(line);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return lines;
}

std::string string_of(const Json& object, const char* key, std::string_view source, std::size_t line) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string())
    throw DataError(source, line, std::string("the object has no string \"") + key + "\"");
  return object[key].get<std::string>();
}

}  // namespace

Dialogue parse_dialogue(std::string_view text) {
  Dialogue dialogue;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (line.empty()) continue;
    const std::size_t colon = line.find(':');
    const std::string_view name = colon == std::string_view::npos ? "" : trimmed(line.substr(0, colon));
    if (!name.empty() && name.size() <= kLongestName) {
      const std::string_view said = trimmed(line.substr(colon + 1));
      if (!said.empty()) dialogue.turns.push_back({place_of(name, dialogue.speakers), std::string(said)});
    } else if (dialogue.turns.empty()) {
      dialogue.turns.push_back({0, std::string(line)});
    } else {
      dialogue.turns.back().text.append(" ").append(line);
    }
  }
  return dialogue;
}

std::vector<TextPart> parts_of(std::string_view text, const std::vector<std::string>& speakers) {
  std::vector<TextPart> parts;
  std::string between;
  bool inside_word = false;
  while (!text.empty()) {
    const auto [speaker, length] = inside_word ? std::pair<int, std::size_t>{} : mention_at(text, speakers);
    if (speaker > 0) {
      if (!between.empty()) parts.push_back({0, std::move(between)});
      between.clear();
      parts.push_back({speaker, {}});
      text.remove_prefix(length);
      inside_word = true;
      continue;
    }
    const Utf8Char first = decode_utf8(text);
    inside_word = is_word_char(first.code);
    between += text.substr(0, first.length);
    text.remove_prefix(first.length);
  }
  if (!between.empty()) parts.push_back({0, std::move(between)});
  return parts;
}

std::vector<SummaryExample> read_summary_examples(const std::filesystem::path& file) {
  const std::string bytes = read_input(file);
  const Json json = parse_json(bytes, file.string());
  if (!json.is_array()) throw DataError(file.string(), 1, "is no json array of dialogues with summaries");
  const std::vector<std::size_t> lines = lines_of_objects(bytes);
  std::vector<SummaryExample> examples;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::size_t line = i < lines.size() ? lines[i] : 0;
    SummaryExample& example = examples.emplace_back();
    example.dialogue = string_of(json[i], "dialogue", file.string(), line);
    example.summary = string_of(json[i], "summary", file.string(), line);
    if (json[i].contains("id") && json[i]["id"].is_string()) example.id = json[i]["id"].get<std::string>();
  }
  return examples;
}

std::string dialogue_of_line(std::string_view json, std::string_view source, std::size_t line) {
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded())
    throw DataError(source, line, "is no json; give an object with \"dialogue\" on each line");
  return string_of(object, "dialogue", source, line);
}

std::string lead_summary(const Dialogue& dialogue, LeadRule rule, int turns) {
  std::vector<std::size_t> order(dialogue.turns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto words = [&](std::size_t i) { return split_words(dialogue.turns[i].text).size(); };
  if (rule == LeadRule::kLongest)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return words(a) > words(b); });
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(turns, 0))));
  std::sort(order.begin(), order.end());
  std::string summary;
  for (const std::size_t i : order) {
    const Turn& turn = dialogue.turns[i];
    if (!summary.empty()) summary += ' ';
    if (turn.speaker > 0) summary += dialogue.speakers[static_cast<std::size_t>(turn.speaker) - 1] + ": ";
    summary += turn.text;
  }
  return summary;
}

}  // namespace kgwalk::seq2seq
