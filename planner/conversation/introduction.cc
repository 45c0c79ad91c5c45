#include "planner/conversation/introduction.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "dialogue/questions/generate.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "kgwalk/guide.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"
#include "planner/guide_core.h"
#include "planner/queries/kinds.h"

namespace kgwalk {
namespace {

using dialogue::Asks;
using dialogue::QuestionTurn;
using graph::EntityId;

constexpr std::size_t kQuestionsTold = 5, kGoalsTold = 3, kKindsTold = 8;
constexpr int kWordings = 3;  // of a relation, and about an entity, that are tried
constexpr std::size_t kQuestionsTried = 60, kGoalsTried = 12;
constexpr std::size_t kLongestAnswer = 6;  // names that a sentence can hold
constexpr std::size_t kWellKnown = 60;     // entities that goals are looked for among
constexpr int kNearGoal = 3, kFarGoal = 5;

// Entities by how well they are known among their kind: the best known person and film come before the second
// country.
class Fame {
 public:
  explicit Fame(const graph::KnowledgeGraph& graph) : ranks_(graph.num_connected(), 0) {
    const EntityKinds kinds(graph);
    order_.resize(graph.num_connected());
    std::iota(order_.begin(), order_.end(), EntityId{0});
    std::stable_sort(order_.begin(), order_.end(), [&](EntityId a, EntityId b) {
      return graph.out_edges(a).size() > graph.out_edges(b).size();
    });
    std::map<std::string_view, std::size_t> seen;
    for (const EntityId entity : order_) {
      const std::string_view kind = kinds.of(entity);
      ranks_[entity] = seen[kind]++ + (kind.empty() ? kOfNoKind : 0);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [this](EntityId a, EntityId b) { return ranks_[a] < ranks_[b]; });
  }
  [[nodiscard]] std::size_t rank(EntityId entity) const { return ranks_[entity]; }
  [[nodiscard]] const std::vector<EntityId>& order() const { return order_; }

 private:
  static constexpr std::size_t kOfNoKind = 1000;  // years, genres: little to begin with
  std::vector<std::size_t> ranks_;
  std::vector<EntityId> order_;
};

// Wordings as a form would have them: no typing errors, nothing around the question.
std::vector<QuestionTurn> questions_about(const graph::KnowledgeGraph& graph, double others) {
  dialogue::GenerateConfig config;
  config.count = 4000;
  config.one = 0.5;
  config.list = 0.3;
  config.two_hops = 0.2;
  for (double* share :
       {&config.verify, &config.missing, &config.nothing, &config.pronouns, &config.fillers,
        &config.distractors, &config.chat, &config.walks, &config.typos, &config.lower_case, &config.composed,
        &config.by_name, &config.reworded, &config.remarks, &config.held_wordings})
    *share = 0;
  config.held_families = 0;
  config.single_answer = true;
  config.other_relations = others;
  try {
    return dialogue::generate_questions(graph, dialogue::builtin_bank(), config, 1);
  } catch (const ConfigError&) {  // nothing of this graph can be asked for
    return {};
  }
}

// A whole question: it begins as one and has its mark.
std::optional<std::string> well_put(std::string text) {
  static constexpr std::array<std::string_view, 8> kBegins{"Who ",  "What ",  "Which ", "Where ",
                                                           "When ", "Whose ", "How ",   "In "};
  if (text.empty()) return std::nullopt;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (text.ends_with('.')) text.pop_back();
  if (!text.ends_with('?')) text += '?';
  const bool asks = std::any_of(kBegins.begin(), kBegins.end(),
                                [&](std::string_view begin) { return text.starts_with(begin); });
  return asks ? std::optional(std::move(text)) : std::nullopt;
}

std::string relation_of(const QuestionTurn& question) {
  std::string all;
  for (const auto& hop : question.relations) all += (hop.empty() ? "" : hop.front()) + "/";
  return all;
}

// "director/3" is the third of its family: the usual wordings come first there.
int place_in_bank(const QuestionTurn& question) {
  const std::size_t slash = question.wording.find('/');
  return slash == std::string::npos ? 0 : std::atoi(question.wording.c_str() + slash + 1);
}

using Candidate = std::pair<std::string, QuestionTurn>;  // as it is put, and what is right

// The best known first, each relation and each entity a few times, in case one wording is not understood.
std::vector<Candidate> candidates(const graph::KnowledgeGraph& graph, const Fame& fame, double others) {
  std::vector<QuestionTurn> made = questions_about(graph, others);
  const auto rank = [&](const QuestionTurn& question) {
    const auto entity = graph.find_entity(question.start);
    return entity ? fame.rank(*entity) : graph.num_entities();
  };
  std::stable_sort(made.begin(), made.end(), [&](const QuestionTurn& a, const QuestionTurn& b) {
    const std::size_t x = rank(a), y = rank(b);
    return x != y ? x < y : place_in_bank(a) < place_in_bank(b);
  });
  std::vector<Candidate> out;
  std::map<std::string, int> relations, starts;
  for (QuestionTurn& question : made) {
    const std::size_t answers = question.answers.size();
    if (question.turns.size() != 1 || answers == 0 || answers > kLongestAnswer) continue;
    if (question.asks == Asks::kList && answers < 2) continue;
    auto text = well_put(question.turns.front());
    if (!text || relations[relation_of(question)] >= kWordings || starts[question.start] >= kWordings)
      continue;
    ++relations[relation_of(question)];
    ++starts[question.start];
    out.emplace_back(std::move(*text), std::move(question));
    if (out.size() == kQuestionsTried) break;
  }
  return out;
}

// What was found as the answer to the question at hand; by the listener, else by the walker.
std::vector<std::string> found_by(const Standing& standing) {
  std::vector<std::string> found;
  if (standing.answered.is_object()) {
    for (const Json& row : standing.answered.value("rows", Json::array()))
      found.push_back(row.value("name", ""));
  } else if (standing.plan && standing.plan->answer) {
    for (const AnsweredEntity& each : standing.plan->answer->entities) found.push_back(each.entity);
  }
  return found;
}

// All that is right is said, and nothing else was found.
bool is_right(const QuestionTurn& question, const std::vector<std::string>& found, const std::string& said) {
  const auto& right = question.answers;
  const auto named = [&](const std::string& name) { return said.find(name) != std::string::npos; };
  const auto is_one = [&](const std::string& name) {
    return std::find(right.begin(), right.end(), name) != right.end();
  };
  if (found.empty() || !is_one(found.front())) return false;
  if (question.asks == Asks::kList)
    return found.size() == right.size() && std::all_of(right.begin(), right.end(), named);
  return named(found.front()) && std::all_of(found.begin(), found.end(), is_one);
}

// Questions that are answered rightly, each relation and each entity once.
class Trial {
 public:
  explicit Trial(const Conversation& model) : model_(model) {}

  // Tries those of one kind until there are `most` questions in all.
  void run(const std::vector<Candidate>& all, Asks asks, int hops, std::size_t most) {
    for (const auto& [text, question] : all) {
      if (found_.size() >= most) return;
      if (question.asks != asks || question.hops != hops || relations_.contains(relation_of(question)) ||
          starts_.contains(question.start))
        continue;
      Conversation conversation = model_.another(1);
      const Conversation::Reply reply = conversation.answer(text);
      const Standing standing = conversation.standing();
      if (!is_right(question, found_by(standing), reply.said)) continue;
      relations_.insert(relation_of(question));
      starts_.insert(question.start);
      found_.push_back({{"question", text}, {"answer", reply.said}});
    }
  }
  [[nodiscard]] const Json& found() const { return found_; }

 private:
  const Conversation& model_;
  std::set<std::string> relations_, starts_;
  Json found_ = Json::array();
};

// In the wordings of the bank, and only where these are not enough in the relations' own words. Of each kind
// some: one thing, all of them, two steps where there are no others.
Json tried_questions(const Conversation& model, const Fame& fame) {
  Trial trial(model);
  for (const double others : {0.0, 0.9}) {
    if (trial.found().size() == kQuestionsTold) break;
    const std::vector<Candidate> all = candidates(model.guide().planner().graph(), fame, others);
    trial.run(all, Asks::kOne, 1, 2);
    trial.run(all, Asks::kList, 1, 4);
    trial.run(all, Asks::kOne, 1, kQuestionsTold);
    trial.run(all, Asks::kOne, 2, kQuestionsTold);
  }
  return trial.found();
}

// For walkers that do not listen: what can be talked about.
Json openings(const Conversation& model, const Fame& fame) {
  const graph::KnowledgeGraph& graph = model.guide().planner().graph();
  Json out = Json::array();
  for (std::size_t i = 0;
       i < std::min(4 * kQuestionsTold, fame.order().size()) && out.size() < kQuestionsTold; ++i) {
    const std::string name(graph.entity_name(fame.order()[i])), text = "Tell me about " + name + ".";
    const std::string said = model.another(1).answer(text).said;
    if (said.find(name) != std::string::npos) out.push_back({{"question", text}, {"answer", said}});
  }
  return out;
}

// Far ones first: the neighbors of hubs make no journey.
Json tried_goals(const Conversation& model, const Fame& fame) {
  Json out = Json::array();
  const Guide& guide = model.guide();
  const Planner& planner = guide.planner();
  if (planner.stage() != Planner::Stage::kTwo) return out;
  std::vector<EntityId> known = fame.order();
  known.resize(std::min(known.size(), kWellKnown));
  // Hops are undirected; asked for this way round, one row serves all goals of a start.
  const graph::ExactDistances& distances = planner.distances();
  std::set<EntityId> used;
  for (int far = kFarGoal; far >= kNearGoal; --far) {
    std::size_t tried = 0;
    for (const EntityId from : known)
      for (const EntityId goal : known) {
        if (out.size() == kGoalsTold || tried == kGoalsTried) break;
        if (used.contains(from) || used.contains(goal) || distances.distance(goal, from) != far) continue;
        ++tried;
        const std::string start(planner.graph().entity_name(from)), end(planner.graph().entity_name(goal));
        if (!guide.lead({.start = start, .goal = end, .turns = 2 * far}).reached()) continue;
        used.insert({from, goal});
        out.push_back({{"from", start}, {"goal", end}, {"hops", far}});
      }
  }
  return out;
}

}  // namespace

Json introduction_of(const Conversation& model) {
  const graph::KnowledgeGraph& graph = model.guide().planner().graph();
  const Fame fame(graph);
  Json out = {{"kinds", Json::array()},
              {"questions", tried_questions(model, fame)},
              {"goals", tried_goals(model, fame)}};
  const std::vector<KindCount> kinds = EntityKinds(graph).counts();
  for (std::size_t i = 0; i < std::min(kKindsTold, kinds.size()); ++i)
    out["kinds"].push_back(
        {{"kind", kinds[i].kind}, {"entities", kinds[i].entities}, {"examples", kinds[i].examples}});
  if (out["questions"].empty()) out["questions"] = openings(model, fame);
  return out;
}

}  // namespace kgwalk
