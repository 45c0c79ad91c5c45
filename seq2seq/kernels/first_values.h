// Whether modules are given first values when they are made. Those of a model that is read from a file at
// once need none, and drawing them takes longer than reading.
#pragma once

#include <utility>

namespace kgwalk::seq2seq {

// While one lives, modules made in its thread keep whatever memory they are given; each weight must be read
// afterwards.
class WithoutFirstValues {
 public:
  WithoutFirstValues() : before_(std::exchange(on_, true)) {}
  ~WithoutFirstValues() { on_ = before_; }
  WithoutFirstValues(const WithoutFirstValues&) = delete;
  WithoutFirstValues& operator=(const WithoutFirstValues&) = delete;
  [[nodiscard]] static bool on() { return on_; }

 private:
  bool before_;
  static inline thread_local bool on_ = false;
};

}  // namespace kgwalk::seq2seq
