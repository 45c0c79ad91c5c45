// How the metrics cut text into words. Torch-free.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

// At white space as Python's str.split() knows it; no word is empty.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);
// Unicode characters, white space left out.
[[nodiscard]] std::vector<std::string> split_characters(std::string_view text);

enum class BleuTokenizer { k13a, kNone, kChar };
// "13a", "none" or "char"; ConfigError otherwise.
[[nodiscard]] BleuTokenizer parse_bleu_tokenizer(std::string_view name);
// Words as sacreBLEU's tokenizers of these names give them; 13a is that of mteval-v13a.
[[nodiscard]] std::vector<std::string> bleu_words(std::string_view text, BleuTokenizer tokenizer, bool lower);

// As rouge_score: lower case, runs of anything but a-z and 0-9 are spaces; with `stem`, words longer than
// three characters are stemmed (metrics/porter.h).
[[nodiscard]] std::vector<std::string> rouge_words(std::string_view text, bool stem);
// A line feed instead of the white space after each ".", "!" or "?" (closing quotes and brackets may stand
// between), as summary-level ROUGE-L wants sentences. A rule: "Mr. Smith" is cut too, on both sides alike.
[[nodiscard]] std::string sentences_as_lines(std::string_view text);

}  // namespace kgwalk::seq2seq
