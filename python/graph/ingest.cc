// Ingestion: files into a database.
#include "kgwalk/ingest.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/table_plan.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/input.h"

namespace kgwalk::python {
namespace {

using graph::IngestOptions;
using graph::IngestReport;
using graph::InputOptions;
namespace fs = std::filesystem;

// {"train": FILE or FILES}: those under "" are divided by `division`.
std::vector<graph::DialogueSource> dialogues_of(const py::dict& given) {
  std::vector<graph::DialogueSource> sources;
  for (const auto& [split, files] : given)
    for (const fs::path& file : paths_of(py::reinterpret_borrow<py::object>(files), "dialogues"))
      sources.push_back({split.cast<std::string>(), file});
  return sources;
}

Json files_of(const IngestReport& report) {
  Json files = Json::array();
  for (const auto& [path, file] : report.files) {
    Json row = {{"file", path}};
    row.update(file.to_json());
    files.push_back(std::move(row));
  }
  return files;
}

Json splits_of(const IngestReport& report) {
  Json splits = Json::object();
  for (const auto& [name, counts] : report.splits) splits[name] = counts.to_json();
  return splits;
}

void bind_report(py::module_& m) {
  Record<IngestReport>(m, "IngestReport", "What was read.")
      .field("entities", &IngestReport::entities, "Names.")
      .field("connected_entities", &IngestReport::connected_entities, "Those with an edge.")
      .field("relations", &IngestReport::relations, "Relations, inverses included.")
      .field("edges", &IngestReport::edges, "Directed edges, inverses included.")
      .field("triple_lines", &IngestReport::triple_lines, "Lines that were used.")
      .field("duplicate_triples", &IngestReport::duplicate_triples,
             "Of these, facts that were there already.")
      .field("labels", &IngestReport::labels, "Statements that name something.")
      .field("aliases", &IngestReport::aliases, "Other names.")
      .field("descriptions", &IngestReport::descriptions, "Descriptions.")
      .field("values", &IngestReport::values, "Literals kept beside the graph.")
      .field("weighted", &IngestReport::weighted, "Facts with a weight.")
      .field("qualified", &IngestReport::qualified, "Facts with qualifiers.")
      .field("sourced", &IngestReport::sourced, "Facts with a source.")
      .field("skipped", &IngestReport::skipped, "Bad lines.")
      .field("named_by", &IngestReport::named_by, "How many names each property gave.")
      .field("housekeeping", &IngestReport::housekeeping, "Relations that tell of records, not of things.")
      .field("splits", &splits_of, "Of dialogues: counts by split.")
      .field("files", &files_of, "Counts of each file, in the order of reading.")
      .field("notes", &IngestReport::notes, "What was guessed or found and is good to know.")
      .field("problems", &IngestReport::problems, "'file:line: why', the first ones of each file.");
}

IngestReport ingest(const fs::path& database, const py::object& triples, bool replace,
                    const std::optional<InputOptions>& input, const fs::path& mapping,
                    const fs::path& entities, const fs::path& relations, const fs::path& annotation_only,
                    const py::dict& dialogues, const std::map<std::string, double>& division,
                    std::uint64_t division_seed, const std::optional<graph::SparqlSource>& sparql,
                    bool strict, std::size_t max_line_bytes, std::size_t max_reported,
                    const py::object& progress, const StopHandle& stop) {
  IngestOptions options;
  options.database = database;
  options.replace = replace;
  if (!triples.is_none()) options.triples = paths_of(triples, "triples");
  if (input) options.input = *input;
  options.mapping = mapping;
  options.entities = entities;
  options.relations = relations;
  options.annotation_only = annotation_only;
  options.dialogues = dialogues_of(dialogues);
  options.division.shares.assign(division.begin(), division.end());
  options.division.seed = division_seed;
  if (sparql) options.sparql = *sparql;
  options.strict = strict;
  options.max_line_bytes = max_line_bytes;
  options.max_reported = max_reported;
  return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
    return graph::ingest(options, reporter, flag);
  });
}

}  // namespace

void bind_ingest(py::module_& m) {
  bind_input_options(m);
  bind_report(m);

  using graph::SparqlSource;
  py::class_<SparqlSource>(m, "SparqlSource", "A graph that a SPARQL endpoint gives by a CONSTRUCT query.")
      .def(py::init([](std::string url, fs::path query, std::size_t page_rows, double page_seconds) {
             return SparqlSource{.url = std::move(url),
                                 .query = std::move(query),
                                 .page_rows = page_rows,
                                 .page_seconds = page_seconds};
           }),
           py::arg("url"), py::arg("query"), py::kw_only(), py::arg("page_rows") = 10'000,
           py::arg("page_seconds") = 60.0, "`query`: a file. Solutions are asked for by pages.")
      .def_readonly("url", &SparqlSource::url, "Where the endpoint takes queries.")
      .def_readonly("query", &SparqlSource::query, "The file with the query.")
      .def_readonly("page_rows", &SparqlSource::page_rows, "Solutions of a page.")
      .def_readonly("page_seconds", &SparqlSource::page_seconds, "That a page may take.");

  m.def(
      "ingest", &ingest, py::arg("database"), py::arg("triples") = py::none(), py::kw_only(),
      py::arg("replace") = false, py::arg("input") = py::none(), py::arg("mapping") = "",
      py::arg("entities") = "", py::arg("relations") = "", py::arg("annotation_only") = "",
      py::arg("dialogues") = py::dict(), py::arg("division") = std::map<std::string, double>{},
      py::arg("division_seed") = 1, py::arg("sparql") = py::none(), py::arg("strict") = false,
      py::arg("max_line_bytes") = 1 << 20, py::arg("max_reported") = 20, py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      "Make a database of files, all or nothing. `triples`: a path or paths, in any format that InputOptions "
      "names. `dialogues`: {'train': FILE or FILES}; those under '' are divided by `division` "
      "({'train': 0.8, 'dev': 0.2}).");
  m.def(
      "plan_tables",
      [](const py::object& triples, const std::optional<InputOptions>& input, const fs::path& mapping,
         const StopHandle& stop) {
        IngestOptions options;
        options.triples = paths_of(triples, "triples");
        if (input) options.input = *input;
        options.mapping = mapping;
        return long_call(py::none(), stop, [&](Reporter&, const StopFlag& flag) {
          return graph::plan_tables(options, flag).to_json();
        });
      },
      py::arg("triples"), py::kw_only(), py::arg("input") = py::none(), py::arg("mapping") = "",
      py::arg("stop") = py::none(),
      "What tables with a row per thing would become, as json: write it to a file, edit it, and give that as "
      "`mapping` of ingest().");
}

}  // namespace kgwalk::python
