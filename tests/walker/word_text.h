// A text source for tests: one state a word, fixed by the word and its speaker.
#pragma once

#include <functional>
#include <string>

#include "dialogue/linking/name_index.h"
#include "runtime/random.h"
#include "walker/network/text_source.h"

namespace kgwalk::walker::testing {

class WordText : public TextSource {
 public:
  [[nodiscard]] std::int64_t width() const override { return 12; }
  [[nodiscard]] std::int64_t max_tokens() const override { return 64; }
  [[nodiscard]] std::int64_t num_tokens(const Context& context) const override {
    return states(context).size(0);
  }
  [[nodiscard]] Batch batch(std::span<const Context> contexts) const override {
    std::int64_t longest = 1;
    for (const Context& context : contexts) longest = std::max(longest, num_tokens(context));
    const auto n = static_cast<std::int64_t>(contexts.size());
    Batch batch{torch::zeros({n, longest, width()}), torch::zeros({n, longest}, torch::kBool)};
    for (std::int64_t b = 0; b < n; ++b) {
      const torch::Tensor rows = states(contexts[static_cast<std::size_t>(b)]);
      batch.states[b].slice(0, 0, rows.size(0)).copy_(rows);
      batch.keep[b].slice(0, 0, rows.size(0)).fill_(true);
    }
    return batch;
  }
  void prepare(std::span<const Context> /*contexts*/, std::string_view /*slot*/,
               Reporter& /*reporter*/) override {}
  [[nodiscard]] std::string checksum() const override { return "words"; }

 private:
  [[nodiscard]] torch::Tensor states(const Context& context) const {
    std::vector<std::string> tokens{"[cls]"};
    for (const graph::Chat& chat : context) {
      tokens.emplace_back(chat.speaker == graph::Speaker::kUser ? "[usr1]" : "[usr2]");
      for (const std::string& word : dialogue::words_of(chat.text)) tokens.push_back(word);
    }
    torch::Tensor rows = torch::empty({static_cast<std::int64_t>(tokens.size()), width()});
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::uint64_t seed = 0;
      for (const char c : tokens[i]) seed = seed * 131 + static_cast<unsigned char>(c);
      Random random(seed);
      for (std::int64_t d = 0; d < width(); ++d)
        rows.data_ptr<float>()[static_cast<std::int64_t>(i) * width() + d] =
            static_cast<float>(random.normal());
    }
    return rows;
  }
};

}  // namespace kgwalk::walker::testing
