// Questions about a group of things, all of a type or what something leads to: several of the first, the
// second alone; those with more than something named has, or with so many of a relation; whatever has the
// most of one.
#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::Comparison;
using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr std::size_t kFewest = 3, kMost = 300;  // members of a group that something leads to
constexpr std::size_t kMostEdges = 20'000;       // of a relation whose ends are ordered
constexpr std::size_t kMostShared = 4;           // that share the first place
constexpr std::uint64_t kMostRanked = 5;
constexpr std::size_t kMostCounted = 12;

std::string in_words_or_digits(std::uint64_t n, Random& random) {
  constexpr std::string_view kWords[] = {"two",   "three", "four", "five",   "six",   "seven",
                                         "eight", "nine",  "ten",  "eleven", "twelve"};
  const bool known = n >= 2 && n < 2 + std::size(kWords);
  return known && happens(random, 0.6) ? std::string(kWords[n - 2]) : std::to_string(n);
}

std::string place_in_words(std::uint64_t n, Random& random) {
  constexpr std::string_view kWords[] = {"second", "third", "fourth", "fifth"},
                             kShort[] = {"2nd", "3rd", "4th", "5th"};
  return std::string(happens(random, 0.85) ? kWords[n - 2] : kShort[n - 2]);
}

std::string of_several(const std::string& has) {
  return has.starts_with("has ") ? "have " + has.substr(4) : has;
}

}  // namespace

std::optional<FormDraws::Group> FormDraws::group() {
  if (about_) return std::nullopt;
  Group out;
  if (const auto types = lexicon_.own_types(); !types.empty() && happens(random_, 0.55)) {
    const TypeWords& type = types[random_.below(types.size())];
    if (type.members.size() < kFewest || type.words.empty()) return std::nullopt;
    out.set = all_of(type.type, lexicon_);
    out.members = type.members;
    out.one = join_words(type.words);
  } else {
    auto drawn = step(0.3);
    if (!drawn || drawn->reached.size() < kFewest || drawn->reached.size() > kMost ||
        draws_.is_value(drawn->reached.front()))
      return std::nullopt;
    const std::string x = said(drawn->from);
    out.one = wording_.set_noun(drawn->reached, drawn->relation);
    out.one_that = " that " + wording_.clause(drawn->relation, x, false);
    out.many_that = " that " + wording_.clause(drawn->relation, x, true);
    out.set = form_of_step(*drawn);
    out.relations = {drawn->relation};
    out.named = {drawn->from};
    out.members = std::move(drawn->reached);
  }
  out.many = plural_of(out.one);
  return out;
}

FormDraws::Drawn FormDraws::draw_ranked() {
  auto things = group();
  Measured drawn;
  if (!things || !take_measure(pick(things->members, random_), drawn)) return std::nullopt;
  const bool last = happens(random_, 0.6), alone = happens(random_, 0.5);
  const std::uint64_t n = 2 + random_.below(std::min<std::uint64_t>(kMostRanked, things->members.size()) - 1);
  const std::string best = order_word(drawn, last);
  Lines out;
  if (alone) {
    const std::string which = place_in_words(n, random_) + " " + best + " " + things->one + things->one_that;
    out = {"what is the " + which, "which is the " + which, "the " + which, "name the " + which,
           "tell me the " + which};
  } else {
    const std::string these = " " + best + " " + things->many + things->many_that;
    const std::string number = in_words_or_digits(n, random_);
    out = {"what are the " + number + these, "which are the " + number + these,
           "the " + number + these,          "list the " + number + these,
           "name the " + number + these,     "who or what are the " + number + these,
           "show me the " + number + these};
    if (best == "first" || best == "last" || best == "latest")
      out.push_back("the " + best + " " + number + " " + things->many + things->many_that);
    if (last) out.push_back("top " + std::to_string(n) + these);
  }
  const SaidRank rank{0, n, alone};
  things->relations.push_back(drawn.by);
  return made_of(pick(out, random_), things->named.empty() ? kOfAType : "first or last",
                 forms::find(ranked(things->set, forms::value_of({drawn.by}),
                                    last ? Asked::kLast : Asked::kFirst, rank)),
                 things->relations, things->named, kMostShared + n);
}

FormDraws::Drawn FormDraws::limited(const Group& things, forms::Set set, const Lines& hows, RelationId by,
                                    const std::vector<EntityId>& named) {
  if (hows.empty()) return std::nullopt;
  const bool counted = happens(random_, 0.25);
  const std::string lead =
      counted ? wording_.one_of({"how many ", "how many ", "count the "})
              : wording_.one_of({"which ", "which ", "what ", "list the ", "name the ", "show me the ", ""});
  std::vector<RelationId> relations = things.relations;
  relations.push_back(by);
  auto out = made_of(lead + things.many + things.many_that + pick(hows, random_),
                     named.empty() ? kOfAType : "filter", forms::find(set), std::move(relations), named,
                     static_cast<std::size_t>(config_.most_answers));
  if (out && counted) {
    out->question.counted = true;
    out->question.kind = "count";
    out->form = forms::count(std::move(set));
  }
  return out;
}

// "Mountains higher than X", where X is named.
FormDraws::Drawn FormDraws::draw_more_than_another() {
  const auto things = group();
  Measured drawn;
  if (!things || !take_measure(pick(things->members, random_), drawn)) return std::nullopt;
  const EntityId other =
      happens(random_, 0.6) ? pick(things->members, random_) : draws_.fact_of(drawn.by, random_).head;
  const auto value = value_of(lexicon_, other, drawn.by);
  if (!value || draws_.is_value(other) || things->named == std::vector<EntityId>{other}) return std::nullopt;
  const bool more = happens(random_, 0.65);
  const std::string x = said(other), than = " than " + x, and_so = things->many_that.empty() ? "" : " and";
  Lines hows;
  if (drawn.words != nullptr)
    for (const std::string& word : more ? drawn.words->more : drawn.words->less)
      hows.insert(hows.end(), {and_so + " are " + word + than,
                               (and_so.empty() ? " that" : " and") + std::string(" are ") + word + than});
  if (drawn.words != nullptr && things->many_that.empty())
    for (const std::string& word : more ? drawn.words->more : drawn.words->less)
      hows.push_back(" " + word + than);
  if (drawn.time && drawn.words != nullptr)
    for (const auto& [base, past] : drawn.words->happened)
      for (const std::string when : {more ? " after " : " before ", more ? " later than " : " earlier than "})
        hows.insert(hows.end(), {and_so + " " + were(past) + when + x,
                                 (and_so.empty() ? " that " : " and ") + were(past) + when + x});
  if (const std::string noun = wording_.noun(drawn.by); !noun.empty() && !drawn.time)
    hows.insert(hows.end(), {and_so + " have a " + (more ? "higher " : "lower ") + noun + than,
                             and_so + " have a " + (more ? "greater " : "smaller ") + noun + than,
                             std::string(more ? " with a higher " : " with a lower ") + noun + than});
  if (drawn.words != nullptr)
    for (const std::string& counted : drawn.words->counted)
      hows.insert(hows.end(), {and_so + " have " + (more ? "more " : "fewer ") + counted + than,
                               " with " + std::string(more ? "more " : "fewer ") + counted + than});
  std::vector<EntityId> named = things->named;
  named.push_back(other);
  return limited(*things,
                 forms::where(things->set, {drawn.by},
                              condition_of(more ? Asked::kAfter : Asked::kBefore, {.value = *value})),
                 hows, drawn.by, named);
}

// "Countries with more than two official languages".
FormDraws::Drawn FormDraws::draw_filter_by_count() {
  const auto things = group();
  if (!things) return std::nullopt;
  const EntityId member = pick(things->members, random_);
  const auto by = some_relation(member, false);
  const auto counted = by ? step_from(member, *by) : std::nullopt;
  if (!counted || counted->reached.size() < 2 || counted->reached.size() > kMostCounted ||
      things->relations == std::vector<RelationId>{graph_.inverse(*by)})
    return std::nullopt;
  const std::size_t has = counted->reached.size();
  struct Way {
    const char* words;
    Comparison test;
    std::size_t number;
  };
  const Way ways[] = {{"more than", Comparison::kGreater, 1 + random_.below(has - 1)},
                      {"more than", Comparison::kGreater, has - 1},
                      {"over", Comparison::kGreater, has - 1},
                      {"at least", Comparison::kAtLeast, has},
                      {"fewer than", Comparison::kLess, has + 1},
                      {"less than", Comparison::kLess, has + 1},
                      {"at most", Comparison::kAtMost, has},
                      {"exactly", Comparison::kEqual, has}};
  const Way& way = ways[random_.below(std::size(ways))];
  // "More than one" has no number that a listener could hear.
  if (way.number < 2) return std::nullopt;
  std::string number = in_words_or_digits(way.number, random_);
  std::string so_many = std::string(way.words) + " " + number;
  if (way.test == Comparison::kAtLeast && happens(random_, 0.3)) so_many = number + " or more";
  const std::string own = of_several(wording_.has_so_many(*by, counted->reached, so_many));
  if (own.empty()) return std::nullopt;
  const std::string and_so = things->many_that.empty() ? " " : " and ";
  Lines hows = {and_so + own, and_so + own};
  if (things->many_that.empty()) hows.push_back(" that " + own);
  if (own.starts_with("have ")) hows.push_back(" with " + own.substr(5));
  names_.push_back(number);
  return limited(*things,
                 forms::where_count(things->set, forms::count_of({*by}),
                                    {way.test, graph::number_value(static_cast<double>(way.number))}),
                 hows, *by, things->named);
}

// "Who produced the most films", "the most frequent cause of death": of nothing that is named.
FormDraws::Drawn FormDraws::draw_ends() {
  if (about_) return std::nullopt;
  const graph::Triple fact = draws_.fact(random_);
  const bool back = happens(random_, 0.7);
  if (draws_.is_value(fact.tail) || lexicon_.relation(fact.relation).edges > kMostEdges) return std::nullopt;
  const RelationId by = back ? graph_.inverse(fact.relation) : fact.relation;
  const EntityId from = back ? fact.tail : fact.head;
  const auto counted = step_from(from, by);
  if (!counted) return std::nullopt;
  const std::string has = wording_.has_so_many(by, counted->reached, "the most"), noun = wording_.noun(by);
  const std::string one = back && !noun.empty() ? noun : wording_.set_noun({from}, by);
  Lines out;
  if (!has.empty()) {
    const std::string who = lexicon_.kind_of(from) == EndKind::kPerson ? "who " : "what ";
    out = {who + has, who + has, "which " + one + " " + has, "the " + one + " that " + has,
           "name the " + one + " that " + has};
  }
  if (back && !noun.empty())
    out.insert(out.end(), {"what is the most common " + noun, "what is the most frequent " + noun,
                           "the most common " + noun, "which " + noun + " is the most common",
                           "which " + noun + " occurs most often"});
  if (out.empty()) return std::nullopt;
  return made_of(pick(out, random_), kOfAType,
                 forms::find(forms::last(forms::having({by}), forms::count_of({by}))), {by}, {}, kMostShared);
}

}  // namespace kgwalk::listening
