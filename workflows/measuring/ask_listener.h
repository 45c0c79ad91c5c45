// What a listener hears in a text, as forms with their answers. Programs ask by kgwalk/querier.h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/settings.h"

namespace kgwalk {

struct AskListenerOptions {
  std::filesystem::path database = {}, run = {};
  std::filesystem::path text = {};    // empty: the encoder trained with
  std::vector<std::string> say = {};  // texts
  int forms = 3;                      // told of each
};

// Json: a list of {"question", "heard": [{"probability", "answer", "form"}]}.
[[nodiscard]] Report ask_listener(const AskListenerOptions& options);

}  // namespace kgwalk
