// Exact distances, the index of single pairs, and factors of all distances.
#include "kgwalk/distances.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kgwalk/distance_factors.h"
#include "python/binding/arrays.h"
#include "python/binding/calls.h"
#include "python/binding/ids.h"
#include "python/binding/options.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"
#include "python/graph/checks.h"
#include "python/graph/store_handle.h"

namespace kgwalk::python {
namespace {

using embeddings::DistanceFactorsReport;
using embeddings::DistanceTables;
using graph::Distance;
using graph::DistanceIndex;
using graph::EntityId;
using graph::ExactDistances;
using graph::GoalRows;
using graph::KnowledgeGraph;
using Hop = std::tuple<EntityId, graph::RelationId, EntityId>;

py::array_t<Distance> distance_rows(const KnowledgeGraph& graph, const py::object& sources) {
  const std::vector<EntityId> ids = ids_of(sources, graph.num_entities(), "entity");
  std::vector<Distance> rows = released([&] { return graph::distance_rows(graph, ids); });
  return array_of(std::move(rows),
                  {static_cast<py::ssize_t>(ids.size()), static_cast<py::ssize_t>(graph.num_connected())});
}

std::optional<std::vector<Hop>> shortest_path(const KnowledgeGraph& graph, std::int64_t from,
                                              std::int64_t to) {
  const EntityId a = checked_entity(graph, from), b = checked_entity(graph, to);
  const auto path = released([&] { return graph::shortest_path(graph, a, b); });
  if (!path) return std::nullopt;
  std::vector<Hop> hops;
  for (const graph::Triple& hop : *path) hops.emplace_back(hop.head, hop.relation, hop.tail);
  return hops;
}

std::optional<int> pair_distance(const ExactDistances& self, EntityId a, EntityId b) {
  const Distance distance = released([&] { return self.distance(a, b); });
  return distance == graph::kUnreachable ? std::nullopt : std::optional<int>(distance);
}

py::array_t<Distance> pair_distances(const ExactDistances& self, const py::object& from,
                                     const py::object& to) {
  constexpr std::uint64_t kAnyId = std::uint64_t{1} << 32;  // ids without edges are unreachable
  const std::vector<EntityId> a = ids_of(from, kAnyId, "entity"), b = ids_of(to, kAnyId, "entity");
  if (a.size() != b.size())
    throw py::value_error("pairs: " + std::to_string(a.size()) + " sources and " + std::to_string(b.size()) +
                          " targets; give as many");
  std::vector<Distance> distances(a.size());
  released([&] {
    for (std::size_t i = 0; i < a.size(); ++i) distances[i] = self.distance(a[i], b[i]);
  });
  return array_of(std::move(distances));
}

void bind_exact(py::module_& m) {
  py::class_<ExactDistances>(
      m, "ExactDistances", "Exact distances of pairs: DistanceIndex, or GoalRows where a graph has no index.")
      .def("distance", &pair_distance, py::arg("a"), py::arg("b"),
           "Hops between two, or None without a path. GoalRows keep what leads to `b`.")
      .def("distances", &pair_distances, py::arg("a"), py::arg("b"),
           "uint8 [n]: hops of n pairs, 255 without a path.");
  py::class_<GoalRows, ExactDistances>(
      m, "GoalRows",
      "Distances to goals on any graph: a new goal is searched for, then its distances are kept.")
      .def(py::init([](const KnowledgeGraph& graph, std::size_t max_bytes) {
             return std::make_unique<GoalRows>(graph, graph::GoalRowsOptions{.max_bytes = max_bytes});
           }),
           py::arg("graph").none(false), py::kw_only(),
           py::arg("max_bytes") = graph::GoalRowsOptions{}.max_bytes, py::keep_alive<1, 2>(),
           "Keeps up to `max_bytes`, a byte an entity and goal; the least recently used goals go.")
      .def(
          "prepare",
          [](const GoalRows& self, const py::object& goals, const StopHandle& stop) {
            constexpr std::uint64_t kAnyId = std::uint64_t{1} << 32;
            const std::vector<EntityId> ids = ids_of(goals, kAnyId, "entity");
            long_call(py::none(), stop, [&](Reporter&, const StopFlag& flag) { self.prepare(ids, flag); });
          },
          py::arg("goals"), py::kw_only(), py::arg("stop") = py::none(), "Searches for many goals at once.")
      .def_property_readonly("num_rows", &GoalRows::num_rows, "Goals that are kept now.");
}

void bind_index(py::module_& m) {
  py::class_<DistanceIndex, ExactDistances>(
      m, "DistanceIndex",
      "Exact distance of a pair in microseconds: pruned landmark labeling. Needs neither "
      "graph nor store once it is built.")
      .def_static(
          "build",
          [](const KnowledgeGraph& graph, const py::object& progress, const StopHandle& stop) {
            return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
              return DistanceIndex::build(graph, reporter, flag);
            });
          },
          py::arg("graph").none(false), py::kw_only(), py::arg("progress") = py::none(),
          py::arg("stop") = py::none(), "Seconds for 100,000 entities, on all threads.")
      .def_static(
          "load",
          [](const StoreHandle& store) {
            const auto open = store.open_store();
            return released([&] { return DistanceIndex::load(*open); });
          },
          py::arg("store"), "What save() left there, or None.")
      .def(
          "save",
          [](const DistanceIndex& self, const StoreHandle& store) {
            const auto open = store.open_store();
            released([&] { self.save(*open); });
          },
          py::arg("store"), "Keep it in the database, which must be open for writing.")
      .def_property_readonly("size_bytes", &DistanceIndex::size_bytes, "In memory.");
}

void bind_factors(py::module_& m) {
  Record<DistanceFactorsReport>(m, "DistanceFactorsReport", "How well factors give distances back.")
      .field("vertices", &DistanceFactorsReport::vertices, "Entities with an edge.")
      .field("longest", &DistanceFactorsReport::longest, "The largest finite distance, in hops.")
      .field("relative_error", &DistanceFactorsReport::relative_error, "|D - L R^T| / |D|, Frobenius.")
      .field("rmse", &DistanceFactorsReport::rmse, "The same an entry, in hops.")
      .field("exact_share", &DistanceFactorsReport::exact_share,
             "Sampled entries that rounding gives back, 0 to 1.")
      .field("order_agreement", &DistanceFactorsReport::order_agreement,
             "Sampled triples whose nearer one the factors tell, 0 to 1.")
      .field("absent_share", &DistanceFactorsReport::absent_share, "Ordered pairs without a path, 0 to 1.")
      .field("seconds", &DistanceFactorsReport::seconds, "Wall time.");

  m.def(
      "factorize_distances",
      [](const StoreHandle& store, const py::object& progress, const StopHandle& stop,
         const py::kwargs& given) {
        const auto config = options_of<embeddings::DistanceFactorsConfig>(given);
        const auto open = store.open_store();
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return embeddings::factorize_distances(*open, config, reporter, flag);
        });
      },
      py::arg("store"), py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "Factorize all distances of a graph and keep the factors in its database, which must be open for "
      "writing. Options: rank, oversampling, power_iterations, sample_vertices, sample_pairs, seed.");

  py::class_<DistanceTables>(m, "DistanceTables", "Factors of all distances: two rows of `rank` an entity.")
      .def_static(
          "open",
          [](const StoreHandle& store, int rank) {
            const auto open = store.open_store();
            return released([&] { return DistanceTables::open(*open, rank); });
          },
          py::arg("store"), py::arg("rank") = 256, "The factors of this rank, or None.")
      .def_property_readonly("rank", &DistanceTables::rank, "Columns.")
      .def_property_readonly("num_entities", &DistanceTables::num_entities, "Rows: entities with an edge.")
      .def_property_readonly("meta", &DistanceTables::meta, "How they were made.")
      .def(
          "left",
          [](const py::object& self, EntityId entity) {
            return view_of(self.cast<const DistanceTables&>().left(entity), self);
          },
          py::arg("entity"), "float32 [rank], a view: the distance embedding.")
      .def(
          "right",
          [](const py::object& self, EntityId entity) {
            return view_of(self.cast<const DistanceTables&>().right(entity), self);
          },
          py::arg("entity"), "float32 [rank], a view.")
      .def("estimate", &DistanceTables::estimate, py::arg("a"), py::arg("b"), "Hops from a to b, estimated.");
}

}  // namespace

void bind_distances(py::module_& m) {
  m.attr("UNREACHABLE") = py::int_(static_cast<int>(graph::kUnreachable));
  m.def("distance_rows", &distance_rows, py::arg("graph").none(false), py::arg("sources"),
        "uint8 [len(sources), num_connected]: hops from each source to all entities with an edge; 255 "
        "(UNREACHABLE) without a path.");
  m.def(
      "distance_histogram",
      [](const KnowledgeGraph& graph, const py::object& progress, const StopHandle& stop) {
        return array_of(long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return graph::distance_histogram(graph, reporter, flag);
        }));
      },
      py::arg("graph").none(false), py::kw_only(), py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      "uint64 [256]: how many ordered pairs of entities with an edge lie at each distance; [255] without a "
      "path.");
  m.def("shortest_path", &shortest_path, py::arg("graph").none(false), py::arg("source"), py::arg("target"),
        "Hops (head, relation, tail) by id of one shortest path, or None without one.");
  bind_exact(m);
  bind_index(m);
  bind_factors(m);
}

}  // namespace kgwalk::python
