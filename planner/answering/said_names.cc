#include "planner/answering/said_names.h"

#include <algorithm>

#include "dialogue/linking/everyday_words.h"
#include "dialogue/linking/name_index.h"
#include "listening/candidates/said_parts.h"
#include "listening/words/families.h"

namespace kgwalk {

std::vector<graph::EntityId> entities_named(const listening::HeardParts& parts) {
  std::vector<std::uint32_t> named = parts.named;
  std::sort(named.begin(), named.end(), [&](std::uint32_t a, std::uint32_t b) {
    return parts.mentions[a].first < parts.mentions[b].first;
  });
  std::vector<graph::EntityId> entities;
  for (const std::uint32_t m : named) entities.push_back(parts.mentions[m].entity);
  return entities;
}

std::vector<bool> words_of_names(const listening::HeardParts& parts) {
  std::vector<bool> covered(parts.said.words.size(), false);
  const auto cover = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) covered[i] = true;
  };
  for (const std::uint32_t m : parts.named) cover(parts.mentions[m].first, parts.mentions[m].last);
  for (const listening::HeardValue& value : parts.values) cover(value.first, value.last);
  return covered;
}

namespace {

using listening::HeardParts;
using listening::SaidWord;

// Names, values and kinds of things.
std::vector<bool> covered_words(const HeardParts& parts) {
  std::vector<bool> covered = words_of_names(parts);
  for (const listening::HeardType& type : parts.types) covered[type.word] = true;
  return covered;
}

// Written with a capital, and no names of things.
bool is_of_the_calendar(std::string_view word) {
  constexpr std::string_view kWords[] = {
      "monday",  "tuesday",   "wednesday", "thursday", "friday",   "saturday",  "sunday",
      "january", "february",  "march",     "april",    "may",      "june",      "july",
      "august",  "september", "october",   "november", "december", "christmas", "easter"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool looks_like_name(const SaidWord& word) {
  return word.is_word && word.content && word.capital && !is_of_the_calendar(word.folded);
}

// "the CEO", "a TV": a word that is always written so, with an article before it.
bool is_abbreviation(const HeardParts& parts, std::size_t i) {
  const SaidWord& word = parts.said.words[i];
  const std::string_view written =
      std::string_view(parts.said.text).substr(word.begin, word.end - word.begin);
  const std::string& before = parts.said.words[i - 1].folded;
  return written.size() <= 4 && (before == "the" || before == "a" || before == "an") &&
         std::all_of(written.begin(), written.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool begins_sentence(const HeardParts& parts, std::size_t i) {
  return i == 0 || !parts.said.words[i - 1].is_word;
}

// "The song Hello": what the word before says it is.
bool stands_behind_kind(const HeardParts& parts, std::size_t word) {
  return word > 1 && parts.said.is_behind(word - 1, {"the", "a", "this"}) &&
         std::any_of(parts.types.begin(), parts.types.end(),
                     [&](const listening::HeardType& type) { return type.word + 1 == word; });
}

// Where a title begins that an everyday word stands at the head of: "Midnight at the Zorblatt Factory".
std::size_t begin_of_title(const std::vector<SaidWord>& words, std::size_t first) {
  constexpr std::string_view kInside[] = {"of", "at", "the", "in", "on", "for", "to", "a"};
  std::size_t i = first;
  while (i > 0 && words[i - 1].is_word && !words[i - 1].capital &&
         std::find(std::begin(kInside), std::end(kInside), words[i - 1].folded) != std::end(kInside))
    --i;
  const bool title = i > 1 && i < first && words[i - 1].is_word && words[i - 1].capital &&
                     words[i - 1].content && !words[i - 2].capital &&
                     dialogue::everyday(words[i - 1].folded) != dialogue::Everyday::kNo;
  return title ? i - 1 : first;
}

SaidName name_at(const HeardParts& parts, std::size_t first, std::size_t last,
                 const dialogue::EntityLinker& linker, const graph::KnowledgeGraph& graph) {
  const std::vector<SaidWord>& words = parts.said.words;
  SaidName name{parts.said.text.substr(words[first].begin, words[last - 1].end - words[first].begin), {}};
  for (const std::string& near : linker.resolve(name.text).nearest)
    if (const auto entity = graph.find_entity(near)) name.nearest.push_back(*entity);
  return name;
}

// Whether a relation of the graph, or what people call one, has the word.
bool asks_for_something(const std::string& word, const listening::Lexicon& lexicon) {
  return lexicon.names_relation({&word, 1}) ||
         std::any_of(listening::families().begin(), listening::families().end(),
                     [&](const listening::Family& family) { return family.said.contains(word); });
}

// "Star Trek: The Next Generation" where only Star Trek is known: what stands behind the colon belongs to it.
std::optional<SaidName> unknown_title(const HeardParts& parts, const dialogue::EntityLinker& linker,
                                      const graph::KnowledgeGraph& graph) {
  const std::vector<SaidWord>& words = parts.said.words;
  for (const std::uint32_t m : parts.named) {
    const listening::HeardMention& mention = parts.mentions[m];
    std::size_t i = mention.last;
    if (mention.capital == 0 || i + 1 >= words.size() || words[i].folded != ":") continue;
    if (words[++i].folded == "the" && i + 1 < words.size()) ++i;
    if (!looks_like_name(words[i]) || listening::is_question_word(words[i].folded)) continue;
    const bool known = std::any_of(parts.named.begin(), parts.named.end(), [&](std::uint32_t n) {
      const listening::HeardMention& other = parts.mentions[n];
      return other.first <= i && i < other.last && other.last - other.first > 1;
    });
    if (known) continue;
    while (i < words.size() && looks_like_name(words[i])) ++i;
    return name_at(parts, mention.first, i, linker, graph);
  }
  return std::nullopt;
}

// Says what something is and not which, though texts write it with a capital: "Mount", "River", "Inc".
bool is_general(const std::string& word) {
  constexpr std::string_view kGeneral[] = {
      "mount",       "mt",      "lake",       "river",   "sea",     "ocean",  "cape",
      "gulf",        "bay",     "peninsula",  "saint",   "st",      "county", "province",
      "republic",    "kingdom", "university", "college", "inc",     "ltd",    "llc",
      "corporation", "corp",    "co",         "company", "airport", "fc",     "afc"};
  return dialogue::everyday(word) != dialogue::Everyday::kNo ||
         std::find(std::begin(kGeneral), std::end(kGeneral), word) != std::end(kGeneral);
}

// "Orwell": what people are called by whose name ends with it.
bool is_surname(const HeardParts& parts, std::size_t first, std::size_t last,
                const listening::Lexicon& lexicon) {
  constexpr std::size_t kMostWords = 4;
  return last == first + 1 &&
         std::any_of(
             parts.mentions.begin(), parts.mentions.end(), [&](const listening::HeardMention& mention) {
               if (mention.focus || mention.of_type || mention.first != first || mention.last != last)
                 return false;
               const std::vector<std::string> name =
                   dialogue::words_of(dialogue::plain_name(lexicon.graph().entity_name(mention.entity)));
               return name.size() > 1 && name.size() <= kMostWords &&
                      name.back() == parts.said.words[first].folded &&
                      lexicon.kind_of(mention.entity) == listening::EndKind::kPerson;
             });
}

// "Jabba": a word of one name alone, of a graph that is small enough for it to be meant.
bool is_only_part(const HeardParts& parts, std::size_t first, std::size_t last,
                  const listening::Lexicon& lexicon) {
  if (last != first + 1 || lexicon.graph().num_entities() > dialogue::kFewNames) return false;
  return std::count_if(
             parts.mentions.begin(), parts.mentions.end(), [&](const listening::HeardMention& mention) {
               return !mention.focus && !mention.of_type && mention.first == first && mention.last == last;
             }) == 1;
}

// "Everest": what is left of the name of one thing without its general words.
bool is_short_name(const HeardParts& parts, std::size_t first, std::size_t last,
                   const graph::KnowledgeGraph& graph) {
  const listening::HeardMention* meant = nullptr;
  for (const listening::HeardMention& mention : parts.mentions) {
    if (mention.focus || mention.of_type || mention.first != first || mention.last != last) continue;
    if (meant != nullptr || mention.fit != dialogue::NameFit::kPart) return false;
    meant = &mention;
  }
  if (meant == nullptr) return false;
  const std::vector<std::string> name =
      dialogue::words_of(dialogue::plain_name(graph.entity_name(meant->entity)));
  return std::all_of(name.begin(), name.end(), [&](const std::string& word) {
    const bool said = std::any_of(parts.said.words.begin() + static_cast<std::ptrdiff_t>(first),
                                  parts.said.words.begin() + static_cast<std::ptrdiff_t>(last),
                                  [&](const SaidWord& each) { return each.folded == word; });
    return said || is_general(word);
  });
}

bool is_rare(const SaidWord& word, const listening::Lexicon& lexicon) {
  return word.is_word && word.content && dialogue::everyday(word.folded) == dialogue::Everyday::kNo &&
         !asks_for_something(word.folded, lexicon);
}

}  // namespace

std::optional<graph::EntityId> only_holder(const SaidName& name, const graph::KnowledgeGraph& graph) {
  const std::vector<std::string> said = dialogue::words_of(name.text);
  std::optional<graph::EntityId> only;
  for (const graph::EntityId near : name.nearest) {
    const std::vector<std::string> whole = dialogue::words_of(dialogue::plain_name(graph.entity_name(near)));
    if (said.size() < 2 || std::search(whole.begin(), whole.end(), said.begin(), said.end()) == whole.end())
      continue;
    if (only) return std::nullopt;
    only = near;
  }
  return only;
}

std::optional<SaidName> unknown_words(const HeardParts& parts, const dialogue::EntityLinker& linker,
                                      const listening::Lexicon& lexicon) {
  const std::vector<SaidWord>& words = parts.said.words;
  const std::vector<bool> covered = covered_words(parts);
  const auto is_unknown = [&](std::size_t i) { return !covered[i] && is_rare(words[i], lexicon); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_unknown(i)) continue;
    std::size_t end = i + 1;
    while (end < words.size() && is_unknown(end)) ++end;
    return name_at(parts, i, end, linker, lexicon.graph());
  }
  return std::nullopt;
}

std::optional<SaidName> cut_name(const HeardParts& parts, std::span<const graph::EntityId> about,
                                 const dialogue::EntityLinker& linker, const listening::Lexicon& lexicon) {
  const std::vector<SaidWord>& words = parts.said.words;
  const auto is_meant = [&](const listening::HeardMention& mention) {
    return std::find(about.begin(), about.end(), mention.entity) != about.end();
  };
  const auto are_joined = [&](graph::EntityId a, graph::EntityId b) {
    const auto edges = lexicon.graph().out_edges(a);
    return std::any_of(edges.begin(), edges.end(), [&](const graph::Edge& edge) { return edge.tail == b; });
  };
  const auto is_written_so = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (!looks_like_name(words[i]) || begins_sentence(parts, i)) return false;
    return true;
  };
  for (const std::uint32_t m : parts.named) {
    const listening::HeardMention& meant = parts.mentions[m];
    if (!is_meant(meant)) continue;
    for (const std::uint32_t n : parts.named) {
      const listening::HeardMention& beside = parts.mentions[n];
      if ((beside.last != meant.first && meant.last != beside.first) || is_meant(beside)) continue;
      const std::size_t first = std::min(meant.first, beside.first), last = std::max(meant.last, beside.last);
      const bool is_type = std::any_of(parts.types.begin(), parts.types.end(), [&](const auto& type) {
        return first <= type.word && type.word < last;
      });
      if (!is_type && is_written_so(first, last) && !are_joined(meant.entity, beside.entity))
        return name_at(parts, first, last, linker, lexicon.graph());
    }
  }
  return std::nullopt;
}

std::optional<SaidName> unknown_name(const HeardParts& parts, const dialogue::EntityLinker& linker,
                                     const listening::Lexicon& lexicon) {
  const std::vector<SaidWord>& words = parts.said.words;
  if (auto title = unknown_title(parts, linker, lexicon.graph())) return title;
  // Who writes every word with a capital writes no names so.
  const auto capitals =
      std::count_if(words.begin(), words.end(), [](const SaidWord& w) { return w.is_word && w.capital; });
  const auto all = std::count_if(words.begin(), words.end(), [](const SaidWord& w) { return w.is_word; });
  if (all > 3 && capitals == all) return std::nullopt;
  const std::vector<bool> covered = covered_words(parts);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (covered[i] || !looks_like_name(words[i]) || begins_sentence(parts, i)) continue;
    if (is_abbreviation(parts, i)) continue;
    std::size_t end = i + 1;
    while (end < words.size() && looks_like_name(words[end])) ++end;
    // "Zorblatt Five wrote what?": the first word of a sentence, which is written large anyway, belongs to
    // it.
    const bool begins =
        i > 0 && begins_sentence(parts, i - 1) && looks_like_name(words[i - 1]) && !covered[i - 1];
    if (begins) --i;
    i = begin_of_title(words, i);
    // "Trilogy", "Series", "Cup": written large by somebody who names something else; "the song Hello" is
    // one.
    if (end == i + 1 && dialogue::everyday(words[i].folded) != dialogue::Everyday::kNo &&
        !stands_behind_kind(parts, i))
      continue;
    std::vector<std::string> folded;
    for (std::size_t w = i; w < end; ++w) folded.push_back(words[w].folded);
    if (lexicon.names_relation(folded) || is_short_name(parts, i, end, lexicon.graph()) ||
        is_surname(parts, i, end, lexicon) || is_only_part(parts, i, end, lexicon)) {
      i = end - 1;
      continue;
    }
    SaidName name = name_at(parts, i, end, linker, lexicon.graph());
    name.part = listening::stands_for_part(parts.said, i);
    return name;
  }
  return std::nullopt;
}

}  // namespace kgwalk
