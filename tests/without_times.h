// Json without what a clock measured, for comparing what must be the same at every run.
#pragma once

#include "kgwalk/json.h"

namespace kgwalk::test {

inline Json without_times(Json json) {
  if (json.is_object())
    for (const char* name : {"planned_ms", "spoken_ms"}) json.erase(name);
  if (json.is_structured())
    for (auto& value : json) value = without_times(std::move(value));
  return json;
}

}  // namespace kgwalk::test
