#include "graph/ingest/unique_names.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "graph/ingest/iri_names.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

using Group = std::span<const std::pair<std::uint64_t, std::uint32_t>>;  // hash of the key, index

std::uint64_t key_hash(std::string_view name) { return hash_bytes(name_key(name)); }

std::string qualified(const std::string& name, std::string_view by) {
  return name + " (" + std::string(by) + ")";
}

class Uniqueness {
 public:
  explicit Uniqueness(std::span<Named> names) : names_(names) {}

  void run() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(names_.size());
    for (std::uint32_t i = 0; i < names_.size(); ++i) keys[i] = {key_hash(names_[i].name), i};
    std::sort(keys.begin(), keys.end());
    std::vector<Group> groups;
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      while (end < keys.size() && keys[end].first == keys[begin].first) ++end;
      const Group group = Group(keys).subspan(begin, end - begin);
      if (group.size() > 1 && has_id(group)) groups.push_back(group);
    }
    if (groups.empty()) return;
    for (const auto& [hash, index] : keys) taken_.insert(hash);
    for (const Group group : groups) tell_apart(group);
  }

 private:
  [[nodiscard]] bool has_id(Group group) const {
    return std::any_of(group.begin(), group.end(),
                       [&](const auto& k) { return !names_[k.second].id.empty(); });
  }

  void tell_apart(Group group) {
    using Part = std::string_view (*)(std::string_view);
    constexpr Part kParts[] = {local_part, parent_part, [](std::string_view id) { return id; }};
    for (const Part part : kParts)
      if (qualify(group, part, part == kParts[2])) return;
  }

  // False, and nothing changed, when the names would not be new and different; `last`: taken in any case.
  bool qualify(Group group, std::string_view (*part)(std::string_view), bool last) {
    std::vector<std::pair<std::uint32_t, std::string>> renamed;
    std::unordered_set<std::uint64_t> fresh;
    for (const auto& [hash, index] : group) {
      const Named& named = names_[index];
      if (named.id.empty()) continue;
      const std::string by = name_text(part(named.id));
      std::string name = qualified(named.name, by);
      const bool says_more = !by.empty() && by != named.name && entity_name_of(by) != named.name;
      const std::uint64_t key = key_hash(name);
      if (!last && (!says_more || taken_.contains(key) || !fresh.insert(key).second)) return false;
      renamed.emplace_back(index, std::move(name));
    }
    for (auto& [index, name] : renamed) {
      taken_.insert(key_hash(name));
      names_[index].name = std::move(name);
    }
    return true;
  }

  std::span<Named> names_;
  std::unordered_set<std::uint64_t> taken_;
};

}  // namespace

void make_unique(std::span<Named> names) { Uniqueness(names).run(); }

}  // namespace kgwalk::graph
