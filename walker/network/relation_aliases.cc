#include "walker/network/relation_aliases.h"

#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::walker {

using torch::Tensor;

std::int64_t RelationAliases::add(const std::string& words) {
  const auto [place, added] = numbers_.emplace(words, static_cast<std::int64_t>(words_.size()));
  if (added) words_.push_back(words);
  return place->second;
}

void RelationAliases::read(const WordPieces& pieces, const PhraseStates* phrases) {
  bags_ = relation_bags(pieces, words_, false, phrases);
  members_.assign(words_.size(), {});
  const std::int64_t* owners = bags_.owners.data_ptr<std::int64_t>();
  const std::int64_t* members = bags_.members.data_ptr<std::int64_t>();
  for (std::int64_t m = 0; m < bags_.members.size(0); ++m)
    members_[static_cast<std::size_t>(owners[m])].push_back(members[m]);
}

RelationBags RelationAliases::in_place(const RelationBags& given,
                                       std::span<const std::int64_t> chosen) const {
  const RelationBags relations = given.to(torch::kCPU);
  RelationBags result = relations;
  const std::int64_t words = relations.words.keep.size(0), rows = relations.words.rows.size(0);
  result.words = {torch::cat({relations.words.rows, bags_.words.rows}),
                  torch::cat({relations.words.begins, bags_.words.begins + rows}),
                  torch::cat({relations.words.keep, bags_.words.keep})};
  const std::int64_t* members = relations.members.data_ptr<std::int64_t>();
  const std::int64_t* begins = relations.begins.data_ptr<std::int64_t>();
  std::vector<std::int64_t> new_members, new_begins, owners, replaced, by;
  for (std::int64_t r = 0; r < relations.size(); ++r) {
    new_begins.push_back(static_cast<std::int64_t>(new_members.size()));
    const std::int64_t alias = chosen[static_cast<std::size_t>(r)];
    if (alias >= 0) {
      for (const std::int64_t member : members_[static_cast<std::size_t>(alias)])
        new_members.push_back(words + member);
      replaced.push_back(r);
      by.push_back(alias);
    } else {
      const std::int64_t end =
          r + 1 < relations.size() ? begins[r + 1] : static_cast<std::int64_t>(relations.members.size(0));
      new_members.insert(new_members.end(), members + begins[r], members + end);
    }
    owners.resize(new_members.size(), r);
  }
  result.members = int64_tensor(new_members);
  result.begins = int64_tensor(new_begins);
  result.owners = int64_tensor(owners);
  const Tensor at = int64_tensor(replaced);
  result.replaced = torch::zeros({relations.size(), 1}).index_fill_(0, at, 1);
  result.directions = relations.directions.index_fill(0, at, 0);
  if (relations.texts.defined())
    result.texts = relations.texts.index_copy(0, at, bags_.texts.index_select(0, int64_tensor(by)));
  return result;
}

}  // namespace kgwalk::walker
