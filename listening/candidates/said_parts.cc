#include "listening/candidates/said_parts.h"

#include <algorithm>
#include <map>

#include "dialogue/linking/everyday_words.h"
#include "listening/candidates/candidate_sets.h"
#include "listening/words/meanings.h"
#include "listening/words/word_lists.h"

namespace kgwalk::listening {
namespace {

using dialogue::NameFit;
using graph::EntityId;

constexpr float kSurely = 0.7F;              // score of what is surely a name
constexpr float kWithoutMark = 0.8F;         // share of the score of a name without the mark it begins with
constexpr float kAdjective = 0.8F;           // score of a place that is said as an adjective
constexpr float kSpokenOf = 0.85F;           // score of a part of a name that was spoken of before
constexpr std::size_t kShortestPart = 3;     // bytes of a word that stands for a name
constexpr std::size_t kMostOfPlace = 4;      // words of a name of a place: "United States of America"
constexpr std::size_t kShortest = 2;         // letters of an abbreviation that is a word too
constexpr std::size_t kMostOfType = 50'000;  // that are asked about as a whole

float score_of(NameFit fit) {
  constexpr float kScores[] = {1.0F, 0.98F, 0.95F, 0.7F, 0.75F};
  return kScores[static_cast<std::size_t>(fit)];
}

// Whether the name begins with a mark that is not said: "ruby" is rather Ruby than the ending ".ruby".
bool lacks_its_mark(const SaidText& said, std::size_t first, std::string_view name) {
  if (name.empty() || std::string_view(".#@$*+-_~").find(name.front()) == std::string_view::npos)
    return false;
  const std::size_t begin = said.words[first].begin;
  return said.text[begin] != name.front() && (begin == 0 || said.text[begin - 1] != name.front());
}

HeardMention heard(const graph::KnowledgeGraph& graph, const SaidText& said, const dialogue::Mention& found,
                   const dialogue::NamedEntity& named) {
  HeardMention mention;
  std::tie(mention.first, mention.last) = said.words_at(found.begin, found.end);
  mention.entity = named.entity;
  mention.fit = named.fit;
  mention.score = score_of(named.fit);
  const auto words = static_cast<float>(std::max<std::size_t>(1, mention.last - mention.first));
  if (named.fit == NameFit::kPart) {
    const auto whole = dialogue::words_of(dialogue::plain_name(graph.entity_name(named.entity))).size();
    mention.cover = std::min(
        1.0F, static_cast<float>(found.num_words) / static_cast<float>(std::max<std::size_t>(1, whole)));
    mention.score = 0.35F + 0.4F * mention.cover - 0.03F * static_cast<float>(found.entities.size() - 1);
  }
  if (lacks_its_mark(said, mention.first, graph.entity_name(named.entity))) mention.score *= kWithoutMark;
  mention.everyday = found.everyday;
  if (found.everyday) mention.score *= 0.4F;
  for (std::size_t i = mention.first; i < mention.last; ++i)
    mention.capital += said.words[i].capital ? 1 / words : 0;
  return mention;
}

bool is_whole(const HeardMention& mention) { return mention.fit <= NameFit::kJoined; }

// Whether a longer name that was written as one speaks against the mention.
bool is_part_of(const HeardMention& mention, const HeardMention& kept) {
  const bool longer = kept.last - kept.first > mention.last - mention.first;
  if (is_whole(kept) && kept.capital > 0 && longer && kept.first <= mention.first &&
      mention.last <= kept.last)
    return true;
  return !is_whole(mention) && is_whole(kept) && kept.capital > 0.4F && kept.overlaps(mention) &&
         mention.score < kept.score - 0.12F;
}

// "it", "us", "her": names of things too, but not where a sentence says them as everybody does.
bool is_said_anyway(const SaidText& said, const dialogue::Mention& found) {
  const auto [first, last] = said.words_at(found.begin, found.end);
  if (!found.everyday || last - first == said.words.size()) return false;
  return std::all_of(said.words.begin() + static_cast<std::ptrdiff_t>(first),
                     said.words.begin() + static_cast<std::ptrdiff_t>(last), [](const SaidWord& word) {
                       return dialogue::everyday(word.folded) == dialogue::Everyday::kFunction;
                     });
}

// Who writes names with capitals writes all of them so: "job" beside Mark Zuckerberg is not The Job.
bool writes_capitals(std::span<const dialogue::Mention> found, const SaidText& said) {
  return std::any_of(found.begin(), found.end(), [&](const dialogue::Mention& mention) {
    const auto [first, last] = said.words_at(mention.begin, mention.end);
    return !mention.everyday && first > 0 && said.words[first].capital && !said.words[first].folded.empty() &&
           mention.entities.front().fit <= NameFit::kJoined;
  });
}

// Whether nothing else of meaning is said: "and heat?".
bool is_all_that_is_said(const SaidText& said, const dialogue::Mention& found) {
  const auto [first, last] = said.words_at(found.begin, found.end);
  for (std::size_t i = 0; i < said.words.size(); ++i)
    if (said.words[i].content && (i < first || i >= last)) return false;
  return true;
}

// "Comedy": written small by everybody.
bool is_general(const Lexicon& lexicon, const dialogue::Mention& found) {
  return std::any_of(found.entities.begin(), found.entities.end(), [&](const dialogue::NamedEntity& named) {
    const std::string_view name = lexicon.graph().entity_name(named.entity);
    const bool whole = named.fit <= NameFit::kJoined ||  // or several: "comedies"
                       found.num_words == dialogue::words_of(dialogue::plain_name(name)).size();
    return whole && lexicon.is_general(named.entity);
  });
}

// "Mentor" is an English word and no slip of Menton.
bool is_spelt_right(const SaidText& said, const dialogue::Mention& found) {
  const auto [first, last] = said.words_at(found.begin, found.end);
  return found.entities.front().fit == NameFit::kSlip && last - first == 1 && !said.words[first].capital &&
         !meaning_of(said.words[first].folded).empty();
}

// "Who played Batman": a part in what is spoken of, and not the work that is called so.
bool is_part_played(const Lexicon& lexicon, const SaidText& said, const HeardMention& mention) {
  constexpr std::string_view kAsks[] = {"who", "whom", "actor", "actors", "actress", "actresses", "star"};
  const auto asks = [&](const SaidWord& word) {
    return std::find(std::begin(kAsks), std::end(kAsks), word.folded) != std::end(kAsks);
  };
  const auto begin = said.words.begin();
  if (mention.last == mention.first || lexicon.kind_of(mention.entity) != EndKind::kWork ||
      std::none_of(begin, begin + static_cast<std::ptrdiff_t>(mention.first), asks))
    return false;  // "my daughter plays it all day"
  return stands_for_part(said, mention.first);
}

// Whether the word stands inside a longer name that was written as one, and is not that of `own`.
bool is_inside_name(std::size_t word, EntityId own, const std::vector<HeardMention>& mentions) {
  return std::any_of(mentions.begin(), mentions.end(), [&](const HeardMention& kept) {
    return kept.entity != own && is_whole(kept) && kept.capital > 0.4F && kept.last - kept.first > 1 &&
           kept.first <= word && word < kept.last;
  });
}

// Whether the word may stand for a whole name.
bool stands_for_name(const SaidWord& word) {
  return word.is_word && word.folded.size() >= kShortestPart && word.content &&
         (word.capital || dialogue::everyday(word.folded) == dialogue::Everyday::kNo);
}

// The longest run of the text's words that the name has too: [first, last).
std::pair<std::size_t, std::size_t> longest_common(const SaidText& said,
                                                   const std::vector<std::string>& name) {
  std::pair<std::size_t, std::size_t> best = {0, 0};
  for (std::size_t i = 0; i < said.words.size(); ++i)
    for (std::size_t k = 0; k < name.size(); ++k) {
      std::size_t n = 0;
      while (i + n < said.words.size() && k + n < name.size() && said.words[i + n].folded == name[k + n]) ++n;
      const bool stands =
          std::any_of(said.words.begin() + static_cast<std::ptrdiff_t>(i),
                      said.words.begin() + static_cast<std::ptrdiff_t>(i + n), stands_for_name);
      if (stands && n > best.second - best.first) best = {i, i + n};
    }
  return best;
}

// What was spoken of before may be named by a part of its name that is no name by itself: "Orwell".
void add_spoken_of(const graph::KnowledgeGraph& graph, const SaidText& said, const SaidBefore& before,
                   std::vector<HeardMention>& mentions) {
  const std::size_t found = mentions.size();
  for (const auto& [entity, note] : before.focus) {
    bool named = false;
    for (std::size_t m = 0; m < found; ++m) {
      HeardMention& mention = mentions[m];
      if (mention.entity != entity) continue;
      named = mention.spoken_of = true;
      if (mention.fit == NameFit::kPart) mention.score = std::max(mention.score, kSpokenOf);
    }
    if (named) continue;
    const std::vector<std::string> name = dialogue::words_of(dialogue::plain_name(graph.entity_name(entity)));
    const auto [first, last] = longest_common(said, name);
    if (first == last) continue;
    HeardMention part;
    part.first = first;
    part.last = last;
    part.entity = entity;
    part.fit = NameFit::kPart;
    part.score = kSpokenOf;
    part.cover = static_cast<float>(last - first) / static_cast<float>(name.size());
    for (std::size_t i = first; i < last; ++i)
      part.capital += said.words[i].capital ? 1 / static_cast<float>(last - first) : 0;
    part.spoken_of = true;
    const bool inside = std::any_of(mentions.begin(), mentions.begin() + static_cast<std::ptrdiff_t>(found),
                                    [&](const HeardMention& kept) { return is_part_of(part, kept); });
    if (!inside) mentions.push_back(std::move(part));
  }
}

bool is_all_capitals(const SaidText& said, std::size_t at) {
  const SaidWord& word = said.words[at];
  return std::all_of(said.text.begin() + static_cast<std::ptrdiff_t>(word.begin),
                     said.text.begin() + static_cast<std::ptrdiff_t>(word.end),
                     [](char c) { return c >= 'A' && c <= 'Z'; });
}

// "Danish films": Denmark, where no longer name is meant; and "the US", which has several names.
void add_adjectives(const graph::KnowledgeGraph& graph, const SaidText& said,
                    std::vector<HeardMention>& mentions) {
  for (std::size_t at = 0; at < said.words.size(); ++at)
    for (std::size_t words = kMostOfPlace; words > 0; --words) {
      if (at + words > said.words.size()) continue;
      std::string called = said.words[at].folded;
      for (std::size_t i = at + 1; i < at + words; ++i) called += " " + said.words[i].folded;
      if (called.size() == kShortest && !is_all_capitals(said, at)) continue;  // "us" and "US"
      for (const std::string& place : places_called(called)) {
        const auto entity = graph.find_entity(place);
        if (!entity) continue;
        HeardMention mention;
        mention.first = at;
        mention.last = at + words;
        mention.entity = *entity;
        mention.score = kAdjective;
        mention.capital = said.words[at].capital ? 1 : 0;
        const bool known = std::any_of(mentions.begin(), mentions.end(), [&](const HeardMention& kept) {
          return (kept.entity == *entity && kept.overlaps(mention)) || is_part_of(mention, kept);
        });
        if (!known) mentions.push_back(std::move(mention));
      }
    }
}

HeardMention in_focus(EntityId entity, const FocusNote& note) {
  HeardMention mention;
  mention.entity = entity;
  mention.score = 0.8F;
  mention.focus = note;
  return mention;
}

// Marks names in lower case that are a word for something else here.
void mark_nouns(const Lexicon& lexicon, HeardParts& parts) {
  std::vector<HeardMention> others;
  for (const auto& [entity, note] : parts.before.focus) others.push_back(in_focus(entity, note));
  for (const HeardMention& mention : parts.mentions)
    if (mention.score >= kSurely) others.push_back(mention);
  for (HeardMention& mention : parts.mentions)
    mention.noun =
        mention.capital == 0 && mention.last - mention.first == 1 && !mention.spoken_of &&
        std::any_of(others.begin(), others.end(), [&](const HeardMention& other) {
          return other.entity != mention.entity && calls_it(lexicon, parts.said, mention.first, other);
        });
}

// "More than 200", "after 2005": the value limits, and nothing that has it is meant.
bool is_compared_with(const Lexicon& lexicon, const HeardParts& parts, const HeardMention& mention) {
  if (lexicon.values().kind(mention.entity) == graph::ValueKind::kThing) return false;
  return std::any_of(parts.values.begin(), parts.values.end(), [&](const HeardValue& value) {
    return value.first < mention.last && mention.first < value.last &&
           parts.said.is_behind(value.first, {"than", "over", "above", "under", "below", "least", "most",
                                              "after", "before", "since", "until", "exceeding", "between"});
  });
}

// Names without overlaps, the surest and longest first.
std::vector<std::uint32_t> surely_named(const HeardParts& parts) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t m = 0; m < parts.mentions.size(); ++m)
    if (!parts.mentions[m].focus && !parts.mentions[m].of_type && !parts.mentions[m].noun &&
        parts.mentions[m].score >= kSurely)
      order.push_back(m);
  const auto weight = [&](std::uint32_t m) {
    return parts.mentions[m].score +
           0.05F * static_cast<float>(parts.mentions[m].last - parts.mentions[m].first);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weight(a) > weight(b); });
  std::vector<std::uint32_t> named;
  for (const std::uint32_t m : order)
    if (std::none_of(named.begin(), named.end(),
                     [&](std::uint32_t s) { return parts.mentions[s].overlaps(parts.mentions[m]); }))
      named.push_back(m);
  return named;
}

}  // namespace

bool stands_for_part(const SaidText& said, std::size_t first) {
  if (said.is_behind(first, {"play", "plays", "played", "playing", "portray", "portrays", "portrayed",
                             "portraying", "voice", "voices", "voiced", "voicing", "embodies", "embodied",
                             "role", "part", "character"}))
    return true;
  if (first < 2) return false;
  return (said.is_behind(first, {"as"}) &&
          said.is_behind(first - 1, {"acted", "acts", "starred", "stars", "appeared", "appears", "featured",
                                     "features", "seen", "cast", "casted"})) ||
         (said.is_behind(first, {"of"}) && said.is_behind(first - 1, {"role", "part", "character"}));
}

std::vector<HeardMention> heard_mentions(const graph::KnowledgeGraph& graph, const SaidText& said,
                                         std::span<const dialogue::Mention> found,
                                         const MentionLimits& limits) {
  std::vector<HeardMention> all;
  for (const dialogue::Mention& mention : found)
    for (const dialogue::NamedEntity& named : mention.entities)
      all.push_back(heard(graph, said, mention, named));
  std::stable_sort(all.begin(), all.end(), [](const HeardMention& a, const HeardMention& b) {
    const auto weight = [](const HeardMention& m) {
      return m.score + 0.02F * static_cast<float>(m.last - m.first);
    };
    return weight(a) > weight(b);
  });
  std::vector<HeardMention> kept;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> at_place;
  for (const HeardMention& mention : all) {
    const bool no_mark = lacks_its_mark(said, mention.first, graph.entity_name(mention.entity));
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const HeardMention& k) {
      return (k.entity == mention.entity && (k.overlaps(mention) || mention.score < k.score - 0.2F)) ||
             (no_mark && k.fit == NameFit::kWritten && k.overlaps(mention)) || is_part_of(mention, k);
    });
    if (known || at_place[{mention.first, mention.last}] >= limits.at_one_place) continue;
    ++at_place[{mention.first, mention.last}];
    kept.push_back(mention);
    if (kept.size() == limits.all) break;
  }
  return kept;
}

bool calls_it(const Lexicon& lexicon, const SaidText& said, std::size_t word, const HeardMention& it) {
  const SaidWord& noun = said.words[word];
  if (!noun.content || noun.capital || it.of_type) return false;
  const bool stands = it.focus ? said.is_behind(word, {"the", "this", "that"})
                               : word == it.last || (word < it.first && it.first - word <= 2);
  return stands && lexicon.is_called(it.entity, noun.folded);
}

HeardParts heard_parts(const Lexicon& lexicon, const dialogue::MentionFinder& finder, std::string_view text,
                       const SaidBefore& before) {
  HeardParts parts;
  parts.said = read_said(text);
  std::vector<dialogue::Mention> found = finder.find(text);
  // Words behind the last one that is taken have no place.
  std::erase_if(found, [&](const dialogue::Mention& m) {
    const auto [first, last] = parts.said.words_at(m.begin, m.end);
    return first == last;
  });
  const bool capitals = writes_capitals(found, parts.said);
  // And did before: "what company published it" is not The Company.
  const auto is_small_word = [&](const dialogue::Mention& m) {
    return m.everyday && (capitals || (before.capitals && !is_all_that_is_said(parts.said, m)));
  };
  // In a small graph a name in small letters is rarely one by accident: "is the pig in the order Carnivora".
  const bool many_names = lexicon.graph().num_entities() > dialogue::kFewNames;
  std::erase_if(found, [&](const dialogue::Mention& m) {
    return is_said_anyway(parts.said, m) || is_spelt_right(parts.said, m) ||
           (is_small_word(m) && many_names && !is_general(lexicon, m));
  });
  parts.mentions = heard_mentions(lexicon.graph(), parts.said, found);
  add_adjectives(lexicon.graph(), parts.said, parts.mentions);
  add_spoken_of(lexicon.graph(), parts.said, before, parts.mentions);
  parts.before = before;
  parts.before.capitals = before.capitals || capitals;
  parts.values =
      values_said(parts.said, [&](const std::string& noun) { return lexicon.counts(ComparedWord(noun)); });
  std::erase_if(parts.mentions, [&](const HeardMention& m) {
    return is_compared_with(lexicon, parts, m) || is_part_played(lexicon, parts.said, m);
  });
  mark_nouns(lexicon, parts);
  parts.named = surely_named(parts);
  parts.types = types_said(lexicon, parts.said);
  std::erase_if(parts.types, [&](const HeardType& t) {
    const bool named = t.guessed && std::any_of(parts.mentions.begin(), parts.mentions.end(),
                                                [&](const HeardMention& mention) {
                                                  return mention.first <= t.word && t.word < mention.last;
                                                });
    return named || is_inside_name(t.word, lexicon.types()[t.type].type, parts.mentions);
  });
  parts.rank = rank_said(parts.said);
  if (parts.rank)
    std::erase_if(parts.values, [&](const HeardValue& value) {
      return value.first <= parts.rank->word && parts.rank->word < value.last;
    });
  for (const auto& [entity, note] : before.focus) parts.mentions.push_back(in_focus(entity, note));
  const bool check = begins_as_check(parts.said);
  std::vector<HeardType> whole = parts.types;
  for (const HeardType& range : ranges_said(lexicon, parts.said)) whole.push_back(range);
  for (const HeardType& type : whole) {
    const TypeWords& said = lexicon.types()[type.type];
    // Of one alone nothing is asked, but whether something is it.
    if (said.members.size() > kMostOfType || (said.members.size() < 2 && (said.flag || !check))) continue;
    HeardMention all;
    // "Soccer club" is covered by both words where nothing stands between.
    all.first = type.word - type.first + 1 == said.words.size() ? type.first : type.word;
    all.last = type.word + 1;
    all.entity = said.type;
    all.score = 0.6F * type.match;
    all.members = said.members;
    all.of_type = true;
    all.type = type.type;
    parts.mentions.push_back(std::move(all));
  }
  if (before.answers.size() > 1) {
    HeardMention those;
    those.entity = before.answers.front();
    those.score = 0.8F;
    those.focus =
        FocusNote{.topic = false, .turns_ago = before.answers_ago, .answers = before.answers.size()};
    those.members = before.answers;
    parts.mentions.push_back(std::move(those));
  }
  return parts;
}

}  // namespace kgwalk::listening
