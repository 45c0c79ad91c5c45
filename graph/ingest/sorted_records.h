// Texts with numbers, in their order: sorted in memory by parts, which wait in a file without a name and are
// merged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/spool_file.h"

namespace kgwalk::graph {

class SortedRecords {
 public:
  static constexpr std::size_t kPartBytes = 64 << 20;

  // `folder`: for the file. `part_bytes`: about what memory holds at once.
  explicit SortedRecords(std::filesystem::path folder, std::size_t part_bytes = kPartBytes)
      : folder_(std::move(folder)), part_bytes_(part_bytes) {}

  void add(std::string_view text, std::uint32_t number);
  // give(text, number) for all, texts ascending as bytes, then numbers; once, after all were added.
  void give_all(const std::function<void(std::string_view, std::uint32_t)>& give);

 private:
  struct Record {
    std::size_t begin;
    std::uint32_t bytes, number;
  };
  class Part;

  [[nodiscard]] std::string_view text_of(const Record& record) const {
    return std::string_view(texts_).substr(record.begin, record.bytes);
  }
  void sort();
  void spill();

  std::filesystem::path folder_;
  std::size_t part_bytes_;
  std::string texts_;
  std::vector<Record> records_;
  std::unique_ptr<SpoolFile> file_;
  std::vector<std::uint64_t> part_ends_;
};

}  // namespace kgwalk::graph
