// Text as pieces of a SentencePiece vocabulary that a task trains for itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/config.h"
#include "seq2seq/text/sentencepiece.h"

namespace kgwalk::seq2seq {

// Control pieces of the vocabularies of the tasks; ids 2 and 3.
inline constexpr const char* kStartPiece = "<s>";
inline constexpr const char* kEndPiece = "</s>";
// How a vocabulary of pieces is found.
enum class PieceAlgorithm { kUnigram, kBpe };
constexpr auto choice_names(PieceAlgorithm) { return choices_in_order<PieceAlgorithm>("unigram", "bpe"); }

// How text becomes pieces. Where there are two sides of text, one vocabulary serves and is trained on both.
struct PieceOptions {
  int size = 6000;
  Choice<PieceAlgorithm> algorithm = PieceAlgorithm::kUnigram;
  bool lower = true;  // text is lower-cased before anything else, on both sides
  double coverage = 1.0;
  template <class F>
  void fields(F& f) {
    f("size", size, "Number of pieces of the joint vocabulary.").range(16, 1 << 20);
    f("algorithm", algorithm, "How the pieces are found.");
    f("lower", lower, "All text is lower-cased.");
    f("coverage", coverage, "Share of the characters of the text that get a piece.").range(0.5, 1);
  }
};

// Text as the vocabulary sees it: lower-cased when asked for.
[[nodiscard]] std::string prepared_text(std::string_view text, const PieceOptions& options);
[[nodiscard]] std::vector<int> encode_line(const SentencePiece& vocabulary, std::string_view text,
                                           const PieceOptions& options);  // with the end piece
// The same in a random segmentation (SentencePiece::sample).
[[nodiscard]] std::vector<int> sample_line(const SentencePiece& vocabulary, std::string_view text,
                                           const PieceOptions& options, double strength, Random& random);

// Trains a vocabulary on lines that each() hands to its argument; `control` pieces follow the start and the
// end piece. Errors as train_sentencepiece()'s; `scratch` is made and removed.
[[nodiscard]] SentencePiece train_pieces(
    const std::function<void(const std::function<void(std::string_view)>&)>& each,
    const PieceOptions& options, const std::filesystem::path& scratch,
    const std::vector<std::string>& control = {});

}  // namespace kgwalk::seq2seq
