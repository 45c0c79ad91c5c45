// What a function with shards gives back of one shard.
#pragma once

#include "kgwalk/settings.h"
#include "runtime/sharded_work.h"

namespace kgwalk {

// Ends the work. True where it was one shard of several, which `report` then tells: its part is written, and
// nothing else is to be.
inline bool told_as_shard(ShardedWork& work, Report& report) {
  auto done = work.end();
  if (!done) return false;
  report.text = std::move(done->text);
  report.json = std::move(done->json);
  return true;
}

}  // namespace kgwalk
