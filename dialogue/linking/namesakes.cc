#include "dialogue/linking/namesakes.h"

#include <algorithm>
#include <cmath>

namespace kgwalk::dialogue {
namespace {

using graph::EntityId;

constexpr double kFade = 0.6;             // of what was said a turn before, to what was said after it
constexpr double kStoodOn = 1.0;          // weights of where the walk is
constexpr double kWalked = 0.5;           // and was
constexpr double kItself = 0.5;           // an entity that the walk was at is likely meant again
constexpr double kNow = 4.0;              // of what is said with the name, to what was said a turn before
constexpr double kInBrackets = 1.0;       // a word that stands behind the name
constexpr double kTwoHops = 0.5;          // of a neighbor in common to being neighbors
constexpr std::size_t kHeard = 6;         // utterances looked back
constexpr std::size_t kMaxShared = 4096;  // edges of an entity whose neighbors are looked through

}  // namespace

Clues::Clues(const graph::KnowledgeGraph& graph, const NameIndex& names, std::string_view text,
             const LinkContext& context)
    : graph_(graph), names_(names) {
  hear(text, kNow);
  double weight = 1;
  std::size_t heard = 0;
  for (auto before = context.earlier.rbegin(); before != context.earlier.rend() && heard < kHeard;
       ++before, ++heard)
    hear(*before, weight *= kFade);
  const auto walked = [&](EntityId entity, double strength) {
    add(entity, strength);
    double& known = walked_[entity];
    known = std::max(known, strength);
  };
  for (const EntityId entity : context.walked) walked(entity, kWalked);
  if (context.near) walked(*context.near, kStoodOn);
}

void Clues::hear(std::string_view text, double weight) {
  for (std::string& word : words_of(text)) {
    double& known = words_[std::move(word)];
    known = std::max(known, weight);
  }
  const std::vector<WordId> words = names_.encode(text);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t n = 1; n <= kMaxNameWords && i + n <= words.size() && words[i + n - 1] != kUnknownWord;
         ++n) {
      const auto entities = names_.entities_named(std::span(words).subspan(i, n));
      // Many namesakes are no clue to another name.
      for (const EntityId entity :
           entities.subspan(0, entities.size() > kManyNamesakes ? 0 : entities.size()))
        add(entity, weight / static_cast<double>(entities.size()));
    }
}

void Clues::add(EntityId entity, double weight) {
  double& known = named_[entity];
  known = std::max(known, weight);
}

// An entity that many others are joined to tells little of one of them.
double Clues::telling(EntityId entity) const {
  return 1 / std::log2(2.0 + static_cast<double>(graph_.neighbors(entity).size()));
}

double Clues::said_in_brackets(EntityId entity) const {
  const std::string_view name = graph_.entity_name(entity);
  const std::size_t open = name.find('(');
  if (open == std::string_view::npos) return 0;
  const std::vector<std::string> bare = words_of(name.substr(0, open));
  const auto said = [&](const std::string& word) {
    const auto found = words_.find(word);
    return found == words_.end() || std::find(bare.begin(), bare.end(), word) != bare.end() ? 0
                                                                                            : found->second;
  };
  // A number tells by itself ("1995 Film"), a name as a whole ("Jonas Ivanov").
  double weight = 0;
  for (std::string_view rest = name.substr(open); !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    double least = 1e9, number = 0;
    for (const std::string& word : words_of(rest.substr(0, end))) {
      least = std::min(least, said(word));
      if (word.front() >= '0' && word.front() <= '9') number = std::max(number, said(word));
    }
    weight += kInBrackets * std::max(number, least == 1e9 ? 0 : least);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return weight;
}

double Clues::weigh(EntityId entity, const std::vector<std::pair<EntityId, double>>& clues) const {
  double weight = said_in_brackets(entity);
  if (const auto itself = walked_.find(entity); itself != walked_.end()) weight += kItself * itself->second;
  const auto around = graph_.neighbors(entity);
  for (const auto& [clue, strength] : clues) {
    if (std::binary_search(around.begin(), around.end(), clue)) {
      weight += strength * telling(clue);
      continue;
    }
    auto few = graph_.neighbors(clue), many = around;
    if (few.size() > many.size()) std::swap(few, many);
    if (few.size() > kMaxShared) continue;
    for (const EntityId shared : few)
      if (std::binary_search(many.begin(), many.end(), shared))
        weight += kTwoHops * strength * telling(shared) * telling(shared);
  }
  return weight;
}

std::vector<double> Clues::weigh(std::span<const EntityId> entities) const {
  // Namesakes are no clues to each other.
  std::vector<EntityId> sorted(entities.begin(), entities.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<EntityId, double>> clues;
  for (const auto& [entity, strength] : named_)
    if (!std::binary_search(sorted.begin(), sorted.end(), entity)) clues.emplace_back(entity, strength);
  std::sort(clues.begin(), clues.end());  // sums must not depend on the order of the map
  std::vector<double> weights(entities.size(), 0);
  if (entities.size() <= kManyNamesakes) {
    for (std::size_t i = 0; i < entities.size(); ++i) weights[i] = weigh(entities[i], clues);
    return weights;
  }
  std::unordered_map<EntityId, double> near;
  for (const auto& [clue, strength] : clues)
    for (const EntityId entity : graph_.neighbors(clue))
      if (std::binary_search(sorted.begin(), sorted.end(), entity)) near[entity] += strength * telling(clue);
  for (const auto& [entity, strength] : walked_) near[entity] += kItself * strength;
  for (std::size_t i = 0; i < entities.size(); ++i)
    if (const auto found = near.find(entities[i]); found != near.end()) weights[i] = found->second;
  return weights;
}

}  // namespace kgwalk::dialogue
