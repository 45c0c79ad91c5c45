#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <variant>

#include "graph/details.h"
#include "graph/entity_named.h"
#include "graph/graph_builder.h"
#include "graph/ingest/ingest_writer.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/store/written_forms.h"
#include "kgwalk/entities.h"
#include "kgwalk/error.h"
#include "kgwalk/values.h"

namespace kgwalk::graph {
namespace {

// A database with some of its entities joined, on its way into a new one.
class Merging {
 public:
  explicit Merging(const std::filesystem::path& database)
      : store_(Store::open(database, Store::Mode::kReadOnly)),
        graph_(store_.load_graph()),
        details_(details(graph_)) {
    into_.resize(graph_.num_entities());
    std::iota(into_.begin(), into_.end(), 0U);
  }

  [[nodiscard]] Store& store() noexcept { return store_; }
  [[nodiscard]] const KnowledgeGraph& old_graph() const noexcept { return graph_; }

  void join(const std::string& first, const std::string& second) {
    const EntityId a = root(entity_named(graph_, first)), b = root(entity_named(graph_, second));
    if (a == b) throw ConfigError("'" + first + "' and '" + second + "' are one entity already");
    into_[b] = a;
    joined_.push_back(b);
  }

  KnowledgeGraph build() {
    for (EntityId e = 0; e < graph_.num_entities(); ++e) into_[e] = root(e);
    GraphBuilder builder;
    builder.reserve(graph_.num_edges() / 2);
    for (EntityId e = 0; e < graph_.num_entities(); ++e)
      if (graph_.entity_name(e).empty()) builder.allow_empty_entity();
    for (RelationId r = 0; r < graph_.num_relations(); ++r) (void)builder.relation(graph_.relation_name(r));
    name_entities(builder);
    for_each_fact([&](std::uint64_t, const Triple& fact) { builder.add(fact); });
    const auto mark = [&](EntityId head, const Edge& edge) {
      if (const Triple fact{head, edge.relation, edge.tail}; graph_.annotation_only(fact))
        (void)builder.mark_annotation_only(mapped(fact));
    };
    for (EntityId head = 0; head < graph_.num_connected(); ++head)
      for (const Edge& edge : graph_.out_edges(head)) mark(head, edge);
    KnowledgeGraph merged = builder.build();
    add_details(merged);
    return merged;
  }

  [[nodiscard]] Values values() const {
    const std::optional<Values> old = Values::load(store_);
    Values all;
    if (!old) return all;
    std::vector<std::pair<EntityId, EntityId>> order;  // new, old
    for (EntityId e = 0; e < graph_.num_entities(); ++e) order.emplace_back(new_ids_[e], e);
    std::sort(order.begin(), order.end());
    for (const auto& [entity, before] : order)
      for (const ValueRole role : {ValueRole::kLabel, ValueRole::kAlias, ValueRole::kDescription,
                                   ValueRole::kValue, ValueRole::kResource, kWrittenRole})
        for (Value value : old->of(before, role)) {
          if (into_[before] != before && role == ValueRole::kLabel) value.role = ValueRole::kAlias;
          all.add(entity, value);
        }
    for (RelationId r = 0; r < graph_.num_relations(); ++r)
      for (const Value& value : old->of_relation(r)) all.add_relation(r, value);
    return all;
  }

  [[nodiscard]] IngestWriter::Splits dialogues() const {
    IngestWriter::Splits splits;
    for (const std::string& split : store_.splits()) {
      std::vector<Dialogue>& list = splits[split] = store_.dialogues(split);
      for (Dialogue& dialogue : list)
        for (DialogueEvent& event : dialogue.events)
          if (auto* path = std::get_if<WalkedPath>(&event))
            for (Triple& hop : path->hops) hop = mapped(hop);
    }
    return splits;
  }

 private:
  [[nodiscard]] EntityId root(EntityId e) const {
    while (into_[e] != e) e = into_[e];
    return e;
  }
  [[nodiscard]] Triple mapped(const Triple& fact) const {
    return {new_ids_[fact.head], fact.relation, new_ids_[fact.tail]};
  }

  // Those with edges first, each where it or what is joined to it stood; an edge between two that are one is
  // none.
  void name_entities(GraphBuilder& builder) {
    new_ids_.assign(graph_.num_entities(), kNoName);
    std::vector<bool> has_edge(graph_.num_entities(), false);
    for (EntityId head = 0; head < graph_.num_connected(); ++head)
      for (const Edge& edge : graph_.out_edges(head))
        if (stays(head, edge.tail)) has_edge[into_[head]] = has_edge[into_[edge.tail]] = true;
    for (const bool connected : {true, false})
      for (EntityId e = 0; e < graph_.num_entities(); ++e)
        if (has_edge[into_[e]] == connected) new_ids_[e] = builder.entity(graph_.entity_name(into_[e]));
  }

  [[nodiscard]] bool stays(EntityId head, EntityId tail) const {
    return head == tail || into_[head] != into_[tail];
  }

  template <class Handle>
  void for_each_fact(Handle&& handle) const {
    for (EntityId head = 0; head < graph_.num_connected(); ++head)
      for (const Edge& edge : graph_.out_edges(head))
        if (!graph_.relation_name(edge.relation).starts_with('~') && stays(head, edge.tail))
          handle(graph_.number_of(edge), mapped({head, edge.relation, edge.tail}));
  }

  void add_details(KnowledgeGraph& merged) const {
    DetailsMaker maker(merged);
    for (EntityId e = 0; e < graph_.num_entities(); ++e) {
      const bool stays_itself = into_[e] == e;
      const EntityId entity = new_ids_[e];
      if (const std::string_view id = details_.id(e); stays_itself && !id.empty()) maker.set_id(entity, id);
      if (const std::string_view label = details_.label(e); stays_itself && !label.empty())
        maker.set_label(entity, std::string(label));
      for (const std::string_view alias : details_.aliases(e)) maker.add_alias(entity, std::string(alias));
    }
    for (const EntityId e : joined_) {
      maker.add_alias(new_ids_[e], std::string(graph_.entity_name(e)));
      for (const std::string_view alias : {details_.label(e), details_.id(e)})
        if (!alias.empty()) maker.add_alias(new_ids_[e], std::string(alias));
    }
    for (RelationId r = 0; r < graph_.num_relations(); ++r)
      if (const std::string_view id = details_.relation_id(r); !id.empty()) maker.set_relation_id(r, id);
    for (RelationId r = 0; r < graph_.num_relations(); ++r)
      if (details_.is_housekeeping(r)) maker.set_housekeeping(r);
    if (const auto type = details_.type_relation()) maker.set_type_relation(*type);
    if (details_.has_weights() || details_.has_sources())
      for_each_fact([&](std::uint64_t edge, const Triple& fact) { add_fact(maker, edge, fact); });
    if (details_.has_qualifiers())
      for_each_fact([&](std::uint64_t edge, const Triple& fact) { add_qualifiers(maker, edge, fact); });
    GraphAccess::set_details(merged, maker.bytes());
  }

  void add_qualifiers(DetailsMaker& maker, std::uint64_t edge, const Triple& fact) const {
    for (const std::span<const Qualifier> statement : details_.qualifiers(edge)) {
      std::vector<Qualifier> moved(statement.begin(), statement.end());
      for (Qualifier& each : moved) each.value = new_ids_[each.value];
      maker.add_qualifiers(fact, std::move(moved));
    }
  }

  void add_fact(DetailsMaker& maker, std::uint64_t edge, const Triple& fact) const {
    const auto weight = details_.given_weight(edge);
    for (const std::string_view source : details_.sources(edge)) maker.add_fact(fact, weight, source);
    if (details_.without_source(edge)) maker.add_fact(fact, weight, "");
  }

  Store store_;
  KnowledgeGraph graph_;
  const GraphDetails& details_;
  std::vector<EntityId> into_, new_ids_;  // by old id
  std::vector<EntityId> joined_;
};

// What the new database says of itself.
Json meta_of(Json meta, const KnowledgeGraph& graph,
             const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const char* made_anew : {"schema", "graph_checksum", "splits", "compacted"}) meta.erase(made_anew);
  Json& counts = meta["counts"];
  counts["edges"] = graph.num_edges();
  counts["entities"] = graph.num_entities();
  counts["connected_entities"] = graph.num_connected();
  counts["neighbour_pairs"] = graph.num_neighbors() / 2;
  for (const auto& [a, b] : pairs) meta["merged"].push_back({a, b});
  return meta;
}

}  // namespace

MergeReport merge_entities(const std::filesystem::path& database,
                           const std::vector<std::pair<std::string, std::string>>& pairs, Reporter& reporter,
                           const StopFlag& stop) {
  if (pairs.empty()) throw ConfigError("no entities to merge were given");
  MergeReport report;
  Json meta;
  std::optional<KnowledgeGraph> merged;
  Values values;
  IngestWriter::Splits splits;
  {
    Merging merging(database);
    for (const auto& [a, b] : pairs) merging.join(a, b);
    report.merged = pairs.size();
    report.edges_before = merging.old_graph().num_edges();
    merged.emplace(merging.build());
    values = merging.values();
    splits = merging.dialogues();
    meta = meta_of(merging.store().meta(), *merged, pairs);
    report.dropped_tables = merging.store().table_names();
    for (const std::string& blob : merging.store().blob_names())
      if (!blob.starts_with(kSnapshotBlob) && !blob.starts_with(kDetailsBlob) &&
          !blob.starts_with(kValuesBlob))
        report.dropped_tables.push_back(blob);
  }
  report.edges_after = merged->num_edges();
  if (stop.requested()) throw Stopped("the merge was stopped and nothing was written");
  IngestWriter writer(database, true, meta.value("request", Json::array()));
  reporter.info("writing " + database.string());
  write_snapshot(*merged, writer.folder() / kSnapshotFile);
  writer.write(*merged, values, splits, std::move(meta));
  if (stop.requested()) throw Stopped("the merge was stopped and nothing was written");
  writer.finish();
  return report;
}

}  // namespace kgwalk::graph
