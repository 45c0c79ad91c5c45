#include "dialogue/linking/mention_finder.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "dialogue/linking/everyday_words.h"
#include "kgwalk/graph_details.h"
#include "runtime/english.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;

constexpr std::size_t kMostJoined = 6;     // words that are looked up with other blanks, or as a part
constexpr std::size_t kFewKinds = 50'000;  // entities, of which kinds are named by one of them too
constexpr std::size_t kMostNear = 4;       // words of names that a typing error may stand for
constexpr double kFitWeight[] = {1.0, 0.95, 0.85, 0.7, 0.6};  // of a word that is covered, by NameFit

// Whether several things have it by one relation: a job, a party, a genre.
bool is_kind(const graph::KnowledgeGraph& graph, EntityId entity) {
  const auto edges = graph.out_edges(entity);
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    if (edges[i].relation == edges[i + 1].relation && graph.relation_name(edges[i].relation).starts_with('~'))
      return true;
  return false;
}

std::vector<std::string> spellings(std::span<const TextWord> words, bool owner) {
  std::vector<std::string> out;
  for (const TextWord& word : words) out.push_back(word.word);
  if (owner) out.back() = words.back().owner;
  return out;
}

}  // namespace

MentionFinder::MentionFinder(const graph::KnowledgeGraph& graph, std::shared_ptr<const NameIndex> names)
    : graph_(graph),
      names_(names ? std::move(names) : std::make_shared<const NameIndex>(graph)),
      keys_(graph) {}

void MentionFinder::add(std::string_view text, Words words, Span span, std::span<const EntityId> entities,
                        NameFit fit, std::vector<Mention>& out) const {
  if (entities.empty()) return;
  const TextWord& last = words[span.begin + span.length - 1];
  const std::size_t begin = words[span.begin].begin, end = span.owner ? last.owner_end : last.end;
  auto known = std::find_if(out.begin(), out.end(),
                            [&](const Mention& m) { return m.begin == begin && m.end == end; });
  if (known == out.end()) {
    out.push_back({begin, end, span.begin, span.length, {}, false});
    known = out.end() - 1;
  }
  const std::string_view typed = text.substr(begin, end - begin);
  for (const EntityId entity : entities) {
    const auto same = [&](const NamedEntity& other) { return other.entity == entity; };
    if (std::any_of(known->entities.begin(), known->entities.end(), same)) continue;
    const std::string_view name = graph_.entity_name(entity);
    const auto is_alias = [&] {
      const auto aliases = graph::details(graph_).aliases(entity);
      return std::find(aliases.begin(), aliases.end(), typed) != aliases.end();
    };
    const bool written = fit == NameFit::kWhole && (name == typed || plain_name(name) == typed || is_alias());
    known->entities.push_back({entity, written ? NameFit::kWritten : fit});
  }
}

// "Which Sales Support Agents", "how many westerns": several of what bears the name as a kind. Those of the
// longest name that ends with a word: federal republics are no republics here.
void MentionFinder::find_plurals(std::string_view text, Words words, std::size_t first,
                                 std::vector<bool>& ended, std::vector<Mention>& out) const {
  for (std::size_t n = 1; n <= kMaxNameWords && first + n <= words.size(); ++n) {
    if (ended[first + n - 1]) continue;
    const TextWord& last = words[first + n - 1];
    // "Vans" are several of what there is; among many names a short word is another one.
    const std::size_t least = graph_.num_entities() <= kFewNames ? 4 : 5;
    if (last.word.size() < least || last.word.ends_with("ss")) continue;
    std::vector<std::string> one = spellings(words.subspan(first, n), false);
    // One of what bears its name as several, where few names are words by accident: "which primate".
    if (std::string single = singular_word(one.back()); single != one.back())
      one.back() = std::move(single);
    else if (graph_.num_entities() <= kFewKinds)
      one.back() += 's';
    else
      continue;
    std::vector<EntityId> kinds;
    for (const EntityId entity : names_->entities_named(names_->encode(one)))
      if (is_kind(graph_, entity)) kinds.push_back(entity);
    ended[first + n - 1] = !kinds.empty();
    add(text, words, {first, n, false}, kinds, NameFit::kPart, out);
  }
}

void MentionFinder::find_whole(std::string_view text, Words words, std::vector<Mention>& out) const {
  std::vector<std::string> said;
  for (const TextWord& word : words) said.push_back(word.word);
  const std::vector<WordId> ids = names_->encode(said);
  std::vector<bool> ended(words.size(), false);
  for (std::size_t i = 0; i < words.size(); ++i) {
    names_->names_at(std::span(ids).subspan(i), [&](std::size_t length, std::span<const EntityId> entities) {
      add(text, words, {i, length, false}, entities, NameFit::kWhole, out);
    });
    for (std::size_t n = 1; n <= kMaxNameWords && i + n <= words.size(); ++n) {
      if (words[i + n - 1].owner.empty()) continue;
      const auto owned = names_->encode(spellings(words.subspan(i, n), true));
      add(text, words, {i, n, true}, names_->entities_named(owned), NameFit::kWhole, out);
    }
    find_plurals(text, words, i, ended, out);
  }
}

void MentionFinder::find_by_keys(std::string_view text, Words words, std::vector<Mention>& out) const {
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t n = 1; n <= kMostJoined && i + n <= words.size(); ++n)
      for (const bool owner : {false, true}) {
        if (owner && words[i + n - 1].owner.empty()) continue;
        const std::vector<std::string> said = spellings(words.subspan(i, n), owner);
        if (everyday(said.front()) != Everyday::kFunction && everyday(said.back()) != Everyday::kFunction)
          add(text, words, {i, n, owner}, keys_.joined(said), NameFit::kJoined, out);
        // "What's the" is no part that anybody would call "What's the Worst That Could Happen?" by.
        const Words own = words.subspan(i, n);
        const bool calls = std::any_of(own.begin(), own.end(), [](const TextWord& word) {
          return everyday(word.owner.empty() ? word.word : word.owner) != Everyday::kFunction;
        });
        if (calls) add(text, words, {i, n, owner}, keys_.with_part(in_one(said, " ")), NameFit::kPart, out);
      }
}

// One word of a name is mistyped: a word that is in no name and no everyday one.
void MentionFinder::find_slips(std::string_view text, Words words, std::vector<Mention>& out) const {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool owner = !words[at].owner.empty();
    const std::string& said = owner ? words[at].owner : words[at].word;
    if (everyday(said) != Everyday::kNo || names_->encode(said).front() != kUnknownWord) continue;
    std::vector<std::string> near = keys_.near_words(said);
    // Whose finger slips has begun the word right, or swapped its first two letters: "Oscars" is not Scars.
    std::erase_if(near, [&](const std::string& meant) {
      const bool swapped = meant.size() > 1 && said.size() > 1 && meant[0] == said[1] && meant[1] == said[0];
      return meant.front() != said.front() && !swapped;
    });
    near.resize(std::min(near.size(), kMostNear));
    for (const std::string& meant : near)
      for (std::size_t begin = at - std::min<std::size_t>(at, kMostJoined); begin <= at; ++begin)
        for (std::size_t end = at + 1; end <= std::min(words.size(), at + kMostJoined); ++end) {
          std::vector<std::string> all = spellings(words.subspan(begin, end - begin), false);
          all[at - begin] = meant;
          const bool alone = all.size() == 1 && everyday(meant) != Everyday::kNo;
          if (!alone)
            add(text, words, {begin, end - begin, owner && end == at + 1},
                names_->entities_named(names_->encode(all)), NameFit::kSlip, out);
        }
  }
}

void MentionFinder::find_unspaced(std::string_view text, Words words, std::vector<Mention>& out) const {
  if (!keys_.has_unspaced()) return;
  for (std::size_t w = 0; w < words.size(); ++w) {
    const TextWord& word = words[w];
    // Places inside are those of the text where folding leaves its length.
    const std::string letters = fold_name(text.substr(word.begin, word.end - word.begin));
    if (!word.unspaced || letters.size() != word.end - word.begin) continue;
    for (std::size_t at = 0; at < letters.size();) {
      const NameKeys::Prefix found = keys_.begins_with_name(std::string_view(letters).substr(at));
      if (found.bytes == 0) {
        do ++at;
        while (at < letters.size() && (static_cast<unsigned char>(letters[at]) & 0xC0) == 0x80);
        continue;
      }
      Mention mention{word.begin + at, word.begin + at + found.bytes, w, 1, {}, false};
      for (const EntityId entity : found.entities) mention.entities.push_back({entity, NameFit::kWritten});
      const auto same = [&](const Mention& m) { return m.begin == mention.begin && m.end == mention.end; };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(mention));
      at += found.bytes;
    }
  }
}

// "Ford Mustang" that only the Mustang has, as its make, and "Amy" that is Amy Fowler's given name, may stand
// for them.
void MentionFinder::add_holders(Mention& mention) const {
  for (std::size_t i = 0, n = mention.entities.size(); i < n; ++i) {
    const auto edges = graph_.out_edges(mention.entities[i].entity);
    if (edges.size() != 1 || !graph_.relation_name(edges.front().relation).starts_with('~')) continue;
    const EntityId holder = edges.front().tail;
    const std::string own = in_one(words_of(graph_.entity_name(mention.entities[i].entity)), " ");
    const std::string other = in_one(words_of(plain_name(graph_.entity_name(holder))), " ");
    if (own.empty() || other.empty()) continue;
    const std::string in = ' ' + own + ' ', of = ' ' + other + ' ';
    if (in.find(of) == std::string::npos && of.find(in) == std::string::npos) continue;
    const auto same = [&](const NamedEntity& known) { return known.entity == holder; };
    if (std::none_of(mention.entities.begin(), mention.entities.end(), same))
      mention.entities.push_back({holder, NameFit::kWhole});
  }
}

// "U" of "U.S.": one letter of several with points between.
[[nodiscard]] static bool cuts_abbreviation(std::string_view text, const Mention& mention) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto is_point = [&](std::size_t at) { return at < text.size() && text[at] == '.'; };
  const bool before = mention.begin >= 2 && is_point(mention.begin - 1) && is_letter(mention.begin - 2) &&
                      !is_letter(mention.begin - 3) && !is_letter(mention.begin + 1);
  const bool behind = is_letter(mention.end - 1) && !is_letter(mention.end - 2) && is_point(mention.end) &&
                      is_letter(mention.end + 1) && !is_letter(mention.end + 2);
  return before || behind;
}

// Whether the mark that the name has in front (".NET") stands there in the text too.
[[nodiscard]] static bool has_its_mark(std::string_view text, const Mention& mention, std::string_view name) {
  const auto is_mark = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && std::ispunct(static_cast<unsigned char>(c)) != 0;
  };
  return !name.empty() && is_mark(name.front()) && mention.begin > 0 &&
         text[mention.begin - 1] == name.front();
}

// A function word is meant as a name where it has a capital inside a sentence; a common one where it is
// written as the name is; any where they are put in quotation marks or have the name's own mark.
bool MentionFinder::is_everyday(std::string_view text, Words words, const Mention& mention) const {
  const Words own = words.subspan(mention.first_word, mention.num_words);
  Everyday most = Everyday::kFunction;
  bool capital = false;
  for (const TextWord& word : own) {
    most = std::min(most, everyday(word.owner.empty() ? word.word : word.owner));
    capital = capital || (word.capital && !word.first && word.word != "i");
  }
  if (most == Everyday::kNo || capital) return false;
  if (has_its_mark(text, mention, graph_.entity_name(mention.entities.front().entity))) return false;
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (mention.begin > 0 && mention.end < text.size() && is_quote(text[mention.begin - 1]) &&
      is_quote(text[mention.end]))
    return false;
  return most == Everyday::kFunction || mention.entities.front().fit != NameFit::kWritten;
}

std::vector<Mention> MentionFinder::find(std::string_view text) const {
  const std::vector<TextWord> words = words_in(text);
  std::vector<Mention> found;
  find_whole(text, words, found);
  find_by_keys(text, words, found);
  find_slips(text, words, found);
  find_unspaced(text, words, found);
  std::erase_if(found, [&](const Mention& mention) { return cuts_abbreviation(text, mention); });
  for (Mention& mention : found) {
    add_holders(mention);
    std::stable_sort(mention.entities.begin(), mention.entities.end(), [&](const auto& a, const auto& b) {
      return std::tuple(a.fit, ~graph_.out_edges(a.entity).size()) <
             std::tuple(b.fit, ~graph_.out_edges(b.entity).size());
    });
    mention.everyday = is_everyday(text, words, mention);
  }
  std::stable_sort(found.begin(), found.end(), [](const Mention& a, const Mention& b) {
    return std::tuple(a.begin, ~a.end) < std::tuple(b.begin, ~b.end);
  });
  return found;
}

std::vector<Mention> MentionFinder::cover(std::string_view text) const {
  const std::vector<Mention> all = find(text);
  const std::size_t num_words = words_in(text).size();
  const auto best_of = [&](const auto& counts) {
    std::vector<double> best(text.size() + 1, 0);
    std::vector<const Mention*> taken(text.size() + 1, nullptr);
    std::vector<std::vector<const Mention*>> ending(text.size() + 1);
    for (const Mention& mention : all)
      if (counts(mention)) ending[mention.end].push_back(&mention);
    for (std::size_t at = 1; at <= text.size(); ++at) {
      best[at] = best[at - 1];
      for (const Mention* mention : ending[at]) {
        const double words = static_cast<double>(mention->num_words);
        // Long names count for more than short ones side by side.
        const double gain =
            kFitWeight[static_cast<std::size_t>(mention->entities.front().fit)] * (words * 1.1 - 0.1);
        if (best[mention->begin] + gain > best[at]) {
          best[at] = best[mention->begin] + gain;
          taken[at] = mention;
        }
      }
    }
    std::vector<Mention> out;
    for (std::size_t at = text.size(); at > 0;) {
      if (taken[at] == nullptr || best[at] == best[at - 1]) {
        --at;
        continue;
      }
      out.insert(out.begin(), *taken[at]);
      at = taken[at]->begin;
    }
    return out;
  };
  std::vector<Mention> names = best_of([](const Mention& m) { return !m.everyday; });
  if (!names.empty()) return names;
  return best_of([&](const Mention& m) { return m.num_words > 1 || m.num_words == num_words; });
}

}  // namespace kgwalk::dialogue
