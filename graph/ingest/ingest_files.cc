#include "graph/ingest/ingest_files.h"

#include <rocksdb/sst_file_writer.h>

#include <algorithm>
#include <utility>

#include "graph/details.h"
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
        writer_(rocksdb::EnvOptions(), rocksdb::Options(database_options(), family_options(family))) {}
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
  std::filesystem::path file_;
  rocksdb::SstFileWriter writer_;
  bool open_ = false;
};

std::string be32(std::uint32_t value) {
  std::string bytes;
  append_be32(bytes, value);
  return bytes;
}

// "E" and "R": key to id; "F": folded name to id for entities whose key keeps more spaces. The
// lowest id wins.
std::vector<std::pair<std::string, EntityId>> look_up_records(const KnowledgeGraph& graph) {
  std::vector<std::pair<std::string, EntityId>> records;
  records.reserve(graph.num_entities() + graph.num_relations());
  for (EntityId id = 0; id < graph.num_entities(); ++id) {
    const std::string_view name = graph.entity_name(id);
    std::string key = name_key(name);
    if (std::string folded = fold_name(name); folded != key) records.emplace_back("F" + folded, id);
    records.emplace_back("E" + key, id);
  }
  for (RelationId id = 0; id < graph.num_relations(); ++id)
    records.emplace_back("R" + name_key(graph.relation_name(id)), id);
  std::sort(records.begin(), records.end());
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  records.erase(std::unique(records.begin(), records.end(), same_key), records.end());
  return records;
}

}  // namespace

bool write_names(const KnowledgeGraph& graph, const std::filesystem::path& file) {
  SortedFile out(Family::kNames, file);
  for (const auto& [key, id] : look_up_records(graph)) out.put(key, be32(id));
  for (EntityId id = 0; id < graph.num_entities(); ++id) out.put("e" + be32(id), graph.entity_name(id));
  for (RelationId id = 0; id < graph.num_relations(); ++id) out.put("r" + be32(id), graph.relation_name(id));
  return out.finish();
}

bool write_adjacency(const KnowledgeGraph& graph, const std::filesystem::path& file) {
  SortedFile out(Family::kAdjacency, file);
  for (EntityId id = 0; id < graph.num_connected(); ++id) out.put(be32(id), pack_edges(graph.out_edges(id)));
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
