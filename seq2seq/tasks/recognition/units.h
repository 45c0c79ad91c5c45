// What a recognizer writes: characters, words or SentencePiece pieces. Torch-free.
//
// Ids 0 to 3 are the blank of CTC (and padding), the unknown unit, the start and the end of a sentence, for
// all kinds. A space is the character "\u2581" (as in SentencePiece).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

inline constexpr int kUnknownUnit = 1;
inline constexpr int kStartUnit = 2;
inline constexpr int kEndUnit = 3;
inline constexpr const char* kSpaceUnit = "\u2581";
// What a recognizer writes.
enum class UnitKind { kCharacters, kWords, kPieces };
constexpr auto choice_names(UnitKind) { return choices_in_order<UnitKind>("characters", "words", "pieces"); }

struct UnitOptions {
  Choice<UnitKind> kind = UnitKind::kCharacters;
  int size = 200;     // pieces
  int min_count = 1;  // characters, words: rarer ones are unknown
  bool lower = true;  // text is lower-cased before anything else
  template <class F>
  void fields(F& f) {
    f("kind", kind, "Units that are written: characters, words or pieces.");
    f("size", size, "Number of pieces of the vocabulary, where units are pieces.").range(16, 1 << 20);
    f("min_count", min_count, "Characters or words that occur less often are unknown.").range(1, 1e9);
    f("lower", lower, "All text is lower-cased.");
  }
};

class SpeechUnits {
 public:
  // Those of the transcripts: characters and words by falling count (equal ones by code), pieces trained by
  // spm_train in `scratch`, which is removed. ConfigError when the transcripts are empty.
  [[nodiscard]] static SpeechUnits make(std::span<const std::string> transcripts, const UnitOptions& options,
                                        const std::filesystem::path& scratch);
  // As bytes() gives them. FormatError naming `source`.
  [[nodiscard]] static SpeechUnits parse(std::string bytes, const UnitOptions& options,
                                         const std::string& source);

  [[nodiscard]] int size() const;
  [[nodiscard]] std::string bytes() const;
  // The file they are kept in: units.txt, or sentencepiece.model for pieces.
  [[nodiscard]] static std::string file_name(const UnitOptions& options);
  [[nodiscard]] std::string file_name() const { return file_name(options_); }
  [[nodiscard]] const std::string& unit(int id) const;
  [[nodiscard]] int id_of(std::string_view unit) const;  // the unknown unit's when it is not known

  // White space at the ends is left out, inner runs of it are one space. No end is added.
  [[nodiscard]] std::vector<int> encode(std::string_view text) const;
  // Blanks, start and end vanish; an unknown unit is written as U+FFFD.
  [[nodiscard]] std::string decode(std::span<const int> ids) const;
  // Text as it is compared: lower-cased when the units are, spaces made one.
  [[nodiscard]] std::string normalized(std::string_view text) const;
  // What stands between two words: a blank, or nothing where the characters of the training text have none.
  [[nodiscard]] std::string between_words() const;
  // Whether a unit begins a word (words do, and what follows a space).
  [[nodiscard]] bool begins_word(std::span<const int> ids, std::size_t place) const;

 private:
  explicit SpeechUnits(const UnitOptions& options) : options_(options) {}
  void index(const std::string& source);
  [[nodiscard]] std::vector<std::string> split(std::string_view text) const;

  UnitOptions options_;
  std::vector<std::string> units_;            // characters, words
  std::unordered_map<std::string, int> ids_;  // looked up only
  std::shared_ptr<const SentencePiece> pieces_;
};

}  // namespace kgwalk::seq2seq
