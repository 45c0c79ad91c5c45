// How relations are put into words: noun phrases, clauses and whole questions for what a relation leads to. Torch-free.
#pragma once

#include <string>
#include <vector>

#include "listening/questions/graph_draws.h"
#include "listening/words/measures.h"

namespace kgwalk::listening {

// Borrows what it is made of.
class Wording {
 public:
  Wording(const GraphDraws& draws, Random& random) : draws_(draws), random_(random) {}

  // A name as people say it: without its "(...)", sometimes in lower case, shortened or mistyped.
  [[nodiscard]] std::string name(graph::EntityId entity);
  // A noun for what the relation leads to, read forward.
  [[nodiscard]] std::string noun(graph::RelationId relation);
  // A noun for a set: a type that all have, else a word for its kind.
  [[nodiscard]] std::string set_noun(const EntitySet& set, EndKind kind);

  // "the director of X", "the films directed by X": what the relation (either way) leads to from what is said as x.
  [[nodiscard]] std::string phrase(graph::RelationId relation, const std::string& x,
                                   const EntitySet& reached);
  // What may follow "which T": "was directed by X".
  [[nodiscard]] std::string clause(graph::RelationId relation, const std::string& x);
  // A whole question for it; `type`: a noun that must be said, or empty.
  [[nodiscard]] std::string ask(graph::RelationId relation, const std::string& x, const EntitySet& reached,
                                const std::string& type);
  [[nodiscard]] std::string ask_how_many(graph::RelationId relation, const std::string& x,
                                         const EntitySet& reached, const std::string& type);
  // Whether the relation, read forward, leads from what is said as x to y.
  [[nodiscard]] std::string ask_whether(graph::RelationId relation, const std::string& x,
                                        const std::string& y);

  [[nodiscard]] std::string one_of(const std::vector<std::string>& wordings);
  // Slips and capitals of the typing hand; words of `names` stay.
  [[nodiscard]] std::string typed(std::string question, const std::vector<std::string>& names);

 private:
  [[nodiscard]] const RelationWords& words(graph::RelationId relation) const {
    return draws_.lexicon().relation(relation);
  }
  [[nodiscard]] bool backward(graph::RelationId relation) const {
    return draws_.lexicon().is_inverse(relation);
  }
  void add_forward(const RelationWords& relation, const std::string& noun, const std::string& x,
                   const std::string& t, std::vector<std::string>& out);
  void add_backward(graph::RelationId r, const std::string& noun, const std::string& x,
                    const std::string& one, const std::string& many, std::vector<std::string>& out);

  const GraphDraws& draws_;
  Random& random_;
};

}  // namespace kgwalk::listening
