// An array that grows at its end, and lies in a file without a name where it is larger than what memory is
// meant to hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/spool_file.h"

namespace kgwalk::graph {

template <class T>
class SpooledArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t kKept = (32 << 20) / sizeof(T);

  // `folder`: where the file is made once there are `most` values; empty: all stays in memory.
  explicit SpooledArray(std::filesystem::path folder = {}, std::size_t most = kKept)
      : folder_(std::move(folder)), most_(most) {}

  void reserve(std::size_t size) { kept_.reserve(folder_.empty() ? size : std::min(size, most_)); }
  void push_back(const T& value) {
    kept_.push_back(value);
    if (kept_.size() >= most_ && !folder_.empty()) spill();
  }
  void append(std::span<const T> values) {
    kept_.insert(kept_.end(), values.begin(), values.end());
    if (kept_.size() >= most_ && !folder_.empty()) spill();
  }
  [[nodiscard]] std::size_t size() const noexcept { return spilled_ + kept_.size(); }

  // fn(span<const T>) over all of it, in order.
  template <class Fn>
  void for_each_chunk(Fn&& fn) const {
    std::vector<T> chunk(std::min<std::size_t>(spilled_, kChunk));
    for (std::size_t begin = 0; begin < spilled_; begin += kChunk) {
      const std::span<T> part = std::span(chunk).first(std::min(kChunk, spilled_ - begin));
      file_->read_at(begin * sizeof(T), {reinterpret_cast<char*>(part.data()), part.size_bytes()});
      fn(std::span<const T>(part));
    }
    if (!kept_.empty()) fn(std::span<const T>(kept_));
  }

  // For look-ups here and there: mapped where it lies in a file.
  [[nodiscard]] std::span<const T> view() {
    if (!file_) return kept_;
    spill();
    const std::string_view bytes = file_->map();
    return {reinterpret_cast<const T*>(bytes.data()), spilled_};
  }

 private:
  static constexpr std::size_t kChunk = 1 << 16;

  void spill() {
    if (!file_) file_ = std::make_unique<SpoolFile>(folder_);
    file_->append({reinterpret_cast<const char*>(kept_.data()), kept_.size() * sizeof(T)});
    spilled_ += kept_.size();
    kept_.clear();
  }

  std::filesystem::path folder_;
  std::size_t most_;
  std::vector<T> kept_;
  std::unique_ptr<SpoolFile> file_;
  std::size_t spilled_ = 0;
};

}  // namespace kgwalk::graph
