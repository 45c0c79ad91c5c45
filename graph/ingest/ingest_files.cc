#include "graph/ingest/ingest_files.h"

#include <rocksdb/sst_file_writer.h>

#include <span>
#include <string>
#include <utility>

#include "graph/details.h"
#include "graph/ingest/sorted_records.h"
#include "graph/knowledge_graph_impl.h"
#include "graph/names.h"
#include "graph/store/dialogue_codec.h"
#include "graph/store/packed_edges.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

// A sorted table file of one family; keys must come in ascending order.
class SortedFile {
 public:
  SortedFile(Family family, std::filesystem::path file)
      : file_(std::move(file)),
        writer_(written_on(), rocksdb::Options(database_options(), family_options(family))) {}
  void put(std::string_view key, std::string_view value) {
    if (!open_) check(writer_.Open(file_.string()), file_, "write");
    open_ = true;
    check(writer_.Put(slice(key), slice(value)), file_, "write");
  }
  // Whether there is a file: rocksdb takes none without a record.
  bool finish() {
    if (open_) check(writer_.Finish(), file_, "write");
    return open_;
  }

 private:
  // The system writes to the disk meanwhile, and the sync at the end is short.
  static rocksdb::EnvOptions written_on() {
    rocksdb::EnvOptions options;
    options.bytes_per_sync = 8 << 20;
    return options;
  }

  std::filesystem::path file_;
  rocksdb::SstFileWriter writer_;
  bool open_ = false;
};

std::string be32(std::uint32_t value) {
  std::string bytes;
  append_be32(bytes, value);
  return bytes;
}

// Gives back what was read of a mapped graph, in large parts.
class Releasing {
 public:
  explicit Releasing(const KnowledgeGraph& graph) : graph_(graph) {}
  // `read`: behind what was given before, where it is not empty.
  void add(std::string_view read) {
    if (read.empty()) return;
    if (begin_ == nullptr) begin_ = read.data();
    const auto bytes = static_cast<std::size_t>(read.data() + read.size() - begin_);
    if (bytes < kReleasedBytes) return;
    GraphAccess::release(graph_, {begin_, bytes});
    begin_ += bytes;
  }

 private:
  static constexpr std::size_t kReleasedBytes = 16 << 20;
  const KnowledgeGraph& graph_;
  const char* begin_ = nullptr;
};

// "E" and "R": key to id; "F": folded name to id for entities whose key keeps more spaces. The lowest id
// wins.
void write_look_ups(const KnowledgeGraph& graph, const std::filesystem::path& folder, SortedFile& out) {
  SortedRecords records(folder);
  Releasing releasing(graph);
  for (EntityId id = 0; id < graph.num_entities(); ++id) {
    const std::string_view name = graph.entity_name(id);
    const std::string key = name_key(name);
    if (const std::string folded = fold_name(name); folded != key) records.add("F" + folded, id);
    records.add("E" + key, id);
    releasing.add(name);
  }
  for (RelationId id = 0; id < graph.num_relations(); ++id)
    records.add("R" + name_key(graph.relation_name(id)), id);
  std::string last;
  records.give_all([&](std::string_view key, std::uint32_t id) {
    if (key == last) return;
    out.put(key, be32(id));
    last = key;
  });
}

}  // namespace

bool write_names(const KnowledgeGraph& graph, const std::filesystem::path& file) {
  SortedFile out(Family::kNames, file);
  write_look_ups(graph, file.parent_path(), out);
  Releasing releasing(graph);
  for (EntityId id = 0; id < graph.num_entities(); ++id) {
    const std::string_view name = graph.entity_name(id);
    out.put("e" + be32(id), name);
    releasing.add(name);
  }
  for (RelationId id = 0; id < graph.num_relations(); ++id) out.put("r" + be32(id), graph.relation_name(id));
  return out.finish();
}

bool write_adjacency(const KnowledgeGraph& graph, const std::filesystem::path& file) {
  SortedFile out(Family::kAdjacency, file);
  Releasing releasing(graph);
  for (EntityId id = 0; id < graph.num_connected(); ++id) {
    const std::span<const Edge> row = graph.out_edges(id);
    out.put(be32(id), pack_edges(row));
    releasing.add({reinterpret_cast<const char*>(row.data()), row.size_bytes()});
  }
  return out.finish();
}

bool write_blobs(const KnowledgeGraph& graph, const Values& values, const std::filesystem::path& file) {
  // In the order of their names, which is that of the keys.
  std::vector<std::pair<std::string_view, std::string_view>> blobs;
  if (const std::string_view given = GraphAccess::details_bytes(graph); !given.empty())
    blobs.emplace_back(kDetailsBlob, given);
  const std::string value_bytes = values.size() > 0 ? values.to_bytes() : std::string();
  if (!value_bytes.empty()) blobs.emplace_back(kValuesBlob, value_bytes);
  SortedFile out(Family::kTables, file);
  for (const auto& [name, bytes] : blobs)
    out.put(header_key(StoredKind::kBlob, name), value_header(bytes.size(), 0, Json::object()).dump());
  for (const auto& [name, bytes] : blobs)
    for (std::size_t i = 0; i < num_pieces(bytes.size()); ++i)
      out.put(piece_key(StoredKind::kBlob, name, 0, static_cast<std::uint32_t>(i)),
              sealed_piece(bytes.substr(i * kPieceBytes, kPieceBytes)));
  return out.finish();
}

bool write_dialogues(const IngestWriter::Splits& splits, const std::filesystem::path& file) {
  SortedFile out(Family::kDialogues, file);
  for (const auto& [name, dialogues] : splits)
    for (std::size_t i = 0; i < dialogues.size(); ++i)
      out.put(dialogue_key(name, static_cast<std::uint32_t>(i)), encode_dialogue(dialogues[i]));
  return out.finish();
}

}  // namespace kgwalk::graph
