#include "listening/candidates/word_match.h"

#include <algorithm>

#include "listening/words/likeness.h"
#include "listening/words/rank_words.h"

namespace kgwalk::listening {
namespace {

constexpr float kFamilyLikeness = 0.8F, kTypeWordLikeness = 0.7F, kSaidLikeness = 0.8F, kPlaceLikeness = 0.5F;
constexpr float kOrdinalLikeness = 0.9F;
constexpr float kFamilyShare = 0.9F;     // a family's words count a little less than the relation's own
constexpr float kLooseShare = 0.6F;      // less sure words of a family less still
constexpr float kTellingWeight = 0.05F;  // of a word of a name
constexpr float kNoNearness = 0.3F;      // cosine of words that have nothing in common
constexpr float kMeaningShare = 0.6F;    // words near in meaning count less than the same word

}  // namespace

WordMatch::WordMatch(const Lexicon& lexicon, const SaidText& said, bool families)
    : lexicon_(lexicon),
      said_(said),
      families_(families),
      alike_(lexicon.vocabulary().size(), said.words.size()),
      near_(lexicon.vocabulary().size(), said.words.size()),
      family_rows_(lexicon.num_entries(), said.words.size()),
      fit_rows_(lexicon.num_entries(), said.words.size()),
      meaning_rows_(lexicon.num_entries(), said.words.size()),
      ranks_(lexicon.num_entries(), -1) {
  for (const SaidWord& word : said.words) {
    all_.push_back(word.is_word ? 1 : 0);
    compared_.emplace_back(word.folded);
  }
  ranked_by_ = all_;
}

std::span<const float> WordMatch::alike(std::uint32_t word) {
  const bool known = alike_.has(word);
  const std::span<float> row = alike_.of(word);
  if (!known) {
    for (std::size_t t = 0; t < compared_.size(); ++t)
      row[t] = all_[t] == 0 ? 0 : likeness(lexicon_.vocabulary()[word], compared_[t]);
    // "The 16th president" is the one with the number 16.
    if (lexicon_.is_order_word(word))
      for (std::size_t t = 0; t < compared_.size(); ++t)
        if (ordinal_in_digits(said_.words[t].folded)) row[t] = std::max(row[t], kOrdinalLikeness);
  }
  return row;
}

std::span<const float> WordMatch::near_to(std::uint32_t word) {
  const bool known = near_.has(word);
  const std::span<float> row = near_.of(word);
  if (!known) {
    const Meaning meaning = lexicon_.vocabulary()[word].meaning();
    for (std::size_t t = 0; t < compared_.size(); ++t)
      if (said_.words[t].content)
        row[t] =
            std::max(0.0F, (nearness(meaning, compared_[t].meaning()) - kNoNearness) / (1 - kNoNearness));
  }
  return row;
}

float WordMatch::best_family(const RelationWords& relation, std::size_t t) {
  const SaidWord& word = said_.words[t];
  const bool asks = word.folded == "where" || word.folded == "when" || word.folded == "who";
  if (!families_ || (!word.content && !asks)) return 0;
  float best = 0;
  for (const std::uint32_t said : relation.said_ids)
    if (const float like = alike(said)[t]; like >= kFamilyLikeness) best = std::max(best, like);
  if (best >= kLooseShare) return best;
  const bool loosely = std::any_of(relation.loose_ids.begin(), relation.loose_ids.end(),
                                   [&](std::uint32_t loose) { return alike(loose)[t] >= kFamilyLikeness; });
  return loosely ? kLooseShare : best;
}

void WordMatch::fill(std::size_t entry) {
  if (fit_rows_.has(entry)) return;
  const RelationWords& relation = lexicon_.entry(entry);
  const std::span<float> family = family_rows_.of(entry), fits = fit_rows_.of(entry),
                         meaning = meaning_rows_.of(entry);
  for (std::size_t t = 0; t < fits.size(); ++t) {
    if (all_[t] == 0) continue;
    family[t] = best_family(relation, t);
    fits[t] = kFamilyShare * family[t];
  }
  for (std::size_t i = 0; i < relation.word_ids.size(); ++i) {
    if (relation.weights[i] <= kTellingWeight) continue;
    const std::span<const float> like = alike(relation.word_ids[i]);
    const std::span<const float> near = near_to(relation.word_ids[i]);
    for (std::size_t t = 0; t < fits.size(); ++t) {
      fits[t] = std::max(fits[t], counted(t, like[t]));
      meaning[t] = std::max(meaning[t], near[t]);
    }
  }
  for (const std::uint32_t noun : relation.noun_ids) {
    const std::span<const float> near = near_to(noun);
    for (std::size_t t = 0; t < fits.size(); ++t) meaning[t] = std::max(meaning[t], kFamilyShare * near[t]);
  }
}

std::span<const float> WordMatch::fits(std::size_t entry) {
  fill(entry);
  return fit_rows_.of(entry);
}

std::span<const float> WordMatch::nears(std::size_t entry) {
  fill(entry);
  return meaning_rows_.of(entry);
}

RelationMatch WordMatch::match(std::size_t entry, FreeWords free) {
  fill(entry);
  const std::span<const float> family = family_rows_.of(entry), fits = fit_rows_.of(entry),
                               meaning = meaning_rows_.of(entry);
  const RelationWords& relation = lexicon_.entry(entry);
  RelationMatch match;
  std::size_t said = 0, telling = 0;
  for (std::size_t i = 0; i < relation.word_ids.size(); ++i) {
    const std::span<const float> like = alike(relation.word_ids[i]);
    const std::span<const float> near = near_to(relation.word_ids[i]);
    float best = 0, nearest = 0;
    for (std::size_t t = 0; t < free.size(); ++t) {
      if (free[t] == 0) continue;
      best = std::max(best, counted(t, like[t]));
      nearest = std::max(nearest, near[t]);
    }
    match.stem += best * relation.weights[i];
    match.meaning += std::max(best, nearest) * relation.weights[i];
    if (relation.weights[i] <= kTellingWeight) continue;
    ++telling;
    said += best >= kSaidLikeness ? 1 : 0;
  }
  if (telling > 0) match.whole = static_cast<float>(said) / static_cast<float>(telling);
  float best = kPlaceLikeness;
  for (std::size_t t = 0; t < free.size(); ++t) {
    if (free[t] == 0) continue;
    match.family = std::max(match.family, family[t]);
    match.near = std::max(match.near, meaning[t]);
    if (fits[t] > best) {
      best = fits[t];
      match.place = static_cast<int>(t);
    }
  }
  match.name = std::max(match.stem, kFamilyShare * match.family);
  return match;
}

float WordMatch::rank(graph::RelationId relation) {
  const std::size_t entry = lexicon_.entry_of(relation);
  if (ranks_[entry] < 0) {
    const RelationMatch found = match(entry, ranked_by_);
    ranks_[entry] = std::max({found.name, kMeaningShare * found.meaning, kMeaningShare * found.near});
  }
  return ranks_[entry];
}

std::span<const float> WordMatch::type_fits(std::uint32_t type) {
  const auto [found, added] = types_.try_emplace(type);
  if (added) {
    found->second.assign(said_.words.size(), 0);
    const TypeWords& told = lexicon_.types()[type];
    for (std::size_t w = 0; w < told.word_ids.size(); ++w) {
      const std::span<const float> like = alike(told.word_ids[w]);
      for (std::size_t t = 0; t < like.size(); ++t)
        if (said_.words[t].content && like[t] >= kTypeWordLikeness &&
            !is_one_abstract(said_.words[t].folded, told.words[w]))
          found->second[t] = std::max(found->second[t], like[t]);
    }
  }
  return found->second;
}

}  // namespace kgwalk::listening
