#include "dialogue/linking/everyday_words.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace kgwalk::dialogue {

extern const std::string_view kEverydayWords;  // the file's text

namespace {

struct Words {
  std::unordered_map<std::string_view, Everyday> kinds;
  std::vector<std::string_view> common;

  Words() {
    Everyday kind = Everyday::kNo;
    for (std::string_view rest = kEverydayWords; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.starts_with('#')) continue;
      if (line.starts_with('['))
        kind = line == "[function]" ? Everyday::kFunction : Everyday::kCommon;
      else
        add(line, kind);
    }
  }

 private:
  void add(std::string_view line, Everyday kind) {
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      const std::string_view word = line.substr(at, end - at);
      at = end + 1;
      if (!word.empty() && kinds.try_emplace(word, kind).second && kind == Everyday::kCommon)
        common.push_back(word);
    }
  }
};

const Words& all_words() {
  static const Words words;
  return words;
}

}  // namespace

Everyday everyday(std::string_view word) {
  const auto& kinds = all_words().kinds;
  const auto found = kinds.find(word);
  return found == kinds.end() ? Everyday::kNo : found->second;
}

std::span<const std::string_view> common_words() { return all_words().common; }

}  // namespace kgwalk::dialogue
