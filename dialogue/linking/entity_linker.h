// What entities a person means who types a text: names in full or without their "(...)", in any case, with or
// without accents and punctuation, also as owners ("Nolan's"). Longest names first. A name that several
// entities have keeps them all; where nothing is found the nearest names are offered.
//
// Many names are everyday words ("Up", "It"). How often a phrase means the entity when it occurs, its
// keyphraseness (Mihalcea and Csomai, "Wikify!", CIKM 2007), is counted over the training dialogues and their
// paths. A phrase that seldom does is taken for a name only when it is written with a capital inside a
// sentence, or is all that was typed; or, when the text names nothing else, when it has several words and
// meant the entity at least once. Where there are no dialogues to count over, MentionFinder decides: by a
// list of everyday words, and with parts of names and other blanks. Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "dialogue/linking/namesakes.h"
#include "dialogue/linking/said_words.h"
#include "kgwalk/dialogue.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace kgwalk::dialogue {

class MentionFinder;

struct LinkedMention {
  std::string text;                       // as typed
  std::vector<graph::EntityId> entities;  // all that have the name, the likeliest first; never empty
  // The first is meant: no other has the name, it was written in full, or what was said and walked speaks for
  // it clearly more than for the others.
  bool sure = true;
};

struct UnknownName {
  std::string text;                  // as typed
  std::vector<std::string> nearest;  // names of the graph, best first; never empty
};

struct LinkedText {
  std::vector<LinkedMention> mentions;  // in the order of the text, without overlaps
  std::vector<UnknownName> unknown;     // what looks like a name and is none; only when no mention was found
};

// What a name given on its own may mean.
struct NameMatch {
  std::vector<graph::EntityId> entities;  // the likeliest first; empty when the graph has none of that name
  std::vector<std::string> nearest;       // in that case
};

class EntityLinker {
 public:
  // The graph is borrowed and must outlive this object. Counts over `dialogues`, those of the training.
  // `names`: of the same graph, where they are indexed already.
  EntityLinker(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues,
               std::shared_ptr<const NameIndex> names = nullptr);
  // The same where the words of `dialogues` were split already.
  EntityLinker(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues,
               const SaidWords& said, std::shared_ptr<const NameIndex> names);
  EntityLinker(EntityLinker&&) noexcept;
  ~EntityLinker();
  // Over the training dialogues of a database.
  [[nodiscard]] static EntityLinker open(const graph::Store& store, const graph::KnowledgeGraph& graph);

  // Where entities share a name, one written in full comes first, then neighbors of `near`, then those with
  // the most edges. ConfigError when the text is not valid UTF-8. Thread-safe.
  [[nodiscard]] LinkedText link(std::string_view text,
                                std::optional<graph::EntityId> near = std::nullopt) const;
  // Where entities share a name, behind one written in full, those come first that the text itself and the
  // dialogue so far speak for (dialogue/linking/namesakes.h), then as above.
  [[nodiscard]] LinkedText link(std::string_view text, const LinkContext& context) const;
  // What link() finds to be mentioned, without the search for names near those that are unknown, which takes
  // longest.
  [[nodiscard]] std::vector<LinkedMention> mentions(std::string_view text,
                                                    std::optional<graph::EntityId> near = std::nullopt) const;
  [[nodiscard]] std::vector<LinkedMention> mentions(std::string_view text, const LinkContext& context) const;
  // Entities without edges are found too, by their full name.
  [[nodiscard]] NameMatch resolve(std::string_view name) const;

 private:
  struct Token;
  struct Found;
  struct Finder;  // made at its first use
  struct Seen {
    std::int32_t times = 0, meant = 0;  // messages with the phrase; of these, with a path through the entity
  };

  void count(std::span<const graph::Dialogue> dialogues, const SaidWords& said);
  void count_message(std::span<const WordId> words, const std::unordered_set<graph::EntityId>& on_paths);
  [[nodiscard]] std::vector<Token> tokens_of(std::string_view text) const;
  // `seldom`: names of several words that are seldom meant count too.
  [[nodiscard]] std::vector<LinkedMention> mentions_in(std::string_view text, std::span<const Token> tokens,
                                                       std::optional<graph::EntityId> near,
                                                       const Clues* clues, bool seldom) const;
  [[nodiscard]] LinkedText linked(std::string_view text, std::optional<graph::EntityId> near,
                                  const Clues* clues) const;
  [[nodiscard]] std::vector<LinkedMention> mentioned(std::string_view text, std::span<const Token> tokens,
                                                     std::optional<graph::EntityId> near,
                                                     const Clues* clues) const;
  // As MentionFinder covers the text.
  [[nodiscard]] std::vector<LinkedMention> covered(std::string_view text, std::optional<graph::EntityId> near,
                                                   const Clues* clues) const;
  [[nodiscard]] bool in_full(graph::EntityId entity, std::string_view typed) const;
  [[nodiscard]] Found longest_at(std::span<const Token> tokens, std::size_t at, bool seldom) const;
  [[nodiscard]] bool is_name(std::span<const Token> tokens, std::size_t at, std::size_t length,
                             graph::EntityId first, bool seldom) const;
  // True when the first is clearly meant. `clues` may be null.
  bool rank(std::vector<graph::EntityId>& entities, std::string_view typed,
            std::optional<graph::EntityId> near, const Clues* clues) const;
  [[nodiscard]] std::vector<UnknownName> unknown_in(std::string_view text,
                                                    std::span<const Token> tokens) const;

  const graph::KnowledgeGraph& graph_;
  std::shared_ptr<const NameIndex> names_;
  std::unordered_map<graph::EntityId, Seen> seen_;  // by the first entity of the phrase's name
  std::unordered_set<std::string> words_;           // of all messages
  std::unique_ptr<Finder> finder_;                  // where there are no dialogues
  std::unordered_set<std::string> messages_;  // short ones, as they are: "thank you" is no misspelled name
};

}  // namespace kgwalk::dialogue
