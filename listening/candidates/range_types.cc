// Types that nothing is said to be of, but that what a relation leads to is called by: "which islands are
// there" of a table whose column "island" says where each penguin lives.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

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

// What the edges of a relation lead to, each once, as long as it is few: large graphs have millions of edges.
class Tails {
 public:
  explicit Tails(bool wanted) : wanted_(wanted) {}
  [[nodiscard]] bool wanted() const noexcept { return wanted_; }
  void add(EntityId tail) {
    ++edges_;
    members_.push_back(tail);
    if (members_.size() >= 4 * kMostInRange) tidy();
  }
  void tidy() {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    if (members_.size() <= kMostInRange) return;
    wanted_ = false;
    members_ = {};
  }
  // Ascending, behind tidy().
  [[nodiscard]] const std::vector<EntityId>& members() const noexcept { return members_; }
  [[nodiscard]] bool are_shared() const noexcept {
    return members_.size() > 1 &&
           static_cast<double>(edges_) >= kLeastSharedEdges * static_cast<double>(members_.size());
  }

 private:
  bool wanted_;
  std::size_t edges_ = 0;
  std::vector<EntityId> members_;
};

}  // namespace

void Lexicon::add_range_types() {
  flags_ = types_.size() - own_types_;
  std::vector<Tails> tails;  // by relation
  tails.reserve(graph_.num_relations());
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    const RelationWords& entry = entries_[entry_of_[r]];
    const graph::ValueKind tails_are = values_.ends(r).tails;
    tails.emplace_back(!inverse_[r] && is_askable(r) && !entry.yes &&
                       (tails_are == graph::ValueKind::kThing || tails_are == graph::ValueKind::kText) &&
                       is_noun_of_range(graph_.relation_name(r), entry.words) &&
                       std::none_of(types_.begin(), types_.end(),
                                    [&](const TypeWords& type) { return type.words == entry.words; }));
  }
  for (const graph::Edge& edge : graph_.edges())
    if (tails[edge.relation].wanted()) tails[edge.relation].add(edge.tail);
  for (RelationId r = 0; r < graph_.num_relations(); ++r) {
    tails[r].tidy();
    // What is of a type is called by that.
    const auto typed = [&](EntityId member) { return types_of_.contains(member); };
    const std::vector<EntityId>& members = tails[r].members();
    if (!tails[r].are_shared() || std::any_of(members.begin(), members.end(), typed)) continue;
    TypeWords type{.type = members.front(), .words = entries_[entry_of_[r]].words, .members = members};
    type.range = r;
    types_.push_back(std::move(type));
  }
}

}  // namespace kgwalk::listening
