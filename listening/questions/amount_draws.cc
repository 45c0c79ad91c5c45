// Questions answered by a number that no fact says: sums and averages over a group of things, and by how much
// two things differ.
#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr std::size_t kMostInTotal = 2000;  // members of a group

// "how tall is {x}" to "how tall"; empty where it is asked otherwise.
std::string how_of(const std::string& ask) {
  const std::size_t at = ask.find(" is {x}");
  return ask.starts_with("how ") && at != std::string::npos && at + 7 == ask.size() ? ask.substr(0, at) : "";
}

}  // namespace

// Numbers have one, and of times years.
bool FormDraws::has_average(const Measured& drawn) const {
  return !drawn.time || lexicon_.values().ends(drawn.by).tails == graph::ValueKind::kYear;
}

std::vector<std::string> FormDraws::total_wordings(const Measured& drawn, bool sum, const std::string& of,
                                                   const std::string& they, const std::string& one) {
  const std::string n = wording_.noun(drawn.by);
  Lines out;
  if (!n.empty() && sum)
    for (const std::string& what : {"total " + n, "combined " + n, "sum of the " + n})
      out.insert(out.end(), {"what is the " + what + of, "the " + what + of, "tell me the " + what + of,
                             "give me the " + what + of, "what's the " + what + of});
  if (!n.empty() && sum)
    out.insert(out.end(), {"add up the " + n + of, "what is the " + n + of + " altogether",
                           "what is the " + n + of + " in total"});
  if (!n.empty() && !sum)
    for (const std::string& what : {"average " + n, "average " + n, "mean " + n})
      out.insert(out.end(), {"what is the " + what + of, "the " + what + of, "tell me the " + what + of,
                             "what's the " + what + of, what + of});
  if (!n.empty() && !sum) out.push_back("what is the " + n + of + " on average");
  if (drawn.words == nullptr) return out;
  for (const std::string& counted : drawn.words->counted)
    for (const std::string& how :
         sum ? Lines{" in total", " altogether", " together", " combined", " overall"} : Lines{" on average"})
      out.push_back("how many " + counted + " do " + they + " have" + how);
  if (sum) return out;
  for (const std::string& ask : drawn.words->asks)
    if (const std::string how = how_of(ask); !how.empty()) {
      out.insert(out.end(), {how + " are " + they + " on average", "on average, " + how + " are " + they});
      if (!one.empty()) out.push_back(how + " is the average " + one);
    }
  return out;
}

FormDraws::Drawn FormDraws::made_amount(std::string text, const char* kind, forms::Query form,
                                        std::vector<RelationId> relations, std::vector<EntityId> named) {
  const auto amount = amount_of(engine_.answer(form, {}, {.max_visits = kMostVisits}),
                                form.kind == forms::QueryKind::kDifference);
  if (!amount) return std::nullopt;
  DrawnForm drawn = made(std::move(text), kind, false, {}, {}, std::move(relations), std::move(named));
  drawn.question.amount = amount;
  drawn.form = std::move(form);
  return drawn;
}

// "The average height of the mountains in X", "how many people live in all Ys together".
FormDraws::Drawn FormDraws::draw_total() {
  auto things = group();
  Measured drawn;
  if (!things || things->members.size() > kMostInTotal ||
      !take_measure(pick(things->members, random_), drawn) || !has_average(drawn))
    return std::nullopt;
  const bool sum = !drawn.time && happens(random_, 0.45);
  const std::string all = things->many + things->many_that,
                    those = wording_.one_of({"", "the ", "the ", "all ", "all the "}) + all;
  const Lines out =
      total_wordings(drawn, sum, " of " + those, those, things->many_that.empty() ? things->one : "");
  if (out.empty()) return std::nullopt;
  things->relations.push_back(drawn.by);
  return made_amount(pick(out, random_), things->named.empty() ? "of a type" : "amount",
                     sum ? forms::sum(things->set, {drawn.by}) : forms::average(things->set, {drawn.by}),
                     things->relations, things->named);
}

FormDraws::Drawn FormDraws::draw_total_of(const EntitySet& those) {
  Measured drawn;
  if (!take_measure(pick(those, random_), drawn) || !has_average(drawn)) return std::nullopt;
  const bool sum = !drawn.time && happens(random_, 0.45);
  const std::string n = wording_.noun(drawn.by);
  Lines out = total_wordings(drawn, sum, " of " + those_words(),
                             wording_.one_of({"they", "these", "those", "they all"}), "");
  if (!n.empty())
    out.insert(out.end(), {"what is their " + std::string(sum ? "total " : "average ") + n,
                           "and their " + std::string(sum ? "combined " : "average ") + n,
                           "their " + n + (sum ? " in total" : " on average")});
  if (out.empty()) return std::nullopt;
  const forms::Set set = forms::entities(those);
  return made_amount(pick(out, random_), "of those",
                     sum ? forms::sum(set, {drawn.by}) : forms::average(set, {drawn.by}), {drawn.by}, {});
}

// "How much taller is X than Y".
FormDraws::Drawn FormDraws::draw_difference() {
  auto drawn = pair();
  if (!drawn) return std::nullopt;
  const auto a = value_of(lexicon_, drawn->a, drawn->by), b = value_of(lexicon_, drawn->b, drawn->by);
  if (!a || !b || a->from == b->from) return std::nullopt;
  const bool more = a->from > b->from;
  const std::string x = said(drawn->a), y = said(drawn->b), n = wording_.noun(drawn->by),
                    both = x + " and " + y;
  Lines words;
  if (drawn->words != nullptr) words = more ? drawn->words->more : drawn->words->less;
  if (words.empty() && drawn->time) words = {more ? "later" : "earlier", more ? "newer" : "older"};
  Lines out;
  for (const std::string& word : words)
    out.insert(
        out.end(),
        {"how much " + word + " is " + x + " than " + y, "how much " + word + " was " + x + " than " + y,
         "by how much is " + x + " " + word + " than " + y, x + " is how much " + word + " than " + y});
  if (drawn->time) {
    for (const std::string& word : words)
      out.insert(out.end(), {"how many years " + word + " is " + x + " than " + y,
                             "how many years " + word + " was " + x + " than " + y});
    out.insert(out.end(),
               {"how many years are between " + both, "how many years lie between " + both,
                "how many years apart are " + both, "how long between " + both, "how far apart are " + both});
    if (drawn->words != nullptr)
      for (const auto& [base, past] : drawn->words->happened) {
        const std::string when = more ? " after " : " before ", did = base.starts_with("be ")
                                                                          ? "was " + x + " " + base.substr(3)
                                                                          : "did " + x + " " + base;
        out.insert(out.end(), {"how many years" + when + y + " " + did, "how long" + when + y + " " + did});
      }
    if (lexicon_.kind_of(drawn->a) == EndKind::kPerson)
      out.insert(out.end(),
                 {"what is the age difference between " + both, "what is the age gap between " + both});
  }
  if (!n.empty())
    out.insert(out.end(),
               {"what is the difference in " + n + " between " + both,
                "what is the difference between the " + n + " of " + x + " and that of " + y,
                "what is the " + n + " difference between " + both, "difference in " + n + " between " + both,
                "by how much do " + both + " differ in " + n});
  if (drawn->words != nullptr)
    for (const std::string& counted : drawn->words->counted)
      out.push_back("how many " + std::string(more ? "more " : "fewer ") + counted + " does " + x +
                    " have than " + y);
  if (out.empty()) return std::nullopt;
  return made_amount(pick(out, random_), "amount",
                     forms::difference(forms::entities({drawn->a}), forms::entities({drawn->b}),
                                       forms::value_of({drawn->by})),
                     {drawn->by}, {drawn->a, drawn->b});
}

}  // namespace kgwalk::listening
