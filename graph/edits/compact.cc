// The edits of a database become part of its base.
#include "graph/changes/delta.h"
#include "graph/store/store_impl.h"
#include "kgwalk/edits.h"

namespace kgwalk::graph {
namespace {

// A fact that an edit hid is no part of the new base, and one that it showed again is: the record says what
// the fact carried, so that taking the edit back still brings it.
std::string free_of_base(std::string_view changes, const Delta& base) {
  std::vector<Change> all = decode_changes(changes);
  for (Change& change : all) {
    if (change.kind != ChangeKind::kHide && change.kind != ChangeKind::kShow) continue;
    change.note = std::make_shared<const FactNote>(base.note_of(change.fact));
    change.kind = change.kind == ChangeKind::kHide ? ChangeKind::kDrop : ChangeKind::kAdd;
  }
  return encode_changes(all);
}

}  // namespace

std::uint64_t compact_edits(const std::filesystem::path& database) {
  const Store store = Store::open(database, Store::Mode::kReadWrite);
  StoreAccess::Impl& impl = StoreAccess::impl(store);
  const std::uint64_t in_base = impl.compaction().edit, last = impl.last_edit();
  if (last == in_base) return 0;
  const KnowledgeGraph before = impl.load_base();
  const Delta base(before);
  std::vector<StoredEdit> log;
  for (std::uint64_t number = 1; number <= last; ++number) {
    log.push_back(impl.edit(number));
    if (number > in_base) log.back().changes = free_of_base(log.back().changes, base);
  }
  impl.put_base(store.load_graph(), compacted_texts(store), log);
  return last - in_base;
}

}  // namespace kgwalk::graph
