// tokenizer_config.json beside a vocabulary: the few keys that change an encoding. Other keys (the files of
// Hugging Face hold many) are passed over.
#pragma once

#include <filesystem>

namespace kgwalk::seq2seq {

struct TokenizerConfig {
  bool do_lower_case = true;
  bool keep_accents = false;  // ALBERT
  bool strip_accents = true;  // BERT; follows do_lower_case when not given
  bool tokenize_chinese_chars = true;
};

// Defaults when there is no such file; FormatError when it is no json object or a key has another type.
[[nodiscard]] TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

}  // namespace kgwalk::seq2seq
