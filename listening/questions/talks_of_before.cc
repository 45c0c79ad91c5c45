// Turns about what the turn before asked or was answered: the same of another, others of the same, one of
// two.
#include <algorithm>

#include "listening/questions/english.h"
#include "listening/questions/talks.h"
#include "listening/words/prepositions.h"

namespace kgwalk::listening {

using graph::EntityId;
using graph::RelationId;

std::optional<DrawnForm> Talks::same_of_another(const State& state) {
  if (!state.asked || !draws_.is_asked_about(state.by)) return std::nullopt;
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
  std::vector<std::string> out = {"and " + y,
                                  "what about " + y,
                                  "and what about " + y,
                                  "how about " + y,
                                  y,
                                  "or " + y,
                                  "and " + y + " too",
                                  "is " + y + " too",
                                  y + " too",
                                  "and is " + y,
                                  "also " + y,
                                  "same with " + y,
                                  "and " + y + " maybe",
                                  "does that hold for " + y,
                                  "and how about " + y + " then",
                                  y + " as well",
                                  "but " + y,
                                  "and " + y + " as well",
                                  "is " + y + " as well",
                                  "was " + y + " too",
                                  "but not " + y};
  // "And in Y?": the preposition that stands before this end of the relation.
  const graph::RelationId relation = drawn->question.relations.front();
  const RelationWords& words = lexicon_.relation(relation);
  const RelationPrepositions stand = prepositions_of(words.words, words.family);
  const bool head = drawn->question.named.front() != state.checked->head;
  for (const std::string_view word : {"in", "by", "from", "at", "for", "with", "on"}) {
    if ((preposition(word) &
         ((head != lexicon_.is_inverse(relation)) ? stand.before_head : stand.before_tail)) == 0)
      continue;
    const std::string there = std::string(word) + " " + y;
    out.insert(out.end(), {"and " + there, there + " too", "and " + there + " as well", "what about " + there,
                           "but " + there, "how about " + there, there, "or " + there, "also " + there});
  }
  drawn->question.text = forms_.wording().one_of(out);
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

}  // namespace kgwalk::listening
