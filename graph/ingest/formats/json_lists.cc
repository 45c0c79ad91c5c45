#include "graph/ingest/formats/json_lists.h"

#include <optional>

#include "kgwalk/progress.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// Takes nothing: only where values stand is asked for.
class Nowhere final : public StatementSink {
 public:
  bool add(const Statement&, std::size_t) override { return true; }
  bool mention(const Term&, std::size_t) override { return true; }
  void name(const Term&, std::string_view, std::size_t) override {}
  void prefix(std::string_view, std::string_view) override {}
  void at(std::size_t) override {}
};

// Of a thing, which is no wrapper.
bool names_a_thing(const std::string& key) {
  constexpr std::string_view kNames[] = {"id",    "@id",      "name",   "label",
                                         "title", "@context", "@graph", "entities"};
  const std::string folded = invalid_utf8_at(key) ? key : fold_name(key);
  for (const std::string_view name : kNames)
    if (folded == name) return true;
  return false;
}

class WrapperReading {
 public:
  explicit WrapperReading(std::string_view bytes)
      : bytes_(bytes), log_("", false, 0, silent_reporter()), elements_(bytes, log_, sink_) {}

  std::optional<WrappedLists> read() {
    WrappedLists out;
    if (!takes('{')) return std::nullopt;
    do {
      std::size_t begin = at_;
      if (!skip() || bytes_[begin] != '"') return std::nullopt;
      JsonNode key;
      JsonProblem problem;
      if (!parse_json(bytes_.substr(begin, at_ - begin), key, problem) || !takes(':')) return std::nullopt;
      begin = at_ = elements_.behind_space(at_);
      const bool list = begin < bytes_.size() && bytes_[begin] == '[' && first_in(begin) == '{';
      const bool scalar = begin < bytes_.size() && bytes_[begin] != '{' && bytes_[begin] != '[';
      if (!skip() || (!list && (!scalar || names_a_thing(key.text)))) return std::nullopt;
      if (list)
        out.lists.push_back({key.text, begin, at_});
      else
        out.others.push_back(key.text);
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
  [[nodiscard]] char first_in(std::size_t list) const {
    const std::size_t first = elements_.behind_space(list + 1);
    return first < bytes_.size() ? bytes_[first] : '\0';
  }

  std::string_view bytes_;
  ProblemLog log_;
  Nowhere sink_;
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
