#include "kgwalk/typed_values.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <vector>

#include "graph/values/literal.h"
#include "graph/values/relation_words.h"
#include "graph/values/value_group.h"
#include "graph/values/value_tally.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::graph {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
constexpr std::size_t kGroups = 64;  // more than dimensions
constexpr ReadValue kNoValue = {};

// Calls `meet(tail, relation)` once for each distinct tail of each relation, tails ascending.
template <class Meet>
void for_each_tail(const KnowledgeGraph& graph, EntityId begin, EntityId end, Meet&& meet) {
  for (EntityId tail = begin; tail < end; ++tail) {
    const auto edges = graph.out_edges(tail);
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (i == 0 || edges[i].relation != edges[i - 1].relation) meet(tail, graph.inverse(edges[i].relation));
  }
}

bool is_written_as_code(std::string_view text) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  return text.size() > 1 && (text[0] == '0' || text[0] == '+') && is_digit(1);
}

struct EndCounts {
  std::array<std::uint32_t, static_cast<std::size_t>(ValueKind::kTime) + 1> kinds{};
  std::array<std::uint32_t, kGroups> groups{};
};

}  // namespace

struct TypedValues::Impl {
  const KnowledgeGraph* graph;
  const GraphDetails* details;
  std::vector<std::uint32_t> slots;  // [entities]: place in `read`, or kNone; empty where nothing reads
  std::vector<ReadValue> read;
  std::vector<Reading> readings;      // [relations]
  std::vector<ValueKind> tail_kinds;  // likewise
  std::vector<std::uint8_t> groups;   // likewise
  struct Section {                    // of `ranked`, up to where the next one begins
    RelationId relation;
    std::uint8_t group;
    std::size_t begin;
  };
  mutable std::once_flag once;            // what follows is made at first use
  mutable std::vector<Section> sections;  // by relation and group; a last one behind all
  mutable std::vector<RankedValue> ranked;

  explicit Impl(const KnowledgeGraph& from) : graph(&from), details(&graph::details(from)) {
    read_names();
    read_relations();
    count_ends();
  }

  [[nodiscard]] const ReadValue& read_of(EntityId entity) const noexcept {
    const bool known = entity < slots.size() && slots[entity] != kNone;
    return known ? read[slots[entity]] : kNoValue;
  }

  [[nodiscard]] std::optional<ReadValue> read_name(EntityId entity) const {
    const std::string_view id = details->id(entity);
    if (id.starts_with('"')) {
      const auto literal = split_literal(id);
      if (!literal) return std::nullopt;
      ReadValue result{.kind = ValueKind::kText, .is_literal = true};
      const bool untyped = is_untyped(*literal);
      const auto value = untyped                     ? parse_value(literal->text)
                         : literal->language.empty() ? value_of_datatype(literal->text, literal->datatype)
                                                     : std::nullopt;
      if (value) result = {value->kind, value->unit, !untyped, true, false, false, value->from, value->to};
      result.is_code = untyped && is_written_as_code(literal->text);
      return result;
    }
    if (!id.empty()) return std::nullopt;
    const auto value = parse_value(graph->entity_name(entity));
    if (!value) return std::nullopt;
    return ReadValue{value->kind, value->unit, false,
                     false,       false,       false,
                     value->from, value->to,   is_written_as_code(graph->entity_name(entity))};
  }

  void read_names() {
    for (EntityId entity = 0; entity < graph->num_entities(); ++entity)
      if (const auto value = read_name(entity)) {
        if (slots.empty()) slots.assign(graph->num_entities(), kNone);
        slots[entity] = static_cast<std::uint32_t>(read.size());
        read.push_back(*value);
      }
  }

  void read_relations() {
    const RelationId n = graph->num_relations();
    std::vector<ValueTally> tallies(n);
    readings.resize(n);
    if (read.empty()) return;
    for_each_tail(*graph, 0, graph->num_connected(),
                  [&](EntityId tail, RelationId relation) { tallies[relation].add(read_of(tail)); });
    // What a relation reads as values backwards are things: the words of "release year" say nothing of films.
    for (const bool backwards : {false, true})
      for (RelationId r = 0; r < n; ++r) {
        const std::string_view name = graph->relation_name(r);
        if (name.starts_with('~') != backwards) continue;
        readings[r] = tallies[r].reading(!backwards && says_time(name), !backwards && says_amount(name));
        if (backwards && (readings[graph->inverse(r)].texts || !readings[r].texts)) readings[r] = {};
      }
    for_each_tail(*graph, 0, graph->num_connected(), [&](EntityId tail, RelationId relation) {
      if (slots[tail] == kNone) return;
      ReadValue& value = read[slots[tail]];
      if (!value.is_typed && !readings[relation].texts) return;
      value.is_tail = true;
      value.in_numbers = value.in_numbers || !readings[relation].years;
    });
  }

  void count_ends() {
    const RelationId n = graph->num_relations();
    tail_kinds.assign(n, ValueKind::kThing);
    groups.assign(n, kNoGroup);
    if (read.empty()) return;
    std::vector<EndCounts> counts(n);
    for_each_tail(*graph, 0, graph->num_connected(), [&](EntityId tail, RelationId relation) {
      const TypedValue value = value_through(relation, tail);
      ++counts[relation].kinds[static_cast<std::size_t>(value.kind)];
      ++counts[relation].groups[group_of(value)];
    });
    for (RelationId r = 0; r < n; ++r) {
      const auto& kinds = counts[r].kinds;
      tail_kinds[r] = static_cast<ValueKind>(std::max_element(kinds.begin(), kinds.end()) - kinds.begin());
      auto& of_groups = counts[r].groups;
      const auto most = std::max_element(of_groups.begin() + 1, of_groups.end());
      if (*most > 0) groups[r] = static_cast<std::uint8_t>(most - of_groups.begin());
    }
  }

  // Without the text of texts, which would be copied for nothing.
  [[nodiscard]] TypedValue value_through(RelationId relation, EntityId tail) const {
    const ReadValue& value = read_of(tail);
    const Reading& reading = readings[relation];
    if (!value.is_typed && !reading.texts)
      return {.kind = value.is_literal ? ValueKind::kText : ValueKind::kThing};
    if (reading.years && value.kind == ValueKind::kNumber)
      if (const auto year = as_year(value.value())) return *year;
    if (reading.numbers && value.kind == ValueKind::kYear) return as_number(value.value());
    return value.value();
  }

  [[nodiscard]] TypedValue with_text(TypedValue value, EntityId entity) const {
    if (value.kind == ValueKind::kText)
      if (auto literal = split_literal(details->id(entity))) value.text = std::move(literal->text);
    return value;
  }

  [[nodiscard]] TypedValue value_by_itself(EntityId entity) const {
    const ReadValue& value = read_of(entity);
    if (!value.is_typed && !value.is_tail)
      return {.kind = value.is_literal ? ValueKind::kText : ValueKind::kThing};
    if (value.is_tail && !value.in_numbers && value.kind == ValueKind::kNumber)
      if (const auto year = as_year(value.value())) return *year;
    return value.value();
  }

  // By relation and group, then by key and id.
  void rank() const {
    struct Placed {
      RelationId relation;
      std::uint8_t group;
      RankedValue value;
      auto operator<=>(const Placed&) const = default;
    };
    std::vector<Placed> all;
    for (EntityId entity = 0; entity < slots.size() && entity < graph->num_connected(); ++entity) {
      if (slots[entity] == kNone) continue;
      for_each_tail(*graph, entity, entity + 1, [&](EntityId tail, RelationId relation) {
        const TypedValue value = value_through(relation, tail);
        if (const std::uint8_t group = group_of(value); group != kNoGroup)
          all.push_back({relation, group, {value.from, tail}});
      });
    }
    std::sort(all.begin(), all.end());
    for (const Placed& each : all) {
      if (ranked.empty() || sections.back().relation != each.relation || sections.back().group != each.group)
        sections.push_back({each.relation, each.group, ranked.size()});
      ranked.push_back(each.value);
    }
    sections.push_back({graph->num_relations(), kNoGroup, ranked.size()});
  }

  [[nodiscard]] std::span<const RankedValue> ranked_of(RelationId relation, std::uint8_t group) const {
    std::call_once(once, [this] { rank(); });
    const auto found =
        std::lower_bound(sections.begin(), sections.end(), std::pair(relation, group),
                         [](const Section& a, const auto& b) { return std::pair(a.relation, a.group) < b; });
    if (found == sections.end() || found->relation != relation || found->group != group) return {};
    if (found + 1 == sections.end()) return {};
    return std::span(ranked).subspan(found->begin, (found + 1)->begin - found->begin);
  }
};

TypedValues::TypedValues(const KnowledgeGraph& graph) : impl_(std::make_unique<Impl>(graph)) {}
TypedValues::TypedValues(TypedValues&&) noexcept = default;
TypedValues& TypedValues::operator=(TypedValues&&) noexcept = default;
TypedValues::~TypedValues() = default;

const KnowledgeGraph& TypedValues::graph() const noexcept { return *impl_->graph; }

TypedValue TypedValues::value(EntityId entity) const {
  return impl_->with_text(impl_->value_by_itself(entity), entity);
}

ValueKind TypedValues::kind(EntityId entity) const noexcept { return impl_->value_by_itself(entity).kind; }

TypedValue TypedValues::value(RelationId relation, EntityId tail) const {
  return impl_->with_text(impl_->value_through(relation, tail), tail);
}

RelationEnds TypedValues::ends(RelationId relation) const noexcept {
  return {impl_->tail_kinds[impl_->graph->inverse(relation)], impl_->tail_kinds[relation]};
}

std::uint8_t TypedValues::group(RelationId relation, EntityId tail) const noexcept {
  return group_of(impl_->value_through(relation, tail));
}

std::uint8_t TypedValues::group(RelationId relation) const noexcept { return impl_->groups[relation]; }

std::span<const RankedValue> TypedValues::ranked(RelationId relation) const {
  return impl_->ranked_of(relation, impl_->groups[relation]);
}

std::span<const RankedValue> TypedValues::ranked(RelationId relation, std::uint8_t group) const {
  return impl_->ranked_of(relation, group);
}

std::string TypedValues::shown(EntityId entity) const {
  const TypedValue value = this->value(entity);
  if (value.kind == ValueKind::kThing) return std::string(impl_->graph->entity_name(entity));
  return graph::shown(value);
}

}  // namespace kgwalk::graph
