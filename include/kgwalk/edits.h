// Changing a graph in place: facts, names, other names and descriptions, one batch at a time, with who did it
// and when, and each batch taken back by its number.
//
// Example:
//   using kgwalk::graph::EditOperation;
//   using Kind = EditOperation::Kind;
//   const std::vector<EditOperation> operations = {
//       {.kind = Kind::kAdd, .names = {"Dune (2021 film)", "directed by", "Denis Villeneuve"}, .make_new =
//       true},
//       {.kind = Kind::kAlias, .names = {"Dune (2021 film)", "Dune: Part One"}}};
//   const auto report = kgwalk::graph::edit("kg.db", operations, {.author = "ada"});
//   std::cout << "edit " << report.number << '\n';
//   kgwalk::graph::undo_edit("kg.db", report.number, {.author = "ada"});
//
// A batch is atomic: after a crash at any point all of it is there or none. It becomes one record of a log in
// the database (docs/reference/formats/edits.md), which Store::load_graph() lays over the graph that
// ingestion made. Ids of entities and relations stay; new ones come behind all others. A fact of an edit has
// the edit as its source: "edit 3 by ada, 2026-01-31T12:00:00Z".
//
// Names are looked up as KnowledgeGraph::find_entity() does, then among other names where exactly one entity
// bears it. Where a name is new, the operation says whether a new entity or relation is meant.
//
// Errors, all before anything is written: ConfigError for a name that is not in the graph (with the nearest),
// is empty or not UTF-8, a fact that is not there, an entity merged with itself, a number of no edit;
// BusyError when another process writes the database (nothing of it is lost: try again); IoError when the
// folder cannot be written. What changes nothing (a fact that is there) is no error and is told in
// EditReport::notes; a batch that changes nothing leaves no record.
//
// Threads: different databases may be edited at the same time; of two writers of one the second gets the
// BusyError. Readers see the graph before or after.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/busy_error.h"
#include "kgwalk/ingest.h"
#include "kgwalk/input_format.h"
#include "kgwalk/json.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::graph {

struct EditOperation {
  enum class Kind {
    kAdd,        // HEAD RELATION TAIL
    kRetract,    // HEAD RELATION TAIL
    kRename,     // ENTITY NAME: the name before stays as another name
    kAlias,      // ENTITY NAME: another name
    kDropAlias,  // ENTITY NAME
    kDescribe,   // ENTITY TEXT: its description; an empty text takes it away
    kMerge,      // ENTITY OTHER: the other's facts and names become the entity's, and the other is no more
  };
  Kind kind = Kind::kAdd;
  std::vector<std::string> names = {};  // as many as the kind has
  std::optional<float> weight = {};     // of kAdd; finite, 0 or more
  bool make_new = false;                // of kAdd: unknown entities and relations are made

  // {"add": ["HEAD", "RELATION", "TAIL"], "weight": 0.5, "new": true}, {"retract": [...]}, {"rename": [...]},
  // {"alias": [...]}, {"unalias": [...]}, {"describe": [...]}, {"merge": [...]}. ConfigError tells what is
  // wrong.
  [[nodiscard]] static EditOperation from_json(const Json& json);
  [[nodiscard]] Json to_json() const;
};

struct EditOptions {
  std::string author = {};  // needed: a name, UTF-8, at most 200 bytes
  std::string time = {};    // as RFC 3339 has it; empty: now
};

struct EditReport {
  std::uint64_t number = 0;  // of the record; 0: nothing was to be changed
  std::uint64_t facts_added = 0, facts_retracted = 0;
  std::uint64_t new_entities = 0, new_relations = 0;
  std::uint64_t other_changes = 0;      // of names, other names and descriptions
  std::uint64_t unchanged = 0;          // operations or facts that were so already
  std::vector<std::string> notes = {};  // of these, the first 20
  [[nodiscard]] Json to_json() const;
};

// A record of the log.
struct EditRecord {
  std::uint64_t number = 0;
  std::string author, time;
  std::string what;          // in a line: "add Dune -[directed by]-> Denis Villeneuve", "add 100,000 facts"
  std::uint64_t undoes = 0;  // the edit that it takes back; 0: none
  std::uint64_t undone_by = 0;  // the last edit that takes it back and is not itself taken back; 0: it stands
  EditReport counts = {};
  [[nodiscard]] Json to_json() const;
};

// Does all operations, in their order, as one edit. ConfigError when there is none.
EditReport edit(const std::filesystem::path& database, std::span<const EditOperation> operations,
                const EditOptions& options);

// Takes an edit back, as an edit of its own, which can be taken back likewise. What later edits changed again
// stays as they made it, and is told. ConfigError: there is no edit of this number, it is taken back already,
// or nothing of it is left.
EditReport undo_edit(const std::filesystem::path& database, std::uint64_t number, const EditOptions& options);

// Lays the edits into the base: the graph is what it was, opens as fast as one without edits, and log, undo,
// ids and checksum stay. As long as the log is short there is nothing to gain. Returns how many edits that
// were; 0: all are in the base already. Errors as edit(); after a crash at any point the graph is the same.
std::uint64_t compact_edits(const std::filesystem::path& database);

// The number of the last edit that a graph holds, or a database; 0 where there is none. The last looks at a
// small file alone, and is for those that watch a database: the writer of an edit leaves the number there
// before the edit is in the database, so for a moment, or where it died, it is one ahead of last_edit().
[[nodiscard]] std::uint64_t last_edit(const KnowledgeGraph& graph) noexcept;
[[nodiscard]] std::uint64_t last_edit(const Store& store);
[[nodiscard]] std::uint64_t last_edit_noticed(const std::filesystem::path& database);

// Tables with a row an entity or relation end there. Its own sizes where there is no edit.
[[nodiscard]] BaseSize base_size(const KnowledgeGraph& graph) noexcept;
// Those before the end that had another name when the graph was ingested, or may have had; ascending.
[[nodiscard]] std::span<const EntityId> renamed_entities(const KnowledgeGraph& graph) noexcept;

// The log, oldest first.
[[nodiscard]] std::vector<EditRecord> edit_log(const std::filesystem::path& database);

struct UpdateOptions {
  std::filesystem::path database = {};
  // In the formats of ingestion; facts to be added and to be retracted. Entities are those of the same id
  // where the files have ids, and those of the same name. What is new is made. Labels, other names and
  // descriptions are added and taken away likewise: a label that an entity does not have becomes another name
  // of it, or its name where `remove` has the name of before. Values of entities are not taken over.
  std::vector<std::filesystem::path> add = {}, remove = {};
  InputOptions input = {};
  EditOptions edit = {};
  bool strict =
      false;  // a bad line, or a fact to be retracted that is not there, is a DataError or ConfigError
};

// Retracts, then adds, as one edit. Problems are lines that were left out, "file:line: why".
struct UpdateReport {
  EditReport edit;
  std::uint64_t skipped = 0;
  std::vector<std::string> problems;
};
UpdateReport update_graph(const UpdateOptions& options, Reporter& reporter = silent_reporter(),
                          const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
