#include "graph/ingest/unique_names.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/ingest/iri_names.h"
#include "graph/names.h"

namespace kgwalk::graph {
namespace {

using Group = std::span<const std::pair<std::uint64_t, std::uint32_t>>;  // hash of the key, index

std::uint64_t key_hash(std::string_view name) { return hash_bytes(name_key(name)); }

std::string qualified(const std::string& name, std::string_view by) {
  return name + " (" + std::string(by) + ")";
}

// Something behind a name; empty where there is nothing to put there.
using Qualifier = std::function<std::string(std::uint32_t)>;

const std::string& first_of(const std::string& a, const std::string& b, const std::string& c) {
  return !a.empty() ? a : !b.empty() ? b : c;
}

class Uniqueness {
 public:
  Uniqueness(std::span<Named> names, const VocabularyOf& vocabulary_of)
      : names_(names), vocabulary_of_(vocabulary_of) {}

  std::vector<std::uint32_t> run(const HintsOf& hints_of) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(names_.size());
    for (std::uint32_t i = 0; i < names_.size(); ++i) keys[i] = {key_hash(names_[i].name), i};
    std::sort(keys.begin(), keys.end());
    std::vector<Group> groups;
    for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
      while (end < keys.size() && keys[end].first == keys[begin].first) ++end;
      const Group group = Group(keys).subspan(begin, end - begin);
      if (group.size() > 1 && has_id(group)) groups.push_back(group);
    }
    if (groups.empty()) return {};
    for (const auto& [hash, index] : keys) taken_.insert(hash);
    if (hints_of) ask(hints_of, groups);
    for (const Group group : groups) {
      const std::vector<Group::value_type> others = without_primary(group);
      tell_apart(others.empty() ? group : Group(others));
    }
    std::sort(changed_.begin(), changed_.end());
    return std::move(changed_);
  }

 private:
  [[nodiscard]] bool has_id(Group group) const {
    return std::any_of(group.begin(), group.end(),
                       [&](const auto& k) { return !names_[k.second].id.empty(); });
  }

  void ask(const HintsOf& hints_of, const std::vector<Group>& groups) {
    std::vector<std::uint32_t> places;
    for (const Group group : groups)
      for (const auto& [hash, index] : group) places.push_back(index);
    std::vector<Hints> hints = hints_of(places);
    for (std::size_t i = 0; i < places.size(); ++i) hints_.emplace(places[i], std::move(hints[i]));
  }

  [[nodiscard]] const Hints& hints(std::uint32_t index) const {
    static const Hints none;
    const auto found = hints_.find(index);
    return found == hints_.end() ? none : found->second;
  }

  // The group without the one that keeps its name; empty where none does.
  [[nodiscard]] std::vector<Group::value_type> without_primary(Group group) const {
    const auto facts = [&](const auto& k) { return hints(k.second).facts; };
    const auto fewer = [&](const auto& a, const auto& b) { return facts(a) < facts(b); };
    const auto primary = std::max_element(group.begin(), group.end(), fewer);
    const bool keeps = std::all_of(group.begin(), group.end(), [&](const auto& k) {
      return !names_[k.second].id.empty() &&
             (k == *primary || facts(*primary) >= kPrimary * std::max<std::size_t>(1, facts(k)));
    });
    std::vector<Group::value_type> others;
    if (keeps)
      std::copy_if(group.begin(), group.end(), std::back_inserter(others),
                   [&](const auto& k) { return k != *primary; });
    return others;
  }

  [[nodiscard]] std::string neighbor(std::uint32_t index, std::uint32_t relation) const {
    for (const auto& [by, name] : hints(index).neighbors)
      if (by == relation) return name;
    return {};
  }

  // By what the facts say; false when that tells not all of them apart.
  bool tell_apart_by_facts(Group group) {
    const auto any_neighbor = [&](std::uint32_t i) {
      return hints(i).neighbors.empty() ? std::string() : hints(i).neighbors.front().second;
    };
    const Qualifier orders[] = {
        [&](std::uint32_t i) { return first_of(hints(i).year, hints(i).type, any_neighbor(i)); },
        [&](std::uint32_t i) { return first_of(hints(i).type, hints(i).year, any_neighbor(i)); },
        [&](std::uint32_t i) {
          const Hints& h = hints(i);
          return h.type.empty() || h.year.empty() ? std::string() : h.type + ", " + h.year;
        }};
    for (const Qualifier& order : orders)
      if (qualify(group, order, false)) return true;
    for (const auto& [relation, name] : hints(group.front().second).neighbors)
      if (qualify(
              group, [&, by = relation](std::uint32_t i) { return neighbor(i, by); }, false))
        return true;
    return false;
  }

  // What stands before the last part of the id.
  [[nodiscard]] std::string vocabulary(std::uint32_t index) const {
    const std::string_view id = names_[index].id;
    const std::string known = vocabulary_of_ ? vocabulary_of_(id) : std::string();
    return known.empty() ? name_text(parent_part(id)) : known;
  }

  void tell_apart(Group group) {
    const bool classes = !hints_.empty() && std::all_of(group.begin(), group.end(), [&](const auto& k) {
      return hints(k.second).is_class;
    });
    const auto by_vocabulary = [&](std::uint32_t i) { return vocabulary(i); };
    if (classes && qualify(group, by_vocabulary, false)) return;
    if (!hints_.empty() && tell_apart_by_facts(group)) return;
    const auto id = [&](std::uint32_t i) { return names_[i].id; };
    if (qualify(
            group, [&](std::uint32_t i) { return name_text(local_part(id(i))); }, false))
      return;
    if (qualify(group, by_vocabulary, false)) return;
    (void)qualify(
        group, [&](std::uint32_t i) { return name_text(id(i)); }, true);
  }

  // False, and nothing changed, when the names would not be new and different; `last`: taken in any case.
  bool qualify(Group group, const Qualifier& by_of, bool last) {
    std::vector<std::pair<std::uint32_t, std::string>> renamed;
    std::unordered_set<std::uint64_t> fresh;
    for (const auto& [hash, index] : group) {
      const Named& named = names_[index];
      if (named.id.empty()) continue;
      const std::string by = by_of(index);
      std::string name = qualified(named.name, by);
      const bool says_more = !by.empty() && by != named.name && entity_name_of(by) != named.name;
      const std::uint64_t key = key_hash(name);
      if (!last && (!says_more || taken_.contains(key) || !fresh.insert(key).second)) return false;
      renamed.emplace_back(index, std::move(name));
    }
    for (auto& [index, name] : renamed) {
      taken_.insert(key_hash(name));
      names_[index].name = std::move(name);
      changed_.push_back(index);
    }
    return true;
  }

  std::span<Named> names_;
  const VocabularyOf& vocabulary_of_;
  std::unordered_map<std::uint32_t, Hints> hints_;
  std::unordered_set<std::uint64_t> taken_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace

std::vector<std::uint32_t> make_unique(std::span<Named> names, const HintsOf& hints_of,
                                       const VocabularyOf& vocabulary_of) {
  return Uniqueness(names, vocabulary_of).run(hints_of);
}

}  // namespace kgwalk::graph
