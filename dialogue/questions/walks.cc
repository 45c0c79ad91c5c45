#include "dialogue/questions/walks.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr int kFactTries = 12;  // to find a fact that the bank has a noun phrase for

bool asks_for_it(const QuestionTurn& question, const Topic& topic) {
  return !question.relations.empty() &&
         std::any_of(topic.names.begin(), topic.names.end(), [&](const std::string& name) {
           const auto& asked = question.relations.front();
           return std::find(asked.begin(), asked.end(), name) != asked.end();
         });
}

}  // namespace

Walks::Walks(const graph::KnowledgeGraph& graph, const Topics& topics, const GenerateConfig& config,
             std::uint64_t seed)
    : graph_(graph), topics_(topics), config_(config), random_(seed, 41) {}

void Walks::put_before(QuestionTurn& question) {
  if (question.start.empty() || random_.uniform() >= config_.walks) return;
  if (topics_.phrases("statement").empty()) return;
  const std::optional<EntityId> start = graph_.find_entity(question.start);
  const bool named = question.mention == "named";
  const std::optional<Fact> fact = named || !start ? any_fact() : fact_at(*start);
  if (!fact || asks_for_it(question, *fact->topic)) return;
  const RelationId relation = any(fact->topic->relations, random_);
  question.walked = {{std::string(graph_.entity_name(fact->from)),
                      std::string(graph_.relation_name(relation)),
                      std::string(graph_.entity_name(fact->to))}};
  question.turns.insert(question.turns.end() - 1, said(*fact));
}

std::optional<Walks::Fact> Walks::any_fact() {
  for (int i = 0; i < kFactTries; ++i) {
    const Topic* topic = topics_.draw(Form::kPhrase, random_);
    if (topic == nullptr) return std::nullopt;
    const EntityId from = topics_.subject(*topic, random_);
    const std::vector<EntityId> to = topics_.tails(from, topic->relations);
    if (!to.empty()) return Fact{topic, from, any(to, random_)};
  }
  return std::nullopt;
}

// As often to the entity as from it.
std::optional<Walks::Fact> Walks::fact_at(EntityId entity) {
  const auto edges = graph_.out_edges(entity);
  if (edges.empty()) return std::nullopt;
  const bool to_it = random_.uniform() < 0.5;
  for (int i = 0; i < kFactTries; ++i) {
    const EntityId other = edges[random_.below(edges.size())].tail;
    const EntityId from = to_it ? other : entity, to = to_it ? entity : other;
    for (const graph::Edge& edge : graph_.out_edges(from))
      if (edge.tail == to)
        if (const Topic* topic = topics_.with_phrase(edge.relation)) return Fact{topic, from, to};
  }
  return std::nullopt;
}

std::string Walks::said(const Fact& fact) {
  const auto name = [&](EntityId entity) { return plain_name(graph_.entity_name(entity)); };
  const std::string from = name(fact.from);
  std::string phrase = any(fact.topic->of(Form::kPhrase), random_)->text;
  replace_all(phrase, "{x's}", from + "'s");
  replace_all(phrase, "{he}", from);
  replace_all(phrase, "{x}", from);
  std::string text = any(topics_.phrases("statement"), random_);
  replace_all(text, "{s}", phrase);
  replace_all(text, "{y}", name(fact.to));
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace kgwalk::dialogue
