#include "walker/features/relation_examples.h"

#include <algorithm>
#include <map>

#include "dialogue/linking/name_index.h"

namespace kgwalk::walker {

std::vector<std::string> relation_examples(const graph::KnowledgeGraph& graph, std::size_t count) {
  std::vector<std::map<graph::EntityId, std::uint32_t>> tails(graph.num_relations());
  const std::size_t entities = graph.num_connected();
  const std::size_t step = std::max<std::size_t>(1, (entities + kMostSampled - 1) / kMostSampled);
  for (std::size_t e = 0; e < entities; e += step)
    for (const graph::Edge& edge : graph.out_edges(static_cast<graph::EntityId>(e)))
      ++tails[edge.relation][edge.tail];
  std::vector<std::string> examples;
  for (const auto& counts : tails) {
    std::vector<std::pair<std::uint32_t, graph::EntityId>> order;
    for (const auto& [tail, n] : counts) order.emplace_back(n, tail);
    const std::size_t kept = std::min(order.size(), count);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                      [](const auto& a, const auto& b) {
                        return a.first != b.first ? a.first > b.first : a.second < b.second;
                      });
    std::string& text = examples.emplace_back();
    for (std::size_t i = 0; i < kept; ++i)
      text.append(i > 0 ? ", " : "").append(dialogue::plain_name(graph.entity_name(order[i].second)));
  }
  return examples;
}

}  // namespace kgwalk::walker
