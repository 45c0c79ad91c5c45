#include "embeddings/links/triples.h"

#include <algorithm>
#include <tuple>

namespace kgwalk::embeddings {
namespace {

struct KnownAnswer {
  Side side;
  RelationId relation;
  EntityId entity;
  EntityId answer;
  friend auto operator<=>(const KnownAnswer&, const KnownAnswer&) = default;
};

auto key(const AnswerIndex::Group& g) { return std::tuple(g.side, g.relation, g.entity); }

}  // namespace

AnswerIndex::AnswerIndex(std::initializer_list<std::span<const Triple>> splits) {
  std::vector<KnownAnswer> all;
  for (const auto& split : splits) {
    for (const Triple& t : split) {
      all.push_back({Side::kTail, t.relation, t.head, t.tail});
      all.push_back({Side::kHead, t.relation, t.tail, t.head});
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  answers_.reserve(all.size());
  for (const KnownAnswer& a : all) {
    const Group group{a.entity, a.relation, a.side};
    if (groups_.empty() || key(groups_.back()) != key(group)) {
      groups_.push_back(group);
      offsets_.push_back(static_cast<std::int64_t>(answers_.size()));
    }
    answers_.push_back(a.answer);
  }
  offsets_.push_back(static_cast<std::int64_t>(answers_.size()));
}

std::size_t AnswerIndex::find(EntityId entity, RelationId relation, Side side) const {
  const Group wanted{entity, relation, side};
  const auto it = std::lower_bound(groups_.begin(), groups_.end(), wanted,
                                   [](const Group& a, const Group& b) { return key(a) < key(b); });
  if (it == groups_.end() || key(*it) != key(wanted)) return groups_.size();
  return static_cast<std::size_t>(it - groups_.begin());
}

std::span<const EntityId> AnswerIndex::lookup(EntityId entity, RelationId relation, Side side) const {
  const std::size_t i = find(entity, relation, side);
  return i == groups_.size() ? std::span<const EntityId>{} : answers(i);
}

}  // namespace kgwalk::embeddings
