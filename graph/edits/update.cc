// Many facts at once, in the formats of ingestion: files are read as ingestion reads them, into a graph of
// their own, whose entities are then found in the database.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "graph/details.h"
#include "graph/edits/editor.h"
#include "graph/ingest/fact_reader.h"
#include "graph/ingest/iri_names.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "runtime/temporary_folder.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

// What files say.
struct ReadFiles {
  KnowledgeGraph graph;
  Values texts;
};

ReadFiles read_files(const UpdateOptions& options, const std::vector<fs::path>& files, UpdateReport& told,
                     Reporter& reporter, const StopFlag& stop) {
  IngestOptions ingest{.database = options.database, .triples = files, .input = options.input};
  ingest.strict = options.strict;
  const TemporaryFolder spool;
  IngestReport report;
  SourceFiles sources(ingest, spool.path(), report, reporter, stop);
  FactReader facts(ingest, sources, report);
  facts.read_all(stop);
  if (report.triple_lines + report.labels + report.aliases + report.descriptions == 0)
    throw FormatError(files.front().string() + ": no fact and no name could be read" +
                      (report.problems.empty() ? "" : "; the first bad line is " + report.problems.front()));
  KnowledgeGraph graph = facts.builder().build();
  DetailsMaker details(graph);
  facts.give_details(details);
  GraphAccess::set_details(graph, details.bytes());
  told.skipped += report.skipped;
  told.problems.insert(told.problems.end(), report.problems.begin(), report.problems.end());
  return {std::move(graph), facts.values()};
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
  // By id, where it has one; that of an entity that was merged is another name. An entity of that name with
  // another id is another entity.
  [[nodiscard]] std::optional<EntityId> find(std::string_view name, std::string_view id) const {
    const Delta& delta = editor_.delta();
    if (!id.empty())
      if (const auto found = delta.find_entity(id); found && delta.entity_id(*found) == id) return found;
    if (const auto found = delta.find_entity(name); found && (id.empty() || delta.entity_id(*found).empty()))
      return found;
    const std::set<EntityId> called = delta.called(id.empty() ? name : id);
    return called.size() == 1 ? std::optional(*called.begin()) : std::nullopt;
  }

  Editor& editor_;
  const KnowledgeGraph& files_;
  std::vector<EntityId> entities_;
  std::vector<RelationId> relations_;
  std::unordered_map<std::string, RelationId> relation_ids_;  // of the base; looked up alone
};

template <class Handle>
void for_each_fact(const KnowledgeGraph& graph, Handle&& handle) {
  for (EntityId head = 0; head < graph.num_connected(); ++head)
    for (const Edge& edge : graph.out_edges(head))
      if (!graph.relation_name(edge.relation).starts_with('~'))
        handle(graph.number_of(edge), Triple{head, edge.relation, edge.tail});
}

std::string fact_text(const KnowledgeGraph& graph, const Triple& fact) {
  return std::string(graph.entity_name(fact.head)) + " -[" + std::string(graph.relation_name(fact.relation)) +
         "]-> " + std::string(graph.entity_name(fact.tail));
}

// The name that files give an entity; empty where it is only made of the id.
std::string_view label_of(const KnowledgeGraph& files, EntityId entity) {
  const std::string_view id = details(files).id(entity), told_apart = details(files).label(entity);
  const std::string_view name = told_apart.empty() ? files.entity_name(entity) : told_apart;
  return id.empty() || id.front() == '"' || name == entity_name_of_id(id) ? std::string_view() : name;
}

// Names that files take away: other names go, and of an entity's own name it is kept in mind, for the name
// that other files give it.
void remove_names(Editor& editor, Matching& matching, const ReadFiles& files, std::set<EntityId>& unnamed) {
  for (EntityId e = 0; e < files.graph.num_entities(); ++e) {
    const EntityId entity = matching.entity(e, false);
    if (entity == kNoName) continue;
    std::vector<std::string_view> names = details(files.graph).aliases(e);
    if (const std::string_view label = label_of(files.graph, e); !label.empty()) names.push_back(label);
    for (const std::string_view name : names)
      if (editor.has_alias(entity, name))
        editor.drop_alias(entity, std::string(name));
      else if (name_key(name) == name_key(editor.delta().entity_name(entity)))
        unnamed.insert(entity);
    const std::string_view text = files.texts.description(e);
    if (!text.empty() && editor.description(entity) == text) editor.describe(entity, "");
  }
}

// An entity keeps its name and gets those of the files beside it, unless files took the name away.
void add_names(Editor& editor, Matching& matching, const ReadFiles& files,
               const std::set<EntityId>& unnamed) {
  for (EntityId e = 0; e < files.graph.num_entities(); ++e) {
    const std::string_view label = label_of(files.graph, e), text = files.texts.description(e);
    const std::vector<std::string_view> aliases = details(files.graph).aliases(e);
    if (label.empty() && text.empty() && aliases.empty()) continue;
    const EntityId entity = matching.entity(e, true);
    const auto is_called = [&](std::string_view name) {
      return name_key(name) == name_key(editor.delta().entity_name(entity)) || editor.has_alias(entity, name);
    };
    if (!label.empty() && unnamed.contains(entity) && !editor.delta().find_entity(label)) {
      const std::string before(editor.delta().entity_name(entity));
      editor.rename(entity, std::string(label));
      if (editor.has_alias(entity, before)) editor.drop_alias(entity, before);
    }
    if (!label.empty() && !is_called(label)) editor.alias(entity, std::string(label));
    for (const std::string_view name : aliases)
      if (!is_called(name)) editor.alias(entity, std::string(name));
    if (!text.empty() && editor.description(entity) != text) editor.describe(entity, std::string(text));
  }
}

void remove_all(Editor& editor, Matching& matching, const KnowledgeGraph& files, bool strict) {
  for_each_fact(files, [&](std::uint64_t /*edge*/, const Triple& fact) {
    const Triple there{matching.entity(fact.head, false), matching.relation(fact.relation, false),
                       matching.entity(fact.tail, false)};
    const bool known = there.head != kNoName && there.relation != kNoName && there.tail != kNoName;
    if (known && editor.retract(there)) return;
    if (strict) throw ConfigError("the graph does not have " + fact_text(files, fact));
    editor.tell("is not there: " + fact_text(files, fact));
  });
}

void add_all(Editor& editor, Matching& matching, const KnowledgeGraph& files) {
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
  std::optional<ReadFiles> remove, add;
  if (!options.remove.empty()) remove.emplace(read_files(options, options.remove, report, reporter, stop));
  if (!options.add.empty()) add.emplace(read_files(options, options.add, report, reporter, stop));
  Editor editor(options.database, options.edit);
  std::set<EntityId> unnamed;
  if (remove) {
    Matching matching(editor, remove->graph);
    remove_all(editor, matching, remove->graph, options.strict);
    remove_names(editor, matching, *remove, unnamed);
  }
  if (add) {
    Matching matching(editor, add->graph);
    add_all(editor, matching, add->graph);
    add_names(editor, matching, *add, unnamed);
  }
  if (stop.requested()) throw Stopped("the update was stopped and nothing was written");
  const EditReport& done = editor.report();
  const std::string what =
      "update: " + with_commas(static_cast<long long>(done.facts_added)) + " facts added, " +
      with_commas(static_cast<long long>(done.facts_retracted)) + " retracted" +
      (done.other_changes == 0 ? ""
                               : ", " + with_commas(static_cast<long long>(done.other_changes)) +
                                     " changes of names and descriptions");
  report.edit = editor.commit({{"what", what}});
  return report;
}

}  // namespace kgwalk::graph
