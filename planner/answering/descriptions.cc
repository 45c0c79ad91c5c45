#include "planner/answering/descriptions.h"

#include "kgwalk/error.h"
#include "kgwalk/store.h"

namespace kgwalk {

std::string_view Descriptions::of(graph::EntityId entity) const {
  if (database_.empty()) return {};
  std::call_once(read_, [&] {
    try {
      values_ = graph::Values::load(graph::Store::open(database_, graph::Store::Mode::kReadOnly));
    } catch (const Error&) {
      values_.reset();
    }
  });
  return values_ ? values_->description(entity) : std::string_view();
}

}  // namespace kgwalk
