#include "listening/questions/generator.h"

#include <algorithm>
#include <array>

#include "listening/questions/english.h"
#include "listening/questions/wording.h"

namespace kgwalk::listening {
namespace {

using graph::EntityId;
using graph::RelationId;
using Drawn = std::optional<FormQuestion>;

constexpr int kTries = 40;  // of a question, times the count
constexpr std::size_t kMostMiddle = 200;

EntitySet with(const EntitySet& a, const EntitySet& b) {
  EntitySet out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

EntitySet without(const EntitySet& a, const EntitySet& b) {
  EntitySet out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

class Maker {
 public:
  Maker(const Lexicon& lexicon, const forms::Engine& engine, const QuestionConfig& config, std::uint64_t seed)
      : draws_(lexicon, static_cast<std::size_t>(config.most_answers)),
        graph_(lexicon.graph()),
        engine_(engine),
        config_(config),
        random_(seed, 71),
        wording_(draws_, random_) {}

  std::vector<FormQuestion> make() {
    std::vector<FormQuestion> out;
    for (int i = 0; i < kTries * config_.count && static_cast<int>(out.size()) < config_.count; ++i) {
      names_.clear();
      Drawn question = draw();
      if (!question) continue;
      question->text = wording_.typed(std::move(question->text), names_);
      out.push_back(std::move(*question));
    }
    return out;
  }

 private:
  Drawn draw() {
    const bool measures = !draws_.measures().empty();
    const std::array<double, 9> shares = {config_.one,
                                          config_.two,
                                          config_.both,
                                          config_.counted,
                                          config_.check,
                                          measures ? config_.first : 0,
                                          measures ? config_.filter : 0,
                                          measures ? config_.compare : 0,
                                          config_.but};
    double sum = 0;
    for (const double share : shares) sum += share;
    double left = random_.uniform() * sum;
    std::size_t kind = 0;
    while (kind + 1 < shares.size() && left >= shares[kind]) left -= shares[kind++];
    switch (kind) {
      case 0:
        return draw_one(false);
      case 1:
        return draw_two(false);
      case 2:
        return draw_both(false);
      case 3: {
        const double which = random_.uniform();
        return which < 0.4 ? draw_one(true) : which < 0.88 ? draw_two(true) : draw_both(true);
      }
      case 4:
        return draw_check();
      case 5:
        return draw_first();
      case 6:
        return draw_filter();
      case 7:
        return draw_compared();
      default:
        return draw_but();
    }
  }

  // What stands in a question for an entity.
  std::string said(EntityId entity) {
    names_.push_back(draws_.is_value(entity) ? std::string(graph_.entity_name(entity))
                                             : wording_.name(entity));
    return names_.back();
  }

  // A relation, either way, from an entity that is no value.
  struct Step {
    EntityId from;
    RelationId relation;
    EntitySet reached;
  };
  std::optional<Step> step(double forward) {
    const graph::Triple fact = draws_.fact(random_);
    const bool back = !happens(random_, forward);
    Step out{back ? fact.tail : fact.head, back ? graph_.inverse(fact.relation) : fact.relation, {}};
    auto reached = draws_.tails(out.from, out.relation);
    if (!reached || reached->empty()) return std::nullopt;
    out.reached = std::move(*reached);
    return out;
  }

  // Takes a type that some of the set have, sometimes: its noun, and what is left of the set.
  std::string take_type(EntitySet& set, double share) {
    const auto type = draws_.some_type(set, random_);
    if (!type || !happens(random_, share)) return "";
    set = draws_.of_type(set, *type);
    return join_words(draws_.lexicon().types()[*type].words);
  }

  FormQuestion made(std::string text, const char* kind, bool counted, EntitySet answers,
                    std::vector<RelationId> relations, std::vector<EntityId> named) const {
    FormQuestion question;
    question.text = std::move(text);
    question.kind = counted ? "count" : kind;
    question.counted = counted;
    question.answers = std::move(answers);
    question.relations = std::move(relations);
    question.named = std::move(named);
    return question;
  }

  std::string asked(RelationId relation, const std::string& x, const EntitySet& set, const std::string& type,
                    bool counted) {
    return counted ? wording_.ask_how_many(relation, x, set, type) : wording_.ask(relation, x, set, type);
  }

  Drawn draw_one(bool counted) {
    auto drawn = step(0.6);
    if (!drawn) return std::nullopt;
    const bool back = draws_.lexicon().is_inverse(drawn->relation);
    if (counted && draws_.is_measure(drawn->relation)) return std::nullopt;
    EntitySet answers = drawn->reached;
    const std::string type = take_type(answers, back ? 0.6 : 0.25);
    std::string text = asked(drawn->relation, said(drawn->from), answers, type, counted);
    return made(std::move(text), "one hop", counted, std::move(answers), {drawn->relation}, {drawn->from});
  }

  Drawn draw_two(bool counted) {
    auto drawn = step(0.35);
    if (!drawn || drawn->reached.size() > kMostMiddle) return std::nullopt;
    EntitySet middle = drawn->reached;
    const EntityId on = pick(middle, random_);
    std::vector<RelationId> ways = draws_.relations_of(on);
    if (happens(random_, 0.93)) std::erase(ways, graph_.inverse(drawn->relation));
    std::vector<RelationId> forward;
    for (const RelationId r : ways)
      if (!draws_.lexicon().is_inverse(r)) forward.push_back(r);
    if (ways.empty()) return std::nullopt;
    const RelationId then = pick(!forward.empty() && happens(random_, 0.5) ? forward : ways, random_);
    EntitySet typed = middle;
    (void)take_type(typed, 0.6);
    if (std::binary_search(typed.begin(), typed.end(), on)) middle = typed;
    auto answers = draws_.tails(middle, then);
    if (!answers) return std::nullopt;
    const std::string type = take_type(*answers, 0.3);
    if (answers->empty() || (answers->size() == 1 && answers->front() == drawn->from)) return std::nullopt;
    if (counted && draws_.is_measure(then)) return std::nullopt;
    const std::string inner = wording_.phrase(drawn->relation, said(drawn->from), middle);
    std::string text = asked(then, inner, *answers, type, counted);
    return made(std::move(text), "two hops", counted, std::move(*answers), {drawn->relation, then},
                {drawn->from});
  }

  // Two ways to one answer, from two entities.
  struct Meeting {
    Step a, b;
  };
  std::optional<Meeting> meeting() {
    const graph::Triple fact = draws_.fact(random_);
    const EntityId answer = happens(random_, 0.5) ? fact.head : fact.tail;
    const auto edges = graph_.out_edges(answer);
    if (edges.size() < 2 || draws_.is_value(answer)) return std::nullopt;
    Meeting out;
    Step* const both[] = {&out.a, &out.b};
    for (Step* one : both) {
      const graph::Edge edge = edges[random_.below(edges.size())];
      if (!draws_.lexicon().is_askable(edge.relation)) return std::nullopt;
      one->from = edge.tail;
      one->relation = graph_.inverse(edge.relation);
      auto reached = draws_.tails(one->from, one->relation);
      if (!reached) return std::nullopt;
      one->reached = std::move(*reached);
    }
    if (out.a.from == out.b.from) return std::nullopt;
    const bool mixed =
        draws_.lexicon().is_inverse(out.a.relation) != draws_.lexicon().is_inverse(out.b.relation);
    if (mixed && happens(random_, 0.6)) return std::nullopt;
    return out;
  }

  Drawn draw_both(bool counted) {
    auto met = meeting();
    if (!met) return std::nullopt;
    EntitySet answers = with(met->a.reached, met->b.reached);
    const std::string type = take_type(answers, 0.5);
    if (answers.empty()) return std::nullopt;
    const RelationId r = met->a.relation, s = met->b.relation;
    const std::string x = said(met->a.from), y = said(met->b.from);
    const std::string t = type.empty() ? wording_.set_noun(answers, EndKind::kUnknown) : type;
    std::string text = joined(r, s, x, y, t);
    if (counted) {
      for (const std::string_view lead : {"which ", "what ", "name the ", "list the ", "name a "})
        if (text.starts_with(lead)) {
          text = "how many " + text.substr(lead.size());
          break;
        }
      if (!text.starts_with("how many")) return std::nullopt;
    }
    return made(std::move(text), "and", counted, std::move(answers), {r, s}, {met->a.from, met->b.from});
  }

  std::string joined(RelationId r, RelationId s, const std::string& x, const std::string& y,
                     const std::string& t) {
    const std::string n = wording_.noun(r), m = wording_.noun(s), many = plural_of(t);
    const std::string lead =
        wording_.one_of({"which " + t, "what " + t, "which " + many, "name the " + t + " which",
                         "list the " + many + " that", "name a " + t + " which"});
    const std::string also = wording_.one_of({" and", " and", " and also", ", and"});
    std::vector<std::string> out(3, lead + " " + wording_.clause(r, x) + also + " " + wording_.clause(s, y));
    const bool back = draws_.lexicon().is_inverse(r), other = draws_.lexicon().is_inverse(s);
    if (r == s && back)
      out = {"which " + t + " has " + plural_of(n) + " " + x + " and " + y,
             "name the " + t + " whose " + n + " is " + x + " and " + y,
             lead + " " + wording_.clause(r, x + " and " + y),
             "which " + t + " has both " + x + " and " + y + " as " + n,
             "which " + many + " are there with both " + x + " and " + y,
             many + " with " + x + " and " + y};
    else if (r == s)
      out = {"what is the common " + n + " of " + x + " and " + y,
             "which " + n + " do " + x + " and " + y + " have in common",
             "what is the " + n + " of " + x + " and " + y, "name the " + n + " of both " + x + " and " + y,
             "which " + n + " is shared by " + x + " and " + y};
    else if (back && other)
      out.insert(out.end(), {"name the " + t + " whose " + n + " is " + x + " and " + m + " is " + y,
                             "which " + t + " has " + n + " as " + x + " and " + m + " as " + y,
                             "name the " + t + " with " + n + " " + x + " and " + m + " " + y,
                             many + " by " + x + " with " + y});
    else if (!back && !other)
      out.insert(out.end(), {"what is the " + n + " of " + x + " and the " + m + " of " + y,
                             "which " + n + " of " + x + " is also the " + m + " of " + y,
                             "name the " + n + " of " + x + " that is " + m + " of " + y});
    return pick(out, random_);
  }

  Drawn draw_but() {
    auto met = meeting();
    if (!met) return std::nullopt;
    EntitySet answers = without(met->a.reached, met->b.reached);
    const std::string type = take_type(answers, 0.5);
    if (answers.empty()) return std::nullopt;
    const std::string x = said(met->a.from), y = said(met->b.from);
    const std::string t = plural_of(type.empty() ? wording_.set_noun(answers, EndKind::kUnknown) : type);
    const RelationId r = met->a.relation, s = met->b.relation;
    const std::string np = wording_.phrase(r, x, answers);
    std::string text = wording_.one_of(
        {"which " + t + " " + wording_.clause(r, x) + " but not " + y, np + " without " + y,
         np + ", but without " + y,
         "which " + t + " " + wording_.clause(r, x) + " and not " + wording_.clause(s, y),
         "name " + np + " except those with " + y,
         "what " + t + " " + wording_.clause(r, x) + " but no " + wording_.noun(s) + " " + y});
    return made(std::move(text), "but", false, std::move(answers), {r, s}, {met->a.from, met->b.from});
  }

  Drawn draw_check() {
    const graph::Triple fact = draws_.fact(random_);
    EntityId other = fact.tail;
    const bool so = happens(random_, 0.6);
    if (!so) {
      other = happens(random_, 0.6) ? draws_.fact_of(fact.relation, random_).tail : draws_.entity(random_);
      if (other == fact.head || graph_.has_edge({fact.head, fact.relation, other})) return std::nullopt;
    }
    std::string x = said(fact.head), y = said(other);
    if (!so && happens(random_, 0.25)) std::swap(x, y);
    FormQuestion question = made(wording_.ask_whether(fact.relation, x, y), "yes or no", false, {},
                                 {fact.relation}, {fact.head, other});
    question.truth = so;
    return question;
  }

  // A set that is ordered or filtered, with a measure that its members have.
  struct Measured {
    Step set;
    RelationId by = 0;
    EntityId value = 0;  // of one of them
    const MeasureWords* words = nullptr;
    bool time = false;
  };
  std::optional<Measured> measured(std::size_t least) {
    Measured out;
    out.by = pick(draws_.measures(), random_);
    const graph::Triple fact = draws_.fact_of(out.by, random_);
    std::vector<RelationId> ways = draws_.relations_of(fact.head);
    std::erase_if(ways, [&](RelationId r) { return draws_.is_measure(r); });
    if (ways.empty()) return std::nullopt;
    out.value = fact.tail;
    out.set.relation = graph_.inverse(pick(ways, random_));
    const auto sources = draws_.tails(fact.head, graph_.inverse(out.set.relation));
    if (!sources || sources->empty()) return std::nullopt;
    out.set.from = pick(*sources, random_);
    auto reached = draws_.tails(out.set.from, out.set.relation);
    if (!reached || reached->size() < least) return std::nullopt;
    out.set.reached = std::move(*reached);
    out.time = graph::is_time(draws_.lexicon().values().ends(out.by).tails);
    out.words = measure_of(draws_.lexicon().relation(out.by).words, out.time);
    return out;
  }

  Drawn draw_first() {
    auto drawn = measured(2);
    if (!drawn) return std::nullopt;
    const bool last = happens(random_, 0.5);
    const forms::Set members = forms::entities(drawn->set.reached);
    const forms::Measure by = forms::value_of({drawn->by});
    const forms::Answer answer =
        engine_.answer(forms::find(last ? forms::last(members, by) : forms::first(members, by)));
    if (answer.no_common_value || answer.entities.empty() || answer.entities.size() > 3) return std::nullopt;
    const std::vector<std::string> usual = last ? std::vector<std::string>{"latest", "newest", "last"}
                                                : std::vector<std::string>{"first", "earliest", "oldest"};
    const std::vector<std::string> sizes = last ? std::vector<std::string>{"largest", "biggest", "highest"}
                                                : std::vector<std::string>{"smallest", "lowest"};
    const std::vector<std::string>* own = drawn->words == nullptr ? nullptr
                                          : last                  ? &drawn->words->most
                                                                  : &drawn->words->least;
    const std::string best =
        own != nullptr && !own->empty() ? pick(*own, random_) : pick(drawn->time ? usual : sizes, random_);
    const std::string t = wording_.set_noun(drawn->set.reached, EndKind::kUnknown), x = said(drawn->set.from);
    const std::string clause = wording_.clause(drawn->set.relation, x),
                      np = wording_.phrase(drawn->set.relation, x, drawn->set.reached);
    const std::string noun = wording_.noun(drawn->by);
    std::string text = wording_.one_of(
        {"what is the " + best + " " + t + " that " + clause, "which of " + np + " is the " + best,
         "the " + best + " of " + np, "which " + t + " that " + clause + " is the " + best,
         "what is the " + best + " " + t + " with " + x, "which " + t + " of " + x + " is " + best,
         "which of " + np + " has the " + (last ? "greatest " : "least ") + noun});
    EntitySet answers = answer.entities;
    std::sort(answers.begin(), answers.end());
    return made(std::move(text), "first or last", false, std::move(answers), {drawn->set.relation, drawn->by},
                {drawn->set.from});
  }

  Drawn draw_filter() {
    auto drawn = measured(2);
    if (!drawn) return std::nullopt;
    const graph::TypedValue value = draws_.lexicon().values().value(drawn->by, drawn->value);
    const double which = random_.uniform();
    const graph::Comparison test = which < 0.4    ? graph::Comparison::kGreater
                                   : which < 0.75 ? graph::Comparison::kLess
                                                  : graph::Comparison::kEqual;
    const forms::Answer answer = engine_.answer(
        forms::find(forms::where(forms::entities(drawn->set.reached), {drawn->by}, {test, value})));
    if (answer.no_common_value || answer.entities.empty() || !answer.complete()) return std::nullopt;
    const std::string v = draws_.lexicon().values().shown(drawn->value);
    const std::string t = plural_of(wording_.set_noun(drawn->set.reached, EndKind::kUnknown)),
                      x = said(drawn->set.from);
    names_.push_back(v);
    const std::string np = wording_.phrase(drawn->set.relation, x, drawn->set.reached),
                      clause = wording_.clause(drawn->set.relation, x);
    const std::string noun = wording_.noun(drawn->by);
    std::string how = test == graph::Comparison::kEqual ? " in " + v
                      : test == graph::Comparison::kGreater
                          ? wording_.one_of({" after ", " later than ", " since ", " newer than "}) + v
                          : wording_.one_of({" before ", " earlier than ", " older than "}) + v;
    if (!drawn->time)
      how = " with " + noun +
            (test == graph::Comparison::kEqual ? " "
             : test == graph::Comparison::kGreater
                 ? wording_.one_of({" over ", " above ", " of more than ", " greater than "})
                 : wording_.one_of({" under ", " below ", " of less than ", " smaller than "})) +
            v;
    std::string happened;
    if (drawn->time && drawn->words != nullptr && !drawn->words->happened.empty())
      happened = " that " + replaced_was(pick(drawn->words->happened, random_).second);
    std::string text =
        wording_.one_of({np + how, "which of " + np + " are from" + how,
                         "which " + t + " that " + clause + happened + how, "list " + np + happened + how,
                         "what " + t + " with " + x + happened + how, "name " + np + happened + how});
    EntitySet answers = answer.entities;
    std::sort(answers.begin(), answers.end());
    return made(std::move(text), "filter", false, std::move(answers), {drawn->set.relation, drawn->by},
                {drawn->set.from});
  }

  static std::string replaced_was(const std::string& past) {
    return past.starts_with("was ") ? "were " + past.substr(4) : past;
  }

  Drawn draw_compared() {
    const RelationId by = pick(draws_.measures(), random_);
    const EntityId a = draws_.fact_of(by, random_).head, b = draws_.fact_of(by, random_).head;
    if (a == b) return std::nullopt;
    const bool time = graph::is_time(draws_.lexicon().values().ends(by).tails);
    const MeasureWords* words = measure_of(draws_.lexicon().relation(by).words, time);
    const bool more = happens(random_, 0.5);
    const forms::Measure measure = forms::value_of({by});
    const std::vector<std::string> usual =
        time ? (more ? std::vector<std::string>{"newer", "later", "more recent"}
                     : std::vector<std::string>{"older", "earlier"})
             : (more ? std::vector<std::string>{"larger", "bigger", "greater"}
                     : std::vector<std::string>{"smaller", "lower"});
    const std::vector<std::string>* own = words == nullptr ? nullptr : more ? &words->more : &words->less;
    const std::string word = own != nullptr && !own->empty() ? pick(*own, random_) : pick(usual, random_);
    const std::string x = said(a), y = said(b);
    if (happens(random_, 0.5)) {
      const forms::Answer answer =
          engine_.answer(forms::which({forms::entities({a}), forms::entities({b})}, measure, more));
      if (answer.no_common_value || answer.entities.size() != 1) return std::nullopt;
      std::string text = wording_.one_of(
          {"which is " + word + ", " + x + " or " + y, x + " or " + y + ": which is " + word,
           "what is " + word + ", " + x + " or " + y, "which one is " + word + ": " + x + " or " + y,
           time ? "which came " + std::string(more ? "later" : "first") + ", " + x + " or " + y
                : "which has the " + std::string(more ? "greater " : "lesser ") + wording_.noun(by) + ", " +
                      x + " or " + y});
      return made(std::move(text), "which of two", false, answer.entities, {by}, {a, b});
    }
    const forms::Answer answer = engine_.answer(
        forms::whether(forms::entities({a}), more ? graph::Comparison::kGreater : graph::Comparison::kLess,
                       forms::entities({b}), measure));
    if (!answer.truth) return std::nullopt;
    FormQuestion question =
        made(wording_.one_of({"is " + x + " " + word + " than " + y, "was " + x + " " + word + " than " + y,
                              time ? "did " + x + " come " + (more ? "after " : "before ") + y
                                   : "does " + x + " have a " + (more ? "greater " : "smaller ") +
                                         wording_.noun(by) + " than " + y}),
             "compared", false, {}, {by}, {a, b});
    question.truth = answer.truth;
    return question;
  }

  GraphDraws draws_;
  const graph::KnowledgeGraph& graph_;
  const forms::Engine& engine_;
  QuestionConfig config_;
  Random random_;
  Wording wording_;
  std::vector<std::string> names_;  // as they are said in the question at hand
};

}  // namespace

std::vector<FormQuestion> make_form_questions(const Lexicon& lexicon, const forms::Engine& engine,
                                              const QuestionConfig& config, std::uint64_t seed) {
  validate(config, "configuration of questions");
  return Maker(lexicon, engine, config, seed).make();
}

}  // namespace kgwalk::listening
