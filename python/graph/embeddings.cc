// Embeddings: training, tables, export.
#include "kgwalk/embeddings.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "kgwalk/embedding_export.h"
#include "python/binding/arrays.h"
#include "python/binding/calls.h"
#include "python/binding/options.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/store_handle.h"

namespace kgwalk::python {
namespace {

using embeddings::EmbeddingTables;
using embeddings::NearEntity;
using graph::EntityId;
using graph::RelationId;

// Rows lie in one block of memory: they are one array where the way from each to the next is the same.
template <class Row>
py::array_t<float> rows_of(const py::object& self, std::uint32_t rows, int dim, Row row) {
  const auto columns = static_cast<std::size_t>(dim);
  if (rows == 0) return view_of<float>(nullptr, 0, columns, columns, self);
  const float* first = row(0).data();
  const std::size_t stride = rows == 1 ? columns : static_cast<std::size_t>(row(1).data() - first);
  return view_of(first, rows, columns, stride, self);
}

std::vector<std::pair<EntityId, float>> near(const std::vector<NearEntity>& entities) {
  std::vector<std::pair<EntityId, float>> pairs;
  for (const NearEntity& each : entities) pairs.emplace_back(each.entity, each.distance);
  return pairs;
}

void bind_tables(py::module_& m) {
  py::class_<EmbeddingTables>(m, "EmbeddingTables",
                              "Vectors of entities and relations. Names without an edge have none.")
      .def_static(
          "open",
          [](const StoreHandle& store, Choice<embeddings::EmbeddingKind> model, int dim) {
            const auto open = store.open_store();
            return released([&] { return EmbeddingTables::open(*open, model, dim); });
          },
          py::arg("store"), py::arg("model"), py::arg("dim"),
          "Tables of a model ('transe', 'complex', 'rotate' or 'distmult') that are `dim` wide, or None.")
      .def_static(
          "best",
          [](const StoreHandle& store, const std::string& model, int dim) {
            const auto open = store.open_store();
            return released([&] { return EmbeddingTables::open_best(*open, model, dim); });
          },
          py::arg("store"), py::kw_only(), py::arg("model") = "", py::arg("dim") = 0,
          "The tables that rank held-out facts best, of one model or width where they are given. StoreError: "
          "there are none.")
      .def_property_readonly(
          "model", [](const EmbeddingTables& self) { return std::string(self.kind().name()); },
          "Which model made them.")
      .def_property_readonly("dim", &EmbeddingTables::dim, "Width.")
      .def_property_readonly("num_entities", &EmbeddingTables::num_entities, "Rows of `entities`.")
      .def_property_readonly("num_relations", &EmbeddingTables::num_relations, "Rows of `relations`.")
      .def_property_readonly("meta", &EmbeddingTables::meta,
                             "How they were made: config, loss, ranks of the facts held out.")
      .def_property_readonly(
          "entities",
          [](const py::object& self) {
            const auto& tables = self.cast<const EmbeddingTables&>();
            return rows_of(self, tables.num_entities(), tables.dim(),
                           [&](EntityId id) { return tables.entity(id); });
          },
          "float32 [num_entities, dim], a view.")
      .def_property_readonly(
          "relations",
          [](const py::object& self) {
            const auto& tables = self.cast<const EmbeddingTables&>();
            return rows_of(self, tables.num_relations(), tables.dim(),
                           [&](RelationId id) { return tables.relation(id); });
          },
          "float32 [num_relations, dim], a view; inverses say the same backwards.")
      .def(
          "distance",
          [](const EmbeddingTables& self, EntityId head, RelationId relation, EntityId tail) {
            return self.distance({head, relation, tail});
          },
          py::arg("head"), py::arg("relation"), py::arg("tail"),
          "The smaller, the likelier the fact: |h + r - t| of TransE, the negated score of products.")
      .def(
          "nearest_tails",
          [](const EmbeddingTables& self, EntityId head, RelationId relation, std::size_t count) {
            return near(released([&] { return self.nearest_tails(head, relation, count); }));
          },
          py::arg("head"), py::arg("relation"), py::arg("count") = 10,
          "The likeliest tails as (entity, distance), nearest first.")
      .def(
          "nearest_heads",
          [](const EmbeddingTables& self, RelationId relation, EntityId tail, std::size_t count) {
            return near(released([&] { return self.nearest_heads(relation, tail, count); }));
          },
          py::arg("relation"), py::arg("tail"), py::arg("count") = 10,
          "The likeliest heads as (entity, distance), nearest first.")
      .def(
          "nearest_entities",
          [](const EmbeddingTables& self, EntityId entity, std::size_t count) {
            return near(released([&] { return self.nearest_entities(entity, count); }));
          },
          py::arg("entity"), py::arg("count") = 10, "Entities with the nearest vectors, nearest first.");
}

}  // namespace

void bind_embeddings(py::module_& m) {
  bind_tables(m);
  m.def(
      "embed_graph",
      [](const StoreHandle& store, const std::filesystem::path& run, const py::object& progress,
         const StopHandle& stop, const py::kwargs& given) {
        auto config = options_of<embeddings::GraphEmbeddingConfig>(given);
        embeddings::GraphEmbeddingConfig suited;  // what is not set is what suits the model
        suited.embedding = embeddings::default_graph_embedding(config.embedding.model);
        set_options(suited, given, "");
        config = suited;
        const auto open = store.open_store();
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return embeddings::embed_graph(*open, config, run, reporter, flag);
        });
      },
      py::arg("store"), py::kw_only(), py::arg("run") = "", py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      "Train embeddings of the graph of a database, which must be open for writing, and keep the tables "
      "there. "
      "`run`: a folder for checkpoints, from which a training that was stopped goes on. Options: embedding "
      "(a "
      "dictionary: model, dim, epochs, learning_rate, ...), held_out, weights, checkpoint_every_s.");

  using embeddings::EmbeddingExportReport;
  Record<EmbeddingExportReport>(m, "EmbeddingExportReport", "What was written.")
      .field("entities", &EmbeddingExportReport::entities, "Vectors of entities.")
      .field("relations", &EmbeddingExportReport::relations, "Vectors of relations.")
      .field("dim", &EmbeddingExportReport::dim, "Width.")
      .field("model", &EmbeddingExportReport::model, "Which model made them.");
  m.def(
      "export_embeddings",
      [](const StoreHandle& store, const std::filesystem::path& folder,
         Choice<embeddings::EmbeddingFormat> format, int dim, const std::string& model,
         const py::object& progress, const StopHandle& stop) {
        const auto open = store.open_store();
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return embeddings::export_embeddings(*open, folder, {.format = format, .model = model, .dim = dim},
                                               reporter, flag);
        });
      },
      py::arg("store"), py::arg("folder"), py::kw_only(), py::arg("format") = "npy", py::arg("dim") = 0,
      py::arg("model") = "", py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "Write vectors into a folder: 'npy', 'word2vec' or 'projector' (TensorBoard's). dim 0 and no model: "
      "the best.");
}

}  // namespace kgwalk::python
