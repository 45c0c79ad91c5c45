// Which parts of a text may name entities, and how: what hearing a question begins with.
//
// A name is found as it is written, in any case, without accents and punctuation, without its "(...)"; by an
// alias; written as one word or as several ("spiderman", "token arcade"); by a part (surname, without
// article, middle initial or subtitle); with one typing error; and inside texts without blanks between words.
// Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "dialogue/linking/name_keys.h"
#include "dialogue/linking/text_words.h"
#include "kgwalk/choice.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

// How a text names an entity, best first.
enum class NameFit : std::uint8_t {
  kWritten,  // just as the name is
  kWhole,    // all of its words or those of an alias, in another case or spelling
  kJoined,   // with other blanks
  kPart,     // a part that stands for it
  kSlip,     // with a typing error
};
constexpr auto choice_names(NameFit) {
  return choices_in_order<NameFit>("written", "whole", "joined", "part", "slip");
}

struct NamedEntity {
  graph::EntityId entity = 0;
  NameFit fit = NameFit::kWhole;
  friend bool operator==(const NamedEntity&, const NamedEntity&) = default;
};

struct Mention {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::size_t first_word = 0, num_words = 0;
  std::vector<NamedEntity> entities;  // best fit first, then with the most edges; never empty
  // Everyday words all of them, and nothing says that they are meant as a name ("it", "in", "nature").
  bool everyday = false;
  [[nodiscard]] std::string_view in(std::string_view text) const { return text.substr(begin, end - begin); }
};

// Entities of a graph so small that a word of it is rarely a name by accident.
inline constexpr std::size_t kFewNames = 5000;

class MentionFinder {
 public:
  // The graph is borrowed. `names`: of the same graph, where they are indexed already.
  explicit MentionFinder(const graph::KnowledgeGraph& graph,
                         std::shared_ptr<const NameIndex> names = nullptr);

  // All that may be named, also in overlapping parts, by first word, the longest first. ConfigError when the
  // text is not valid UTF-8. Thread-safe.
  [[nodiscard]] std::vector<Mention> find(std::string_view text) const;
  // Those that together cover the text best, without overlaps, in its order. Everyday words count where they
  // have several words and nothing else is named, and where they are all that was said.
  [[nodiscard]] std::vector<Mention> cover(std::string_view text) const;

 private:
  using Words = std::span<const TextWord>;
  struct Span {  // of words; `owner`: the last one without 's
    std::size_t begin = 0, length = 0;
    bool owner = false;
  };
  void find_whole(std::string_view text, Words words, std::vector<Mention>& out) const;
  void find_plurals(std::string_view text, Words words, std::size_t first, std::vector<bool>& ended,
                    std::vector<Mention>& out) const;
  void find_by_keys(std::string_view text, Words words, std::vector<Mention>& out) const;
  void find_slips(std::string_view text, Words words, std::vector<Mention>& out) const;
  void find_unspaced(std::string_view text, Words words, std::vector<Mention>& out) const;
  void add(std::string_view text, Words words, Span span, std::span<const graph::EntityId> entities,
           NameFit fit, std::vector<Mention>& out) const;
  void add_holders(Mention& mention) const;
  [[nodiscard]] bool is_everyday(std::string_view text, Words words, const Mention& mention) const;

  const graph::KnowledgeGraph& graph_;
  std::shared_ptr<const NameIndex> names_;
  NameKeys keys_;
};

}  // namespace kgwalk::dialogue
