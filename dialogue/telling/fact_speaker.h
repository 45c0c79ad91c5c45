// Facts, and what relations lead to, as parts of a sentence. Torch-free.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dialogue/questions/bank.h"
#include "dialogue/response/wordings.h"
#include "dialogue/telling/measures.h"
#include "dialogue/telling/names.h"
#include "kgwalk/forms.h"
#include "kgwalk/typed_values.h"

namespace kgwalk::dialogue {

// Names that stand at one end of a statement. One text may stand for many things ("films by Nolan"): the
// verb beside it is in the plural then.
struct Names {
  std::vector<std::string> texts = {};
  bool many = false;
  std::string join = "and";
};

// Borrows both. Thread-safe.
class FactSpeaker {
 public:
  FactSpeaker(const graph::TypedValues& values, const Wordings& wordings)
      : values_(values), wordings_(wordings), kinds_(kind_relation(values.graph())) {}

  // kind_relation() of the graph.
  [[nodiscard]] std::optional<graph::RelationId> kinds() const noexcept { return kinds_; }

  // "Christopher Nolan directed Inception": all tails are of the head. `more` tails are counted, not named.
  [[nodiscard]] Worded fact(graph::EntityId head, graph::RelationId relation,
                            const std::vector<graph::EntityId>& tails, std::size_t more = 0,
                            std::size_t variety = 0) const;
  [[nodiscard]] Worded fact(const graph::Triple& edge, std::size_t variety = 0) const;
  // The same with texts; for relations that lead to things.
  [[nodiscard]] Worded statement(const Names& head, graph::RelationId relation, const Names& tail,
                                 std::size_t variety = 0) const;

  // What the relation leads to, without an article: "director of Heat". Empty where its words give no noun.
  [[nodiscard]] std::string noun(const Names& head, graph::RelationId relation, bool many) const;
  // What stands beside a noun for what the relation leads to: "directed by Nolan", "that star Al Pacino".
  [[nodiscard]] std::string clause(const Names& head, graph::RelationId relation, bool many) const;
  // A statement about `counted` ("12 films") of what it leads to: "Nolan directed 12 films". Empty where the
  // relation has no such wording.
  [[nodiscard]] std::string counted(const Names& head, graph::RelationId relation, const std::string& counted,
                                    bool many) const;

  // Whether most of what it leads to are values.
  [[nodiscard]] bool leads_to_values(graph::RelationId relation) const;
  [[nodiscard]] bool leads_to_times(graph::RelationId relation) const;
  // The words for it in order and comparisons; nullptr where nobody gave them.
  [[nodiscard]] const MeasureWords* measure(graph::RelationId relation) const;
  // "release year", "height": a noun for its value.
  [[nodiscard]] std::string value_noun(graph::RelationId relation) const;
  // A condition on its value: "that came out after 2005", "with a population over 1,000".
  [[nodiscard]] std::string value_clause(graph::RelationId relation, const std::string& condition, bool equal,
                                         bool many) const;
  // "children", "works": what it leads to, counted, without what it leads from.
  [[nodiscard]] std::string counted_noun(graph::RelationId relation, bool many) const;
  // "person", "work", "thing".
  [[nodiscard]] std::string kind_noun(graph::RelationId relation) const;
  [[nodiscard]] Kind kind_of_head(graph::RelationId relation) const;

  [[nodiscard]] const graph::TypedValues& values() const { return values_; }
  [[nodiscard]] const Wordings& wordings() const { return wordings_; }

 private:
  [[nodiscard]] Worded type_fact(graph::EntityId head, const std::vector<graph::EntityId>& types) const;
  [[nodiscard]] Worded type_fact_backwards(graph::EntityId type, const std::vector<graph::EntityId>& members,
                                           std::size_t more) const;
  [[nodiscard]] Worded value_fact(graph::EntityId head, graph::RelationId relation,
                                  const std::vector<graph::EntityId>& tails, std::size_t more) const;
  [[nodiscard]] std::vector<std::string> statements_of(const Names& head, graph::RelationId relation,
                                                       bool many) const;
  [[nodiscard]] std::string words(graph::RelationId relation) const;
  [[nodiscard]] bool is_backwards(graph::RelationId relation) const;

  const graph::TypedValues& values_;
  const Wordings& wordings_;
  std::optional<graph::RelationId> kinds_;
};

}  // namespace kgwalk::dialogue
