#include "graph/ingest/formats/json_lists.h"

#include <algorithm>
#include <optional>

#include "graph/ingest/formats/json_parts.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {
namespace {

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
    if (!takes('{')) return std::nullopt;
    do {
      JsonNode key, value;
      if (!read_value(key) || !key.is_string() || !takes(':')) return std::nullopt;
      const std::size_t begin = at_;
      if (is_list_of_objects()) {
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
    : wrapped_(wrapped_lists(bytes)) {
  for (const JsonList& list : wrapped_.lists)
    parts_.emplace_back(bytes.substr(0, list.end), log, sink, list.begin);
  if (parts_.empty()) parts_.emplace_back(bytes, log, sink);
}

bool ListedElements::next(JsonElement& element) {
  for (; at_ < parts_.size(); ++at_)
    if (parts_[at_].next(element)) return true;
  at_ = parts_.size() - 1;
  return false;
}

}  // namespace kgwalk::graph
