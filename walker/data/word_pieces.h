// Words as bags of hashed character n-grams, so that a word that no training text holds, or one mistyped,
// still has a vector near those of words spelled alike (Bojanowski et al., "Enriching word vectors with
// subword information", TACL 2017). What was said is read with the names taken out: how a question asks does
// not depend on whom it is about. Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "kgwalk/dialogue.h"
#include "walker/data/spelling.h"

namespace kgwalk::walker {

// A text as one bag of table rows a word; row 0 stands for nothing.
struct WordBag {
  std::vector<std::int64_t> rows;    // of all words, word after word
  std::vector<std::int64_t> begins;  // [words] first of each word in `rows`
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begins.size()); }
};

// What a listener reads of an example: the words of the last utterances, and the last one in plain text.
struct HeardText {
  WordBag words;
  std::string plain;
};

class WordPieces {
 public:
  // `buckets`: rows of the table, at least 64. The name index is borrowed. Words outside names are mended by
  // `spelling`, which may be null.
  WordPieces(const dialogue::NameIndex& names, std::int64_t buckets,
             std::shared_ptr<const Spelling> spelling = nullptr)
      : names_(names), buckets_(buckets), spelling_(std::move(spelling)) {}

  // The last `utterances` of what was said, newest first, at most `max_words` words; each utterance begins
  // with a mark that tells how old it is and who spoke. The words of the start's name become one mark, other
  // names another: all of several words, and those of one word that are written with a capital inside a
  // sentence. Where the entity `start` is given, its aliases are its name too.
  [[nodiscard]] WordBag heard(std::span<const graph::Chat> context, std::string_view start_name,
                              int utterances, int max_words,
                              std::optional<graph::EntityId> start = std::nullopt) const;
  // The last utterance for a text encoder: the start's name is "it", other names are "something".
  [[nodiscard]] std::string plain(std::span<const graph::Chat> context, std::string_view start_name,
                                  std::optional<graph::EntityId> start = std::nullopt) const;
  // Both, of a walk that starts at the entity of this name.
  [[nodiscard]] HeardText read(std::span<const graph::Chat> context, std::string_view start_name,
                               int utterances, int max_words,
                               std::optional<graph::EntityId> start = std::nullopt) const {
    return {heard(context, start_name, utterances, max_words, start), plain(context, start_name, start)};
  }
  // One word.
  [[nodiscard]] WordBag word(std::string_view word) const;
  // The words of a relation's name, "~written_by" and "music/album/release_type" too; the direction is not
  // among them. At least one, which may be empty.
  [[nodiscard]] static std::vector<std::string> relation_words(std::string_view name);

 private:
  struct Token;
  [[nodiscard]] std::vector<Token> tokens_of(std::string_view text) const;
  struct Start;  // the names of a walk's start
  struct Name;   // words that are one
  [[nodiscard]] static Start start_of(std::string_view name, std::optional<graph::EntityId> entity);
  [[nodiscard]] Name name_at(std::span<const Token> tokens, std::size_t at, const Start& start) const;
  [[nodiscard]] std::size_t alias_length(std::span<const Token> tokens, std::size_t at,
                                         graph::EntityId start) const;
  [[nodiscard]] std::size_t name_length(std::span<const Token> tokens, std::size_t at) const;
  [[nodiscard]] std::string mended(const std::string& word) const {
    return spelling_ ? spelling_->mended(word) : word;
  }
  void add_word(std::string_view word, WordBag& bag) const;
  static void add_mark(std::int64_t mark, WordBag& bag);
  void add_utterance(std::string_view text, const Start& start, int max_words, WordBag& bag) const;

  const dialogue::NameIndex& names_;
  std::int64_t buckets_;
  std::shared_ptr<const Spelling> spelling_;
};

}  // namespace kgwalk::walker
