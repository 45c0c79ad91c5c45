#include "listening/candidates/word_match.h"

#include <algorithm>

#include "listening/words/likeness.h"

namespace kgwalk::listening {
namespace {

constexpr float kFamilyLikeness = 0.8F, kTypeWordLikeness = 0.7F, kSaidLikeness = 0.8F, kPlaceLikeness = 0.5F;
constexpr float kFamilyShare = 0.9F;     // a family's words count a little less than the relation's own
constexpr float kLooseShare = 0.6F;      // less sure words of a family less still
constexpr float kTellingWeight = 0.05F;  // of a word of a name

}  // namespace

WordMatch::WordMatch(const Lexicon& lexicon, const SaidText& said, bool families)
    : lexicon_(lexicon), said_(said), families_(families) {
  for (const SaidWord& word : said.words) all_.push_back(word.is_word ? 1 : 0);
}

float WordMatch::best_family(const RelationWords& relation, const SaidWord& word) const {
  const bool asks = word.folded == "where" || word.folded == "when" || word.folded == "who";
  if (!families_ || (!word.content && !(word.is_word && asks))) return 0;
  float best = relation.said.contains(word.folded) ? 1.0F : 0.0F;
  for (auto it = relation.said.begin(); it != relation.said.end() && best < 1; ++it)
    if (const float alike = likeness(*it, word.folded); alike >= kFamilyLikeness)
      best = std::max(best, alike);
  if (relation.family != nullptr && best < kLooseShare)
    for (const std::string& loose : relation.family->loose)
      if (likeness(loose, word.folded) >= kFamilyLikeness) return kLooseShare;
  return best;
}

void WordMatch::fill(std::size_t entry, Rows& rows) const {
  const RelationWords& relation = lexicon_.entry(entry);
  const std::size_t count = said_.words.size();
  rows.family.assign(count, 0);
  rows.fits.assign(count, 0);
  rows.words.assign(relation.words.size(), std::vector<float>(count, 0));
  for (std::size_t t = 0; t < count; ++t) {
    const SaidWord& word = said_.words[t];
    if (!word.is_word) continue;
    for (std::size_t i = 0; i < relation.words.size(); ++i)
      if (word.content || word.folded == relation.words[i])
        rows.words[i][t] = likeness(relation.words[i], word.folded);
    rows.family[t] = best_family(relation, word);
    rows.fits[t] = kFamilyShare * rows.family[t];
    for (std::size_t i = 0; i < relation.words.size(); ++i)
      if (relation.weights[i] > kTellingWeight) rows.fits[t] = std::max(rows.fits[t], rows.words[i][t]);
  }
}

WordMatch::Rows& WordMatch::rows_of(std::size_t entry) {
  const auto [found, added] = rows_.try_emplace(entry);
  if (added) fill(entry, found->second);
  return found->second;
}

RelationMatch WordMatch::match(std::size_t entry, FreeWords free) {
  const Rows& rows = rows_of(entry);
  const RelationWords& relation = lexicon_.entry(entry);
  RelationMatch match;
  std::size_t said = 0;
  for (std::size_t i = 0; i < relation.words.size(); ++i) {
    float best = 0;
    for (std::size_t t = 0; t < free.size(); ++t)
      if (free[t] != 0) best = std::max(best, rows.words[i][t]);
    match.stem += best * relation.weights[i];
    said += best >= kSaidLikeness ? 1 : 0;
  }
  if (!relation.words.empty())
    match.whole = static_cast<float>(said) / static_cast<float>(relation.words.size());
  float best = kPlaceLikeness;
  for (std::size_t t = 0; t < free.size(); ++t) {
    if (free[t] == 0) continue;
    match.family = std::max(match.family, rows.family[t]);
    if (rows.fits[t] > best) {
      best = rows.fits[t];
      match.place = static_cast<int>(t);
    }
  }
  match.name = std::max(match.stem, kFamilyShare * match.family);
  return match;
}

float WordMatch::rank(graph::RelationId relation) {
  Rows& rows = rows_of(lexicon_.entry_of(relation));
  if (rows.rank < 0) rows.rank = match(lexicon_.entry_of(relation), all_).name;
  return rows.rank;
}

std::span<const float> WordMatch::type_fits(std::uint32_t type) {
  const auto [found, added] = types_.try_emplace(type);
  if (added) {
    found->second.assign(said_.words.size(), 0);
    for (std::size_t t = 0; t < said_.words.size(); ++t)
      for (const std::string& word : lexicon_.types()[type].words)
        if (said_.words[t].content)
          if (const float alike = likeness(word, said_.words[t].folded); alike >= kTypeWordLikeness)
            found->second[t] = std::max(found->second[t], alike);
  }
  return found->second;
}

}  // namespace kgwalk::listening
