#include "kgwalk/ingest.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/ingest/dialogue_reader.h"
#include "graph/ingest/ingest_writer.h"
#include "graph/ingest/lines.h"
#include "graph/ingest/problem_log.h"
#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/files.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPollLines = 8192;

// What would ask for the same ingestion again.
Remedy again(const IngestOptions& options) {
  Remedy remedy{Remedy::kIngest, options.database.string()};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) remedy.arguments.emplace_back(name, value);
  };
  for (const fs::path& file : options.triples) add("triples", file.string());
  add("entities", options.entities.string());
  add("relations", options.relations.string());
  add("annotation_only", options.annotation_only.string());
  for (const DialogueSource& d : options.dialogues) add("dialogues", d.split + "=" + d.file.string());
  if (options.strict) add("strict", "true");
  if (options.replace) add("replace", "true");
  return remedy;
}

// One ingestion from files to the moved database.
class Ingestion {
 public:
  Ingestion(const IngestOptions& options, Reporter& reporter, const StopFlag& stop)
      : options_(options), reporter_(reporter), stop_(stop) {}

  IngestReport run() {
    check_options();
    IngestWriter writer(options_.database, options_.replace, Json(again(options_).arguments));
    if (list_has_empty_name()) builder_.allow_empty_entity();
    for (const fs::path& file : options_.triples) read_triples(file);
    count_used_names();
    if (!options_.entities.empty()) read_names(options_.entities, FileKind::kEntities);
    if (!options_.relations.empty()) read_names(options_.relations, FileKind::kRelations);
    if (!options_.annotation_only.empty()) read_annotation_only();
    const KnowledgeGraph graph = builder_.build();
    count_graph(graph);
    IngestWriter::Splits splits;
    for (const DialogueSource& source : options_.dialogues) read_dialogue_file(source, graph, splits);
    poll();
    Json meta = {
        {"counts", report_.to_json()}, {"sources", sources_}, {"request", again(options_).arguments}};
    reporter_.info("writing " + options_.database.string());
    writer.write(graph, splits, std::move(meta));
    poll();
    writer.finish();
    return std::move(report_);
  }

 private:
  void check_options() const {
    if (options_.triples.empty())
      throw ConfigError("ingestion needs at least one file of triples", Remedy{Remedy::kGive, "triples"});
    for (const DialogueSource& source : options_.dialogues)
      if (source.split.empty() || source.split.find('\0') != std::string::npos)
        throw ConfigError("the split of " + source.file.string() + " needs a name",
                          Remedy{Remedy::kGive, "dialogues"});
  }

  void poll() const {
    if (stop_.requested())
      throw Stopped("the ingestion was stopped and nothing was written", again(options_));
  }

  // Opens a source, notes its checksum, lets `read` go through it, and keeps what the log says.
  template <class Read>
  void with_file(const fs::path& file, FileKind kind, Read&& read) {
    const MappedFile mapped(file);
    ProblemLog log(file.string(), options_.strict, options_.max_reported, reporter_);
    const auto progress = reporter_.start("reading " + file.filename().string(),
                                          static_cast<std::int64_t>(mapped.bytes().size()), "bytes");
    FileReport counts;
    counts.kind = kind;
    counts.bytes = mapped.bytes().size();
    read(mapped.bytes(), log, *progress, counts);
    log.finish();
    counts.skipped = log.skipped();
    counts.skipped_by_reason = log.skipped_by_reason();
    counts.repaired_by_reason = log.repaired_by_reason();
    report_.skipped += log.skipped();
    report_.problems.insert(report_.problems.end(), log.reported().begin(), log.reported().end());
    sources_[file.string()] = checksum_of(mapped.bytes());
    report_.files.emplace_back(file.string(), std::move(counts));
  }

  // Calls handle(line, number) for every usable line.
  template <class Handle>
  std::size_t for_each_line(std::string_view bytes, ProblemLog& log, Progress& progress, Handle&& handle) {
    LineReader lines(bytes, options_.max_line_bytes, log);
    std::string_view line;
    std::size_t shown = 0, handled = 0;
    while (lines.next(line)) {
      handle(line, lines.number());
      if (++handled % kPollLines == 0) {
        poll();
        progress.add(static_cast<std::int64_t>(lines.position() - shown));
        shown = lines.position();
      }
    }
    progress.add(static_cast<std::int64_t>(lines.position() - shown));
    return lines.number();
  }

  // The official list of entities has an empty line, and four triples and two walked paths use that name. An
  // empty name is an entity when both the list and a triple have it, and a bad line otherwise.
  [[nodiscard]] bool list_has_empty_name() {
    if (options_.entities.empty()) return false;
    const MappedFile mapped(options_.entities);
    const std::string_view text = mapped.bytes();
    listed_empty_name_ = text.starts_with('\n') || text.find("\n\n") != std::string_view::npos;
    return listed_empty_name_;
  }

  // Says why a name cannot be used; false then.
  static bool name_is_good(std::string_view name, std::size_t line, const char* what, ProblemLog& log,
                           bool may_be_empty = false) {
    if (const auto at = invalid_utf8_at(name)) {
      log.skip(line, Reason::kInvalidUtf8,
               "the " + std::string(what) + " is not valid UTF-8 at its byte " + std::to_string(*at + 1));
      return false;
    }
    const std::string key = name_key(name);
    if (may_be_empty || (!key.empty() && key != "~")) return true;
    log.skip(line, Reason::kEmptyName, "the " + std::string(what) + " is empty");
    return false;
  }

  struct Fields {
    std::string_view head, relation, tail;
  };

  // All three names are checked before any is taken: a skipped line leaves no name behind.
  std::optional<Fields> split_triple(std::string_view line, std::size_t number, ProblemLog& log) const {
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    if (second == std::string_view::npos || line.find('\t', second + 1) != std::string_view::npos) {
      const auto fields = 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
      log.skip(number, Reason::kFieldCount,
               std::to_string(fields) + (fields == 1 ? " field" : " fields") +
                   " instead of three; head, relation and tail are separated by tabs");
      return std::nullopt;
    }
    const Fields f{line.substr(0, first), line.substr(first + 1, second - first - 1),
                   line.substr(second + 1)};
    const auto entity_is_good = [&](std::string_view name, const char* what) {
      return builder_.knows_entity_spelling(name) ||
             name_is_good(name, number, what, log, listed_empty_name_);
    };
    const bool good =
        entity_is_good(f.head, "head") &&
        (builder_.knows_relation_spelling(f.relation) || name_is_good(f.relation, number, "relation", log)) &&
        entity_is_good(f.tail, "tail");
    return good ? std::optional(f) : std::nullopt;
  }

  void read_triples(const fs::path& file) {
    with_file(file, FileKind::kTriples,
              [&](std::string_view bytes, ProblemLog& log, Progress& progress, FileReport& counts) {
                builder_.reserve(report_.triple_lines + bytes.size() / 40);
                counts.lines =
                    for_each_line(bytes, log, progress, [&](std::string_view line, std::size_t number) {
                      const auto fields = split_triple(line, number, log);
                      if (!fields) return;
                      const EntityId head = builder_.entity(fields->head);
                      const RelationId relation = builder_.relation(fields->relation);
                      builder_.add({head, relation, builder_.entity(fields->tail)});
                      ++counts.triples;
                    });
                report_.triple_lines += counts.triples;
              });
  }

  void count_used_names() { report_.relations_in_use = builder_.num_relations(); }

  void read_names(const fs::path& file, FileKind kind) {
    const bool entities = kind == FileKind::kEntities;
    with_file(
        file, kind, [&](std::string_view bytes, ProblemLog& log, Progress& progress, FileReport& counts) {
          std::vector<bool> met;
          counts.lines = for_each_line(bytes, log, progress, [&](std::string_view line, std::size_t number) {
            const bool known =
                entities ? builder_.knows_entity_spelling(line) : builder_.knows_relation_spelling(line);
            if (!known && !name_is_good(line, number, entities ? "entity name" : "relation name", log))
              return;
            const std::uint32_t id = entities ? builder_.entity(line) : builder_.relation(line);
            if (id >= met.size()) met.resize(std::max<std::size_t>(id + std::size_t{1}, 2 * met.size()));
            counts.duplicates += met[id];
            met[id] = true;
            ++counts.names;
          });
        });
  }

  void read_annotation_only() {
    with_file(
        options_.annotation_only, FileKind::kAnnotationOnly,
        [&](std::string_view bytes, ProblemLog& log, Progress& progress, FileReport& counts) {
          counts.lines = for_each_line(bytes, log, progress, [&](std::string_view line, std::size_t number) {
            const auto fields = split_triple(line, number, log);
            if (!fields) return;
            const Triple triple{builder_.find_entity(fields->head), builder_.find_relation(fields->relation),
                                builder_.find_entity(fields->tail)};
            if (triple.head != kNoName && triple.relation != kNoName && triple.tail != kNoName &&
                builder_.mark_annotation_only(triple)) {
              ++counts.triples;
            } else {
              log.skip(number, Reason::kUnknownTriple,
                       "the triple is in no file of triples; only those can be marked");
            }
          });
          report_.annotation_only = counts.triples;
        });
  }

  void read_dialogue_file(const DialogueSource& source, const KnowledgeGraph& graph,
                          IngestWriter::Splits& splits) {
    with_file(source.file, FileKind::kDialogues,
              [&](std::string_view bytes, ProblemLog& log, Progress& progress, FileReport& counts) {
                counts.split = source.split;
                counts.dialogues =
                    read_dialogues(bytes, options_.max_line_bytes, graph, log, splits[source.split], stop_);
                progress.add(static_cast<std::int64_t>(bytes.size()));
                report_.splits[source.split].add(counts.dialogues);
              });
  }

  void count_graph(const KnowledgeGraph& graph) {
    report_.duplicate_triples = builder_.counts().duplicates;
    report_.added_inverses = builder_.counts().added_inverses;
    report_.edges = graph.num_edges();
    report_.self_loops = builder_.counts().self_loops;
    report_.entities = graph.num_entities();
    report_.connected_entities = graph.num_connected();
    report_.relations = graph.num_relations();
    report_.neighbor_pairs = graph.all_neighbors().size() / 2;
  }

  const IngestOptions& options_;
  Reporter& reporter_;
  const StopFlag& stop_;
  GraphBuilder builder_;
  IngestReport report_;
  Json sources_ = Json::object();
  bool listed_empty_name_ = false;
};

}  // namespace

IngestReport ingest(const IngestOptions& options, Reporter& reporter, const StopFlag& stop) {
  return Ingestion(options, reporter, stop).run();
}

}  // namespace kgwalk::graph
