// Ingestion: a graph in any usual format, lists of names, and dialogues as OpenDialKG has them, into a new
// database.
//
// Example:
//   const auto report = kgwalk::graph::ingest({.database = "kg.db",
//                                              .triples = {"opendialkg_triples.txt"},
//                                              .dialogues = {{"train", "train.csv"}, {"dev", "dev.csv"}}});
//   std::cout << report.edges << " edges, " << report.skipped << " bad lines\n";
//   for (const std::string& problem : report.problems) std::cerr << problem << '\n';
//
//   kgwalk::graph::IngestOptions films{.database = "films.db", .triples = {"films.ttl.gz", "people.nt"}};
//   films.input.language = "de";
//   kgwalk::graph::ingest(films);
//
// Tables with a row per thing are read by a plan, which is guessed: kgwalk/table_plan.h.
//
// Formats, all UTF-8 with LF or CRLF, plain or packed by gzip, bzip2 or zstd: graphs as kgwalk/input_format.h
// lists them; lists hold a name a line; dialogues are csv with a column Messages of json, as OpenDialKG has
// them. Docs: docs/reference/formats/input.md and graph.md.
//
// A bad line is skipped, counted and reported as "file:line: why", or stops the ingestion when `strict` is
// set. A path of a dialogue with a fact that the graph does not hold is a bad one too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kgwalk/input_format.h"
#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::graph {

// A csv of dialogues and the split that it belongs to.
struct DialogueSource {
  // "train", "dev", ...; empty: divided by IngestOptions::division. Files of the same split are appended in
  // their order.
  std::string split;
  std::filesystem::path file;
};

// How dialogues without a split are divided: by their text and the seed alone, so that a dialogue stays where
// it is when others come or go, and equal ones never fall on two sides.
struct Division {
  std::vector<std::pair<std::string, double>> shares =
      {};  // name, share of the dialogues; the sum counts as 1
  std::uint64_t seed = 1;
};

// A graph that a SPARQL endpoint gives by a CONSTRUCT query. Solutions are asked for by pages, LIMIT and
// OFFSET being added to the query, until a page is empty; a query with a LIMIT or OFFSET of its own is asked
// once. Only an ORDER BY in the query makes sure that pages neither overlap nor leave something out. Blank
// nodes of two pages differ. A page that fails ends the ingestion with an error that tells the page, and
// nothing is written.
struct SparqlSource {
  std::string url = {};              // of http or https, where the endpoint takes queries; empty: none
  std::filesystem::path query = {};  // file with the query
  std::size_t page_rows = 10'000;    // solutions of a page
  double page_seconds = 60;          // that a page may take
  std::size_t max_page_bytes = 256 << 20;
};

struct IngestOptions {
  // Needed: the folder to make. An existing database is replaced only when `replace` is set, and only once
  // the new one is whole.
  std::filesystem::path database = {};
  bool replace = false;

  // Needed unless `sparql` is given: one file or more, "-" for standard input (once), folders of csv and tsv.
  // Ids follow first appearance in them, those of plain triples and tables of facts first.
  std::vector<std::filesystem::path> triples = {};
  InputOptions input = {};  // how they are read

  // Optional: a file of json that says what tables with a row per thing become (kgwalk/table_plan.h); those
  // that it does not list are not read. Empty: guessed, and told as notes.
  std::filesystem::path mapping = {};

  // Optional: names that may lack facts, one a line. Those that have some are known already. Entities may
  // also be a table (csv or tsv with a column "id" or "name" in its header) of ids, names, types, aliases and
  // descriptions; triples, csv and tsv then name entities by these ids.
  std::filesystem::path entities = {};
  std::filesystem::path relations = {};

  // Optional: those of the triples that are known only from annotations of dialogues;
  // KnowledgeGraph::annotation_only() tells them from the others.
  std::filesystem::path annotation_only = {};

  // Optional; none: a graph to walk, nothing to train a walker on.
  std::vector<DialogueSource> dialogues = {};
  Division division = {};  // needed by dialogues without a split

  SparqlSource sparql = {};  // optional; read behind the files

  bool strict = false;                   // the first bad line throws DataError
  std::size_t max_line_bytes = 1 << 20;  // longer lines are bad ones
  std::size_t max_reported = 20;         // bad lines reported one by one, a file; all are counted
};

// The files of the official OpenDialKG release in `folder` (opendialkg.csv, opendialkg_triples.txt,
// _entities.txt, _relations.txt), the dialogues to be divided 70 : 15 : 15 into train, dev and test.
// ConfigError names the files that are missing.
[[nodiscard]] IngestOptions opendialkg_release(const std::filesystem::path& folder);

// What may be wrong with a line of an input file.
enum class Reason {
  // The line (or row, or path) is skipped:
  kFieldCount,  // not three fields; not as many csv fields as the header has
  kInvalidUtf8,
  kNulByte,
  kEmptyName,
  kLongLine,
  kQuotes,         // csv quoting that RFC 4180 does not allow
  kJson,           // Messages is no json list
  kMessage,        // an element of Messages that is neither chat, path nor side talk
  kPathShape,      // choose_path without a list of [head, relation, tail]
  kUnknownTriple,  // a hop, or an annotation-only triple, that is not in the graph
  kBrokenChain,    // a hop that does not start where the hop before ends
  kSyntax,         // RDF, JSON or XML that its format does not allow: what is lost is told
  kLongName,       // an IRI or name beyond max_name_bytes
  kBadId,          // a number that no line of the id map has, or that two have
  kBadWeight,      // a weight that is no number of 0 or more
  kUnknownNode,    // a relationship (Neo4j, GraphML) of a node that no file has
  // The line is used; `strict` stops at the first two:
  kCrLf,
  kByteOrderMark,
  kNoFinalNewline,  // the official lists end so
};
// Its name in json: "field_count", "invalid_utf8", ...
[[nodiscard]] std::string_view reason_name(Reason reason) noexcept;

// What dialogue files held, of one file or of a split.
struct DialogueCounts {
  std::uint64_t dialogues = 0, messages = 0;
  std::uint64_t paths = 0, one_hop_paths = 0, two_hop_paths = 0, longer_paths = 0;
  std::uint64_t hops = 0;
  std::uint64_t annotation_only_paths = 0;  // with a hop that is known from annotations only
  std::uint64_t side_talk = 0;              // messages dropped
  std::uint64_t duplicates = 0;             // rows
  void add(const DialogueCounts& other) noexcept;
  [[nodiscard]] Json to_json() const;
};

enum class FileKind { kTriples, kEntities, kRelations, kAnnotationOnly, kDialogues, kIds };

struct FileReport {
  FileKind kind = FileKind::kTriples;
  std::string format;            // of triples: a name of InputFormat
  std::uint64_t bytes = 0;       // unpacked
  std::uint64_t lines = 0;       // of all but dialogues
  std::uint64_t triples = 0;     // used, of triples; marked, of annotation-only ones
  std::uint64_t statements = 0;  // of all but triples and tables: all that were read, and what became of them
  std::uint64_t labels = 0, values = 0, dropped_literals = 0;
  std::uint64_t aliases = 0, descriptions = 0;
  std::uint64_t qualifiers = 0, lost_qualifiers = 0;  // kept beside their facts; of texts that are no facts
  std::uint64_t names = 0, duplicates = 0;            // of entities, relations and ids
  std::string split;                                  // of dialogues
  DialogueCounts dialogues;                           // likewise
  std::uint64_t skipped = 0;                          // bad lines, all reasons
  std::map<Reason, std::uint64_t> skipped_by_reason, repaired_by_reason;
  [[nodiscard]] Json to_json() const;
};

struct IngestReport {
  std::uint64_t triple_lines = 0;                              // used
  std::uint64_t duplicate_triples = 0;                         // among them
  std::uint64_t added_inverses = 0;                            // edges r~ that no file held
  std::uint64_t labels = 0, values = 0, dropped_literals = 0;  // of all files
  std::uint64_t aliases = 0, descriptions = 0;                 // likewise
  std::uint64_t weighted = 0, sourced = 0;                     // facts with a weight, with a source
  std::uint64_t qualified = 0;                                 // facts with qualifiers
  std::uint64_t told_apart = 0;  // entities that bear a name of others, and have something behind it
  std::uint64_t edges = 0, self_loops = 0;
  std::uint64_t annotation_only = 0;  // triples marked so
  std::uint64_t entities = 0, connected_entities = 0;
  std::uint64_t relations = 0, relations_in_use = 0;
  std::uint64_t neighbor_pairs = 0;  // unordered pairs of entities with an edge between them
  std::uint64_t skipped = 0;         // bad lines of all files
  std::map<std::string, DialogueCounts> splits;
  std::vector<std::pair<std::string, FileReport>> files;  // in the order in which they were read
  // By which properties entities and relations got their names, and how many.
  std::map<std::string, std::uint64_t> named_by;
  // Relations that are marked as housekeeping (GraphDetails::is_housekeeping), by name.
  std::vector<std::string> housekeeping;
  // What was guessed or found and is good to know: separators, names of options that mean nothing in these
  // files.
  std::vector<std::string> notes;
  std::vector<std::string> problems;  // "file:line: why", the first max_reported of each file

  // The counts, as the database keeps them too (docs/reference/formats/graph.md); the problems are left out.
  [[nodiscard]] Json to_json() const;
};

// Makes the database and returns what was read. All or nothing: at every moment the old database lies at
// `database` or the whole new one, also when this throws or the program dies.
//
// Throws ConfigError (no triples, a split without a name), DataError (`strict`, or a file that is not of its
// format at all), FormatError (no fact at all, and bad lines), StoreError (the database exists, or another
// ingestion into it runs), IoError (unreadable file, disk full), Stopped when `stop` is set. Thread-safe for
// different databases.
IngestReport ingest(const IngestOptions& options, Reporter& reporter = silent_reporter(),
                    const StopFlag& stop = never_stop());

}  // namespace kgwalk::graph
