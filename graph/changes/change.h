// Changes of a graph as the log of edits keeps them: small steps on ids, each with what takes it back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kgwalk/graph_types.h"

namespace kgwalk::graph {

// What a fact carries beside its ends, as GraphDetails tells it.
struct FactNote {
  std::optional<float> weight = {};
  std::vector<std::string> sources = {};  // ascending; none: it stands without a source
  friend bool operator==(const FactNote&, const FactNote&) = default;
};

// The numbers are part of the format (docs/reference/formats/edits.md).
enum class ChangeKind : std::uint8_t {
  kName = 0,      // `entity` is called `after`, and was `before`; the next id that is free: a new entity.
                  // Empty: it is none, or none any more
  kId = 1,        // the source's own id of a new entity
  kRelation = 2,  // a new relation and its inverse: `after` and "~" `after`
  kAdd = 3,       // a fact that the base does not have
  kDrop = 4,      // a fact that an edit added
  kHide = 5,      // a fact of the base is no more
  kShow = 6,      // a fact of the base that was hidden is there again
  kAlias = 7,     // `entity` has the other name `after`
  kNoAlias = 8,   // and `before` no more
  kDescribe = 9,  // the description of `entity`
  kJoin = 10,     // what the base's texts say of `entity` is said of `into`
  kPart = 11,     // and no more
};
inline constexpr std::uint8_t kNumChangeKinds = 12;

struct Change {
  ChangeKind kind = ChangeKind::kName;
  EntityId entity = 0;
  EntityId into = 0;  // of kJoin and kPart
  Triple fact = {};   // in the direction that is no inverse
  std::string before = {}, after = {};
  std::shared_ptr<const FactNote> note = {};  // of kAdd and kDrop; shared by the facts of one file
};

[[nodiscard]] std::string encode_changes(std::span<const Change> changes);
// StoreError when the bytes are no changes.
[[nodiscard]] std::vector<Change> decode_changes(std::string_view bytes);

}  // namespace kgwalk::graph
