#include "listening/words/attributes.h"

#include <algorithm>
#include <string_view>

namespace kgwalk::listening {

extern const std::string_view kAttributes;  // the file's text

namespace {

Attributes read_attributes(std::string_view text) {
  Attributes out;
  std::vector<std::string>* section = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('['))
      section = line == "[noun]" ? &out.nouns : line == "[count]" ? &out.counted : &out.verbs;
    else if (section != nullptr)
      section->emplace_back(line);
  }
  return out;
}

}  // namespace

const Attributes& rare_attributes() {
  static const Attributes all = read_attributes(kAttributes);
  return all;
}

}  // namespace kgwalk::listening
