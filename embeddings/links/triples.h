// The index of known answers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "embeddings/models/score_model.h"
#include "kgwalk/embeddings.h"

namespace kgwalk::embeddings {

/// All answers to the questions (entity, relation, ?) and (?, relation, entity) that a set of triples knows.
/// Groups are sorted by (side, relation, entity) and answers within a group ascend without duplicates.
/// Immutable.
class AnswerIndex {
 public:
  struct Group {
    EntityId entity = 0;  // the given end
    RelationId relation = 0;
    Side side = Side::kTail;  // the end that is asked for
  };

  AnswerIndex() = default;
  /// Indexes the union of `splits`.
  AnswerIndex(std::initializer_list<std::span<const Triple>> splits);

  [[nodiscard]] std::size_t num_groups() const { return groups_.size(); }
  [[nodiscard]] const Group& group(std::size_t i) const { return groups_[i]; }
  [[nodiscard]] std::span<const EntityId> answers(std::size_t i) const {
    return {answers_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
  }
  /// Position of group i's first answer in the array of all answers.
  [[nodiscard]] std::int64_t offset(std::size_t i) const { return offsets_[i]; }
  [[nodiscard]] std::int64_t num_answers() const { return static_cast<std::int64_t>(answers_.size()); }
  /// Number of the group, or num_groups() when the question has no known answer.
  [[nodiscard]] std::size_t find(EntityId entity, RelationId relation, Side side) const;
  /// Answers to a question; empty when none is known.
  [[nodiscard]] std::span<const EntityId> lookup(EntityId entity, RelationId relation, Side side) const;

 private:
  std::vector<Group> groups_;
  std::vector<std::int64_t> offsets_;
  std::vector<EntityId> answers_;
};

}  // namespace kgwalk::embeddings
