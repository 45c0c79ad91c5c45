#include "seq2seq/text/albert_tokenizer.h"

#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "seq2seq/text/tokenizer_config.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
    out.append(text, begin, at - begin).append(to);
    begin = at + from.size();
  }
  text = out.append(text, begin);
}

std::string single_spaced(std::string_view text) {
  std::string out;
  bool pending = false;
  while (!text.empty()) {
    const Utf8Char first = decode_utf8(text);
    const bool space = is_space_char(first.code) || (first.code >= 0x1C && first.code <= 0x1F) ||
                       first.code == 0x0B || first.code == 0x0C || first.code == 0x85 ||
                       first.code == 0x2028 || first.code == 0x2029;
    if (!space) {
      if (pending && !out.empty()) out += ' ';
      append_utf8(out, first.code);
    }
    pending = space;
    text.remove_prefix(first.length);
  }
  return out;
}

bool ends_in_digit_and_comma(std::string_view piece) {
  return piece.size() > 1 && piece.back() == ',' && piece[piece.size() - 2] >= '0' &&
         piece[piece.size() - 2] <= '9';
}

}  // namespace

AlbertTokenizer::AlbertTokenizer(SentencePiece model, AlbertTextOptions options)
    : model_(std::move(model)), options_(options) {}

AlbertTokenizer AlbertTokenizer::load(const std::filesystem::path& folder) {
  const TokenizerConfig config = read_tokenizer_config(folder);
  return AlbertTokenizer(SentencePiece::load(folder / "spiece.model"),
                         {config.do_lower_case, config.keep_accents});
}

std::string clean_albert_text(std::string_view text, const AlbertTextOptions& options) {
  std::string out = single_spaced(text);
  replace_all(out, "``", "\"");
  replace_all(out, "''", "\"");
  if (!options.keep_accents) out = strip_marks(out, Decomposition::kCompatible);
  if (options.lower_case) out = seq2seq::lower_case(out);
  return out;
}

// "▁1990," becomes the pieces of "1990" and a comma; the new first piece keeps or loses its space mark as the
// old had it.
void AlbertTokenizer::add_without_comma(const std::string& piece, Encoding& out) const {
  std::string rest = piece.substr(0, piece.size() - 1);
  replace_all(rest, kSpace, "");
  Encoding again = model_.encode(rest);
  if (!piece.starts_with(kSpace) && !again.pieces.empty() && again.pieces[0].starts_with(kSpace)) {
    again.pieces[0].erase(0, kSpace.size());
    if (again.pieces[0].empty()) again.pieces.erase(again.pieces.begin());
  }
  again.pieces.emplace_back(",");
  for (std::string& part : again.pieces) {
    out.ids.push_back(model_.id_of(part));
    out.pieces.push_back(std::move(part));
  }
}

Encoding AlbertTokenizer::encode(std::string_view text) const {
  Encoding whole = model_.encode(clean(text));
  Encoding out;
  for (std::size_t i = 0; i < whole.ids.size(); ++i) {
    if (ends_in_digit_and_comma(whole.pieces[i])) {
      add_without_comma(whole.pieces[i], out);
    } else {
      out.ids.push_back(whole.ids[i]);
      out.pieces.push_back(std::move(whole.pieces[i]));
    }
  }
  return out;
}

void AlbertTokenizer::save(const std::filesystem::path& folder) const {
  write_file_atomically(folder / "spiece.model", model_.bytes());
  const Json config = {{"do_lower_case", options_.lower_case}, {"keep_accents", options_.keep_accents}};
  write_file_atomically(folder / "tokenizer_config.json", config.dump(2) + "\n");
}

std::string AlbertTokenizer::checksum() const {
  return checksum_of("albert " + std::to_string(options_.lower_case) + std::to_string(options_.keep_accents) +
                     "\n" + model_.bytes());
}

}  // namespace kgwalk::seq2seq
