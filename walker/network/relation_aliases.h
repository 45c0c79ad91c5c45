// Other words for relations ("who helmed", "filmmaker behind" for directed_by), put in the place of a
// relation's own in some steps of a training: so a listener learns what words have to do with what is asked,
// not which relation of the training they stand for, and a relation that it has never heard of can be asked
// for.
//
// Shapes: A aliases, R relations, W words, E width of a text encoder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "walker/network/padded_bags.h"

namespace kgwalk::walker {

class RelationAliases {
 public:
  // The alias's number; known ones are not added twice.
  std::int64_t add(const std::string& words);
  // To be called once all are known. `phrases` may be null: no text encoder then.
  void read(const WordPieces& pieces, const PhraseStates* phrases);
  [[nodiscard]] bool empty() const { return words_.empty(); }

  // `relations` with alias `chosen[r]` in the place of relation r's words, where it is not negative: [R].
  [[nodiscard]] RelationBags in_place(const RelationBags& relations,
                                      std::span<const std::int64_t> chosen) const;

 private:
  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int64_t> numbers_;
  RelationBags bags_;                               // of all aliases, as relations
  std::vector<std::vector<std::int64_t>> members_;  // [A] places of each alias's words among those of `bags_`
};

}  // namespace kgwalk::walker
