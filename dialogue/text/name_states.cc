#include "dialogue/text/name_states.h"

#include <optional>
#include <vector>

#include "kgwalk/edits.h"
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

// Names that are read through the encoder.
struct RowsToRead {
  std::vector<graph::EntityId> entities;
  std::vector<graph::RelationId> relations;
};

RowsToRead rows_from(graph::EntityId first_entity, graph::RelationId first_relation,
                     const graph::KnowledgeGraph& graph) {
  RowsToRead rows;
  for (graph::EntityId e = first_entity; e < graph.num_entities(); ++e) rows.entities.push_back(e);
  for (graph::RelationId r = first_relation; r < graph.num_relations(); ++r) rows.relations.push_back(r);
  return rows;
}

// What the states of the ingested graph do not have, or have under a name of before.
RowsToRead edited_rows(const graph::KnowledgeGraph& graph) {
  const graph::BaseSize base = graph::base_size(graph);
  RowsToRead rows = rows_from(base.entities, base.relations, graph);
  const auto renamed = graph::renamed_entities(graph);
  rows.entities.insert(rows.entities.end(), renamed.begin(), renamed.end());
  return rows;
}

// [entities and then relations, D]
torch::Tensor states_of(const TextEncoder& encoder, const graph::KnowledgeGraph& graph,
                        const RowsToRead& rows, Reporter& reporter, const StopFlag& stop) {
  std::vector<TokenSequence> sequences;
  for (const graph::EntityId e : rows.entities)
    sequences.push_back(encoder.tokens().text(graph.entity_name(e)));
  for (const graph::RelationId r : rows.relations)
    sequences.push_back(encoder.tokens().text(relation_words(graph.relation_name(r)).words));
  torch::Tensor states =
      torch::zeros({static_cast<std::int64_t>(sequences.size()), encoder.width()}, torch::kHalf);
  mean_states(encoder, sequences, states, reporter, stop);
  return states;
}

// `before`: of the ingested graph.
torch::Tensor edited_states(const TextEncoder& encoder, const graph::KnowledgeGraph& graph,
                            const torch::Tensor& before, Reporter& reporter, const StopFlag& stop) {
  const graph::BaseSize base = graph::base_size(graph);
  const RowsToRead rows = edited_rows(graph);
  const torch::Tensor read = states_of(encoder, graph, rows, reporter, stop);
  const std::int64_t entities = graph.num_entities(), relations = graph.num_relations();
  torch::Tensor all = torch::zeros({entities + relations, encoder.width()}, torch::kHalf);
  all.narrow(0, 0, base.entities).copy_(before.narrow(0, 0, base.entities));
  all.narrow(0, entities, base.relations).copy_(before.narrow(0, base.entities, base.relations));
  std::int64_t next = 0;
  for (const graph::EntityId e : rows.entities) all[e].copy_(read[next++]);
  for (const graph::RelationId r : rows.relations) all[entities + r].copy_(read[next++]);
  return all;
}

std::string all_names(const graph::KnowledgeGraph& graph) {
  std::string names = "names of an edited graph\n";
  for (graph::EntityId e = 0; e < graph.num_entities(); ++e)
    names.append(graph.entity_name(e)).append(1, '\n');
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r)
    names.append(graph.relation_name(r)).append(1, '\n');
  return names;
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
  NameStates out;
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r)
    out.inverse.push_back(relation_words(graph.relation_name(r)).inverse);
  const std::int64_t entities = graph.num_entities(), relations = graph.num_relations();
  const auto key_of = [&](const std::string& names, std::int64_t rows) {
    return StateKey{encoder.states_checksum(), checksum_of(names), rows, encoder.width()};
  };
  const bool is_edited = graph::last_edit(graph) > 0;
  const graph::BaseSize base = graph::base_size(graph);
  const StateKey key =
      key_of(is_edited ? all_names(graph) : "names of graph " + graph.checksum(), entities + relations);
  StateCache names = cache;
  names.slot = is_edited ? "names with edits" : "names";
  std::optional<torch::Tensor> all = read_states(names, key, reporter);
  out.from_cache = all.has_value();
  if (!all && is_edited) {
    StateCache ingested = cache;
    ingested.slot = "names";
    const auto before = read_states(ingested,
                                    key_of("names of graph " + graph.checksum(),
                                           std::int64_t{base.entities} + std::int64_t{base.relations}),
                                    reporter);
    if (before) all = edited_states(encoder, graph, *before, reporter, stop);
    out.from_cache = all.has_value();
  }
  if (!all) {
    all = states_of(encoder, graph, rows_from(0, 0, graph), reporter, stop);
    write_states(names, key, *all);
  }
  out.entities = all->narrow(0, 0, entities);
  out.relations = all->narrow(0, entities, relations);
  return out;
}

}  // namespace kgwalk::dialogue
