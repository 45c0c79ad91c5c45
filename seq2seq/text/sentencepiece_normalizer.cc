#include "seq2seq/text/sentencepiece_internal.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {

SentencePieceNormalizer::SentencePieceNormalizer(const SentencePieceModel::Normalizer& spec,
                                                 bool space_as_suffix, const PieceTrie* keep,
                                                 const std::string& source)
    : add_dummy_prefix_(spec.add_dummy_prefix),
      remove_extra_(spec.remove_extra_whitespaces),
      escape_(spec.escape_whitespaces),
      space_as_suffix_(space_as_suffix),
      keep_(keep),
      rules_(spec.charsmap, source) {}

std::pair<std::string_view, std::size_t> SentencePieceNormalizer::prefix(std::string_view text) const {
  if (keep_ != nullptr) {
    if (const std::size_t length = keep_->longest(text).first; length > 0)
      return {text.substr(0, length), length};
  }
  if (const Charsmap::Match match = rules_.longest(text); match.length > 0) {
    return {match.replacement, match.length};
  }
  const Utf8Char first = decode_utf8(text);
  if (!first.valid) return {"\xEF\xBF\xBD", 1};
  return {text.substr(0, first.length), first.length};
}

void SentencePieceNormalizer::append(std::string& out, std::string_view piece) const {
  for (const char c : piece) {
    if (c == ' ' && escape_)
      out += kSpaceSymbol;
    else
      out += c;
  }
}

std::string SentencePieceNormalizer::operator()(std::string_view text) const {
  while (remove_extra_ && !text.empty()) {
    const auto [piece, length] = prefix(text);
    if (piece != " ") break;
    text.remove_prefix(length);
  }
  std::string out;
  if (text.empty()) return out;
  out.reserve(text.size() * 3);
  if (add_dummy_prefix_ && !space_as_suffix_) append(out, " ");
  bool after_space = remove_extra_;
  while (!text.empty()) {
    auto [piece, length] = prefix(text);
    while (after_space && piece.starts_with(' ')) piece.remove_prefix(1);
    append(out, piece);
    if (!piece.empty()) after_space = remove_extra_ && piece.ends_with(' ');
    text.remove_prefix(length);
  }
  const std::string_view space = escape_ ? kSpaceSymbol : std::string_view(" ");
  while (remove_extra_ && out.ends_with(space)) out.erase(out.size() - space.size());
  if (add_dummy_prefix_ && space_as_suffix_) append(out, " ");
  return out;
}

}  // namespace kgwalk::seq2seq
