#include "graph/details.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

#include "graph/details_layout.h"
#include "graph/knowledge_graph_impl.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

struct DetailsVersion {
  std::array<char, 8> magic;
  std::size_t num_sections;
};
constexpr DetailsVersion kVersions[] = {{{'K', 'G', 'W', 'D', 'E', 'T', 'L', '1'}, kNumFirstSections},
                                        {{'K', 'G', 'W', 'D', 'E', 'T', 'L', '2'}, kNumSecondSections},
                                        {{'K', 'G', 'W', 'D', 'E', 'T', 'L', '3'}, kNumDetailsSections}};

constexpr std::size_t at_line(std::size_t position) { return (position + 63) / 64 * 64; }

[[noreturn]] void broken_details(std::string_view why) {
  throw StoreError("the stored details of the graph are damaged (" + std::string(why) + ")",
                   Remedy{Remedy::kReingest, ""});
}

// Sections of checked bytes.
class Sections {
 public:
  explicit Sections(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < sizeof(DetailsHeader)) broken_details("they are too short");
    header_ = reinterpret_cast<const DetailsHeader*>(bytes.data());
    const auto version = std::find_if(std::begin(kVersions), std::end(kVersions),
                                      [&](const DetailsVersion& v) { return v.magic == header_->magic; });
    if (version == std::end(kVersions) || header_->num_sections != version->num_sections)
      broken_details("their magic number is another");
    const std::size_t count = version->num_sections;
    if (bytes.size() < sizeof(DetailsHeader) + 2 * count * sizeof(std::uint64_t))
      broken_details("they are too short");
    const auto* places = reinterpret_cast<const std::uint64_t*>(bytes.data() + sizeof(DetailsHeader));
    begin_ = {places, count};
    length_ = {places + count, count};
    if (begin_.back() > bytes.size() || length_.back() > bytes.size() ||
        at_line(begin_.back() + length_.back()) != bytes.size())
      broken_details("they have another length");
  }
  [[nodiscard]] const DetailsHeader& header() const { return *header_; }

  template <class T>
  [[nodiscard]] std::span<const T> of(DetailsSection which) const {
    const auto i = static_cast<std::size_t>(which);
    if (i >= begin_.size()) return {};
    const std::uint64_t begin = begin_[i], length = length_[i];
    if (begin > bytes_.size() || length > bytes_.size() - begin || begin % 64 != 0 || length % sizeof(T) != 0)
      broken_details("section " + std::to_string(i) + " lies outside");
    return {reinterpret_cast<const T*>(bytes_.data() + begin), length / sizeof(T)};
  }
  [[nodiscard]] std::string_view text(DetailsSection which) const {
    const auto bytes = of<char>(which);
    return {bytes.data(), bytes.size()};
  }
  // `count` texts; none where the section is empty and that is allowed.
  [[nodiscard]] std::span<const std::uint64_t> begins(DetailsSection which, std::string_view bytes,
                                                      std::size_t count, bool may_lack) const {
    const auto begins = of<std::uint64_t>(which);
    if (begins.empty() && may_lack && bytes.empty()) return begins;
    if (begins.size() != count + 1 || begins.front() != 0 || begins.back() != bytes.size() ||
        !std::is_sorted(begins.begin(), begins.end()))
      broken_details("texts do not end where their section ends");
    return begins;
  }

 private:
  std::string_view bytes_;
  const DetailsHeader* header_ = nullptr;
  std::span<const std::uint64_t> begin_, length_;
};

template <class T>
void check_below(std::span<const T> values, std::uint64_t limit, std::string_view what) {
  for (const T value : values)
    if (value >= limit) broken_details(what);
}

void check_qualifiers(std::span<const std::uint64_t> edges, std::span<const std::uint64_t> begins,
                      std::span<const Qualifier> qualifiers, const DetailsHeader& header) {
  if (edges.empty() && begins.empty() && qualifiers.empty()) return;
  if (begins.size() != edges.size() + 1 || begins.front() != 0 || begins.back() != qualifiers.size() ||
      !std::is_sorted(begins.begin(), begins.end()) || !std::is_sorted(edges.begin(), edges.end()))
    broken_details("qualifiers do not fit");
  check_below(edges, header.num_edges, "qualifiers of no edge");
  for (const Qualifier& each : qualifiers)
    if (each.relation >= header.num_relations || each.value >= header.num_entities)
      broken_details("a qualifier that is not in the graph");
}

}  // namespace

// Without qualifiers as the version before them had it, so that programs of then read it.
AlignedBytes lay_out(const DetailsParts& parts) {
  const bool qualified = !parts.sections[static_cast<std::size_t>(DetailsSection::kQualifiers)].empty();
  const auto& [magic, count] = kVersions[qualified ? 2 : 1];
  DetailsHeader header{};
  header.magic = magic;
  header.num_entities = parts.num_entities;
  header.num_relations = parts.num_relations;
  header.num_edges = parts.num_edges;
  header.type_relation = parts.type_relation;
  header.num_sections = static_cast<std::uint32_t>(count);
  std::vector<std::uint64_t> places(2 * count);
  const std::size_t places_bytes = places.size() * sizeof(std::uint64_t);
  std::size_t end = at_line(sizeof(header) + places_bytes);
  for (std::size_t i = 0; i < count; ++i) {
    places[i] = end;
    places[count + i] = parts.sections[i].size();
    end = at_line(end + parts.sections[i].size());
  }
  AlignedBytes bytes(end);
  std::memset(bytes.data(), 0, end);
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), places.data(), places_bytes);
  for (std::size_t i = 0; i < count; ++i)
    if (!parts.sections[i].empty())
      std::memcpy(bytes.data() + places[i], parts.sections[i].data(), parts.sections[i].size());
  return bytes;
}

GraphDetails DetailsAccess::view(std::string_view bytes, const SnapshotView& graph) {
  const Sections all(bytes);
  const DetailsHeader& header = all.header();
  const std::size_t entities = graph.header->num_entities, relations = graph.header->num_relations;
  if (header.num_entities != entities || header.num_relations != relations ||
      header.num_edges != graph.edges.size() ||
      (header.type_relation != kNoName && header.type_relation >= relations))
    broken_details("they belong to a graph of other sizes");
  using S = DetailsSection;
  GraphDetails d;
  d.num_relations_ = header.num_relations;
  d.num_edges_ = header.num_edges;
  d.type_relation_ = header.type_relation;
  d.id_bytes_ = all.text(S::kIds);
  d.id_begins_ = all.begins(S::kIdBegins, d.id_bytes_, entities, true);
  static_assert(sizeof(GraphDetails::Slot) == sizeof(NameSlot));
  d.id_slots_ = all.of<GraphDetails::Slot>(S::kIdSlots);
  if (d.id_begins_.empty() != d.id_slots_.empty() ||
      (!d.id_slots_.empty() && !std::has_single_bit(d.id_slots_.size())))
    broken_details("the table of ids has another size");
  for (const GraphDetails::Slot& slot : d.id_slots_)
    if (slot.id != kNoName && slot.id >= entities) broken_details("an id of no entity");
  d.relation_ids_.bytes = all.text(S::kRelationIds);
  d.relation_ids_.begins = all.begins(S::kRelationIdBegins, d.relation_ids_.bytes, relations, true);
  const auto of_entities = [&](S which, S begins, S text, GraphDetails::Texts& texts) {
    const auto owners = all.of<std::uint32_t>(which);
    texts.bytes = all.text(text);
    texts.begins = all.begins(begins, texts.bytes, owners.size(), false);
    check_below(owners, entities, "a name of no entity");
    if (!std::is_sorted(owners.begin(), owners.end())) broken_details("names are out of order");
    return owners;
  };
  d.label_entities_ = of_entities(S::kLabelEntities, S::kLabelBegins, S::kLabels, d.labels_);
  d.alias_entities_ = of_entities(S::kAliasEntities, S::kAliasBegins, S::kAliases, d.aliases_);
  d.housekeeping_ = all.of<std::uint8_t>(S::kHousekeeping);
  if (!d.housekeeping_.empty() && d.housekeeping_.size() != relations)
    broken_details("not a mark for each relation");
  d.weights_ = all.of<float>(S::kWeights);
  d.source_sets_ = all.of<std::uint32_t>(S::kSourceSets);
  if ((!d.weights_.empty() && d.weights_.size() != header.num_edges) ||
      (!d.source_sets_.empty() && d.source_sets_.size() != header.num_edges))
    broken_details("not a weight or source for each edge");
  d.qualified_edges_ = all.of<std::uint64_t>(S::kQualifiedEdges);
  d.qualifier_begins_ = all.of<std::uint64_t>(S::kQualifierBegins);
  d.qualifiers_ = all.of<Qualifier>(S::kQualifiers);
  check_qualifiers(d.qualified_edges_, d.qualifier_begins_, d.qualifiers_, header);
  if (d.source_sets_.empty()) return d;
  d.set_begins_ = all.of<std::uint64_t>(S::kSetBegins);
  d.set_words_ = all.of<std::uint32_t>(S::kSetWords);
  d.words_.bytes = all.text(S::kWords);
  const auto word_begins = all.of<std::uint64_t>(S::kWordBegins);
  d.words_.begins =
      all.begins(S::kWordBegins, d.words_.bytes, word_begins.empty() ? 0 : word_begins.size() - 1, false);
  if (d.set_begins_.empty() || d.set_begins_.front() != 0 || d.set_begins_.back() != d.set_words_.size() ||
      !std::is_sorted(d.set_begins_.begin(), d.set_begins_.end()))
    broken_details("sets of sources do not fit");
  check_below(d.source_sets_, d.set_begins_.size() - 1, "a set of sources that is not there");
  check_below(d.set_words_, d.words_.begins.size() - 1, "a source that is not there");
  return d;
}

DetailsAccess::Inside DetailsAccess::inside(const GraphDetails& d) {
  return {.relation_id_begins = d.relation_ids_.begins,
          .housekeeping = d.housekeeping_,
          .label_entities = d.label_entities_,
          .alias_entities = d.alias_entities_,
          .weights = d.weights_,
          .source_sets = d.source_sets_,
          .set_words = d.set_words_,
          .set_begins = d.set_begins_,
          .qualified_edges = d.qualified_edges_,
          .qualifier_begins = d.qualifier_begins_,
          .qualifiers = d.qualifiers_,
          .num_words = d.words_.begins.empty() ? 0 : d.words_.begins.size() - 1};
}

std::string_view GraphDetails::id(EntityId entity) const noexcept {
  if (id_begins_.empty()) return {};
  return id_bytes_.substr(id_begins_[entity], id_begins_[entity + 1] - id_begins_[entity]);
}

std::string_view GraphDetails::relation_id(RelationId relation) const noexcept {
  return relation_ids_.begins.empty() ? std::string_view() : relation_ids_[relation];
}

bool GraphDetails::is_housekeeping(RelationId relation) const noexcept {
  return !housekeeping_.empty() && housekeeping_[relation] != 0;
}

std::optional<EntityId> GraphDetails::find_id(std::string_view wanted) const noexcept {
  if (id_slots_.empty() || wanted.empty()) return std::nullopt;
  const std::uint64_t hash = hash_bytes(wanted);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = id_slots_.size() - 1;
  for (std::size_t i = hash & mask, looked = 0; looked <= mask; i = (i + 1) & mask, ++looked) {
    if (id_slots_[i].id == kNoName) return std::nullopt;
    if (id_slots_[i].tag == tag && id(id_slots_[i].id) == wanted) return id_slots_[i].id;
  }
  return std::nullopt;
}

std::string_view GraphDetails::label(EntityId entity) const noexcept {
  const auto found = std::lower_bound(label_entities_.begin(), label_entities_.end(), entity);
  if (found == label_entities_.end() || *found != entity) return {};
  return labels_[static_cast<std::size_t>(found - label_entities_.begin())];
}

std::vector<std::string_view> GraphDetails::aliases(EntityId entity) const {
  const auto [first, last] = std::equal_range(alias_entities_.begin(), alias_entities_.end(), entity);
  std::vector<std::string_view> texts;
  for (auto at = first; at != last; ++at)
    texts.push_back(aliases_[static_cast<std::size_t>(at - alias_entities_.begin())]);
  return texts;
}

std::optional<RelationId> GraphDetails::type_relation() const noexcept {
  return empty() || type_relation_ == kNoName ? std::nullopt : std::optional(type_relation_);
}

std::optional<float> GraphDetails::given_weight(std::uint64_t edge) const noexcept {
  if (weights_.empty() || std::isnan(weights_[edge])) return std::nullopt;
  return weights_[edge];
}

float GraphDetails::weight(std::uint64_t edge) const noexcept { return given_weight(edge).value_or(1.0F); }

std::span<const std::uint32_t> GraphDetails::set_of(std::uint64_t edge) const noexcept {
  if (source_sets_.empty()) return {};
  const std::uint32_t set = source_sets_[edge];
  return set_words_.subspan(set_begins_[set], set_begins_[set + 1] - set_begins_[set]);
}

std::vector<std::string_view> GraphDetails::sources(std::uint64_t edge) const {
  std::vector<std::string_view> found;
  for (const std::uint32_t number : set_of(edge))
    if (number != 0) found.push_back(words_[number]);
  std::sort(found.begin(), found.end());
  return found;
}

bool GraphDetails::without_source(std::uint64_t edge) const noexcept {
  const auto set = set_of(edge);
  return set.empty() || set.front() == 0;
}

std::vector<std::span<const Qualifier>> GraphDetails::qualifiers(std::uint64_t edge) const {
  const auto [first, last] = std::equal_range(qualified_edges_.begin(), qualified_edges_.end(), edge);
  std::vector<std::span<const Qualifier>> statements;
  for (auto at = first; at != last; ++at) {
    const auto i = static_cast<std::size_t>(at - qualified_edges_.begin());
    statements.push_back(
        qualifiers_.subspan(qualifier_begins_[i], qualifier_begins_[i + 1] - qualifier_begins_[i]));
  }
  return statements;
}

const GraphDetails& details(const KnowledgeGraph& graph) noexcept { return GraphAccess::details(graph); }

std::optional<std::uint64_t> edge_number(const KnowledgeGraph& graph, const Triple& fact) {
  if (fact.head >= graph.num_entities()) return std::nullopt;
  const std::span<const Edge> row = graph.out_edges(fact.head);
  const auto found = std::lower_bound(row.begin(), row.end(), Edge{fact.relation, fact.tail});
  if (found == row.end() || *found != Edge{fact.relation, fact.tail}) return std::nullopt;
  return graph.number_of(*found);
}

std::vector<EntityId> types_of(const KnowledgeGraph& graph, EntityId entity) {
  std::vector<EntityId> types;
  const auto relation = details(graph).type_relation();
  if (!relation) return types;
  const std::span<const Edge> row = graph.out_edges(entity);
  for (auto edge = std::lower_bound(row.begin(), row.end(), Edge{*relation, 0});
       edge != row.end() && edge->relation == *relation; ++edge)
    types.push_back(edge->tail);
  return types;
}

}  // namespace kgwalk::graph
