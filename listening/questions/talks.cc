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
constexpr const char* kSpokenOf = "spoken of before";
constexpr double kMovesOn = 0.85;
constexpr double kOldThose = 0.15;     // of turns after others than a list, the share about the list
constexpr double kChecked = 0.12;      // of turns about what was spoken of, the share whether something is so
constexpr double kAgainChecked = 0.3;  // of turns after a check, those that check another thing

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

std::optional<DrawnForm> Talks::same_of_another(const State& state) {
  if (!state.asked) return std::nullopt;
  const bool inverse = lexicon_.is_inverse(state.by);
  const graph::Triple fact = draws_.fact_of(inverse ? draws_.graph().inverse(state.by) : state.by, random_);
  const EntityId other = inverse ? fact.tail : fact.head;
  if (other == *state.asked || draws_.is_value(other)) return std::nullopt;
  auto drawn = forms_.draw_one_from(other, state.by, false);
  if (!drawn || drawn->names.empty()) return std::nullopt;
  if (state.last_asked.question.counted) {
    drawn->question.counted = true;
    drawn->form = forms::count(drawn->form.set);
  }
  std::string y = drawn->names.front();
  if (const auto nouns = forms_.wording().nouns_of(other); !nouns.empty() && happens(random_, 0.2))
    y = "the " + pick(nouns, random_) + " " + y;
  drawn->question.text = forms_.wording().one_of({"and " + y,
                                                  "what about " + y,
                                                  "and what about " + y,
                                                  "how about " + y,
                                                  "and for " + y,
                                                  "and of " + y,
                                                  "no, i meant " + y,
                                                  "sorry, i meant " + y,
                                                  "no, " + y,
                                                  "i mean " + y,
                                                  "not that, " + y,
                                                  "what of " + y,
                                                  y,
                                                  "the same for " + y,
                                                  "same for " + y,
                                                  "same thing with " + y,
                                                  "and in the case of " + y,
                                                  "and " + y + " then",
                                                  "i was thinking of " + y,
                                                  "i wanted to know it of " + y,
                                                  "tell me the same about " + y,
                                                  "and now " + y,
                                                  "actually " + y,
                                                  "wait, " + y + " instead",
                                                  "not that one, i mean " + y,
                                                  "oh, i was talking about " + y,
                                                  "my question was about " + y,
                                                  "what is it for " + y,
                                                  "and with " + y,
                                                  "ah, i mean " + y,
                                                  "sorry, i wanted " + y,
                                                  "oh no, " + y,
                                                  "oops, " + y + " i meant",
                                                  "make that " + y,
                                                  "i was asking about " + y,
                                                  y + " please",
                                                  "ok and " + y,
                                                  "let's try " + y,
                                                  "what if it is " + y,
                                                  "now " + y,
                                                  "next " + y,
                                                  y + " then",
                                                  y + " instead",
                                                  "and " + y + " as well",
                                                  "ok the same but " + y,
                                                  "same but " + y,
                                                  "do " + y + " too",
                                                  "could you do it for " + y,
                                                  "wrong one, i wanted " + y,
                                                  "you got me wrong, i asked about " + y,
                                                  "excuse me, i meant to say " + y,
                                                  "then there is " + y,
                                                  "let me change that to " + y,
                                                  "wait, not that, " + y,
                                                  "i did not mean that, i mean " + y,
                                                  "that is not what i meant, i meant " + y,
                                                  "not that title, i said " + y,
                                                  "this was wrong, it should be " + y,
                                                  "no no, " + y});
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// After a check the same of another thing: "is Y in it" - "and Z?"
std::optional<DrawnForm> Talks::check_of_another(const State& state) {
  auto drawn = forms_.draw_check_beside(*state.checked);
  if (!drawn || drawn->names.empty()) return std::nullopt;
  const std::string& y = drawn->names.front();
  drawn->question.text = forms_.wording().one_of(
      {"and " + y, "what about " + y, "and what about " + y, "how about " + y, y, "or " + y,
       "and " + y + " too", "is " + y + " too", y + " too", "and is " + y, "also " + y, "same with " + y,
       "and " + y + " maybe", "does that hold for " + y, "and how about " + y + " then"});
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// What the only answer leads to beside the topic: "who directed it" - "what else did he direct".
std::optional<DrawnForm> Talks::more_of_answer(const State& state) {
  if (state.last.size() != 1 || !state.asked) return std::nullopt;
  const RelationId back = draws_.graph().inverse(state.by);
  auto drawn = forms_.draw_one_from(state.last.front(), back, true);
  if (!drawn || drawn->question.answers.size() < 2) return std::nullopt;
  drawn->question.text =
      std::string(pick({"", "", "and "}, random_)) +
      with_topic(forms_.wording().ask_more(back, std::string(kTopic), drawn->question.answers),
                 words_for(state.last.front()));
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// More of the answer of before: those that were not told yet, or other ones.
std::optional<DrawnForm> Talks::rest_of_before(const State& state) {
  const FormQuestion& last = state.last_asked.question;
  if (last.answers.size() < 2 || last.named.empty() || last.counted) return std::nullopt;
  DrawnForm drawn;
  drawn.question = last;
  drawn.form = state.last_asked.form;
  drawn.question.kind = kSpokenOf;
  const bool person = lexicon_.kind_of(last.answers.front()) == EndKind::kPerson;
  std::vector<std::string> out = {"what else",
                                  "and what else",
                                  "anything else",
                                  "any others",
                                  "and the others",
                                  "are there any other ones",
                                  "another one",
                                  "and besides this",
                                  "beside these",
                                  "apart from that one",
                                  "is there more",
                                  "some more",
                                  "can you name another",
                                  "give me another one",
                                  "and more of them",
                                  "what other ones are there"};
  if (person) out.insert(out.end(), {"who else", "and who else", "someone else", "anybody else"});
  const std::vector<std::string> nouns = forms_.wording().nouns_of(last.answers.front());
  if (!nouns.empty()) {
    const std::string& noun = pick(nouns, random_);
    out.insert(out.end(), {"another " + noun, "any other " + noun, "which other " + plural_of(noun),
                           "are there other " + plural_of(noun), "more " + plural_of(noun),
                           "what other " + plural_of(noun) + " are there"});
  }
  if (last.named.size() == 1) {
    const std::string by = words_for(last.named.front()).object;
    out.insert(out.end(), {"anything else by " + by, "what else is there of " + by, "more of " + by});
  }
  drawn.question.text = forms_.wording().one_of(out);
  return drawn;
}

// What was compared with the topic and was not the answer, or was.
std::optional<DrawnForm> Talks::one_of_two(const State& state) {
  const bool left = happens(random_, 0.6);
  const EntityId entity = left ? state.left->first : state.left->second;
  const std::vector<RelationId> relations = askable(entity);
  if (relations.empty()) return std::nullopt;
  auto drawn = forms_.draw_one_from(entity, some_askable(relations), true);
  if (!drawn) return std::nullopt;
  const std::string said =
      left
          ? forms_.wording().one_of({"the other one", "the other", "the other one", "the one that it is not"})
          : forms_.wording().one_of({"that one", "this one", "it", "the one you named"});
  drawn->question.text = std::string(pick({"", "", "and ", "so "}, random_)) +
                         with_topic(drawn->question.text, {said, owner_of(said), said});
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// One of the answers of before, by its place.
std::optional<DrawnForm> Talks::one_by_place(const State& state) {
  constexpr std::string_view kPlaces[] = {"first", "second", "third", "fourth", "fifth"};
  const std::size_t place = random_.below(std::min(std::size(kPlaces), state.told.size()));
  const EntityId entity = state.told[place];
  const std::vector<RelationId> relations = askable(entity);
  if (relations.empty()) return std::nullopt;
  auto drawn = forms_.draw_one_from(entity, some_askable(relations), true);
  if (!drawn) return std::nullopt;
  const bool last = place + 1 == state.told.size() && happens(random_, 0.5);
  const std::string which(last ? "last" : kPlaces[place]);
  std::vector<std::string> said = {"the " + which + " one", "the " + which + " one you named",
                                   "the " + which + " of them", "the " + which + " that you said"};
  if (!last) said.push_back("number " + std::to_string(place + 1));
  const std::vector<std::string> nouns = forms_.wording().nouns_of(entity);
  if (!nouns.empty()) said.push_back("the " + which + " " + pick(nouns, random_));
  const std::string& words = pick(said, random_);
  drawn->question.text = std::string(pick({"", "", "and ", "so "}, random_)) +
                         with_topic(drawn->question.text, {words, owner_of(words), words});
  drawn->question.kind = kSpokenOf;
  return drawn;
}

// What two things lead to by one relation: the answers of before, or what they were compared of.
std::optional<DrawnForm> Talks::common_of_two(const State& state) {
  std::vector<EntityId> two = state.told;
  if (state.left) two = {state.left->first, state.left->second};
  if (two.size() != 2) return std::nullopt;
  std::vector<RelationId> shared;
  for (const RelationId relation : askable(two.front()))
    if (draws_.num_tails(two.back(), relation) > 0) shared.push_back(relation);
  if (shared.empty()) return std::nullopt;
  return forms_.draw_common_of(two.front(), two.back(), some_askable(shared));
}

std::optional<DrawnForm> Talks::turn_of_those(const State& state) {
  auto drawn = forms_.draw_of_those(state.before.answers, state.before.counted);
  if (drawn) drawn->question.kind = "of those";
  return drawn;
}

std::optional<DrawnForm> Talks::turn(State& state, bool first) {
  if (!first && !state.before.answers.empty() &&
      happens(random_, state.before.answers_ago == 0 ? config_.those : kOldThose))
    return turn_of_those(state);
  if (!first && state.last_asked.form.set.kind == forms::SetKind::kWhere && happens(random_, 0.4))
    if (auto drawn = forms_.draw_other_value(state.last_asked)) {
      drawn->question.kind = kSpokenOf;
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
  if (happens(random_, 0.16))
    if (auto drawn = happens(random_, 0.4) ? forms_.draw_which_of_two(state.topic)
                                           : forms_.draw_filter_of_topic(state.topic)) {
      const TopicWords name = first || happens(random_, 0.7) ? name_of(state.topic) : words_for(state.topic);
      drawn->question.text = with_topic(drawn->question.text, name);
      drawn->names.push_back(name.subject);
      return drawn;
    }
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
                       .counted = question.counted,
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
    remember(*drawn, state);
    out.push_back(std::move(*drawn));
  }
  return out;
}

}  // namespace kgwalk::listening
