// What the numbers of a file of triples stand for: `id TAB name` or `name TAB id`, with or without a header,
// as PyKEEN (entity_to_id.tsv.gz) and DGL-KE (entities.dict, relations.tsv) write them.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "graph/ingest/problem_log.h"
#include "runtime/input_bytes.h"

namespace kgwalk::graph {

class IdMap {
 public:
  // Bad lines are skipped and logged. The column in which every line has a number is that of the ids; the
  // first where both have. DataError when neither has. The bytes must outlive the map.
  IdMap(std::string_view bytes, std::size_t max_line_bytes, ProblemLog& log);
  [[nodiscard]] std::optional<std::string_view> name(std::string_view id) const;
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  [[nodiscard]] std::size_t lines() const noexcept { return lines_; }

 private:
  std::unordered_map<std::string_view, std::string_view> names_;
  std::size_t lines_ = 0;
};

[[nodiscard]] bool is_number(std::string_view text) noexcept;

}  // namespace kgwalk::graph
