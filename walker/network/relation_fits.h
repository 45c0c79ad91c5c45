// RelationCompany's judgement as a tensor.
#pragma once

#include <span>

#include "runtime/tensor/torch.h"
#include "walker/features/relation_company.h"

namespace kgwalk::walker {

// [N, relations]
inline torch::Tensor fits_of(const RelationCompany& company, std::span<const graph::EntityId> entities,
                             std::size_t relations) {
  torch::Tensor fits =
      torch::empty({static_cast<std::int64_t>(entities.size()), static_cast<std::int64_t>(relations)});
  float* row = fits.data_ptr<float>();
  for (const graph::EntityId entity : entities) {
    company.log_fit(entity, {row, relations});
    row += relations;
  }
  return fits;
}

}  // namespace kgwalk::walker
