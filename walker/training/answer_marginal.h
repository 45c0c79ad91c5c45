// Learning to listen from answers alone: the likelihood of ending at a right answer, summed over all paths to
// one (dynamic programming over states; a state is an entity with the relation that led to it). A step takes
// one relation of all by how well it was heard and one of its edges evenly, and never returns to the start;
// what lacks the relation is lost, not shared among what it has: otherwise the few entities that lack one
// would weigh most (label bias; Lafferty et al., "Conditional Random Fields", ICML 2001).
#pragma once

#include <span>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "runtime/tensor/torch.h"
#include "walker/network/listener.h"

namespace kgwalk::walker {

// A question whose right ends are known.
struct AnsweredQuestion {
  std::int64_t owner = 0;  // row of the batch that was heard
  graph::EntityId start = 0;
  std::span<const graph::EntityId> answers;  // sorted
};

// Relations with more edges than this are not walked on the way to an answer: a step among so many says
// nothing.
inline constexpr std::size_t kWidestStep = 1000;

// Mean of -log P(answers) over the questions that have a path of at most `max_hops` hops to an answer, and 0
// where none has. `heard` and `relations` as ListenerImpl's.
[[nodiscard]] torch::Tensor answer_loss(ListenerImpl& listener, const ListenerImpl::Heard& heard,
                                        const ListenerImpl::Relations& relations,
                                        const graph::KnowledgeGraph& graph,
                                        std::span<const AnsweredQuestion> questions, int max_hops);

}  // namespace kgwalk::walker
