// The objects that a text of JSON is about: its own values, or those of the lists and maps that it wraps.
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
  bool is_map = false;  // objects by what they are called or known by: {"Heat": {...}, "Salt": {...}}
};

struct WrappedLists {
  std::vector<JsonList> lists;
  std::vector<std::string> others;  // keys of what stands beside them
};

// The lists of a text that is one object which holds lists of objects or maps of them, and beside them at
// most texts, numbers and objects that name nothing: {"meta": {"page": 2}, "results": [{...}, {...}]}; or the
// text itself, where it is such a map. A map has three objects and more, nearly all with a key that half of
// them have. None of any other text.
[[nodiscard]] WrappedLists wrapped_lists(std::string_view bytes);

// As JsonElements, through one list after the other where there are lists. What an object of a map is filed
// under is its name where it has none, else its id where it has none of those either.
class ListedElements {
 public:
  ListedElements(std::string_view bytes, ProblemLog& log, StatementSink& sink);
  [[nodiscard]] bool next(JsonElement& element);
  [[nodiscard]] bool read(const JsonElement& element, JsonNode& into);
  // Of the list that the element given last stands in; empty where none is wrapped.
  [[nodiscard]] std::string_view key() const noexcept {
    return at_ < wrapped_.lists.size() ? std::string_view(wrapped_.lists[at_].key) : std::string_view();
  }
  [[nodiscard]] const std::vector<std::string>& left_out() const noexcept { return wrapped_.others; }

 private:
  [[nodiscard]] bool is_map() const noexcept {
    return at_ < wrapped_.lists.size() && wrapped_.lists[at_].is_map;
  }
  [[nodiscard]] bool next_filed(JsonElement& element);

  std::string_view bytes_;
  StatementSink& sink_;
  WrappedLists wrapped_;
  std::vector<JsonElements> parts_;
  std::size_t at_ = 0;
  std::size_t behind_ = 0;  // of a map: where its next member begins; 0: it was not begun
  std::string filed_;       // what the element given last is filed under
};

}  // namespace kgwalk::graph
