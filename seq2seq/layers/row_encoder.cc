#include "seq2seq/layers/row_encoder.h"

#include <cmath>
#include <memory>
#include <utility>

#include "seq2seq/kernels/attend_cpu.h"
#include "seq2seq/kernels/rows.h"

namespace kgwalk::seq2seq {
namespace {

bool is_plain(const StackOptions& options) {
  return options.norm == NormPlacement::kPost && !options.needs_trace() && !options.relative_positions &&
         !options.groups().active() && !options.conformer.active();
}

}  // namespace

RowNorm RowNorm::of(const LayerNorm& norm, double eps) {
  return {norm->weight.data_ptr<float>(), norm->bias.data_ptr<float>(), eps};
}

void RowNorm::operator()(std::int64_t rows, std::int64_t width, const float* x, float* out) const {
  norm_rows<float>({rows, width},
                   {.x = x, .residual = nullptr, .weight = weight, .bias = bias, .out = out, .eps = eps});
}

std::optional<RowEncoder::Layer> RowEncoder::layer_of(const EncoderLayer& layer,
                                                      const StackOptions& options) {
  auto qkv = RowMap::of(layer->attention->qkv), output = RowMap::of(layer->attention->output),
       inner = RowMap::of(layer->ffn->inner), outer = RowMap::of(layer->ffn->output);
  if (!qkv || !output || !inner || !outer) return std::nullopt;
  return Layer{std::move(*qkv),
               std::move(*output),
               std::move(*inner),
               std::move(*outer),
               RowNorm::of(layer->attention_norm, options.norm_eps),
               RowNorm::of(layer->ffn_norm, options.norm_eps)};
}

std::optional<RowEncoder> RowEncoder::of(std::span<const EncoderLayer> layers, const StackOptions& options) {
  if (!is_plain(options)) return std::nullopt;
  RowEncoder encoder(options);
  for (const EncoderLayer& layer : layers) {
    auto rows = layer_of(layer, options);
    if (!rows) return std::nullopt;
    encoder.layers_.push_back(std::move(*rows));
  }
  return encoder;
}

// Neighbors of one length go together.
void RowEncoder::attend(std::span<const std::int64_t> offsets, const float* qkv, float* out) const {
  const std::int64_t heads = options_.heads, d = options_.self_attention().d(), inner = heads * d,
                     row = 3 * inner;
  const auto sequences = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto length_of = [&](std::int64_t i) {
    return offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)];
  };
  for (std::int64_t i = 0, next = 0; i < sequences; i = next) {
    const std::int64_t length = length_of(i), begin = offsets[static_cast<std::size_t>(i)];
    for (next = i + 1; next < sequences && length_of(next) == length; ++next) {
    }
    const AttendShape shape{.examples = next - i,
                            .queries = length,
                            .keys = length,
                            .heads = heads,
                            .d = d,
                            .scale = 1 / std::sqrt(static_cast<double>(d))};
    const auto part = [&](std::int64_t column) {
      return HeadRows<const float>{qkv + begin * row + column, length * row, row};
    };
    attend_forward<float>(shape, part(0), part(inner), part(2 * inner),
                          HeadRows<float>{out + begin * inner, length * inner, inner}, false, nullptr);
  }
}

void RowEncoder::run(std::span<const std::int64_t> offsets, float* x) const {
  const std::int64_t rows = offsets.back(), width = options_.width, ffn_width = options_.ffn_width,
                     inner = options_.heads * options_.self_attention().d();
  const auto scratch = [&](std::int64_t columns) {
    return std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(rows * columns));
  };
  const auto qkv = scratch(3 * inner), heads = scratch(inner), sum = scratch(width),
             hidden = scratch(ffn_width);
  for (const Layer& layer : layers_) {
    layer.qkv.multiply({x, width, qkv.get(), 3 * inner, rows});
    attend(offsets, qkv.get(), heads.get());
    PackedProduct attended{heads.get(), inner, sum.get(), width, rows};
    attended.residual = x;
    attended.residual_stride = width;
    layer.output.multiply(attended);
    layer.attention_norm(rows, width, sum.get(), x);
    PackedProduct into{x, width, hidden.get(), ffn_width, rows};
    into.activation = options_.activation;
    layer.inner.multiply(into);
    PackedProduct out{hidden.get(), ffn_width, sum.get(), width, rows};
    out.residual = x;
    out.residual_stride = width;
    layer.outer.multiply(out);
    layer.ffn_norm(rows, width, sum.get(), x);
  }
}

}  // namespace kgwalk::seq2seq
