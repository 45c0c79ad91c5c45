// Questions about the answers of before: how many, which, the first of them, those that something else holds
// of.
#include <algorithm>
#include <iterator>

#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr std::size_t kMostFirstOfThose = 3;  // that share the first place

}  // namespace

std::string FormDraws::those_words() { return wording_.one_of({"them", "them", "those", "these"}); }

FormDraws::Drawn FormDraws::draw_counted_of(const EntitySet& those) {
  return made(
      wording_.one_of({"how many are there", "how many are they", "how many of them are there", "how many",
                       "how many is that", "how many in total", "so how many is that", "what is the count",
                       "how many are those", "and how many are there", "how many of those are there"}),
      "of those", true, those, forms::entities(those), {}, {});
}

FormDraws::Drawn FormDraws::draw_listed_of(const EntitySet& those) {
  Lines out = {"which ones",
               "which are they",
               "what are they",
               "name them",
               "list them",
               "can you list them",
               "which",
               "tell me which ones",
               "and which ones",
               "which are those",
               "what are they called",
               "what are their names",
               "which ones are they",
               "show them to me",
               "show me",
               "let me see them",
               "tell me their names",
               "all the names please",
               "the titles please",
               "show me those"};
  if (lexicon_.kind_of(those.front()) == EndKind::kPerson) out.insert(out.end(), 5, "who are they");
  return made(wording_.one_of(out), "of those", false, those, forms::entities(those), {}, {});
}

FormDraws::Drawn FormDraws::draw_first_of(const EntitySet& those) {
  Measured drawn;
  if (!take_measure(pick(those, random_), drawn)) return std::nullopt;
  const bool last = happens(random_, 0.5);
  const std::string best = order_word(drawn, last), them = those_words();
  Lines out = {"which of " + them + " is the " + best,
               "which one is the " + best,
               "the " + best + " of " + them,
               "what is the " + best + " of " + them,
               "and the " + best,
               "and which is the " + best,
               "the " + best + " one",
               "the " + best + " among " + them,
               "the " + best,
               best,
               "out of " + them + ", which is the " + best,
               "among those, which one is the " + best,
               "and of " + them + " the " + best,
               "which is the " + best + " one"};
  if (drawn.time && drawn.words != nullptr && !drawn.words->happened.empty()) {
    const std::string happened = pick(drawn.words->happened, random_).second + (last ? " last" : " first");
    out.insert(out.end(), {"which one " + happened, "which of " + them + " " + happened,
                           "and which of " + them + " " + happened, "so which " + happened});
  }
  const forms::Measure by = forms::value_of({drawn.by});
  const forms::Set set = forms::entities(those);
  return made_of(pick(out, random_), "of those",
                 forms::find(last ? forms::last(set, by) : forms::first(set, by)), {drawn.by}, {},
                 kMostFirstOfThose);
}

FormDraws::Drawn FormDraws::draw_filter_of(const EntitySet& those) {
  Measured drawn;
  if (!take_measure(pick(those, random_), drawn)) return std::nullopt;
  const auto limited = limit(drawn.by, drawn.value, drawn.time, drawn.words, some_limit());
  if (!limited) return std::nullopt;
  const bool counted = happens(random_, 0.3);
  const std::string them =
      counted ? "of " + those_words() : wording_.one_of({"of " + those_words(), "ones", "of them"});
  std::string how = limited->phrase;
  if (drawn.time && drawn.words != nullptr && !drawn.words->happened.empty())
    how = " " + were(pick(drawn.words->happened, random_).second) + limited->after;
  else if (drawn.time)
    how = " are from" + limited->phrase;
  else
    how = " are there" + limited->phrase;
  std::string text = (counted ? "how many " : "which ") + them + how;
  if (drawn.time && !counted && happens(random_, 0.4))
    text = wording_.one_of({"which of " + them, "which one is", "and which one is", "which ones are",
                            "only those", "and"}) +
           " from" + limited->phrase;
  const forms::Set set = forms::where(forms::entities(those), {drawn.by}, limited->condition);
  auto out = made_of(text, "of those", forms::find(set), {drawn.by}, {}, those.size());
  if (out && counted) {
    out->question.counted = true;
    out->form = forms::count(set);
  }
  return out;
}

FormDraws::Drawn FormDraws::draw_joined_of(const EntitySet& those) {
  const EntityId member = pick(those, random_);
  const auto way = some_relation(member, false);
  const auto tails = way ? draws_.tails(member, *way) : std::nullopt;
  if (!tails || tails->empty() || draws_.is_value(tails->front())) return std::nullopt;
  const EntityId other = pick(*tails, random_);
  auto from = step_from(other, graph_.inverse(*way));
  if (!from) return std::nullopt;
  const std::string clause = wording_.clause(from->relation, said(other), true), them = those_words();
  const bool without = happens(random_, 0.2), counted = !without && happens(random_, 0.25);
  const std::string text = without ? wording_.one_of({"all of " + them + " except those that " + clause,
                                                      "which of " + them + " are not those that " + clause,
                                                      them + " without the ones that " + clause})
                           : counted
                               ? "how many of " + them + " " + clause
                               : wording_.one_of({"which of " + them + " " + clause, "which ones " + clause,
                                                  "and which of " + them + " " + clause,
                                                  "and which ones " + clause, "those that " + clause});
  const forms::Set step = form_of_step(*from), set = forms::entities(those);
  const forms::Set joined = without ? forms::but(set, step) : forms::both(set, step);
  auto out = made_of(text, "of those", forms::find(joined), {from->relation}, {other}, those.size());
  if (out && counted) {
    out->question.counted = true;
    out->form = forms::count(joined);
  }
  return out;
}

FormDraws::Drawn FormDraws::draw_step_of(const EntitySet& those) {
  const auto way = some_relation(pick(those, random_), true);
  if (!way) return std::nullopt;
  const forms::Set set = forms::step(forms::entities(those), {*way});
  const auto reached = engine_.members(set);
  if (!reached || reached->empty()) return std::nullopt;
  return made_of(wording_.ask(*way, "them", *reached, ""), "of those", forms::find(set), {*way}, {},
                 static_cast<std::size_t>(config_.most_answers));
}

FormDraws::Drawn FormDraws::draw_common_of(EntityId a, EntityId b, RelationId relation) {
  about_.reset();
  names_.clear();
  const auto of_a = step_from(a, relation), of_b = step_from(b, relation);
  if (!of_a || !of_b) return std::nullopt;
  EntitySet answers;
  std::set_intersection(of_a->reached.begin(), of_a->reached.end(), of_b->reached.begin(),
                        of_b->reached.end(), std::back_inserter(answers));
  if (answers.empty()) return std::nullopt;
  const std::string both =
      wording_.one_of({"both", "both", "both of them", "both of those", "the two of them"});
  const std::string n = wording_.noun(relation);
  Lines out(4, wording_.ask(relation, both, answers, ""));
  if (!n.empty())
    out.insert(out.end(), {"which " + n + " is shared by both", "what " + n + " do both have",
                           "which " + n + " have both in common", "the " + n + " that both have"});
  return made(pick(out, random_), "and", false, std::move(answers),
              forms::both(form_of_step(*of_a), form_of_step(*of_b)), {relation, relation}, {a, b});
}

bool FormDraws::take_measure(EntityId member, Measured& out) {
  std::vector<RelationId> measures = draws_.relations_of(member);
  std::erase_if(measures, [&](RelationId r) { return !draws_.is_measure(r); });
  if (measures.empty()) return false;
  out.by = pick(measures, random_);
  const auto values = draws_.tails(member, out.by);
  if (!values || values->empty()) return false;
  out.value = values->front();
  out.time = graph::is_time(lexicon_.values().ends(out.by).tails);
  out.words = dialogue::measure_of(lexicon_.relation(out.by).words, out.time);
  return true;
}

FormDraws::Drawn FormDraws::draw_of_those(const EntitySet& those, bool counted) {
  about_.reset();
  names_.clear();
  const double which = random_.uniform();
  if (counted && which < 0.45) return draw_listed_of(those);
  if (!counted && which < 0.2) return draw_counted_of(those);
  if (which < 0.56) return draw_first_of(those);
  if (which < 0.62) return draw_total_of(those);
  if (which < 0.76) return draw_filter_of(those);
  return which < 0.9 ? draw_joined_of(those) : draw_step_of(those);
}

}  // namespace kgwalk::listening
