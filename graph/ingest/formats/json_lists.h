// The objects that a text of JSON is about: its own values, or those of the lists that it wraps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graph/ingest/formats/json_elements.h"

namespace kgwalk::graph {

struct JsonList {
  std::string key;
  std::size_t begin = 0, end = 0;  // of the list in the text
};

struct WrappedLists {
  std::vector<JsonList> lists;
  std::vector<std::string> others;  // keys of what stands beside them
};

// The lists of a text that is one object which holds lists of objects, and beside them at most texts, numbers
// and objects that name nothing: {"meta": {"page": 2}, "results": [{...}, {...}]}. None of any other text.
[[nodiscard]] WrappedLists wrapped_lists(std::string_view bytes);

// As JsonElements, through one list after the other where there are lists.
class ListedElements {
 public:
  ListedElements(std::string_view bytes, ProblemLog& log, StatementSink& sink);
  [[nodiscard]] bool next(JsonElement& element);
  [[nodiscard]] bool read(const JsonElement& element, JsonNode& into) {
    return parts_[at_].read(element, into);
  }
  // Of the list that the element given last stands in; empty where none is wrapped.
  [[nodiscard]] std::string_view key() const noexcept {
    return at_ < wrapped_.lists.size() ? std::string_view(wrapped_.lists[at_].key) : std::string_view();
  }
  [[nodiscard]] const std::vector<std::string>& left_out() const noexcept { return wrapped_.others; }

 private:
  WrappedLists wrapped_;
  std::vector<JsonElements> parts_;
  std::size_t at_ = 0;
};

}  // namespace kgwalk::graph
