#include "seq2seq/metrics/words.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "seq2seq/metrics/porter.h"
#include "seq2seq/text/unicode_text.h"
#include "seq2seq/text/utf8.h"

namespace kgwalk::seq2seq {
namespace {

// What Python's str.isspace() holds for.
bool is_python_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_point(char c) { return c == '.' || c == ','; }

// Where two neighbors match, they become what `emit` writes; matches do not overlap.
template <class Match, class Emit>
std::string rewrite_pairs(const std::string& text, Match match, Emit emit) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && match(text[i], text[i + 1])) {
      emit(out, text[i], text[i + 1]);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string mteval_13a(std::string_view raw) {
  std::string text(raw);
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  std::string spaced = " ";
  for (const char c : text) {
    const bool apart = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
                       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
    if (apart)
      spaced.append({' ', c, ' '});
    else
      spaced += c;
  }
  spaced += ' ';
  spaced = rewrite_pairs(
      spaced, [](char a, char b) { return !is_digit(a) && is_point(b); },
      [](std::string& out, char a, char b) {
        out.append({a, ' ', b, ' '});
      });
  spaced = rewrite_pairs(
      spaced, [](char a, char b) { return is_point(a) && !is_digit(b); },
      [](std::string& out, char a, char b) {
        out.append({' ', a, ' ', b});
      });
  return rewrite_pairs(
      spaced, [](char a, char b) { return is_digit(a) && b == '-'; },
      [](std::string& out, char a, char b) {
        out.append({a, ' ', b, ' '});
      });
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Char c = decode_utf8(rest);
    if (c.valid && is_python_space(c.code)) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += rest.substr(0, c.length);
    }
    rest.remove_prefix(c.length);
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> split_characters(std::string_view text) {
  std::vector<std::string> characters;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Char c = decode_utf8(rest);
    if (!c.valid || !is_python_space(c.code)) characters.emplace_back(rest.substr(0, c.length));
    rest.remove_prefix(c.length);
  }
  return characters;
}

BleuTokenizer parse_bleu_tokenizer(std::string_view name) {
  if (name == "13a") return BleuTokenizer::k13a;
  if (name == "none") return BleuTokenizer::kNone;
  if (name == "char") return BleuTokenizer::kChar;
  throw ConfigError("tokenizer '" + std::string(name) + "' is not known; use 13a, none or char");
}

std::vector<std::string> bleu_words(std::string_view text, BleuTokenizer tokenizer, bool lower) {
  const std::string folded = lower ? lower_case(text) : std::string(text);
  switch (tokenizer) {
    case BleuTokenizer::k13a:
      return split_words(mteval_13a(folded));
    case BleuTokenizer::kChar:
      return split_characters(folded);
    case BleuTokenizer::kNone:
      break;
  }
  return split_words(folded);
}

std::vector<std::string> rouge_words(std::string_view text, bool stem) {
  std::vector<std::string> words;
  std::string word;
  const std::string lower = lower_case(text) + " ";
  for (const char c : lower) {
    if ((c >= 'a' && c <= 'z') || is_digit(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(stem && word.size() > 3 ? porter_stem(word) : word);
      word.clear();
    }
  }
  return words;
}

std::string sentences_as_lines(std::string_view text) {
  constexpr std::string_view kEnds = ".!?", kClosing = "\"')]}", kSpace = " \t\r\n\f\v";
  std::string lines;
  bool ended = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (ended && kSpace.find(text[i]) != std::string_view::npos) {
      i = std::min(text.find_first_not_of(kSpace, i), text.size()) - 1;
      lines += '\n';
      ended = false;
      continue;
    }
    ended = kEnds.find(text[i]) != std::string_view::npos ||
            (ended && kClosing.find(text[i]) != std::string_view::npos);
    lines += text[i];
  }
  return lines;
}

}  // namespace kgwalk::seq2seq
