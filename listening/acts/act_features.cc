#include "listening/acts/act_features.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "listening/acts/foreign_words.h"

namespace kgwalk::listening {
namespace {

constexpr std::string_view kName = "<name>", kBegin = "<s>", kEnd = "</s>";
constexpr std::size_t kMostTokens = 48, kLastTokens = 16;

enum NamedRow : std::uint32_t {
  kAlways = 0,
  kContexts = 1,       // 16: each set of what came before
  kLength = 17,        // 8
  kCover = 25,         // 6: share of the words that names cover
  kForeign = 31,       // 6: share of words of other languages
  kOtherScript = 37,   // 2
  kQuestionMark = 39,  // at the end
  kBang = 40,
  kAskingWord = 41,       // anywhere
  kAskingWordFirst = 42,  // first
  kUnknownContent = 43,   // 4: content words outside of names
};

struct Token {
  std::string text;
  bool is_word = false, content = false;
};

// "heyyyy" is "heyy".
std::string squeezed(std::string_view word) {
  std::string text;
  for (const char c : word)
    if (text.size() < 2 || text.back() != c || text[text.size() - 2] != c) text += c;
  return text;
}

std::string token_of(const SaidWord& word) {
  const bool digits =
      std::all_of(word.folded.begin(), word.folded.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits && !word.folded.empty()) return word.folded.size() == 4 ? "<year>" : "<number>";
  return squeezed(word.folded);
}

bool is_apostrophe(std::string_view mark) { return mark == "'" || mark == "’" || mark == "`"; }

// Words around an apostrophe are one, so that "what's" is "whats".
std::vector<Token> tokens_of(const SaidText& said, std::span<const NamedWords> names) {
  std::vector<Token> tokens;
  bool joins = false;
  std::size_t name = 0;
  for (std::size_t i = 0; i < said.words.size();) {
    while (name < names.size() && (names[name].second <= i || names[name].first >= names[name].second))
      ++name;
    if (name < names.size() && names[name].first <= i) {
      tokens.push_back({std::string(kName), true, false});
      i = names[name].second;
      joins = false;
      continue;
    }
    const SaidWord& word = said.words[i++];
    if (is_apostrophe(word.folded)) {
      joins = !tokens.empty() && tokens.back().is_word && tokens.back().text != kName;
    } else if (joins && word.is_word) {
      tokens.back().text += word.folded;
      joins = false;
    } else {
      tokens.push_back({token_of(word), word.is_word, word.content});
      joins = false;
    }
  }
  if (tokens.size() > kMostTokens + kLastTokens)
    tokens.erase(tokens.begin() + kMostTokens, tokens.end() - kLastTokens);
  return tokens;
}

class Rows {
 public:
  void named(std::uint32_t row) { rows_.push_back(row); }
  // FNV-1a over the kind and up to three parts.
  void hashed(char kind, std::string_view a, std::string_view b = {}, std::string_view c = {}) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    const auto add = [&](std::string_view part) {
      for (const char x : part) hash = (hash ^ static_cast<unsigned char>(x)) * 0x100000001b3ULL;
      hash = (hash ^ 0xff) * 0x100000001b3ULL;
    };
    add({&kind, 1});
    add(a);
    add(b);
    add(c);
    hash ^= hash >> 29;
    rows_.push_back(kNamedActRows + static_cast<std::uint32_t>(hash % kHashedActRows));
  }
  std::vector<std::uint32_t> take() {
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    return std::move(rows_);
  }

 private:
  std::vector<std::uint32_t> rows_;
};

bool is_asking(std::string_view word) {
  constexpr std::array<std::string_view, 13> kAsking{"who",   "whom",  "whose", "what", "which",
                                                     "when",  "where", "why",   "how",  "whos",
                                                     "whats", "whens", "wheres"};
  return std::find(kAsking.begin(), kAsking.end(), word) != kAsking.end();
}

std::uint32_t share_of(std::size_t part, std::size_t all) {
  if (part == 0 || all == 0) return 0;
  return 1 + static_cast<std::uint32_t>(std::min<std::size_t>(4 * part / all, 4));
}

// The text as a whole: length, marks, names, languages.
void add_named_rows(const std::vector<Token>& tokens, unsigned before, Rows& rows) {
  std::size_t words = 0, named = 0, foreign = 0, script = 0, content = 0;
  bool asking = false;
  for (const Token& token : tokens) {
    words += token.is_word ? 1 : 0;
    const bool is_name = token.text == kName;
    named += is_name ? 1 : 0;
    content += token.content ? 1 : 0;
    asking |= is_asking(token.text);
    if (token.is_word && !is_name) {
      foreign += is_foreign_word(token.text) ? 1 : 0;
      script += is_other_script(token.text) ? 1 : 0;
    }
  }
  rows.named(kAlways);
  rows.named(kContexts + before);
  rows.named(kLength + static_cast<std::uint32_t>(std::min<std::size_t>(words, 7)));
  rows.named(kCover + share_of(named, words));
  rows.named(kForeign + share_of(foreign, words - named));
  rows.named(kOtherScript + (2 * script > words - named && script > 0 ? 1 : 0));
  rows.named(kUnknownContent + static_cast<std::uint32_t>(std::min<std::size_t>(content, 3)));
  if (asking) rows.named(kAskingWord);
  if (tokens.empty()) return;
  if (is_asking(tokens.front().text)) rows.named(kAskingWordFirst);
  if (tokens.back().text == "?") rows.named(kQuestionMark);
  if (tokens.back().text == "!") rows.named(kBang);
}

void add_parts_of_word(std::string_view word, Rows& rows) {
  if (word.size() < 4 || word == kName) return;
  std::string framed(1, '^');
  framed.append(word).push_back('$');
  for (std::size_t i = 0; i + 3 <= framed.size(); ++i)
    rows.hashed('g', std::string_view(framed).substr(i, 3));
}

}  // namespace

std::vector<std::uint32_t> act_rows(const SaidText& said, std::span<const NamedWords> names,
                                    const ActContext& context) {
  const std::vector<Token> tokens = tokens_of(said, names);
  const unsigned before = (context.offered ? 1U : 0U) + (context.answered ? 2U : 0U) +
                          (context.cut ? 4U : 0U) + (context.goal ? 8U : 0U);
  Rows rows;
  add_named_rows(tokens, before, rows);
  const auto at = [&](std::size_t i) { return i < tokens.size() ? std::string_view(tokens[i].text) : kEnd; };
  bool begins = true;  // of a clause: first, or behind a mark
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    rows.hashed('w', at(i));
    rows.hashed('p', at(i), at(i + 1));
    rows.hashed('t', at(i), at(i + 1), at(i + 2));
    if (tokens[i].is_word && begins) {
      rows.hashed('b', at(i));
      rows.hashed('c', at(i), at(i + 1));
    }
    begins = !tokens[i].is_word;
    if (tokens[i].is_word) add_parts_of_word(tokens[i].text, rows);
  }
  rows.hashed('p', kBegin, at(0));
  rows.hashed('t', kBegin, at(0), at(1));
  // What came before, with the first words and with the whole of a short text.
  const char kind[] = {static_cast<char>('A' + (before & 7U)), '\0'};
  rows.hashed('x', kind, at(0));
  rows.hashed('x', kind, at(0), at(1));
  if (tokens.size() <= 3) {
    rows.hashed('y', at(0), at(1), at(2));
    rows.hashed(kind[0], at(0), at(1), at(2));
  }
  return rows.take();
}

}  // namespace kgwalk::listening
