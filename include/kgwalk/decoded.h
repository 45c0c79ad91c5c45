// What a model that writes text gives for one input, and how it searches: kgwalk::Translator,
// kgwalk::Summarizer.
//
// Example:
//   const kgwalk::DecodingOptions options{.beam = 4, .nbest = 3};
//   const kgwalk::Decoded decoded{{{"ein Hund rennt", -1.2, -0.8}, {"ein Hund", -2.5, -2.1}}};
//   for (const kgwalk::Hypothesis& h : decoded.hypotheses) std::cout << h.score << ' ' << h.text << '\n';
//   if (decoded.cut) std::cout << "the end was left out; beam " << options.beam << '\n';
//
// Plain values: copied freely, no threads, no errors.
#pragma once

#include <string>
#include <vector>

namespace kgwalk {

// One output for a source.
struct Hypothesis {
  std::string text;
  double log_prob = 0;  // natural logarithm, of all pieces and the end
  double score = 0;     // after the length penalty; hypotheses are sorted by it
};

struct Decoded {
  std::vector<Hypothesis> hypotheses;  // best first; of an empty source one empty hypothesis
  bool cut = false;                    // the source was longer than the model's limit, the rest was left out
  bool repaired = false;               // bytes that were no UTF-8 were read as U+FFFD
  [[nodiscard]] const std::string& text() const { return hypotheses.front().text; }
};

// How a model that writes text searches and computes. What is 0 stays as the model was trained with.
struct DecodingOptions {
  int beam = 0;       // hypotheses that are kept, 1 to 1000; 1 is greedy
  int nbest = 1;      // hypotheses given for a source, 1 to beam
  int batch = 64;     // sources decoded together, from 1: more is faster and takes more memory
  bool int8 = false;  // products of few rows in 8-bit integers: faster and a little less exact
};

}  // namespace kgwalk
