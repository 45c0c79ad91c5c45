#include "seq2seq/text/wordpiece.h"

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/files.h"
#include "runtime/text.h"
#include "seq2seq/text/tokenizer_config.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

constexpr std::string_view kInside = "##";

bool looks_special(std::string_view piece) {
  return piece.size() > 2 && piece.front() == '[' && piece.back() == ']';
}

// Drops control characters, U+0000 and U+FFFD, makes white space plain spaces and sets CJK ideographs apart.
std::string clean(std::string_view text, bool split_chinese) {
  std::string out;
  while (!text.empty()) {
    const Utf8Char first = decode_utf8(text);
    text.remove_prefix(first.length);
    if (first.code == 0 || first.code == 0xFFFD || is_control_char(first.code)) continue;
    const bool apart = split_chinese && is_cjk_char(first.code);
    if (apart) out += ' ';
    if (is_space_char(first.code))
      out += ' ';
    else
      append_utf8(out, first.code);
    if (apart) out += ' ';
  }
  return out;
}

std::size_t count_chars(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace

WordPiece::WordPiece(std::vector<std::string> vocabulary, WordPieceOptions options, const std::string& source)
    : pieces_(std::move(vocabulary)), options_(options) {
  std::vector<std::pair<std::string_view, int>> first, inner;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::string_view piece = pieces_[i];
    const std::string where = source + ":" + std::to_string(i + 1) + ": ";
    if (piece.empty()) throw FormatError(where + "the piece is empty");
    if (invalid_utf8_at(piece)) throw FormatError(where + "the piece is not valid UTF-8");
    if (!ids_.emplace(piece, static_cast<int>(i)).second)
      throw FormatError(where + "'" + pieces_[i] + "' is there twice");
    if (piece.starts_with(kInside) && piece.size() > kInside.size()) {
      inner.emplace_back(piece.substr(kInside.size()), static_cast<int>(i));
    } else {
      first.emplace_back(piece, static_cast<int>(i));
    }
  }
  first_ = PieceTrie(std::move(first));
  inner_ = PieceTrie(std::move(inner));
  special_ = find_special_ids(*this);
  if (special_.unk < 0) throw FormatError(source + ": there is no piece [UNK]; this is no BERT vocabulary");
}

WordPiece WordPiece::load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "vocab.txt";
  const std::string text = read_file(file);
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    pieces.push_back(std::move(line));
    at = end + 1;
  }
  const TokenizerConfig config = read_tokenizer_config(folder);
  WordPieceOptions options;
  options.lower_case = config.do_lower_case;
  options.strip_accents = config.strip_accents;
  options.split_chinese = config.tokenize_chinese_chars;
  return WordPiece(std::move(pieces), options, file.string());
}

std::vector<std::string> WordPiece::words(std::string_view text) const {
  std::string plain = clean(text, options_.split_chinese);
  if (options_.lower_case) plain = seq2seq::lower_case(plain);
  if (options_.strip_accents) plain = strip_marks(plain, Decomposition::kCanonical);
  std::vector<std::string> words;
  bool open = false;  // the last word may grow
  for (std::string_view rest = plain; !rest.empty();) {
    const Utf8Char first = decode_utf8(rest);
    const bool punctuation = is_punctuation_char(first.code);
    if (first.code == ' ') {
      open = false;
    } else {
      if (!open || punctuation) words.emplace_back();
      words.back() += rest.substr(0, first.length);
      open = !punctuation;
    }
    rest.remove_prefix(first.length);
  }
  return words;
}

void WordPiece::cut(const std::string& word, Encoding& out) const {
  const std::size_t before = out.ids.size();
  bool known = count_chars(word) <= options_.max_word_chars;
  for (std::size_t at = 0; known && at < word.size();) {
    const auto [length, id] = (at == 0 ? first_ : inner_).longest(std::string_view(word).substr(at));
    known = length > 0;
    if (!known) break;
    out.ids.push_back(id);
    out.pieces.push_back(pieces_[static_cast<std::size_t>(id)]);
    at += length;
  }
  if (known) return;
  out.ids.resize(before);
  out.pieces.resize(before);
  out.ids.push_back(special_.unk);
  out.pieces.push_back(pieces_[static_cast<std::size_t>(special_.unk)]);
}

Encoding WordPiece::encode(std::string_view text) const {
  Encoding out;
  for (const std::string& word : words(text)) cut(word, out);
  return out;
}

std::string WordPiece::decode(std::span<const int> ids) const {
  std::string out;
  for (const int id : ids) {
    const std::string_view text = piece(id);
    if (is_control(id)) continue;
    if (starts_word(id)) {
      if (!out.empty()) out += ' ';
      out += text;
    } else {
      out += text.substr(kInside.size());
    }
  }
  return out;
}

const std::string& WordPiece::piece(int id) const {
  if (id < 0 || id >= size()) {
    throw ConfigError("piece id " + std::to_string(id) + " is outside the vocabulary of " +
                      std::to_string(size()));
  }
  return pieces_[static_cast<std::size_t>(id)];
}

std::optional<int> WordPiece::find(std::string_view piece) const {
  const auto it = ids_.find(std::string(piece));
  return it == ids_.end() ? std::nullopt : std::optional<int>(it->second);
}

bool WordPiece::is_control(int id) const { return id != special_.unk && looks_special(piece(id)); }

bool WordPiece::starts_word(int id) const {
  const std::string& text = piece(id);
  return !(text.starts_with(kInside) && text.size() > kInside.size()) && !is_control(id);
}

void WordPiece::save(const std::filesystem::path& folder) const {
  std::string text;
  for (const std::string& piece : pieces_) text += piece + "\n";
  write_file_atomically(folder / "vocab.txt", text);
  const Json config = {{"do_lower_case", options_.lower_case},
                       {"strip_accents", options_.strip_accents},
                       {"tokenize_chinese_chars", options_.split_chinese}};
  write_file_atomically(folder / "tokenizer_config.json", config.dump(2) + "\n");
}

std::string WordPiece::checksum() const {
  Checksum sum;
  sum.add("wordpiece\n");
  sum.add(std::to_string(options_.lower_case) + std::to_string(options_.strip_accents) +
          std::to_string(options_.split_chinese) + " " + std::to_string(options_.max_word_chars) + "\n");
  for (const std::string& piece : pieces_) sum.add(piece + "\n");
  return sum.hex();
}

}  // namespace kgwalk::seq2seq
