#include "dialogue/telling/tell.h"

#include <algorithm>

#include "dialogue/telling/names.h"
#include "dialogue/telling/teller.h"
#include "forms/text/relation_phrases.h"
#include "kgwalk/form_text.h"

namespace kgwalk::dialogue {
namespace {

using forms::Cut;
using forms::QueryKind;
using forms::Set;
using forms::SetKind;
using graph::EntityId;

std::string joined(const Names& a, const Names& b) {
  return forms::listed(a.texts, a.join) + " and " + forms::listed(b.texts, b.join);
}

bool is_ranked(const Set& set) { return set.kind == SetKind::kFirst || set.kind == SetKind::kLast; }

}  // namespace

std::string sentence_of(const Worded& worded) {
  return ended(worded.begins_with_name ? worded.text : capital(worded.text));
}

std::string Teller::name(EntityId entity) const { return said_name(engine_.values(), entity); }

// Noun of what is answered where there is a list, else of the members of the set.
std::string Teller::type_noun() const {
  if (!answer_.entities.empty()) return sets_.shared_type(answer_.entities);
  return answer_.total > 0 ? sets_.shared_type(query_.set) : std::string();
}

std::string Teller::asked() const {
  switch (query_.kind) {
    case QueryKind::kFind:
    case QueryKind::kCount:
      return sets_.phrase(query_.set, answer_.total != 1, type_noun()).definite();
    case QueryKind::kCheck:
      if (query_.members.empty()) return sets_.phrase(query_.set, true, type_noun()).definite();
      return forms::in_words(query_, engine_.values());
    case QueryKind::kSum:
    case QueryKind::kAverage:
      return std::string("the ") + (query_.kind == QueryKind::kSum ? "total " : "average ") +
             measured_noun() + " of " + sets_.phrase(query_.set, true, type_noun()).definite();
    default:
      return forms::in_words(query_, engine_.values());
  }
}

Told Teller::tell() {
  if (answer_.cut != Cut::kNone && answer_.cut != Cut::kRows) return {not_known()};
  switch (query_.kind) {
    case QueryKind::kFind:
      return find();
    case QueryKind::kCount:
      return {count()};
    case QueryKind::kSum:
    case QueryKind::kAverage:
      return {total()};
    case QueryKind::kWhich:
      return {which(), answer_.entities.size(), answer_.entities};
    case QueryKind::kWhether:
      return {whether()};
    case QueryKind::kDifference:
      return {difference()};
    case QueryKind::kCheck:
      return {check()};
    case QueryKind::kRelations:
      return {relations()};
  }
  return {};
}

std::string Teller::not_known() const {
  const std::string what = "I could not find this out (" + asked() + "): ";
  if (answer_.cut == Cut::kStopped) return what + "I was stopped before I had looked at everything.";
  if (answer_.cut == Cut::kTime) return what + "it takes too long.";
  return what + "I would have to look at too much of my graph.";
}

std::vector<std::string> Teller::take_names(Told& told) const {
  const std::size_t all = told.order.size(), from = std::min(options_.skip, all);
  const bool to_the_end = options_.all || all - from <= 2 * options_.most_names;
  const std::size_t end = to_the_end ? all : from + options_.most_names;
  std::vector<std::string> names;
  for (std::size_t i = from; i < end; ++i) {
    names.push_back(name(told.order[i]));
    if (is_ranked(query_.set) && i < answer_.measured.size())
      names.back() += " (" + graph::shown(answer_.measured[i].value) + ')';
  }
  told.named = names.size();
  const std::uint64_t total = std::max<std::uint64_t>(answer_.total, all);
  if (total > end && !names.empty()) names.push_back(number_text(total - end) + " more");
  return names;
}

Told Teller::find() {
  Told told{.order = answer_.entities};
  if (answer_.entities.empty()) {
    told.sentence = none();
    return told;
  }
  const std::vector<std::string> names = take_names(told);
  if (options_.skip > 0) {
    told.sentence = go_on(names, told.named);
    return told;
  }
  told.sentence = is_ranked(query_.set) ? ranked(names) : listed(names, told.named);
  return told;
}

// Behind those that were told.
std::string Teller::go_on(const std::vector<std::string>& names, std::size_t named) const {
  if (names.empty()) return "Those were all of them.";
  const std::string list = ended(forms::listed(names));
  if (names.size() > named) return "There are also " + list;
  return (named == 1 ? "The last one is " : "The others are ") + list;
}

// There is none, or nothing to compare.
std::string Teller::none() const {
  const Set& set = query_.set;
  if (answer_.no_common_value) {
    const auto relation = set.kind == SetKind::kWhere ? set.relations.front() : set.measure.relations.front();
    const std::string of = sets_.phrase(set.parts.front(), true).all();
    const std::string noun = facts_.value_noun(relation);
    if (set.kind == SetKind::kWhere)
      return "I cannot compare these: my graph has no " + noun + " that compares with " +
             graph::shown(set.condition.value) + '.';
    return "I cannot compare these: my graph gives no " + noun + " that could order " + ended(of);
  }
  if (const auto hop = one_hop(set); hop && hop->type == nullptr) {
    const std::string noun = facts_.noun({.texts = {name(hop->head)}}, hop->relation, false);
    if (!noun.empty()) {
      const auto& frames = facts_.wordings().frame("not_said");
      return ended(capital(frames[options_.variety % frames.size()].fill({.phrase = "the " + noun}).text));
    }
  }
  const Phrase phrase = sets_.phrase(set, true);
  if (is_ranked(set)) {
    const auto members = engine_.members(set.parts.front(), options_.before);
    if (!members || members->empty())
      return "None that I know of: my graph has " + ended(sets_.counted(0, set.parts.front()));
    return "I cannot tell: my graph gives no " + facts_.value_noun(set.measure.relations.front()) + " of " +
           ended(sets_.phrase(set.parts.front(), members->size() > 1, sets_.shared_type(*members)).all());
  }
  if (phrase.kind == PhraseKind::kNames) {
    const bool verbs =
        !phrase.clauses.empty() && std::all_of(phrase.clauses.begin(), phrase.clauses.end(),
                                               [](const auto& each) { return each.starts_with("that "); });
    std::string text = "As far as I know, none of " + phrase.noun;
    if (!verbs)
      return ended(text +
                   (phrase.clauses.empty() ? "" : " is one " + phrase.text().substr(phrase.noun.size() + 1)));
    for (std::size_t i = 0; i < phrase.clauses.size(); ++i)
      text += (i == 0 ? " " : " and ") + phrase.clauses[i].substr(5);
    return ended(text);
  }
  return "None that I know of: my graph has " + ended(sets_.counted(0, set));
}

std::string Teller::ranked(const std::vector<std::string>& names) const {
  const Set& set = query_.set;
  const bool many = answer_.total > 1;
  if (set.kind == SetKind::kLast && set.measure.kind == forms::MeasureKind::kCount &&
      answer_.measured.front().value.from == 0)
    return "I cannot tell: my graph gives no " + sets_.counted_noun(set.measure, true) + " of " +
           ended(sets_.phrase(set.parts.front(), many, type_noun()).all());
  Set asked = set;
  std::string tie;
  // The noun agrees with those told, of which a tie makes more.
  if (set.n == 1 && many) {
    asked.n = answer_.total;
    tie = ", which are equal";
  } else if (answer_.ties) {
    tie = ", since the last of them are equal";
  } else if (answer_.total < set.n) {
    asked.n = answer_.total;
    tie = ", and I know no others";
  }
  const std::string phrase = sets_.phrase(asked, many, type_noun()).definite();
  return ended(capital(phrase) + (many ? " are " : " is ") + forms::listed(names) + tie);
}

std::string Teller::listed(const std::vector<std::string>& names, std::size_t named) const {
  const Set& set = query_.set;
  const auto hop = one_hop(set);
  const bool whole = answer_.total == named;
  if (hop && whole)
    return sentence_of(facts_.fact(hop->head, hop->relation, answer_.entities, 0, options_.variety));
  const std::string type = type_noun();
  const Phrase phrase = sets_.phrase(set, answer_.total > 1, type);
  const std::string list = forms::listed(names);
  if (whole && phrase.kind == PhraseKind::kDefinite)
    return ended(capital(phrase.definite()) + (names.size() > 1 ? " are " : " is ") + list);
  if (set.kind == SetKind::kEntities || set.kind == SetKind::kBefore)
    return ended(std::string(names.size() > 1 ? "They are " : "It is ") + list);
  const std::string counted = sets_.counted(answer_.total, set, type);
  if (hop && !whole) {
    const std::string noun = sets_.phrase(set, true, type).noun;
    const std::string said = facts_.counted({.texts = {name(hop->head)}}, hop->relation,
                                            number_text(answer_.total) + ' ' + noun, true);
    if (!said.empty() && phrase.kind == PhraseKind::kAny) return ended(said + ": " + list);
  }
  return ended((options_.variety % 2 == 0 ? "I know " : "I found ") + counted + ": " + list);
}

std::string Teller::count() const {
  const Set& set = query_.set;
  const std::uint64_t total = answer_.total;
  if (total == 0) return none();
  const std::string type = type_noun();
  const bool many = total > 1;
  if (const auto hop = one_hop(set)) {
    const Phrase phrase = sets_.phrase(set, many, type);
    const std::string said = facts_.counted({.texts = {name(hop->head)}}, hop->relation,
                                            (many ? number_text(total) : "one") + ' ' + phrase.noun, many);
    if (!said.empty() && phrase.kind == PhraseKind::kAny && options_.variety % 2 == 0) return ended(said);
  }
  const Phrase phrase = sets_.phrase(set, many, type);
  // "Lantern has 2 genres".
  if (const auto hop = one_hop(set); hop && phrase.kind == PhraseKind::kDefinite) {
    const std::string noun = facts_.counted_noun(hop->relation, many);
    if (phrase.noun == noun + " of " + name(hop->head))
      return name(hop->head) + " has " + (many ? number_text(total) : "one") + ' ' + ended(noun);
  }
  const std::string counted = sets_.counted(total, set, type);
  if (phrase.kind == PhraseKind::kNames && !phrase.clauses.empty()) return ended("I know " + counted);
  if (phrase.kind == PhraseKind::kNames)
    return many ? "There are " + number_text(total) + " of them." : "There is one.";
  return ended((many ? "There are " : "There is ") + counted +
               (options_.variety % 2 == 0 ? "" : " that I know of"));
}

std::string Teller::number_answer() const {
  const bool years = facts_.leads_to_times(query_.measure.relations.front());
  const bool exact = query_.kind == QueryKind::kSum && !years;
  return exact ? graph::shown(*answer_.number) : rounded_text(*answer_.number, years);
}

std::string Teller::total() const {
  const bool sum = query_.kind == QueryKind::kSum;
  const std::string noun = measured_noun();
  const std::string type = type_noun();
  if (answer_.total == 0) return none();
  const std::string of = sets_.phrase(query_.set, answer_.total > 1, type).all();
  if (answer_.no_common_value)
    return "I cannot " + std::string(sum ? "add these up" : "average these") + ": my graph gives no " + noun +
           " of " + of + " that is a number.";
  if (!answer_.number) return "I cannot tell: my graph gives no " + noun + " of " + ended(of);
  const Phrase phrase = sets_.phrase(query_.set, answer_.total > 1, type);
  const std::string those = phrase.kind == PhraseKind::kNames
                                ? phrase.text()
                                : "the " + sets_.counted(answer_.total, query_.set, type);
  return std::string("The ") + (sum ? "total " : "average ") + noun + " of " +
         (answer_.total == 1 ? of : those) + " is " + ended(number_answer());
}

std::string Teller::relations() const {
  const Names from = sets_.names(query_.set), to = sets_.names(query_.members.front());
  if (answer_.relations.empty()) return "I know of nothing that joins " + joined(from, to) + " directly.";
  const auto is_one = [](const Set& set) {
    return set.kind == SetKind::kEntities && set.entities.size() == 1;
  };
  const bool named = is_one(query_.set) && is_one(query_.members.front());
  std::string all;
  bool name_first = false;
  std::vector<std::string> said;
  for (const graph::RelationId relation : answer_.relations) {
    const Worded one = named ? facts_.fact(query_.set.entities.front(), relation,
                                           query_.members.front().entities, 0, options_.variety)
                             : facts_.statement(from, relation, to, options_.variety);
    // An inverse says the same once more, and so does "B and A are siblings".
    const auto is_same = [&](const std::string& before) {
      const std::string here = joined(from, to), there = joined(to, from);
      return before == one.text || (before.starts_with(here) && one.text.starts_with(there) &&
                                    before.substr(here.size()) == one.text.substr(there.size()));
    };
    if (std::any_of(said.begin(), said.end(), is_same)) continue;
    if (said.empty()) name_first = one.begins_with_name;
    said.push_back(one.text);
    if (said.size() == options_.most_names) break;
  }
  for (std::size_t i = 0; i < said.size(); ++i)
    all += (i == 0 ? "" : i + 1 == said.size() ? ", and " : ", ") + said[i];
  return sentence_of({all, name_first});
}

Told tell(const forms::Query& query, const forms::Answer& answer, const forms::Engine& engine,
          const Wordings& wordings, const TellOptions& options) {
  return Teller(query, answer, engine, wordings, options).tell();
}

}  // namespace kgwalk::dialogue
