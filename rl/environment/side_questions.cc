#include "rl/environment/side_questions.h"

#include <algorithm>

#include "dialogue/questions/phrasing.h"
#include "kgwalk/error.h"
#include "walker/data/question_turns.h"

namespace kgwalk::rl {
namespace {

using graph::EntityId;

constexpr int kTopicsTried = 400;
constexpr int kPlacesTried = 4;
constexpr std::size_t kMostRight = 60;  // as the bank's other questions
constexpr double kHere = 2.0 / 3;       // share of the questions that are about the entity stood on

dialogue::GenerateConfig kept_back() {
  dialogue::GenerateConfig config;
  config.split = dialogue::QuestionSplit::kTestWording;
  return config;
}

// Entities met on the walk but the one stood on, each once, oldest first.
std::vector<EntityId> met(const walker::Example& situation) {
  std::vector<EntityId> entities;
  const auto add = [&](EntityId entity) {
    if (entity != situation.start && std::find(entities.begin(), entities.end(), entity) == entities.end())
      entities.push_back(entity);
  };
  for (const graph::Triple& hop : situation.walked) {
    add(hop.head);
    add(hop.tail);
  }
  return entities;
}

}  // namespace

SideQuestions::SideQuestions(const graph::KnowledgeGraph& graph)
    : graph_(graph), config_(kept_back()), topics_(graph, dialogue::builtin_bank(), config_) {}

std::optional<SideQuestion> SideQuestions::about(EntityId entity, Random& random) const {
  if (!topics_.speakable(entity)) return std::nullopt;
  for (int i = 0; i < kTopicsTried; ++i) {
    const dialogue::Topic* topic = topics_.draw(dialogue::Form::kOne, random);
    if (topic == nullptr) return std::nullopt;
    std::vector<EntityId> right = topics_.tails(entity, topic->relations);
    if (right.empty() || right.size() > kMostRight) continue;
    dialogue::QuestionTurn question;
    dialogue::Phrasing phrasing(graph_, topics_, config_, random);
    phrasing.say(topics_.wording(*topic, dialogue::Form::kOne, random).text, entity, topic->subject_kind(),
                 question);
    return SideQuestion{walker::chats_of(question.turns), entity, std::move(right)};
  }
  return std::nullopt;
}

std::optional<SideQuestion> SideQuestions::ask(const walker::Example& situation, Random& random) const {
  const std::vector<EntityId> before = met(situation);
  for (int i = 0; i < kPlacesTried; ++i) {
    const bool here = before.empty() || random.uniform() < kHere;
    if (auto question = about(here ? situation.start : before[random.below(before.size())], random))
      return question;
  }
  return std::nullopt;
}

std::vector<SideAnswer> answer_side_questions(const walker::WalkModel& model,
                                              std::vector<walker::Example> situations, int max_hops) {
  for (walker::Example& situation : situations) {
    if (const auto starts = model.choose_start(situation); !starts.empty())
      situation.start = starts.front().entity;
    if (situation.goal == situation.start) situation.goal.reset();
  }
  const std::vector<walker::Answer> found = walker::answer(model, situations, {}, {.max_hops = max_hops});
  if (found.size() != situations.size())
    throw ConfigError("the walker does not listen (listen.on): it cannot answer questions on its way");
  std::vector<SideAnswer> answers;
  for (std::size_t i = 0; i < found.size(); ++i) {
    SideAnswer& answer = answers.emplace_back();
    answer.about = situations[i].start;
    answer.heard = found[i].act != walker::Act::kNothing;
    const bool tells = found[i].act == walker::Act::kOne || found[i].act == walker::Act::kList;
    if (!tells || found[i].missing || found[i].entities.empty()) continue;
    const walker::ScoredPath& path = found[i].entities.front().path;
    for (int h = 0; h < path.num_hops; ++h) {
      const graph::Edge& edge = path.hops[static_cast<std::size_t>(h)];
      answer.path.push_back({answer.end(), edge.relation, edge.tail});
    }
  }
  return answers;
}

EntityId nearest_to(EntityId goal, std::span<const EntityId> entities,
                    const graph::ExactDistances& distances) {
  EntityId best = entities.front();
  graph::Distance least = distances.distance(best, goal);
  for (const EntityId entity : entities.subspan(1)) {
    const graph::Distance here = distances.distance(entity, goal);
    if (here >= least) continue;
    best = entity;
    least = here;
  }
  return best;
}

}  // namespace kgwalk::rl
