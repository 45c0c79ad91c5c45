// Many facts at once, in the formats of ingestion: files are read as ingestion reads them, into a graph of
// their own, whose entities are then found in the database.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "graph/details.h"
#include "graph/edits/editor.h"
#include "graph/ingest/fact_reader.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "runtime/temporary_folder.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

KnowledgeGraph read_files(const UpdateOptions& options, const std::vector<fs::path>& files,
                          UpdateReport& told, Reporter& reporter, const StopFlag& stop) {
  IngestOptions ingest{.database = options.database, .triples = files, .input = options.input};
  ingest.strict = options.strict;
  const TemporaryFolder spool;
  IngestReport report;
  SourceFiles sources(ingest, spool.path(), report, reporter, stop);
  FactReader facts(ingest, sources, report);
  facts.read_all(stop);
  if (report.triple_lines == 0)
    throw FormatError(files.front().string() + ": no fact could be read" +
                      (report.problems.empty() ? "" : "; the first bad line is " + report.problems.front()));
  KnowledgeGraph graph = facts.builder().build();
  DetailsMaker details(graph);
  facts.give_details(details);
  GraphAccess::set_details(graph, details.bytes());
  told.skipped += report.skipped;
  told.problems.insert(told.problems.end(), report.problems.begin(), report.problems.end());
  return graph;
}

// Entities and relations of files as those of the database.
class Matching {
 public:
  Matching(Editor& editor, const KnowledgeGraph& files)
      : editor_(editor),
        files_(files),
        entities_(files.num_entities(), kNoName),
        relations_(files.num_relations(), kNoName) {
    const Delta& delta = editor.delta();
    const GraphDetails& given = details(delta.base());
    for (RelationId r = 0; r < delta.base().num_relations(); ++r)
      if (const std::string_view id = given.relation_id(r); !id.empty()) relation_ids_.emplace(id, r);
    const std::set<EntityId> changed = delta.realiased();
    if (given.has_aliases())
      for (EntityId e = 0; e < delta.base().num_entities(); ++e)
        if (!changed.contains(e))
          for (const std::string_view alias : given.aliases(e)) add_alias(alias, e);
    for (const EntityId e : changed)
      for (const std::string& alias : delta.aliases_of(e)) add_alias(alias, e);
  }

  // kNoName: not there, and not to be made.
  [[nodiscard]] EntityId entity(EntityId of_files, bool make) {
    EntityId& known = entities_[of_files];
    if (known != kNoName) return known;
    const std::string_view name = files_.entity_name(of_files), id = details(files_).id(of_files);
    if (const auto found = find(name, id)) return known = *found;
    if (!make) return kNoName;
    const bool is_taken = editor_.delta().find_entity(name).has_value();
    return known = editor_.make_entity(
               is_taken ? std::string(name) + " (" + std::string(id) + ")" : std::string(name), id);
  }

  [[nodiscard]] RelationId relation(RelationId of_files, bool make) {
    RelationId& known = relations_[of_files];
    if (known != kNoName) return known;
    const std::string_view name = files_.relation_name(of_files);
    const std::string_view id = details(files_).relation_id(of_files);
    if (const auto found = relation_ids_.find(std::string(id)); !id.empty() && found != relation_ids_.end())
      return known = found->second;
    if (const auto found = editor_.delta().find_relation(name)) return known = *found;
    return make ? known = editor_.make_relation(name) : kNoName;
  }

 private:
  void add_alias(std::string_view alias, EntityId entity) {
    const auto [found, is_new] = aliases_.try_emplace(name_key(alias), entity);
    if (!is_new && found->second != entity) found->second = kNoName;  // of several
  }

  // By id, where it has one. An entity of that name with another id is another entity.
  [[nodiscard]] std::optional<EntityId> find(std::string_view name, std::string_view id) const {
    const Delta& delta = editor_.delta();
    if (!id.empty())
      if (const auto found = delta.find_entity(id); found && delta.entity_id(*found) == id) return found;
    if (const auto found = delta.find_entity(name))
      return id.empty() || delta.entity_id(*found).empty() ? found : std::nullopt;
    const auto found = aliases_.find(name_key(name));
    if (!id.empty() || found == aliases_.end() || found->second == kNoName) return std::nullopt;
    return found->second;
  }

  Editor& editor_;
  const KnowledgeGraph& files_;
  std::vector<EntityId> entities_;
  std::vector<RelationId> relations_;
  std::unordered_map<std::string, EntityId> aliases_;         // looked up alone
  std::unordered_map<std::string, RelationId> relation_ids_;  // of the base
};

template <class Handle>
void for_each_fact(const KnowledgeGraph& graph, Handle&& handle) {
  for (EntityId head = 0; head < graph.num_connected(); ++head)
    for (std::uint64_t i = graph.offsets()[head]; i < graph.offsets()[head + 1]; ++i)
      if (const Edge& edge = graph.edges()[i]; !graph.relation_name(edge.relation).starts_with('~'))
        handle(i, Triple{head, edge.relation, edge.tail});
}

std::string fact_text(const KnowledgeGraph& graph, const Triple& fact) {
  return std::string(graph.entity_name(fact.head)) + " -[" + std::string(graph.relation_name(fact.relation)) +
         "]-> " + std::string(graph.entity_name(fact.tail));
}

void remove_all(Editor& editor, const KnowledgeGraph& files, bool strict) {
  Matching matching(editor, files);
  for_each_fact(files, [&](std::uint64_t /*edge*/, const Triple& fact) {
    const Triple there{matching.entity(fact.head, false), matching.relation(fact.relation, false),
                       matching.entity(fact.tail, false)};
    const bool known = there.head != kNoName && there.relation != kNoName && there.tail != kNoName;
    if (known && editor.retract(there)) return;
    if (strict) throw ConfigError("the graph does not have " + fact_text(files, fact));
    editor.tell("is not there: " + fact_text(files, fact));
  });
}

void add_all(Editor& editor, const KnowledgeGraph& files) {
  Matching matching(editor, files);
  const GraphDetails& given = details(files);
  const std::shared_ptr<const FactNote> plain = editor.note({});
  for_each_fact(files, [&](std::uint64_t edge, const Triple& fact) {
    const EntityId head = matching.entity(fact.head, true);
    const RelationId relation = matching.relation(fact.relation, true);
    const Triple there{head, relation, matching.entity(fact.tail, true)};
    std::shared_ptr<const FactNote> note = plain;
    const auto weight = given.given_weight(edge);
    const auto sources = given.sources(edge);
    if (weight || !sources.empty()) {
      FactNote own = *plain;
      own.weight = weight;
      for (const std::string_view source : sources) own.sources.emplace_back(source);
      std::sort(own.sources.begin(), own.sources.end());
      note = std::make_shared<const FactNote>(std::move(own));
    }
    if (!editor.add(there, note)) editor.tell("is there already: " + fact_text(files, fact));
  });
}

}  // namespace

UpdateReport update_graph(const UpdateOptions& options, Reporter& reporter, const StopFlag& stop) {
  if (options.add.empty() && options.remove.empty())
    throw ConfigError("an update needs files to add or to remove", Remedy{Remedy::kGive, "add"});
  UpdateReport report;
  std::optional<KnowledgeGraph> remove, add;
  if (!options.remove.empty()) remove.emplace(read_files(options, options.remove, report, reporter, stop));
  if (!options.add.empty()) add.emplace(read_files(options, options.add, report, reporter, stop));
  Editor editor(options.database, options.edit);
  if (remove) remove_all(editor, *remove, options.strict);
  if (add) add_all(editor, *add);
  if (stop.requested()) throw Stopped("the update was stopped and nothing was written");
  const EditReport& done = editor.report();
  const std::string what = "update: " + with_commas(static_cast<long long>(done.facts_added)) +
                           " facts added, " + with_commas(static_cast<long long>(done.facts_retracted)) +
                           " retracted";
  report.edit = editor.commit({{"what", what}});
  return report;
}

}  // namespace kgwalk::graph
