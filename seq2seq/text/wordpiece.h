// BERT's tokenization (Devlin et al., NAACL 2019): text cleaned and cut into words and punctuation, each word
// into the longest pieces of a vocabulary from the left; pieces inside a word carry "##".
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "seq2seq/text/piece_trie.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::seq2seq {

struct WordPieceOptions {
  bool lower_case = true;
  bool strip_accents = true;         // BERT couples this to lower_case
  bool split_chinese = true;         // each CJK ideograph is a word
  std::size_t max_word_chars = 100;  // longer words become [UNK]
};

class WordPiece : public Tokenizer {
 public:
  // FormatError naming `source` for an empty vocabulary, an empty, repeated or ill-encoded piece,
  // or no [UNK].
  WordPiece(std::vector<std::string> vocabulary, WordPieceOptions options = {},
            const std::string& source = "WordPiece vocabulary");
  // vocab.txt (one piece a line) and, when there is one, tokenizer_config.json.
  [[nodiscard]] static WordPiece load(const std::filesystem::path& folder);

  // Words and punctuation before they are cut into pieces.
  [[nodiscard]] std::vector<std::string> words(std::string_view text) const;

  [[nodiscard]] Encoding encode(std::string_view text) const override;
  [[nodiscard]] std::string decode(std::span<const int> ids) const override;
  [[nodiscard]] int size() const override { return static_cast<int>(pieces_.size()); }
  [[nodiscard]] const std::string& piece(int id) const override;
  [[nodiscard]] std::optional<int> find(std::string_view piece) const override;
  [[nodiscard]] SpecialIds special() const override { return special_; }
  [[nodiscard]] bool is_control(int id) const override;
  [[nodiscard]] bool starts_word(int id) const override;
  void save(const std::filesystem::path& folder) const override;
  [[nodiscard]] std::string checksum() const override;

 private:
  void cut(const std::string& word, Encoding& out) const;

  std::vector<std::string> pieces_;
  WordPieceOptions options_;
  std::unordered_map<std::string, int> ids_;
  PieceTrie first_, inner_;  // pieces that begin a word, and "##" pieces without their mark
  SpecialIds special_;
};

}  // namespace kgwalk::seq2seq
