#include "listening/candidates/question.h"

#include <algorithm>
#include <cmath>

namespace kgwalk::listening {
namespace {

// Whichever way they are read.
bool has_relations(const FormQuestion& question, const Candidate& candidate, const Lexicon& lexicon) {
  std::vector<std::size_t> wanted, found;
  for (const graph::RelationId relation : question.relations) wanted.push_back(lexicon.entry_of(relation));
  for (const Slot& slot : candidate.slots) found.push_back(lexicon.entry_of(slot.relation));
  std::sort(wanted.begin(), wanted.end());
  std::sort(found.begin(), found.end());
  return wanted == found;
}

bool is_same_amount(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Half of the forms that are answered by yes or no are right by chance: those of the right relations count
// where there are any.
void keep_right_relations(const FormQuestion& question, std::span<const Candidate> candidates,
                          const Lexicon& lexicon, std::vector<float>& right) {
  const auto fits = [&](std::size_t c) {
    return right[2 * c] > 0 && has_relations(question, candidates[c], lexicon);
  };
  bool any = false;
  for (std::size_t c = 0; c < candidates.size() && !any; ++c) any = fits(c);
  for (std::size_t c = 0; any && c < candidates.size(); ++c)
    if (!fits(c)) right[2 * c] = 0;
}

}  // namespace

bool is_right(const FormQuestion& question, const Candidate& candidate, bool counted,
              std::span<const HeardMention> mentions) {
  if (question.unsaid || candidate.shape == Shape::kNothing)
    return question.unsaid && candidate.shape == Shape::kNothing && !counted;
  if (question.truth || candidate.truth) {
    // Whether it has any is not whether it has that one.
    const bool other = candidate.asked == Asked::kCheck && !question.named.empty() &&
                       candidate.mentions.size() != question.named.size();
    return question.truth && candidate.truth == question.truth && !counted && !other;
  }
  if (question.amount || candidate.amount)
    return question.amount && candidate.amount && !counted &&
           is_same_amount(*question.amount, *candidate.amount);
  if (question.counted != counted || (counted && !candidate.countable)) return false;
  if (question.how_many) return candidate.answers.size() == *question.how_many && !candidate.answers.empty();
  if (question.answers.empty()) return false;
  if (!question.without_named) return candidate.answers == question.answers;
  std::vector<graph::EntityId> left = candidate.answers;
  std::erase_if(left, [&](graph::EntityId entity) {
    const bool named = std::any_of(mentions.begin(), mentions.end(),
                                   [&](const HeardMention& mention) { return mention.entity == entity; });
    return named && !std::binary_search(question.answers.begin(), question.answers.end(), entity);
  });
  return left == question.answers;
}

std::vector<float> right_candidates(const FormQuestion& question, std::span<const Candidate> candidates,
                                    std::span<const HeardMention> mentions, const Lexicon& lexicon) {
  std::vector<float> right(2 * candidates.size(), 0);
  for (std::size_t c = 0; c < candidates.size(); ++c)
    for (const bool counted : {false, true})
      if (is_right(question, candidates[c], counted, mentions)) right[2 * c + (counted ? 1 : 0)] = 1;
  if (question.truth && !question.relations.empty())
    keep_right_relations(question, candidates, lexicon, right);
  return right;
}

}  // namespace kgwalk::listening
