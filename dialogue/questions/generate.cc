#include "dialogue/questions/generate.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/phrasing.h"
#include "dialogue/questions/topics.h"
#include "dialogue/questions/walks.h"
#include "dialogue/questions/wording_text.h"
#include "kgwalk/error.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;

constexpr double kUnlike = 0.2;  // share of questions for what is not there that are about anything at all
constexpr std::size_t kMaxAnswers = 60;      // questions with more right answers are not asked
constexpr int kTries = 40;                   // to find an entity that fits
constexpr std::size_t kSaidAs = 2;           // other words for a relation that a question brings
constexpr std::size_t kFewestRelations = 3;  // of an entity, where one right answer is wanted

class Generator {
 public:
  Generator(const graph::KnowledgeGraph& graph, const Bank& bank, const GenerateConfig& config,
            std::uint64_t seed, std::span<const std::string> remarks)
      : graph_(graph),
        config_(config),
        remarks_(remarks),
        random_(seed, 31),
        said_as_(seed, 37),
        topics_(graph, bank, config_),
        phrasing_(graph, topics_, config_, random_),
        walks_(graph, topics_, config_, seed) {}

  std::vector<QuestionTurn> make() {
    using Maker = std::optional<QuestionTurn> (Generator::*)();
    const std::array<std::pair<double, Maker>, 6> makers{{{config_.one, &Generator::one},
                                                          {config_.list, &Generator::list},
                                                          {config_.verify, &Generator::verify},
                                                          {config_.missing, &Generator::missing},
                                                          {config_.nothing, &Generator::nothing},
                                                          {config_.two_hops, &Generator::two_hops}}};
    double total = 0;
    for (const auto& maker : makers) total += maker.first;
    if (total <= 0) throw ConfigError("the shares of all kinds of questions are 0");
    std::vector<QuestionTurn> questions;
    std::size_t misses = 0;
    while (questions.size() < static_cast<std::size_t>(config_.count)) {
      double left = random_.uniform() * total;
      std::size_t kind = 0;
      while (kind + 1 < makers.size() && (left -= makers[kind].first) >= 0) ++kind;
      if (makers[kind].first <= 0) continue;
      std::optional<QuestionTurn> question = (this->*makers[kind].second)();
      if (!question) {
        if (++misses > 1000 + 100 * static_cast<std::size_t>(config_.count))
          throw ConfigError("the graph has too few facts to ask about in this split");
        continue;
      }
      question->split = config_.split.name();
      walks_.put_before(*question);
      questions.push_back(std::move(*question));
    }
    return questions;
  }

 private:
  std::size_t num_relations_at(EntityId e) const {
    std::size_t count = 0;
    std::optional<graph::RelationId> last;
    for (const graph::Edge& edge : graph_.out_edges(e)) {
      count += last != edge.relation ? 1 : 0;
      last = edge.relation;
    }
    return count;
  }

  std::optional<QuestionTurn> about(const Topic& topic, Form form, Asks asks) {
    for (int i = 0; i < kTries; ++i) {
      const EntityId start = topics_.subject(topic, random_);
      const std::vector<EntityId> right = topics_.tails(start, topic.relations);
      if (right.empty() || right.size() > kMaxAnswers) continue;
      if (asks == Asks::kOne && config_.single_answer &&
          (right.size() != 1 || num_relations_at(start) < kFewestRelations))
        continue;
      if (asks == Asks::kList && right.size() < 2) continue;
      QuestionTurn question;
      question.asks = asks;
      question.relations = {topic.names};
      set_answers(right, question);
      const Wording& wording = topics_.wording(topic, form, random_);
      question.wording = wording.name;
      reword_relation(topic, question);
      phrasing_.say(wording.text, start, topic.subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  // To learn from, so that what is learned of a relation's words holds for others too.
  void reword_relation(const Topic& topic, QuestionTurn& question) {
    if (config_.split == QuestionSplit::kTrain && topic.of_bank)
      question.said_as = Topics::said_as(topic, kSaidAs, said_as_);
  }

  std::optional<QuestionTurn> one() {
    const Topic* topic = topics_.draw(Form::kOne, random_);
    return topic == nullptr ? std::nullopt : about(*topic, Form::kOne, Asks::kOne);
  }

  std::optional<QuestionTurn> list() {
    const Topic* topic = topics_.draw(Form::kList, random_);
    return topic == nullptr ? std::nullopt : about(*topic, Form::kList, Asks::kList);
  }

  std::optional<QuestionTurn> verify() {
    const Topic* topic = topics_.draw(Form::kVerify, random_);
    if (topic == nullptr) return std::nullopt;
    for (int i = 0; i < kTries; ++i) {
      const EntityId start = topics_.subject(*topic, random_);
      const std::vector<EntityId> right = topics_.tails(start, topic->relations);
      if (right.empty()) continue;
      const bool holds = random_.uniform() < 0.5;
      const std::vector<EntityId> elsewhere =
          topics_.tails(topics_.subject(*topic, random_), topic->relations);
      if (elsewhere.empty()) continue;
      const EntityId claim = any(holds ? right : elsewhere, random_);
      if (!topics_.speakable(claim) || claim == start ||
          std::binary_search(right.begin(), right.end(), claim) != holds)
        continue;
      QuestionTurn question;
      question.asks = Asks::kVerify;
      question.relations = {topic->names};
      question.claim = graph_.entity_name(claim);
      question.holds = holds;
      set_answers(right, question);
      const Wording& wording = topics_.wording(*topic, Form::kVerify, random_);
      question.wording = wording.name;
      phrasing_.say(wording.text, start, topic->subject_kind(), question,
                    plain_name(graph_.entity_name(claim)));
      return question;
    }
    return std::nullopt;
  }

  // An entity that is like those that have the relation and does not have it, or any that does not.
  std::optional<QuestionTurn> missing() {
    const Topic* topic = topics_.draw(Form::kOne, random_);
    if (topic == nullptr) return std::nullopt;
    for (int i = 0; i < kTries; ++i) {
      const std::optional<EntityId> start = random_.uniform() < kUnlike
                                                ? static_cast<EntityId>(random_.below(graph_.num_connected()))
                                                : like(topics_.subject(*topic, random_), *topic);
      if (!start || !topics_.speakable(*start) || !topics_.tails(*start, topic->relations).empty()) continue;
      QuestionTurn question;
      question.asks = Asks::kMissing;
      question.relations = {topic->names};
      const Wording& wording = topics_.wording(*topic, Form::kOne, random_);
      question.wording = wording.name;
      reword_relation(*topic, question);
      phrasing_.say(wording.text, *start, topic->subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  // Another that stands as `entity` does to something, by a relation that is not asked for.
  std::optional<EntityId> like(EntityId entity, const Topic& topic) {
    const auto edges = graph_.out_edges(entity);
    const graph::Edge& shared = edges[random_.below(edges.size())];
    if (std::find(topic.relations.begin(), topic.relations.end(), shared.relation) != topic.relations.end())
      return std::nullopt;
    const auto back = graph_.out_edges(shared.tail);
    const EntityId other = back[random_.below(back.size())].tail;
    const auto theirs = graph_.out_edges(other);
    const bool alike = std::any_of(theirs.begin(), theirs.end(),
                                   [&](const graph::Edge& edge) { return edge.relation == shared.relation; });
    return alike ? std::optional(other) : std::nullopt;
  }

  std::optional<QuestionTurn> nothing() {
    const bool learned = config_.split == QuestionSplit::kTrain && !remarks_.empty();
    if (learned && random_.uniform() < config_.remarks) return remark();
    const Topic* topic = topics_.draw(Form::kOne, random_);
    const auto& about = topics_.phrases("nothing");
    const auto& idle = topics_.phrases("idle");
    const auto& mention = topics_.phrases("mention");
    if (topic == nullptr || about.empty()) return std::nullopt;
    const EntityId start = topics_.subject(*topic, random_);
    QuestionTurn question;
    question.asks = Asks::kNothing;
    question.start = graph_.entity_name(start);
    const std::string name = plain_name(graph_.entity_name(start));
    std::string text = any(about, random_);
    if (!idle.empty() && !mention.empty() && random_.uniform() < 0.3) {
      std::string before = any(mention, random_);
      replace_all(before, "{x}", name);
      question.turns.push_back(std::move(before));
      text = any(idle, random_);
      question.mention = "pronoun";
    }
    replace_all(text, "{x}", name);
    question.turns.push_back(phrasing_.finished(std::move(text), name));
    phrasing_.add_chat(question);
    return question;
  }

  QuestionTurn remark() {
    QuestionTurn question;
    question.asks = Asks::kNothing;
    question.turns.push_back(remarks_[random_.below(remarks_.size())]);
    phrasing_.add_chat(question);
    return question;
  }

  // What is asked about is itself a phrase: "the director of Inception".
  std::optional<QuestionTurn> two_hops() {
    const Topic* first = topics_.draw(Form::kPhrase, random_);
    if (first == nullptr) return std::nullopt;
    for (int i = 0; i < kTries; ++i) {
      const bool lists = random_.uniform() < 0.2;
      const Topic* second = topics_.draw(lists ? Form::kList : Form::kOne, random_);
      if (second == nullptr || second->subject_kind() != first->answer_kind() ||
          second->family == first->family)
        continue;
      const EntityId start = topics_.subject(*first, random_);
      const std::vector<EntityId> middles = topics_.tails(start, first->relations);
      std::vector<EntityId> right;
      for (const EntityId middle : middles)
        for (const EntityId end : topics_.tails(middle, second->relations))
          if (end != start) right.push_back(end);
      std::sort(right.begin(), right.end());
      right.erase(std::unique(right.begin(), right.end()), right.end());
      if (right.empty() || right.size() > kMaxAnswers || middles.size() > 10) continue;
      QuestionTurn question;
      question.asks = lists ? Asks::kList : Asks::kOne;
      question.relations = {first->names, second->names};
      question.hops = 2;
      set_answers(right, question);
      const Wording &inner = *any(first->of(Form::kPhrase), random_),
                    &outer = *any(second->of(lists ? Form::kList : Form::kOne), random_);
      question.wording = outer.name;
      question.wording.append("+").append(inner.name);
      std::string text = outer.text;
      replace_all(text, "{x's}", inner.text + "'s");
      replace_all(text, "{x}", inner.text);
      replace_all(text, "{he}", inner.text);
      phrasing_.say(text, start, first->subject_kind(), question);
      return question;
    }
    return std::nullopt;
  }

  void set_answers(const std::vector<EntityId>& right, QuestionTurn& question) const {
    for (const EntityId e : right) question.answers.emplace_back(graph_.entity_name(e));
  }

  const graph::KnowledgeGraph& graph_;
  const GenerateConfig config_;
  std::span<const std::string> remarks_;
  Random random_;
  Random said_as_;  // of its own: questions do not depend on it
  const Topics topics_;
  Phrasing phrasing_;
  Walks walks_;
};

}  // namespace

std::vector<QuestionTurn> generate_questions(const graph::KnowledgeGraph& graph, const Bank& bank,
                                             const GenerateConfig& config, std::uint64_t seed,
                                             std::span<const std::string> remarks) {
  return Generator(graph, bank, config, seed, remarks).make();
}

}  // namespace kgwalk::dialogue
