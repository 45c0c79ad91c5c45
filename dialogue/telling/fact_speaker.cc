#include "dialogue/telling/fact_speaker.h"

#include <algorithm>
#include <array>
#include <map>

#include "dialogue/linking/spoken_relation.h"
#include "dialogue/questions/wording_text.h"
#include "dialogue/telling/names.h"
#include "forms/text/relation_phrases.h"
#include "kgwalk/graph_details.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;
using graph::RelationId;
using graph::ValueKind;

// Stand for names while a wording is filled: no name holds them.
constexpr const char* kKnown = "\x01";
constexpr const char* kUnknown = "\x02";

std::string joined(const Names& names) { return forms::listed(names.texts, names.join); }

std::vector<std::string> marks(const char* mark, bool many) {
  return many ? std::vector<std::string>{mark, mark} : std::vector<std::string>{mark};
}

// Two marks that stood for many become one.
std::string with_single_marks(std::string text) {
  for (const char* mark : {kKnown, kUnknown}) {
    const std::string m = mark;
    replace_all(text, "a " + m + " and a " + m, m);
    replace_all(text, m + " and " + m, m);
  }
  return text;
}

bool is_many(const Names& names) { return names.many || names.texts.size() > 1; }

// The words of a relation that no bank knows: a noun for one or many tails ("genres"), a verb for one or many
// heads ("flow through").
std::string words_for(const WordedRelation& relation, bool known_many, bool unknown_many) {
  const bool many_heads = relation.flipped ? unknown_many : known_many;
  const bool many_tails = relation.flipped ? known_many : unknown_many;
  if (many_heads && !relation.many_words.empty()) return relation.many_words;
  if (!many_tails || relation.words.empty() || spoken_relation(relation.words).form != RelationForm::kNoun)
    return relation.words;
  return plural_noun(relation.words);
}

std::string filled(const Template& wording, const WordedRelation& relation, bool known_many,
                   bool unknown_many) {
  Fillers fillers{.relation = words_for(relation, known_many, unknown_many), .bare_relation = relation.bare};
  (relation.flipped ? fillers.y : fillers.x) = marks(kKnown, known_many);
  (relation.flipped ? fillers.x : fillers.y) = marks(kUnknown, unknown_many);
  return with_single_marks(wording.fill(fillers).text);
}

// "that were directed by Nolan" says no more than "directed by Nolan".
std::string shortened(const std::string& clause) {
  static constexpr std::array<std::string_view, 16> kStand{
      "in",   "from", "by",   "about", "of",  "at",      "near", "with",
      "made", "born", "held", "known", "led", "written", "set",  "signed"};
  for (const std::string_view lead : {"that were ", "that was ", "that are ", "that is "}) {
    if (!clause.starts_with(lead)) continue;
    const std::string rest = clause.substr(lead.size());
    const std::string first = rest.substr(0, rest.find(' '));
    const bool stands = std::find(kStand.begin(), kStand.end(), first) != kStand.end();
    if (stands || (first.size() > 4 && first.ends_with("ed"))) return rest;
  }
  return clause;
}

struct EndKinds {
  Kind head = Kind::kThing, tail = Kind::kThing;
};

const std::map<std::string, EndKinds, std::less<>>& kinds_of_relations() {
  static const std::map<std::string, EndKinds, std::less<>> all = [] {
    std::map<std::string, EndKinds, std::less<>> kinds;
    for (const Family& family : builtin_bank().families)
      for (const std::string& relation : family.relations) {
        const bool inverse = relation.starts_with('~');
        const EndKinds ends =
            inverse ? EndKinds{family.tail, family.head} : EndKinds{family.head, family.tail};
        kinds.try_emplace(relation_key(inverse ? relation.substr(1) : relation), ends);
      }
    return kinds;
  }();
  return all;
}

EndKinds kinds_of(std::string_view relation) {
  const bool inverse = relation.starts_with('~');
  const auto found = kinds_of_relations().find(relation_key(inverse ? relation.substr(1) : relation));
  if (found == kinds_of_relations().end()) return {};
  return inverse ? EndKinds{found->second.tail, found->second.head} : found->second;
}

// Whether it is the known, a verb with or without a preposition, and the unknown: what stands for the unknown
// may stand elsewhere, or be counted.
bool ends_with_verb(const std::string& statement) {
  static constexpr std::array<std::string_view, 4> kNoVerb{"is", "are", "was", "were"};
  if (!statement.starts_with("\x01 ") || !statement.ends_with(" \x02")) return false;
  const std::string between =
      statement.size() > 4 ? statement.substr(2, statement.size() - 4) : std::string();
  if (between.empty() || between.starts_with("and ") || between == "and") return false;
  if (between.find(' ') == std::string::npos)
    return std::find(kNoVerb.begin(), kNoVerb.end(), between) == kNoVerb.end();
  return forms::ends_open(between);
}

std::string plural_past(const std::string& past) {
  return past.starts_with("was ") ? "were " + past.substr(4) : past;
}

}  // namespace

bool FactSpeaker::is_backwards(RelationId relation) const {
  return values_.graph().relation_name(relation).starts_with('~');
}

std::string FactSpeaker::words(RelationId relation) const {
  std::string_view name = values_.graph().relation_name(relation);
  if (name.starts_with('~')) name.remove_prefix(1);
  return spoken_relation(name).words;
}

bool FactSpeaker::leads_to_values(RelationId relation) const {
  return values_.ends(relation).tails != ValueKind::kThing && !is_backwards(relation);
}

bool FactSpeaker::leads_to_times(RelationId relation) const {
  return leads_to_values(relation) && graph::is_time(values_.ends(relation).tails);
}

const MeasureWords* FactSpeaker::measure(RelationId relation) const {
  if (!leads_to_values(relation)) return nullptr;
  std::vector<std::string> split;
  const std::string key = relation_key(words(relation));
  for (std::size_t at = 0; at < key.size();) {
    const std::size_t end = std::min(key.find(' ', at), key.size());
    split.push_back(key.substr(at, end - at));
    at = end + 1;
  }
  return measure_of(split, leads_to_times(relation));
}

std::string FactSpeaker::value_noun(RelationId relation) const {
  const SpokenRelation spoken = spoken_relation(words(relation));
  const MeasureWords* const measured = measure(relation);
  if (is_noun(spoken.form) &&
      !(measured && !measured->happened.empty() && spoken.words.find(' ') == std::string::npos))
    return spoken.words;
  if (measured == nullptr || measured->nouns.empty()) {
    const std::string noun = spoken.words;
    const bool verb = spoken.form == RelationForm::kVerb || spoken.form == RelationForm::kParticiple;
    if (verb && leads_to_times(relation)) return "date " + noun;
    return spoken.form == RelationForm::kNounOf ? noun.substr(0, noun.size() - 3) : noun;
  }
  const bool year = values_.ends(relation).tails == ValueKind::kYear;
  for (const std::string& noun : measured->nouns)
    if ((noun.find("year") != std::string::npos) == year) return noun;
  return measured->nouns.front();
}

// Values have no wordings of verbs: "was founded on 1 April 2004", "The height of Ada is 1.8 m".
Worded FactSpeaker::value_fact(EntityId head, RelationId relation, const std::vector<EntityId>& tails,
                               std::size_t more) const {
  const std::string name = said_name(values_, head);
  const MeasureWords* const measured = measure(relation);
  const SpokenRelation spoken = spoken_relation(words(relation));
  const bool times = std::all_of(tails.begin(), tails.end(), [&](EntityId tail) {
    return graph::is_time(values_.value(relation, tail).kind);
  });
  std::string past;
  if (times && measured && !measured->happened.empty()) {
    past = measured->happened.front().second;
  } else if (times && spoken.form == RelationForm::kVerb && spoken.words.find(' ') == std::string::npos) {
    past = spoken.words == "died" ? spoken.words : "was " + spoken.words;
  }
  std::vector<std::string> texts;
  for (const EntityId tail : tails)
    texts.push_back(past.empty() ? said_tail(values_, relation, tail)
                                 : when_text(values_.value(relation, tail)));
  if (more > 0) texts.push_back(number_text(more) + " more");
  const std::string all = forms::listed(texts);
  if (!past.empty()) return {name + ' ' + past + ' ' + all, true};
  const bool noun = is_noun(spoken.form) || (measured && !measured->nouns.empty());
  if (!noun) return {name + " has " + all + " as \"" + spoken.words + '"', true};
  const bool many = texts.size() > 1;
  const std::string what = value_noun(relation);
  const bool plural = spoken.form == RelationForm::kNouns && what == spoken.words;
  if (plural && !many && values_.value(relation, tails.front()).kind == ValueKind::kNumber)
    return {"the number of " + what + " of " + name + " is " + all, false};
  return {"the " + (many && !plural ? plural_noun(what) : what) + " of " + name +
              (many || plural ? " are " : " is ") + all,
          false};
}

Worded FactSpeaker::type_fact(EntityId head, const std::vector<EntityId>& types) const {
  std::vector<std::string> nouns;
  for (const EntityId type : types) nouns.push_back(with_article(noun_of(values_.graph().entity_name(type))));
  return {said_name(values_, head) + " is " + forms::listed(nouns), true};
}

Worded FactSpeaker::type_fact_backwards(EntityId type, const std::vector<EntityId>& members,
                                        std::size_t more) const {
  std::vector<std::string> names;
  for (const EntityId member : members) names.push_back(said_name(values_, member));
  if (more > 0) names.push_back(number_text(more) + " more");
  const std::string noun = noun_of(values_.graph().entity_name(type));
  return {
      forms::listed(names) + (names.size() > 1 ? " are " + plural_noun(noun) : " is " + with_article(noun)),
      true};
}

Worded FactSpeaker::fact(EntityId head, RelationId relation, const std::vector<EntityId>& tails,
                         std::size_t more, std::size_t variety) const {
  if (is_backwards(relation) && tails.size() == 1 && more == 0 &&
      leads_to_values(values_.graph().inverse(relation)))
    return fact(tails.front(), values_.graph().inverse(relation), {head}, 0, variety);
  if (kinds_ && relation == *kinds_) return type_fact(head, tails);
  if (kinds_ && relation == values_.graph().inverse(*kinds_)) return type_fact_backwards(head, tails, more);
  const std::string name(values_.graph().relation_name(relation));
  if (tails.size() == 1 && more == 0)
    if (const std::string flag = flag_predicate(name, values_.graph().entity_name(tails.front()));
        !flag.empty())
      return {said_name(values_, head) + ' ' + flag, true};
  const bool is_family = wordings_.of(name).words.empty();
  const bool values = !is_backwards(relation) && std::any_of(tails.begin(), tails.end(), [&](EntityId tail) {
    return values_.value(relation, tail).kind != ValueKind::kThing;
  });
  const bool years = std::all_of(tails.begin(), tails.end(), [&](EntityId tail) {
    return values_.value(relation, tail).kind == ValueKind::kYear;
  });
  const bool text = values && values_.value(relation, tails.front()).kind == ValueKind::kText;
  if (values && (!is_family || (!years && !text))) return value_fact(head, relation, tails, more);
  Names ends;
  for (const EntityId tail : tails) ends.texts.push_back(said_tail(values_, relation, tail));
  if (more > 0) ends.texts.push_back(number_text(more) + " more");
  return statement({.texts = {said_name(values_, head)}}, relation, ends, variety);
}

Worded FactSpeaker::fact(const graph::Triple& edge, std::size_t variety) const {
  return fact(edge.head, edge.relation, {edge.tail}, 0, variety);
}

Worded FactSpeaker::statement(const Names& head, RelationId relation, const Names& tail,
                              std::size_t variety) const {
  const WordedRelation worded = wordings_.of(values_.graph().relation_name(relation));
  const std::vector<Template>& statements = worded.wordings->statements;
  Fillers fillers{.relation = words_for(worded, is_many(head), is_many(tail)), .bare_relation = worded.bare};
  const Template& wording = statements[variety % statements.size()];
  if (!head.many && !tail.many) {
    (worded.flipped ? fillers.y : fillers.x) = head.texts;
    (worded.flipped ? fillers.x : fillers.y) = tail.texts;
    Worded result = wording.fill(fillers);
    replace_all(result.text, " the part of ", " part of ");
    return result;
  }
  const std::string text = filled(wording, worded, is_many(head), is_many(tail));
  Worded result{text, text.starts_with(kKnown) || text.starts_with(kUnknown)};
  replace_all(result.text, kKnown, joined(head));
  replace_all(result.text, kUnknown, joined(tail));
  return result;
}

std::vector<std::string> FactSpeaker::statements_of(const Names& head, RelationId relation, bool many) const {
  const WordedRelation worded = wordings_.of(values_.graph().relation_name(relation));
  std::vector<std::string> all;
  for (const Template& wording : worded.wordings->statements)
    all.push_back(filled(wording, worded, is_many(head), many));
  return all;
}

std::string FactSpeaker::noun(const Names& head, RelationId relation, bool many) const {
  if (leads_to_values(relation)) {
    const std::string noun = value_noun(relation);
    return (many ? plural_noun(noun) : noun) + " of " + forms::listed(head.texts);
  }
  const WordedRelation worded = wordings_.of(values_.graph().relation_name(relation));
  const std::vector<Template>& nouns = worded.flipped ? worded.wordings->heads : worded.wordings->tails;
  std::string text = filled(nouns.front(), worded, is_many(head), many);
  bool found = false;
  for (const std::string_view article : {"the ", "an ", "a "})
    if (!found && text.starts_with(article)) {
      text.erase(0, article.size());
      found = true;
    }
  if (!found || text.find(kUnknown) != std::string::npos) return {};
  // "the place where {x} died" in the middle of a phrase is as good as a noun.
  replace_all(text, kKnown, forms::listed(head.texts));
  return text;
}

std::string FactSpeaker::clause(const Names& head, RelationId relation, bool many) const {
  const std::string name = joined(head);
  const std::vector<std::string> statements = statements_of(head, relation, many);
  const auto finished = [&](std::string text) {
    replace_all(text, " the part of ", " part of ");
    text = shortened(text);
    replace_all(text, kKnown, name);
    return text;
  };
  for (const std::string& each : statements) {
    const std::string rest = each.starts_with(kUnknown) ? each.substr(1) : std::string();
    if (rest.starts_with(' ') && !rest.starts_with(" and ") && rest.find(kUnknown) == std::string::npos)
      return finished("that" + rest);
  }
  for (const std::string& each : statements)
    if (ends_with_verb(each)) return finished("that " + each.substr(0, each.size() - 2));
  return "that " + name + " has as \"" + words(relation) + '"';
}

std::string FactSpeaker::counted(const Names& head, RelationId relation, const std::string& counted,
                                 bool many) const {
  if (leads_to_values(relation) || leads_to_values(values_.graph().inverse(relation))) return {};
  for (std::string text : statements_of(head, relation, many)) {
    if (!ends_with_verb(text)) continue;
    const std::string between = text.substr(2, text.size() - 4);
    // "is near 3 places" counts badly.
    if (between.starts_with("is ") || between.starts_with("are ")) continue;
    replace_all(text, kKnown, joined(head));
    replace_all(text, kUnknown, counted);
    return text;
  }
  return {};
}

std::string FactSpeaker::value_clause(RelationId relation, const std::string& condition, bool equal,
                                      bool many) const {
  const MeasureWords* const measured = measure(relation);
  if (leads_to_times(relation)) {
    std::string past;
    const SpokenRelation spoken = spoken_relation(words(relation));
    if (measured && !measured->happened.empty()) past = measured->happened.front().second;
    if (past.empty() && spoken.form == RelationForm::kVerb && spoken.words.find(' ') == std::string::npos)
      past = "was " + spoken.words;
    if (!past.empty()) return shortened("that " + (many ? plural_past(past) : past) + ' ' + condition);
  }
  const std::string noun = value_noun(relation);
  const bool texts = values_.ends(relation).tails == ValueKind::kText;
  if (texts && equal) return whose(noun) + (condition.starts_with("of ") ? condition.substr(3) : condition);
  return "with " + with_article(noun) + ' ' + condition;
}

std::string FactSpeaker::kind_noun(RelationId relation) const {
  switch (kinds_of(values_.graph().relation_name(relation)).tail) {
    case Kind::kPerson:
      return "person";
    case Kind::kWork:
      return "work";
    case Kind::kPlace:
      return "place";
    case Kind::kOrg:
      return "organization";
    case Kind::kThing:
      break;
  }
  return "thing";
}

Kind FactSpeaker::kind_of_head(RelationId relation) const {
  return kinds_of(values_.graph().relation_name(relation)).head;
}

std::string FactSpeaker::counted_noun(RelationId relation, bool many) const {
  const std::string known = "\x03";
  std::string text = noun({.texts = {known}}, relation, many);
  for (const std::string_view end : {" of \x03", " in \x03", " on \x03", " behind \x03", " that \x03 won"})
    if (text.ends_with(end)) return text.substr(0, text.size() - end.size());
  const std::string kind = kind_noun(relation);
  return many ? plural_noun(kind) : kind;
}

}  // namespace kgwalk::dialogue
