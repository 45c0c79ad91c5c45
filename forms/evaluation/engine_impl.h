// Inside of Engine.
#pragma once

#include "forms/evaluation/relation_index.h"
#include "kgwalk/query.h"

namespace kgwalk::forms {

struct Engine::Impl {
  const graph::TypedValues* values;
  RelationIndex index;

  explicit Impl(const graph::TypedValues& from) : values(&from), index(from.graph()) {}
};

}  // namespace kgwalk::forms
