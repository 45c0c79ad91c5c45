#include "planner/answering/heard.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "dialogue/linking/everyday_words.h"
#include "listening/candidates/candidate_sets.h"
#include "listening/words/prepositions.h"

namespace kgwalk {
namespace {

using graph::EntityId;
using listening::Act;
using listening::HeardForm;
using listening::HeardUtterance;

constexpr double kFew = 0.02;     // an act less likely than this is none
constexpr double kMaybe = 0.1;    // an act this likely is meant where nothing else can be
constexpr double kUnsaid = 0.5;   // what is more likely not in the graph than any of its answers together
constexpr double kAsNear = 0.75;  // of the likeliest: a namesake this near is asked about

const listening::HeardMention* mention_of(const HeardUtterance& heard, EntityId entity) {
  const auto& mentions = heard.parts.mentions;
  const auto found = std::find_if(mentions.begin(), mentions.end(), [&](const listening::HeardMention& m) {
    return m.entity == entity && !m.focus;
  });
  return found == mentions.end() ? nullptr : &*found;
}

}  // namespace

Act act_of(const HeardUtterance& heard, bool names) {
  for (const listening::HeardAct& each : heard.acts) {
    if (each.probability < kFew) break;
    if (names && (each.act == Act::kAbilities || each.act == Act::kIdentity)) continue;
    return each.act;
  }
  return Act::kQuestion;
}

bool may_be(const HeardUtterance& heard, Act act) {
  return std::any_of(heard.acts.begin(), heard.acts.end(), [&](const listening::HeardAct& each) {
    return each.act == act && each.probability >= kMaybe;
  });
}

std::optional<EntityId> named_surely(const HeardUtterance& heard) {
  std::optional<EntityId> found;
  std::size_t at = 0;
  bool value = true;
  for (const std::uint32_t m : heard.parts.named) {
    const listening::HeardMention& mention = heard.parts.mentions[m];
    const bool is_value = std::any_of(
        heard.parts.values.begin(), heard.parts.values.end(),
        [&](const listening::HeardValue& v) { return v.first <= mention.first && mention.last <= v.last; });
    // "Which club did X join in 2007" is about X.
    if (found && (is_value > value || (is_value == value && mention.first < at))) continue;
    found = mention.entity;
    at = mention.first;
    value = is_value;
  }
  return found;
}

bool is_of_name_alone(const listening::SaidText& said, std::string_view name) {
  const std::vector<std::string> own = listening::words_of_label(name);
  return std::all_of(said.words.begin(), said.words.end(), [&](const listening::SaidWord& word) {
    return !word.content || std::find(own.begin(), own.end(), word.folded) != own.end();
  });
}

bool says_so(const HeardForm& form, const listening::HeardParts& parts) {
  if (!form.is_set() || !listening::begins_as_check(parts.said)) return false;
  return std::any_of(parts.named.begin(), parts.named.end(), [&](std::uint32_t m) {
    const EntityId named = parts.mentions[m].entity;
    return std::binary_search(form.answers.begin(), form.answers.end(), named) &&
           std::find(form.about.begin(), form.about.end(), named) == form.about.end();
  });
}

bool asks_whether_there_are(const HeardForm& form, const listening::HeardParts& parts) {
  const auto& words = parts.said.words;
  if (!form.is_set() || words.size() < 3) return false;
  const auto says = [&](std::size_t i, std::initializer_list<std::string_view> any) {
    return std::find(any.begin(), any.end(), words[i].folded) != any.end();
  };
  if (says(0, {"is", "are", "was", "were"})) return says(1, {"there"});
  return words.size() > 3 && says(0, {"do"}) && says(1, {"you"}) && says(2, {"know", "have"}) &&
         says(3, {"any", "some", "a", "an"});
}

bool asks_whether_any(const HeardForm& form) {
  return !form.unsaid && form.query.kind == forms::QueryKind::kCheck && form.query.members.empty() &&
         !form.query.condition;
}

// "Who is a microbiologist", "who is the aerospace engineer": nothing else is said.
static bool asks_who_is_one(const listening::HeardParts& parts) {
  const auto& words = parts.said.words;
  if (parts.named.size() != 1 || words.empty() || words.front().folded != "who") return false;
  const listening::HeardMention& mention = parts.mentions[parts.named.front()];
  if (!parts.said.is_behind(mention.first, {"a", "an", "the"})) return false;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].content && (i < mention.first || i >= mention.last)) return false;
  return true;
}

const HeardForm& best_of(const HeardUtterance& heard) {
  constexpr double kNearlyAll = 0.9;  // of what is not refused: one relation alone leads on
  const HeardForm& first = heard.forms.front();
  if (!first.unsaid || heard.forms.size() < 2) return first;
  const HeardForm& next = heard.forms[1];
  // Yes and no are not guessed, but where the graph joins the two that are said or meant.
  const bool joined = next.truth == true && !next.query.members.empty();
  const bool guessed = !joined && (next.truth || listening::begins_as_check(heard.parts.said));
  if (first.probability < kUnsaid) return guessed ? first : next;
  const bool leads_on =
      next.is_set() && next.relations.size() == 1 && next.probability >= kNearlyAll * (1 - first.probability);
  return leads_on && asks_who_is_one(heard.parts) ? next : first;
}

std::string name_as_said(const HeardUtterance& heard, std::optional<EntityId> entity) {
  const listening::HeardMention* mention = entity ? mention_of(heard, *entity) : nullptr;
  if (mention == nullptr) return "";
  const auto& words = heard.parts.said.words;
  const std::size_t begin = words[mention->first].begin;
  return heard.parts.said.text.substr(begin, words[mention->last - 1].end - begin);
}

std::optional<EntityId> named_alone(const HeardUtterance& heard) {
  const std::optional<EntityId> named = named_surely(heard);
  const listening::HeardMention* mention = named ? mention_of(heard, *named) : nullptr;
  if (mention == nullptr) return std::nullopt;
  const auto& words = heard.parts.said.words;
  bool bare = true;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((i >= mention->first && i < mention->last) || !words[i].is_word) continue;
    const std::string& word = words[i].folded;
    if (dialogue::everyday(word) != dialogue::Everyday::kFunction || listening::is_question_word(word))
      return std::nullopt;
    bare = bare && listening::preposition(word) != 0;
  }
  const Act act = act_of(heard, true);
  return bare || act == Act::kCorrection || act == Act::kNo ? named : std::nullopt;
}

std::optional<EntityId> named_instead(const HeardUtterance& heard) {
  const std::optional<EntityId> named = named_surely(heard);
  const listening::HeardMention* mention = named ? mention_of(heard, *named) : nullptr;
  if (mention == nullptr) return std::nullopt;
  const auto& words = heard.parts.said.words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((i >= mention->first && i < mention->last) || !words[i].is_word) continue;
    const bool about = i + 1 < words.size() && words[i + 1].folded == "about";
    if (dialogue::everyday(words[i].folded) != dialogue::Everyday::kFunction ||
        (listening::is_question_word(words[i].folded) && !about))
      return std::nullopt;
  }
  return named;
}

std::optional<Namesakes> namesakes(const HeardUtterance& heard, const HeardForm& best) {
  if (best.about.empty()) return std::nullopt;
  const EntityId meant = best.about.front();
  const auto& mentions = heard.parts.mentions;
  const listening::HeardMention* place = mention_of(heard, meant);
  if (place == nullptr) return std::nullopt;
  Namesakes out{{meant}, {}};
  for (const HeardForm& form : heard.forms) {
    if (form.unsaid || form.probability < kAsNear * best.probability || form.relations != best.relations ||
        form.about.size() != best.about.size() || form.about.front() == meant)
      continue;
    if (!std::equal(form.about.begin() + 1, form.about.end(), best.about.begin() + 1)) continue;
    const bool same_words = std::any_of(mentions.begin(), mentions.end(), [&](const auto& m) {
      return m.entity == form.about.front() && !m.focus && m.first == place->first && m.last == place->last;
    });
    if (same_words) out.entities.push_back(form.about.front());
  }
  if (out.entities.size() < 2) return std::nullopt;
  out.name = name_as_said(heard, meant);
  return out;
}

bool asks_which_alone(const listening::HeardParts& parts) {
  constexpr std::size_t kMostWords = 5;
  if (!parts.named.empty() || !parts.values.empty()) return false;
  std::size_t words = 0, content = 0;
  for (const listening::SaidWord& word : parts.said.words) {
    words += word.is_word ? 1 : 0;
    content += word.content ? 1 : 0;
  }
  const auto says = [&](std::string_view word) { return parts.said.says(word); };
  return words <= kMostWords && content <= 1 &&
         (says("which") || says("what") || says("who") || says("name") || says("list"));
}

bool asks_for_other_names(const listening::SaidText& said) {
  if (listening::begins_as_check(said) || listening::has_superlative(said) || said.says("many")) return false;
  constexpr std::string_view kNames[] = {"alias",     "aliases", "aka",      "nickname",
                                         "nicknames", "synonym", "synonyms", "pseudonym"};
  if (std::any_of(std::begin(kNames), std::end(kNames),
                  [&](std::string_view word) { return said.says(word); }))
    return true;
  for (std::size_t i = 1; i < said.words.size(); ++i) {
    const std::string& word = said.words[i].folded;
    if ((word == "name" || word == "names") && said.is_behind(i, {"other", "another", "different", "second"}))
      return true;
    if ((word == "called" || word == "known") && (said.says("else") || said.says("also"))) return true;
  }
  return false;
}

bool asks_for_a_name(const listening::HeardForm& form, const listening::Lexicon& lexicon) {
  return std::any_of(form.relations.begin(), form.relations.end(), [&](graph::RelationId relation) {
    const std::vector<std::string>& words = lexicon.relation(relation).words;
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.ends_with("name") || word.ends_with("names") || word.starts_with("alias") ||
             word == "called" || word == "known";
    });
  });
}

bool asks_for_others(const listening::HeardForm& form, const listening::HeardParts& parts) {
  const forms::Query& query = form.query;
  if (form.unsaid || query.kind != forms::QueryKind::kCheck || query.condition) return false;
  if (!parts.said.says("else") && !parts.said.says("another") && !parts.said.says("other")) return false;
  const auto is_said = [&](graph::EntityId entity) {
    return std::any_of(parts.named.begin(), parts.named.end(),
                       [&](std::uint32_t m) { return parts.mentions[m].entity == entity; });
  };
  return std::all_of(query.members.begin(), query.members.end(), [&](const forms::Set& members) {
    return members.kind == forms::SetKind::kEntities &&
           std::none_of(members.entities.begin(), members.entities.end(), is_said);
  });
}

bool says_no_more_than_rest(const listening::SaidText& said) {
  constexpr std::string_view kEmpty[] = {
      "else",  "other",     "others",  "another", "more",    "besides",  "further",
      "rest",  "something", "someone", "anyone",  "anybody", "anything", "somebody",
      "maybe", "remaining", "yet",     "also",    "too",     "thing",    "things"};
  return std::all_of(said.words.begin(), said.words.end(), [&](const listening::SaidWord& word) {
    return !word.content || std::find(std::begin(kEmpty), std::end(kEmpty), word.folded) != std::end(kEmpty);
  });
}

}  // namespace kgwalk
