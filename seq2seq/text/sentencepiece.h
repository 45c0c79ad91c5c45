// SentencePiece (Kudo and Richardson, EMNLP 2018) from a `.model` file: encoding equal to the program
// spm_encode, decoding equal to spm_decode. Unigram models take the best segmentation (Viterbi), BPE models
// merge by score.
//
// We read the file ourselves: Debian's libsentencepiece carries a protobuf that cannot
// live beside LibTorch's.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/random.h"
#include "seq2seq/text/tokenizer.h"

namespace kgwalk::seq2seq {

class SentencePiece : public Tokenizer {
 public:
  // FormatError naming `source` when the bytes are no model we can use; see
  // seq2seq/text/sentencepiece_model.h.
  explicit SentencePiece(std::string bytes, const std::string& source = "SentencePiece model");
  // IoError when the file cannot be read.
  [[nodiscard]] static SentencePiece load(const std::filesystem::path& file);
  SentencePiece(SentencePiece&&) noexcept;
  ~SentencePiece() override;

  [[nodiscard]] Encoding encode(std::string_view text) const override;
  // A random segmentation, for training. Unigram models: among all of them with probabilities proportional
  // to P(segmentation)^strength (Kudo, ACL 2018, Eq. 7 without its limit to the l best), so that small
  // values are more even. BPE models: each merge is passed over with probability `strength` (Provilkov et
  // al., ACL 2020).
  [[nodiscard]] Encoding sample(std::string_view text, double strength, Random& random) const;
  [[nodiscard]] std::string decode(std::span<const int> ids) const override;
  // As decode(), for pieces in which unknown runs keep their surface, as encode() gives them.
  [[nodiscard]] std::string decode_pieces(std::span<const std::string> pieces) const;
  // What the segmentation works on: rules applied, white space cleaned and escaped.
  [[nodiscard]] std::string normalize(std::string_view text) const;

  [[nodiscard]] int size() const override;
  [[nodiscard]] const std::string& piece(int id) const override;
  [[nodiscard]] float score(int id) const;
  [[nodiscard]] std::optional<int> find(std::string_view piece) const override;
  // find(), or the unknown id.
  [[nodiscard]] int id_of(std::string_view piece) const;
  [[nodiscard]] SpecialIds special() const override;
  [[nodiscard]] bool is_control(int id) const override;
  [[nodiscard]] bool starts_word(int id) const override;
  // sentencepiece.model, byte for byte what was loaded.
  void save(const std::filesystem::path& folder) const override;
  [[nodiscard]] std::string checksum() const override;
  [[nodiscard]] const std::string& bytes() const noexcept;

  struct Impl;

 private:
  std::unique_ptr<const Impl> impl_;
};

}  // namespace kgwalk::seq2seq
