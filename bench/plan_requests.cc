#include "bench/plan_requests.h"

#include <algorithm>
#include <cstdlib>

#include "dialogue/turn_example.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/store.h"

namespace kgwalk {
namespace {

NamedHop named(const graph::KnowledgeGraph& graph, const graph::Triple& hop) {
  return {std::string(graph.entity_name(hop.head)), std::string(graph.relation_name(hop.relation)),
          std::string(graph.entity_name(hop.tail))};
}

PlanRequest request_of(const graph::KnowledgeGraph& graph, const dialogue::TurnExample& turn) {
  PlanRequest request;
  for (const graph::Chat& chat : turn.history)
    request.history.push_back({chat.speaker == graph::Speaker::kUser ? "user" : "assistant", chat.text});
  std::size_t begin = 0;
  for (const std::uint32_t end : turn.path_ends) {
    auto& path = request.walked.emplace_back();
    for (; begin < end; ++begin) path.push_back(named(graph, turn.walked[begin]));
  }
  request.start = graph.entity_name(turn.start);
  return request;
}

}  // namespace

std::vector<PlanRequest> requests_of(const std::string& database, const std::string& split) {
  const graph::Store store = graph::Store::open(database, graph::Store::Mode::kReadOnly);
  const graph::KnowledgeGraph graph = store.load_graph();
  std::vector<PlanRequest> requests;
  for (const dialogue::TurnExample& turn :
       dialogue::load_examples(store, graph, std::vector<std::string>{split}))
    if (std::all_of(turn.walked.begin(), turn.walked.end(),
                    [&](const graph::Triple& hop) { return graph.has_edge(hop); }))
      requests.push_back(request_of(graph, turn));
  return requests;
}

std::string environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

double percentile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace kgwalk
