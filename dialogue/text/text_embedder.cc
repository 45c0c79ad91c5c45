#include "kgwalk/text_embedder.h"

#include <fmt/format.h>

#include <utility>

#include "dialogue/text/text_encoder.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk {

TextEmbedder::TextEmbedder(std::shared_ptr<const dialogue::TextEncoder> encoder)
    : encoder_(std::move(encoder)) {}

TextEmbedder TextEmbedder::open(const std::filesystem::path& folder) {
  return TextEmbedder(dialogue::TextEncoder::load(folder));
}

std::size_t TextEmbedder::width() const { return static_cast<std::size_t>(encoder_->width()); }

std::size_t TextEmbedder::max_tokens() const { return encoder_->max_tokens(); }

std::vector<EmbeddedText> TextEmbedder::embed(std::span<const std::string> texts) const {
  std::vector<dialogue::TokenSequence> sequences;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (invalid_utf8_at(texts[i])) throw ConfigError(fmt::format("text {} is not valid UTF-8", i + 1));
    sequences.push_back(encoder_->tokens().text(texts[i]));
  }
  std::vector<EmbeddedText> out(texts.size());
  encoder_->encode(sequences, [&](std::span<const std::size_t> places, const torch::Tensor& states,
                                  const torch::Tensor& keep) {
    const torch::Tensor kept = keep.to(torch::kFloat).unsqueeze(2);             // [B, T, 1]
    torch::Tensor mean = (states * kept).sum(1) / kept.sum(1);                  // [B, D]
    mean = (mean / mean.norm(2, 1, true).clamp_min(1e-12)).cpu().contiguous();  // [B, D]
    for (std::size_t b = 0; b < places.size(); ++b) {
      const float* const row = mean.data_ptr<float>() + b * width();
      out[places[b]] = {{row, row + width()}, sequences[places[b]].ids.size()};
    }
  });
  return out;
}

}  // namespace kgwalk
