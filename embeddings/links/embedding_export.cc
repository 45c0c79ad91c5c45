#include "kgwalk/embedding_export.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>
#include <string>

#include "kgwalk/embeddings.h"
#include "kgwalk/error.h"
#include "runtime/atomic_file.h"
#include "runtime/files.h"

namespace kgwalk::embeddings {
namespace {

namespace fs = std::filesystem;

std::string one_line(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

// One table: names and rows.
struct NamedRows {
  std::string stem;  // "entities"
  std::uint32_t count;
  std::function<std::string_view(std::uint32_t)> name;
  std::function<std::span<const float>(std::uint32_t)> row;
};

std::string text_of(float value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof(buffer), value);  // short, and read back as the same number
  return std::string(buffer, end.ptr);
}

class FolderWriter {
 public:
  FolderWriter(const fs::path& folder, int dim, Progress& progress, const StopFlag& stop)
      : folder_(folder), dim_(dim), progress_(progress), stop_(stop) {}

  void npy(const NamedRows& rows) {
    std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows.count) +
                       ", " + std::to_string(dim_) + "), }";
    constexpr std::size_t kBefore = 10;  // magic word, version, length
    head.resize((kBefore + head.size() + 1 + 63) / 64 * 64 - kBefore - 1, ' ');
    head += '\n';
    AtomicFile file(folder_ / (rows.stem + ".npy"));
    file.write(std::string("\x93NUMPY\x01\x00", 8));
    file.write(std::string{static_cast<char>(head.size() & 255), static_cast<char>(head.size() >> 8)});
    file.write(head);
    each(rows, [&](std::uint32_t, std::span<const float> row) {
      file.write({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    });
    file.commit();
    names(rows, rows.stem + ".tsv", /*with_id=*/true);
  }

  void word2vec(const NamedRows& rows) {
    AtomicFile file(folder_ / (rows.stem + ".txt"));
    file.write(std::to_string(rows.count) + ' ' + std::to_string(dim_) + '\n');
    each(rows, [&](std::uint32_t id, std::span<const float> row) {
      std::string line = one_line(rows.name(id));
      std::replace(line.begin(), line.end(), ' ', '_');
      file.write(line + joined(row, ' ', /*first=*/true) + '\n');
    });
    file.commit();
  }

  // Gives the entry of projector_config.pbtxt.
  std::string projector(const NamedRows& rows) {
    AtomicFile file(folder_ / (rows.stem + ".tsv"));
    each(rows,
         [&](std::uint32_t, std::span<const float> row) { file.write(joined(row, '\t', false) + '\n'); });
    file.commit();
    names(rows, rows.stem + "_names.tsv", /*with_id=*/false);
    return "embeddings {\n  tensor_name: \"" + rows.stem + "\"\n  tensor_path: \"" + rows.stem +
           ".tsv\"\n  metadata_path: \"" + rows.stem + "_names.tsv\"\n}\n";
  }

 private:
  template <class Handle>
  void each(const NamedRows& rows, Handle&& handle) {
    for (std::uint32_t id = 0; id < rows.count; ++id) {
      if (stop_.requested()) throw Stopped("the export was stopped; nothing was written");
      handle(id, rows.row(id));
      progress_.add(1);
    }
  }

  void names(const NamedRows& rows, const std::string& name, bool with_id) {
    AtomicFile file(folder_ / name);
    for (std::uint32_t id = 0; id < rows.count; ++id)
      file.write((with_id ? std::to_string(id) + '\t' : std::string()) + one_line(rows.name(id)) + '\n');
    file.commit();
  }

  static std::string joined(std::span<const float> row, char separator, bool first) {
    std::string text;
    for (const float value : row) {
      if (first || !text.empty()) text += separator;
      text += text_of(value);
    }
    return text;
  }

  fs::path folder_;
  int dim_;
  Progress& progress_;
  const StopFlag& stop_;
};

}  // namespace

EmbeddingExportReport export_embeddings(const graph::Store& store, const fs::path& folder,
                                        const EmbeddingExportOptions& options, Reporter& reporter,
                                        const StopFlag& stop) {
  const EmbeddingTables tables = EmbeddingTables::open_best(store, options.model, options.dim);
  const graph::KnowledgeGraph graph = store.load_graph();
  const NamedRows all[] = {
      {"entities", tables.num_entities(), [&](std::uint32_t id) { return graph.entity_name(id); },
       [&](std::uint32_t id) { return tables.entity(id); }},
      {"relations", tables.num_relations(), [&](std::uint32_t id) { return graph.relation_name(id); },
       [&](std::uint32_t id) { return tables.relation(id); }}};
  const auto progress = reporter.start("exporting", all[0].count + all[1].count, "vectors");
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    FolderWriter writer(temporary, tables.dim(), *progress, stop);
    std::string config;
    for (const NamedRows& rows : all) {
      if (options.format == EmbeddingFormat::kNpy) writer.npy(rows);
      if (options.format == EmbeddingFormat::kWord2Vec) writer.word2vec(rows);
      if (options.format == EmbeddingFormat::kProjector) config += writer.projector(rows);
    }
    if (!config.empty()) write_file_atomically(temporary / "projector_config.pbtxt", config);
  });
  return {all[0].count, all[1].count, tables.dim(), std::string(tables.kind().name())};
}

}  // namespace kgwalk::embeddings
