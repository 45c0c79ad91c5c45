// How relations are put into words: noun phrases, clauses and whole questions for what a relation leads to.
// Torch-free.
//
// What is said as x may be kTopic (listening/questions/topic_words.h), which is put into words at the end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dialogue/questions/bank.h"
#include "dialogue/telling/measures.h"
#include "listening/questions/graph_draws.h"
#include "listening/questions/verbs.h"

namespace kgwalk::listening {

struct WordingShares {
  double bank = 0.2;   // of the bank's own wordings, where it has some for a relation
  double typos = 0.1;  // questions with a slip in a name, about
  double lower_case = 0.15;
  double asides = 0.1;  // with words that ask nothing, before it, in it or behind it
};

// Borrows what it is made of.
class Wording {
 public:
  Wording(const GraphDraws& draws, const WordingShares& shares, Random& random);

  // A name as people say it: without its "(...)", sometimes in lower case, shortened or mistyped.
  [[nodiscard]] std::string name(graph::EntityId entity);
  // A noun for what the relation leads to, read forward. Empty where its name is a verb.
  [[nodiscard]] std::string noun(graph::RelationId relation);
  // A noun for a set that the relation leads to: a type that all have, else a word for its kind.
  [[nodiscard]] std::string set_noun(const EntitySet& set, graph::RelationId relation);
  // Nouns that an entity is called by: "film", "director", "city".
  [[nodiscard]] std::vector<std::string> nouns_of(graph::EntityId entity) const;

  // "the director of X", "the films directed by X": what the relation (either way) leads to from what is said
  // as x; `noun` for it, or empty.
  [[nodiscard]] std::string phrase(graph::RelationId relation, const std::string& x, const EntitySet& reached,
                                   std::optional<bool> several = {}, const std::string& noun = "");
  // What may follow "which T" or, where several, "which Ts": "was directed by X".
  [[nodiscard]] std::string clause(graph::RelationId relation, const std::string& x, bool several);
  // A whole question for it; `type`: a noun that must be said, or empty.
  [[nodiscard]] std::string ask(graph::RelationId relation, const std::string& x, const EntitySet& reached,
                                const std::string& type);
  // Nothing where the bank has no wording for it, or another way is taken.
  [[nodiscard]] std::string ask_by_bank(graph::RelationId relation, const std::string& x,
                                        const EntitySet& reached);
  // For what a relation of the family would lead to; nothing where no wording is known.
  [[nodiscard]] std::string ask_of_family(const Family& family, const std::string& x);
  // By a word that only may stand for it; empty where there is none.
  [[nodiscard]] std::string ask_loosely(graph::RelationId relation, const std::string& x,
                                        const EntitySet& reached);
  // Whether it leads from a work to those who play in it.
  [[nodiscard]] bool leads_to_players(graph::RelationId relation) const;
  // For who played the part called `name` in x.
  [[nodiscard]] std::string ask_by_role(const std::string& x, const std::string& name);
  // Asks with `word` alone, of x; `wh` and the noun `t` say what for.
  [[nodiscard]] std::string ask_around(const std::string& word, const std::string& x, const std::string& wh,
                                       const std::string& t);
  // For things of a kind that have to do with x: "songs by X".
  [[nodiscard]] std::string ask_by_noun(const std::string& noun, const std::string& x, bool counted);
  [[nodiscard]] std::string ask_how_many(graph::RelationId relation, const std::string& x,
                                         const EntitySet& reached, const std::string& type);
  // Whether the relation, read forward, leads from what is said as x to y.
  [[nodiscard]] std::string ask_whether(graph::RelationId relation, const std::string& x,
                                        const std::string& y);
  // The same by "in" alone, of what is part of, takes part in or stands in something: "is Y in X". Empty for
  // others.
  [[nodiscard]] std::string ask_whether_within(graph::RelationId relation, const std::string& x,
                                               const std::string& y);
  // Whether it leads anywhere: "is X married". Empty where it cannot be said.
  [[nodiscard]] std::string ask_any(graph::RelationId relation, const std::string& x);
  // Of a relation that leads to yes or no: "is X radioactive".
  [[nodiscard]] std::string ask_flag(graph::RelationId relation, const std::string& x);
  // For others than those named before: "what else did X direct".
  [[nodiscard]] std::string ask_more(graph::RelationId relation, const std::string& x,
                                     const EntitySet& reached);
  // The same as a statement with "right?" behind it, or the like. Empty where it cannot be said.
  [[nodiscard]] std::string ask_by_telling(graph::RelationId relation, const std::string& x,
                                           const std::string& y);
  // For what has the same: "which films have the same director as X". Empty where it cannot be said.
  [[nodiscard]] std::string ask_same(graph::RelationId relation, const std::string& x,
                                     const EntitySet& reached);
  // The same by what both have: "what else did the director of X direct"; `inner`: the phrase for that.
  [[nodiscard]] std::string ask_others(graph::RelationId relation, const std::string& x,
                                       const std::string& inner, const EntitySet& reached);
  // For what x did both: "which films did X write and direct".
  [[nodiscard]] std::string ask_two_of_one(graph::RelationId first, graph::RelationId second,
                                           const std::string& x, const std::string& t);
  // Whether x and y have made anything together; `first` and `second` lead to what they made, which is a `t`.
  [[nodiscard]] std::string ask_whether_met(graph::RelationId first, graph::RelationId second,
                                            const std::string& x, const std::string& y, const std::string& t);
  // Whether the relation leads from both to the same.
  [[nodiscard]] std::string ask_whether_same(graph::RelationId relation, const std::string& x,
                                             const std::string& y);
  // For what is called by the word that it has, as comedies are, and that `clause` or `with` says of it
  // besides; both may be empty. `t`: a noun for it.
  [[nodiscard]] std::string ask_by_word(const std::string& word, const std::string& t,
                                        const std::string& clause, const std::string& with);
  // "1990s", "nineties", "90s"
  [[nodiscard]] std::string decade(std::int64_t from);
  // Of a count: "directed the most films", "has more children".
  [[nodiscard]] std::string has_so_many(graph::RelationId relation, const EntitySet& reached,
                                        const std::string& how_many);
  // Without a subject: "and the director?", "directed by whom".
  [[nodiscard]] std::string ask_shortly(graph::RelationId relation, const EntitySet& reached);
  [[nodiscard]] bool is_well_known(graph::RelationId relation) const;  // by a family, a measure or the bank

  // A wording of the bank or of unsaid.txt with its places filled.
  [[nodiscard]] static std::string filled(std::string wording, const std::string& x, const std::string& y);
  [[nodiscard]] std::string one_of(const std::vector<std::string>& wordings);
  // Slips and capitals of the typing hand; words of `names` stay.
  [[nodiscard]] std::string typed(std::string question, const std::vector<std::string>& names);

 private:
  [[nodiscard]] std::string led_in(std::string question);
  void add_inside(std::vector<std::string>& words, const std::vector<std::string>& kept);
  // By most of the relations that it has.
  [[nodiscard]] std::vector<std::string> usual_nouns(graph::EntityId entity) const;
  using Lines = std::vector<std::string>;
  struct BankLines {
    Lines one, list, verify;
  };
  [[nodiscard]] const SaidRelation& said(graph::RelationId relation) const {
    return said_[draws_.lexicon().entry_of(relation)];
  }
  [[nodiscard]] bool backward(graph::RelationId relation) const {
    return draws_.lexicon().is_inverse(relation);
  }
  [[nodiscard]] std::vector<graph::RelationId> asked_relations() const;
  void read_bank();
  void read_asked();
  void add_to_bank(const dialogue::Family& family, graph::RelationId relation, bool inverse);
  void add_forward_phrases(const SaidRelation& own, const std::string& x, const std::string& n,
                           const std::string& t, Lines& out) const;
  void add_backward_phrases(const SaidRelation& own, const std::string& x, const std::string& n,
                            const std::string& ts, bool several, Lines& out) const;
  void add_forward(graph::RelationId relation, const std::string& n, const std::string& x,
                   const std::string& t, Lines& out);
  void add_value(graph::RelationId relation, const std::string& n, const std::string& x, Lines& out);
  void add_backward(graph::RelationId relation, const std::string& n, const std::string& x,
                    const std::string& one, bool several, Lines& out);
  void add_where(const SaidRelation& own, const std::string& n, const std::string& x, const std::string& t,
                 Lines& out);

  const GraphDraws& draws_;
  WordingShares shares_;
  Random& random_;
  std::vector<SaidRelation> said_;               // by entry of the lexicon
  std::map<graph::RelationId, BankLines> bank_;  // by relation, either way
  std::map<const Family*, Lines> asked_;         // for what is asked of a head, of graphs without it too
};

}  // namespace kgwalk::listening
