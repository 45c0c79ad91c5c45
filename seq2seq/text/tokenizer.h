// What every tokenizer can do: text to piece ids and back, special ids, and a folder to live in.
//
// Folders follow the Hugging Face names, so that a downloaded encoder and one of our own load alike:
//   spiece.model           SentencePiece behind ALBERT's text cleaning (seq2seq/text/albert_tokenizer.h)
//   sentencepiece.model    SentencePiece alone (seq2seq/text/sentencepiece.h)
//   vocab.txt              WordPiece, BERT (seq2seq/text/wordpiece.h)
//   tokenizer_config.json  optional beside spiece.model and vocab.txt: do_lower_case, keep_accents, ...
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

// ids[i] and pieces[i] belong together. A run of unknown characters keeps its surface in `pieces`.
struct Encoding {
  std::vector<int> ids;
  std::vector<std::string> pieces;
};

// Ids of the special pieces; -1 where the vocabulary has none.
struct SpecialIds {
  int pad = -1, unk = -1, bos = -1, eos = -1, cls = -1, sep = -1, mask = -1;
};

// Immutable after loading and thread-safe.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Special pieces written in `text` are ordinary text; bytes that are no UTF-8 become U+FFFD. Empty text
  // has no pieces.
  [[nodiscard]] virtual Encoding encode(std::string_view text) const = 0;
  // Pieces joined to readable text; special pieces vanish. ConfigError for an id outside the vocabulary.
  [[nodiscard]] virtual std::string decode(std::span<const int> ids) const = 0;

  [[nodiscard]] virtual int size() const = 0;
  // ConfigError for an id outside the vocabulary.
  [[nodiscard]] virtual const std::string& piece(int id) const = 0;
  [[nodiscard]] virtual std::optional<int> find(std::string_view piece) const = 0;
  [[nodiscard]] virtual SpecialIds special() const = 0;
  // True for pieces that carry no text of their own: [CLS], <pad>, [usr1], ...
  [[nodiscard]] virtual bool is_control(int id) const = 0;
  // True for pieces that begin a word.
  [[nodiscard]] virtual bool starts_word(int id) const = 0;

  // Writes the vocabulary's files into an existing folder under the names above.
  virtual void save(const std::filesystem::path& folder) const = 0;
  // Changes with anything that could change an encoding (runtime/checksum.h).
  [[nodiscard]] virtual std::string checksum() const = 0;
};

// Finds out by the files in `folder` which tokenizer lives there. FormatError when none or more than one
// does, or when its files are broken.
[[nodiscard]] std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder);

// Special ids by the usual spellings: <pad>/[PAD], <unk>/[UNK], <s>/[BOS], </s>/[EOS], [CLS], [SEP], [MASK].
[[nodiscard]] SpecialIds find_special_ids(const Tokenizer& tokenizer);

}  // namespace kgwalk::seq2seq
