#include "dialogue/response/examples.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "dialogue/turn_example.h"
#include "runtime/random.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::KnowledgeGraph;

graph::NamedTriple triple_named(const KnowledgeGraph& graph, const graph::Triple& triple) {
  return {std::string(graph.entity_name(triple.head)), std::string(graph.relation_name(triple.relation)),
          std::string(graph.entity_name(triple.tail))};
}

Message message_of_path(const KnowledgeGraph& graph, const graph::WalkedPath& path,
                        std::span<const graph::Chat> said) {
  Message message;
  message.start = graph.entity_name(path.hops.front().head);
  message.ways.emplace_back();
  for (const graph::Triple& hop : path.hops) message.ways.back().push_back(triple_named(graph, hop));
  for (const graph::Chat& chat : said.last(std::min(said.size(), kContextUtterances)))
    message.context.push_back(
        {chat.speaker == path.speaker ? graph::Speaker::kAssistant : graph::Speaker::kUser, chat.text});
  return message;
}

std::string last_entity(const KnowledgeGraph& graph, const graph::Dialogue& dialogue) {
  std::string last;
  for (const graph::DialogueEvent& event : dialogue.events)
    if (const auto* path = std::get_if<graph::WalkedPath>(&event))
      last = graph.entity_name(path->hops.back().tail);
  return last;
}

// Real graphs have an entity whose name is empty.
bool is_nameless(const graph::NamedTriple& fact) {
  return fact.head.empty() || fact.relation.empty() || fact.tail.empty();
}

// Ways by the relations of a question to one of its answers.
std::vector<Way> ways_to(const KnowledgeGraph& graph, const QuestionTurn& question, EntityId start,
                         EntityId answer) {
  std::vector<std::pair<EntityId, Way>> reached{{start, {}}};
  for (const std::vector<std::string>& relations : question.relations) {
    std::vector<std::pair<EntityId, Way>> next;
    for (const auto& [at, way] : reached)
      for (const std::string& name : relations) {
        const auto relation = graph.find_relation(name);
        if (!relation) continue;
        for (const graph::Edge& edge : graph.out_edges(at)) {
          if (edge.relation != *relation) continue;
          const bool last = way.size() + 1 == question.relations.size();
          if (last && edge.tail != answer) continue;
          Way longer = way;
          longer.push_back(triple_named(graph, {at, edge.relation, edge.tail}));
          if (is_nameless(longer.back())) continue;
          next.emplace_back(edge.tail, std::move(longer));
        }
      }
    reached = std::move(next);
  }
  std::vector<Way> ways;
  for (auto& [at, way] : reached) ways.push_back(std::move(way));
  return ways;
}

void add_ways(const KnowledgeGraph& graph, const QuestionTurn& question, EntityId start, Message& message) {
  const bool verify = question.asks == Asks::kVerify;
  const std::size_t most = question.asks == Asks::kList ? question.answers.size() : 1;
  const std::vector<std::string> answers =
      verify ? std::vector<std::string>{question.claim} : question.answers;
  for (const std::string& name : answers) {
    const auto answer = graph.find_entity(name);
    if (!answer || message.ways.size() >= most) continue;
    std::vector<Way> ways = ways_to(graph, question, start, *answer);
    if (!ways.empty()) message.ways.push_back(std::move(ways.front()));
  }
}

std::optional<Message> message_of_question(const KnowledgeGraph& graph, const QuestionTurn& question) {
  const auto start = graph.find_entity(question.start);
  if (!start || question.asks == Asks::kNothing || question.relations.empty()) return std::nullopt;
  Message message;
  message.start = graph.entity_name(*start);
  for (std::size_t i = 0; i < question.turns.size(); ++i)
    message.context.push_back(
        {(question.turns.size() - i) % 2 == 1 ? graph::Speaker::kUser : graph::Speaker::kAssistant,
         question.turns[i]});
  if (question.asks == Asks::kMissing) {
    message.kind = MessageKind::kNotSaid;
    message.asked = question.relations.front().front();
    return message;
  }
  message.kind = question.asks == Asks::kList ? MessageKind::kList : MessageKind::kOne;
  if (question.asks == Asks::kVerify) {
    const auto claim = graph.find_entity(question.claim);
    if (!claim) return std::nullopt;
    message.kind = question.holds.value_or(false) ? MessageKind::kYes : MessageKind::kNo;
    message.claim = graph.entity_name(*claim);
    if (message.kind == MessageKind::kNo) return message;
  }
  add_ways(graph, question, *start, message);
  return message.ways.empty() ? std::nullopt : std::optional(std::move(message));
}

WordingChoice drawn_choice(Random& random) {
  return {static_cast<std::size_t>(random.below(1 << 16)), static_cast<std::size_t>(random.below(1 << 16))};
}

}  // namespace

std::vector<ResponseExample> spoken_paths(std::span<const graph::Dialogue> dialogues,
                                          const KnowledgeGraph& graph) {
  std::vector<ResponseExample> examples;
  for (const graph::Dialogue& dialogue : dialogues) {
    std::vector<graph::Chat> said;
    std::optional<graph::WalkedPath> walked;
    for (const graph::DialogueEvent& event : dialogue.events) {
      if (const auto* path = std::get_if<graph::WalkedPath>(&event)) {
        walked = *path;
        continue;
      }
      const auto& chat = std::get<graph::Chat>(event);
      if (walked && walked->speaker == chat.speaker && !invalid_utf8_at(chat.text)) {
        ResponseExample example{message_of_path(graph, *walked, said), chat.text};
        if (examples.size() % 2 == 1) example.message.goal = last_entity(graph, dialogue);
        examples.push_back(std::move(example));
        walked.reset();
      }
      said.push_back(chat);
    }
  }
  return examples;
}

std::vector<ResponseExample> spoken_answers(std::span<const QuestionTurn> questions,
                                            const KnowledgeGraph& graph, const TemplateSpeaker& speaker,
                                            std::uint64_t seed) {
  Random random(seed, 41);
  std::vector<ResponseExample> examples;
  for (const QuestionTurn& question : questions) {
    std::optional<Message> message = message_of_question(graph, question);
    if (!message) continue;
    std::string text = speaker.say(*message, drawn_choice(random));
    examples.push_back({std::move(*message), std::move(text)});
  }
  return examples;
}

std::vector<ResponseExample> worded_paths(std::span<const ResponseExample> examples, int times,
                                          const TemplateSpeaker& speaker, std::uint64_t seed) {
  Random random(seed, 42);
  std::vector<ResponseExample> worded;
  for (const ResponseExample& example : examples) {
    const Way& way = example.message.ways.front();
    if (std::any_of(way.begin(), way.end(), is_nameless)) continue;
    for (int i = 0; i < times; ++i) {
      Message message = example.message;
      if (random.below(2) == 0) message.context.clear();
      std::string text = speaker.say(message, drawn_choice(random));
      worded.push_back({std::move(message), std::move(text)});
    }
  }
  return worded;
}

}  // namespace kgwalk::dialogue
