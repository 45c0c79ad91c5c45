#include "dialogue/text/text_encoder.h"

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kBatchTokens = 8192;

// A pre-training run keeps its encoder in a folder of its own.
std::filesystem::path weights_folder(const std::filesystem::path& folder) {
  const std::filesystem::path inner = folder / "encoder";
  return std::filesystem::exists(inner / "model.safetensors") ? inner : folder;
}

}  // namespace

TextEncoder::TextEncoder(seq2seq::Albert model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
                         torch::Device device)
    : model_(std::move(model)),
      device_(device),
      tokens_(tokenizer, static_cast<std::size_t>(model_->options().max_position_embeddings)),
      width_(model_->options().hidden_size) {
  const seq2seq::AlbertOptions& options = model_->options();
  if (tokenizer->size() > options.vocab_size) {
    throw FormatError("the vocabulary has " + std::to_string(tokenizer->size()) +
                      " pieces, the encoder's table " + std::to_string(options.vocab_size) +
                      " rows; they do not belong together");
  }
  model_->eval();
  for (torch::Tensor& parameter : model_->parameters()) parameter.set_requires_grad(false);
  // Keys sorted: their order in the code is no property of the encoder.
  const nlohmann::json sorted = to_json_of(options);
  checksum_ = kgwalk::checksum_of("text encoder 2\n" + kgwalk::checksum_of(seq2seq::albert_state(model_)) +
                                  "\n" + sorted.dump() + "\n" + tokenizer->checksum());
  model_->to(device_);
}

std::shared_ptr<const TextEncoder> TextEncoder::load(const std::filesystem::path& folder,
                                                     torch::Device device) {
  const std::filesystem::path from = weights_folder(folder);
  std::shared_ptr<const seq2seq::Tokenizer> tokenizer = seq2seq::load_tokenizer(from);
  return std::make_shared<const TextEncoder>(seq2seq::load_albert(from), std::move(tokenizer), device);
}

void TextEncoder::encode(std::span<const TokenSequence> sequences, const Visit& visit, Reporter& reporter,
                         const StopFlag& stop) const {
  const torch::NoGradGuard no_grad;
  const auto progress =
      reporter.start("encoding text", static_cast<std::int64_t>(sequences.size()), "sequences");
  for (const std::vector<std::size_t>& bucket : length_buckets(sequences, kBatchTokens)) {
    if (stop.requested()) throw Stopped("encoding text was stopped; run the same command again");
    const PaddedTokens tokens = pad_tokens(sequences, bucket, tokens_.special().pad);
    const torch::Tensor keep = tokens.keep.to(device_);  // [B, T]
    const seq2seq::AlbertOutput output = model_->forward({tokens.ids.to(device_), keep, {}});
    visit(bucket, output.states, keep);
    progress->add(static_cast<std::int64_t>(bucket.size()));
  }
}

PaddedTokens pad_tokens(std::span<const TokenSequence> sequences, std::span<const std::size_t> places,
                        int pad) {
  std::size_t longest = 1;
  for (const std::size_t i : places) longest = std::max(longest, sequences[i].ids.size());
  const auto rows = static_cast<std::int64_t>(places.size()), columns = static_cast<std::int64_t>(longest);
  PaddedTokens out{torch::full({rows, columns}, pad, torch::kInt64),
                   torch::zeros({rows, columns}, torch::kBool)};
  auto* ids = out.ids.data_ptr<std::int64_t>();
  auto* keep = out.keep.data_ptr<bool>();
  for (std::size_t row = 0; row < places.size(); ++row) {
    const std::vector<std::int32_t>& from = sequences[places[row]].ids;
    std::copy(from.begin(), from.end(), ids + row * longest);
    std::fill_n(keep + row * longest, from.size(), true);
  }
  return out;
}

}  // namespace kgwalk::dialogue
