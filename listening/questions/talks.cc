#include "listening/questions/talks.h"

#include <algorithm>

#include "listening/questions/english.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr int kTopicTries = 60;
constexpr std::size_t kMostTails = 40;  // of what is asked in a conversation
constexpr std::size_t kFewestRelations = 3;
constexpr const char* kSpokenOf = "spoken of before";

}  // namespace

std::vector<RelationId> Talks::askable(EntityId entity) const {
  std::vector<RelationId> relations = draws_.relations_of(entity);
  std::erase_if(relations, [&](RelationId r) { return draws_.num_tails(entity, r) > kMostTails; });
  return relations;
}

RelationId Talks::some_askable(const std::vector<RelationId>& relations) {
  std::vector<double> summed;
  double sum = 0;
  for (const RelationId relation : relations)
    summed.push_back(sum += forms_.wording().is_well_known(relation) ? 3.0 : 0.6);
  const double at = random_.uniform() * sum;
  const auto found = std::upper_bound(summed.begin(), summed.end(), at);
  return relations[std::min<std::size_t>(relations.size() - 1,
                                         static_cast<std::size_t>(found - summed.begin()))];
}

std::optional<EntityId> Talks::find_topic() {
  for (int i = 0; i < kTopicTries; ++i) {
    const graph::Triple fact = draws_.fact(random_);
    const EntityId entity = happens(random_, 0.7) ? fact.head : fact.tail;
    const std::size_t fewest = i < kTopicTries / 2 ? kFewestRelations : 1;
    if (!draws_.is_value(entity) && askable(entity).size() >= fewest) return entity;
  }
  return std::nullopt;
}

bool Talks::is_female(EntityId entity) const {
  for (const RelationId relation : draws_.relations_of(entity)) {
    const std::vector<std::string>& words = lexicon_.relation(relation).words;
    if (lexicon_.is_inverse(relation) || std::find(words.begin(), words.end(), "gender") == words.end())
      continue;
    if (const auto tails = draws_.tails(entity, relation); tails && !tails->empty())
      return folded(draws_.graph().entity_name(tails->front())).find("female") != std::string::npos;
  }
  return false;
}

TopicWords Talks::words_for(EntityId entity) {
  const EndKind kind = lexicon_.kind_of(entity);
  const bool person = kind == EndKind::kPerson;
  const std::vector<std::string> nouns = forms_.wording().nouns_of(entity);
  if (!nouns.empty() && happens(random_, person ? 0.25 : 0.45)) {
    const std::string noun = std::string(person ? "the" : pick({"the", "the", "this", "that"}, random_)) +
                             " " + pick(nouns, random_);
    return {noun, owner_of(noun), noun};
  }
  if (person && happens(random_, 0.1)) return {"them", "their", "they"};
  if (person && (is_female(entity) || happens(random_, 0.3))) return {"her", "her", "she"};
  if (person) return {"him", "his", "he"};
  if (kind == EndKind::kOrganization && happens(random_, 0.3)) return {"them", "their", "they"};
  return {"it", "its", "it"};
}

TopicWords Talks::name_of(EntityId entity) {
  std::string name = forms_.wording().name(entity);
  const std::vector<std::string> nouns = forms_.wording().nouns_of(entity);
  if (!nouns.empty() && happens(random_, lexicon_.kind_of(entity) == EndKind::kPerson ? 0.05 : 0.25))
    name = "the " + pick(nouns, random_) + " " + name;
  return {name, owner_of(name), name};
}

std::optional<DrawnForm> Talks::named_turn(EntityId topic) {
  const std::vector<RelationId> relations = askable(topic);
  std::optional<DrawnForm> drawn;
  if (happens(random_, 0.2)) drawn = forms_.draw(topic);
  if (!drawn && !relations.empty()) drawn = forms_.draw_one_from(topic, some_askable(relations), true);
  if (!drawn) return std::nullopt;
  const TopicWords name = name_of(topic);
  drawn->question.text = with_topic(drawn->question.text, name);
  drawn->names.push_back(name.subject);
  return drawn;
}

std::optional<DrawnForm> Talks::spoken_of_turn(EntityId entity) {
  const std::vector<RelationId> relations = askable(entity);
  std::optional<DrawnForm> drawn;
  if (happens(random_, config_.unsaid)) drawn = forms_.draw_unsaid(entity);
  if (!drawn && happens(random_, 0.25)) drawn = forms_.draw(entity);
  if (!drawn && !relations.empty()) {
    const RelationId relation = some_askable(relations);
    drawn = forms_.draw_one_from(entity, relation, true);
    if (drawn && happens(random_, 0.3))
      drawn->question.text = forms_.wording().ask_shortly(relation, drawn->question.answers);
  }
  if (!drawn) return std::nullopt;
  drawn->question.text = std::string(pick({"", "", "", "", "and ", "so ", "ok, "}, random_)) +
                         with_topic(drawn->question.text, words_for(entity));
  if (drawn->question.text.starts_with("and and ")) drawn->question.text.erase(0, 4);
  if (!drawn->question.unsaid) drawn->question.kind = kSpokenOf;
  return drawn;
}

std::optional<DrawnForm> Talks::same_of_another(const State& state) {
  if (!state.asked) return std::nullopt;
  const bool inverse = lexicon_.is_inverse(state.by);
  const graph::Triple fact = draws_.fact_of(inverse ? draws_.graph().inverse(state.by) : state.by, random_);
  const EntityId other = inverse ? fact.tail : fact.head;
  if (other == *state.asked || draws_.is_value(other)) return std::nullopt;
  auto drawn = forms_.draw_one_from(other, state.by, false);
  if (!drawn || drawn->names.empty()) return std::nullopt;
  const std::string& y = drawn->names.front();
  drawn->question.text =
      forms_.wording().one_of({"and " + y, "what about " + y, "and what about " + y, "how about " + y,
                               "and for " + y, "and of " + y, "no, i meant " + y, "sorry, i meant " + y,
                               "no, " + y, "i mean " + y, "not that, " + y, "what of " + y, y});
  drawn->question.kind = kSpokenOf;
  return drawn;
}

std::optional<DrawnForm> Talks::turn_of_those(const State& state) {
  auto drawn = forms_.draw_of_those(state.before.answers, state.before.counted);
  if (drawn) drawn->question.kind = "of those";
  return drawn;
}

std::optional<DrawnForm> Talks::turn(State& state, bool first) {
  if (!first && !state.before.answers.empty() && happens(random_, config_.those)) return turn_of_those(state);
  if (!first && happens(random_, config_.again)) return same_of_another(state);
  const bool named = first || happens(random_, 0.12);
  if (named) {
    if (!first) {
      const auto topic = find_topic();
      if (!topic) return std::nullopt;
      state.topic = *topic;
    }
    return named_turn(state.topic);
  }
  const bool keeps = state.last.empty() || happens(random_, 0.6);
  const EntityId entity = keeps ? state.topic : pick(state.last, random_);
  auto drawn = spoken_of_turn(entity);
  if (drawn && !keeps && happens(random_, 0.6)) state.topic = entity;
  return drawn;
}

void Talks::remember(const FormQuestion& question, State& state) const {
  EntitySet named = question.named;
  std::erase_if(named, [&](EntityId entity) { return draws_.is_value(entity); });
  const bool values = !question.answers.empty() && draws_.is_value(question.answers.front());
  listening::remember({named, question.answers, question.relations, question.counted, values}, state.before);
  state.last.clear();
  if (!question.counted && !values && question.answers.size() <= 3)
    for (const EntityId entity : question.answers)
      if (!askable(entity).empty()) state.last.push_back(entity);
  state.asked.reset();
  if (question.relations.size() == 1 && question.named.size() == 1 && !question.truth) {
    state.asked = question.named.front();
    state.by = question.relations.front();
  }
}

std::vector<DrawnForm> Talks::conversation() {
  std::vector<DrawnForm> out;
  const auto topic = find_topic();
  if (!topic) return out;
  State state;
  state.topic = *topic;
  const std::size_t turns = 2 + random_.below(4);
  for (std::size_t i = 0; i < turns; ++i) {
    auto drawn = turn(state, out.empty());
    if (!drawn) continue;
    drawn->question.text = forms_.wording().typed(std::move(drawn->question.text), drawn->names);
    drawn->question.before = state.before;
    remember(drawn->question, state);
    out.push_back(std::move(*drawn));
  }
  return out;
}

}  // namespace kgwalk::listening
