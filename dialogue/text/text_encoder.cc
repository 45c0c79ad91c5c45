#include "dialogue/text/text_encoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/config.h"
#include "runtime/processor_share.h"
#include "seq2seq/kernels/quantize.h"
#include "seq2seq/models/row_states.h"
#include "seq2seq/models/weight_file.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kBatchTokens = 8192;

// A pre-training run keeps its encoder in a folder of its own.
std::filesystem::path weights_folder(const std::filesystem::path& folder) {
  const std::filesystem::path inner = folder / "encoder";
  return std::filesystem::exists(inner / "model.safetensors") ? inner : folder;
}

// What tells weights and options apart; keys sorted, as their order in the code is no property of the
// encoder.
std::string described(const char* format, const NamedTensors& weights, const nlohmann::json& options) {
  return std::string(format) + "\n" + kgwalk::checksum_of(weights) + "\n" + options.dump();
}

}  // namespace

TextEncoder::TextEncoder(seq2seq::Albert model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
                         torch::Device device, TextWeights weights)
    : TextEncoder(seq2seq::TokenEncoder(std::shared_ptr<seq2seq::TokenEncoderImpl>(model.ptr())),
                  std::move(tokenizer),
                  described("text encoder 2", seq2seq::albert_state(model), to_json_of(model->options())),
                  device, weights) {}

TextEncoder::TextEncoder(seq2seq::Bert model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
                         torch::Device device, TextWeights weights)
    : TextEncoder(seq2seq::TokenEncoder(std::shared_ptr<seq2seq::TokenEncoderImpl>(model.ptr())),
                  std::move(tokenizer),
                  described("text encoder bert 1", seq2seq::bert_state(model), to_json_of(model->options())),
                  device, weights) {}

TextEncoder::TextEncoder(seq2seq::TokenEncoder model, std::shared_ptr<const seq2seq::Tokenizer> tokenizer,
                         const std::string& described, torch::Device device, TextWeights weights)
    : model_(std::move(model)),
      device_(device),
      weights_(weights),
      tokens_(tokenizer, static_cast<std::size_t>(model_->shape().max_length)),
      width_(model_->shape().stack.width) {
  if (tokenizer->size() > model_->shape().vocabulary) {
    throw FormatError("the vocabulary has " + std::to_string(tokenizer->size()) +
                      " pieces, the encoder's table " + std::to_string(model_->shape().vocabulary) +
                      " rows; they do not belong together");
  }
  model_->eval();
  for (torch::Tensor& parameter : model_->parameters()) parameter.set_requires_grad(false);
  checksum_ = kgwalk::checksum_of(described + "\n" + tokenizer->checksum());
  if (weights_ == TextWeights::kInt8) {
    if (!device_.is_cpu())
      throw ConfigError(
          "a text encoder of 8-bit weights computes on the processor alone, not on " + device_.str(),
          Remedy{Remedy::kComputeOn, "cpu"});
    seq2seq::quantize_linears(*model_);
  }
  move_to(*model_, device_);
}

std::shared_ptr<const TextEncoder> TextEncoder::load(const std::filesystem::path& folder,
                                                     torch::Device device, TextWeights weights) {
  const std::filesystem::path from = weights_folder(folder);
  std::shared_ptr<const seq2seq::Tokenizer> tokenizer = seq2seq::load_tokenizer(from);
  if (seq2seq::model_type_of(from) == "bert")
    return std::make_shared<const TextEncoder>(seq2seq::load_bert(from), std::move(tokenizer), device,
                                               weights);
  return std::make_shared<const TextEncoder>(seq2seq::load_albert(from), std::move(tokenizer), device,
                                             weights);
}

// [B, T, D]
torch::Tensor TextEncoder::states_of(std::span<const TokenSequence> sequences,
                                     std::span<const std::size_t> places, const PaddedTokens& tokens,
                                     const torch::Tensor& keep) const {
  const auto rows = seq2seq::RowStates::of(*model_, left_out_);
  if (!rows) {
    const seq2seq::TokenOutput output = model_->forward({tokens.ids.to(device_), keep, {}}, left_out_ > 0);
    return left_out_ > 0 ? *(output.hidden.rbegin() + left_out_) : output.states;
  }
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t place : places) {
    ids.insert(ids.end(), sequences[place].ids.begin(), sequences[place].ids.end());
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
  }
  const torch::Tensor packed = rows->encode(ids, offsets);  // [N, D]
  const std::int64_t batch = keep.size(0), length = keep.size(1);
  if (packed.size(0) == batch * length) return packed.view({batch, length, width_});
  torch::Tensor states = torch::zeros({batch, length, width_});
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::int64_t begin = offsets[static_cast<std::size_t>(b)],
                       end = offsets[static_cast<std::size_t>(b + 1)];
    std::copy_n(packed.data_ptr<float>() + begin * width_, (end - begin) * width_,
                states.data_ptr<float>() + b * length * width_);
  }
  return states;
}

std::shared_ptr<const TextEncoder> TextEncoder::without_top(int top) const {
  const int layers = model_->shape().stack.layers;
  if (top < 1 || top > layers)
    throw ConfigError("text encoder: " + std::to_string(top) + " of its " + std::to_string(layers) +
                      " layers cannot be left out");
  auto lower = std::make_shared<TextEncoder>(*this);
  lower->left_out_ = top;
  lower->checksum_ = checksum_ + " without " + std::to_string(top);
  return lower;
}

void TextEncoder::encode(std::span<const TokenSequence> sequences, const Visit& visit, Reporter& reporter,
                         const StopFlag& stop) const {
  const torch::NoGradGuard no_grad;
  const auto progress =
      reporter.start("encoding text", static_cast<std::int64_t>(sequences.size()), "sequences");
  ProcessorShare share;
  for (const std::vector<std::size_t>& bucket : length_buckets(sequences, kBatchTokens)) {
    if (stop.requested()) throw Stopped("encoding text was stopped; run the same command again");
    share.update();
    const PaddedTokens tokens = pad_tokens(sequences, bucket, tokens_.special().pad);
    const torch::Tensor keep = tokens.keep.to(device_);  // [B, T]
    visit(bucket, states_of(sequences, bucket, tokens, keep), keep);
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
