// A question with what is right for it: what hearing forms is trained and measured on. Torch-free.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "listening/candidates/candidates.h"

namespace kgwalk::listening {

struct FormQuestion {
  std::string text;
  std::string kind;  // for reports: "one hop", "two hops", "and", "count", "yes or no", ...
  bool counted = false;
  bool unsaid = false;  // the graph has no answer: a relation or a name that it does not have
  std::vector<graph::EntityId> answers = {};   // the set that is told or counted, ascending
  std::optional<bool> truth = {};              // of a question answered by yes or no
  std::optional<double> amount = {};           // of one answered by a sum, an average or a difference
  std::optional<std::uint64_t> how_many = {};  // of a counted one whose set is not known
  bool without_named = false;  // answers leave out what the question itself names, as some collections do
  // Relations of the form that it was made from, where it is known, in any order.
  std::vector<graph::RelationId> relations = {};
  std::vector<graph::EntityId> named = {};
  SaidBefore before = {};  // of questions of a conversation
};

// Whether the candidate answers the question right, told or counted. `mentions`: those that the candidates
// are made of.
[[nodiscard]] bool is_right(const FormQuestion& question, const Candidate& candidate, bool counted,
                            std::span<const HeardMention> mentions);

// Which candidates are right, [C, 2]: told and counted. By answers; of checks those of the right relations
// where one of them is right at all.
[[nodiscard]] std::vector<float> right_candidates(const FormQuestion& question,
                                                  std::span<const Candidate> candidates,
                                                  std::span<const HeardMention> mentions,
                                                  const Lexicon& lexicon);

}  // namespace kgwalk::listening
