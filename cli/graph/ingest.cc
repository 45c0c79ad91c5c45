// kgwalk ingest: triples, names and dialogues into a database.
#include "kgwalk/ingest.h"
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/error.h"
#include "kgwalk/store.h"
#include "kgwalk/table_plan.h"
#include "runtime/files.h"
#include "runtime/stopwatch.h"

namespace kgwalk::cli {
namespace {

struct IngestOptions {
  graph::IngestOptions ingest;
  std::string format, columns, id_columns, separator, quote, list_separator, literals;
  std::vector<std::string> labels, aliases, descriptions;
  std::vector<std::string> dialogues;  // NAME=FILE, or FILE with --split
  std::string opendialkg, split;
  std::string plan;  // file to write it to
  std::uint64_t split_seed = 1;
};

[[noreturn]] void refuse_option(const char* option, const std::string& why) {
  throw CLI::ValidationError(option, why);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(',', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

graph::DialogueSource parse_source(const std::string& text, bool divided) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos && divided) return {"", text};
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse_option("--dialogs", "'" + text + "' is not NAME=FILE, e.g. train=train.csv (or give --split)");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

// "70,15,15" (train, dev, test) or "NAME=SHARE,...".
std::vector<std::pair<std::string, double>> parse_split(const std::string& text) {
  const std::vector<std::string> parts = parts_of(text);
  constexpr const char* kUsual[] = {"train", "dev", "test"};
  std::vector<std::pair<std::string, double>> shares;
  for (const std::string& part : parts) {
    const std::size_t equals = part.find('=');
    const bool named = equals != std::string::npos;
    double share = 0;
    if ((!named && parts.size() != 3) ||
        !CLI::detail::lexical_cast(named ? part.substr(equals + 1) : part, share))
      refuse_option("--split",
                    "'" + text + "' is neither three shares, as 70,15,15, nor NAME=SHARE,NAME=SHARE");
    shares.emplace_back(named ? part.substr(0, equals) : kUsual[shares.size()], share);
  }
  return shares;
}

void apply_input(const IngestOptions& options, graph::InputOptions& input) {
  if (!options.format.empty()) {
    const auto format = graph::format_named(options.format);
    if (!format)
      refuse_option("--format", "'" + options.format + "' " + input.format.advice(options.format) +
                                    ", an extension of them or a media type");
    input.format = *format;
  }
  if (!options.columns.empty()) {
    const std::vector<std::string> parts = parts_of(options.columns);
    if (parts.size() != 3) refuse_option("--columns", "'" + options.columns + "' is not HEAD,RELATION,TAIL");
    std::copy(parts.begin(), parts.end(), input.columns.begin());
  }
  if (!options.id_columns.empty()) {
    const std::vector<std::string> parts = parts_of(options.id_columns);
    if (parts.size() != 2)
      refuse_option("--id-columns", "'" + options.id_columns + "' is not HEAD_ID,TAIL_ID");
    std::copy(parts.begin(), parts.end(), input.id_columns.begin());
  }
  const auto take_character = [](const char* option, const std::string& text, char& into) {
    if (text.empty()) return;
    if (text != "tab" && text.size() != 1)
      refuse_option(option, "'" + text + "' is neither one character nor tab");
    into = text == "tab" ? '\t' : text[0];
  };
  take_character("--separator", options.separator, input.separator);
  take_character("--quote", options.quote, input.quote);
  take_character("--list-separator", options.list_separator, input.list_separator);
  if (!options.labels.empty()) input.labels = options.labels;
  if (!options.aliases.empty()) input.aliases = options.aliases;
  if (!options.descriptions.empty()) input.descriptions = options.descriptions;
  if (!options.literals.empty() && !input.literals.assign(options.literals))
    refuse_option("--literals", "'" + options.literals + "' " + input.literals.advice(options.literals));
}

void apply(const IngestOptions& options, graph::IngestOptions& ingest) {
  if (!options.opendialkg.empty()) {
    graph::IngestOptions release = graph::opendialkg_release(options.opendialkg);
    ingest.triples.insert(ingest.triples.begin(), release.triples.begin(), release.triples.end());
    if (ingest.entities.empty()) ingest.entities = release.entities;
    if (ingest.relations.empty()) ingest.relations = release.relations;
    ingest.dialogues = release.dialogues;
    ingest.division = release.division;
  }
  if (ingest.triples.empty() && ingest.sparql.url.empty())
    refuse_option("--triples", "a file, --opendialkg DIR or --from-sparql URL is required");
  if (!options.split.empty()) ingest.division.shares = parse_split(options.split);
  ingest.division.seed = options.split_seed;
  for (const std::string& text : options.dialogues)
    ingest.dialogues.push_back(parse_source(text, !ingest.division.shares.empty()));
  apply_input(options, ingest.input);
}

void print_report(const graph::IngestReport& report) {
  print("entities    {}, {} of them with edges\n", counted(report.entities),
        counted(report.connected_entities));
  print("relations   {}, {} of them in use\n", counted(report.relations), counted(report.relations_in_use));
  print("triples     {} read, {} duplicates, {} inverses added: {} edges\n", counted(report.triple_lines),
        counted(report.duplicate_triples), counted(report.added_inverses), counted(report.edges));
  if (report.labels + report.values + report.dropped_literals > 0)
    print("literals    {} labels, {} values, {} dropped\n", counted(report.labels), counted(report.values),
          counted(report.dropped_literals));
  if (report.aliases + report.descriptions + report.told_apart > 0)
    print("entities    {} aliases, {} descriptions; {} told apart from others of their name\n",
          counted(report.aliases), counted(report.descriptions), counted(report.told_apart));
  if (report.weighted + report.sourced > 0)
    print("facts       {} with a weight, {} with a source\n", counted(report.weighted),
          counted(report.sourced));
  for (const auto& [property, count] : report.named_by)
    print("named       {} by {}\n", counted(count), property);
  std::string aside;
  for (const std::string& relation : report.housekeeping) aside += (aside.empty() ? "" : ", ") + relation;
  if (!aside.empty()) print("aside       {}: of the records, not of the things\n", aside);
  for (const auto& [name, split] : report.splits)
    print("{:<11} {} dialogues, {} messages, {} paths ({} of one hop, {} of two), {} side talk dropped\n",
          name, counted(split.dialogues), counted(split.messages), counted(split.paths),
          counted(split.one_hop_paths), counted(split.two_hop_paths), counted(split.side_talk));
  if (report.skipped > 0) print("skipped     {} bad lines\n", counted(report.skipped));
  for (const auto& [name, file] : report.files)
    for (const auto& [reason, count] : file.skipped_by_reason)
      print("            {}: {} {}\n", name, counted(count), graph::reason_name(reason));
}

// The plan of the tables, to be edited and given back as --mapping.
void write_plan(const IngestOptions& options, Common& common) {
  const graph::TablePlan plan = graph::plan_tables(options.ingest, *common.stop);
  for (const graph::TableMapping& table : plan.tables) print("{:<20} {}\n", table.table, table.told());
  if (plan.tables.empty()) print_text("no tables with a row per thing\n");
  replace_file(options.plan, plan.to_json().dump(2) + "\n");
  print("plan        {}; edit it and give it as --mapping\n", options.plan);
  common.write_json(plan.to_json());
}

void run(IngestOptions options, Common& common) {
  apply(options, options.ingest);
  if (!options.plan.empty()) return write_plan(options, common);
  if (options.ingest.database.empty()) refuse_option("--db", "is required, a folder to make");
  const Stopwatch watch;
  const graph::IngestReport report = graph::ingest(options.ingest, *common.reporter, *common.stop);
  const double seconds = watch.seconds();
  print_report(report);
  print("database    {}, {:.2f} s\n", options.ingest.database.string(), seconds);
  common.write_json({{"counts", report.to_json()}, {"problems", report.problems}, {"seconds", seconds}});
}

void add_input_options(CLI::App& app, IngestOptions& options) {
  graph::InputOptions& input = options.ingest.input;
  const char* group = "How the graph is written";
  app.add_option(
         "--format", options.format,
         "auto (by extension), triples, csv, tsv, neo4j, ntriples, nquads, turtle, trig, rdfxml, jsonld, "
         "json (objects, one a line or in an array), graphml, wikidata, or a media type")
      ->group(group);
  app.add_option(
         "--columns", options.columns,
         "of csv and tsv: HEAD,RELATION,TAIL by their names in the header, or by numbers from 1 without one")
      ->group(group);
  app.add_option("--separator", options.separator,
                 "of csv, tsv and neo4j: one character, or tab; default as the first line shows")
      ->group(group);
  app.add_option("--quote", options.quote, "of csv and neo4j: what stands around cells; default \"")
      ->group(group);
  app.add_option("--list-separator", options.list_separator,
                 "of neo4j: what separates the values of a list and labels; default ;; of things: guessed")
      ->group(group);
  app.add_option("--id", input.id_column,
                 "of tables with a row per thing: the column of ids; default: guessed")
      ->group(group);
  app.add_option("--name", input.name_column, "the same: the column of names")->group(group);
  app.add_option("--link", input.links,
                 "the same: a column that names rows, [TABLE.]COLUMN=TABLE.COLUMN; repeatable")
      ->group(group)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--id-columns", options.id_columns,
                 "of csv and tsv: HEAD_ID,TAIL_ID, ids of the entities that the names beside them belong to")
      ->group(group);
  app.add_option("--weight", input.weight_column,
                 "of csv and tsv, of Neo4j's relationships and GraphML's edges: weights of facts, 0 or more")
      ->group(group);
  app.add_option("--source", input.source_column, "the same: what facts were taken from")->group(group);
  app.add_option("--entity-ids", input.entity_ids,
                 "what the numbers of entities stand for: id TAB name (PyKEEN, DGL-KE)")
      ->group(group)
      ->check(CLI::ExistingFile);
  app.add_option("--relation-ids", input.relation_ids, "the same of relations")
      ->group(group)
      ->check(CLI::ExistingFile);
  app.add_option(
         "--label", options.labels,
         "property that names entities, best first: an IRI, a prefixed name or a last part; repeatable; "
         "default: found")
      ->group(group)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const auto repeated = [&](const char* name, std::vector<std::string>& into, const char* what) {
    app.add_option(name, into, what)
        ->group(group)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  repeated("--alias", options.aliases,
           "property or column that gives other names, by the same words; repeatable; default skos:altLabel, "
           "schema:alternateName, alias, aliases");
  repeated(
      "--description", options.descriptions,
      "the same of descriptions; default rdfs:comment, dcterms:description, schema:description, description");
  app.add_option("--language", input.language, "language of names, where there are several")
      ->group(group)
      ->capture_default_str();
  app.add_option(
         "--literals", options.literals,
         "what literals become that name nothing: entities (default), values beside the graph, or drop")
      ->group(group);
  app.add_option("--base", input.base, "IRI that relative ones begin with; default file:///NAME")
      ->group(group);
  app.add_option("--context", input.context,
                 "of jsonld: a file with a context, for what addresses name; nothing is fetched")
      ->group(group)
      ->check(CLI::ExistingFile);
  app.add_option("--max-name-bytes", input.max_name_bytes, "longer IRIs and literals are skipped")
      ->group(group)
      ->capture_default_str();
}

void add_sparql_options(CLI::App& app, graph::SparqlSource& source) {
  const char* group = "A graph of a SPARQL endpoint";
  CLI::Option* url =
      app.add_option("--from-sparql", source.url, "address that queries are posted to")->group(group);
  CLI::Option* query = app.add_option("--query", source.query,
                                      "file with a CONSTRUCT query; LIMIT and OFFSET are added page by page "
                                      "unless it has its own")
                           ->group(group)
                           ->check(CLI::ExistingFile)
                           ->needs(url);
  url->needs(query);
  const auto limit = [&](const char* name, auto& into, const char* what) {
    app.add_option(name, into, what)->group(group)->capture_default_str()->needs(url);
  };
  limit("--page-rows", source.page_rows, "solutions of a page");
  limit("--page-seconds", source.page_seconds, "that a page may take");
  limit("--max-page-bytes", source.max_page_bytes, "that a page may have");
}

Verb add_ingest(CLI::App& app, Common& common) {
  auto options = std::make_shared<IngestOptions>();
  graph::IngestOptions& ingest = options->ingest;
  app.add_option("--db", ingest.database, "database to make, a folder; needed unless --plan")
      ->envname("KGWALK_DB");
  app.add_option(
         "--triples,files", ingest.triples,
         "files of the graph, in any format of --format, plain, .gz, .bz2 or .zst; SQLite files; folders "
         "of tables; "
         "repeatable; - is standard input")
      ->check(CLI::ExistingPath | CLI::IsMember({"-"}));
  app.add_option(
      "--plan", options->plan,
      "write what tables with a row per thing are taken for to this file of json, and read nothing");
  app.add_option("--mapping", ingest.mapping,
                 "read tables by this file, which --plan wrote; default: guessed")
      ->check(CLI::ExistingFile);
  app.add_option("--entities", ingest.entities,
                 "entity names, one a line; or a table (csv, tsv) of id, name, type, aliases, description")
      ->check(CLI::ExistingFile);
  app.add_option("--relations", ingest.relations, "relation names, one a line")->check(CLI::ExistingFile);
  app.add_option("--annotation-only", ingest.annotation_only,
                 "triples known only because an annotator walked them; marked in the graph")
      ->check(CLI::ExistingFile);
  app.add_option("--dialogs", options->dialogues,
                 "dialogue csv under a split name: NAME=FILE; repeatable; FILE alone with --split");
  app.add_option("--opendialkg", options->opendialkg,
                 "folder of the official OpenDialKG release; its dialogues are divided by --split, 70,15,15 "
                 "unless given")
      ->check(CLI::ExistingDirectory);
  app.add_option("--split", options->split,
                 "how dialogues without a split are divided: TRAIN,DEV,TEST or NAME=SHARE,...; by their "
                 "text, so stable");
  app.add_option("--split-seed", options->split_seed, "another seed divides otherwise")
      ->capture_default_str();
  add_input_options(app, *options);
  add_sparql_options(app, ingest.sparql);
  app.add_flag("--strict", ingest.strict, "stop at the first bad line instead of skipping it");
  app.add_flag("--replace", ingest.replace, "replace the database that is there");
  app.add_option("--max-line-bytes", ingest.max_line_bytes, "longer lines and rows are skipped")
      ->capture_default_str();
  return [options, &common] { run(*options, common); };
}

const Registration kIngestCommand({.name = "ingest",
                                   .help = "read triples, names and dialogues into a database",
                                   .example = "films.ttl.gz --db films.db",
                                   .add = add_ingest,
                                   .group = Group::kGraph,
                                   .place = 1});

}  // namespace
}  // namespace kgwalk::cli
