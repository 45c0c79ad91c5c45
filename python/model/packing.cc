// Packed models.
#include "kgwalk/packed_model.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <string>
#include <vector>

#include "kgwalk/workflows.h"
#include "python/binding/calls.h"
#include "python/binding/keywords.h"
#include "python/binding/record.h"
#include "python/model/bindings.h"

namespace kgwalk::python {
namespace {

namespace fs = std::filesystem;

ModelSourceNote note_of(const py::handle& given) {
  static const Keywords<ModelSourceNote> keywords = Keywords<ModelSourceNote>()
                                                        .key("name", &ModelSourceNote::name)
                                                        .key("license", &ModelSourceNote::license)
                                                        .key("terms", &ModelSourceNote::terms);
  return keywords.read(given.cast<py::dict>());
}

const Keywords<PackOptions>& options() {
  static const Keywords<PackOptions> keywords =
      Keywords<PackOptions>()
          .key("database", &PackOptions::database)
          .key("run", &PackOptions::run)
          .key("out", &PackOptions::out)
          .key("text", &PackOptions::text)
          .key("simulator", &PackOptions::simulator)
          .key("responder", &PackOptions::responder)
          .key("listener", &PackOptions::listener)
          .key("replace", &PackOptions::replace)
          .key("name", &PackOptions::name)
          .key("about", &PackOptions::about)
          .key("license", &PackOptions::license)
          .key("tables", &PackOptions::tables)
          .key("version", &PackOptions::version)
          .key("introduction", &PackOptions::introduction)
          .key("sources", [](PackOptions& self, const py::handle& given) {
            for (const py::handle source : given) self.sources.push_back(note_of(source));
          });
  return keywords;
}

}  // namespace

void bind_packing(py::module_& m) {
  Record<PackReport>(m, "PackReport", "What was packed.")
      .field("out", &PackReport::out, "The folder or file.")
      .field("bytes", &PackReport::bytes, "Of the folder, or of the file.")
      .field("unpacked", &PackReport::unpacked, "Bytes of the folder.")
      .field("left_out", &PackReport::left_out, "Tables and caches that the model does without.")
      .field("manifest", &PackReport::manifest, "model.json.");

  Record<PackedModel> model(m, "PackedModel",
                            "A trained model with all that it needs, as a folder or a file.");
  model.field("folder", &PackedModel::folder, "Where the parts lie.")
      .field("database", &PackedModel::database, "The database.")
      .field("run", &PackedModel::run, "The walker's run.")
      .field("text", &PackedModel::text, "The text encoder; '.' where there is none.")
      .field("simulator", &PackedModel::simulator, "Likewise.")
      .field("responder", &PackedModel::responder, "Likewise.")
      .field("name", &PackedModel::name, "Of the model.")
      .field("about", &PackedModel::about, "What its data are.")
      .field("license", &PackedModel::license, "Of its data.")
      .field("manifest", &PackedModel::manifest, "model.json.");
  model
      .def_static(
          "open",
          [](const fs::path& path, const py::object& progress, const StopHandle& stop) {
            return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
              return PackedModel::open(path, reporter, flag);
            });
          },
          py::arg("model"), py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
          "A folder, or a file, which is unpacked once into unpacked_place().")
      .def(
          "verify",
          [](const PackedModel& self, const py::object& progress, const StopHandle& stop) {
            long_call(progress, stop,
                      [&](Reporter& reporter, const StopFlag& flag) { self.verify(reporter, flag); });
          },
          py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(),
          "Read every file and compare checksums; FormatError names the first that differs.");

  m.def("is_packed_model", &is_packed_model, py::arg("path"), "Whether PackedModel.open() takes it.");
  m.def("unpacked_place", &unpacked_place, py::arg("file"), "Where a packed file is unpacked to.");
  static const std::string doc =
      "Pack a database, a run and what belongs to them; `out` ends in '.tar.zst' or is a folder. " +
      options().told();
  m.def(
      "pack_model",
      [](const py::object& progress, const StopHandle& stop, const py::kwargs& given) {
        const PackOptions chosen = options().read(given);
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return pack_model(chosen, reporter, flag);
        });
      },
      py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(), doc.c_str());
  static const std::string tried_doc =
      "pack_model() with an introduction for newcomers, for which the model is opened and tried. " +
      options().told();
  m.def(
      "pack",
      [](const py::object& progress, const StopHandle& stop, const py::kwargs& given) {
        const PackOptions chosen = options().read(given);
        return long_call(progress, stop, [&](Reporter& reporter, const StopFlag& flag) {
          return pack(chosen, reporter, flag).report;
        });
      },
      py::kw_only(), py::arg("progress") = py::none(), py::arg("stop") = py::none(), tried_doc.c_str());
}

}  // namespace kgwalk::python
