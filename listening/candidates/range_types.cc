// Types that nothing is said to be of, but that what a relation leads to is called by: "which islands are
// there" of a table whose column "island" says where each penguin lives.
#include <algorithm>
#include <map>
#include <string_view>

#include "listening/candidates/lexicon.h"
#include "listening/words/said_text.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostInRange = 2'000;
constexpr double kLeastSharedEdges = 1.1;  // edges a member, on average: others tell things apart

// "Directed by", "starring", "is a" and "born in" are no nouns for what they lead to.
bool is_noun_of_range(std::string_view name, const std::vector<std::string>& words) {
  constexpr std::string_view kNone[] = {"by", "of", "in", "to", "from", "at", "for", "with", "on", "as"};
  constexpr std::string_view kBegins[] = {"is", "was", "has", "can", "had"};
  if (words.empty() || words.back().ends_with("ing") || words.back().ends_with("ed")) return false;
  const std::string_view last =
      name.substr(name.find_last_of(" _") + 1);  // the whole of it where there is none
  return std::find(std::begin(kNone), std::end(kNone), last) == std::end(kNone) &&
         std::find(std::begin(kBegins), std::end(kBegins), words.front()) == std::end(kBegins);
}

}  // namespace

void Lexicon::add_range_types() {
  flags_ = types_.size() - own_types_;
  std::map<RelationId, std::vector<EntityId>> tails;
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const RelationWords& entry = entries_[entry_of_[r]];
    const graph::ValueKind tails_are = values_.ends(r).tails;
    const bool may = !inverse_[r] && is_askable(r) && !entry.yes &&
                     (tails_are == graph::ValueKind::kThing || tails_are == graph::ValueKind::kText) &&
                     is_noun_of_range(graph_.relation_name(r), entry.words) &&
                     std::none_of(types_.begin(), types_.end(),
                                  [&](const TypeWords& type) { return type.words == entry.words; });
    if (may) tails.emplace(r, std::vector<EntityId>());
  }
  if (tails.empty()) return;
  for (const graph::Edge& edge : graph_.edges())
    if (const auto found = tails.find(edge.relation); found != tails.end())
      found->second.push_back(edge.tail);
  for (auto& [relation, members] : tails) {
    const std::size_t edges = members.size();
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const bool shared = members.size() > 1 && members.size() <= kMostInRange &&
                        static_cast<double>(edges) >= kLeastSharedEdges * static_cast<double>(members.size());
    // What is of a type is called by that.
    const bool untyped = std::none_of(members.begin(), members.end(),
                                      [&](EntityId member) { return types_of_.contains(member); });
    if (!shared || !untyped) continue;
    TypeWords type{.type = members.front(), .words = entries_[entry_of_[relation]].words, .members = members};
    type.range = relation;
    types_.push_back(std::move(type));
  }
}

}  // namespace kgwalk::listening
