// Which entities a sentence names, and whether it may: the judge of whatever speaks. It reads finished
// sentences word by word; what keeps a model from wrong names while it speaks (name_guard.h) shares no code
// with it. Torch-free.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/linking/name_index.h"
#include "dialogue/response/message.h"
#include "dialogue/response/ordinary_names.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

struct NameVerdict {
  std::vector<std::string> named, missing;  // of names_of(message)
  // Entities that are neither of the message (its goal counts as one) nor named in its context, as the graph
  // writes them.
  std::vector<std::string> wrong;
};

// The graph is borrowed. Thread-safe.
class NameChecker {
 public:
  NameChecker(const graph::KnowledgeGraph& graph, OrdinaryNames ordinary);

  // Names count in any case and with or without their "(...)", as owners too ("Nolan's"). The longest name
  // counts; ordinary words name nothing, nor does a part of one of the message's names ("Nolan" of
  // Christopher Nolan). ConfigError where the sentence is not UTF-8.
  [[nodiscard]] NameVerdict check(std::string_view sentence, const Message& message) const;

  [[nodiscard]] const OrdinaryNames& ordinary() const { return ordinary_; }

 private:
  using Words = std::vector<std::string>;
  [[nodiscard]] std::size_t longest_entity(const Words& words, std::size_t at, std::string& name) const;

  const graph::KnowledgeGraph& graph_;
  NameIndex names_;
  OrdinaryNames ordinary_;
};

}  // namespace kgwalk::dialogue
