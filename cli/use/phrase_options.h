// Options that name a language model which puts answers into words: --phrase-by and what belongs to it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "kgwalk/phrasing.h"

namespace kgwalk::cli {

struct PhraseOptions {
  PhrasingOptions phrase;
  std::string key_file;

  void add_options(CLI::App& app);
  // With the key of the file, or of KGWALK_PHRASE_KEY. ConfigError when the file is empty.
  [[nodiscard]] PhrasingOptions read() const;
};

// The text of a file, or of an environment variable where no file is named, without white space at its end.
[[nodiscard]] std::string secret_of(const std::string& file, const char* variable);

}  // namespace kgwalk::cli
