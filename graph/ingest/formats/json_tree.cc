#include "graph/ingest/formats/json_tree.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>
#include <utility>

#include "kgwalk/json.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kFewKeys = 16;  // compared one by one

bool has_twice(const std::vector<std::string>& keys, std::string& which) {
  if (keys.size() <= kFewKeys) {
    for (std::size_t i = 1; i < keys.size(); ++i)
      if (std::find(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(i), keys[i]) !=
          keys.begin() + static_cast<std::ptrdiff_t>(i))
        return which = keys[i], true;
    return false;
  }
  std::unordered_set<std::string_view> met;
  for (const std::string& key : keys)
    if (!met.insert(key).second) return which = key, true;
  return false;
}

// What the parser says without its own marks: "[json.exception.parse_error.101] parse error at line 1, column
// 9: syntax error while parsing value - invalid literal; last read: 'x'".
std::string plain_words(std::string_view what) {
  const std::size_t begin = what.find("syntax error while parsing ");
  for (const std::string_view mark : {std::string_view(" - "), std::string_view("] ")})
    if (const std::size_t at = what.find(mark, begin == std::string_view::npos ? 0 : begin);
        at != std::string_view::npos) {
      what.remove_prefix(at + mark.size());
      break;
    }
  std::string words = "no JSON: " + std::string(what.substr(0, 200));
  for (char& c : words)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  while (!words.empty() && invalid_utf8_at(words)) words.pop_back();
  return words;
}

// Takes what nlohmann's parser meets.
class TreeMaker {
 public:
  TreeMaker(JsonNode& root, JsonProblem& problem) : root_(root), problem_(problem) {}

  bool null() { return put(JsonNode()); }
  bool boolean(bool value) {
    JsonNode node;
    node.kind = value ? JsonNode::Kind::kTrue : JsonNode::Kind::kFalse;
    return put(std::move(node));
  }
  bool number_integer(std::int64_t value) { return integer(value); }
  bool number_unsigned(std::uint64_t value) { return integer(value); }
  bool number_float(double value, const std::string& written) {
    JsonNode node;
    node.kind =
        written.find_first_of(".eE") == std::string::npos ? JsonNode::Kind::kInteger : JsonNode::Kind::kFloat;
    node.number = value;
    node.text = written;
    return put(std::move(node));
  }
  bool string(std::string& value) {
    JsonNode node;
    node.kind = JsonNode::Kind::kString;
    node.text = std::move(value);
    return put(std::move(node));
  }
  static bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonNode::object()); }
  bool start_array(std::size_t) { return open(JsonNode::array()); }
  bool key(std::string& value) {
    open_.back()->keys.push_back(std::move(value));
    return true;
  }
  bool end_object() {
    if (std::string key; has_twice(open_.back()->keys, key))
      return problem_.why = "the key '" + key.substr(0, 60) + "' stands twice in one object", false;
    open_.pop_back();
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  template <class Error>
  bool parse_error(std::size_t position, const std::string&, const Error& error) {
    problem_ = {position == 0 ? 0 : position - 1, plain_words(error.what())};
    return false;
  }

 private:
  template <class Integer>
  bool integer(Integer value) {
    JsonNode node;
    node.kind = JsonNode::Kind::kInteger;
    node.number = static_cast<double>(value);
    node.text = std::to_string(value);
    return put(std::move(node));
  }
  bool put(JsonNode&& node) {
    (open_.empty() ? root_ : open_.back()->items.emplace_back()) = std::move(node);
    return true;
  }
  bool open(JsonNode&& node) {
    if (open_.size() == kMaxJsonDepth)
      return problem_.why = "nested more than " + std::to_string(kMaxJsonDepth) + " deep", false;
    put(std::move(node));
    open_.push_back(open_.empty() ? &root_ : &open_.back()->items.back());
    return true;
  }

  JsonNode& root_;
  JsonProblem& problem_;
  std::vector<JsonNode*> open_;  // each is the last item of the one before
};

}  // namespace

JsonNode JsonNode::string(std::string_view text) {
  JsonNode node = of_kind(Kind::kString);
  node.text = text;
  return node;
}

const JsonNode* JsonNode::find(std::string_view key) const noexcept {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

JsonNode* JsonNode::find(std::string_view key) noexcept {
  return const_cast<JsonNode*>(std::as_const(*this).find(key));
}

void JsonNode::set(std::string_view key, JsonNode value) {
  if (JsonNode* known = find(key)) {
    *known = std::move(value);
    return;
  }
  keys.emplace_back(key);
  items.push_back(std::move(value));
}

void JsonNode::append(std::string_view key, JsonNode value) {
  JsonNode* values = find(key);
  if (values == nullptr) {
    keys.emplace_back(key);
    values = &items.emplace_back(array());
  }
  values->items.push_back(std::move(value));
}

std::vector<const JsonNode*> values_of(const JsonNode& node) {
  if (!node.is_array()) return {&node};
  std::vector<const JsonNode*> values;
  values.reserve(node.items.size());
  for (const JsonNode& item : node.items) values.push_back(&item);
  return values;
}

bool parse_json(std::string_view text, JsonNode& into, JsonProblem& problem) {
  into = JsonNode();
  problem = {};
  TreeMaker maker(into, problem);
  if (Json::sax_parse(text.data(), text.data() + text.size(), &maker)) return true;
  if (problem.why.empty()) problem.why = "is no JSON";
  return false;
}

}  // namespace kgwalk::graph
