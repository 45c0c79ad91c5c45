// Questions about all of a type: the first of them by a value, those after one, how many, those that
// something does not lead to.
#include <algorithm>
#include <iterator>

#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/form_draws.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;
using Lines = std::vector<std::string>;

constexpr std::size_t kMostFirstOfType = 4;  // that share the first place
constexpr std::size_t kFewestOfType = 3;
constexpr double kByOrder =
    0.1;  // of questions about all of a type, those for one by its number, where it has one
constexpr double kFlagAlone =
    0.1;                          // of questions about all of a type, those about all that a flag says yes of
constexpr double kFlagged = 0.3;  // of questions about all of a type, those that a flag narrows

}  // namespace

// "What does X do for a living", "what kind of thing is X".
FormDraws::Drawn FormDraws::draw_what_it_is() {
  const auto types = lexicon_.own_types();
  if (types.empty()) return std::nullopt;
  const EntityId from = about_.value_or(pick(types[random_.below(types.size())].members, random_));
  const auto drawn = step_from(from, graph_.inverse(lexicon_.from_types().front()));
  if (!drawn || draws_.is_value(from)) return std::nullopt;
  const Family* const profession = lexicon_.profession_of(from);
  const Family* const own = lexicon_.relation(drawn->relation).family;
  if (profession == nullptr && own != nullptr && own->head == EndKind::kPerson) return std::nullopt;
  const std::string x = said(from);
  std::string text;
  if (profession != nullptr && (own == profession || happens(random_, 0.6)))
    text = wording_.ask_of_family(*profession, x);
  if (text.empty()) text = wording_.ask_by_bank(drawn->relation, x, drawn->reached);
  if (text.empty()) text = wording_.ask(drawn->relation, x, drawn->reached, "");
  return made(std::move(text), "one hop", false, drawn->reached, form_of_step(*drawn), {drawn->relation},
              {from});
}

FormDraws::Drawn FormDraws::draw_of_type() {
  if (about_) return std::nullopt;
  const auto types = lexicon_.own_types();
  if (types.empty() || happens(random_, kFlagAlone))
    if (Drawn drawn = draw_flag_alone(); drawn || types.empty()) return drawn;
  const TypeWords& type = types[random_.below(types.size())];
  if (type.members.size() < kFewestOfType || type.words.empty()) return std::nullopt;
  if (happens(random_, kFlagged))
    if (Drawn drawn = draw_flagged(type)) return drawn;
  const std::string noun = join_words(type.words), many = plural_of(noun);
  const forms::Set all = all_of(type.type, lexicon_);
  const double which = random_.uniform();
  if (which < kByOrder)
    if (Drawn drawn = draw_by_order(all, type.members, noun)) return drawn;
  if (which < 0.12) return draw_most_of_type(all, type.members, noun);
  if (which < 0.35) return draw_first_of_type(all, type.members, noun);
  if (which < 0.6) return draw_filter_of_type(all, type.members, noun);
  if (which < 0.75) return draw_rest_of_type(all, type.members, noun);
  if (which < 0.9)
    return made(wording_.one_of({"how many " + many + " are there", "how many " + many + " do you know",
                                 "count the " + many, "number of " + many, "how many " + many + " exist",
                                 "what is the number of " + many, "how many " + many + " are in the graph"}),
                "of a type", true, type.members, all, {}, {});
  if (type.members.size() > static_cast<std::size_t>(config_.most_answers)) return std::nullopt;
  Lines out = {"list all " + many,
               "which " + many + " are there",
               "name all " + many,
               "what " + many + " do you know",
               "all " + many,
               "show me all " + many,
               "which " + many + " do you have",
               "what " + noun + " is there",
               "what " + many + " are there",
               "do you know any " + many,
               "give me some " + many,
               "can you name some " + many,
               "name " + with_article(noun),
               "any " + many};
  if (lexicon_.kind_of(type.members.front()) == EndKind::kPerson)
    out.insert(out.end(),
               {"who is " + with_article(noun), "who are the " + many, "who are " + many,
                "which person is " + with_article(noun), "which people are " + many,
                "who works as " + with_article(noun), "who all is " + with_article(noun),
                "who has the profession " + noun, "who has the job of " + with_article(noun),
                "who is " + with_article(noun) + " by profession", "which famous " + many + " do you know"});
  else
    out.insert(out.end(),
               {"what is " + with_article(noun) + " here", "which things are " + many, "what are the " + many,
                "which one is " + with_article(noun), "what is known as " + with_article(noun)});
  return made(wording_.one_of(out), "of a type", false, type.members, all, {}, {});
}

// "How many radioactive elements are there", "which planets have rings".
FormDraws::Drawn FormDraws::draw_flagged(const TypeWords& type) {
  const auto flags = lexicon_.flags();
  if (flags.empty() || type.words.empty()) return std::nullopt;
  const TypeWords& flag = flags[random_.below(flags.size())];
  EntitySet members;
  std::set_intersection(type.members.begin(), type.members.end(), flag.members.begin(), flag.members.end(),
                        std::back_inserter(members));
  if (members.empty()) return std::nullopt;
  const bool has = lexicon_.relation(*flag.flag).words.front() == "has";
  const std::string noun = join_words(type.words), many = plural_of(noun), words = join_words(flag.words);
  const forms::Set all = forms::both(all_of(type, lexicon_), all_of(flag, lexicon_));
  if (!has && members.size() > 1 && happens(random_, 0.25))
    return draw_first_of_type(all, members, words + ' ' + noun);
  const std::string those = has ? many + " with " + words : words + ' ' + many;
  const std::string which = many + (has ? " have " : " are ") + words;
  if (happens(random_, 0.45))
    return made(wording_.one_of({"how many " + those + " are there", "how many " + those + " do you know",
                                 "how many " + which, "count the " + those, "number of " + those}),
                "of a type", true, std::move(members), all, {*flag.flag}, {});
  if (members.size() > static_cast<std::size_t>(config_.most_answers)) return std::nullopt;
  return made(
      wording_.one_of({"which " + those + " are there", "what " + those + " do you know", "which " + which,
                       "list all " + those, "name the " + those, "all " + those, those}),
      "of a type", false, std::move(members), all, {*flag.flag}, {});
}

// "How many active things are there", "which are active".
FormDraws::Drawn FormDraws::draw_flag_alone() {
  const auto flags = lexicon_.flags();
  if (flags.empty()) return std::nullopt;
  const TypeWords& flag = flags[random_.below(flags.size())];
  if (flag.members.size() < 2 || flag.members.size() > static_cast<std::size_t>(config_.most_answers))
    return std::nullopt;
  const bool has = lexicon_.relation(*flag.flag).words.front() == "has", counted = happens(random_, 0.45);
  const std::string words = join_words(flag.words), be = has ? " have " : " are ",
                    things = wording_.one_of({"things", "items", "entries", "of them"});
  const std::string those =
      has || things == "of them" ? things + (has ? " have " : " that are ") + words : words + ' ' + things;
  Lines out;
  if (counted)
    out = {"how many" + be + words, "how many " + things + be + words, "how many things" + be + words,
           "count everything that " + std::string(has ? "has " : "is ") + words};
  else
    out = {"which" + be + words,
           "which ones" + be + words,
           "which things" + be + words,
           "list everything that " + std::string(has ? "has " : "is ") + words,
           "what " + std::string(has ? "has " : "is ") + words,
           "all that" + be + words};
  if (!has && things != "of them")
    out.insert(out.end(), {(counted ? "how many " : "which ") + those + " are there",
                           (counted ? "number of " : "list all ") + those});
  return made(pick(out, random_), "of a type", counted, flag.members, all_of(flag, lexicon_), {*flag.flag},
              {});
}

FormDraws::Drawn FormDraws::draw_first_of_type(const forms::Set& all, const EntitySet& members,
                                               const std::string& noun) {
  Measured drawn;
  if (!take_measure(pick(members, random_), drawn)) return std::nullopt;
  const bool last = happens(random_, 0.5);
  const std::string best = order_word(drawn, last), many = plural_of(noun), measure = wording_.noun(drawn.by);
  Lines out = {"which " + noun + " is the " + best,
               "what is the " + best + " " + noun,
               "the " + best + " " + noun,
               "which is the " + best + " " + noun,
               "name the " + best + " " + noun,
               "which of the " + many + " is the " + best,
               "what is the " + best + " of all " + many,
               "tell me the " + best + " " + noun};
  if (!measure.empty())
    out.push_back("which " + noun + " has the " +
                  (drawn.time ? (last ? "latest " : "earliest ") : (last ? "highest " : "lowest ")) +
                  measure);
  if (drawn.time && drawn.words != nullptr && !drawn.words->happened.empty())
    out.push_back("which " + noun + " " + pick(drawn.words->happened, random_).second +
                  (last ? " last" : " first"));
  const forms::Measure by = forms::value_of({drawn.by});
  return made_of(pick(out, random_), "of a type",
                 forms::find(last ? forms::last(all, by) : forms::first(all, by)), {drawn.by}, {},
                 kMostFirstOfType);
}

// "Which artist has the most albums".
FormDraws::Drawn FormDraws::draw_most_of_type(const forms::Set& all, const EntitySet& members,
                                              const std::string& noun) {
  const EntityId member = pick(members, random_);
  const auto by = some_relation(member, false);
  const auto counted = by ? step_from(member, *by) : std::nullopt;
  if (!counted || counted->reached.size() < 2) return std::nullopt;
  const bool last = happens(random_, 0.85);
  const std::string has = wording_.has_so_many(*by, counted->reached, last ? "the most" : "the fewest");
  if (has.empty()) return std::nullopt;
  const forms::Measure measure = forms::count_of({*by});
  return made_of(wording_.one_of(
                     {"which " + noun + " " + has, "what " + noun + " " + has, "the " + noun + " that " + has,
                      "which of the " + plural_of(noun) + " " + has, "name the " + noun + " that " + has}),
                 "of a type", forms::find(last ? forms::last(all, measure) : forms::first(all, measure)),
                 {*by}, {}, kMostFirstOfType);
}

FormDraws::Drawn FormDraws::draw_filter_of_type(const forms::Set& all, const EntitySet& members,
                                                const std::string& noun) {
  Measured drawn;
  if (!take_measure(pick(members, random_), drawn)) return std::nullopt;
  const auto limited = limit(drawn.by, drawn.value, drawn.time, drawn.words, some_limit());
  if (!limited) return std::nullopt;
  const bool counted = happens(random_, 0.3);
  const std::string lead = counted ? wording_.one_of({"how many ", "count the ", "how many "})
                                   : wording_.one_of({"which ", "list the ", "what ", "name the ", "all "});
  Lines hows;
  if (drawn.time && drawn.words != nullptr)
    for (const auto& [base, past] : drawn.words->happened)
      hows.insert(hows.end(), {" " + were(past) + limited->after, " that " + were(past) + limited->after});
  if (limited->phrase.starts_with(" with "))
    hows.insert(hows.end(), {limited->phrase, " have" + limited->phrase.substr(5)});
  else if (!drawn.time)
    hows.insert(hows.end(), {" are" + limited->phrase, " that are" + limited->phrase, limited->phrase});
  else
    hows.insert(hows.end(), {" are" + limited->from, limited->after});
  const forms::Set set = forms::where(all, {drawn.by}, limited->condition);
  auto out = made_of(lead + plural_of(noun) + pick(hows, random_), "of a type", forms::find(set), {drawn.by},
                     {}, static_cast<std::size_t>(config_.most_answers));
  if (out && counted) {
    out->question.counted = true;
    out->question.kind = "count";
    out->form = forms::count(set);
  }
  return out;
}

FormDraws::Drawn FormDraws::draw_rest_of_type(const forms::Set& all, const EntitySet& members,
                                              const std::string& noun) {
  const EntityId member = pick(members, random_);
  const auto way = some_relation(member, false);
  const auto tails = way ? draws_.tails(member, *way) : std::nullopt;
  if (!tails || tails->empty() || draws_.is_value(tails->front())) return std::nullopt;
  const EntityId other = pick(*tails, random_);
  const auto from = step_from(other, graph_.inverse(*way));
  if (!from) return std::nullopt;
  const std::string many = plural_of(noun), x = said(other), n = wording_.noun(from->relation);
  const std::string clause = wording_.clause(from->relation, x, true);
  Lines out = {"which " + many + " are not those that " + clause,
               "all " + many + " except those that " + clause, many + " but not those that " + clause};
  if (lexicon_.is_inverse(from->relation)) {
    out.insert(out.end(), {"which " + many + " do not have " + x, many + " without " + x});
    if (!n.empty())
      out.insert(out.end(), {"which " + many + " do not have " + x + " as " + n,
                             "which " + many + " do not have the " + n + " " + x,
                             many + " whose " + n + " is not " + x});
  }
  return made_of(pick(out, random_), "of a type", forms::find(forms::but(all, form_of_step(*from))),
                 {from->relation}, {other}, static_cast<std::size_t>(config_.most_answers));
}

}  // namespace kgwalk::listening
