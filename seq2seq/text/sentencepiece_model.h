// The content of a SentencePiece `.model` file (protocol buffer message ModelProto), as far as encoding and
// decoding need it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kgwalk::seq2seq {

struct SentencePieceModel {
  enum class PieceType { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
  enum class Algorithm { kUnigram = 1, kBpe = 2 };

  struct Piece {
    std::string text;
    float score = 0;
    PieceType type = PieceType::kNormal;
  };
  struct Normalizer {
    std::string charsmap;  // see seq2seq/text/charsmap.h
    bool add_dummy_prefix = true;
    bool remove_extra_whitespaces = true;
    bool escape_whitespaces = true;
  };

  std::vector<Piece> pieces;
  Algorithm algorithm = Algorithm::kUnigram;
  bool treat_whitespace_as_suffix = false;
  bool byte_fallback = false;
  std::string unknown_surface = " \xE2\x81\x87 ";
  Normalizer normalizer;
  Normalizer denormalizer;
  int unknown_id = -1;
};

// Strict: FormatError naming `source` for a broken wire format, missing or empty pieces, pieces given twice,
// no or several unknown pieces, byte pieces that are incomplete or not allowed, scores that are not finite,
// and for the algorithms "word" and "char", which we do not have.
[[nodiscard]] SentencePieceModel parse_sentencepiece_model(std::string_view bytes, const std::string& source);

// Value of a byte piece "<0x41>", or -1.
[[nodiscard]] int byte_of_piece(std::string_view piece);

}  // namespace kgwalk::seq2seq
