#include "capi/handles.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace kgwalk::capi {
namespace {

struct Table {
  std::shared_mutex mutex;
  std::unordered_map<const void*, std::shared_ptr<Object>> objects;
};

// Never destroyed: threads may still call while a process ends.
Table& table() {
  static Table& one = *new Table;
  return one;
}

std::shared_ptr<Object> checked(const Table& all, const void* handle, std::string_view kind) {
  const std::string name(kind);
  if (handle == nullptr) throw Misuse("the " + name + " is NULL");
  const auto found = all.objects.find(handle);
  if (found == all.objects.end())
    throw Misuse("the " + name + " is no handle of this library, or was closed");
  if (found->second->kind() != kind)
    throw Misuse("a " + name + " is expected, and this is a " + std::string(found->second->kind()));
  return found->second;
}

}  // namespace

void list_object(std::shared_ptr<Object> object) {
  Table& all = table();
  const std::unique_lock lock(all.mutex);
  const void* const address = object.get();
  all.objects.emplace(address, std::move(object));
}

std::shared_ptr<Object> object_at(const void* handle, std::string_view kind) {
  Table& all = table();
  const std::shared_lock lock(all.mutex);
  return checked(all, handle, kind);
}

// The object dies in the hands of the caller, who holds no lock.
std::shared_ptr<Object> unlist_object(const void* handle, std::string_view kind) {
  Table& all = table();
  const std::unique_lock lock(all.mutex);
  std::shared_ptr<Object> object = checked(all, handle, kind);
  all.objects.erase(handle);
  return object;
}

}  // namespace kgwalk::capi
