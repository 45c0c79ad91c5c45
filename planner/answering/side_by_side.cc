#include "planner/answering/side_by_side.h"

#include <algorithm>
#include <span>

#include "planner/answering/alike.h"
#include "planner/answering/said_names.h"

namespace kgwalk {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kCommon[] = {"common",       "share",    "shared", "similarity",
                                        "similarities", "connects", "alike",  "joins"};
constexpr std::string_view kApart[] = {"difference", "differences", "differ",        "different", "compare",
                                       "comparison", "apart",       "distinguishes", "versus",    "vs"};

bool is_one(Words words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::optional<AnsweredTurn> side_by_side(AnsweringTurn& turn, const listening::HeardParts& parts,
                                         const listening::Lexicon& lexicon) {
  if (parts.named.size() != 2 || !parts.values.empty()) return std::nullopt;
  const std::vector<bool> covered = words_of_names(parts);
  bool common = false, apart = false;
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const listening::SaidWord& word = parts.said.words[i];
    if (covered[i] || !word.is_word) continue;
    const bool says_common = is_one(kCommon, word.folded), says_apart = is_one(kApart, word.folded);
    common = common || says_common;
    apart = apart || says_apart;
    const bool light = !word.content || word.folded == "between" || word.folded == "things";
    if (!light && !says_common && !says_apart) return std::nullopt;
  }
  const std::vector<graph::EntityId> two = entities_named(parts);
  if (two.front() == two.back()) return std::nullopt;
  if (apart) return turn.about(two);
  if (!common) return std::nullopt;
  return turn.in_common(two.front(), two.back(), shared_facts(lexicon, two.front(), two.back()));
}

}  // namespace kgwalk
