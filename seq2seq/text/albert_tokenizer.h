// ALBERT's tokenization: SentencePiece behind a little text cleaning, as its released vocabularies expect. A
// folder with spiece.model, which may come from Hugging Face or from `kgwalk pretrain-text`.
//
// Cleaning: white space runs become one space, `` and '' become ", compatibility decomposition without
// marks (unless accents are kept), lower case. A piece that ends in a digit and a comma is cut again
// without the comma.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "seq2seq/text/sentencepiece.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::seq2seq {

struct AlbertTextOptions {
  bool lower_case = true;
  bool keep_accents = false;
};

// The cleaning alone.
[[nodiscard]] std::string clean_albert_text(std::string_view text, const AlbertTextOptions& options);

class AlbertTokenizer : public Tokenizer {
 public:
  explicit AlbertTokenizer(SentencePiece model, AlbertTextOptions options = {});
  // spiece.model and, when there is one, tokenizer_config.json.
  [[nodiscard]] static AlbertTokenizer load(const std::filesystem::path& folder);

  [[nodiscard]] std::string clean(std::string_view text) const { return clean_albert_text(text, options_); }

  [[nodiscard]] Encoding encode(std::string_view text) const override;
  [[nodiscard]] std::string decode(std::span<const int> ids) const override { return model_.decode(ids); }
  [[nodiscard]] int size() const override { return model_.size(); }
  [[nodiscard]] const std::string& piece(int id) const override { return model_.piece(id); }
  [[nodiscard]] std::optional<int> find(std::string_view piece) const override { return model_.find(piece); }
  [[nodiscard]] SpecialIds special() const override { return model_.special(); }
  [[nodiscard]] bool is_control(int id) const override { return model_.is_control(id); }
  [[nodiscard]] bool starts_word(int id) const override { return model_.starts_word(id); }
  void save(const std::filesystem::path& folder) const override;
  [[nodiscard]] std::string checksum() const override;

 private:
  void add_without_comma(const std::string& piece, Encoding& out) const;

  SentencePiece model_;
  AlbertTextOptions options_;
};

}  // namespace kgwalk::seq2seq
