#include "forms/sparql/tokens.h"

#include <algorithm>
#include <cctype>

#include "kgwalk/error.h"

namespace kgwalk::forms {
namespace {

bool is_word_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Letters of local names, where points and hyphens may stand within.
bool is_name_letter(char c) { return is_word_letter(c) || c == '-' || c == '.' || c == ':' || c == '%'; }

bool equal_words(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

void SparqlTokens::refuse(const std::string& why) const {
  const std::string_view before = text_.substr(0, std::min(token_.at, text_.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_end = before.rfind('\n');
  const std::size_t column = before.size() - (line_end == std::string_view::npos ? 0 : line_end + 1) + 1;
  throw ConfigError("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + why);
}

bool SparqlTokens::is_word(std::string_view word) const {
  return token_.kind == SparqlToken::kWord && equal_words(token_.text, word);
}

bool SparqlTokens::take(std::string_view mark) {
  if (!is(mark)) return false;
  next();
  return true;
}

bool SparqlTokens::take_word(std::string_view word) {
  if (!is_word(word)) return false;
  next();
  return true;
}

void SparqlTokens::expect(std::string_view mark) {
  if (take(mark)) return;
  refuse("expected '" + std::string(mark) + "'" +
         (token_.kind == SparqlToken::kEnd ? " before the end" : ", not '" + token_.text + "'"));
}

void SparqlTokens::skip_blanks() {
  while (at_ < text_.size()) {
    if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
    else if (text_[at_] == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      return;
  }
}

void SparqlTokens::next() {
  skip_blanks();
  token_ = {.kind = SparqlToken::kEnd, .text = {}, .at = at_};
  if (at_ >= text_.size()) return;
  const char c = text_[at_], after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (c == '<' && text_.find_first_of(" \t\n>", at_) != std::string_view::npos &&
      text_[text_.find_first_of(" \t\n>", at_)] == '>' && after != '=' && after != '>')
    return read_iri();
  if (c == '"' || c == '\'') return read_text(c);
  if (std::isdigit(static_cast<unsigned char>(c)) != 0 ||
      ((c == '-' || c == '.' || c == '+') && std::isdigit(static_cast<unsigned char>(after)) != 0))
    return read_number();
  if ((c == '?' || c == '$') && is_word_letter(after)) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && is_word_letter(text_[at_])) ++at_;
    token_.kind = SparqlToken::kVariable;
    token_.text = text_.substr(begin, at_ - begin);
    return;
  }
  if (c == '@') {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && (is_word_letter(text_[at_]) || text_[at_] == '-')) ++at_;
    token_.kind = SparqlToken::kLanguage;
    token_.text = text_.substr(begin, at_ - begin);
    return;
  }
  if (is_word_letter(c) || c == ':') return read_word();
  for (const std::string_view mark : {"^^", "&&", "||", "!=", "<=", ">="})
    if (text_.substr(at_).starts_with(mark)) token_.text = mark;
  if (token_.text.empty()) {
    if (std::string_view("{}()[].,;|/^*+-!=<>?").find(c) == std::string_view::npos)
      refuse(std::string("'") + c + "' begins nothing that SPARQL has here");
    token_.text = c;
  }
  token_.kind = SparqlToken::kMark;
  at_ += token_.text.size();
}

void SparqlTokens::read_iri() {
  const std::size_t end = text_.find('>', at_);
  token_.kind = SparqlToken::kIri;
  token_.text = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
}

void SparqlTokens::read_text(char quote) {
  token_.kind = SparqlToken::kText;
  for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
    if (text_[at_] == '\n') refuse("a text goes on behind its line");
    if (text_[at_] != '\\') {
      token_.text += text_[at_];
      continue;
    }
    if (++at_ >= text_.size()) break;
    constexpr std::string_view kLetters = "tbnrf", kMeant = "\t\b\n\r\f";
    const std::size_t letter = kLetters.find(text_[at_]);
    if (text_[at_] == 'u' || text_[at_] == 'U')
      refuse("escapes with numbers are not taken; write the letter itself");
    token_.text += letter == std::string_view::npos ? text_[at_] : kMeant[letter];
  }
  if (at_ >= text_.size()) refuse("a text has no end");
  ++at_;
}

void SparqlTokens::read_number() {
  const std::size_t begin = at_++;
  const auto goes_on = [&] {
    const char c = text_[at_], before = text_[at_ - 1];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == 'e' || c == 'E') return true;
    if (c == '.')
      return at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0;
    return (c == '-' || c == '+') && (before == 'e' || before == 'E');
  };
  while (at_ < text_.size() && goes_on()) ++at_;
  token_.kind = SparqlToken::kNumber;
  token_.text = text_.substr(begin, at_ - begin);
}

// A keyword, or a name with its prefix; a point at its end ends the pattern.
void SparqlTokens::read_word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_word_letter(text_[at_])) ++at_;
  token_.kind = SparqlToken::kWord;
  if (at_ < text_.size() && text_[at_] == ':') {
    token_.kind = SparqlToken::kPrefixed;
    while (at_ < text_.size() && is_name_letter(text_[at_])) ++at_;
    while (text_[at_ - 1] == '.') --at_;
  }
  token_.text = text_.substr(begin, at_ - begin);
}

}  // namespace kgwalk::forms
