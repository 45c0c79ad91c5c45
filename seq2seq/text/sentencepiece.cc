#include "seq2seq/text/sentencepiece.h"

#include <limits>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "seq2seq/text/sentencepiece_internal.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

using PieceType = SentencePieceModel::PieceType;

bool is_text(PieceType type) {
  return type == PieceType::kNormal || type == PieceType::kUserDefined || type == PieceType::kUnused;
}

PieceTrie make_trie(const SentencePieceModel& model, bool user_defined_only) {
  std::vector<std::pair<std::string_view, int>> entries;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const auto& piece = model.pieces[i];
    if (user_defined_only ? piece.type == PieceType::kUserDefined : is_text(piece.type)) {
      entries.emplace_back(piece.text, static_cast<int>(i));
    }
  }
  return PieceTrie(std::move(entries));
}

std::string byte_piece(unsigned char byte) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
}

// The bytes of byte pieces as text: whole characters as they are, stray bytes as U+FFFD.
void append_repaired(std::string& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const Utf8Char first = decode_utf8(bytes);
    if (first.valid)
      out += bytes.substr(0, first.length);
    else
      out += "\xEF\xBF\xBD";
    bytes.remove_prefix(first.length);
  }
}

Encoding encoding_of(const SentencePiece::Impl& impl, const Segments& segments) {
  Encoding out;
  bool after_unknown = false;
  for (const auto& [surface, id] : segments) {
    const bool unknown = id == impl.model.unknown_id;
    if (unknown && impl.model.byte_fallback) {
      for (const char c : surface) {
        out.pieces.push_back(byte_piece(static_cast<unsigned char>(c)));
        out.ids.push_back(impl.id_of(out.pieces.back()));
      }
    } else if (unknown && after_unknown) {
      out.pieces.back() += surface;
    } else {
      out.pieces.emplace_back(surface);
      out.ids.push_back(id);
    }
    after_unknown = unknown;
  }
  return out;
}

}  // namespace

SentencePiece::Impl::Impl(std::string model_bytes, const std::string& source)
    : bytes(std::move(model_bytes)),
      model(parse_sentencepiece_model(bytes, source)),
      user_defined(make_trie(model, true)),
      text_trie(make_trie(model, false)),
      normalizer(model.normalizer, model.treat_whitespace_as_suffix, &user_defined, source),
      denormalizer(model.denormalizer, false, nullptr, source) {
  lowest_score = std::numeric_limits<float>::max();
  highest_score = std::numeric_limits<float>::min();  // the smallest positive number, as in the original
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const auto& piece = model.pieces[i];
    (is_text(piece.type) ? text_ids : reserved_ids).emplace(piece.text, static_cast<int>(i));
    if (piece.type != PieceType::kNormal) continue;
    lowest_score = std::min(lowest_score, piece.score);
    highest_score = std::max(highest_score, piece.score);
  }
}

int SentencePiece::Impl::id_of(std::string_view piece) const {
  if (const auto it = reserved_ids.find(piece); it != reserved_ids.end()) return it->second;
  if (const auto it = text_ids.find(piece); it != text_ids.end()) return it->second;
  return model.unknown_id;
}

SentencePiece::SentencePiece(std::string bytes, const std::string& source)
    : impl_(std::make_unique<const Impl>(std::move(bytes), source)) {}
SentencePiece SentencePiece::load(const std::filesystem::path& file) {
  return SentencePiece(read_file(file), file.string());
}
SentencePiece::SentencePiece(SentencePiece&&) noexcept = default;
SentencePiece::~SentencePiece() = default;

std::string SentencePiece::normalize(std::string_view text) const { return impl_->normalizer(text); }

Encoding SentencePiece::encode(std::string_view text) const {
  const std::string normalized = normalize(text);
  return encoding_of(*impl_,
                     impl_->is_bpe() ? segment_bpe(*impl_, normalized) : segment_unigram(*impl_, normalized));
}

Encoding SentencePiece::sample(std::string_view text, double strength, Random& random) const {
  const std::string normalized = normalize(text);
  return encoding_of(*impl_, impl_->is_bpe() ? segment_bpe(*impl_, normalized, strength, &random)
                                             : sample_unigram(*impl_, normalized, strength, random));
}

std::string SentencePiece::decode(std::span<const int> ids) const {
  std::vector<std::string> pieces;
  pieces.reserve(ids.size());
  for (const int id : ids) pieces.push_back(piece(id));
  return decode_pieces(pieces);
}

std::string SentencePiece::decode_pieces(std::span<const std::string> pieces) const {
  const SentencePieceModel& model = impl_->model;
  const bool strip = model.normalizer.add_dummy_prefix || model.normalizer.remove_extra_whitespaces;
  std::string out, raw;
  bool at_start = true;  // a leading space here is not the text's own
  for (const std::string& text : pieces) {
    const int id = impl_->id_of(text);
    if (impl_->is(id, PieceType::kByte)) {
      raw += static_cast<char>(byte_of_piece(text));
      continue;
    }
    append_repaired(out, raw);
    raw.clear();
    if (!out.empty()) at_start = false;
    if (impl_->is(id, PieceType::kControl)) continue;
    if (id == model.unknown_id) {
      out += text == piece(id) ? model.unknown_surface : text;
      continue;
    }
    std::string_view rest = text;
    if (at_start && strip && rest.starts_with(kSpaceSymbol)) {
      rest.remove_prefix(kSpaceSymbol.size());
      // Only the dummy prefix is taken where white space is kept.
      if (!model.normalizer.remove_extra_whitespaces) at_start = false;
    }
    for (std::size_t at = 0; at < rest.size();) {
      const bool space = rest.substr(at).starts_with(kSpaceSymbol);
      out += space ? ' ' : rest[at];
      at += space ? kSpaceSymbol.size() : 1;
    }
  }
  append_repaired(out, raw);
  return model.denormalizer.charsmap.empty() ? out : impl_->denormalizer(out);
}

int SentencePiece::size() const { return static_cast<int>(impl_->model.pieces.size()); }

const std::string& SentencePiece::piece(int id) const {
  if (id < 0 || id >= size()) {
    throw ConfigError("piece id " + std::to_string(id) + " is outside the vocabulary of " +
                      std::to_string(size()));
  }
  return impl_->model.pieces[static_cast<std::size_t>(id)].text;
}

float SentencePiece::score(int id) const {
  (void)piece(id);
  return impl_->score(id);
}

std::optional<int> SentencePiece::find(std::string_view text) const {
  const int id = impl_->id_of(text);
  if (id == impl_->model.unknown_id && piece(id) != text) return std::nullopt;
  return id;
}

int SentencePiece::id_of(std::string_view text) const { return impl_->id_of(text); }

SpecialIds SentencePiece::special() const { return find_special_ids(*this); }

bool SentencePiece::is_control(int id) const {
  (void)piece(id);
  return impl_->is(id, PieceType::kControl);
}

bool SentencePiece::starts_word(int id) const { return piece(id).starts_with(kSpaceSymbol); }

void SentencePiece::save(const std::filesystem::path& folder) const {
  write_file_atomically(folder / "sentencepiece.model", impl_->bytes);
}

std::string SentencePiece::checksum() const { return checksum_of("sentencepiece\n" + impl_->bytes); }
const std::string& SentencePiece::bytes() const noexcept { return impl_->bytes; }

}  // namespace kgwalk::seq2seq
