// The log of edits: records beside the meta record, each whole or not there.
#include <rocksdb/write_batch.h>

#include <cstring>

#include "graph/changes/change.h"
#include "graph/store/store_impl.h"
#include "kgwalk/error.h"
#include "runtime/files.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kEditSealBytes = 8;
constexpr const char* kLastEditKey = "last_edit";

[[noreturn]] void damaged_log(const std::filesystem::path& path, std::uint64_t number) {
  throw StoreError(path.string() + ": edit " + std::to_string(number) + " is missing or damaged",
                   Remedy{Remedy::kReingest, path.string()});
}

}  // namespace

std::string edit_key(std::uint64_t number) {
  std::string key(kEditPrefix);
  append_be32(key, static_cast<std::uint32_t>(number >> 32));
  append_be32(key, static_cast<std::uint32_t>(number));
  return key;
}

std::uint64_t Store::Impl::last_edit() const {
  const auto text = get(Family::kMeta, kLastEditKey);
  return text ? std::stoull(*text) : 0;
}

StoredEdit Store::Impl::edit(std::uint64_t number) const {
  const auto bytes = get(Family::kMeta, edit_key(number));
  if (!bytes || bytes->size() < kEditSealBytes + sizeof(std::uint32_t)) damaged_log(path, number);
  const std::string_view sealed(*bytes), inside = sealed.substr(0, sealed.size() - kEditSealBytes);
  if (sealed_piece(inside) != *bytes) damaged_log(path, number);
  std::uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, inside.data(), sizeof(header_bytes));
  const std::string_view rest = inside.substr(sizeof(header_bytes));
  if (header_bytes > rest.size()) damaged_log(path, number);
  StoredEdit edit{Json::parse(rest.substr(0, header_bytes), nullptr, false),
                  std::string(rest.substr(header_bytes))};
  if (!edit.header.is_object()) damaged_log(path, number);
  return edit;
}

// The notice is written last: who sees it finds the edit.
void Store::Impl::put_edit(const StoredEdit& edit) {
  need_write();
  const std::uint64_t number = last_edit() + 1;
  const std::string header = edit.header.dump();
  const auto header_bytes = static_cast<std::uint32_t>(header.size());
  std::string record(reinterpret_cast<const char*>(&header_bytes), sizeof(header_bytes));
  record += header;
  record += edit.changes;
  rocksdb::WriteBatch batch;
  const std::string key = edit_key(number), sealed = sealed_piece(record);
  check(batch.Put(family(Family::kMeta), slice(key), slice(sealed)), path, "write");
  check(batch.Put(family(Family::kMeta), kLastEditKey, std::to_string(number)), path, "write");
  rocksdb::WriteOptions synced;
  synced.sync = true;
  check(db->Write(synced, &batch), path, "write");
  check(db->Flush(rocksdb::FlushOptions(), family(Family::kMeta)), path, "write");
  write_file_atomically(path / kNoticeFile, std::to_string(number) + "\n");
}

std::uint64_t noticed_edit(const std::filesystem::path& database) {
  std::error_code error;
  if (!std::filesystem::exists(database / kNoticeFile, error)) return 0;
  try {
    return std::stoull(read_file(database / kNoticeFile));
  } catch (const std::exception&) {
    return 0;  // swapped in this moment
  }
}

}  // namespace kgwalk::graph
