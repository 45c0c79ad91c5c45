#include "graph/changes/edited_details.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "graph/details.h"
#include "graph/details_layout.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

// Texts one behind the other with their begins.
struct Pool {
  std::vector<std::uint64_t> begins{0};
  std::string bytes;
  void add(std::string_view text) {
    bytes += text;
    begins.push_back(bytes.size());
  }
};

struct OwnedTexts {
  std::vector<std::uint32_t> owners;
  Pool texts;
  void add(EntityId owner, std::string_view text) {
    owners.push_back(owner);
    texts.add(text);
  }
};

class DetailsMerge {
 public:
  DetailsMerge(const Delta& delta, const MergedRows& rows)
      : delta_(delta), rows_(rows), base_(details(delta.base())), inside_(DetailsAccess::inside(base_)) {}

  AlignedBytes run() {
    parts_.num_entities = delta_.num_entities();
    parts_.num_relations = delta_.num_relations();
    parts_.num_edges = rows_.edges.size();
    parts_.type_relation = base_.type_relation().value_or(kNoName);
    set_ids();
    set_relations();
    set_names();
    set_weights();
    set_sources();
    set_qualifiers();
    return lay_out(parts_);
  }

 private:
  using S = DetailsSection;

  void set_ids() {
    if (!base_.has_ids() && delta_.new_ids().empty()) return;
    for (EntityId e = 0; e < delta_.num_entities(); ++e) ids_.add(delta_.entity_id(e));
    id_slots_ = empty_slots(delta_.num_entities());
    for (EntityId e = 0; e < delta_.num_entities(); ++e)
      if (const std::string_view id = delta_.entity_id(e); !id.empty() && !delta_.entity_name(e).empty())
        insert_slot(id_slots_, hash_bytes(id), e);
    parts_.set<std::uint64_t>(S::kIdBegins, ids_.begins);
    parts_.set(S::kIds, ids_.bytes);
    parts_.set<NameSlot>(S::kIdSlots, id_slots_);
  }

  void set_relations() {
    if (!inside_.relation_id_begins.empty()) {
      for (RelationId r = 0; r < delta_.num_relations(); ++r)
        relation_ids_.add(r < delta_.base().num_relations() ? base_.relation_id(r) : std::string_view());
      parts_.set<std::uint64_t>(S::kRelationIdBegins, relation_ids_.begins);
      parts_.set(S::kRelationIds, relation_ids_.bytes);
    }
    if (inside_.housekeeping.empty()) return;
    housekeeping_.assign(inside_.housekeeping.begin(), inside_.housekeeping.end());
    housekeeping_.resize(delta_.num_relations());
    parts_.set<std::uint8_t>(S::kHousekeeping, housekeeping_);
  }

  // A label is what a name was before it was told apart: an entity with another name has none.
  void set_names() {
    for (const std::uint32_t entity : inside_.label_entities)
      if (!delta_.renamed().contains(entity)) labels_.add(entity, base_.label(entity));
    const std::set<EntityId> changed = delta_.realiased();
    auto next = changed.begin();
    const auto add_changed = [&](EntityId entity) {
      for (const std::string& alias : delta_.aliases_of(entity)) aliases_.add(entity, alias);
    };
    for (std::size_t i = 0; i < inside_.alias_entities.size(); ++i) {
      const EntityId entity = inside_.alias_entities[i];
      for (; next != changed.end() && *next < entity; ++next) add_changed(*next);
      if (next == changed.end() || *next != entity) aliases_.add(entity, DetailsAccess::alias(base_, i));
    }
    for (; next != changed.end(); ++next) add_changed(*next);
    for (const auto& [texts, owners, begins, bytes] :
         {std::tuple(&labels_, S::kLabelEntities, S::kLabelBegins, S::kLabels),
          std::tuple(&aliases_, S::kAliasEntities, S::kAliasBegins, S::kAliases)}) {
      parts_.set<std::uint32_t>(owners, texts->owners);
      parts_.set<std::uint64_t>(begins, texts->texts.begins);
      parts_.set(bytes, texts->texts.bytes);
    }
  }

  void set_weights() {
    bool any = base_.has_weights();
    for (const MergedRows::NewEdge& edge : rows_.added) any = any || edge.note->weight;
    if (!any) return;
    weights_ = moved(inside_.weights, rows_, std::numeric_limits<float>::quiet_NaN());
    for (const MergedRows::NewEdge& edge : rows_.added)
      if (edge.note->weight) weights_[edge.place] = *edge.note->weight;
    parts_.set<float>(S::kWeights, weights_);
  }

  [[nodiscard]] std::uint32_t word(const std::string& text) {
    const auto [found, is_new] =
        word_numbers_.try_emplace(text, static_cast<std::uint32_t>(words_.begins.size() - 1));
    if (is_new) words_.add(text);
    return found->second;
  }

  [[nodiscard]] std::uint32_t new_set(const FactNote& note) {
    std::vector<std::uint32_t> set;
    if (note.sources.empty()) set.push_back(0);  // it stands without a source
    for (const std::string& source : note.sources) set.push_back(word(source));
    std::sort(set.begin(), set.end());
    const auto [found, is_new] =
        set_numbers_.try_emplace(set, static_cast<std::uint32_t>(set_begins_.size() - 1));
    if (is_new) {
      set_words_.insert(set_words_.end(), set.begin(), set.end());
      set_begins_.push_back(set_words_.size());
    }
    return found->second;
  }

  // Set 0 is empty, as ingestion has it, and word 0 too.
  void set_sources() {
    if (!base_.has_sources() && rows_.added.empty()) return;
    set_begins_ = {0, 0};
    if (base_.has_sources()) {
      set_begins_.assign(inside_.set_begins.begin(), inside_.set_begins.end());
      set_words_.assign(inside_.set_words.begin(), inside_.set_words.end());
      for (std::size_t i = 0; i < inside_.num_words; ++i)
        (void)word(std::string(DetailsAccess::word(base_, i)));
    }
    (void)word("");
    sets_ = moved(inside_.source_sets, rows_, std::uint32_t{0});
    std::unordered_map<const FactNote*, std::uint32_t> known;  // looked up alone
    for (const MergedRows::NewEdge& edge : rows_.added) {
      const auto found = known.find(edge.note.get());
      sets_[edge.place] = found != known.end()
                              ? found->second
                              : known.emplace(edge.note.get(), new_set(*edge.note)).first->second;
    }
    parts_.set<std::uint32_t>(S::kSourceSets, sets_);
    parts_.set<std::uint64_t>(S::kSetBegins, set_begins_);
    parts_.set<std::uint32_t>(S::kSetWords, set_words_);
    parts_.set<std::uint64_t>(S::kWordBegins, words_.begins);
    parts_.set(S::kWords, words_.bytes);
  }

  // Those of facts of the base that are still there.
  void set_qualifiers() {
    qualifier_begins_.push_back(0);
    auto run = rows_.runs.begin();
    for (std::size_t i = 0; i < inside_.qualified_edges.size(); ++i) {
      const std::uint64_t edge = inside_.qualified_edges[i];
      while (run != rows_.runs.end() && run->old_begin + run->length <= edge) ++run;
      if (run == rows_.runs.end() || edge < run->old_begin) continue;
      qualified_edges_.push_back(run->new_begin + (edge - run->old_begin));
      const std::size_t begin = inside_.qualifier_begins[i], end = inside_.qualifier_begins[i + 1];
      for (const Qualifier& each : inside_.qualifiers.subspan(begin, end - begin))
        qualifiers_.push_back(each);
      qualifier_begins_.push_back(qualifiers_.size());
    }
    if (qualifiers_.empty()) return;
    parts_.set<std::uint64_t>(S::kQualifiedEdges, qualified_edges_);
    parts_.set<std::uint64_t>(S::kQualifierBegins, qualifier_begins_);
    parts_.set<Qualifier>(S::kQualifiers, qualifiers_);
  }

  const Delta& delta_;
  const MergedRows& rows_;
  const GraphDetails& base_;
  DetailsAccess::Inside inside_;
  DetailsParts parts_;
  Pool ids_, relation_ids_, words_;
  std::vector<NameSlot> id_slots_;
  std::vector<std::uint8_t> housekeeping_;
  OwnedTexts labels_, aliases_;
  std::vector<float> weights_;
  std::vector<std::uint32_t> sets_, set_words_;
  std::vector<std::uint64_t> set_begins_, qualified_edges_, qualifier_begins_;
  std::vector<Qualifier> qualifiers_;
  std::map<std::string, std::uint32_t> word_numbers_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_numbers_;
};

}  // namespace

AlignedBytes edited_details(const Delta& delta, const MergedRows& rows) {
  const bool none = details(delta.base()).empty() && delta.added().empty() && delta.new_ids().empty() &&
                    delta.realiased().empty();
  return none ? AlignedBytes() : DetailsMerge(delta, rows).run();
}

}  // namespace kgwalk::graph
