// Words and marks of SPARQL.
#pragma once

#include <string>
#include <string_view>

namespace kgwalk::forms {

struct SparqlToken {
  enum Kind { kEnd, kIri, kPrefixed, kVariable, kText, kNumber, kLanguage, kWord, kMark } kind = kEnd;
  std::string text;  // without brackets, marks of variables and quotation marks; escapes of texts undone
  std::size_t at = 0;
};

class SparqlTokens {
 public:
  explicit SparqlTokens(std::string_view text) : text_(text) { next(); }

  [[nodiscard]] const SparqlToken& token() const noexcept { return token_; }
  void next();  // ConfigError for what begins no token

  [[nodiscard]] bool is(std::string_view mark) const noexcept {
    return token_.kind == SparqlToken::kMark && token_.text == mark;
  }
  // In any case.
  [[nodiscard]] bool is_word(std::string_view word) const;
  bool take(std::string_view mark);
  bool take_word(std::string_view word);
  void expect(std::string_view mark);
  // "line 1, column 5: WHY"
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void skip_blanks();
  void read_text(char quote);
  void read_iri();
  void read_number();
  void read_word();

  std::string_view text_;
  std::size_t at_ = 0;
  SparqlToken token_;
};

}  // namespace kgwalk::forms
