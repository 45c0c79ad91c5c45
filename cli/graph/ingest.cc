// kgwalk ingest: triples, names and dialogues into a database.
#include "kgwalk/ingest.h"
#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "cli/graph/ingest_words.h"
#include "kgwalk/table_plan.h"
#include "runtime/files.h"
#include "workflows/steps/ingestion.h"

namespace kgwalk::cli {
namespace {

// The plan of the tables, to be edited and given back as --mapping.
void write_plan(const IngestWords& options, Common& common) {
  const graph::TablePlan plan = graph::plan_tables(options.ingest, *common.stop);
  for (const graph::TableMapping& table : plan.tables) print("{:<20} {}\n", table.table, table.told());
  if (plan.tables.empty()) print_text("no tables with a row per thing\n");
  replace_file(options.plan, plan.to_json().dump(2) + "\n");
  print("plan        {}; edit it and give it as --mapping\n", options.plan);
  common.write_json(plan.to_json());
}

void run_ingest(IngestWords options, Common& common) {
  apply_words(options);
  if (!options.plan.empty()) return write_plan(options, common);
  if (options.ingest.database.empty()) throw CLI::ValidationError("--db", "is required, a folder to make");
  common.tell(ingest_reported(options.ingest, *common.reporter, *common.stop));
}

void add_input_options(CLI::App& app, IngestWords& options) {
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
                 "of csv and tsv: HEAD_ID,TAIL_ID[,RELATION_ID], ids that the names beside them belong to")
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
  auto options = std::make_shared<IngestWords>();
  graph::IngestOptions& ingest = options->ingest;
  app.add_option("--db", ingest.database, "database to make, a folder; needed unless --plan")
      ->envname("KGWALK_DB");
  app.add_option(
         "--triples,files", ingest.triples,
         "files of the graph, in any format of --format, plain, .gz, .bz2 or .zst; SQLite files; folders "
         "of tables; "
         "repeatable; - is standard input")
      ->check(input_file());
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
  return [options, &common] { run_ingest(*options, common); };
}

const Registration kIngestCommand({.name = "ingest",
                                   .help = "read triples, names and dialogues into a database",
                                   .example = "films.ttl.gz --db films.db",
                                   .add = add_ingest,
                                   .group = Group::kGraph,
                                   .place = 1});

}  // namespace
}  // namespace kgwalk::cli
