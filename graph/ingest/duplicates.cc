#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "graph/names.h"
#include "kgwalk/entities.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::size_t kNamedNeighbors = 3;  // in a reason

// "Titanic (1997)" -> "titanic" where the brackets stand at the end.
std::string bare_name(std::string_view name) {
  const std::size_t open = name.rfind(" (");
  return fold_name(name.ends_with(')') && open != std::string_view::npos && open > 0 ? name.substr(0, open)
                                                                                     : name);
}

class DuplicateSearch {
 public:
  DuplicateSearch(const KnowledgeGraph& graph, const DuplicateOptions& options)
      : graph_(graph), details_(details(graph)), options_(options) {}

  std::vector<Duplicate> run() {
    std::vector<std::pair<std::uint64_t, EntityId>> names;
    for (EntityId e = 0; e < graph_.num_connected(); ++e) {
      names.emplace_back(hash_bytes(bare_name(graph_.entity_name(e))), e);
      if (const std::string_view label = details_.label(e); !label.empty())
        names.emplace_back(hash_bytes(fold_name(label)), e);
      for (const std::string_view alias : details_.aliases(e))
        names.emplace_back(hash_bytes(fold_name(alias)), e);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end) {
      while (end < names.size() && names[end].first == names[begin].first) ++end;
      if (end - begin > 1) pair_up(std::span(names).subspan(begin, end - begin));
    }
    return best();
  }

 private:
  using Pair = std::pair<EntityId, EntityId>;

  [[nodiscard]] bool is_type(EntityId entity, EntityId neighbor) const {
    const auto relation = details_.type_relation();
    return relation && graph_.has_edge({entity, *relation, neighbor});
  }

  // Through the neighbors of those of one name, so that only pairs with one in common are met.
  void pair_up(std::span<const std::pair<std::uint64_t, EntityId>> group) {
    std::vector<std::pair<EntityId, EntityId>> sharing;  // neighbor, entity
    for (const auto& [hash, entity] : group)
      for (const EntityId neighbor : graph_.neighbors(entity))
        if (!is_type(entity, neighbor)) sharing.emplace_back(neighbor, entity);
    std::sort(sharing.begin(), sharing.end());
    for (std::size_t begin = 0, end = 0; begin < sharing.size(); begin = end) {
      while (end < sharing.size() && sharing[end].first == sharing[begin].first) ++end;
      if (end - begin > options_.max_sharing) continue;
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = i + 1; j < end; ++j)
          common_[{sharing[i].second, sharing[j].second}].push_back(sharing[begin].first);
    }
  }

  [[nodiscard]] bool types_agree(const Pair& pair, std::string& shared) const {
    const std::vector<EntityId> a = types_of(graph_, pair.first), b = types_of(graph_, pair.second);
    if (a.empty() || b.empty()) return true;
    for (const EntityId type : a)
      if (std::binary_search(b.begin(), b.end(), type))
        shared += (shared.empty() ? "" : ", ") + std::string(graph_.entity_name(type));
    return !shared.empty();
  }

  std::vector<Duplicate> best() {
    std::vector<Duplicate> found;
    for (auto& [pair, neighbors] : common_) {
      std::sort(neighbors.begin(), neighbors.end());  // two names in common give them twice
      neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
      std::string shared;
      if (neighbors.size() < options_.min_common || !types_agree(pair, shared)) continue;
      const bool swapped = graph_.out_edges(pair.second).size() > graph_.out_edges(pair.first).size();
      Duplicate duplicate{
          swapped ? pair.second : pair.first, swapped ? pair.first : pair.second, neighbors.size(), {}, {}};
      std::stable_sort(neighbors.begin(), neighbors.end(), [&](EntityId x, EntityId y) {
        return graph_.out_edges(x).size() < graph_.out_edges(y).size();
      });
      neighbors.resize(std::min(neighbors.size(), kNamedNeighbors));
      duplicate.neighbors = neighbors;
      duplicate.reason = reason(duplicate, shared);
      found.push_back(std::move(duplicate));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Duplicate& x, const Duplicate& y) { return x.common > y.common; });
    found.resize(std::min(found.size(), options_.count));
    return found;
  }

  [[nodiscard]] std::string_view shown_name(EntityId entity) const {
    const std::string_view label = details_.label(entity);
    return label.empty() ? graph_.entity_name(entity) : label;
  }

  // What a is called and b too: its name, else one of its aliases.
  [[nodiscard]] std::string_view common_name(const Duplicate& pair) const {
    std::unordered_set<std::string> others{bare_name(shown_name(pair.b))};
    const std::string_view name = shown_name(pair.a);
    if (others.contains(bare_name(name))) return name;
    for (const std::string_view alias : details_.aliases(pair.b)) others.insert(fold_name(alias));
    if (others.contains(bare_name(name))) return name;
    for (const std::string_view alias : details_.aliases(pair.a))
      if (others.contains(fold_name(alias))) return alias;
    return name;
  }

  [[nodiscard]] std::string reason(const Duplicate& pair, const std::string& types) const {
    std::string text = "both are called '" + std::string(common_name(pair)) + "'";
    if (!types.empty()) text += ", both are " + types;
    text +=
        "; " + std::to_string(pair.common) + (pair.common == 1 ? " neighbor" : " neighbors") + " in common: ";
    for (const EntityId neighbor : pair.neighbors)
      text += (neighbor == pair.neighbors.front() ? "" : ", ") + std::string(graph_.entity_name(neighbor));
    return text + (pair.common > pair.neighbors.size() ? " ..." : "");
  }

  const KnowledgeGraph& graph_;
  const GraphDetails& details_;
  const DuplicateOptions& options_;
  std::map<Pair, std::vector<EntityId>> common_;
};

}  // namespace

std::vector<Duplicate> find_duplicates(const KnowledgeGraph& graph, const DuplicateOptions& options) {
  if (options.min_common < 1) throw ConfigError("duplicates need at least one neighbor in common");
  return DuplicateSearch(graph, options).run();
}

}  // namespace kgwalk::graph
