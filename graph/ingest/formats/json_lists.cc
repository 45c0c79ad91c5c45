#include "graph/ingest/formats/json_lists.h"

#include <algorithm>
#include <map>
#include <optional>

#include "graph/ingest/formats/json_parts.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kFewestInMap = 3, kMapLookedAt = 200;

// Objects by what they are called, of which some were looked at.
class MapTally {
 public:
  void add(const JsonNode& object) {
    for (const std::string& key : object.keys) ++times_[key];
    objects_.push_back(object.keys);
  }
  // Nine in ten share a key that half of them have.
  [[nodiscard]] bool are_alike() const {
    const auto is_common = [&](const std::string& key) { return 2 * times_.at(key) >= objects_.size(); };
    const auto alike = std::count_if(objects_.begin(), objects_.end(), [&](const auto& keys) {
      return std::any_of(keys.begin(), keys.end(), is_common);
    });
    return 10 * static_cast<std::size_t>(alike) >= 9 * objects_.size();
  }

 private:
  std::map<std::string, std::size_t> times_;
  std::vector<std::vector<std::string>> objects_;
};

// Whether an object says nothing that a thing is known by: {"page": 2, "total": 30}.
bool is_nameless(const JsonNode& object) {
  return std::none_of(object.keys.begin(), object.keys.end(),
                      [](const std::string& key) { return says_which(use_of(key)); });
}

class WrapperReading {
 public:
  explicit WrapperReading(std::string_view bytes)
      : bytes_(bytes), log_("", false, 0, silent_reporter()), elements_(bytes, log_, sink_) {}

  // A list whose end is not found is broken or cut off: what can be read of it is, and nothing behind it.
  std::optional<WrappedLists> read() {
    WrappedLists out;
    at_ = elements_.behind_space(0);
    if (const std::size_t begin = at_; skip_map() && elements_.behind_space(at_) == bytes_.size()) {
      out.lists.push_back({"", begin, at_, true});
      return out;
    }
    at_ = 0;
    if (!takes('{')) return std::nullopt;
    do {
      JsonNode key, value;
      if (!read_value(key) || !key.is_string() || !takes(':')) return std::nullopt;
      const std::size_t begin = at_;
      if (skip_map()) {
        out.lists.push_back({key.text, begin, at_, true});
      } else if (is_list_of_objects()) {
        const bool ends = skip();
        out.lists.push_back({key.text, begin, ends ? at_ : bytes_.size()});
        if (!ends) return out;
      } else if (!is_array() && read_value(value) && !says_which(use_of(key.text)) &&
                 (!value.is_object() || is_nameless(value))) {
        out.others.push_back(key.text);
      } else {
        return std::nullopt;
      }
    } while (takes(','));
    const bool whole = takes('}') && elements_.behind_space(at_) == bytes_.size();
    return whole && !out.lists.empty() ? std::optional(std::move(out)) : std::nullopt;
  }

 private:
  bool takes(char c) {
    at_ = elements_.behind_space(at_);
    if (at_ >= bytes_.size() || bytes_[at_] != c) return false;
    at_ = elements_.behind_space(at_ + 1);
    return true;
  }
  // Goes behind the value at hand.
  bool skip() {
    JsonProblem problem;
    const std::size_t end = elements_.end_of(at_, bytes_.size(), problem);
    if (end == std::string_view::npos) return false;
    at_ = end;
    return true;
  }
  bool read_value(JsonNode& into) {
    const std::size_t begin = at_;
    JsonProblem problem;
    return skip() && at_ - begin <= kMaxJsonElement &&
           parse_json(bytes_.substr(begin, at_ - begin), into, problem);
  }
  // Goes behind a map of things; stays where there is none.
  bool skip_map() {
    const std::size_t begin = at_;
    const bool is_map = find_map();
    if (!is_map) at_ = begin;
    return is_map;
  }
  bool find_map() {
    MapTally tally;
    std::size_t members = 0, naming = 0;  // "ID" may be Indonesia, "name" is none of many
    if (!takes('{')) return false;
    do {
      JsonNode key, value;
      if (!read_value(key) || !key.is_string() || !takes(':')) return false;
      naming += says_which(use_of(key.text)) ? 1 : 0;
      if (at_ >= bytes_.size() || bytes_[at_] != '{') return false;
      const std::size_t begin = at_;
      JsonProblem problem;  // of one that cannot be read its reader tells
      if (!skip()) return false;
      if (members++ < kMapLookedAt && parse_json(bytes_.substr(begin, at_ - begin), value, problem))
        tally.add(value);
    } while (takes(','));
    return takes('}') && members >= kFewestInMap && 10 * naming <= members && tally.are_alike();
  }
  [[nodiscard]] bool is_array() const { return at_ < bytes_.size() && bytes_[at_] == '['; }
  [[nodiscard]] bool is_list_of_objects() const {
    const std::size_t first = is_array() ? elements_.behind_space(at_ + 1) : bytes_.size();
    return first < bytes_.size() && bytes_[first] == '{';
  }

  std::string_view bytes_;
  ProblemLog log_;
  NoSink sink_;
  JsonElements elements_;
  std::size_t at_ = 0;
};

}  // namespace

WrappedLists wrapped_lists(std::string_view bytes) {
  return WrapperReading(bytes).read().value_or(WrappedLists());
}

ListedElements::ListedElements(std::string_view bytes, ProblemLog& log, StatementSink& sink)
    : bytes_(bytes), sink_(sink), wrapped_(wrapped_lists(bytes)) {
  for (const JsonList& list : wrapped_.lists)
    parts_.emplace_back(bytes.substr(0, list.end), log, sink, list.begin);
  if (parts_.empty()) parts_.emplace_back(bytes, log, sink);
}

bool ListedElements::next(JsonElement& element) {
  for (; at_ < parts_.size(); ++at_, behind_ = 0)
    if (is_map() ? next_filed(element) : parts_[at_].next(element)) return true;
  at_ = parts_.size() - 1;
  return false;
}

// Where members begin and end was looked at already.
bool ListedElements::next_filed(JsonElement& element) {
  const JsonElements& part = parts_[at_];
  const std::size_t end = wrapped_.lists[at_].end;
  JsonProblem problem;
  JsonNode key;
  if (behind_ == 0) behind_ = part.behind_space(wrapped_.lists[at_].begin + 1);
  if (behind_ >= end || bytes_[behind_] == '}') return false;
  const std::size_t behind_key = part.end_of(behind_, end, problem);
  if (!parse_json(bytes_.substr(behind_, behind_key - behind_), key, problem)) return false;
  filed_ = key.text;
  const std::size_t begin = part.behind_space(part.behind_space(behind_key) + 1);
  element = {begin, part.end_of(begin, end, problem), parts_[at_].line_at(begin)};
  sink_.at(begin);
  behind_ = part.behind_space(element.end);
  if (behind_ < end && bytes_[behind_] == ',') behind_ = part.behind_space(behind_ + 1);
  return true;
}

bool ListedElements::read(const JsonElement& element, JsonNode& into) {
  if (!parts_[at_].read(element, into)) return false;
  if (!is_map()) return true;
  const auto has = [&](KeyUse first, KeyUse last) {
    return std::any_of(into.keys.begin(), into.keys.end(),
                       [&](const std::string& key) { return use_of(key) >= first && use_of(key) <= last; });
  };
  if (!has(KeyUse::kName, KeyUse::kTitle))
    into.set("name", JsonNode::string(filed_));
  else if (!has(KeyUse::kId, KeyUse::kAtId))
    into.set("id", JsonNode::string(filed_));
  return true;
}

}  // namespace kgwalk::graph
