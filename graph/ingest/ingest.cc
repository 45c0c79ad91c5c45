#include "kgwalk/ingest.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "graph/details.h"
#include "graph/ingest/dialogue_reader.h"
#include "graph/ingest/fact_reader.h"
#include "graph/ingest/housekeeping.h"
#include "graph/ingest/ingest_writer.h"
#include "graph/ingest/source_files.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

void check_input(const IngestOptions& options) {
  const InputOptions& input = options.input;
  const auto streams = std::count(options.triples.begin(), options.triples.end(), fs::path("-"));
  if (streams > 1) throw ConfigError("standard input can be read only once");
  if (streams == 1 && input.format == InputFormat::kAuto)
    throw ConfigError("standard input has no extension that tells its format",
                      Remedy{Remedy::kGive, "format"});
  if (input.entity_ids.empty() != input.relation_ids.empty())
    throw ConfigError("ids of entities and of relations come together",
                      Remedy{Remedy::kGive, input.entity_ids.empty() ? "entity_ids" : "relation_ids"});
  for (const fs::path& file : {options.entities, input.entity_ids, input.relation_ids})
    if (fs::exists(file) && !fs::is_regular_file(file))
      throw ConfigError(file.string() + ": is read twice and must be a file, no pipe");
  const auto filled = std::count_if(input.columns.begin(), input.columns.end(),
                                    [](const std::string& column) { return !column.empty(); });
  if (filled != 0 && filled != 3) throw ConfigError("columns are three: of head, relation and tail");
  const std::size_t ids = input.id_columns.size();
  if (ids == 1 || ids > 3 || std::count(input.id_columns.begin(), input.id_columns.end(), "") > 0)
    throw ConfigError("columns of ids are two, of head and tail, or three, the last of relations");
}

void check_division(const IngestOptions& options) {
  double sum = 0;
  for (const auto& [name, share] : options.division.shares) {
    if (name.empty() || name.find('\0') != std::string::npos) throw ConfigError("a split needs a name");
    if (!std::isfinite(share) || share < 0)
      throw ConfigError("the share of split '" + name + "' must be 0 or more");
    sum += share;
  }
  if (!options.division.shares.empty() && sum <= 0) throw ConfigError("the shares of the splits are all 0");
  for (const DialogueSource& source : options.dialogues)
    if ((source.split.empty() && options.division.shares.empty()) ||
        source.split.find('\0') != std::string::npos)
      throw ConfigError("the split of " + source.file.string() + " needs a name",
                        Remedy{Remedy::kGive, "dialogues"});
}

// The split of a dialogue, by its text and the seed alone.
const std::string& split_of(std::string_view messages, const Division& division) {
  double sum = 0;
  for (const auto& [name, share] : division.shares) sum += share;
  const std::uint64_t hash = hash_bytes(std::to_string(division.seed) + '\n' + std::string(messages));
  double left = static_cast<double>(hash >> 11) * 0x1p-53 * sum;
  for (const auto& [name, share] : division.shares)
    if ((left -= share) < 0) return name;
  return std::find_if(division.shares.rbegin(), division.shares.rend(),
                      [](const auto& s) { return s.second > 0; })
      ->first;
}

// One ingestion from files to the moved database.
class Ingestion {
 public:
  Ingestion(const IngestOptions& options, Reporter& reporter, const StopFlag& stop)
      : options_(options), reporter_(reporter), stop_(stop) {}

  IngestReport run() {
    if (options_.triples.empty() && options_.sparql.url.empty())
      throw ConfigError("ingestion needs at least one file of triples", Remedy{Remedy::kGive, "triples"});
    check_input(options_);
    check_division(options_);
    const Json request(ingestion_again(options_).arguments);
    IngestWriter writer(options_.database, options_.replace, request);
    SourceFiles files(options_, writer.folder(), report_, reporter_, stop_);
    FactReader facts(options_, files, report_);
    facts.builder().spool_in(writer.folder());
    facts.read_all(stop_);
    check_facts();
    KnowledgeGraph graph = facts.builder().build_in(writer.folder() / kSnapshotFile);
    DetailsMaker details(graph);
    facts.give_details(details);
    GraphAccess::set_details(graph, details.bytes());
    const Values values = facts.values();
    mark_housekeeping(graph, values, details);
    report_.told_apart = facts.num_told_apart();
    count_graph(graph, facts.builder().counts());
    IngestWriter::Splits splits;
    for (const auto& [name, share] : options_.division.shares) splits[name];
    for (const DialogueSource& source : options_.dialogues) read_dialogue_file(source, graph, files, splits);
    files.poll();
    Json meta = {{"counts", report_.to_json()}, {"sources", files.checksums()}, {"request", request}};
    reporter_.info("writing " + options_.database.string());
    writer.write(graph, values, splits, std::move(meta));
    files.poll();
    writer.finish();
    return std::move(report_);
  }

 private:
  // Files of another form than was told, all of whose lines are bad, shall not pass for a graph without
  // facts.
  void check_facts() const {
    if (report_.triple_lines > 0 || report_.skipped == 0) return;
    const std::string source =
        options_.triples.empty() ? options_.sparql.url : options_.triples.front().string();
    throw FormatError(source + ": no fact could be read, " +
                      with_commas(static_cast<long long>(report_.skipped)) +
                      (report_.skipped == 1 ? " line is bad" : " lines are bad") +
                      (report_.problems.empty() ? "" : "; the first is " + report_.problems.front()));
  }

  void mark_housekeeping(KnowledgeGraph& graph, const Values& values, DetailsMaker& details) {
    for (const RelationId relation : housekeeping_relations(graph, values)) {
      details.set_housekeeping(relation);
      report_.housekeeping.emplace_back(graph.relation_name(relation));
    }
    if (!report_.housekeeping.empty()) GraphAccess::set_details(graph, details.bytes());
  }

  void read_dialogue_file(const DialogueSource& source, const KnowledgeGraph& graph, SourceFiles& files,
                          IngestWriter::Splits& splits) {
    files.read(source.file, FileKind::kDialogues, [&](const OpenSource& open) {
      open.counts.split = source.split;
      std::map<std::string, DialogueCounts> counts;
      const auto shelf_of = [&](std::string_view messages) {
        const std::string& split =
            source.split.empty() ? split_of(messages, options_.division) : source.split;
        return DialogueShelf{counts[split], splits[split]};
      };
      if (!source.split.empty()) (void)shelf_of({});  // a file without dialogues makes its split, too
      read_dialogues(open.bytes, options_.max_line_bytes, graph, open.log, shelf_of, stop_);
      for (const auto& [split, of_split] : counts) {
        open.counts.dialogues.add(of_split);
        report_.splits[split].add(of_split);
      }
    });
  }

  void count_graph(const KnowledgeGraph& graph, const BuildCounts& built) {
    report_.duplicate_triples = built.duplicates;
    report_.added_inverses = built.added_inverses;
    report_.edges = graph.num_edges();
    report_.self_loops = built.self_loops;
    report_.entities = graph.num_entities();
    report_.connected_entities = graph.num_connected();
    report_.relations = graph.num_relations();
    report_.neighbor_pairs = graph.num_neighbors() / 2;
    count_details(graph);
  }

  void count_details(const KnowledgeGraph& graph) {
    const GraphDetails& given = details(graph);
    if (!given.has_weights() && !given.has_sources() && !given.has_qualifiers()) return;
    for (std::uint64_t edge = 0; edge < graph.num_edges(); ++edge) {
      if (graph.relation_name(graph.edge(edge).relation).starts_with('~')) continue;
      report_.weighted += given.given_weight(edge) ? 1 : 0;
      report_.sourced += given.sources(edge).empty() ? 0 : 1;
      report_.qualified += given.qualifiers(edge).empty() ? 0 : 1;
    }
  }

  const IngestOptions& options_;
  Reporter& reporter_;
  const StopFlag& stop_;
  IngestReport report_;
};

}  // namespace

IngestReport ingest(const IngestOptions& options, Reporter& reporter, const StopFlag& stop) {
  return Ingestion(options, reporter, stop).run();
}

IngestOptions opendialkg_release(const fs::path& folder) {
  const auto file = [&](const char* name) { return folder / (std::string("opendialkg") + name); };
  IngestOptions options;
  options.triples = {file("_triples.txt")};
  options.entities = file("_entities.txt");
  options.relations = file("_relations.txt");
  options.dialogues = {{"", file(".csv")}};
  options.division.shares = {{"train", 70}, {"dev", 15}, {"test", 15}};
  std::string missing;
  for (const fs::path& path :
       {options.triples[0], options.entities, options.relations, options.dialogues[0].file})
    if (!fs::exists(path)) missing += (missing.empty() ? "" : ", ") + path.filename().string();
  if (!missing.empty())
    throw ConfigError(folder.string() + ": is not the official OpenDialKG release, without " + missing);
  return options;
}

}  // namespace kgwalk::graph
