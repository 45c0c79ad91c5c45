// The names of a graph as a set of sequences of words, and what of them may be said in one sentence: the
// memory of what keeps a model from wrong names (name_guard.h). Shares no code with the judge of finished
// sentences (name_check.h). Torch-free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/response/message.h"
#include "dialogue/response/ordinary_names.h"
#include "kgwalk/knowledge_graph.h"

namespace kgwalk::dialogue {

// Runs of letters and digits, folded, without accents; apostrophes part words. Text that is not UTF-8 has
// none.
[[nodiscard]] std::vector<std::string> guarded_words(std::string_view text);

// Every name of an entity with edges, whole and without its "(...)" and "#n", with its apostrophes as parting
// words or as nothing; ordinary ones left out. Immutable.
class ForbiddenNames {
 public:
  ForbiddenNames(const graph::KnowledgeGraph& graph, const OrdinaryNames& ordinary);

  // The lengths, in words, of the names that end with the last of `words`.
  [[nodiscard]] std::vector<std::size_t> ending(std::span<const std::string> words) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t longest() const { return longest_; }  // words

 private:
  void add(const std::vector<std::string>& words);

  // Hashes of the last words of names, from one to all of them, and whether they are all: nearly every
  // question is answered by the first or second.
  std::unordered_map<std::uint64_t, bool> endings_;
  std::size_t size_ = 0;
  std::size_t longest_ = 1;
};

// What may be named beside: the names of a message and its goal, parts of them, and whatever its context
// says.
class AllowedNames {
 public:
  AllowedNames() = default;
  explicit AllowedNames(const Message& message);
  // Whatever stands in these texts.
  explicit AllowedNames(std::span<const std::string> texts);
  [[nodiscard]] bool contain(std::span<const std::string> words) const;

 private:
  void allow(std::string_view text);

  std::vector<std::string> texts_;  // words between single spaces
};

}  // namespace kgwalk::dialogue
