// Words with trained vectors: those that at least `min_messages` training messages hold. Id 0 stands
// for nothing, 1 for any other word; the rest in order of the words, so that it depends on the
// training dialogues alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dialogue/linking/said_words.h"
#include "kgwalk/dialogue.h"

namespace kgwalk::walker {

class Vocabulary {
 public:
  Vocabulary(const dialogue::SaidWords& said, int min_messages);
  Vocabulary(std::span<const graph::Dialogue> dialogues, int min_messages);
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(ids_.size()) + 2; }
  // Ids of the words of a text; {0} for a text without words. Words among `masked` count as nothing.
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text,
                                                 std::span<const std::string> masked = {}) const;

 private:
  std::unordered_map<std::string, std::int64_t> ids_;
};

}  // namespace kgwalk::walker
