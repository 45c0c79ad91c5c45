// Store: tables, blobs and dialogues of a database.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "kgwalk/export.h"
#include "kgwalk/store.h"
#include "python/binding/arrays.h"
#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/store_handle.h"

namespace kgwalk::python {
namespace {

using graph::Store;

StoreHandle open_store(const std::filesystem::path& path, bool write) {
  return released([&] {
    return StoreHandle(Store::open(path, write ? Store::Mode::kReadWrite : Store::Mode::kReadOnly));
  });
}

struct PyTable {
  py::array_t<float> values;
  Json meta;
};

std::optional<PyTable> get_table(const StoreHandle& self, const std::string& name) {
  const auto store = self.open_store();
  std::optional<graph::Table> table = released([&] { return store->get_table(name); });
  if (!table) return std::nullopt;
  return PyTable{array_of(std::move(table->values), {table->rows, table->columns}), std::move(table->meta)};
}

void put_table(const StoreHandle& self, const std::string& name, const py::array& values, const Json& meta) {
  if (!py::isinstance<py::array_t<float>>(values))
    throw py::type_error("values: must be float32, not " + py::str(values.dtype()).cast<std::string>() +
                         "; convert them with astype('float32')");
  if (values.ndim() != 2)
    throw py::value_error("values: must be [rows, columns], not of " + std::to_string(values.ndim()) +
                          " dimensions");
  const auto rows = py::array_t<float, py::array::c_style | py::array::forcecast>(values);
  const std::span<const float> all(rows.data(), static_cast<std::size_t>(rows.size()));
  const auto store = self.open_store();
  released([&] { store->put_table(name, all, values.shape(1), meta); });
}

py::object chat_or_path(const graph::DialogueEvent& event) {
  const auto word = [](graph::Speaker speaker) {
    return speaker == graph::Speaker::kUser ? "user" : "assistant";
  };
  if (const auto* chat = std::get_if<graph::Chat>(&event))
    return py::make_tuple(word(chat->speaker), chat->text);
  const auto& path = std::get<graph::WalkedPath>(event);
  py::list hops;
  for (const graph::Triple& hop : path.hops) hops.append(py::make_tuple(hop.head, hop.relation, hop.tail));
  return py::make_tuple(word(path.speaker), hops);
}

py::list dialogues(const StoreHandle& self, const std::string& split) {
  const auto store = self.open_store();
  const std::vector<graph::Dialogue> all = released([&] { return store->dialogues(split); });
  py::list result;
  for (const graph::Dialogue& dialogue : all) {
    py::list events;
    for (const graph::DialogueEvent& event : dialogue.events) events.append(chat_or_path(event));
    result.append(events);
  }
  return result;
}

graph::GraphExportReport export_graph(const StoreHandle& self, const std::filesystem::path& file,
                                      const std::optional<Choice<graph::GraphFormat>>& format,
                                      const std::string& base, const std::string& graph_iri,
                                      const py::object& progress, const StopHandle& stop) {
  const graph::GraphExportOptions options{
      .format = format.value_or(graph::graph_format_of(file)), .base = base, .graph_iri = graph_iri};
  const auto store = self.open_store();
  return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
    return graph::export_graph(*store, file, options, reporter, flag);
  });
}

}  // namespace

void bind_store(py::module_& m) {
  Record<PyTable>(m, "Table", "A table of the database.")
      .field("values", &PyTable::values, "float32 [rows, columns].")
      .field("meta", &PyTable::meta, "What made it: json.");

  Record<graph::GraphExportReport>(m, "GraphExportReport", "What was written.")
      .field("entities", &graph::GraphExportReport::entities, "Entities.")
      .field("facts", &graph::GraphExportReport::facts, "Facts.")
      .field("values", &graph::GraphExportReport::values, "Literals.")
      .field("qualifiers", &graph::GraphExportReport::qualifiers, "Of facts.")
      .field("left_out", &graph::GraphExportReport::left_out,
             "Texts and qualifiers that the format has no place for.");

  py::class_<StoreHandle>(
      m, "Store",
      "A database made by ingest(). Use it as a context manager, or call close(): a store "
      "that writes is locked against other writers until then.")
      .def_static("open", &open_store, py::arg("path"), py::kw_only(), py::arg("write") = false,
                  "Open the folder `path`. StoreError: no database, locked, damaged or of another version.")
      .def("close", &StoreHandle::close, "Close it; twice does no harm.")
      .def_property_readonly("closed", &StoreHandle::closed, "Whether close() was called.")
      .def_property_readonly("path", &StoreHandle::path, "The folder, as open() was given it.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](StoreHandle& self, const py::args&) { self.close(); })
      .def("__repr__",
           [](const StoreHandle& self) {
             return "Store('" + self.path().string() + (self.closed() ? "', closed)" : "')");
           })
      .def(
          "meta", [](const StoreHandle& self) { return self.open_store()->meta(); },
          "What ingestion noted: schema, counts, checksums of the sources.")
      .def(
          "graph_checksum", [](const StoreHandle& self) { return self.open_store()->graph_checksum(); },
          "KnowledgeGraph.checksum of its graph.")
      .def(
          "load_graph",
          [](const StoreHandle& self) {
            const auto store = self.open_store();
            return released([&] { return std::make_shared<graph::KnowledgeGraph>(store->load_graph()); });
          },
          "The graph in memory, which does not need the store any more.")
      .def(
          "splits", [](const StoreHandle& self) { return self.open_store()->splits(); },
          "Names of the splits of dialogues, ascending.")
      .def(
          "dialogues", &dialogues, py::arg("split"),
          "Dialogues of a split, each a list of (speaker, text) and (speaker, [(head, relation, tail), ...]) "
          "with ids.")
      .def("get_table", &get_table, py::arg("name"),
           "The table under this name ('transe/384/entities'), or None. Its rows are read once and not "
           "copied.")
      .def("put_table", &put_table, py::arg("name"), py::arg("values"), py::arg("meta") = Json::object(),
           "Keep float32 [rows, columns] under a name, replacing what it held; all or nothing.")
      .def(
          "table_meta",
          [](const StoreHandle& self, const std::string& name) {
            return self.open_store()->table_meta(name);
          },
          py::arg("name"), "What was kept beside a table, or None.")
      .def(
          "table_names", [](const StoreHandle& self) { return self.open_store()->table_names(); },
          "Names of all tables, ascending.")
      .def(
          "remove_table",
          [](const StoreHandle& self, const std::string& name) { self.open_store()->remove_table(name); },
          py::arg("name"), "Remove a table; nothing happens when there is none.")
      .def(
          "put_blob",
          [](const StoreHandle& self, const std::string& name, const py::bytes& bytes, const Json& meta) {
            self.open_store()->put_blob(name, std::string_view(bytes), meta);
          },
          py::arg("name"), py::arg("bytes"), py::arg("meta") = Json::object(),
          "Keep bytes under a name, as put_table() does tables.")
      .def(
          "get_blob",
          [](const StoreHandle& self, const std::string& name) -> std::optional<py::bytes> {
            const auto bytes = self.open_store()->get_blob(name);
            if (!bytes) return std::nullopt;
            return py::bytes(*bytes);
          },
          py::arg("name"), "The bytes under a name, or None.")
      .def(
          "blob_meta",
          [](const StoreHandle& self, const std::string& name) { return self.open_store()->blob_meta(name); },
          py::arg("name"), "What was kept beside a blob, or None.")
      .def(
          "blob_names", [](const StoreHandle& self) { return self.open_store()->blob_names(); },
          "Names of all blobs, ascending.")
      .def(
          "remove_blob",
          [](const StoreHandle& self, const std::string& name) { self.open_store()->remove_blob(name); },
          py::arg("name"), "Remove a blob; nothing happens when there is none.")
      .def(
          "read_entity",
          [](const StoreHandle& self, const std::string& name) {
            return self.open_store()->read_entity(name);
          },
          py::arg("name"), "The id of an entity, or None, without the graph in memory.")
      .def(
          "read_edges",
          [](const StoreHandle& self, graph::EntityId entity) {
            py::list edges;
            for (const graph::Edge& edge : self.open_store()->read_edges(entity))
              edges.append(py::make_tuple(edge.relation, edge.tail));
            return edges;
          },
          py::arg("entity"), "Its out-edges as (relation, tail), without the graph in memory.")
      .def(
          "verify",
          [](const StoreHandle& self) {
            const auto store = self.open_store();
            released([&] { store->verify(); });
          },
          "Read everything and compare checksums; StoreError for the first damage.")
      .def("export_graph", &export_graph, py::arg("file"), py::kw_only(), py::arg("format") = py::none(),
           py::arg("base") = "http://example.org/", py::arg("graph_iri") = "",
           py::arg("progress") = py::none(), py::arg("stop") = py::none(),
           "Write the graph: 'triples', 'csv', 'ntriples', 'nquads' or 'graphml', by the file's extension "
           "where `format` is None.");
}

}  // namespace kgwalk::python
