#include "listening/candidates/features.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

#include "listening/candidates/candidate_features.h"
#include "listening/candidates/feature_list.h"
#include "listening/candidates/utterance_cues.h"
#include "listening/candidates/word_match.h"

namespace kgwalk::listening {
namespace {

#define KGWALK_LISTENING_NAME(id, name) name,
constexpr std::string_view kFeatureNames[] = {KGWALK_LISTENING_FEATURES(KGWALK_LISTENING_NAME)};
constexpr std::string_view kCueNames[] = {KGWALK_LISTENING_CUES(KGWALK_LISTENING_NAME)};
#undef KGWALK_LISTENING_NAME
static_assert(std::size(kFeatureNames) == kNumFeatures && std::size(kCueNames) == kNumCues);

constexpr std::size_t kFirstSift = 600;  // candidates that get features at all

// How well measures fit what was said. A word of order says which value is meant, and most often nothing else
// does: "the newest".
class MeasureRanks {
 public:
  MeasureRanks(const Lexicon& lexicon, const UtteranceCues& cues, WordMatch& match)
      : lexicon_(lexicon), cues_(cues), match_(match) {}

  [[nodiscard]] float of(graph::RelationId relation) {
    const auto [found, added] = known_.try_emplace(lexicon_.entry_of(relation), 0.0F);
    if (added) found->second = std::max(match_.rank(relation), by_order(lexicon_.relation(relation)));
    return found->second;
  }

 private:
  [[nodiscard]] float by_order(const RelationWords& relation) const {
    constexpr float kAny = 0.6F, kOfKind = 0.75F, kHinted = 0.9F, kLikeHint = 0.8F;
    float best = kAny;
    for (const OrderWord* order : cues_.orders) {
      const EndKind kind = order->kind == EndKind::kUnknown ? EndKind::kNumber : order->kind;
      if (relation.tail == kind) best = std::max(best, kOfKind);
      for (const std::string_view hint : order->relations)
        for (const std::string& word : relation.words)
          if (likeness(hint, word) >= kLikeHint) best = kHinted;
    }
    return best;
  }

  const Lexicon& lexicon_;
  const UtteranceCues& cues_;
  WordMatch& match_;
  std::unordered_map<std::size_t, float> known_;  // by entry
};

// What no relation's words speak for, and of which there are few: what was told before, or all of a type, as
// it is; and what was asked before, asked of another thing.
bool is_surely_kept(const Lexicon& lexicon, const HeardParts& parts, const Candidate& candidate) {
  if (candidate.slots.empty()) return true;
  const std::vector<graph::RelationId>& relations = parts.before.relations;
  return !relations.empty() && asks_again(lexicon, candidate, relations);
}
constexpr float kSurelyKept = 1e6F;

// How promising a candidate is by its relations' words and its mentions alone.
float promise(const Candidate& candidate, const HeardParts& parts, WordMatch& match, MeasureRanks& measures,
              bool begins_as_check) {
  float sum = 0, least = 1, link = 0;
  for (const Slot& slot : candidate.slots) {
    const float rank =
        slot.role == SlotRole::kMeasure ? measures.of(slot.relation) : match.rank(slot.relation);
    sum += rank;
    least = std::min(least, rank);
  }
  for (const std::uint32_t m : candidate.mentions) link += parts.mentions[m].score;
  const auto slots = static_cast<float>(std::max<std::size_t>(1, candidate.slots.size()));
  const auto mentions = static_cast<float>(std::max<std::size_t>(1, candidate.mentions.size()));
  float score =
      2 * sum / slots + least + link / mentions + 0.3F * static_cast<float>(candidate.mentions.size());
  if (candidate.asked == Asked::kCheck && !begins_as_check) score -= 3;
  return score;
}

template <class Score>
void keep_best(std::vector<Candidate>& candidates, std::size_t most, const Score& score) {
  if (candidates.size() <= most) return;
  std::vector<std::pair<float, std::size_t>> order;
  for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(-score(i), i);
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end());
  order.resize(most);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Candidate> kept;
  for (const auto& [negative, place] : order) kept.push_back(std::move(candidates[place]));
  candidates = std::move(kept);
}

// What speaks for the others, as numbers of the one that says that the graph has nothing of it.
void hold_against(std::span<const CandidateFeatures> others, CandidateFeatures& nothing) {
  float name = 0, unexplained = 1, link = 0, capital = 0;
  for (const CandidateFeatures& other : others) {
    name = std::max(name, other[Feature::kNameMin]);
    unexplained = std::min(unexplained, other[Feature::kUnexplained]);
    link = std::max(link, other[Feature::kLinkMin]);
    capital = std::max(capital, other[Feature::kCoverCapital]);
  }
  nothing[Feature::kOthersName] = name;
  nothing[Feature::kOthersUnexplained] = unexplained;
  nothing[Feature::kOthersLink] = link;
  nothing[Feature::kOthersCapital] = capital;
}

// Rows of the candidates kept after their features are known.
class Layout {
 public:
  explicit Layout(Prepared& out) : out_(out) {}

  void add(const Candidate& candidate, const CandidateFeatures& made, const Lexicon& lexicon) {
    out_.features.insert(out_.features.end(), made.values.begin(), made.values.end());
    for (std::size_t k = 0; k < kMaxSlots; ++k) {
      const bool has = k < candidate.slots.size();
      const Slot slot = has ? candidate.slots[k] : Slot{};
      out_.relations.push_back(has ? static_cast<std::int32_t>(lexicon.entry_of(slot.relation)) + 1 : 0);
      const int code =
          has ? 2 * static_cast<int>(slot.role) + (lexicon.is_inverse(slot.relation) ? 1 : 0) : 0;
      out_.codes.push_back(static_cast<std::uint8_t>(code));
      out_.centers.push_back(has ? made.centers[k] : 0);
    }
    out_.types.push_back(candidate.type_at == TypeAt::kNone
                             ? 0
                             : static_cast<std::int32_t>(out_.parts.types[candidate.type].type) + 1);
    const auto [known, added] = places_.try_emplace(std::string(made.cover.begin(), made.cover.end()),
                                                    static_cast<std::uint32_t>(out_.distinct_covers.size()));
    if (added) out_.distinct_covers.push_back(made.cover);
    out_.covers.push_back(known->second);
  }

 private:
  Prepared& out_;
  std::map<std::string, std::uint32_t> places_;
};

}  // namespace

// "The film", and not "the film company"; and the noun of "is X a programming language", and not of "is X an
// actor", who has acted.
static bool asks_for_nothing(const SaidText& said, const HeardType& type) {
  const std::string& first = said.words.front().folded;
  const bool says_what = (first == "is" || first == "was" || first == "are" || first == "were") &&
                         said.words.size() > 1 && said.words[1].folded != "there";
  if (says_what && type.word > 0 && said.words[type.word - 1].content) return true;
  const bool alone = type.word + 1 >= said.words.size() || !said.words[type.word + 1].content;
  return alone && said.is_behind(type.word, {"the", "this", "that"});
}

std::span<const std::string_view> feature_names() { return kFeatureNames; }
std::span<const std::string_view> cue_names() { return kCueNames; }

Prepared prepare(const Lexicon& lexicon, const forms::Engine& engine, HeardParts parts,
                 const PrepareOptions& options) {
  Prepared out;
  out.parts = std::move(parts);
  WordMatch match(lexicon, out.parts.said, options.families);
  for (const HeardType& type : out.parts.types)
    if (asks_for_nothing(out.parts.said, type)) match.leave_out(type.word);
  for (const std::uint32_t m : out.parts.named)
    for (std::size_t i = out.parts.mentions[m].first; i < out.parts.mentions[m].last; ++i)
      if (!lexicon.names_relation({&out.parts.said.words[i].folded, 1})) match.leave_out(i);
  out.candidates =
      make_candidates(lexicon, engine, out.parts, [&](graph::RelationId r) { return match.rank(r); });
  const UtteranceCues cues(out.parts);
  out.cues = cues.values();
  MeasureRanks measures(lexicon, cues, match);
  keep_best(out.candidates, kFirstSift, [&](std::size_t i) {
    return is_surely_kept(lexicon, out.parts, out.candidates[i])
               ? kSurelyKept
               : promise(out.candidates[i], out.parts, match, measures, cues.begins_as_check);
  });
  FeatureMaker maker(lexicon, out.parts, cues, match);
  std::vector<CandidateFeatures> made;
  for (const Candidate& candidate : out.candidates) made.push_back(maker.make(candidate));
  std::vector<std::size_t> kept(out.candidates.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  if (kept.size() > options.most_candidates) {
    const auto rank = [&](std::size_t i) {
      return is_surely_kept(lexicon, out.parts, out.candidates[i]) ? kSurelyKept
                                                                   : made[i].plain_sum(cues.begins_as_check);
    };
    std::stable_sort(kept.begin(), kept.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    kept.resize(options.most_candidates);
    std::sort(kept.begin(), kept.end());
  }
  Layout layout(out);
  std::vector<Candidate> candidates;
  for (const std::size_t i : kept) {
    layout.add(out.candidates[i], made[i], lexicon);
    candidates.push_back(std::move(out.candidates[i]));
  }
  if (!candidates.empty()) {
    const Candidate nothing{.shape = Shape::kNothing};
    CandidateFeatures features = maker.make(nothing);
    hold_against(made, features);
    layout.add(nothing, features, lexicon);
    candidates.push_back(nothing);
  }
  out.candidates = std::move(candidates);
  return out;
}

}  // namespace kgwalk::listening
