// Sets of a form as noun phrases: "films directed by Christopher Nolan that came out after 2005". Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialogue/telling/fact_speaker.h"
#include "kgwalk/query.h"

namespace kgwalk::dialogue {

enum class PhraseKind : std::uint8_t {
  kAny,       // "films directed by Nolan"
  kDefinite,  // "director of Heat": takes "the"
  kNames,     // "Heat and Casino", "those": takes "of" behind a number
};

struct Phrase {
  std::string noun = {};
  std::vector<std::string> clauses = {};
  PhraseKind kind = PhraseKind::kAny;
  bool generic = false;  // the noun says nothing: "things", "works"

  [[nodiscard]] std::string text() const;
  // With "the" where it takes one.
  [[nodiscard]] std::string definite() const;
  // With "the" unless it is names: those of them that there are.
  [[nodiscard]] std::string all() const;
};

// A set that is one step from one entity, of a type or not.
struct OneHop {
  graph::EntityId head = 0;
  graph::RelationId relation = 0;
  const forms::Set* type = nullptr;  // where one was asked for
};
[[nodiscard]] std::optional<OneHop> one_hop(const forms::Set& set);

// Borrows all.
class SetSpeaker {
 public:
  SetSpeaker(const FactSpeaker& facts, const forms::Engine& engine, forms::Bindings before)
      : facts_(facts), engine_(engine), before_(before) {}

  // `type`: a noun in the singular for what would be a thing otherwise.
  [[nodiscard]] Phrase phrase(const forms::Set& set, bool many, const std::string& type = {}) const;
  // "one film directed by Nolan", "12 films directed by Nolan", "no films directed by Nolan".
  [[nodiscard]] std::string counted(std::uint64_t number, const forms::Set& set,
                                    const std::string& type = {}) const;
  // "the director of Heat", "films directed by Nolan", as the end of a fact.
  [[nodiscard]] Names names(const forms::Set& set) const;
  // A noun for the type that all share, the one with the fewest members. Empty where there is none.
  [[nodiscard]] std::string shared_type(std::span<const graph::EntityId> entities) const;
  // The type that all members of a set share; empty where finding them takes long.
  [[nodiscard]] std::string shared_type(const forms::Set& set) const;
  // "films", "children": what a measure counts.
  [[nodiscard]] std::string counted_noun(const forms::Measure& measure, bool many) const;
  // "most films", "greatest height", "latest birthday".
  [[nodiscard]] std::string extreme(const forms::Measure& measure, bool greatest) const;
  // "newest", "tallest"; empty where nobody gave a word.
  [[nodiscard]] std::string superlative(const forms::Measure& measure, bool greatest) const;

 private:
  // `join`: whether a step leads from any ("or") or from all ("and") of what it begins with.
  [[nodiscard]] Phrase step(const forms::Set& set, bool many, const std::string& type,
                            const char* join = "or") const;
  [[nodiscard]] bool is_of_kind(const forms::Set& step) const;
  [[nodiscard]] std::vector<std::string> qualified_clauses(const forms::Set& step) const;
  [[nodiscard]] std::vector<std::string> step_clauses(const forms::Set& step, bool many,
                                                      const char* join = "or") const;
  [[nodiscard]] std::string step_clause(const forms::Set& set, bool many, const char* join) const;
  [[nodiscard]] Phrase all_of(const forms::Set& set, bool many, const std::string& type) const;
  [[nodiscard]] Phrase any_of(const forms::Set& set, bool many, const std::string& type) const;
  [[nodiscard]] Phrase without(const forms::Set& set, bool many, const std::string& type) const;
  [[nodiscard]] Phrase limited(const forms::Set& set, bool many, const std::string& type) const;
  // `place`: of the one at that place, from 2; 0 of as many as the set says.
  [[nodiscard]] Phrase ranked(const forms::Set& set, bool many, const std::string& type,
                              std::uint64_t place = 0) const;
  [[nodiscard]] std::vector<std::string> clauses(const forms::Set& set, bool many) const;
  [[nodiscard]] std::string condition(const forms::Set& where) const;
  // A noun for whatever the relation leads to.
  [[nodiscard]] std::string noun_of_ends(graph::RelationId relation) const;
  [[nodiscard]] std::optional<std::vector<graph::EntityId>> members(const forms::Set& set) const;

  const FactSpeaker& facts_;
  const forms::Engine& engine_;
  forms::Bindings before_;
};

}  // namespace kgwalk::dialogue
