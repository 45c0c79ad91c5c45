// Edits of a database in place, with a log.
#include "kgwalk/edits.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <optional>
#include <string>
#include <vector>

#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/input.h"
#include "python/graph/store_handle.h"

namespace kgwalk::python {
namespace {

using graph::EditOperation;
using graph::EditRecord;
using graph::EditReport;
using graph::UpdateReport;
namespace fs = std::filesystem;

std::vector<EditOperation> operations_of(const py::object& given) {
  std::vector<EditOperation> operations;
  if (py::isinstance<py::dict>(given)) return {EditOperation::from_json(to_json(given))};
  if (!py::isinstance<py::sequence>(given) || py::isinstance<py::str>(given))
    throw py::type_error("operations: must be a dictionary or a list of dictionaries, not " +
                         py::repr(given).cast<std::string>());
  for (const py::handle item : given) operations.push_back(EditOperation::from_json(to_json(item)));
  return operations;
}

void bind_reports(py::module_& m) {
  Record<EditReport>(m, "EditReport", "What an edit changed.")
      .field("number", &EditReport::number, "Of the record; 0: nothing was to be changed.")
      .field("facts_added", &EditReport::facts_added, "Facts.")
      .field("facts_retracted", &EditReport::facts_retracted, "Facts.")
      .field("new_entities", &EditReport::new_entities, "Entities that were made.")
      .field("new_relations", &EditReport::new_relations, "Relations that were made.")
      .field("other_changes", &EditReport::other_changes, "Of names, other names and descriptions.")
      .field("unchanged", &EditReport::unchanged, "Operations whose work was done already.")
      .field("notes", &EditReport::notes, "Of these, the first 20.");
  Record<EditRecord>(m, "EditRecord", "A record of the log.")
      .field("number", &EditRecord::number, "From 1.")
      .field("author", &EditRecord::author, "Who edited.")
      .field("time", &EditRecord::time, "As RFC 3339 has it.")
      .field("what", &EditRecord::what, "In a line.")
      .field("undoes", &EditRecord::undoes, "The edit that it takes back; 0: none.")
      .field("undone_by", &EditRecord::undone_by, "The edit that takes it back; 0: it stands.")
      .field("counts", &EditRecord::counts, "What it changed.");
  Record<UpdateReport>(m, "UpdateReport", "What an update changed.")
      .field("edit", &UpdateReport::edit, "The edit.")
      .field("skipped", &UpdateReport::skipped, "Lines that were left out.")
      .field("problems", &UpdateReport::problems, "'file:line: why'.");
}

}  // namespace

void bind_edits(py::module_& m) {
  bind_reports(m);
  m.def(
      "edit",
      [](const fs::path& database, const py::object& given, const std::string& author,
         const std::string& time) {
        const std::vector<EditOperation> operations = operations_of(given);
        return released([&] { return graph::edit(database, operations, {.author = author, .time = time}); });
      },
      py::arg("database"), py::arg("operations"), py::kw_only(), py::arg("author"), py::arg("time") = "",
      "Do operations in their order as one edit: {'add': [HEAD, RELATION, TAIL], 'weight': 0.5, 'new': "
      "True}, "
      "'retract', 'rename', 'alias', 'unalias', 'describe', 'merge'. `author` is needed; `time` is now where "
      "it is empty.");
  m.def(
      "undo_edit",
      [](const fs::path& database, std::uint64_t number, const std::string& author, const std::string& time) {
        return released([&] { return graph::undo_edit(database, number, {.author = author, .time = time}); });
      },
      py::arg("database"), py::arg("number"), py::kw_only(), py::arg("author"), py::arg("time") = "",
      "Take an edit back, as an edit of its own.");
  m.def(
      "edit_log",
      [](const fs::path& database) { return released([&] { return graph::edit_log(database); }); },
      py::arg("database"), "The log, oldest first.");
  m.def(
      "last_edit",
      [](const py::object& of) -> std::uint64_t {
        if (py::isinstance<graph::KnowledgeGraph>(of))
          return graph::last_edit(of.cast<graph::KnowledgeGraph&>());
        if (py::isinstance<StoreHandle>(of)) return graph::last_edit(*of.cast<StoreHandle&>().open_store());
        return graph::last_edit_noticed(of.cast<fs::path>());
      },
      py::arg("of"), "The number of the last edit of a graph, a store or the folder of a database; 0: none.");
  m.def(
      "update_graph",
      [](const fs::path& database, const py::object& add, const py::object& remove,
         const std::optional<graph::InputOptions>& input, const std::string& author, const std::string& time,
         bool strict, const py::object& progress, const StopHandle& stop) {
        graph::UpdateOptions options;
        options.database = database;
        options.add = paths_of(add, "add");
        options.remove = paths_of(remove, "remove");
        if (input) options.input = *input;
        options.edit = {.author = author, .time = time};
        options.strict = strict;
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return graph::update_graph(options, reporter, flag);
        });
      },
      py::arg("database"), py::arg("add") = py::tuple(), py::arg("remove") = py::tuple(), py::kw_only(),
      py::arg("input") = py::none(), py::arg("author"), py::arg("time") = "", py::arg("strict") = false,
      py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "Retract the facts of files, then add those of others, as one edit.");
}

}  // namespace kgwalk::python
