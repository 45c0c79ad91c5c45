// Options that name a language model which puts answers into words (--phrase-by), or hears questions
// (--hear-by).
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "kgwalk/conversation.h"

namespace kgwalk::cli {

struct PhraseOptions {
  PhrasingOptions phrase, hear;
  std::string phrase_key, hear_key;  // files

  void add_options(CLI::App& app);
  // With the keys of the files, or of KGWALK_PHRASE_KEY and KGWALK_HEAR_KEY. ConfigError when a file is
  // empty.
  void read_into(ConversationOptions& options) const;
};

// The text of a file, or of an environment variable where no file is named, without white space at its end.
[[nodiscard]] std::string secret_of(const std::string& file, const char* variable);

}  // namespace kgwalk::cli
