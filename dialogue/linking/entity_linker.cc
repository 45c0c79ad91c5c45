#include "dialogue/linking/entity_linker.h"

#include <algorithm>
#include <functional>
#include <mutex>

#include "dialogue/linking/everyday_words.h"
#include "dialogue/linking/mention_finder.h"
#include "dialogue/turn_example.h"
#include "runtime/text.h"

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;

constexpr std::int32_t kSeenEnough = 3;  // messages before a phrase's use says anything
constexpr double kKeyphrase = 0.2;       // share of them in which the entity was meant
constexpr std::size_t kShortText = 6;    // words of a text that may be a misspelled name as a whole
constexpr std::size_t kMaxGuesses = 3;   // parts of a text for which near names are sought

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view text, std::string_view front, std::string_view back) {
  while (!text.empty() && front.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  while (!text.empty() && back.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

std::string_view without_marks(std::string_view text) { return trimmed(text, "\"'([{<*_", "\"'.,;:!?]}>*_"); }

// "Nolan's" -> "Nolan"; the text itself when nobody owns anything.
std::string_view without_owner(std::string_view text) {
  text = without_marks(text);
  for (const std::string_view ending : {"'s", "'S", "\u2019s", "\u2019S"})
    if (text.size() > ending.size() && text.ends_with(ending))
      return text.substr(0, text.size() - ending.size());
  if (text.ends_with("\u2019")) return text.substr(0, text.size() - 3);
  return text;
}

bool ends_sentence(std::string_view chunk) {
  chunk = trimmed(chunk, "", "\"')]}");
  return !chunk.empty() && std::string_view(".!?").find(chunk.back()) != std::string_view::npos;
}

// A capital at the beginning; of letters beyond ASCII, whether folding changes the first.
bool is_capital(std::string_view chunk) {
  chunk = without_marks(chunk);
  if (chunk.empty()) return false;
  const auto first = static_cast<unsigned char>(chunk.front());
  if (first < 0x80) return first >= 'A' && first <= 'Z';
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const std::string_view letter = chunk.substr(0, length);
  return fold_name(letter) != letter;
}

// "I", "I'm", "I'll".
bool is_first_person(std::string_view chunk) {
  chunk = without_marks(chunk);
  return chunk == "I" || chunk.starts_with("I'") || chunk.starts_with("I\u2019");
}

// What stands there, as far as a name may go on: to the end of the text it would be read again for each name.
std::string_view name_at(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongest = 256;
  std::string_view rest = text.substr(begin);
  if (rest.size() <= kLongest) return rest;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(rest[end]) & 0xC0) == 0x80) --end;  // within a letter
  return rest.substr(0, end);
}

// The words as one text, each looked up by `spelling`.
std::string joined(const auto& words, auto&& spelling) {
  std::string text;
  for (const auto& word : words) text.append(spelling(word)).push_back(' ');
  return text;
}

}  // namespace

// A word of a text: chunks between white space may hold several.
struct EntityLinker::Token {
  std::size_t begin = 0, end = 0;  // bytes of its chunk
  WordId word = kUnknownWord;
  WordId owner = kUnknownWord;  // the word without 's
  std::string spelling;
  bool capital = false;  // begins with one, inside a sentence
};

struct EntityLinker::Finder {
  std::once_flag once;
  std::optional<MentionFinder> finder;
};

struct EntityLinker::Found {
  std::size_t length = 0;  // tokens; 0 = nothing
  bool owner = false;      // the last one without 's
  std::span<const EntityId> entities;
};

EntityLinker::EntityLinker(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues,
                           std::shared_ptr<const NameIndex> names)
    : EntityLinker(graph, dialogues, SaidWords(dialogues), std::move(names)) {}

EntityLinker::EntityLinker(const graph::KnowledgeGraph& graph, std::span<const graph::Dialogue> dialogues,
                           const SaidWords& said, std::shared_ptr<const NameIndex> names)
    : graph_(graph), names_(names ? std::move(names) : std::make_shared<const NameIndex>(graph)) {
  count(dialogues, said);
  if (dialogues.empty()) finder_ = std::make_unique<Finder>();
}

EntityLinker::EntityLinker(EntityLinker&&) noexcept = default;
EntityLinker::~EntityLinker() = default;

EntityLinker EntityLinker::open(const graph::Store& store, const graph::KnowledgeGraph& graph) {
  std::vector<graph::Dialogue> training;
  for (const std::string& split : dialogue::training_splits(store))
    for (graph::Dialogue& dialogue : store.dialogues(split)) training.push_back(std::move(dialogue));
  return {graph, training};
}

void EntityLinker::count(std::span<const graph::Dialogue> dialogues, const SaidWords& said) {
  const auto spelling = [&](SaidWord word) -> const std::string& { return said.spellings()[word]; };
  words_.insert(said.spellings().begin(), said.spellings().end());
  const std::vector<WordId> of_names = names_->encode(said.spellings());
  std::vector<WordId> words;
  std::size_t message = 0;
  for (std::size_t d = 0; d < dialogues.size(); ++d) {
    std::unordered_set<EntityId> on_paths;
    for (const graph::DialogueEvent& event : dialogues[d].events)
      if (const auto* path = std::get_if<graph::WalkedPath>(&event))
        for (const graph::Triple& hop : path->hops) on_paths.insert({hop.head, hop.tail});
    for (; message < said.num_messages() && said.dialogue_of(message) == d; ++message) {
      const std::span<const SaidWord> text = said.message(message);
      if (text.size() <= kShortText) messages_.insert(joined(text, spelling));
      words.clear();
      for (const SaidWord word : text) words.push_back(of_names[word]);
      count_message(words, on_paths);
    }
  }
}

void EntityLinker::count_message(std::span<const WordId> words,
                                 const std::unordered_set<EntityId>& on_paths) {
  std::vector<EntityId> counted;
  for (std::size_t i = 0; i < words.size(); ++i)
    names_->names_at(words.subspan(i), [&](std::size_t, std::span<const EntityId> entities) {
      if (std::find(counted.begin(), counted.end(), entities.front()) != counted.end()) return;
      counted.push_back(entities.front());
      Seen& seen = seen_[entities.front()];
      ++seen.times;
      seen.meant += !on_paths.empty() && std::any_of(entities.begin(), entities.end(),
                                                     [&](EntityId e) { return on_paths.contains(e); });
    });
}

std::vector<EntityLinker::Token> EntityLinker::tokens_of(std::string_view text) const {
  std::vector<Token> tokens;
  bool sentence_begins = true;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    const std::string_view chunk = text.substr(at, end - at);
    const std::vector<std::string> words = words_of(chunk);
    const std::vector<WordId> ids = names_->encode(chunk), owners = names_->encode(without_owner(chunk));
    for (std::size_t i = 0; i < words.size(); ++i)
      tokens.push_back({at, end, ids[i], ids[i], words[i],
                        !sentence_begins && is_capital(chunk) && !is_first_person(chunk)});
    if (!words.empty() && owners.size() == words.size()) tokens.back().owner = owners.back();
    if (!words.empty()) sentence_begins = ends_sentence(chunk);
    at = end + 1;
  }
  return tokens;
}

bool EntityLinker::is_name(std::span<const Token> tokens, std::size_t at, std::size_t length, EntityId first,
                           bool seldom) const {
  if (length == tokens.size()) return true;
  const auto seen = seen_.find(first);
  if (seen == seen_.end() || seen->second.times < kSeenEnough ||
      seen->second.meant >= kKeyphrase * seen->second.times)
    return true;
  if (seldom && length > 1 && seen->second.meant > 0) return true;
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(at),
                     tokens.begin() + static_cast<std::ptrdiff_t>(at + length),
                     [](const Token& token) { return token.capital; });
}

EntityLinker::Found EntityLinker::longest_at(std::span<const Token> tokens, std::size_t at,
                                             bool seldom) const {
  Found best;
  std::vector<WordId> words;
  for (std::size_t n = 1; n <= kMaxNameWords && at + n <= tokens.size(); ++n) {
    const Token& last = tokens[at + n - 1];
    for (const bool owner : {false, true}) {
      if (owner && last.owner == last.word) continue;
      words.push_back(owner ? last.owner : last.word);
      const auto entities = names_->entities_named(words);
      words.pop_back();
      if (!entities.empty() && is_name(tokens, at, n, entities.front(), seldom)) best = {n, owner, entities};
    }
    if (last.word == kUnknownWord) break;
    words.push_back(last.word);
  }
  return best;
}

bool EntityLinker::in_full(EntityId entity, std::string_view typed) const {
  return fold_name(typed).starts_with(fold_name(graph_.entity_name(entity)));
}

bool EntityLinker::rank(std::vector<EntityId>& entities, std::string_view typed, std::optional<EntityId> near,
                        const Clues* clues) const {
  if (entities.size() < 2) return true;
  const std::vector<double> weights =
      clues != nullptr ? clues->weigh(entities) : std::vector<double>(entities.size(), 0);
  const std::string folded = fold_name(typed);
  // Where very many have the name, at most the one whose name with its brackets was written is looked for.
  const bool many = entities.size() > kManyNamesakes;
  const auto written = many ? graph_.find_entity(typed.substr(0, typed.find(')') + 1)) : std::nullopt;
  const auto around = near ? graph_.neighbors(*near) : std::span<const EntityId>{};
  struct Key {
    std::size_t in_brackets;  // a name written in full with what stands in its brackets
    double weight;
    std::size_t in_full;
    bool alike, is_near;
    std::size_t edges;
    auto operator<=>(const Key&) const = default;
  };
  const auto key = [&](std::size_t i) {
    const EntityId e = entities[i];
    Key k{0,
          weights[i],
          0,
          false,
          std::binary_search(around.begin(), around.end(), e),
          graph_.out_edges(e).size()};
    if (many && e != written) return k;
    const std::string_view name = graph_.entity_name(e);
    const std::string full = fold_name(name);
    if (folded.starts_with(full)) k.in_full = full.size();
    if (clues != nullptr && k.in_full > 0 && plain_name(name) != name) k.in_brackets = full.size();
    k.alike = typed.starts_with(name);
    return k;
  };
  std::vector<std::pair<Key, EntityId>> order;
  for (std::size_t i = 0; i < entities.size(); ++i) order.emplace_back(key(i), entities[i]);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < order.size(); ++i) entities[i] = order[i].second;
  const Key &best = order[0].first, &second = order[1].first;
  if (best.in_brackets > 0) return true;
  return clues != nullptr ? is_clear(best.weight, second.weight)
                          : best.in_full > 0 && plain_name(graph_.entity_name(entities[0])) !=
                                                    graph_.entity_name(entities[0]);
}

std::vector<LinkedMention> EntityLinker::mentions_in(std::string_view text, std::span<const Token> tokens,
                                                     std::optional<EntityId> near, const Clues* clues,
                                                     bool seldom) const {
  std::vector<LinkedMention> mentions;
  for (std::size_t i = 0; i < tokens.size();) {
    const Found found = longest_at(tokens, i, seldom);
    if (found.length == 0) {
      ++i;
      continue;
    }
    LinkedMention mention{"", {found.entities.begin(), found.entities.end()}};
    const std::string_view rest = trimmed(name_at(text, tokens[i].begin), "\"'([{<*_", "");
    mention.sure = rank(mention.entities, rest, near, clues);
    // A name typed in full may go on behind its plain form: "Heat (1995 Film)".
    const std::string_view best = graph_.entity_name(mention.entities.front());
    const bool full = in_full(mention.entities.front(), rest);
    const std::size_t length = full ? std::max(found.length, words_of(best).size()) : found.length;
    const std::size_t end = tokens[i + found.length - 1].end;
    const std::string_view typed = without_marks(text.substr(tokens[i].begin, end - tokens[i].begin));
    mention.text = full ? best : found.owner ? without_owner(typed) : typed;
    mentions.push_back(std::move(mention));
    i += length;
  }
  return mentions;
}

std::vector<LinkedMention> EntityLinker::covered(std::string_view text, std::optional<EntityId> near,
                                                 const Clues* clues) const {
  std::call_once(finder_->once, [&] { finder_->finder.emplace(graph_, names_); });
  std::vector<LinkedMention> mentions;
  std::size_t behind = 0;  // of the last one, with what was written in its brackets
  for (const Mention& found : finder_->finder->cover(text)) {
    // What may be mistyped is offered and not taken for meant.
    if (found.begin < behind || found.entities.front().fit == NameFit::kSlip) continue;
    LinkedMention mention{std::string(found.in(text)), {}};
    const NameFit best_fit = std::max(found.entities.front().fit, NameFit::kWhole);
    for (const NamedEntity& named : found.entities)
      if (named.fit <= best_fit) mention.entities.push_back(named.entity);
    const std::string_view rest = text.substr(found.begin);
    mention.sure = rank(mention.entities, rest, near, clues);
    behind = found.end;
    if (best_fit == NameFit::kWhole && in_full(mention.entities.front(), rest)) {
      mention.text = graph_.entity_name(mention.entities.front());
      behind = std::max(behind, found.begin + mention.text.size());
    }
    mentions.push_back(std::move(mention));
  }
  return mentions;
}

std::vector<LinkedMention> EntityLinker::mentioned(std::string_view text, std::span<const Token> tokens,
                                                   std::optional<EntityId> near, const Clues* clues) const {
  if (finder_) {
    std::vector<LinkedMention> found = covered(text, near, clues);
    if (!found.empty()) return found;
    // Nothing but everyday words: "I saw heat" may mean a film, "thanks a lot" does not.
    found = mentions_in(text, tokens, near, clues, true);
    std::erase_if(found, [&](const LinkedMention& mention) {
      const std::vector<std::string> words = words_of(mention.text);
      return words.size() < tokens.size() && std::all_of(words.begin(), words.end(), [](const auto& word) {
               return everyday(word) == Everyday::kFunction;
             });
    });
    return found;
  }
  std::vector<LinkedMention> often = mentions_in(text, tokens, near, clues, false);
  if (!often.empty()) return often;
  return mentions_in(text, tokens, near, clues, true);
}

LinkedText EntityLinker::linked(std::string_view text, std::optional<EntityId> near,
                                const Clues* clues) const {
  const std::vector<Token> tokens = tokens_of(text);
  LinkedText linked{mentioned(text, tokens, near, clues), {}};
  if (!linked.mentions.empty()) return linked;
  if (finder_)
    for (const Mention& slip : finder_->finder->cover(text)) {
      if (slip.entities.front().fit != NameFit::kSlip) continue;
      UnknownName& name = linked.unknown.emplace_back(UnknownName{std::string(slip.in(text)), {}});
      for (const NamedEntity& meant : slip.entities)
        name.nearest.emplace_back(graph_.entity_name(meant.entity));
    }
  if (linked.unknown.empty()) linked.unknown = unknown_in(text, tokens);
  return linked;
}

LinkedText EntityLinker::link(std::string_view text, std::optional<EntityId> near) const {
  return linked(text, near, nullptr);
}

LinkedText EntityLinker::link(std::string_view text, const LinkContext& context) const {
  const Clues clues(graph_, *names_, text, context);
  return linked(text, context.near, &clues);
}

std::vector<LinkedMention> EntityLinker::mentions(std::string_view text, std::optional<EntityId> near) const {
  return mentioned(text, tokens_of(text), near, nullptr);
}

std::vector<LinkedMention> EntityLinker::mentions(std::string_view text, const LinkContext& context) const {
  const Clues clues(graph_, *names_, text, context);
  return mentioned(text, tokens_of(text), context.near, &clues);
}

NameMatch EntityLinker::resolve(std::string_view name) const {
  NameMatch match;
  const std::string_view typed = without_marks(trimmed(name, " \t", " \t\r\n"));
  if (const auto exact = graph_.find_entity(name)) {
    match.entities = {*exact};
    return match;
  }
  const auto entities = names_->entities_named(names_->encode(typed));
  match.entities.assign(entities.begin(), entities.end());
  (void)rank(match.entities, typed, std::nullopt, nullptr);
  if (match.entities.empty()) match.nearest = graph_.suggest_entities(typed);
  return match;
}

// The text as a whole when it is short and nobody ever said just that; runs of capitalized words and of words
// that nobody ever used.
std::vector<UnknownName> EntityLinker::unknown_in(std::string_view text,
                                                  std::span<const Token> tokens) const {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].capital && (tokens[i].word != kUnknownWord || words_.contains(tokens[i].spelling)))
      continue;
    if (!parts.empty() && parts.back().second == i) {
      ++parts.back().second;
    } else {
      parts.emplace_back(i, i + 1);
    }
  }
  if (parts.size() > kMaxGuesses) parts.resize(kMaxGuesses);
  const std::pair<std::size_t, std::size_t> whole{0, tokens.size()};
  if (!tokens.empty() && tokens.size() <= kShortText &&
      !messages_.contains(joined(words_of(text), std::identity())) &&
      std::find(parts.begin(), parts.end(), whole) == parts.end())
    parts.insert(parts.begin(), whole);
  std::vector<UnknownName> unknown;
  for (const auto& [begin, end] : parts) {
    const std::size_t from = tokens[begin].begin;
    std::string typed(without_owner(text.substr(from, tokens[end - 1].end - from)));
    std::vector<std::string> nearest = graph_.suggest_entities(typed);
    if (!nearest.empty()) unknown.push_back({std::move(typed), std::move(nearest)});
  }
  return unknown;
}

}  // namespace kgwalk::dialogue
