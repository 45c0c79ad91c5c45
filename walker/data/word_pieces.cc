#include "walker/data/word_pieces.h"

#include <algorithm>

#include "dialogue/text/name_states.h"

namespace kgwalk::walker {
namespace {

constexpr std::int64_t kStartMark = 1, kNameMark = 2, kAgeMarks = 3, kMaxAge = 7;
constexpr std::int64_t kMarks = kAgeMarks + kMaxAge + 1;

std::uint64_t hash_of(std::string_view bytes) {  // FNV-1a, 64 bit: short keys, the same on every machine
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash ^ (hash >> 29);
}

}  // namespace

struct WordPieces::Token {
  std::string word;
  dialogue::WordId id = dialogue::kUnknownWord;
  bool capital = false;  // inside a sentence
};

struct WordPieces::Start {
  std::vector<std::string> name;
  std::optional<graph::EntityId> entity;
};

struct WordPieces::Name {
  std::size_t words = 0;  // 0: none
  bool is_start = false;
};

WordPieces::Start WordPieces::start_of(std::string_view name, std::optional<graph::EntityId> entity) {
  return {dialogue::words_of(dialogue::plain_name(name)), entity};
}

std::vector<WordPieces::Token> WordPieces::tokens_of(std::string_view text) const {
  std::vector<Token> tokens;
  bool begins = true;  // a sentence
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    const std::string_view chunk = text.substr(at, end - at);
    const std::size_t letter = chunk.find_first_not_of("\"'([{*_");
    const bool capital = letter != std::string_view::npos && chunk[letter] >= 'A' && chunk[letter] <= 'Z';
    std::vector<std::string> words = dialogue::words_of(chunk);
    for (std::string& word : words) {
      // "Nolan's" and "nolans" are one word to words_of: the owner's name is what counts. Of
      // "Bacchus/Βάκχος's" only the last word has the mark.
      const bool owner =
          chunk.ends_with("'s") && &word == &words.back() && word.size() > 2 && word.back() == 's';
      if (owner) word.pop_back();
      const std::vector<dialogue::WordId> ids = names_.encode(word);
      tokens.push_back({std::move(word), ids.size() == 1 ? ids.front() : dialogue::kUnknownWord,
                        capital && !begins && chunk != "I"});
      begins = false;
    }
    if (!chunk.empty() && std::string_view(".!?").find(chunk.back()) != std::string_view::npos) begins = true;
    at = end + 1;
  }
  return tokens;
}

void WordPieces::add_mark(std::int64_t mark, WordBag& bag) {
  bag.begins.push_back(static_cast<std::int64_t>(bag.rows.size()));
  bag.rows.push_back(mark);
}

void WordPieces::add_word(std::string_view word, WordBag& bag) const {
  bag.begins.push_back(static_cast<std::int64_t>(bag.rows.size()));
  const auto row = [&](std::string_view key) {
    return kMarks + static_cast<std::int64_t>(hash_of(key) % static_cast<std::uint64_t>(buckets_ - kMarks));
  };
  std::string marked("=<");
  marked.append(word).append(">");
  bag.rows.push_back(row(marked));
  marked.erase(0, 1);
  for (std::size_t n = 3; n <= 5; ++n)
    for (std::size_t i = 0; i + n <= marked.size(); ++i)
      bag.rows.push_back(row(std::string_view(marked).substr(i, n)));
}

// Words of the longest name that begins here; 0 when none does.
std::size_t WordPieces::name_length(std::span<const Token> tokens, std::size_t at) const {
  std::vector<dialogue::WordId> words;
  std::size_t longest = 0;
  for (std::size_t n = 1; n <= std::min(dialogue::kMaxNameWords, tokens.size() - at); ++n) {
    words.push_back(tokens[at + n - 1].id);
    if (words.back() == dialogue::kUnknownWord) break;
    if (n == 1 && !tokens[at].capital) continue;  // many names are everyday words ("genre", "director")
    if (!names_.entities_named(words).empty()) longest = n;
  }
  return longest;
}

// The longest other name of the start.
std::size_t WordPieces::alias_length(std::span<const Token> tokens, std::size_t at,
                                     graph::EntityId start) const {
  std::vector<dialogue::WordId> words;
  for (; words.size() < std::min(dialogue::kMaxNameWords, tokens.size() - at);
       words.push_back(tokens[at + words.size()].id))
    if (tokens[at + words.size()].id == dialogue::kUnknownWord) break;
  std::size_t longest = 0;
  names_.names_at(words, [&](std::size_t count, std::span<const graph::EntityId> named) {
    if (std::find(named.begin(), named.end(), start) != named.end()) longest = count;
  });
  return longest;
}

WordPieces::Name WordPieces::name_at(std::span<const Token> tokens, std::size_t at,
                                     const Start& start) const {
  const bool by_name =
      !start.name.empty() && at + start.name.size() <= tokens.size() &&
      std::equal(start.name.begin(), start.name.end(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                 [](const std::string& word, const Token& token) { return word == token.word; });
  if (by_name) return {start.name.size(), true};
  if (start.entity)
    if (const std::size_t words = alias_length(tokens, at, *start.entity); words > 0) return {words, true};
  return {name_length(tokens, at), false};
}

void WordPieces::add_utterance(std::string_view text, const Start& start, int max_words, WordBag& bag) const {
  const std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size() && bag.size() < max_words;) {
    const Name name = name_at(tokens, i, start);
    if (name.words == 0) {
      add_word(mended(tokens[i++].word), bag);
      continue;
    }
    add_mark(name.is_start ? kStartMark : kNameMark, bag);
    i += name.words;
  }
}

WordBag WordPieces::heard(std::span<const graph::Chat> context, std::string_view start_name, int utterances,
                          int max_words, std::optional<graph::EntityId> start) const {
  WordBag bag;
  const Start names = start_of(start_name, start);
  for (int age = 0; age < utterances && static_cast<std::size_t>(age) < context.size(); ++age) {
    if (bag.size() >= max_words) break;
    const graph::Chat& chat = context[context.size() - 1 - static_cast<std::size_t>(age)];
    add_mark(kAgeMarks + std::min<std::int64_t>(age, kMaxAge), bag);  // a question is one whoever asks it
    add_utterance(chat.text, names, max_words, bag);
  }
  if (bag.begins.empty()) add_mark(0, bag);
  return bag;
}

std::string WordPieces::plain(std::span<const graph::Chat> context, std::string_view start_name,
                              std::optional<graph::EntityId> start) const {
  std::string text;
  if (context.empty()) return text;
  const Start names = start_of(start_name, start);
  const std::vector<Token> tokens = tokens_of(context.back().text);
  for (std::size_t i = 0; i < tokens.size();) {
    const Name name = name_at(tokens, i, names);
    text.append(text.empty() ? "" : " ")
        .append(name.words == 0 ? mended(tokens[i].word)
                : name.is_start ? "it"
                                : "something");
    i += std::max<std::size_t>(1, name.words);
  }
  if (context.back().text.find('?') != std::string::npos) text.append("?");
  return text;
}

WordBag WordPieces::word(std::string_view word) const {
  WordBag bag;
  if (word.empty()) {
    add_mark(0, bag);
  } else {
    add_word(word, bag);
  }
  return bag;
}

// An inverse is said as one would: "directed" for what was directed by somebody, "genre of" for what has a
// genre.
std::vector<std::string> WordPieces::relation_words(std::string_view name) {
  dialogue::RelationWords read = dialogue::relation_words(name);
  std::replace(read.words.begin(), read.words.end(), '/', ' ');
  std::vector<std::string> words = dialogue::words_of(read.words);
  if (read.inverse && words.size() > 1 && words.back() == "by") {
    words.pop_back();
  } else if (read.inverse) {
    if (words.size() > 1 && words.front() == "has") words.erase(words.begin());
    words.emplace_back("of");
  }
  if (words.empty()) words.emplace_back();
  return words;
}

}  // namespace kgwalk::walker
