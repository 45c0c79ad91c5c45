#include "seq2seq/models/row_states.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kgwalk/error.h"
#include "kgwalk/threads.h"

namespace kgwalk::seq2seq {
namespace {

// Rows that go through all layers together: enough for the products to be fast, few enough to stay in the
// processor's own caches.
constexpr std::int64_t kChunkRows = 128;

// The layers in the order in which they run: those of a group share their weights.
std::vector<EncoderLayer> running_layers(const TokenEncoderImpl& model, int left_out) {
  std::vector<EncoderLayer> list;
  const TokenEncoderOptions& shape = model.shape();
  for (int l = 0; l < shape.stack.layers - left_out; ++l)
    for (int i = 0; i < shape.inner; ++i)
      list.push_back(
          model.layers[static_cast<std::size_t>(l * shape.groups / shape.stack.layers * shape.inner + i)]);
  return list;
}

// Places in `offsets` at which chunks of sequences begin, and its last one: about as many rows each.
std::vector<std::size_t> chunks_of(std::span<const std::int64_t> offsets, std::int64_t rows) {
  std::vector<std::size_t> begins{0};
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] - offsets[begins.back()] >= rows || i + 1 == offsets.size()) begins.push_back(i);
  return begins;
}

}  // namespace

RowStates::RowStates(TokenEncoderImpl& model, RowEncoder layers)
    : model_(&model),
      layers_(std::move(layers)),
      embedding_norm_(RowNorm::of(model.embedding_norm, model.shape().stack.norm_eps)) {}

std::optional<RowStates> RowStates::of(TokenEncoderImpl& model, int left_out) {
  const std::vector<EncoderLayer> list = running_layers(model, left_out);
  auto layers = RowEncoder::of(list, model.shape().stack);
  if (!layers || !model.tokens.is_contiguous() || model.tokens.scalar_type() != torch::kFloat32)
    return std::nullopt;
  RowStates states(model, std::move(*layers));
  if (model.embedding_map) states.embedding_map_ = RowMap::of(model.embedding_map);
  return states;
}

void RowStates::check(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) const {
  const std::int64_t rows = model_->tokens.size(0), positions = model_->positions.size(0);
  for (const std::int32_t id : ids)
    if (id < 0 || id >= rows)
      throw ShapeError(model_->shape().name + ": piece " + std::to_string(id) + " is not among the " +
                       std::to_string(rows) + " of the model");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] - offsets[i - 1] > positions)
      throw ShapeError(model_->shape().name + ": " + std::to_string(offsets[i] - offsets[i - 1]) +
                       " positions, but the model knows " + std::to_string(positions) + "; cut the input");
}

// x [N, D], with a norm and, where there is one, the map from E to D.
void RowStates::embed(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets,
                      float* x) const {
  const std::int64_t width = model_->tokens.size(1), rows = offsets.back() - offsets.front();
  const float *tokens = model_->tokens.data_ptr<float>(), *positions = model_->positions.data_ptr<float>(),
              *type = model_->types.data_ptr<float>();
  std::unique_ptr<float[]> narrow;
  if (embedding_map_)
    narrow = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(rows * width));
  float* const embedded = embedding_map_ ? narrow.get() : x;
  for (std::size_t i = 1; i < offsets.size(); ++i)
    for (std::int64_t at = offsets[i - 1]; at < offsets[i]; ++at) {
      const float *token = tokens + ids[static_cast<std::size_t>(at)] * width,
                  *position = positions + (at - offsets[i - 1]) * width;
      float* to = embedded + (at - offsets.front()) * width;
      for (std::int64_t c = 0; c < width; ++c) to[c] = token[c] + position[c] + type[c];
    }
  embedding_norm_(rows, width, embedded, embedded);
  if (embedding_map_) embedding_map_->multiply({embedded, width, x, model_->shape().stack.width, rows});
}

torch::Tensor RowStates::encode(std::span<const std::int32_t> ids,
                                std::span<const std::int64_t> offsets) const {
  check(ids, offsets);
  const std::int64_t rows = offsets.back(), width = model_->shape().stack.width;
  torch::Tensor states = torch::empty({rows, width});
  auto* const x = states.data_ptr<float>();
  // With a chunk or more a thread each works on its own; one chunk is shared by all.
  const std::int64_t share = rows / std::max(1, num_threads());
  const std::vector<std::size_t> begins = chunks_of(offsets, std::clamp<std::int64_t>(share, 1, kChunkRows));
  const auto chunks = static_cast<std::int64_t>(begins.size()) - 1;
#pragma omp parallel for schedule(dynamic) if (chunks > 1)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const auto begin = begins[static_cast<std::size_t>(c)], end = begins[static_cast<std::size_t>(c + 1)];
    const auto part = offsets.subspan(begin, end - begin + 1);
    float* const to = x + part.front() * width;
    embed(ids, part, to);
    std::vector<std::int64_t> own(part.begin(), part.end());
    for (std::int64_t& offset : own) offset -= part.front();
    layers_.run(own, to);
  }
  return states;
}

}  // namespace kgwalk::seq2seq
