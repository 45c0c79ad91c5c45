// Candidate forms drawn at random, as the scorer reads them.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "listening/network/form_batch.h"
#include "listening/network/form_scorer.h"
#include "runtime/random.h"

namespace kgwalk::testing {

using listening::FormInput;
using listening::FormScorer;
using listening::FormScorerOptions;
using listening::kMaxSlots;
using listening::kNumCodes;

inline std::string numbered(char letter, std::int64_t number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return name;
}

struct RandomForms {
  std::int64_t words = 6, covers = 3, slots = 5, types = 3, candidates = 12;
  std::int64_t relations = 7, type_rows = 4, features = 5, cues = 3;  // of the tables

  [[nodiscard]] FormInput draw(Random& random) const {
    FormInput input;
    const auto below = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
    };
    for (std::int64_t t = 0; t < words; ++t) {
      input.words.push_back(numbered('w', below(100)));
      input.content.push_back(below(3) > 0 ? 1.0F : 0.0F);
    }
    for (std::int64_t i = 0; i < covers * words; ++i) input.free.push_back(below(3) > 0 ? 1.0F : 0.0F);
    std::fill_n(input.free.begin(), words, 0.0F);  // of one cover nothing is free
    for (std::int64_t i = 0; i < cues; ++i) input.cues.push_back(static_cast<float>(random.normal()));
    for (std::int64_t s = 0; s < slots; ++s) {
      input.slot_relations.push_back(s == 0 ? 0 : 1 + below(relations - 1));
      input.slot_codes.push_back(s == 0 ? 0 : below(kNumCodes));
    }
    for (std::int64_t y = 0; y < types; ++y) input.type_rows.push_back(y == 0 ? 0 : 1 + below(type_rows - 1));
    for (std::int64_t c = 0; c < candidates; ++c) draw_candidate(c, below, random, input);
    return input;
  }

 private:
  template <class Below>
  void draw_candidate(std::int64_t c, const Below& below, Random& random, FormInput& input) const {
    for (std::int64_t i = 0; i < features; ++i) input.features.push_back(static_cast<float>(random.normal()));
    const std::int64_t filled = 1 + below(kMaxSlots);
    for (std::int64_t k = 0; k < kMaxSlots; ++k) {
      input.slots.push_back(k < filled ? 1 + below(slots - 1) : 0);
      input.centers.push_back(static_cast<float>(random.uniform() * static_cast<double>(words)));
    }
    input.types.push_back(below(2) > 0 ? 1 + below(types - 1) : 0);
    input.covers.push_back(c % covers);
    input.asked.push_back(below(2) > 0 ? 0 : below(4));
    const std::int64_t size = below(14);
    input.sizes.insert(input.sizes.end(), {static_cast<float>(std::log1p(size)), size == 1 ? 1.0F : 0.0F,
                                           size > 10 ? 1.0F : 0.0F});
    input.countable.push_back(input.asked.back() == 0 && size > 0 ? 1.0F : 0.0F);
    input.targets.push_back(below(3) == 0 ? 1.0F : 0.0F);
    input.targets.push_back(input.asked.back() == 0 && below(3) == 0 ? 1.0F : 0.0F);
  }
};

inline FormScorer scorer_for(const RandomForms& forms, std::int64_t width, std::int64_t rank,
                             std::vector<std::string> without = {}) {
  FormScorerOptions options;
  options.width = width;
  for (std::int64_t i = 0; i < forms.features; ++i) options.features.push_back(numbered('f', i));
  options.num_cues = forms.cues;
  options.rank = rank;
  options.hidden = 7;
  options.without = std::move(without);
  FormScorer scorer(options);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& weight : scorer->parameters()) weight.normal_(0, 0.4);
  return scorer;
}

}  // namespace kgwalk::testing
