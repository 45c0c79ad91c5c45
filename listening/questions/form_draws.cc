#include "listening/questions/form_draws.h"

#include <algorithm>
#include <array>

#include "listening/candidates/candidate_sets.h"
#include "listening/questions/english.h"
#include "listening/questions/topic_words.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;

constexpr std::size_t kMostMiddle = 200;
constexpr int kTriesOfAKind = 8;
constexpr double kLoosely = 0.2;   // of one hop, the share in words that only may stand for its relation
constexpr double kRoles = 0.05;    // of one hop, the share that asks who played a part
constexpr double kWhatItIs = 0.1;  // of one hop, the share that asks for the types of something
constexpr double kBeside = 0.03;   // of several answers, the share of questions that name one which is known
constexpr double kBackAgain = 0.12;  // of two hops, the share that goes back by the same relation
constexpr double kOfOne = 0.08;      // of two conditions, the share of two relations of one name
constexpr double kByWordAlone =
    0.1;  // of what has a general word, the share that is called by it: "a thriller"
constexpr double kSkipping = 0.12;  // of two hops, the share where what lies between is not said

EntitySet in_both(const EntitySet& a, const EntitySet& b) {
  EntitySet out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

EntitySet in_first_only(const EntitySet& a, const EntitySet& b) {
  EntitySet out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

std::string how_many_instead(const std::string& text) {
  for (const std::string_view lead : {"which ", "what ", "name the ", "list the "})
    if (text.starts_with(lead)) return "how many " + text.substr(lead.size());
  return "";
}

}  // namespace

FormDraws::FormDraws(const Lexicon& lexicon, const forms::Engine& engine, const QuestionConfig& config,
                     Random& random)
    : draws_(lexicon, static_cast<std::size_t>(config.most_answers)),
      lexicon_(lexicon),
      graph_(lexicon.graph()),
      engine_(engine),
      config_(config),
      random_(random),
      wording_(draws_, {config.bank, config.typos, config.lower_case, config.asides}, random) {
  for (RelationId relation = 0; relation < graph_.num_relations(); ++relation)
    if (wording_.leads_to_players(relation) && draws_.is_asked_about(relation)) players_.push_back(relation);
}

std::size_t FormDraws::some_kind() {
  const bool measures = !draws_.measures().empty();
  const std::array<double, 10> shares = {config_.one,
                                         config_.two,
                                         config_.both,
                                         config_.counted,
                                         config_.check,
                                         measures ? config_.first : 0,
                                         measures ? config_.filter : 0,
                                         measures ? config_.compare : 0,
                                         config_.but,
                                         lexicon_.types().empty() ? 0 : config_.of_type};
  double left = 0;
  for (const double share : shares) left += share;
  left *= random_.uniform();
  std::size_t kind = 0;
  while (kind + 1 < shares.size() && left >= shares[kind]) left -= shares[kind++];
  return kind;
}

FormDraws::Drawn FormDraws::draw(std::optional<EntityId> about) {
  using Draw = Drawn (*)(FormDraws&);
  static constexpr Draw kDraws[] = {
      [](FormDraws& d) {
        if (happens(d.random_, kRoles))
          if (Drawn drawn = d.draw_of_role(d.about_)) return drawn;
        if (happens(d.random_, kWhatItIs))
          if (Drawn drawn = d.draw_what_it_is()) return drawn;
        return d.draw_one(false);
      },
      [](FormDraws& d) { return happens(d.random_, kSkipping) ? d.draw_skipping(false) : d.draw_two(false); },
      [](FormDraws& d) { return happens(d.random_, kOfOne) ? d.draw_two_of_one() : d.draw_both(false); },
      [](FormDraws& d) {
        const double which = d.random_.uniform();
        return which < 0.4    ? d.draw_one(true)
               : which < 0.48 ? d.draw_skipping(true)
               : which < 0.88 ? d.draw_two(true)
                              : d.draw_both(true);
      },
      [](FormDraws& d) { return d.draw_check(); },
      [](FormDraws& d) {
        const double which = d.random_.uniform();
        return which < 0.4    ? d.draw_first()
               : which < 0.56 ? d.draw_first_by_count()
               : which < 0.69 ? d.draw_ranked()
               : which < 0.82 ? d.draw_ends()
                              : d.draw_total();
      },
      [](FormDraws& d) {
        const double which = d.random_.uniform();
        return which < 0.68   ? d.draw_filter()
               : which < 0.84 ? d.draw_more_than_another()
                              : d.draw_filter_by_count();
      },
      [](FormDraws& d) {
        const double which = d.random_.uniform();
        return which < 0.41   ? d.draw_compared()
               : which < 0.54 ? d.draw_compared_counts()
               : which < 0.63 ? d.draw_same()
               : which < 0.82 ? d.draw_value_check()
                              : d.draw_difference();
      },
      [](FormDraws& d) { return d.draw_but(); },
      [](FormDraws& d) { return d.draw_of_type(); }};
  const std::size_t kind = some_kind();
  for (int i = 0; i < kTriesOfAKind; ++i) {
    about_ = about;
    names_.clear();
    if (Drawn drawn = kDraws[kind](*this)) return drawn;
  }
  return std::nullopt;
}

FormDraws::Drawn FormDraws::draw_anew() {
  if (lexicon_.own_types().empty() || happens(random_, 0.5)) return draw();
  about_.reset();
  names_.clear();
  return draw_of_type();
}

FormDraws::Drawn FormDraws::draw_one_from(EntityId from, RelationId relation, bool topic) {
  about_ = topic ? std::optional(from) : std::nullopt;
  names_.clear();
  auto drawn = step_from(from, relation);
  if (!drawn) return std::nullopt;
  const std::string x = said(from);
  std::string text = wording_.ask_by_bank(relation, x, drawn->reached);
  if (text.empty() && happens(random_, kLoosely)) text = loosely(*drawn, x);
  if (text.empty()) text = wording_.ask(relation, x, drawn->reached, "");
  forms::Set set = form_of_step(*drawn);
  return made(std::move(text), "one hop", false, std::move(drawn->reached), std::move(set), {relation},
              {from});
}

// Empty where the word that would ask is the name of what is asked about.
std::string FormDraws::loosely(const Step& step, const std::string& x) {
  std::string text = wording_.ask_loosely(step.relation, x, step.reached);
  const std::string name = folded(graph_.entity_name(step.from));
  return about_ == step.from && text.find(name) != std::string::npos ? std::string() : text;
}

std::string FormDraws::said(EntityId entity) {
  if (about_ == entity) return std::string(kTopic);
  names_.push_back(draws_.is_value(entity) ? std::string(lexicon_.values().shown(entity))
                                           : wording_.name(entity));
  return names_.back();
}

std::optional<FormDraws::Step> FormDraws::step_from(EntityId from, RelationId relation) {
  auto reached = draws_.tails(from, relation);
  if (!reached || reached->empty()) return std::nullopt;
  return Step{from, relation, std::move(*reached)};
}

std::optional<RelationId> FormDraws::some_relation(EntityId entity, bool values) {
  std::vector<RelationId> ways = draws_.relations_of(entity);
  if (!values) std::erase_if(ways, [&](RelationId r) { return draws_.is_measure(r); });
  if (ways.empty()) return std::nullopt;
  return pick(ways, random_);
}

std::optional<FormDraws::Step> FormDraws::step(double forward) {
  if (about_) {
    const auto relation = some_relation(*about_, true);
    return relation ? step_from(*about_, *relation) : std::nullopt;
  }
  const graph::Triple fact = draws_.fact(random_);
  const bool back = !happens(random_, forward) && !draws_.is_value(fact.tail);
  return step_from(back ? fact.tail : fact.head, back ? graph_.inverse(fact.relation) : fact.relation);
}

FormDraws::Typed FormDraws::take_type(EntitySet& set, double share) {
  const auto type = draws_.some_type(set, random_);
  if (!type || !happens(random_, share) || lexicon_.is_told_of_some(*type, set)) return {};
  set = draws_.of_type(set, *type);
  return {type, join_words(lexicon_.types()[*type].words)};
}

bool FormDraws::is_said(const Typed& typed, const std::string& text) const {
  return !typed.type || text.find(typed.noun) != std::string::npos ||
         text.find(plural_of(typed.noun)) != std::string::npos;
}

forms::Set FormDraws::with_type(forms::Set set, const Typed& typed) const {
  if (!typed.type) return set;
  const EntityId type = lexicon_.types()[*typed.type].type;
  return forms::both(std::move(set), all_of(type, lexicon_));
}

forms::Set FormDraws::form_of_step(const Step& step, const Typed& typed) const {
  return with_type(forms::step(forms::entities({step.from}), {step.relation}), typed);
}

DrawnForm FormDraws::made(std::string text, const char* kind, bool counted, EntitySet answers, forms::Set set,
                          std::vector<RelationId> relations, std::vector<EntityId> named) {
  DrawnForm drawn;
  drawn.question.text = std::move(text);
  drawn.question.kind = counted ? "count" : kind;
  drawn.question.counted = counted;
  drawn.question.answers = std::move(answers);
  drawn.question.relations = std::move(relations);
  drawn.question.named = std::move(named);
  drawn.form = counted ? forms::count(std::move(set)) : forms::find(std::move(set));
  drawn.names = names_;
  return drawn;
}

FormDraws::Drawn FormDraws::made_of(std::string text, const char* kind, forms::Query form,
                                    std::vector<RelationId> relations, std::vector<EntityId> named,
                                    std::size_t most) {
  const forms::Answer answer = engine_.answer(form, {}, {.max_visits = kMostVisits});
  if (answer.no_common_value || !answer.complete() || answer.entities.empty() ||
      answer.entities.size() > most)
    return std::nullopt;
  EntitySet answers = answer.entities;
  std::sort(answers.begin(), answers.end());
  DrawnForm drawn =
      made(std::move(text), kind, false, std::move(answers), {}, std::move(relations), std::move(named));
  drawn.form = std::move(form);
  return drawn;
}

FormDraws::Drawn FormDraws::made_check(std::string text, const char* kind, forms::Query form,
                                       std::vector<RelationId> relations, std::vector<EntityId> named) {
  const forms::Answer answer = engine_.answer(form, {}, {.max_visits = kMostVisits});
  if (!answer.truth || !answer.complete()) return std::nullopt;
  DrawnForm drawn = made(std::move(text), kind, false, {}, {}, std::move(relations), std::move(named));
  drawn.question.truth = answer.truth;
  drawn.form = std::move(form);
  return drawn;
}

std::string FormDraws::asked(RelationId relation, const std::string& x, const EntitySet& set,
                             const std::string& type, bool counted) {
  return counted ? wording_.ask_how_many(relation, x, set, type) : wording_.ask(relation, x, set, type);
}

FormDraws::Drawn FormDraws::draw_one(bool counted) {
  auto drawn = step(0.6);
  if (!drawn || (counted && draws_.is_measure(drawn->relation))) return std::nullopt;
  EntitySet answers = drawn->reached;
  const Typed type = take_type(answers, lexicon_.is_inverse(drawn->relation) ? 0.6 : 0.25);
  const std::string x = said(drawn->from);
  std::string text = counted || type.type ? std::string() : wording_.ask_by_bank(drawn->relation, x, answers);
  if (!counted && !type.type && !about_ && lexicon_.is_inverse(drawn->relation) &&
      lexicon_.is_general(drawn->from) && happens(random_, kByWordAlone))
    text = wording_.ask_by_word(x, wording_.set_noun(answers, drawn->relation), "", "");
  if (text.empty() && !counted && !type.type && happens(random_, kLoosely)) text = loosely(*drawn, x);
  if (text.empty()) text = asked(drawn->relation, x, answers, type.noun, counted);
  if (!is_said(type, text)) return std::nullopt;
  if (!counted && answers.size() > 1 && happens(random_, kBeside)) text = beside(std::move(text), answers);
  return made(std::move(text), "one hop", counted, std::move(answers), form_of_step(*drawn, type),
              {drawn->relation}, {drawn->from});
}

FormDraws::Drawn FormDraws::draw_two(bool counted) {
  auto drawn = step(0.35);
  if (!drawn || drawn->reached.size() > kMostMiddle) return std::nullopt;
  EntitySet middle = drawn->reached;
  const EntityId on = pick(middle, random_);
  if (draws_.is_value(on) && happens(random_, 0.8)) return std::nullopt;
  std::vector<RelationId> ways = draws_.relations_of(on);
  // "other films of the director of X": asked far more often than one of all relations would be drawn.
  const RelationId back = graph_.inverse(drawn->relation);
  if (happens(random_, kBackAgain))
    ways = {back};
  else
    std::erase(ways, back);
  std::vector<RelationId> forward;
  for (const RelationId r : ways)
    if (!lexicon_.is_inverse(r)) forward.push_back(r);
  if (ways.empty()) return std::nullopt;
  const RelationId then = pick(!forward.empty() && happens(random_, 0.5) ? forward : ways, random_);
  if (counted && draws_.is_measure(then)) return std::nullopt;
  const std::string x = said(drawn->from);
  EntitySet of_a_type = middle;
  Typed at_middle = take_type(of_a_type, 0.6);
  std::string inner = wording_.phrase(drawn->relation, x, of_a_type);
  if (std::binary_search(of_a_type.begin(), of_a_type.end(), on) && is_said(at_middle, inner)) {
    middle = of_a_type;
  } else {
    at_middle = {};
    inner = wording_.phrase(drawn->relation, x, middle);
  }
  auto answers = draws_.tails(middle, then);
  if (!answers) return std::nullopt;
  const Typed type = take_type(*answers, 0.3);
  if (answers->empty() || (answers->size() == 1 && answers->front() == drawn->from)) return std::nullopt;
  // In loose words too, as a single relation is: else whatever fits no relation's own words is one hop.
  std::string text = counted || type.type ? std::string() : wording_.ask_by_bank(then, inner, *answers);
  if (text.empty()) text = asked(then, inner, *answers, type.noun, counted);
  if (then == back && !counted && !at_middle.type && happens(random_, 0.8)) {
    std::string same = happens(random_, 0.5) ? wording_.ask_same(drawn->relation, x, *answers)
                                             : wording_.ask_others(drawn->relation, x, inner, *answers);
    if (!same.empty()) text = std::move(same);
  }
  if (!is_said(type, text)) return std::nullopt;
  forms::Set set = with_type(forms::step(form_of_step(*drawn, at_middle), {then}), type);
  return made(std::move(text), "two hops", counted, std::move(*answers), std::move(set),
              {drawn->relation, then}, {drawn->from});
}

// Whether a relation of the entity is called by the same words, or leads to something of the type.
bool FormDraws::leads_there(EntityId entity, RelationId relation, std::uint32_t type) const {
  const RelationWords& words = lexicon_.relation(relation);
  for (const RelationId own : draws_.relations_of(entity)) {
    const RelationWords& other = lexicon_.relation(own);
    if (&other == &words || (other.family != nullptr && other.family == words.family)) return true;
    for (const std::string& word : words.words)
      if (std::find(other.words.begin(), other.words.end(), word) != other.words.end()) return true;
    const auto tails = draws_.tails(entity, own);
    if (!tails || draws_.of_type(*tails, type).size() > 0) return true;
  }
  return false;
}

// "Who is the artist of SONG", "songs by ARTIST", where songs have an album and albums have an artist.
FormDraws::Drawn FormDraws::draw_skipping(bool counted) {
  auto drawn = step(0.5);
  if (!drawn || drawn->reached.size() > kMostMiddle) return std::nullopt;
  const bool back = lexicon_.is_inverse(drawn->relation);
  if (!back && drawn->reached.size() > 1) return std::nullopt;
  const EntityId on = pick(drawn->reached, random_);
  if (draws_.is_value(on)) return std::nullopt;
  std::vector<RelationId> ways = draws_.relations_of(on);
  std::erase_if(ways, [&](RelationId r) { return lexicon_.is_inverse(r) != back; });
  if (ways.empty()) return std::nullopt;
  const RelationId then = pick(ways, random_);
  auto answers = draws_.tails(drawn->reached, then);
  if (!answers || answers->empty() || (counted && draws_.is_measure(then))) return std::nullopt;
  const auto type = draws_.some_type(*answers, random_);
  if ((back && !type) || leads_there(drawn->from, then, type.value_or(0))) return std::nullopt;
  const std::string x = said(drawn->from);
  const std::string noun = type ? join_words(lexicon_.types()[*type].words) : "";
  if (back) *answers = draws_.of_type(*answers, *type);
  std::string text = back ? wording_.ask_by_noun(noun, x, counted) : asked(then, x, *answers, "", counted);
  forms::Set set = forms::step(form_of_step(*drawn), {then});
  if (back) set = with_type(std::move(set), {type, noun});
  return made(std::move(text), "two hops", counted, std::move(*answers), std::move(set),
              {drawn->relation, then}, {drawn->from});
}

std::optional<FormDraws::Meeting> FormDraws::meeting() {
  Meeting out;
  EntityId answer = 0;
  if (about_) {
    const auto way = some_relation(*about_, false);
    auto first = way ? step_from(*about_, *way) : std::nullopt;
    if (!first) return std::nullopt;
    answer = pick(first->reached, random_);
    out.a = std::move(*first);
  } else {
    const graph::Triple fact = draws_.fact(random_);
    answer = happens(random_, 0.5) ? fact.head : fact.tail;
  }
  const auto edges = graph_.out_edges(answer);
  if (edges.size() < 2 || draws_.is_value(answer)) return std::nullopt;
  Step* const both[] = {&out.a, &out.b};
  for (Step* one : both) {
    if (about_ && one == &out.a) continue;
    const graph::Edge edge = edges[random_.below(edges.size())];
    if (!lexicon_.is_askable(edge.relation)) return std::nullopt;
    auto reached = step_from(edge.tail, graph_.inverse(edge.relation));
    if (!reached) return std::nullopt;
    *one = std::move(*reached);
  }
  if (out.a.from == out.b.from || draws_.is_value(out.a.from)) return std::nullopt;
  if (draws_.is_value(out.b.from) && !happens(random_, 0.3)) return std::nullopt;
  const bool mixed = lexicon_.is_inverse(out.a.relation) != lexicon_.is_inverse(out.b.relation);
  if (mixed && happens(random_, 0.6)) return std::nullopt;
  return out;
}

FormDraws::Drawn FormDraws::draw_both(bool counted) {
  auto met = meeting();
  if (!met) return std::nullopt;
  EntitySet answers = in_both(met->a.reached, met->b.reached);
  const Typed type = take_type(answers, 0.5);
  if (answers.empty()) return std::nullopt;
  const std::string x = said(met->a.from), y = said(met->b.from);
  const std::string t = type.type ? type.noun : wording_.set_noun(answers, met->a.relation);
  std::string text = joined(*met, x, y, t);
  if (counted && (text = how_many_instead(text)).empty()) return std::nullopt;
  if (!is_said(type, text)) return std::nullopt;
  forms::Set set = with_type(forms::both(form_of_step(met->a), form_of_step(met->b)), type);
  return made(std::move(text), "and", counted, std::move(answers), std::move(set),
              {met->a.relation, met->b.relation}, {met->a.from, met->b.from});
}

FormDraws::Drawn FormDraws::draw_but() {
  auto met = meeting();
  if (!met || draws_.is_value(met->b.from)) return std::nullopt;
  EntitySet answers = in_first_only(met->a.reached, met->b.reached);
  const Typed type = take_type(answers, 0.5);
  if (answers.empty()) return std::nullopt;
  const std::string x = said(met->a.from), y = said(met->b.from);
  const std::string t = plural_of(type.type ? type.noun : wording_.set_noun(answers, met->a.relation));
  const RelationId r = met->a.relation, s = met->b.relation;
  const std::string np = wording_.phrase(r, x, answers, true),
                    first = "which " + t + " " + wording_.clause(r, x, true);
  std::vector<std::string> out = {first + " but not " + wording_.clause(s, y, true),
                                  first + " and not " + wording_.clause(s, y, true)};
  if (r == s)
    out.insert(out.end(), {first + " but not " + y, first + " and not " + y, first + ", but not " + y});
  if (lexicon_.is_inverse(s))
    out.insert(out.end(), {np + " without " + y, np + ", but without " + y,
                           "name " + np + " except those with " + y, "what are " + np + " without " + y});
  if (r == s)
    out.insert(out.end(),
               {first + " where " + y + " is not", first + " although " + y + " did not",
                "what " + wording_.clause(r, x, false) + " but not " + y, np + ", not those with " + y,
                np + " minus those with " + y, first + " and " + y + " did not"});
  forms::Set set = with_type(forms::but(form_of_step(met->a), form_of_step(met->b)), type);
  std::string text = pick(out, random_);
  if (!is_said(type, text)) return std::nullopt;
  return made(std::move(text), "but", false, std::move(answers), std::move(set), {r, s},
              {met->a.from, met->b.from});
}

}  // namespace kgwalk::listening
