// Forms that order, filter and compare, and the words of two conditions.
#include <algorithm>
#include <cmath>

#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"
#include "listening/questions/topic_words.h"

namespace kgwalk::listening {
namespace {

using graph::Comparison;
using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr std::size_t kMostFirst = 4;  // that share the first place
constexpr std::size_t kMostCompared = 200;
constexpr double kByWord =
    0.25;  // of what has a general word, the share that is called by it: "a comedy with X"
constexpr double kJustSoMuch = 0.4;  // of limits that are to be equal, the share where numbers are

// A year in a shown date: "14 March 1902" to 1902.
std::optional<std::int64_t> year_in(const std::string& shown) {
  const std::vector<std::string> words = split_words(shown);
  if (words.empty()) return std::nullopt;
  const std::string& last = words.back();
  if (last.size() != 4 || !std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  return std::stoll(last);
}

// "the films starring X" without its noun: " starring X". Empty where it begins otherwise.
std::string behind_noun(const std::string& phrase, const std::string& noun) {
  for (const std::string& begin : {"the " + plural_of(noun), plural_of(noun)})
    if (phrase.starts_with(begin + " ")) return phrase.substr(begin.size());
  return "";
}

}  // namespace

std::string FormDraws::joined(const Meeting& met, const std::string& x, const std::string& y,
                              const std::string& t) {
  const RelationId r = met.a.relation, s = met.b.relation;
  for (const auto& [word, other] : {std::pair(&met.a, &met.b), std::pair(&met.b, &met.a)})
    if (!about_ && lexicon_.is_general(word->from) && lexicon_.is_inverse(word->relation) &&
        happens(random_, kByWord)) {
      const std::string& named = word == &met.a ? y : x;
      return wording_.ask_by_word(word == &met.a ? x : y, t, wording_.clause(other->relation, named, false),
                                  lexicon_.is_inverse(other->relation) ? named : "");
    }
  const std::string n = wording_.noun(r), m = wording_.noun(s), many = plural_of(t);
  const bool several = happens(random_, 0.4);
  const std::string lead =
      several ? wording_.one_of({"which " + many, "list the " + many + " that", "what " + many})
              : wording_.one_of({"which " + t, "what " + t, "name the " + t + " which", "which " + t});
  const std::string also = wording_.one_of({" and ", " and ", " and also ", ", and "});
  Lines out(3, lead + " " + wording_.clause(r, x, several) + also + wording_.clause(s, y, several));
  const bool back = lexicon_.is_inverse(r), other = lexicon_.is_inverse(s);
  if (r == s) out.assign(2, lead + " " + wording_.clause(r, x + " and " + y, several));
  if (n.empty() || m.empty()) return pick(out, random_);
  if (r == s && back)
    out.insert(out.end(), {"which " + t + " has the " + plural_of(n) + " " + x + " and " + y,
                           "name the " + t + " whose " + plural_of(n) + " are " + x + " and " + y,
                           "which " + t + " has both " + x + " and " + y + " as " + n,
                           "which " + many + " are there with both " + x + " and " + y,
                           many + " with " + x + " and " + y, many + " with both " + x + " and " + y});
  else if (r == s)
    out.insert(out.end(), {"what is the common " + n + " of " + x + " and " + y,
                           "which " + n + " do " + x + " and " + y + " have in common",
                           "what is the " + n + " of both " + x + " and " + y,
                           "name the " + n + " of both " + x + " and " + y,
                           "which " + n + " is shared by " + x + " and " + y});
  else if (back && other)
    out.insert(out.end(), {"name the " + t + " whose " + n + " is " + x + " and whose " + m + " is " + y,
                           "which " + t + " has " + n + " " + x + " and " + m + " " + y,
                           "name the " + t + " with " + n + " " + x + " and " + m + " " + y,
                           "which " + t + " with " + x + " as " + n + " " + wording_.clause(s, y, false)});
  else if (!back && !other)
    out.insert(out.end(), {"who or what is the " + n + " of " + x + " and the " + m + " of " + y,
                           "which " + n + " of " + x + " is also the " + m + " of " + y,
                           "name the " + n + " of " + x + " that is also the " + m + " of " + y});
  return pick(out, random_);
}

std::optional<FormDraws::Measured> FormDraws::measured(std::size_t least) {
  Measured out;
  EntityId member = 0;
  if (about_) {
    const auto way = some_relation(*about_, false);
    auto set = way ? step_from(*about_, *way) : std::nullopt;
    if (!set || set->reached.size() < least) return std::nullopt;
    member = pick(set->reached, random_);
    if (!take_measure(member, out)) return std::nullopt;
    out.set = std::move(*set);
    return out;
  } else {
    out.by = pick(draws_.measures(), random_);
    const graph::Triple fact = draws_.fact_of(out.by, random_);
    const auto way = some_relation(fact.head, false);
    const auto sources = way ? draws_.tails(fact.head, *way) : std::nullopt;
    if (!sources || sources->empty()) return std::nullopt;
    const EntityId from = pick(*sources, random_);
    auto set = draws_.is_value(from) ? std::nullopt : step_from(from, graph_.inverse(*way));
    if (!set || set->reached.size() < least) return std::nullopt;
    out.value = fact.tail;
    out.set = std::move(*set);
  }
  out.time = graph::is_time(lexicon_.values().ends(out.by).tails);
  out.words = dialogue::measure_of(lexicon_.relation(out.by).words, out.time);
  return out;
}

std::string FormDraws::order_word(const Measured& drawn, bool last) {
  static const Lines kLatest = {"latest", "newest", "last", "most recent"},
                     kFirst = {"first", "earliest", "oldest"};
  static const Lines kLargest = {"largest", "biggest", "greatest"}, kSmallest = {"smallest", "lowest"};
  if (drawn.words != nullptr) {
    const Lines& own = last ? drawn.words->most : drawn.words->least;
    if (!own.empty() && happens(random_, 0.9)) return pick(own, random_);
  }
  return pick(drawn.time ? (last ? kLatest : kFirst) : (last ? kLargest : kSmallest), random_);
}

FormDraws::Drawn FormDraws::draw_first() {
  auto drawn = measured(2);
  if (!drawn) return std::nullopt;
  const bool last = happens(random_, 0.5);
  EntitySet members = drawn->set.reached;
  const Typed type = take_type(members, 0.3);
  if (members.size() < (type.type ? 1 : 2)) return std::nullopt;
  const forms::Set set = form_of_step(drawn->set, type);
  const forms::Measure by = forms::value_of({drawn->by});
  const RelationId r = drawn->set.relation;
  const std::string x = said(drawn->set.from), best = order_word(*drawn, last);
  const std::string t = type.type ? type.noun : wording_.set_noun(members, r);
  const std::string clause = wording_.clause(r, x, false), many = wording_.clause(r, x, true);
  const std::string np = wording_.phrase(r, x, members, true, t), measure = wording_.noun(drawn->by);
  const std::string that = wording_.one_of({" that ", " which "});
  Lines out = {"what is the " + best + " " + t + that + clause,
               "which " + t + that + clause + " is the " + best,
               "the " + best + " " + t + that + clause,
               "name the " + best + " " + t + that + clause,
               "which of the " + plural_of(t) + that + many + " is the " + best,
               "of the " + plural_of(t) + that + many + ", which is the " + best};
  // "the newest film starring X": the phrase without its article and noun.
  if (const std::string rest = behind_noun(np, t); !rest.empty())
    out.insert(out.end(), {"what is the " + best + " " + t + rest, "the " + best + " " + t + rest,
                           "which is the " + best + " " + t + rest});
  if (drawn->time && !measure.empty())
    out.push_back("what is the " + best + " " + t + that + clause + " by " + measure);
  if (!type.type)
    out.insert(out.end(),
               {"which of " + np + " is the " + best, "what is the " + best + " of " + np,
                owner_of(x) + " " + best + " " + t, "what is " + owner_of(x) + " " + best + " " + t,
                "which is the " + best + " of " + np, "what was " + owner_of(x) + " " + best + " " + t});
  if (!measure.empty() && !type.type)
    out.push_back("which of " + np + " has the " +
                  (drawn->time ? (last ? "latest " : "earliest ")
                               : std::string(last ? wording_.one_of({"highest ", "greatest "}) : "lowest ")) +
                  measure);
  if (drawn->time && drawn->words != nullptr && !drawn->words->happened.empty())
    out.insert(
        out.end(), 2,
        "which of " + np + " " + pick(drawn->words->happened, random_).second + (last ? " last" : " first"));
  return made_of(pick(out, random_), "first or last",
                 forms::find(last ? forms::last(set, by) : forms::first(set, by)), {r, drawn->by},
                 {drawn->set.from}, kMostFirst);
}

FormDraws::Drawn FormDraws::draw_first_by_count() {
  auto drawn = step(0.4);
  if (!drawn || drawn->reached.size() < 2 || drawn->reached.size() > kMostCompared) return std::nullopt;
  const EntityId member = pick(drawn->reached, random_);
  const auto by = some_relation(member, false);
  const auto counted = by && *by != graph_.inverse(drawn->relation) ? step_from(member, *by) : std::nullopt;
  if (!counted || draws_.is_value(member)) return std::nullopt;
  const bool last = happens(random_, 0.85);
  const std::string has = wording_.has_so_many(*by, counted->reached, last ? "the most" : "the fewest");
  if (has.empty()) return std::nullopt;
  const std::string x = said(drawn->from), np = wording_.phrase(drawn->relation, x, drawn->reached, true);
  const std::string t = wording_.set_noun(drawn->reached, drawn->relation);
  const std::string clause = wording_.clause(drawn->relation, x, false);
  const forms::Set set = form_of_step(*drawn);
  const forms::Measure measure = forms::count_of({*by});
  Drawn first =
      made_of(wording_.one_of({"which of " + np + " " + has, "of " + np + ", which one " + has,
                               "which " + t + " that " + clause + " " + has,
                               "among " + np + ", which " + t + " " + has}),
              "first or last", forms::find(last ? forms::last(set, measure) : forms::first(set, measure)),
              {drawn->relation, *by}, {drawn->from}, kMostFirst);
  // One each says nothing.
  if (first && last && draws_.num_tails(first->question.answers.front(), *by) < 2) return std::nullopt;
  return first;
}

void FormDraws::set_range(std::int64_t year, bool decade, Limit& out) {
  if (decade) {
    const std::int64_t from = year - year % 10;
    out.condition = forms::between(graph::year_value(from), graph::year_value(from + 9));
    const std::string the = wording_.decade(from);
    out.after = " in the " + the;
    out.from = " from the " + the;
    return;
  }
  const std::int64_t from = year - static_cast<std::int64_t>(random_.below(6)),
                     to = year + static_cast<std::int64_t>(random_.below(6)) + 1;
  out.condition = forms::between(graph::year_value(from), graph::year_value(to));
  out.after = wording_.one_of({" between " + std::to_string(from) + " and " + std::to_string(to),
                               " from " + std::to_string(from) + " to " + std::to_string(to)});
  out.from = " from " + std::to_string(from) + " to " + std::to_string(to);
}

void FormDraws::set_phrase(RelationId by, const std::string& shown, const dialogue::MeasureWords* words,
                           Limit& out) {
  const std::string noun = wording_.noun(by);
  out.phrase = (noun.empty() ? std::string(" with") : " with " + with_article(noun)) + out.after;
  if (!out.more && !out.less) {
    out.phrase = (noun.empty() ? std::string(" with ") : " with " + with_article(noun) + " of ") + shown;
    const auto number = number_in_words(shown);
    if (words != nullptr && !words->counted.empty() && happens(random_, 0.7))
      out.phrase = " with " + (number && happens(random_, 0.5) ? *number : shown) + " " +
                   pick(words->counted, random_);
    return;
  }
  if (words == nullptr) return;
  const Lines& own = out.more ? words->more : words->less;
  if (!words->counted.empty() && happens(random_, 0.5))
    out.phrase = std::string(" with ") + (out.more ? "more" : "less") + " than " + shown + " " +
                 pick(words->counted, random_);
  else if (!own.empty() && happens(random_, 0.5))
    out.phrase = " " + pick(own, random_) + " than " + shown;
}

FormDraws::LimitKind FormDraws::some_limit() {
  static constexpr LimitKind kKinds[] = {LimitKind::kDecade, LimitKind::kRange, LimitKind::kAt,
                                         LimitKind::kAt,     LimitKind::kAt,    LimitKind::kMore,
                                         LimitKind::kMore,   LimitKind::kMore,  LimitKind::kMore,
                                         LimitKind::kLess,   LimitKind::kLess,  LimitKind::kLess};
  return kKinds[random_.below(std::size(kKinds))];
}

// People limit by round values and by years in which nothing happened as often as by one that is a member's.
void FormDraws::set_away(const Limit& out, std::optional<std::int64_t> year, graph::TypedValue& bound) {
  if (happens(random_, 0.4)) return;
  if (year) {
    const std::int64_t away = *year + (out.more ? -1 : 1) * static_cast<std::int64_t>(1 + random_.below(8));
    const std::int64_t round = out.more ? *year - *year % 10 : *year - *year % 10 + 10;
    bound = graph::year_value(happens(random_, 0.3) ? round : away);
  } else if (bound.kind == graph::ValueKind::kNumber && bound.unit == 0 && bound.from > 0) {
    double step = std::pow(10, std::floor(std::log10(bound.from)));
    if (bound.from >= 100 && happens(random_, 0.5)) step /= 10;
    const double round = (std::floor(bound.from / step) + (out.more ? 0 : 1)) * step;
    if (round > 0) bound = graph::number_value(round);
  }
}

std::optional<FormDraws::Limit> FormDraws::limit(RelationId by, EntityId value, bool time,
                                                 const dialogue::MeasureWords* words, LimitKind kind) {
  graph::TypedValue bound = lexicon_.values().value(by, value);
  // A few texts stand among the values of most columns: "unknown", "C".
  if (bound.kind == graph::ValueKind::kThing) return std::nullopt;
  Limit out;
  auto year = time ? year_in(graph::shown(bound)) : std::nullopt;
  if (year && happens(random_, 0.6))
    bound = graph::year_value(*year);
  else if (split_words(graph::shown(bound)).size() > 1)
    year.reset();  // a day is limited as a day
  if ((kind == LimitKind::kRange || kind == LimitKind::kDecade) && !year) kind = LimitKind::kAt;
  if (kind == LimitKind::kAt && !time && !happens(random_, kJustSoMuch))
    kind = happens(random_, 0.55) ? LimitKind::kMore : LimitKind::kLess;
  out.more = kind == LimitKind::kMore;
  out.less = kind == LimitKind::kLess;
  if (out.more || out.less) set_away(out, year, bound);
  const std::string shown = graph::shown(bound);
  if (kind == LimitKind::kRange || kind == LimitKind::kDecade) {
    set_range(*year, kind == LimitKind::kDecade, out);
  } else if (kind == LimitKind::kAt) {
    out.condition = {Comparison::kEqual, bound};
    const bool day = split_words(shown).size() > 2;
    if (!day) out.year = shown;
    out.from = (day ? " of " : " from ") + shown;
    out.after = (day ? " on " : wording_.one_of({" in ", " in ", " in ", " in the year ", " from "})) + shown;
  } else {
    static const Lines kAfter = {" after ", " later than ", " after "},
                       kBefore = {" before ", " earlier than ", " before "};
    static const Lines kOver = {" over ", " above ", " of more than ", " greater than "};
    static const Lines kUnder = {" under ", " below ", " of less than ", " smaller than "};
    out.condition = {out.more ? Comparison::kGreater : Comparison::kLess, bound};
    out.after = pick(time ? (out.more ? kAfter : kBefore) : (out.more ? kOver : kUnder), random_) + shown;
    out.from = " from" + out.after;
  }
  names_.push_back(shown);
  out.phrase = out.after;
  if (!time) set_phrase(by, shown, words, out);
  return out;
}

FormDraws::Drawn FormDraws::measured_of(EntityId topic, Drawn (FormDraws::*some)()) {
  constexpr int kTriesOfTopic = 4;
  for (int i = 0; i < kTriesOfTopic && !draws_.measures().empty(); ++i) {
    about_ = topic;
    names_.clear();
    if (Drawn drawn = (this->*some)()) return drawn;
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_filter_of_topic(EntityId topic) {
  return measured_of(topic, &FormDraws::draw_filter);
}

FormDraws::Drawn FormDraws::draw_other_value(const DrawnForm& before) {
  const forms::Set& set = before.form.set;
  if (before.form.kind != forms::QueryKind::kFind || set.kind != forms::SetKind::kWhere) return std::nullopt;
  const auto members = engine_.members(set.parts.front());
  if (!members || members->empty()) return std::nullopt;
  const RelationId by = set.relations.front();
  const auto values = draws_.tails(pick(*members, random_), by);
  if (!values || values->empty()) return std::nullopt;
  about_.reset();
  names_.clear();
  const bool time = graph::is_time(lexicon_.values().ends(by).tails);
  const auto limited =
      limit(by, values->front(), time, dialogue::measure_of(lexicon_.relation(by).words, time), some_limit());
  if (!limited) return std::nullopt;
  const std::string &when = limited->after, &year = limited->year;
  Lines out = {"and" + when,
               "what about" + (year.empty() ? when : " " + year),
               "and which" + when,
               "and what is there" + when,
               "how about those" + (year.empty() ? when : limited->from),
               "any" + when,
               "and those" + when,
               "the same but" + when,
               "same" + when,
               "now" + when,
               "and" + when + " as well",
               "and" + when + " instead",
               "what else" + when};
  if (!year.empty())
    out.insert(out.end(), {"and " + year, "what about " + year, "how about " + year, "and for " + year,
                           "the same but " + year, "same for " + year, "now " + year,
                           "and for " + year + " as well", year + " then", "or " + year, "rather " + year,
                           "in " + year + " instead", "and the year " + year, "the year " + year, year});
  return made_of(pick(out, random_), before.question.named.empty() ? kOfAType : "filter",
                 forms::find(forms::where(set.parts.front(), {by}, limited->condition)),
                 before.question.relations, before.question.named,
                 static_cast<std::size_t>(config_.most_answers));
}

// A limit leaves nothing of most sets: other sets are drawn for it, not other limits, or hardly any question
// would ask for what was after something.
FormDraws::Drawn FormDraws::draw_filter() {
  constexpr int kTriesOfALimit = 10;
  const LimitKind kind = some_limit();
  for (int i = 0; i < kTriesOfALimit; ++i) {
    names_.clear();
    if (Drawn drawn = draw_filter(kind)) return drawn;
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_filter(LimitKind kind) {
  auto drawn = measured(2);
  if (!drawn) return std::nullopt;
  EntitySet members = drawn->set.reached;
  const Typed type = take_type(members, 0.3);
  if (members.empty()) return std::nullopt;
  const RelationId r = drawn->set.relation;
  const std::string x = said(drawn->set.from);
  const std::string t = plural_of(type.type ? type.noun : wording_.set_noun(members, r));
  const auto limited = limit(drawn->by, drawn->value, drawn->time, drawn->words, kind);
  if (!limited) return std::nullopt;
  const std::string np = wording_.phrase(r, x, members, true), clause = wording_.clause(r, x, true);
  std::string how = limited->phrase;
  if (drawn->time && drawn->words != nullptr && !drawn->words->happened.empty() && happens(random_, 0.7))
    how = " that " + were(pick(drawn->words->happened, random_).second) + limited->after;
  const bool bare = how == limited->phrase && drawn->time;
  const std::string and_how = how.starts_with(" that ") ? " and" + how.substr(5) : bare ? how : "";
  Lines out = {"which " + t + " that " + clause +
               (how.starts_with(" that ") ? " " + how.substr(6) : " are" + (bare ? limited->from : how))};
  if (!and_how.empty())
    out.insert(out.end(),
               {"which " + t + " " + clause + and_how, "list the " + t + " that " + clause + and_how});
  // "films starring X older than 2002", "released later than 2002"
  if (drawn->time && (limited->more || limited->less) && !limited->condition.upper) {
    const std::string& shown = names_.back();
    const Lines words = drawn->words == nullptr ? Lines()
                        : limited->more         ? drawn->words->more
                                                : drawn->words->less;
    const std::string than = words.empty() ? (limited->more ? "later" : "earlier") : pick(words, random_);
    out.insert(out.end(), {np + " that are " + than + " than " + shown, np + " " + than + " than " + shown});
    if (drawn->words != nullptr && !drawn->words->happened.empty()) {
      const std::string past = pick(drawn->words->happened, random_).second;
      out.insert(out.end(), {np + " that " + were(past) + (limited->more ? " after " : " before ") + shown,
                             "which of " + np + " " + were(past) + limited->after});
      if (past.starts_with("was "))
        out.push_back(np + " " + past.substr(4) + (limited->more ? " later than " : " earlier than ") +
                      shown);
    }
  }
  // "which 1999 film was directed by X"
  if (const std::string& year = limited->year; !year.empty())
    out.insert(out.end(),
               {"which " + year + " " + singular_of(t) + " " + wording_.clause(r, x, false),
                "what " + year + " " + t + " " + clause,
                "name a " + year + " " + singular_of(t) + " that " + wording_.clause(r, x, false)});
  if (!type.type)
    out.insert(out.end(), {np + how, "list " + np + how, "name " + np + how, "what are " + np + how,
                           "which are " + np + how});
  return made_of(pick(out, random_), "filter",
                 forms::find(forms::where(form_of_step(drawn->set, type), {drawn->by}, limited->condition)),
                 {r, drawn->by}, {drawn->set.from}, static_cast<std::size_t>(config_.most_answers));
}

}  // namespace kgwalk::listening
