#include "dialogue/text/name_states.h"

#include "runtime/checksum.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

// Mean of each sequence's states without [CLS] and [SEP]; of an empty name the mean of those two.
void mean_states(const TextEncoder& encoder, std::span<const TokenSequence> names, torch::Tensor out,
                 Reporter& reporter, const StopFlag& stop) {
  encoder.encode(
      names,
      [&](std::span<const std::size_t> places, const torch::Tensor& states, const torch::Tensor& keep) {
        torch::Tensor weight = keep.to(torch::kFloat32).to(torch::kCPU);  // [B, T]
        auto* w = weight.data_ptr<float>();
        for (std::size_t row = 0; row < places.size(); ++row) {
          const std::size_t length = names[places[row]].ids.size();
          if (length <= 2) continue;
          float* at = w + static_cast<std::int64_t>(row) * weight.size(1);
          at[0] = at[length - 1] = 0;
        }
        weight = weight / weight.sum(1, true);
        const torch::Tensor mean = torch::bmm(weight.unsqueeze(1).to(states.device()), states)
                                       .squeeze(1)
                                       .to(torch::kCPU, torch::kHalf);
        for (std::size_t row = 0; row < places.size(); ++row) {
          out[static_cast<std::int64_t>(places[row])].copy_(mean[static_cast<std::int64_t>(row)]);
        }
      },
      reporter, stop);
}

}  // namespace

RelationWords relation_words(std::string_view name) {
  RelationWords out;
  out.inverse = name.starts_with('~');
  if (out.inverse) name.remove_prefix(1);
  for (const char c : name) out.words += c == '_' ? ' ' : c;
  return out;
}

NameStates load_name_states(const TextEncoder& encoder, const graph::KnowledgeGraph& graph,
                            const StateCache& cache, Reporter& reporter, const StopFlag& stop) {
  const std::int64_t entities = graph.num_entities(), relations = graph.num_relations();
  NameStates out;
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
    out.inverse.push_back(relation_words(graph.relation_name(r)).inverse);
  }
  const StateKey key{encoder.states_checksum(), checksum_of("names of graph " + graph.checksum()),
                     entities + relations, encoder.width()};
  StateCache names = cache;
  names.slot = "names";
  torch::Tensor all;
  if (auto cached = read_states(names, key, reporter)) {
    all = *cached;
    out.from_cache = true;
  } else {
    std::vector<TokenSequence> sequences;
    for (graph::EntityId e = 0; e < graph.num_entities(); ++e) {
      sequences.push_back(encoder.tokens().text(graph.entity_name(e)));
    }
    for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
      sequences.push_back(encoder.tokens().text(relation_words(graph.relation_name(r)).words));
    }
    all = torch::zeros({entities + relations, encoder.width()}, torch::kHalf);
    mean_states(encoder, sequences, all, reporter, stop);
    write_states(names, key, all);
  }
  out.entities = all.narrow(0, 0, entities);
  out.relations = all.narrow(0, entities, relations);
  return out;
}

}  // namespace kgwalk::dialogue
