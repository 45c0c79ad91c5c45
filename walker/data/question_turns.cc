#include "walker/data/question_turns.h"

#include "graph/entity_named.h"
#include "kgwalk/error.h"

namespace kgwalk::walker {

using dialogue::Asks;

Act act_of(Asks asks) {
  switch (asks) {
    case Asks::kNothing:
      return Act::kNothing;
    case Asks::kList:
      return Act::kList;
    case Asks::kVerify:
      return Act::kVerify;
    case Asks::kOne:
    case Asks::kMissing:
      return Act::kOne;
  }
  return Act::kOne;
}

std::vector<graph::Chat> chats_of(const std::vector<std::string>& turns) {
  std::vector<graph::Chat> chats;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool user = (turns.size() - 1 - i) % 2 == 0;
    chats.push_back({user ? graph::Speaker::kUser : graph::Speaker::kAssistant, turns[i]});
  }
  return chats;
}

graph::RelationId relation_named(const graph::KnowledgeGraph& graph, const std::string& name) {
  if (const auto found = graph.find_relation(name)) return *found;
  std::string why("the graph has no relation \"");
  why.append(name).append("\"");
  const char* lead = "; the nearest are \"";
  for (const std::string& near : graph.suggest_relations(name)) {
    why.append(lead).append(near).append("\"");
    lead = ", \"";
  }
  throw ConfigError(why);
}

Example example_of(const dialogue::QuestionTurn& question, const graph::KnowledgeGraph& graph) {
  Example example;
  example.context = chats_of(question.turns);
  if (!question.start.empty()) example.start = graph::entity_named(graph, question.start, "start");
  for (const auto& [head, relation, tail] : question.walked)
    example.walked.push_back({graph::entity_named(graph, head, "walked"), relation_named(graph, relation),
                              graph::entity_named(graph, tail, "walked")});
  if (!example.walked.empty()) example.path_ends.push_back(static_cast<std::uint32_t>(example.walked.size()));
  return example;
}

}  // namespace kgwalk::walker
