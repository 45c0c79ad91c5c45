// Types that a text names: by words alike, else by the nearest in meaning.
#include <algorithm>
#include <optional>

#include "dialogue/linking/everyday_words.h"
#include "forms/rows.h"
#include "listening/candidates/said_parts.h"
#include "listening/words/likeness.h"
#include "listening/words/order_words.h"

namespace kgwalk::listening {
namespace {

constexpr float kTypeLikeness = 0.7F;
constexpr float kTypeNearness = 0.78F;  // in meaning

// "Played" names no play.
bool is_verb_form(std::string_view word) { return word.ends_with("ed") || word.ends_with("ing"); }

// "Which film" of movies: the type nearest in meaning to a word that is none, nor asks for a relation.
void add_types_meant(const Lexicon& lexicon, const SaidText& said, const std::vector<ComparedWord>& compared,
                     std::vector<HeardType>& heard) {
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const SaidWord& word = said.words[i];
    if (!word.content || is_verb_form(word.folded) || compared[i].meaning().empty()) continue;
    if (std::any_of(heard.begin(), heard.end(),
                    [&](const HeardType& type) { return type.first <= i && i <= type.word; }))
      continue;
    HeardType nearest{.match = kTypeNearness, .first = i, .word = i};
    bool found = false;
    for (std::uint32_t t = 0; t < lexicon.types().size(); ++t) {
      const TypeWords& told = lexicon.types()[t];
      if (told.words.size() != 1 || told.range) continue;
      const float near =
          nearness(lexicon.vocabulary()[told.word_ids.front()].meaning(), compared[i].meaning());
      if (near < nearest.match) continue;
      nearest.type = t;
      nearest.match = near;
      found = true;
    }
    if (found && !lexicon.names_relation({&word.folded, 1})) heard.push_back(nearest);
  }
}

bool is_plural(std::string_view word) {
  return (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) || word == "people" ||
         word == "men" || word == "women" || word == "children";
}

// The type that nearly all things of a graph have, as rows of one table do.
std::optional<std::uint32_t> only_type(const Lexicon& lexicon) {
  constexpr double kNearlyAll = 0.9;
  const auto own = lexicon.own_types();
  std::size_t all = 0, most = 0;
  std::uint32_t type = 0;
  for (std::uint32_t t = 0; t < own.size(); ++t) {
    const std::size_t members = own[t].members.size();
    all += members;
    if (members <= most) continue;
    most = members;
    type = t;
  }
  if (all == 0 || static_cast<double>(most) < kNearlyAll * static_cast<double>(all)) return std::nullopt;
  return type;
}

// Whether a relation is called so or nearly so.
bool may_ask(const Lexicon& lexicon, const ComparedWord& word) {
  constexpr float kNear = 0.6F;
  for (std::size_t i = 0; i < lexicon.num_entries(); ++i)
    for (const std::uint32_t id : lexicon.entry(i).word_ids) {
      const ComparedWord& known = lexicon.vocabulary()[id];
      if (likeness(known, word) >= kTypeLikeness || nearness(known.meaning(), word.meaning()) >= kNear)
        return true;
    }
  return false;
}

bool is_word_for_anything(std::string_view word) {
  constexpr std::string_view kAnything[] = {
      "thing",  "item",   "entry", "entries", "row",      "record",     "object", "one",   "name",
      "person", "people", "being", "animal",  "creature", "individual", "member", "place", "character"};
  const std::string_view one = word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
  return std::find(std::begin(kAnything), std::end(kAnything), word) != std::end(kAnything) ||
         std::find(std::begin(kAnything), std::end(kAnything), one) != std::end(kAnything);
}

// What people call what is in a table, whatever the table is called: "cars" of mtcars.csv, "states". A rarer
// noun may be one kind of it.
bool is_plain_noun(const Lexicon& lexicon, std::string_view noun, const TypeWords& type) {
  const std::string one = stem(noun);
  if (!type.words.empty() && one.size() > 2 && stem(type.words.back()).ends_with(one)) return true;
  // "Planets" may be homes of those that the table is about.
  const ComparedWord compared(noun);
  for (std::size_t i = 0; i < lexicon.num_entries(); ++i) {
    const RelationWords& entry = lexicon.entry(i);
    if (entry.tail == EndKind::kNumber || entry.tail == EndKind::kDate) continue;
    for (const auto* ids : {&entry.noun_ids, &entry.loose_ids})
      for (const std::uint32_t id : *ids)
        if (likeness(lexicon.vocabulary()[id], compared) >= kTypeLikeness) return false;
  }
  return dialogue::everyday(noun) != dialogue::Everyday::kNo ||
         dialogue::everyday(one) != dialogue::Everyday::kNo;
}

// "Characters that weigh more", "animals taller than X"
bool tells_more(std::string_view word) {
  constexpr std::string_view kMore[] = {"that", "who", "which", "with",   "from",
                                        "of",   "in",  "whose", "without"};
  const OrderWord* const order = order_word(word);
  return std::find(std::begin(kMore), std::end(kMore), word) != std::end(kMore) ||
         (order != nullptr && order->compares);
}

// Whether nothing else is said that tells what is meant.
bool is_said_alone(const SaidText& said, std::size_t word) {
  for (std::size_t i = 0; i < said.words.size(); ++i)
    if (i != word && said.words[i].content && said.words[i].folded != "know" &&
        said.words[i].folded != "exist")
      return false;
  return true;
}

// "Which characters", "how many animals" of a graph of one kind of things, whatever its table is called: the
// noun that nothing else is called by.
void add_only_type(const Lexicon& lexicon, const SaidText& said, const std::vector<ComparedWord>& compared,
                   std::vector<HeardType>& heard) {
  const auto type = only_type(lexicon);
  if (!heard.empty() || !type) return;
  const auto guess = [&](std::size_t i) {
    heard.push_back({.type = *type, .match = kTypeLikeness, .first = i, .word = i, .guessed = true});
  };
  bool orders = false;
  for (std::size_t i = 0; i < said.words.size(); ++i) {
    const SaidWord& word = said.words[i];
    orders = orders || order_word(word.folded) != nullptr;
    if (!word.content || (i > 0 && word.capital) || is_verb_form(word.folded)) continue;
    const bool asked = said.is_behind(i, {"which", "what", "any", "every"});
    const bool ordered = i > 0 && order_word(said.words[i - 1].folded) != nullptr;
    const bool begins = i == 0 && i + 1 < said.words.size() && tells_more(said.words[i + 1].folded);
    const bool several =
        is_plural(word.folded) &&
        (begins || said.is_behind(i, {"many", "all", "list", "name", "the", "some", "show", "count"}));
    if (!asked && !ordered && !several) continue;
    // "List the insectivores" does not ask for whatever there is.
    const bool alone = is_said_alone(said, i);
    const bool plain =
        is_word_for_anything(word.folded) || is_plain_noun(lexicon, word.folded, lexicon.types()[*type]);
    if (!may_ask(lexicon, compared[i]) && (!alone || plain)) return guess(i);
    break;
  }
  // "Who weighs the least"
  if (orders && !said.words.empty() && said.words.front().folded == "who") guess(0);
}

// The type of those that have what a word names, where most of them do: planes have seats.
std::optional<std::uint32_t> type_that_has(const Lexicon& lexicon, const ComparedWord& word) {
  constexpr std::size_t kLookedAt = 40;
  const graph::KnowledgeGraph& graph = lexicon.graph();
  const auto is_called = [&](graph::RelationId r) {
    const std::vector<std::uint32_t>& ids = lexicon.relation(r).word_ids;
    return !lexicon.is_inverse(r) && std::any_of(ids.begin(), ids.end(), [&](std::uint32_t id) {
      return likeness(lexicon.vocabulary()[id], word) >= kTypeLikeness;
    });
  };
  std::optional<std::uint32_t> best;
  double most = 0.5;
  const auto own = lexicon.own_types();
  for (graph::RelationId r = 0; r < graph.num_relations(); ++r) {
    if (!is_called(r)) continue;
    for (std::uint32_t t = 0; t < own.size(); ++t) {
      const std::vector<graph::EntityId>& members = own[t].members;
      const std::size_t step = 1 + members.size() / kLookedAt;
      std::size_t looked_at = 0, have = 0;
      for (std::size_t i = 0; i < members.size(); i += step, ++looked_at)
        have += forms::row(graph, members[i], r).empty() ? 0 : 1;
      const double share = looked_at == 0 ? 0 : static_cast<double>(have) / static_cast<double>(looked_at);
      if (share <= most) continue;
      most = share;
      best = t;
    }
  }
  return best;
}

// "What is the average weight", "what is the highest price": of all that have one.
void add_type_of_measure(const Lexicon& lexicon, const SaidText& said,
                         const std::vector<ComparedWord>& compared, std::vector<HeardType>& heard) {
  if (!heard.empty() || said.words.empty()) return;
  constexpr std::string_view kAsks[] = {"what", "whats", "which", "how", "the"};
  if (std::find(std::begin(kAsks), std::end(kAsks), said.words.front().folded) == std::end(kAsks)) return;
  constexpr std::string_view kOver[] = {"average", "mean", "avg", "total", "sum", "median"};
  constexpr std::size_t kNear = 4;  // words: "the average number of seats"
  for (std::size_t i = 1; i < said.words.size(); ++i) {
    const std::string& word = said.words[i].folded;
    if (order_word(word) == nullptr && std::find(std::begin(kOver), std::end(kOver), word) == std::end(kOver))
      continue;
    for (std::size_t behind = i + 1; behind < std::min(said.words.size(), i + kNear); ++behind) {
      if (!said.words[behind].content) continue;
      const auto type = type_that_has(lexicon, compared[behind]);
      if (!type) continue;
      heard.push_back({.type = *type, .match = kTypeLikeness, .first = i, .word = i, .guessed = true});
      return;
    }
  }
}

std::vector<ComparedWord> compared_words(const SaidText& said) {
  std::vector<ComparedWord> compared;
  for (const SaidWord& word : said.words) compared.emplace_back(word.folded);
  return compared;
}

// Where all words of a type stand in the text.
std::optional<HeardType> type_by_words(const Lexicon& lexicon, std::uint32_t t, const SaidText& said,
                                       const std::vector<ComparedWord>& compared) {
  const TypeWords& told = lexicon.types()[t];
  if (told.words.empty()) return std::nullopt;
  HeardType type{.type = t, .first = said.words.size()};
  for (std::size_t w = 0; w < told.words.size(); ++w) {
    float best = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < said.words.size(); ++i) {
      const SaidWord& other = said.words[i];
      if (!other.content || other.folded.front() != told.words[w].front()) continue;
      if (is_verb_form(other.folded) && !is_verb_form(told.words[w])) continue;
      if (is_one_abstract(other.folded, told.words[w])) continue;
      const float alike = likeness(lexicon.vocabulary()[told.word_ids[w]], compared[i]);
      if (alike > best) {
        best = alike;
        at = i;
      }
    }
    if (best < kTypeLikeness) return std::nullopt;
    type.first = std::min(type.first, at);
    type.word = std::max(type.word, at);
    type.match += best / static_cast<float>(told.words.size());
  }
  return type;
}

}  // namespace

std::vector<HeardType> types_said(const Lexicon& lexicon, const SaidText& said) {
  std::vector<HeardType> heard;
  const std::vector<ComparedWord> compared = compared_words(said);
  for (std::uint32_t t = 0; t < lexicon.types().size(); ++t)
    if (!lexicon.types()[t].range)
      if (const auto type = type_by_words(lexicon, t, said, compared)) heard.push_back(*type);
  add_types_meant(lexicon, said, compared, heard);
  add_only_type(lexicon, said, compared, heard);
  add_type_of_measure(lexicon, said, compared, heard);
  return heard;
}

std::vector<HeardType> ranges_said(const Lexicon& lexicon, const SaidText& said) {
  std::vector<HeardType> heard;
  const std::vector<ComparedWord> compared = compared_words(said);
  const auto first = static_cast<std::uint32_t>(lexicon.types().size() - lexicon.ranges().size());
  for (std::uint32_t t = first; t < lexicon.types().size(); ++t) {
    const auto type = type_by_words(lexicon, t, said, compared);
    if (!type) continue;
    // "The species of X" asks for one thing's.
    const bool all_are_meant =
        said.is_behind(type->first, {"which", "what"}) ||
        (is_plural(said.words[type->word].folded) &&
         said.is_behind(type->first, {"many", "all", "list", "name", "the", "some", "show", "different"})) ||
        (said.is_behind(type->first, {"many"}));
    if (all_are_meant) heard.push_back(*type);
  }
  return heard;
}

}  // namespace kgwalk::listening
