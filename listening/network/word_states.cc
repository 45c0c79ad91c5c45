#include "listening/network/word_states.h"

#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::listening {

using torch::Tensor;

WordStates::Pieces WordStates::pieces_of(const std::vector<std::string>& words) const {
  const dialogue::ContextTokenizer& tokens = encoder_->tokens();
  Pieces out;
  const auto add = [&](int id, std::int64_t word) {
    out.tokens.ids.push_back(id);
    out.tokens.age.push_back(dialogue::kNoUtterance);
    out.word.push_back(word);
  };
  add(tokens.special().cls, -1);
  for (std::size_t w = 0; w < words.size(); ++w)
    for (const int id : tokens.tokenizer().encode(words[w]).ids)
      if (out.tokens.ids.size() + 1 < tokens.max_tokens())
        add(id, static_cast<std::int64_t>(w));
      else
        ++out.tokens.cut;
  add(tokens.special().sep, -1);
  return out;
}

std::vector<Tensor> WordStates::of(std::span<const std::vector<std::string>> texts, Reporter& reporter,
                                   const StopFlag& stop) const {
  std::vector<Pieces> pieces;
  std::vector<dialogue::TokenSequence> sequences;
  for (const std::vector<std::string>& words : texts) {
    pieces.push_back(pieces_of(words));
    sequences.push_back(pieces.back().tokens);
  }
  std::vector<Tensor> out(texts.size());
  const torch::NoGradGuard no_grad;
  const auto visit = [&](std::span<const std::size_t> places, const Tensor& states, const Tensor& /*keep*/) {
    const Tensor here = states.to(torch::kCPU);
    for (std::size_t b = 0; b < places.size(); ++b) {
      const std::vector<std::int64_t>& word = pieces[places[b]].word;
      const auto count = static_cast<std::int64_t>(word.size());
      const auto words = static_cast<std::int64_t>(texts[places[b]].size());
      // The last row takes what belongs to no word.
      std::vector<std::int64_t> rows = word;
      for (std::int64_t& row : rows) row = row < 0 ? words : row;
      const Tensor index = int64_tensor(rows);
      const Tensor sums = torch::zeros({words + 1, width()})
                              .index_add(0, index, here[static_cast<std::int64_t>(b)].slice(0, 0, count));
      const Tensor counts = torch::zeros({words + 1}).index_add(0, index, torch::ones({count}));
      out[places[b]] = (sums / counts.clamp_min(1).unsqueeze(1)).slice(0, 0, words).to(torch::kFloat16);
    }
  };
  encoder_->encode(sequences, visit, reporter, stop);
  return out;
}

Tensor WordStates::means(std::span<const std::vector<std::string>> texts) const {
  std::vector<dialogue::TokenSequence> sequences;
  for (const std::vector<std::string>& words : texts) sequences.push_back(pieces_of(words).tokens);
  Tensor out = torch::zeros({static_cast<std::int64_t>(texts.size()), width()});
  const torch::NoGradGuard no_grad;
  encoder_->encode(sequences,
                   [&](std::span<const std::size_t> places, const Tensor& states, const Tensor& /*keep*/) {
                     const Tensor here = states.to(torch::kCPU);
                     for (std::size_t b = 0; b < places.size(); ++b) {
                       const auto count = static_cast<std::int64_t>(sequences[places[b]].ids.size());
                       out[static_cast<std::int64_t>(places[b])] =
                           here[static_cast<std::int64_t>(b)].slice(0, 0, count).mean(0);
                     }
                   });
  return out;
}

}  // namespace kgwalk::listening
