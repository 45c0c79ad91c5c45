// Backups of a database.
#include "kgwalk/backup.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/binding/calls.h"
#include "python/binding/record.h"
#include "python/graph/bindings.h"

namespace kgwalk::python {
namespace {

using graph::BackupOptions;
using graph::BackupReport;
namespace fs = std::filesystem;

}  // namespace

void bind_backup(py::module_& m) {
  Record<BackupReport>(m, "BackupReport", "A backup that was made or restored.")
      .field("files", &BackupReport::files, "Files.")
      .field("bytes", &BackupReport::bytes, "Bytes of them.")
      .field("last_edit", &BackupReport::last_edit, "That is in it; 0: none.")
      .field("graph_checksum", &BackupReport::graph_checksum,
             "Of the graph that ingestion or the last compaction made.");
  m.def(
      "back_up",
      [](const fs::path& database, const fs::path& folder, bool replace, const py::object& progress,
         const StopHandle& stop) {
        const BackupOptions options{.database = database, .folder = folder, .replace = replace};
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return graph::back_up(options, reporter, flag);
        });
      },
      py::arg("database"), py::arg("folder"), py::kw_only(), py::arg("replace") = false,
      py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "Copy a database whole into a folder, while others use and edit it.");
  m.def(
      "restore_backup",
      [](const fs::path& folder, const fs::path& database, bool replace, const py::object& progress,
         const StopHandle& stop) {
        const BackupOptions options{.database = database, .folder = folder, .replace = replace};
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return graph::restore_backup(options, reporter, flag);
        });
      },
      py::arg("folder"), py::arg("database"), py::kw_only(), py::arg("replace") = false,
      py::arg("progress") = py::none(), py::arg("stop") = py::none(),
      "Make a database of a backup, of which every byte is compared with its checksum.");
}

}  // namespace kgwalk::python
