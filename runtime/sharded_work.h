// The one place that knows what a shard is (kgwalk/shards.h): which units of a batch of work are done here,
// where their results are kept, and how parts become the whole again. A batch of work asks it for each unit:
//
//   ShardedWork work(options.shards);
//   work.rests_on("graph", graph.checksum());
//   for (const Batch& batch : batches)
//     if (auto found = work.unit<std::vector<Rank>>([&] { return ranks_of(batch); })) append(all, *found);
//   if (const auto done = work.end()) return {done->text, done->json};  // a shard: the whole is told by a
//   merge return report_on(all);
//
// A result is a value that nlohmann/json converts both ways; numbers come back bit for bit, infinite ones do
// not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kgwalk/json.h"
#include "kgwalk/shards.h"

namespace kgwalk {

// What is told of a shard.
struct ShardDone {
  std::string text;
  Json json;
};

class ShardedWork {
 public:
  // All of the work, kept nowhere.
  ShardedWork();
  // Reads the parts where there are any. ConfigError for a shard without a part or both of part and parts;
  // FormatError for parts that are damaged, or not those of all shards of one work, naming all that differs.
  explicit ShardedWork(const Shards& shards);
  ~ShardedWork();
  ShardedWork(const ShardedWork&) = delete;
  ShardedWork& operator=(const ShardedWork&) = delete;

  // What results depend on beside the command, as the checksum of a graph: told in the part, and compared
  // where parts are merged (FormatError).
  void rests_on(std::string_view what, const Json& value);

  // Whether the results become a part: nothing else is to be written.
  [[nodiscard]] bool is_part() const;

  // The number of the first of `count` units that come next. Every process numbers alike: units are taken in
  // an order that does not depend on results.
  [[nodiscard]] std::int64_t take(std::int64_t count);
  // The result of unit `number`: computed where it is this shard's, known where parts are merged, nullopt
  // where another shard does it. Thread-safe.
  template <class T, class Compute>
  [[nodiscard]] std::optional<T> unit(std::int64_t number, Compute&& compute);
  // The same of the next unit.
  template <class T, class Compute>
  [[nodiscard]] std::optional<T> unit(Compute&& compute) {
    return unit<T>(take(1), std::forward<Compute>(compute));
  }

  // Ends the work. Of a shard the part is written now, whole, and what is told of it comes back; nullopt
  // otherwise. FormatError where merged parts hold more units than there were.
  [[nodiscard]] std::optional<ShardDone> end();

 private:
  class Part;    // being written
  class Merged;  // parts that were read
  [[nodiscard]] bool is_mine(std::int64_t number) const;
  [[nodiscard]] Json known(std::int64_t number) const;
  void keep(std::int64_t number, const Json& result);

  Shards shards_;
  Json rests_on_ = Json::object();
  std::int64_t taken_ = 0;
  std::unique_ptr<Part> part_;
  std::unique_ptr<const Merged> merged_;
};

template <class T, class Compute>
std::optional<T> ShardedWork::unit(std::int64_t number, Compute&& compute) {
  if (merged_ != nullptr) return known(number).template get<T>();
  if (!is_mine(number)) return std::nullopt;
  std::optional<T> found(std::forward<Compute>(compute)());
  if (part_ != nullptr) keep(number, Json(*found));
  return found;
}

}  // namespace kgwalk
