// Forms that compare two entities, or one with a value.
#include <algorithm>

#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::Comparison;
using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

std::string without_be(const std::string& base) { return base.starts_with("be ") ? base.substr(3) : base; }
// "had already been released", "had already come out": the past stands for the participle, as many people say
// it.
std::string without_have(const std::string& past) {
  return past.starts_with("was ") ? "been " + past.substr(4) : past;
}
std::string aux(const std::string& base) { return base.starts_with("be ") ? "was " : "did "; }

std::string comparing_word(const dialogue::MeasureWords* words, bool time, bool more, Random& random) {
  static const Lines kLater = {"newer", "later", "more recent"}, kEarlier = {"older", "earlier"};
  static const Lines kLarger = {"larger", "bigger", "greater"}, kSmaller = {"smaller", "lower"};
  if (words != nullptr) {
    const Lines& own = more ? words->more : words->less;
    if (!own.empty()) return pick(own, random);
  }
  return pick(time ? (more ? kLater : kEarlier) : (more ? kLarger : kSmaller), random);
}

}  // namespace

std::optional<FormDraws::Pair> FormDraws::pair() {
  Pair out;
  out.by = pick(draws_.measures(), random_);
  out.a = draws_.fact_of(out.by, random_).head;
  if (about_) {
    std::vector<RelationId> measures = draws_.relations_of(*about_);
    std::erase_if(measures, [&](RelationId r) { return !draws_.is_measure(r); });
    if (measures.empty()) return std::nullopt;
    out.by = pick(measures, random_);
    out.a = *about_;
  }
  out.b = draws_.fact_of(out.by, random_).head;
  if (out.a == out.b || draws_.is_value(out.a) || draws_.is_value(out.b)) return std::nullopt;
  out.time = graph::is_time(lexicon_.values().ends(out.by).tails);
  out.words = dialogue::measure_of(lexicon_.relation(out.by).words, out.time);
  return out;
}

FormDraws::Drawn FormDraws::draw_compared_of(EntityId topic) {
  constexpr int kTriesOfTwo = 4;
  constexpr double kWhichOfTwo = 0.6;
  for (int i = 0; i < kTriesOfTwo && !draws_.measures().empty(); ++i) {
    about_ = topic;
    names_.clear();
    if (Drawn drawn = draw_compared(kWhichOfTwo)) return drawn;
  }
  return std::nullopt;
}

// `which`: share that asks which of the two it is; else whether it is so.
FormDraws::Drawn FormDraws::draw_compared(double which_share) {
  const auto drawn = pair();
  if (!drawn) return std::nullopt;
  const bool more = happens(random_, 0.5), person = lexicon_.kind_of(drawn->a) == EndKind::kPerson;
  const forms::Measure by = forms::value_of({drawn->by});
  const std::string word = comparing_word(drawn->words, drawn->time, more, random_),
                    n = wording_.noun(drawn->by);
  const std::string x = said(drawn->a), y = said(drawn->b),
                    which = person ? "who" : wording_.one_of({"which", "which", "which one", "what"});
  const bool happened = drawn->time && drawn->words != nullptr && !drawn->words->happened.empty();
  const auto verb = happened ? pick(drawn->words->happened, random_) : std::pair<std::string, std::string>();
  if (happens(random_, which_share)) {
    Lines out = {which + " is " + word + ", " + x + " or " + y,
                 x + " or " + y + ": " + which + " is " + word,
                 "which of the two is " + word + ", " + x + " or " + y,
                 which + " is " + word + ": " + x + " or " + y,
                 "is " + x + " or " + y + " " + word,
                 which + " of these two is " + word + ": " + x + " or " + y,
                 x + " or " + y + ", " + which + " is the " + word + " one",
                 "compare " + x + " and " + y + ": " + which + " is " + word,
                 x + " vs " + y + ", " + which + " is " + word,
                 "of " + x + " and " + y + ", " + which + " is " + word};
    if (happened) {
      const std::string when = more ? wording_.one_of({" later", " last", " after the other"})
                                    : wording_.one_of({" first", " earlier", " before the other"});
      out.insert(out.end(), {which + " " + verb.second + when + ", " + x + " or " + y,
                             which + " " + verb.second + when + ", " + x + " or " + y,
                             x + " or " + y + ": " + which + " " + verb.second + when,
                             "between " + x + " and " + y + ", " + which + " " + verb.second + when});
    }
    if (drawn->time && !person)
      out.push_back("which came " + std::string(more ? "later" : "first") + ", " + x + " or " + y);
    if (!drawn->time && !n.empty())
      out.push_back(which + " has the " + (more ? "greater " : "smaller ") + n + ", " + x + " or " + y);
    forms::Query form = forms::which({forms::entities({drawn->a}), forms::entities({drawn->b})}, by, more);
    return made_of(pick(out, random_), "which of two", std::move(form), {drawn->by}, {drawn->a, drawn->b}, 1);
  }
  Lines out = {"is " + x + " " + word + " than " + y, "is " + x + " " + word + " than " + y,
               "was " + x + " " + word + " than " + y};
  if (happened)
    out.insert(out.end(), 2,
               aux(verb.first) + x + " " + without_be(verb.first) + (more ? " after " : " before ") + y);
  if (happened) {
    const std::string did = x + " " + verb.second + (more ? " after " : " before ") + y;
    out.insert(out.end(), {"is it true that " + did, did + ", right",
                           did + (verb.second.starts_with("was ") ? ", wasn't it" : ", didn't it")});
  }
  if (drawn->time && !n.empty())
    out.insert(out.end(),
               {"is the " + n + " of " + x + (more ? " later than that of " : " earlier than that of ") + y,
                "is " + owner_of(x) + " " + n + (more ? " after " : " before ") + owner_of(y)});
  if (drawn->time && !person) {
    const std::string side = more ? "after " : "before ";
    out.insert(out.end(), {"is " + x + " from " + side + y, "did " + x + " come " + side + y,
                           "was " + x + " " + side + y, x + " was " + side + y + ", right",
                           "is it true that " + x + " came " + side + y});
    if (!more)
      out.insert(out.end(),
                 {"does " + x + " predate " + y, "was " + x + " already out when " + y + " appeared",
                  "was " + x + " out earlier than " + y, "did " + x + " exist when " + y + " began",
                  "was " + x + " there sooner than " + y});
  }
  if (happened && !more)
    out.push_back("had " + x + " already " + without_have(verb.second) + " when " + y + " " + verb.second);
  if (!drawn->time && !n.empty())
    out.push_back("does " + x + " have a " + (more ? "greater " : "smaller ") + n + " than " + y);
  return made_check(
      pick(out, random_), "compared",
      forms::whether(forms::entities({drawn->a}), more ? Comparison::kGreater : Comparison::kLess,
                     forms::entities({drawn->b}), by),
      {drawn->by}, {drawn->a, drawn->b});
}

FormDraws::Drawn FormDraws::draw_compared_counts() {
  const EntityId a = about_ ? *about_ : draws_.fact(random_).head;
  const auto by = draws_.is_value(a) ? std::nullopt : some_relation(a, false);
  const auto reached = by ? step_from(a, *by) : std::nullopt;
  if (!reached) return std::nullopt;
  const RelationId forward = lexicon_.is_inverse(*by) ? graph_.inverse(*by) : *by;
  const graph::Triple fact = draws_.fact_of(forward, random_);
  const EntityId b = forward == *by ? fact.head : fact.tail;
  if (a == b || draws_.is_value(b)) return std::nullopt;
  const bool more = happens(random_, 0.75), person = lexicon_.kind_of(a) == EndKind::kPerson;
  const std::string has = wording_.has_so_many(
      *by, reached->reached,
      more ? wording_.one_of(
                 {"more", "more", "a greater number of", "a larger number of", "a higher number of"})
           : wording_.one_of({"fewer", "fewer", "less", "a smaller number of", "a lower number of"}));
  if (has.empty() || (reached->reached.size() < 2 && draws_.num_tails(b, *by) < 2)) return std::nullopt;
  const std::string x = said(a), y = said(b), which = person ? "who " : "which ";
  const forms::Measure measure = forms::count_of({*by});
  if (happens(random_, 0.6))
    return made_of(
        wording_.one_of(
            {which + has + ", " + x + " or " + y, x + " or " + y + ": " + which + has,
             which + "of the two " + has + ": " + x + " or " + y, which + has + ": " + x + " or " + y,
             "between " + x + " and " + y + ", " + which + has,
             "compare " + x + " and " + y + ": " + which + has,
             "compare " + x + " with " + y + ", " + which + has, x + " vs " + y + ", " + which + has,
             x + " versus " + y + ": " + which + has, "of " + x + " and " + y + ", " + which + has,
             x + " and " + y + ": " + which + has, which + has + " - " + x + " or " + y,
             "take " + x + " and " + y + ", " + which + has}),
        "which of two", forms::which({forms::entities({a}), forms::entities({b})}, measure, more), {*by},
        {a, b}, 1);
  const std::string whether =
      has.starts_with("has ")
          ? wording_.one_of({"does " + x + " have" + has.substr(3), "has " + x + has.substr(3),
                             "is it true that " + x + " " + has})
          : wording_.one_of({"has " + x + " " + has, "is it true that " + x + " " + has,
                             "do you think " + x + " " + has});
  return made_check(whether + " than " + y, "compared",
                    forms::whether(forms::entities({a}), more ? Comparison::kGreater : Comparison::kLess,
                                   forms::entities({b}), measure),
                    {*by}, {a, b});
}

FormDraws::Drawn FormDraws::draw_same() {
  auto drawn = pair();
  if (!drawn) return std::nullopt;
  if (happens(random_, 0.5)) {  // one that is the same
    const auto values = draws_.tails(drawn->a, drawn->by);
    if (!values || values->empty()) return std::nullopt;
    const auto others = draws_.tails(values->front(), graph_.inverse(drawn->by));
    if (!others || others->size() < 2) return std::nullopt;
    drawn->b = pick(*others, random_);
    if (drawn->b == drawn->a) return std::nullopt;
  }
  const std::string x = said(drawn->a), y = said(drawn->b), n = wording_.noun(drawn->by);
  Lines out;
  if (!n.empty())
    out = {"do " + x + " and " + y + " have the same " + n,
           "is the " + n + " of " + x + " the same as that of " + y,
           "have " + x + " and " + y + " the same " + n};
  if (drawn->time && drawn->words != nullptr) {
    const bool year = lexicon_.values().ends(drawn->by).tails == graph::ValueKind::kYear;
    for (const auto& [base, past] : drawn->words->happened)
      out.insert(out.end(), 2,
                 (base.starts_with("be ") ? "were " : "did ") + x + " and " + y + " " + without_be(base) +
                     (year ? " in the same year" : " on the same day"));
  }
  if (out.empty()) return std::nullopt;
  return made_check(pick(out, random_), "compared",
                    forms::whether(forms::entities({drawn->a}), Comparison::kEqual,
                                   forms::entities({drawn->b}), forms::value_of({drawn->by})),
                    {drawn->by}, {drawn->a, drawn->b});
}

std::vector<std::string> FormDraws::value_checks(const Pair& drawn, const Limit& limit,
                                                 const std::string& x) {
  const std::string n = wording_.noun(drawn.by), &bound = names_.back(), &after = limit.after;
  Lines out;
  if (drawn.time && drawn.words != nullptr)
    for (const auto& [base, past] : drawn.words->happened) {
      out.insert(out.end(), 2, aux(base) + x + " " + without_be(base) + after);
      out.insert(out.end(), {"is it true that " + x + " " + past + after, x + " " + past + after + ", right",
                             x + " " + past + after});
      if (limit.less && !limit.condition.upper)
        out.insert(out.end(), {"had " + x + " already " + without_have(past) + " when " + bound + " began",
                               "had " + x + " " + without_have(past) + " when " + bound + " began"});
    }
  if (drawn.time) {
    out.insert(out.end(),
               {"is " + x + limit.from, "was " + x + limit.from, x + " is" + limit.from + ", right"});
    if (limit.more || limit.less)
      out.push_back("is " + x + (limit.more ? " newer than " : " older than ") + bound);
  }
  if (!n.empty() && (drawn.time || limit.more || limit.less))
    out.insert(out.end(),
               {"is it so that the " + n + " of " + x + " is" + after, "was " + owner_of(x) + " " + n + after,
                owner_of(x) + " " + n + " is" + after + ", yes or no",
                "would the " + n + " of " + x + " be" + after});
  if (!drawn.time && !n.empty()) {
    if (limit.phrase.find(" than ") != std::string::npos && !limit.phrase.starts_with(" with "))
      out.insert(out.end(), 2, "is " + x + limit.phrase);
    else
      out.insert(out.end(), 2, "does " + x + " have" + limit.phrase.substr(5));
  }
  return out;
}

FormDraws::Drawn FormDraws::draw_value_check_of(EntityId topic) {
  return measured_of(topic, &FormDraws::draw_value_check);
}

FormDraws::Drawn FormDraws::draw_value_check() {
  const auto drawn = pair();
  if (!drawn) return std::nullopt;
  const EntityId other = happens(random_, 0.4) ? drawn->a : drawn->b;
  const auto values = draws_.tails(other, drawn->by);
  if (!values || values->empty()) return std::nullopt;
  const std::string x = said(drawn->a);
  const auto limited = limit(drawn->by, values->front(), drawn->time, drawn->words, some_limit());
  if (!limited) return std::nullopt;
  if (other == drawn->a && (limited->more || limited->less) &&
      names_.back() == graph::shown(lexicon_.values().value(drawn->by, values->front())))
    return std::nullopt;  // its own value, neither more nor less
  Lines out = value_checks(*drawn, *limited, x);
  if (out.empty()) return std::nullopt;
  const forms::Set set = forms::where(forms::entities({drawn->a}), {drawn->by}, limited->condition);
  return made_check(pick(out, random_), "compared", forms::check(set), {drawn->by}, {drawn->a});
}

}  // namespace kgwalk::listening
