#include "listening/questions/wording.h"

#include <algorithm>

#include "dialogue/linking/name_index.h"
#include "listening/questions/english.h"

namespace kgwalk::listening {
namespace {

using graph::RelationId;
using Lines = std::vector<std::string>;

Lines kind_nouns(EndKind kind) {
  switch (kind) {
    case EndKind::kPerson:
      return {"person", "people", "man", "one"};
    case EndKind::kPlace:
      return {"place", "location"};
    case EndKind::kOrganization:
      return {"organization", "company", "group"};
    case EndKind::kWork:
      return {"work", "title"};
    case EndKind::kDate:
      return {"year", "date"};
    case EndKind::kNumber:
      return {"number"};
    default:
      return {"thing"};
  }
}

// "was born in" without its preposition, "in": places are asked for with where.
std::pair<std::string, std::string> without_preposition(const std::string& verb) {
  constexpr std::string_view kPrepositions[] = {"in",   "at",    "for", "of", "with", "to",
                                                "from", "under", "as",  "on", "into", "near"};
  const std::size_t space = verb.rfind(' ');
  if (space == std::string::npos) return {verb, ""};
  const std::string last = verb.substr(space + 1);
  const bool is =
      std::find(std::begin(kPrepositions), std::end(kPrepositions), last) != std::end(kPrepositions);
  return is ? std::pair(verb.substr(0, space), last) : std::pair(verb, std::string());
}

std::string replaced_beginning(const std::string& text, std::string_view from, std::string_view to) {
  return text.starts_with(from) ? std::string(to) + text.substr(from.size()) : text;
}

}  // namespace

std::string Wording::one_of(const Lines& wordings) { return pick(wordings, random_); }

std::string Wording::name(graph::EntityId entity) {
  const std::string given(draws_.graph().entity_name(entity));
  std::string text = happens(random_, 0.93) ? dialogue::plain_name(given) : given;
  const std::size_t comma = text.find(',');
  if (comma != std::string::npos && comma > 3 && happens(random_, 0.3)) text.resize(comma);
  std::vector<std::string> parts = split_words(text);
  const double slip = random_.uniform();
  if (slip < 0.03 && parts.size() >= 3) {
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(random_.below(parts.size())));
    text = join_words(parts);
  } else if (slip < 0.09 && text.size() > 5) {
    text = with_typo(text, random_);
  } else if (slip < 0.16) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  if (text.starts_with("The ") && happens(random_, 0.3)) text.erase(0, 4);
  return text;
}

std::string Wording::noun(RelationId relation) {
  const RelationWords& own = words(relation);
  const bool known = own.family != nullptr && !own.family->nouns.empty();
  if (known && happens(random_, 0.4)) return pick(own.family->nouns, random_);
  const std::string label = join_words(own.words);
  if (known && (label.ends_with(" by") || label.ends_with(" in"))) return pick(own.family->nouns, random_);
  return label;
}

std::string Wording::set_noun(const EntitySet& set, EndKind kind) {
  const std::vector<std::uint32_t> types = draws_.common_types(set);
  if (!types.empty() && happens(random_, 0.75))
    return join_words(draws_.lexicon().types()[pick(types, random_)].words);
  Lines nouns = kind_nouns(kind);
  nouns.emplace_back("thing");
  return pick(nouns, random_);
}

std::string Wording::phrase(RelationId relation, const std::string& x, const EntitySet& reached) {
  const RelationWords& own = words(relation);
  const Family* family = own.family;
  const std::string n = noun(relation);
  const bool back = backward(relation);
  const std::string t =
      set_noun(reached, back ? (family != nullptr ? family->head : EndKind::kUnknown) : own.tail);
  Lines out;
  if (!back) {
    for (int i = 0; i < 4; ++i) out.push_back("the " + n + " of " + x);
    out.insert(out.end(), {owner_of(x) + " " + n, n + " of " + x});
    if (family == nullptr) return pick(out, random_);
    for (const auto& [base, past] : family->done) out.push_back("the " + t + " that " + past + " " + x);
    for (const auto& [base, past] : family->acts) out.push_back("the " + t + " that " + past + " " + x);
    for (const auto& [base, past] : family->does) out.push_back("the " + t + " " + x + " " + past);
    return pick(out, random_);
  }
  const std::string ts = happens(random_, 0.5) ? plural_of(t) : t;
  for (int i = 0; i < 3; ++i) out.push_back("the " + ts + " whose " + n + " is " + x);
  out.insert(out.end(), {ts + " with " + x + " as " + n, "the " + ts + " with " + n + " " + x,
                         "the " + ts + " which has " + x + " as its " + n, x + " " + ts});
  if (family == nullptr) return pick(out, random_);
  for (const auto& [participle, past] : family->done)
    out.insert(out.end(), {"the " + ts + " " + participle + " by " + x,
                           "the " + ts + " that " + x + " " + past, ts + " by " + x});
  for (const auto& [base, past] : family->does)
    out.insert(out.end(), {"the " + ts + " who " + past + " " + x,
                           "the " + ts + " that " + replaced_beginning(base, "be ", "are ") + " " + x,
                           "the " + ts + " " + replaced_beginning(past, "was ", "") + " " + x});
  for (const auto& [base, past] : family->acts) out.push_back("the " + ts + " " + x + " " + past);
  return pick(out, random_);
}

std::string Wording::clause(RelationId relation, const std::string& x) {
  const Family* family = words(relation).family;
  const std::string n = noun(relation);
  Lines out;
  if (!backward(relation)) {
    for (int i = 0; i < 3; ++i) out.push_back("is the " + n + " of " + x);
    out.insert(out.end(), {"is " + n + " of " + x, "is " + owner_of(x) + " " + n});
    if (family == nullptr) return pick(out, random_);
    for (const auto* verbs : {&family->done, &family->acts})
      for (const auto& [base, past] : *verbs) out.insert(out.end(), {past + " " + x, past + " " + x});
    for (const auto& [base, past] : family->does) out.push_back(x + " " + past);
    return pick(out, random_);
  }
  out = {"has " + x + " as " + n, "has " + n + " " + x, "has " + n + " as " + x, "has the " + n + " " + x,
         "have " + x + " as their " + n};
  if (family == nullptr) return pick(out, random_);
  for (const auto& [participle, past] : family->done)
    out.insert(out.end(), {"was " + participle + " by " + x, "is " + participle + " by " + x,
                           "were " + participle + " by " + x, x + " " + past, "did " + x + " " + past});
  for (const auto& [base, past] : family->does)
    out.insert(out.end(), {past + " " + x, past + " " + x, replaced_beginning(base, "be ", "is ") + " " + x});
  for (const auto& [base, past] : family->acts)
    out.insert(out.end(), {x + " " + past, "did " + x + " " + base});
  return pick(out, random_);
}

void Wording::add_forward(const RelationWords& relation, const std::string& n, const std::string& x,
                          const std::string& t, Lines& out) {
  if (relation.tail == EndKind::kPerson)
    out.insert(out.end(), {"who was " + owner_of(x) + " " + n, "who is the " + n + " of " + x});
  if (relation.tail == EndKind::kPlace)
    out.insert(out.end(), {"where is the " + n + " of " + x, "in which " + n + " is " + x});
  if (relation.tail == EndKind::kDate)
    out.insert(out.end(), {"when is the " + n + " of " + x, "in which year was the " + n + " of " + x});
  if (const MeasureWords* measure = measure_of(relation.words, relation.tail == EndKind::kDate)) {
    for (std::string wording : measure->asks) {
      for (const auto& [place, with] :
           {std::pair(std::string("{x's}"), owner_of(x)), {std::string("{x}"), x}})
        if (const std::size_t at = wording.find(place); at != std::string::npos)
          wording.replace(at, place.size(), with);
      out.insert(out.end(), 2, wording);
    }
    for (const auto& [base, past] : measure->happened) {
      const bool is = base.starts_with("be ");
      const std::string rest = is ? base.substr(3) : base;
      for (const char* when : {"when", "in which year", "what year"})
        out.push_back(std::string(when) + (is ? " was " : " did ") + x + " " +
                      (is ? replaced_beginning(past, "was ", "") : rest));
    }
  }
  const Family* family = relation.family;
  if (family == nullptr) return;
  for (const auto& [participle, past] : family->done)
    out.insert(out.end(),
               {"who " + past + " " + x, "who " + past + " " + x, "by whom was " + x + " " + participle,
                "which " + t + " " + past + " " + x, x + " was " + participle + " by which " + t});
  for (const auto& [base, past] : family->acts)
    out.insert(out.end(),
               {"who " + past + " " + x, "which " + t + " " + past + " " + x, "what " + past + " " + x});
  for (const auto& [base, past] : family->does) {
    const auto [verb, preposition] = without_preposition(base);
    const bool where = relation.tail == EndKind::kPlace && happens(random_, 0.6);
    const std::string wh = where ? "where" : one_of({"what", "which " + t, "which " + n});
    const std::string& said = where ? verb : base;
    const std::string line = base.starts_with("be ")
                                 ? wh + " was " + x + " " + replaced_beginning(said, "be ", "")
                                 : wh + " did " + x + " " + said;
    out.insert(out.end(), 2, line);
    if (!preposition.empty() && !base.starts_with("be "))
      out.push_back(preposition + " which " + n + " did " + x + " " + verb);
  }
}

void Wording::add_backward(RelationId r, const std::string& n, const std::string& x, const std::string& one,
                           const std::string& many, Lines& out) {
  for (int i = 0; i < 4; ++i) out.push_back("which " + many + " " + clause(r, x));
  out.insert(out.end(),
             {"what " + many + " " + clause(r, x), "name the " + many + " which " + clause(r, x),
              "list the " + many + " that " + clause(r, x), "whose " + n + " is " + x,
              "which " + one + "'s " + n + " is " + x, "which " + many + " have " + n + " as " + x,
              "name the " + one + " whose " + n + " is " + x, x + " is the " + n + " of which " + one,
              x + " is the " + n + " of what", "what " + one + " has the " + n + " " + x,
              "for which " + many + " is " + x + " the " + n});
  const Family* family = words(r).family;
  if (family == nullptr) return;
  for (const auto& [participle, past] : family->done)
    out.insert(out.end(),
               {"what did " + x + " " + past, "what " + many + " did " + x + " " + past,
                "which " + many + " were " + participle + " by " + x, "what has " + x + " " + participle});
  for (const auto& [base, past] : family->does)
    out.insert(out.end(), {"who " + past + " " + x, "who " + past + " " + x, "what " + past + " " + x});
  for (const auto& [base, past] : family->acts)
    out.insert(out.end(), {"what does " + x + " " + base, "which " + many + " did " + x + " " + base});
}

std::string Wording::ask(RelationId relation, const std::string& x, const EntitySet& reached,
                         const std::string& type) {
  const RelationWords& own = words(relation);
  const bool back = backward(relation);
  const std::string n = noun(relation), np = phrase(relation, x, reached);
  const bool several = happens(random_, reached.size() > 1 ? 0.6 : 0.2);
  const std::string t = !type.empty() ? type : set_noun(reached, back ? EndKind::kUnknown : own.tail);
  const std::string many = several ? plural_of(t) : t;
  Lines out = {"what is " + np, "name " + np, "tell me " + np};
  if (back) {
    out.insert(out.end(), {"list all " + np, "what are " + np, "list down " + np, "what are some " + np,
                           "give me all " + np});
    add_backward(relation, n, x, t, many, out);
    return pick(out, random_);
  }
  const std::string wh = own.tail == EndKind::kPerson && happens(random_, 0.6) ? "who" : "what";
  out.insert(out.end(), {wh + " is the " + n + " of " + x, wh + " are the " + plural_of(n) + " of " + x,
                         "which " + n + " does " + x + " have", "what is " + owner_of(x) + " " + n,
                         "name the " + n + " of " + x, "list the " + plural_of(n) + " of " + x,
                         "give me the " + n + " of " + x, "what are some " + plural_of(n) + " of " + x,
                         "which " + t + " is the " + n + " of " + x, x + " has which " + n});
  add_forward(own, n, x, t, out);
  return pick(out, random_);
}

std::string Wording::ask_how_many(RelationId relation, const std::string& x, const EntitySet& reached,
                                  const std::string& type) {
  const RelationWords& own = words(relation);
  const bool back = backward(relation);
  const std::string n = plural_of(noun(relation));
  const std::string t =
      plural_of(!type.empty() ? type : set_noun(reached, back ? EndKind::kUnknown : own.tail));
  std::string np = phrase(relation, x, reached);
  np = replaced_beginning(np, "the ", "");
  const std::string lead = one_of({"how many", "how many", "how many", "count the", "count the number of",
                                   "what is the number of", "give me the number of", "give me a count of",
                                   "total number of", "what is the total number of", "count all the"});
  if (lead != "how many") {
    Lines out = {lead + " " + np, lead + " " + t + " which " + clause(relation, x)};
    if (!back) out.insert(out.end(), 2, lead + " " + n + " of " + x);
    return pick(out, random_);
  }
  Lines out = {"how many " + np + " are there", "how many " + t + " " + clause(relation, x)};
  if (!back)
    out.insert(out.end(), {"how many " + n + " does " + x + " have", "how many " + n + " are there of " + x,
                           "how many " + n + " has " + x});
  if (const Family* family = own.family; family != nullptr) {
    for (const auto& [participle, past] : family->done) {
      if (!back) out.push_back("how many " + t + " " + past + " " + x);
      if (back)
        out.insert(out.end(), {"how many " + t + " did " + x + " " + past,
                               "how many " + t + " were " + participle + " by " + x,
                               "how many " + t + " has " + x + " " + participle});
    }
    for (const auto& [base, past] : family->does)
      out.push_back(back ? "how many " + t + " " + past + " " + x
                         : "how many " + n + " did " + x + " " + base);
    for (const auto& [base, past] : family->acts)
      out.push_back(back ? "how many " + t + " did " + x + " " + base
                         : "how many " + t + " " + past + " " + x);
  }
  return pick(out, random_);
}

std::string Wording::ask_whether(RelationId relation, const std::string& x, const std::string& y) {
  const std::string n = noun(relation);
  Lines out = {"is " + y + " the " + n + " of " + x,    "was " + y + " the " + n + " of " + x,
               "is " + y + " a " + n + " of " + x,      "does " + x + " have " + y + " as " + n,
               "does " + x + " have " + n + " " + y,    "is the " + n + " of " + x + " " + y,
               "is " + owner_of(x) + " " + n + " " + y, "did " + x + " have the " + n + " " + y,
               "is " + y + " " + n + " of " + x};
  if (const Family* family = words(relation).family; family != nullptr) {
    for (const auto& [participle, past] : family->done)
      out.insert(out.end(), {"did " + y + " " + past + " " + x, "was " + x + " " + participle + " by " + y,
                             "is " + x + " " + participle + " by " + y});
    for (const auto& [base, past] : family->does) {
      if (base.starts_with("be "))
        out.insert(out.end(),
                   {"was " + x + " " + base.substr(3) + " " + y, "is " + x + " " + base.substr(3) + " " + y});
      else
        out.insert(out.end(), {"did " + x + " " + base + " " + y, "does " + x + " " + base + " " + y});
    }
    for (const auto& [base, past] : family->acts)
      out.insert(out.end(), {"did " + y + " " + base + " " + x, "does " + y + " " + base + " " + x});
  }
  return pick(out, random_);
}

std::string Wording::typed(std::string question, const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  for (const std::string& name : names)
    for (std::string& word : split_words(name)) kept.push_back(std::move(word));
  constexpr std::string_view kOftenLeftOut[] = {"the", "of", "is", "are", "was", "did", "does", "which"};
  std::vector<std::string> out;
  for (std::string& word : split_words(question)) {
    const double slip = random_.uniform();
    const bool named = std::find(kept.begin(), kept.end(), word) != kept.end();
    const bool light =
        std::find(std::begin(kOftenLeftOut), std::end(kOftenLeftOut), word) != std::end(kOftenLeftOut);
    if (light && slip < 0.05 && !out.empty()) continue;
    out.push_back(!named && word.size() > 4 && slip < 0.03 ? with_typo(word, random_) : std::move(word));
  }
  question = join_words(out);
  if (happens(random_, 0.85)) question = capitalized(question);
  return question + one_of({"?", "?", "?", " ?", "", "."});
}

}  // namespace kgwalk::listening
