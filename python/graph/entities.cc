// Entities that are likely one, and joining them.
#include "kgwalk/entities.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>
#include <utility>
#include <vector>

#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"

namespace kgwalk::python {

using graph::Duplicate;
using graph::MergeReport;

void bind_entities(py::module_& m) {
  Record<Duplicate>(m, "Duplicate", "Two entities that are likely one.")
      .field("a", &Duplicate::a, "The id with more edges.")
      .field("b", &Duplicate::b, "The other.")
      .field("common", &Duplicate::common, "Neighbors of both.")
      .field("neighbors", &Duplicate::neighbors, "The first few of them.")
      .field("reason", &Duplicate::reason, "In a line.");
  m.def(
      "find_duplicates",
      [](const graph::KnowledgeGraph& graph, std::size_t count, std::size_t min_common,
         std::size_t max_sharing) {
        return released([&] {
          return graph::find_duplicates(
              graph, {.count = count, .min_common = min_common, .max_sharing = max_sharing});
        });
      },
      py::arg("graph").none(false), py::kw_only(), py::arg("count") = 100, py::arg("min_common") = 1,
      py::arg("max_sharing") = 100,
      "Pairs with a name and neighbors in common, those with the most in common first.");

  Record<MergeReport>(m, "MergeReport", "What became of a merge.")
      .field("merged", &MergeReport::merged, "Entities that are no more.")
      .field("edges_before", &MergeReport::edges_before, "Directed edges.")
      .field("edges_after", &MergeReport::edges_after, "Directed edges.")
      .field("dropped_tables", &MergeReport::dropped_tables, "Tables that have to be made anew.");
  m.def(
      "merge_entities",
      [](const std::filesystem::path& database, const std::vector<std::pair<std::string, std::string>>& pairs,
         const py::object& progress, const StopHandle& stop) {
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return graph::merge_entities(database, pairs, reporter, flag);
        });
      },
      py::arg("database"), py::arg("pairs"), py::kw_only(), py::arg("progress") = py::none(),
      py::arg("stop") = py::none(),
      "Join the second entity of each pair to the first; the database is made anew, and ids change.");
}

}  // namespace kgwalk::python
