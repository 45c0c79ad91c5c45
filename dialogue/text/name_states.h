// Names of entities and relations through the frozen text encoder: the mean of a name's states.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/text/text_states.h"
#include "kgwalk/knowledge_graph.h"
#include "runtime/tensor/torch.h"

namespace kgwalk::dialogue {

// A relation's name as words: "~written_by" -> {"written by", inverse}.
struct RelationWords {
  std::string words;
  bool inverse = false;
};
[[nodiscard]] RelationWords relation_words(std::string_view relation_name);

struct NameStates {
  torch::Tensor entities;   // float16 [num_entities, D]
  torch::Tensor relations;  // float16 [num_relations, D]; a relation and its inverse share their words' mean
  std::vector<std::uint8_t> inverse;  // [num_relations], 1 for an inverse
  bool from_cache = false;
};

// All names of the graph; brackets and numbers in names are read as they stand. The cache's slot is "names",
// or "names with edits", whatever `cache.slot` says; it is used only for the same encoder, vocabulary and
// graph. Of a graph with edits the names of before are taken from it, and those that edits brought are read
// anew where they are not in it.
[[nodiscard]] NameStates load_name_states(const TextEncoder& encoder, const graph::KnowledgeGraph& graph,
                                          const StateCache& cache, Reporter& reporter = silent_reporter(),
                                          const StopFlag& stop = never_stop());

}  // namespace kgwalk::dialogue
