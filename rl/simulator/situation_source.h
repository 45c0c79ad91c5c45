// A situation as the dialogue that the user's model reads: the names that may be said are its speakers, so
// that each is one piece that is copied whole; utterances, hops and what the vertex is are its turns.
// Torch-free.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "dialogue/response/ordinary_names.h"
#include "kgwalk/knowledge_graph.h"
#include "rl/simulator/simulator_config.h"
#include "seq2seq/tasks/summary/dialogue.h"
#include "walker/example.h"

namespace kgwalk::rl {

// What a model is told of a turn beside its situation.
struct Moment {
  bool unspoken = false;  // nobody has said anything since the last path was walked
  bool swapped = false;   // an assistant speaks: people in that part say other things than users
};

// Borrows the graph. Thread-safe.
class SituationSource {
 public:
  SituationSource(const SimulatorConfig& config, const graph::KnowledgeGraph& graph,
                  const dialogue::OrdinaryNames& ordinary);

  [[nodiscard]] seq2seq::Dialogue read(const walker::Example& situation, Moment moment) const;
  // What may be named in it: its names, and what was said.
  [[nodiscard]] std::vector<std::string> allowed(const walker::Example& situation) const;

 private:
  [[nodiscard]] std::span<const graph::Chat> heard(const walker::Example& situation) const;
  [[nodiscard]] std::span<const graph::Triple> seen(const walker::Example& situation) const;
  [[nodiscard]] std::string plain(graph::EntityId entity) const;
  void add_mentions(std::string_view text, std::vector<std::string>& names) const;
  [[nodiscard]] std::vector<std::string> names_of(const walker::Example& situation) const;
  [[nodiscard]] std::string relations_of(graph::EntityId vertex) const;

  const graph::KnowledgeGraph& graph_;
  std::size_t utterances_, paths_, relations_, most_names_;
  dialogue::NameIndex index_;
  dialogue::OrdinaryNames ordinary_;
  std::vector<std::uint8_t> common_;  // by word: its name is an ordinary word
};

}  // namespace kgwalk::rl
