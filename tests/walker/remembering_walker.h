// What walkers made up for tests have in common: a batch is its examples.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "walker/model.h"

namespace kgwalk::walker::testing {

class RememberingWalker : public WalkModel {
 public:
  [[nodiscard]] std::unique_ptr<Encoded> encode(std::span<const Example> examples) const override {
    auto batch = std::make_unique<Batch>();
    batch->examples.assign(examples.begin(), examples.end());
    return batch;
  }

 protected:
  [[nodiscard]] static const std::vector<Example>& examples_of(const Encoded& encoded) {
    return static_cast<const Batch&>(encoded).examples;
  }
  [[nodiscard]] static const Example& example_of(const Encoded& encoded, const PartialPath& path) {
    return examples_of(encoded)[static_cast<std::size_t>(path.example)];
  }

 private:
  struct Batch : Encoded {
    std::vector<Example> examples;
  };
};

}  // namespace kgwalk::walker::testing
