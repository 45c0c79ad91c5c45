#include "dialogue/response/source.h"

#include <algorithm>
#include <utility>

#include "dialogue/response/spelling.h"
#include "dialogue/response/templates.h"

namespace kgwalk::dialogue {

std::string relation_text(std::string_view relation) {
  std::string text;
  for (const char c : relation) {
    text += c == '_' ? ' ' : c;
    if (c == '~') text += ' ';
  }
  return text;
}

int speaker_named(const seq2seq::Dialogue& dialogue, const std::string& name) {
  const auto at = std::find(dialogue.speakers.begin(), dialogue.speakers.end(), name);
  return at == dialogue.speakers.end() ? 0 : static_cast<int>(at - dialogue.speakers.begin()) + 1;
}

namespace {

void add_fact(const graph::NamedTriple& walked, FactsAs facts, seq2seq::Dialogue& dialogue) {
  graph::NamedTriple fact = walked;
  if (facts == FactsAs::kForward && fact.relation.starts_with('~')) {
    fact.relation.erase(0, 1);
    std::swap(fact.head, fact.tail);
  }
  const seq2seq::Turn turn{speaker_named(dialogue, fact.head),
                           relation_text(fact.relation) + " " + fact.tail};
  const bool told = std::any_of(
      dialogue.turns.begin(), dialogue.turns.end(),
      [&](const seq2seq::Turn& other) { return other.speaker == turn.speaker && other.text == turn.text; });
  if (!told) dialogue.turns.push_back(turn);
}

}  // namespace

std::vector<std::string> needed_names(const Message& message, NeededNames needed) {
  std::vector<std::string> names = names_of(message);
  if (needed == NeededNames::kNone) return {};
  if (needed == NeededNames::kAll) return names;
  std::erase_if(names, [&](const std::string& name) {
    return std::any_of(message.context.begin(), message.context.end(), [&](const graph::Chat& said) {
      return spelled(said.text, {name}).find(name) != std::string::npos;
    });
  });
  return names;
}

seq2seq::Dialogue source_of(const Message& message, std::size_t most_names,
                            const std::vector<std::string>& needed, FactsAs facts) {
  seq2seq::Dialogue dialogue;
  dialogue.speakers = names_of(message);
  dialogue.speakers.resize(std::min(dialogue.speakers.size(), most_names));
  for (const graph::Chat& said : message.context)
    dialogue.turns.push_back(
        {0, (said.speaker == graph::Speaker::kUser ? "U: " : "A: ") + spelled(said.text, dialogue.speakers)});
  std::string task = "say " + choice_name(message.kind);
  if (!message.asked.empty()) task += " " + relation_text(message.asked);
  if (!message.claim.empty()) task += " " + message.claim;
  dialogue.turns.push_back({speaker_named(dialogue, message.start), std::move(task)});
  const std::size_t shown = std::min(message.ways.size(), kMostNamesSaid);
  for (std::size_t i = 0; i < shown; ++i)
    for (const graph::NamedTriple& fact : message.ways[i]) add_fact(fact, facts, dialogue);
  std::string names = "name";
  for (const std::string& name : dialogue.speakers)
    if (std::find(needed.begin(), needed.end(), name) != needed.end()) names += " " + name;
  dialogue.turns.push_back({0, std::move(names)});
  if (!message.goal.empty()) dialogue.turns.push_back({0, "goal " + message.goal});
  return dialogue;
}

}  // namespace kgwalk::dialogue
