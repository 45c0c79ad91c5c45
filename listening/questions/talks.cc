#include "listening/questions/talks.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "listening/questions/english.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr int kTopicTries = 60;
constexpr std::size_t kMostTails = 40;  // of what is asked in a conversation
constexpr std::size_t kFewestRelations = 3;
constexpr std::size_t kMostTold = 6;  // answers that are told one by one
constexpr double kRole = 0.1;         // of turns about a work, the share that asks who played a part
constexpr double kOfWorks = 0.03;     // of conversations, the share that begins with a work somebody plays in
constexpr double kAnew = 0.06;        // of later turns, the share that asks something else altogether
constexpr double kLacking = 0.05;     // the share that asks of the topic what only something else has
constexpr double kBoth =
    0.03;  // the share that asks whether the topic and the answer have to do with another
constexpr double kMovesOn = 0.85;
constexpr double kOldThose = 0.15;     // of turns after others than a list, the share about the list
constexpr double kChecked = 0.12;      // of turns about what was spoken of, the share whether something is so
constexpr double kAgainChecked = 0.3;  // of turns after a check, those that check another thing

// Names as they are said.
bool has_capital(const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  });
}

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

// The surname, now and then the first name, of a person; empty where the name is one word.
std::string Talks::part_of_name(EntityId entity) {
  const std::vector<std::string> words =
      split_words(dialogue::plain_name(draws_.graph().entity_name(entity)));
  if (words.size() < 2 || words.size() > 3 || words.back().size() < 3) return "";
  return happens(random_, 0.8) ? words.back() : words.front();
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
  if (const std::string part = person ? part_of_name(entity) : ""; !part.empty() && happens(random_, 0.12))
    return {part, owner_of(part), part};
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
  drawn->names.push_back(name.subject);
  // "Back to X: who directed it?"
  if (happens(random_, 0.12)) {
    drawn->question.text = std::string(pick({"back to ", "going back to ", "speaking of ", "about ",
                                             "as for ", "regarding ", "now ", "take ", "talking about ",
                                             "with ", "let's go back to ", "i thought about ", "i saw "},
                                            random_)) +
                           name.subject + std::string(pick({", ", ": ", " - ", ". ", ", "}, random_)) +
                           with_topic(drawn->question.text, words_for(topic));
    return drawn;
  }
  drawn->question.text = with_topic(drawn->question.text, name);
  return drawn;
}

std::optional<DrawnForm> Talks::spoken_of_turn(EntityId entity) {
  const std::vector<RelationId> relations = askable(entity);
  std::optional<DrawnForm> drawn;
  if (happens(random_, config_.unsaid)) drawn = forms_.draw_unsaid(entity);
  if (!drawn && happens(random_, kRole)) drawn = forms_.draw_of_role(entity);
  if (!drawn && happens(random_, kChecked)) drawn = forms_.draw_check_of(entity);
  if (!drawn && happens(random_, 0.4)) drawn = forms_.draw(entity);
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

// "Did he write it": the topic and what was answered about it, neither of which is named.
std::optional<DrawnForm> Talks::check_of_both(const State& state) {
  const EntityId other = pick(state.last, random_);
  const bool person = lexicon_.kind_of(state.topic) == EndKind::kPerson;
  if (other == state.topic || person == (lexicon_.kind_of(other) == EndKind::kPerson)) return std::nullopt;
  auto drawn = forms_.draw_check_between(state.topic, other);
  if (!drawn || drawn->names.empty()) return std::nullopt;
  std::string text = with_topic(drawn->question.text, words_for(state.topic));
  const std::string& name = drawn->names.front();
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return std::nullopt;
  text.replace(at, name.size(), kTopic);
  drawn->question.text = std::string(pick({"", "", "and "}, random_)) + with_topic(text, words_for(other)) +
                         std::string(pick({"", "", " too", " as well", " also"}, random_));
  drawn->names.clear();
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// What the topic lacks and something spoken of earlier has: it is not asked of that.
std::optional<DrawnForm> Talks::lacking_turn(const State& state) {
  std::vector<EntityId> others;
  for (const auto& [entity, note] : state.before.focus)
    if (entity != state.topic && lexicon_.kind_of(entity) == lexicon_.kind_of(state.topic) &&
        !askable(entity).empty())
      others.push_back(entity);
  if (others.empty()) return std::nullopt;
  const EntityId other = pick(others, random_);
  auto drawn = forms_.draw_lacking(state.topic, other, some_askable(askable(other)));
  if (!drawn) return std::nullopt;
  drawn->question.text =
      std::string(pick({"", "", "and "}, random_)) + with_topic(drawn->question.text, words_for(state.topic));
  return drawn;
}

std::optional<DrawnForm> Talks::turn(State& state, bool first) {
  // "Who directed the most films?" is not about the list of before.
  if (!first && happens(random_, kAnew))
    if (auto drawn = forms_.draw_anew()) {
      const EntitySet& named = drawn->question.named;
      if (!named.empty() && !draws_.is_value(named.front())) state.topic = named.front();
      return drawn;
    }
  if (!first && !state.before.answers.empty() &&
      happens(random_, state.before.answers_ago == 0 ? config_.those : kOldThose))
    return turn_of_those(state);
  if (!first && state.last_asked.form.set.kind == forms::SetKind::kWhere && happens(random_, 0.4))
    if (auto drawn = forms_.draw_other_value(state.last_asked)) {
      // Of all of a type nothing is spoken of.
      if (!drawn->question.named.empty()) drawn->question.kind = kSpokenOf;
      return drawn;
    }
  if (!first && (state.left || state.told.size() == 2) && happens(random_, 0.12))
    if (auto drawn = common_of_two(state)) {
      drawn->question.kind = kSpokenOf;
      return drawn;
    }
  if (!first && state.left && happens(random_, 0.5)) return one_of_two(state);
  if (!first && state.told.size() > 1 && happens(random_, 0.1)) return one_by_place(state);
  if (!first && happens(random_, 0.06)) return rest_of_before(state);
  if (!first && happens(random_, state.checked ? std::max(kAgainChecked, config_.again) : config_.again)) {
    if (auto drawn = state.checked ? check_of_another(state) : same_of_another(state)) {
      // Who asks the same of another thing speaks of that one now.
      if (!drawn->question.truth && happens(random_, kMovesOn)) state.topic = drawn->question.named.front();
      return drawn;
    }
  }
  if (!first && happens(random_, 0.1))
    if (auto drawn = more_of_answer(state)) return drawn;
  const double which = random_.uniform();
  if (which < 0.21)
    if (auto drawn = which < 0.09   ? forms_.draw_compared_of(state.topic)
                     : which < 0.18 ? forms_.draw_filter_of_topic(state.topic)
                                    : forms_.draw_value_check_of(state.topic)) {
      // "Is it older than X" and rather "which is older, X or Y".
      const double by_name = drawn->question.truth ? 0.3 : 0.7;
      const TopicWords name =
          first || happens(random_, by_name) ? name_of(state.topic) : words_for(state.topic);
      drawn->question.text = with_topic(drawn->question.text, name);
      drawn->names.push_back(name.subject);
      return drawn;
    }
  if (!first && !state.last.empty() && happens(random_, kBoth))
    if (auto drawn = check_of_both(state)) return drawn;
  if (!first && happens(random_, kLacking))
    if (auto drawn = lacking_turn(state)) return drawn;
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

void Talks::remember(const DrawnForm& drawn, State& state) {
  const FormQuestion& question = drawn.question;
  EntitySet named = question.named;
  std::erase_if(named, [&](EntityId entity) { return draws_.is_value(entity); });
  const bool values = !question.answers.empty() && draws_.is_value(question.answers.front());
  // People are told them in another order than that of the graph.
  state.told.clear();
  if (!question.counted && !values && question.answers.size() <= kMostTold) state.told = question.answers;
  for (std::size_t i = state.told.size(); i > 1; --i)
    std::swap(state.told[i - 1], state.told[random_.below(i)]);
  listening::remember({.named = named,
                       .answers = question.answers,
                       .told = state.told,
                       .relations = question.relations,
                       .counted = question.counted || question.amount,
                       .checked = question.truth.has_value(),
                       .values = values},
                      state.before);
  state.last_asked = drawn;
  state.left.reset();
  if (named.size() == 2 && question.answers.size() == 1 && !question.counted)
    for (const std::size_t i : {0, 1})
      if (named[i] == question.answers.front() && named[1 - i] != named[i])
        state.left = {named[1 - i], named[i]};
  state.last.clear();
  if (!question.counted && !values && question.answers.size() <= 3)
    for (const EntityId entity : question.answers)
      if (!askable(entity).empty()) state.last.push_back(entity);
  state.asked.reset();
  state.checked.reset();
  if (question.truth && question.relations.size() == 1 && question.named.size() == 2 &&
      drawn.form.kind == forms::QueryKind::kCheck) {
    state.checked = graph::Triple{question.named.front(), question.relations.front(), question.named.back()};
  }
  if (question.relations.size() == 1 && question.named.size() == 1 && !question.truth) {
    state.asked = question.named.front();
    state.by = question.relations.front();
  }
}

std::vector<DrawnForm> Talks::conversation() {
  std::vector<DrawnForm> out;
  const auto work = happens(random_, kOfWorks) ? forms_.some_played() : std::nullopt;
  const auto topic = work ? work : find_topic();
  if (!topic) return out;
  State state;
  state.topic = *topic;
  const std::size_t turns = 2 + random_.below(4);
  for (std::size_t i = 0; i < turns; ++i) {
    auto drawn = turn(state, out.empty());
    if (!drawn) continue;
    drawn->question.text = forms_.wording().typed(std::move(drawn->question.text), drawn->names);
    drawn->question.before = state.before;
    state.before.capitals = state.before.capitals || has_capital(drawn->names);
    remember(*drawn, state);
    out.push_back(std::move(*drawn));
  }
  return out;
}

}  // namespace kgwalk::listening
