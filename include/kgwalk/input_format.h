// How files of a graph are written, and what of them becomes entities, names and facts.
//
// Example:
//   using namespace kgwalk::graph;
//   const InputFormat format = format_of("films.ttl.gz");  // kTurtle: the packing's extension is passed over
//   const auto named = format_named("application/n-triples");  // a name, an extension or a media type
//   InputOptions input{.language = "de", .literals = LiteralUse::kValues};
//   if (named) input.format = *named;
//   std::cout << input.format.name() << ' ' << (format == InputFormat::kTurtle) << '\n';
//
// Docs: docs/reference/formats/input.md. Plain values; the functions are pure and thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/choice.h"

namespace kgwalk::graph {

enum class InputFormat {
  kAuto,      // by the extension of each file
  kTriples,   // head TAB relation TAB tail, names as they are, no header
  kCsv,       // a table with a header; `columns` says which of its columns are head, relation and tail
  kTsv,       // the same with tabs and without quotes; triples where the first line names no columns
  kNeo4j,     // nodes and relationships as neo4j-admin reads them or apoc.export.csv writes them
  kNTriples,  // the formats of RDF
  kNQuads,
  kTurtle,
  kTrig,
  kRdfXml,
  kJsonLd,
  kJson,  // objects, one a line or in one array, as things with properties
  kGraphMl,
  kWikidata,  // the dump of entities as JSON
};
constexpr auto choice_names(InputFormat) {
  return choices_in_order<InputFormat>("auto", "triples", "csv", "tsv", "neo4j", "ntriples", "nquads",
                                       "turtle", "trig", "rdfxml", "jsonld", "json", "graphml", "wikidata");
}

// What becomes of literals that name nothing.
enum class LiteralUse {
  kEntities,  // entities like others: equal texts are one
  kValues,    // kept beside the graph (kgwalk/values.h), no edges
  kDrop,      // counted only
};
constexpr auto choice_names(LiteralUse) { return choices_in_order<LiteralUse>("entities", "values", "drop"); }

// The format that a word names: a name of the choice above, an extension with or without its point, or a
// media type ("text/turtle", parameters behind ';' ignored). nullopt for other words.
[[nodiscard]] std::optional<InputFormat> format_named(std::string_view word);

// By extension, .gz, .bz2 and .zst passed over; kTriples for extensions that say nothing (.txt, none).
[[nodiscard]] InputFormat format_of(const std::filesystem::path& file);

struct InputOptions {
  Choice<InputFormat> format = InputFormat::kAuto;  // of all files of triples

  // For csv and tsv: the columns of head, relation and tail. Names of the header, or, all three, numbers from
  // 1: the file then has no header. Empty: head/subject/source, relation/predicate/property/type and
  // tail/object/target are looked for, in any case. Given, they make .tsv a table too.
  std::array<std::string, 3> columns = {};
  char separator = '\0';  // of tables; '\0': as the first line shows
  char quote = '"';       // of csv and Neo4j
  // Between several values in one cell; '\0': ';' of Neo4j, guessed in tables with a row per thing, elsewhere
  // a cell is one value.
  char list_separator = '\0';
  // For csv and tsv too, named or numbered likewise, each or none: ids of head, tail and, if there is a
  // third, relation beside their names, the weight of a fact (0 or more) and what it was taken from. Weight
  // and source are also properties of Neo4j's relationships and GraphML's edges.
  std::vector<std::string> id_columns = {};
  std::string weight_column = {}, source_column = {};

  // For tables with a row per thing, where the guess is not right: the columns of id and name, of the tables
  // that have them, and links "column=table.column" or "table.column=table.column". Given, a table is no
  // table of facts.
  std::string id_column = {}, name_column = {};
  std::vector<std::string> links = {};

  // For triples, csv and tsv that hold numbers: files of `id TAB name` or `name TAB id` that say what they
  // stand for, as PyKEEN and DGL-KE write them. Both or none.
  std::filesystem::path entity_ids = {};
  std::filesystem::path relation_ids = {};

  // What names an entity or relation, best first: properties of statements, by IRI, by prefixed name
  // (rdfs:label; the prefixes of the files and the usual ones) or by last part (label). Empty: found. Those
  // that name things everywhere (skos:prefLabel, rdfs:label, schema:name, foaf:name, dcterms:title, dc:title,
  // name), then every property whose last part is name, label or title and that gives nearly every subject of
  // a class one short text, nearly all of them different.
  std::vector<std::string> labels = {};
  // What gives an entity other names, and what describes it, by the same words.
  std::vector<std::string> aliases = {"http://www.w3.org/2004/02/skos/core#altLabel",
                                      "http://schema.org/alternateName", "https://schema.org/alternateName",
                                      "alias", "aliases"};
  std::vector<std::string> descriptions = {
      "http://www.w3.org/2000/01/rdf-schema#comment", "http://purl.org/dc/terms/description",
      "http://schema.org/description", "https://schema.org/description", "description"};
  // Labels in this language (and its regions) come before those without one, others last. Empty: those
  // without one first.
  std::string language = "en";

  Choice<LiteralUse> literals = LiteralUse::kEntities;
  std::string base = {};  // IRI that relative ones begin with; empty: file:///NAME of the file
  // Of JSON-LD: a file with a context that comes before those of the text, and stands for every address that
  // they name. Empty: contexts stand in the text or in files beside it, and an address is refused.
  std::filesystem::path context = {};
  std::size_t max_name_bytes = 4096;  // longer IRIs, and literals that would be entities, are skipped
};

}  // namespace kgwalk::graph
