// Whole words as the units of a language model, by falling frequency. Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kgwalk::seq2seq {

inline constexpr const char* kUnknownWord = "<unk>";
inline constexpr const char* kLineEnd = "<eos>";

class WordVocabulary {
 public:
  // All words of the lines that come `min_count` times at least, commonest first (equal ones by first
  // appearance), with the end of a line counted as a word, and the unknown word, last if the text does
  // not hold it.
  [[nodiscard]] static WordVocabulary count(std::span<const std::string> lines, int min_count);
  // As bytes() gives it: a word a line. FormatError naming `source` when a word comes twice or a special
  // one is missing.
  [[nodiscard]] static WordVocabulary parse(std::string_view bytes, const std::string& source);

  [[nodiscard]] std::string bytes() const;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
  [[nodiscard]] const std::string& word(std::int64_t id) const {
    return words_.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] std::int64_t id_of(std::string_view word) const;  // the unknown word's when it is not known
  [[nodiscard]] std::int64_t unknown() const noexcept { return unknown_; }
  [[nodiscard]] std::int64_t line_end() const noexcept { return line_end_; }
  // The words of all lines in order, each line followed by its end.
  [[nodiscard]] std::vector<std::int64_t> stream(std::span<const std::string> lines) const;

 private:
  void index(const std::string& source);
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int64_t> ids_;  // looked up only, never walked through
  std::int64_t unknown_ = 0, line_end_ = 0;
};

}  // namespace kgwalk::seq2seq
