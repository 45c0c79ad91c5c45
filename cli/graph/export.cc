// kgwalk export: the graph and its vectors as files that other programs read.
#include "kgwalk/export.h"

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "kgwalk/embedding_export.h"
#include "kgwalk/store.h"

namespace kgwalk::cli {
namespace {

struct ExportOptions {
  std::string database, graph_file, graph_format, embeddings, vector_format;
  graph::GraphExportOptions graph;
  embeddings::EmbeddingExportOptions vectors;
};

// By extension where no format is named.
void choose_format(ExportOptions& options) {
  if (!options.graph_format.empty()) {
    const auto named = graph::graph_format_named(options.graph_format);
    if (!named)
      throw CLI::ValidationError(
          "--format", "'" + options.graph_format + "' " + options.graph.format.advice(options.graph_format));
    options.graph.format = *named;
    return;
  }
  options.graph.format = graph::graph_format_of(options.graph_file);
}

void run(ExportOptions options, Common& common) {
  if (options.graph_file.empty() && options.embeddings.empty())
    throw CLI::ValidationError("--graph", "nothing to export; give --graph FILE or --embeddings DIR");
  if (!options.vector_format.empty() && !options.vectors.format.assign(options.vector_format))
    throw CLI::ValidationError("--vectors", "'" + options.vector_format + "' " +
                                                options.vectors.format.advice(options.vector_format));
  choose_format(options);
  const graph::Store store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  Json json = Json::object();
  if (!options.graph_file.empty()) {
    const auto report =
        graph::export_graph(store, options.graph_file, options.graph, *common.reporter, *common.stop);
    const bool is_told = options.graph_file != "-" && options.graph_file != "/dev/stdout";
    if (is_told)
      print("graph       {} entities, {} facts, {} values in {} ({})\n", counted(report.entities),
            counted(report.facts), counted(report.values), options.graph_file, options.graph.format.name());
    if (is_told && report.left_out > 0)
      print(
          "left out    {} texts and qualifiers, for which {} has no place; ntriples, nquads and jsonld "
          "have\n",
          counted(report.left_out), options.graph.format.name());
    json["graph"] = {{"entities", report.entities},
                     {"facts", report.facts},
                     {"values", report.values},
                     {"qualifiers", report.qualifiers},
                     {"left_out", report.left_out}};
  }
  if (!options.embeddings.empty()) {
    const auto report = embeddings::export_embeddings(store, options.embeddings, options.vectors,
                                                      *common.reporter, *common.stop);
    print("embeddings  {} entities, {} relations, {}, {} wide in {} ({})\n", counted(report.entities),
          counted(report.relations), report.model, report.dim, options.embeddings,
          options.vectors.format.name());
    json["embeddings"] = {{"entities", report.entities},
                          {"relations", report.relations},
                          {"model", report.model},
                          {"dim", report.dim}};
  }
  common.write_json(json);
}

Verb add_export(CLI::App& app, Common& common) {
  auto options = std::make_shared<ExportOptions>();
  app.add_option("--db", options->database, "database, a folder")->required();
  app.add_option("--graph", options->graph_file,
                 "file for the graph, - for standard output; without --format .nt, .nq, .jsonld, .csv and "
                 ".graphml tell "
                 "its format")
      ->check(output_file());
  app.add_option("--format", options->graph_format,
                 "of the graph: triples (default), csv, ntriples, nquads, jsonld or graphml; or its "
                 "extension or media type");
  app.add_option("--base", options->graph.base,
                 "IRIs of ntriples and nquads are BASEentity/NAME and BASErelation/NAME")
      ->capture_default_str();
  app.add_option("--graph-iri", options->graph.graph_iri, "the graph of nquads; default BASEgraph");
  app.add_option("--embeddings", options->embeddings,
                 "folder for the vectors; one that is there is replaced");
  app.add_option("--vectors", options->vector_format, "of the vectors: npy (default), word2vec or projector");
  app.add_option("--model", options->vectors.model, "whose tables: transe, complex, ...; any unless given");
  app.add_option("--dim", options->vectors.dim, "width of the tables; 0 = any: of several the best")
      ->capture_default_str();
  return [options, &common] { run(*options, common); };
}

const Registration kExportCommand({.name = "export",
                                   .help = "the graph and its embeddings as files for other programs",
                                   .example = "--db films.db --graph films.nt --embeddings vectors",
                                   .add = add_export,
                                   .group = Group::kGraph,
                                   .place = 4});

}  // namespace
}  // namespace kgwalk::cli
