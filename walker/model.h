// What every walker is to search, evaluation and planner: log-probabilities of the candidates
// of partial paths.
//
// HiTKG, the recurrent walker, the count prior, the small scorer and ensembles of them all
// implement this. Torch-free.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "walker/example.h"
#include "walker/hearing.h"

namespace kgwalk::walker {

// What a model keeps of a batch of examples between the hops (memories, features). Made by encode(), owned
// by the caller, used only with the model that made it. score() may fill caches in it: one thread an object
// at a time.
class Encoded {
 public:
  virtual ~Encoded() = default;
};

// Ragged log-probabilities. Segment i is [offsets[i], offsets[i + 1]): first every out-edge of the entity
// stood on, in the order of KnowledgeGraph::out_edges, all of them, then the end of the path (eop). Each
// segment sums to one.
struct CandidateScores {
  std::vector<std::int64_t> offsets;  // [N + 1]
  std::vector<float> log_probs;       // [K]
};

class WalkModel {
 public:
  virtual ~WalkModel() = default;

  [[nodiscard]] virtual const graph::KnowledgeGraph& graph() const = 0;
  [[nodiscard]] virtual std::string describe() const = 0;

  // Everything that depends on the examples alone. Thread-safe: different threads may encode and score at
  // once, each with its own Encoded. Entities outside the graph are the caller's error (not checked).
  [[nodiscard]] virtual std::unique_ptr<Encoded> encode(std::span<const Example> examples) const = 0;

  // Log-probabilities of the candidates of each state. An entity without out-edges has eop as
  // its only candidate.
  [[nodiscard]] virtual CandidateScores score(Encoded& encoded,
                                              std::span<const PartialPath> states) const = 0;

  // Log-probabilities of path lengths 1 to kMaxHops from the length head, [B, kMaxHops] row-major; empty when
  // the model has no length head.
  [[nodiscard]] virtual std::vector<float> length_log_probs(Encoded& /*encoded*/) const { return {}; }

  // Where to start from what was said and walked, likeliest first; empty when nothing was named or walked, or
  // the model does not listen. The example's own start is not looked at.
  [[nodiscard]] virtual std::vector<ChosenStart> choose_start(const Example& /*example*/) const { return {}; }

  // What was heard in each example; empty when the model does not listen.
  [[nodiscard]] virtual std::vector<Hearing> hear(Encoded& /*encoded*/) const { return {}; }

  // The same relation by relation and hop by hop, of one example; empty when the model does not listen. It
  // borrows model and batch.
  [[nodiscard]] virtual RelationHearing relation_hearing(Encoded& /*encoded*/,
                                                         std::size_t /*example*/) const {
    return {};
  }
};

}  // namespace kgwalk::walker
