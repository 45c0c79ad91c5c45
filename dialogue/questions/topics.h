// What a graph can be asked about in one split of the wordings: families of relations that it has, in both
// directions, with the entities that have them. Torch-free.
#pragma once

#include <array>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/questions/bank.h"
#include "dialogue/questions/generate.h"
#include "runtime/random.h"

namespace kgwalk::dialogue {

// A family asked in one direction, with its relations in the graph.
struct Topic {
  const Family* family = nullptr;
  bool backward = false, held = false, of_bank = true;
  std::vector<graph::RelationId> relations;
  std::vector<std::string> names;                       // of these
  std::vector<graph::EntityId> subjects;                // entities that have one of them
  std::array<std::vector<const Wording*>, 4> wordings;  // by form, of the split that is asked with
  std::array<std::vector<const Wording*>, 4> composed;  // made of noun phrases
  std::array<std::vector<const Wording*>, 4> by_name;   // in the relations' own words
  std::vector<double> summed = {};  // weights of facts, summed up over `subjects`; empty: all alike
  [[nodiscard]] Kind subject_kind() const { return backward ? family->tail : family->head; }
  [[nodiscard]] Kind answer_kind() const { return backward ? family->head : family->tail; }
  [[nodiscard]] const auto& of(Form form) const { return wordings[static_cast<std::size_t>(form)]; }
};

// One of a list that is not empty.
template <class T>
[[nodiscard]] const T& any(const std::vector<T>& list, Random& random) {
  return list[random.below(list.size())];
}

// Borrows graph, bank and configuration.
class Topics {
 public:
  // ConfigError when the graph has no relation that could be asked for in this split.
  Topics(const graph::KnowledgeGraph& graph, const Bank& bank, const GenerateConfig& config);

  // A topic that can be asked for in this form; nullptr when none was found.
  [[nodiscard]] const Topic* draw(Form form, Random& random) const;
  // One that can be asked about; the topic must have some.
  [[nodiscard]] graph::EntityId subject(const Topic& topic, Random& random) const;
  [[nodiscard]] const Wording& wording(const Topic& topic, Form form, Random& random) const;
  // Other words for what the topic asks for, taken from its wordings and noun phrases of this split; may be
  // empty.
  [[nodiscard]] static std::vector<std::string> said_as(const Topic& topic, std::size_t count,
                                                        Random& random);
  // The topic that has a noun phrase for this relation; nullptr where there is none.
  [[nodiscard]] const Topic* with_phrase(graph::RelationId relation) const;
  // Whether a name is short enough to be said and means this entity alone.
  [[nodiscard]] bool speakable(graph::EntityId entity) const;
  // What the relations lead to from an entity, itself left out, ascending.
  [[nodiscard]] std::vector<graph::EntityId> tails(graph::EntityId from,
                                                   const std::vector<graph::RelationId>& relations) const;
  // All of them, and those that the graph says something about of an entity; in the order of the bank.
  [[nodiscard]] const std::vector<Topic>& all() const { return topics_; }
  [[nodiscard]] std::vector<const Topic*> known_of(graph::EntityId entity) const;
  // A section of phrases of the bank; empty when it has none of that name.
  [[nodiscard]] const std::vector<std::string>& phrases(const std::string& name) const;

 private:
  [[nodiscard]] std::vector<graph::RelationId> relations_named(const std::string& name) const;
  void add_topic(const Family& family, bool backward, bool of_bank);
  const Wording* keep(Wording wording) { return &made_.emplace_back(std::move(wording)); }
  void compose(Topic& topic);
  void add_names(Topic& topic);
  void add_other_relations();
  void fill_subjects();
  void weigh_subjects();
  void weigh();
  void count_names();

  const graph::KnowledgeGraph& graph_;
  const Bank& bank_;
  const GenerateConfig& config_;
  std::set<std::string> held_, known_;
  std::vector<Family> others_;
  std::unordered_map<std::string, std::vector<graph::RelationId>> relations_of_;  // by relation_key()
  std::unordered_map<std::string, int> named_;  // entities of a name as it is said
  std::deque<Wording> made_;                    // wordings that no family holds; they stay where they are
  std::vector<Topic> topics_;
  std::vector<std::vector<std::uint32_t>> topics_of_;  // by relation: places of topics
  std::vector<double> weights_;                        // of topics, summed up
};

}  // namespace kgwalk::dialogue
