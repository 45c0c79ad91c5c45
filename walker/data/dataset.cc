#include "walker/data/dataset.h"

#include <algorithm>

namespace kgwalk::walker {
namespace {

Example example_of(dialogue::TurnExample&& turn, std::uint32_t first_dialogue) {
  Example example;
  example.context = std::move(turn.history);
  example.walked = std::move(turn.walked);
  example.path_ends = std::move(turn.path_ends);
  example.start = turn.start;
  for (const graph::Triple& hop : turn.gold) example.gold.push_back({hop.relation, hop.tail});
  example.speaker = turn.speaker;
  example.dialogue = first_dialogue + turn.dialogue;
  example.annotation_only = turn.annotation_only;
  return example;
}

void add_once(std::vector<graph::EntityId>& list, graph::EntityId entity) {
  if (std::find(list.begin(), list.end(), entity) == list.end()) list.push_back(entity);
}

}  // namespace

std::vector<Example> examples_of(std::span<const graph::Dialogue> dialogues,
                                 const graph::KnowledgeGraph& graph, std::string_view split,
                                 std::uint32_t first_dialogue) {
  std::vector<Example> examples;
  for (dialogue::TurnExample& turn : dialogue::make_examples(dialogues, graph, split))
    examples.push_back(example_of(std::move(turn), first_dialogue));
  return examples;
}

std::vector<Example> load_examples(const graph::Store& store, const graph::KnowledgeGraph& graph,
                                   std::span<const std::string> splits) {
  std::vector<Example> all;
  std::uint32_t first = 0;
  for (const std::string& split : splits) {
    const std::vector<graph::Dialogue> dialogues = store.dialogues(split);
    std::vector<Example> part = examples_of(dialogues, graph, split, first);
    std::move(part.begin(), part.end(), std::back_inserter(all));
    first += static_cast<std::uint32_t>(dialogues.size());
  }
  return all;
}

std::vector<graph::EntityId> candidate_starts(const Example& example, const dialogue::EntityLinker& linker) {
  std::vector<graph::EntityId> starts;
  if (!example.path_ends.empty()) {
    const std::size_t n = example.path_ends.size();
    for (std::size_t i = n > 1 ? example.path_ends[n - 2] : 0; i < example.path_ends.back(); ++i)
      add_once(starts, example.walked[i].tail);
    return starts;
  }
  const std::size_t n = example.context.size();
  for (std::size_t back = 0; back < std::min(n, dialogue::kContextUtterances); ++back)
    for (const dialogue::LinkedMention& mention : linker.mentions(example.context[n - 1 - back].text))
      for (const graph::EntityId entity : mention.entities) add_once(starts, entity);
  return starts;
}

}  // namespace kgwalk::walker
