#include "seq2seq/text/sentencepiece_model.h"

#include <cmath>
#include <set>

#include "kgwalk/error.h"
#include "runtime/text.h"
#include "seq2seq/text/protobuf.h"

namespace kgwalk::seq2seq {
namespace {

using Model = SentencePieceModel;

Model::Piece read_piece(std::string_view bytes, const std::string& where) {
  Model::Piece piece;
  ProtobufReader reader(bytes, where);
  while (reader.next()) {
    if (reader.field() == 1) piece.text = reader.bytes();
    if (reader.field() == 2) piece.score = reader.float32();
    if (reader.field() == 3) {
      const std::int32_t type = reader.int32();
      if (type < 1 || type > 6)
        throw FormatError(where + ": piece type " + std::to_string(type) + " is unknown");
      piece.type = static_cast<Model::PieceType>(type);
    }
  }
  if (piece.text.empty()) throw FormatError(where + ": the piece is empty");
  if (invalid_utf8_at(piece.text)) throw FormatError(where + ": the piece is not valid UTF-8");
  if (!std::isfinite(piece.score)) throw FormatError(where + ": the score is not finite");
  return piece;
}

void read_trainer(std::string_view bytes, Model& model, const std::string& source) {
  ProtobufReader reader(bytes, source + ": trainer settings");
  while (reader.next()) {
    if (reader.field() == 3) {
      const std::int32_t kind = reader.int32();
      if (kind != 1 && kind != 2) {
        throw FormatError(source + ": model type " + std::to_string(kind) +
                          " is not supported; train one with --model_type=unigram or bpe");
      }
      model.algorithm = static_cast<Model::Algorithm>(kind);
    }
    if (reader.field() == 24) model.treat_whitespace_as_suffix = reader.boolean();
    if (reader.field() == 35) model.byte_fallback = reader.boolean();
    if (reader.field() == 44) model.unknown_surface = reader.bytes();
  }
}

Model::Normalizer read_normalizer(std::string_view bytes, const std::string& where) {
  Model::Normalizer normalizer;
  ProtobufReader reader(bytes, where);
  while (reader.next()) {
    if (reader.field() == 2) normalizer.charsmap = reader.bytes();
    if (reader.field() == 3) normalizer.add_dummy_prefix = reader.boolean();
    if (reader.field() == 4) normalizer.remove_extra_whitespaces = reader.boolean();
    if (reader.field() == 5) normalizer.escape_whitespaces = reader.boolean();
  }
  return normalizer;
}

void check_pieces(Model& model, const std::string& source) {
  if (model.pieces.empty()) throw FormatError(source + ": no pieces; this is no SentencePiece model");
  std::set<std::string_view> text_pieces, reserved;
  std::set<int> bytes;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const Model::Piece& piece = model.pieces[i];
    const auto bad = [&](const char* why) {
      return FormatError(source + ": piece " + std::to_string(i) + " '" + piece.text + "' " + why);
    };
    const bool is_text = piece.type == Model::PieceType::kNormal ||
                         piece.type == Model::PieceType::kUserDefined ||
                         piece.type == Model::PieceType::kUnused;
    if (!(is_text ? text_pieces : reserved).insert(piece.text).second) throw bad("is there twice");
    if (piece.type == Model::PieceType::kUnknown) {
      if (model.unknown_id >= 0) throw bad("is a second unknown piece");
      model.unknown_id = static_cast<int>(i);
    }
    if (piece.type == Model::PieceType::kByte) {
      if (!model.byte_fallback) throw bad("stands for a byte, but the model has no byte fallback");
      if (byte_of_piece(piece.text) < 0) throw bad("stands for no byte");
      bytes.insert(byte_of_piece(piece.text));
    }
  }
  if (model.unknown_id < 0) throw FormatError(source + ": no piece for the unknown");
  if (model.byte_fallback && bytes.size() != 256)
    throw FormatError(source + ": not all 256 byte pieces are there");
}

}  // namespace

SentencePieceModel parse_sentencepiece_model(std::string_view bytes, const std::string& source) {
  Model model;
  ProtobufReader reader(bytes, source);
  while (reader.next()) {
    if (reader.field() == 1) {
      const std::string where = source + ": piece " + std::to_string(model.pieces.size());
      model.pieces.push_back(read_piece(reader.bytes(), where));
    }
    if (reader.field() == 2) read_trainer(reader.bytes(), model, source);
    if (reader.field() == 3)
      model.normalizer = read_normalizer(reader.bytes(), source + ": normalizer settings");
    if (reader.field() == 5)
      model.denormalizer = read_normalizer(reader.bytes(), source + ": denormalizer settings");
  }
  check_pieces(model, source);
  return model;
}

int byte_of_piece(std::string_view piece) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return -1;
  const int high = digit(piece[3]), low = digit(piece[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace kgwalk::seq2seq
