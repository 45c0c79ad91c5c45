#include "listening/network/hashed_words.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "listening/words/meanings.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "seq2seq/layers/embedding.h"

namespace kgwalk::listening {
namespace {

using torch::Tensor;

// FNV-1a.
std::uint64_t part_hash(std::string_view part) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash ^ (hash >> 32);
}

// Vectors of words by their meaning, of length one; zero for those without, [n, kMeaningWidth].
Tensor meanings_of(std::span<const std::string_view> words) {
  Tensor out =
      torch::zeros({static_cast<std::int64_t>(words.size()), static_cast<std::int64_t>(kMeaningWidth)});
  auto* row = out.data_ptr<float>();
  for (const std::string_view word : words) {
    const Meaning meaning = meaning_of(word);
    float squares = 0;
    for (const std::int8_t x : meaning) squares += static_cast<float>(x) * static_cast<float>(x);
    for (std::size_t i = 0; i < meaning.size(); ++i)
      row[i] = static_cast<float>(meaning[i]) / std::sqrt(squares);
    row += kMeaningWidth;
  }
  return out;
}

// States of a text encoder, each of length one, [B, T, D]; zero at padding and where a text has none.
Tensor encoded_of(std::span<const WordsOfText> texts, std::size_t longest, std::int64_t width) {
  const Tensor out =
      torch::zeros({static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(longest), width});
  for (std::size_t b = 0; b < texts.size(); ++b) {
    const Tensor& states = texts[b].encoded;
    if (states.defined() && states.size(0) > 0)
      out[static_cast<std::int64_t>(b)].slice(0, 0, states.size(0)).copy_(states);
  }
  return out / out.norm(2, -1, true).clamp_min(1e-6);
}

constexpr double kMeaningScale = 0.3;  // at first a little more than what the letters say

seq2seq::StackOptions own_stack(const OwnWordsConfig& config) {
  seq2seq::StackOptions options;
  options.layers = config.layers;
  options.width = config.width;
  options.heads = config.heads;
  options.ffn_width = 2 * config.width;
  options.dropout = options.attention_dropout = config.dropout;
  return options;
}

}  // namespace

std::vector<std::int64_t> hashed_parts(std::string_view word, std::int64_t buckets) {
  std::string marked(1, '<');
  marked.append(word).push_back('>');
  std::vector<std::size_t> starts;  // of characters
  for (std::size_t i = 0; i < marked.size(); ++i)
    if ((static_cast<unsigned char>(marked[i]) & 0xC0U) != 0x80U) starts.push_back(i);
  starts.push_back(marked.size());
  const auto bucket = [&](std::string_view part) {
    return static_cast<std::int64_t>(part_hash(part) % static_cast<std::uint64_t>(buckets));
  };
  std::vector<std::int64_t> parts{bucket(marked)};
  for (std::size_t n = 3; n <= 5; ++n)
    for (std::size_t i = 0; i + n < starts.size(); ++i)
      if (i > 0 || i + n + 1 < starts.size())
        parts.push_back(bucket(std::string_view(marked).substr(starts[i], starts[i + n] - starts[i])));
  return parts;
}

HashedWordsImpl::HashedWordsImpl(const OwnWordsConfig& config, std::int64_t encoded_width) : config_(config) {
  table_ = register_parameter("table", torch::randn({config.buckets, config.width}) * 0.5);
  meaning_ = register_parameter(
      "meaning", torch::randn({static_cast<std::int64_t>(kMeaningWidth), config.width}) * kMeaningScale);
  if (encoded_width > 0)
    encoded_ = register_parameter("encoded", torch::zeros({encoded_width, config.width}));
  if (config.layers > 0) layers_ = register_module("layers", seq2seq::TransformerEncoder(own_stack(config)));
}

Tensor HashedWordsImpl::vectors(std::span<const std::string_view> words) const {
  std::vector<std::int64_t> parts, offsets;
  for (const std::string_view word : words) {
    offsets.push_back(static_cast<std::int64_t>(parts.size()));
    const std::vector<std::int64_t> own = hashed_parts(word, config_.buckets);
    parts.insert(parts.end(), own.begin(), own.end());
  }
  constexpr std::int64_t kMean = 1;
  const Tensor letters =
      std::get<0>(at::embedding_bag(table_, int64_tensor(parts, table_.device()),
                                    int64_tensor(offsets, table_.device()), false, kMean, false));
  return letters + torch::matmul(meanings_of(words).to(table_.device()), meaning_);
}

Tensor HashedWordsImpl::states(std::span<const WordsOfText> texts) {
  std::size_t longest = 1;
  for (const WordsOfText& text : texts) longest = std::max(longest, text.words->size());
  std::unordered_map<std::string_view, std::int64_t> places;
  std::vector<std::string_view> distinct;
  std::vector<std::int64_t> rows(texts.size() * longest, 0);  // 0: padding
  for (std::size_t b = 0; b < texts.size(); ++b)
    for (std::size_t t = 0; t < texts[b].words->size(); ++t) {
      const std::string_view word = (*texts[b].words)[t];
      const auto [at, is_new] = places.try_emplace(word, static_cast<std::int64_t>(places.size() + 1));
      if (is_new) distinct.push_back(word);
      rows[b * longest + t] = at->second;
    }
  const torch::Device device = table_.device();
  const Tensor padding = torch::zeros({1, config_.width}, table_.options());
  const Tensor table = distinct.empty() ? padding : torch::cat({padding, vectors(distinct)});
  const Tensor places_of = int64_tensor(rows, device);
  const auto count = static_cast<std::int64_t>(texts.size()), length = static_cast<std::int64_t>(longest);
  const Tensor keep = places_of.gt(0).view({count, length});
  Tensor x = table.index_select(0, places_of).view({count, length, config_.width});  // [B, T, E]
  if (encoded_.defined())
    x = x + torch::matmul(encoded_of(texts, longest, encoded_.size(0)).to(device), encoded_);
  if (layers_) {
    Tensor attended = keep.clone();
    attended.select(1, 0).fill_(true);  // an attention needs something to attend to
    x = layers_->forward(x + seq2seq::sinusoidal_positions(length, config_.width).to(device) * 0.1, attended);
  }
  return x * keep.unsqueeze(2);
}

Tensor HashedWordsImpl::means(std::span<const WordsOfText> texts) {
  std::vector<float> lengths;
  for (const WordsOfText& text : texts)
    lengths.push_back(static_cast<float>(std::max<std::size_t>(1, text.words->size())));
  const Tensor counts = torch::tensor(at::ArrayRef<float>(lengths)).to(table_.device());
  return states(texts).sum(1) / counts.unsqueeze(1);
}

}  // namespace kgwalk::listening
