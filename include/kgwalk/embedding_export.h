// Vectors of embeddings out again, as files that other programs read.
//
// Example:
//   #include "kgwalk/store.h"
//
//   const auto store = kgwalk::graph::Store::open("kg.db", kgwalk::graph::Store::Mode::kReadOnly);
//   const auto report = kgwalk::embeddings::export_embeddings(store, "vectors", {.format = "word2vec"});
//   std::cout << report.entities << " x " << report.dim << '\n';
//
// The folder is made whole or not at all; one that is there is replaced. Rows follow the ids of the graph;
// names have their tabs and line feeds as spaces.
//
// Errors: StoreError (no such tables, or of another graph), IoError, Stopped. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "kgwalk/choice.h"
#include "kgwalk/progress.h"
#include "kgwalk/store.h"

namespace kgwalk::embeddings {

enum class EmbeddingFormat {
  kNpy,       // entities.npy, relations.npy: float32 [rows, dim]; entities.tsv, relations.tsv: id TAB name
  kWord2Vec,  // entities.txt, relations.txt: rows and dim, then a name (spaces as '_') and its numbers a line
  kProjector,  // TensorBoard's: entities.tsv and entities_names.tsv, relations likewise,
               // projector_config.pbtxt
};
constexpr auto choice_names(EmbeddingFormat) {
  return choices_in_order<EmbeddingFormat>("npy", "word2vec", "projector");
}

struct EmbeddingExportOptions {
  Choice<EmbeddingFormat> format = EmbeddingFormat::kNpy;
  std::string model = {};  // kind of the tables: transe, complex, ...; empty: any
  int dim = 0;             // their width; 0: any. Of several the best are written
};

struct EmbeddingExportReport {
  std::uint32_t entities = 0, relations = 0;
  int dim = 0;
  std::string model = {};
};

EmbeddingExportReport export_embeddings(const graph::Store& store, const std::filesystem::path& folder,
                                        const EmbeddingExportOptions& options = {},
                                        Reporter& reporter = silent_reporter(),
                                        const StopFlag& stop = never_stop());

}  // namespace kgwalk::embeddings
