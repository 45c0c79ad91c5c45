#include "dialogue/questions/phrasing.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>

#include "dialogue/linking/name_index.h"
#include "dialogue/questions/wording_text.h"

namespace kgwalk::dialogue {

using graph::EntityId;

namespace {

// Relations that say of a thing that it is male or female, whatever they are called.
std::vector<graph::RelationId> relations_to(const graph::KnowledgeGraph& graph,
                                            std::initializer_list<std::optional<EntityId>> values) {
  std::set<graph::RelationId> relations;
  for (const std::optional<EntityId>& value : values)
    for (const graph::Edge& edge : value ? graph.out_edges(*value) : std::span<const graph::Edge>())
      if (graph.relation_name(edge.relation).starts_with('~')) relations.insert(graph.inverse(edge.relation));
  return {relations.begin(), relations.end()};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

struct Phrasing::Pronouns {
  std::string_view subject, object, owner;
};

Phrasing::Phrasing(const graph::KnowledgeGraph& graph, const Topics& topics, const GenerateConfig& config,
                   Random& random)
    : graph_(graph),
      topics_(topics),
      config_(config),
      random_(random),
      male_(graph.find_entity("male")),
      female_(graph.find_entity("female")),
      genders_(relations_to(graph, {male_, female_})) {
  for (const std::string& line : topics.phrases("same")) same_.push_back(members_of(line));
}

// One of the words or turns of phrase that the bank knows others for gives way to one of them.
void Phrasing::reword(std::string& text) {
  if (config_.split != QuestionSplit::kTrain || random_.uniform() >= config_.reworded) return;
  std::vector<std::array<std::size_t, 3>> places;  // of the text, of the list, of its member
  for (std::size_t s = 0; s < same_.size(); ++s)
    for (std::size_t m = 0; m < same_[s].size(); ++m)
      if (const std::size_t at = word_at(text, same_[s][m]); at != std::string::npos)
        places.push_back({at, s, m});
  if (places.empty()) return;
  const auto [at, list, member] = any(places, random_);
  const std::size_t other = random_.below(same_[list].size());
  text.replace(at, same_[list][member].size(), same_[list][other]);
}

Phrasing::Pronouns Phrasing::pronouns(EntityId e, Kind kind) const {
  if (kind != Kind::kPerson) return {"it", "it", "its"};
  if (!genders_.empty())
    for (const EntityId tail : topics_.tails(e, genders_)) {
      if (tail == male_) return {"he", "him", "his"};
      if (tail == female_) return {"she", "her", "her"};
    }
  return {"they", "them", "their"};
}

// Pronouns in the places of the name.
void Phrasing::refer(std::string& text, const Pronouns& words) {
  replace_all(text, "{x's}", words.owner);
  replace_all(text, "{he}", words.subject);
  // "who is {x} married to": what stands after a verb of being or doing is a subject.
  for (const std::string_view verb :
       {"is ", "was ", "did ", "does ", "has ", "are ", "do ", "can ", "that ", "where ", "which "}) {
    std::string from(verb), to(verb);
    replace_all(text, from.append("{x}"), to.append(words.subject));
  }
  if (text.starts_with("{x}")) text.replace(0, 3, words.subject);
  replace_all(text, "{x}", words.object);
  if (words.subject == "they")
    for (const auto& [one, many] : {std::pair{"is they", "are they"},
                                    {"was they", "were they"},
                                    {"does they", "do they"},
                                    {"has they", "have they"}})
      replace_all(text, one, many);
}

void Phrasing::say(std::string text, EntityId start, Kind kind, QuestionTurn& question,
                   const std::string& claim) {
  question.start = graph_.entity_name(start);
  const std::string name = plain_name(graph_.entity_name(start));
  const auto& mention = topics_.phrases("mention");
  const bool pronoun = !mention.empty() && random_.uniform() < config_.pronouns;
  reword(text);
  if (random_.uniform() < config_.typos) mistype(text);
  if (pronoun) {
    question.mention = "pronoun";
    std::string before = any(mention, random_);
    replace_all(before, "{x}", name);
    question.turns.push_back(std::move(before));
    if (!topics_.phrases("filler").empty() && random_.uniform() < config_.fillers)
      question.turns.push_back(any(topics_.phrases("filler"), random_));
    refer(text, pronouns(start, kind));
  } else {
    distract(start, question);
    replace_all(text, "{x's}", name.ends_with('s') && random_.uniform() < 0.5 ? name + "'" : name + "'s");
    replace_all(text, "{he}", name);
    replace_all(text, "{x}", name);
  }
  replace_all(text, "{y}", claim);
  if (random_.uniform() < 0.2) {
    const auto& prefixes = topics_.phrases(config_.split == QuestionSplit::kTrain ? "prefix" : "test_prefix");
    if (!prefixes.empty()) text.insert(0, any(prefixes, random_));
  }
  question.turns.push_back(finished(std::move(text), name));
  add_chat(question);
}

// A turn about something else: who names what is asked about does not mean that.
void Phrasing::distract(EntityId start, QuestionTurn& question) {
  const auto& mention = topics_.phrases("mention");
  if (mention.empty() || random_.uniform() >= config_.distractors) return;
  const auto other = static_cast<EntityId>(random_.below(graph_.num_connected()));
  if (other == start || !topics_.speakable(other)) return;
  std::string before = any(mention, random_);
  replace_all(before, "{x}", plain_name(graph_.entity_name(other)));
  question.turns.push_back(std::move(before));
  const auto& filler = topics_.phrases("filler");
  if (!filler.empty() && random_.uniform() < config_.fillers) question.turns.push_back(any(filler, random_));
}

void Phrasing::add_chat(QuestionTurn& question) {
  if (topics_.phrases("chat").empty() || random_.uniform() >= config_.chat) return;
  question.turns.insert(question.turns.begin(), any(topics_.phrases("chat"), random_));
}

std::string Phrasing::finished(std::string text, const std::string& name) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == std::string_view::npos &&
      random_.uniform() < 0.75) {
    const bool orders = text.starts_with("name ") || text.starts_with("list ") || text.starts_with("tell ") ||
                        text.starts_with("give ") || text.find(": name ") != text.npos ||
                        text.find(", list ") != text.npos;
    text.push_back(orders ? '.' : '?');
  }
  if (random_.uniform() < config_.lower_case) {
    for (char& c : text)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  } else if (!text.empty() && text[0] >= 'a' && text[0] <= 'z' && !text.starts_with(name) &&
             random_.uniform() < 0.8) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// One letter is dropped, doubled or swapped with the next, inside a word of the wording.
void Phrasing::mistype(std::string& text) {
  std::vector<std::size_t> places;
  bool name = false;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    name = text[i - 1] == '{' || (name && text[i - 1] != '}');
    if (!name && is_letter(text[i - 1]) && is_letter(text[i]) && is_letter(text[i + 1])) places.push_back(i);
  }
  if (places.empty()) return;
  const std::size_t at = any(places, random_);
  const std::uint64_t way = random_.below(3);
  if (way == 0) text.erase(at, 1);
  if (way == 1) text.insert(at, 1, text[at]);
  if (way == 2) std::swap(text[at], text[at + 1]);
}

}  // namespace kgwalk::dialogue
