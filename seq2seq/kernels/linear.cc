#include "seq2seq/kernels/linear.h"

#include "seq2seq/kernels/first_values.h"
#include "seq2seq/kernels/functions.h"
#include "seq2seq/kernels/int8_matrix.h"
#include "seq2seq/kernels/quantize.h"
#include "seq2seq/kernels/row_map.h"

namespace kgwalk::seq2seq {
namespace {

// Up to here the packed product is at least as fast as OpenBLAS's (1.9 times at 25 rows, 1.0 times at 1,024).
constexpr std::int64_t kMaxPackedRows = 2048;

// What quantize_linears() leaves in a Linear: its one child, which has no parameters of its own.
struct QuantizedWeights : torch::nn::Module {
  QuantizedWeights(const float* weight, std::int64_t out, std::int64_t in) : matrix(weight, out, in) {}
  const Int8Matrix matrix;
};

bool infers_on_cpu(const LinearImpl& map) {
  return !map.is_training() && !at::GradMode::is_enabled() && map.weight.device().is_cpu() &&
         map.weight.scalar_type() == torch::kFloat32;
}

}  // namespace

std::int64_t quantize_linears(torch::nn::Module& model) {
  std::int64_t count = 0;
  for (const auto& module : model.modules()) {
    auto* const map = module->as<LinearImpl>();
    if (!map || map->weight.scalar_type() != torch::kFloat32 || !map->weight.device().is_cpu()) continue;
    const torch::Tensor rows = map->weight.detach().contiguous();
    auto quantized = std::make_shared<QuantizedWeights>(rows.data_ptr<float>(), rows.size(0), rows.size(1));
    if (map->children().empty())
      map->register_module("int8", std::move(quantized));
    else
      map->replace_module("int8", std::move(quantized));
    ++count;
  }
  return count;
}

LinearImpl::LinearImpl(std::int64_t in, std::int64_t out, bool with_bias) {
  weight = register_parameter("weight", torch::empty({out, in}));
  if (with_bias) bias = register_parameter("bias", torch::empty({out}));
  reset_parameters();
}

void LinearImpl::reset_parameters() {
  if (WithoutFirstValues::on()) return;
  torch::nn::init::xavier_uniform_(weight);
  if (bias.defined()) torch::nn::init::zeros_(bias);
}

void LinearImpl::train(bool on) {
  torch::nn::Module::train(on);
  const std::lock_guard<std::mutex> lock(mutex_);
  packed_.reset();
}

std::shared_ptr<const PackedMatrix> LinearImpl::packed() {
  if (!infers_on_cpu(*this)) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto version = weight.is_inference() ? 0u : static_cast<std::uint32_t>(weight._version());
  if (!packed_ || packed_from_ != weight.data_ptr() || packed_version_ != version) {
    const torch::Tensor rows = weight.contiguous();
    packed_ = std::make_shared<const PackedMatrix>(rows.data_ptr<float>(), rows.size(0), rows.size(1));
    packed_from_ = weight.data_ptr();
    packed_version_ = version;
  }
  return packed_;
}

const float* LinearImpl::bias_data() const { return bias.defined() ? bias.data_ptr<float>() : nullptr; }

torch::Tensor LinearImpl::forward(const torch::Tensor& x) { return activated(x, Activation::kNone); }

torch::Tensor LinearImpl::activated(const torch::Tensor& x, Activation activation) {
  const std::int64_t in = weight.size(1);
  if (x.size(-1) != in)
    throw ShapeError("linear map from width " + std::to_string(in) + " was given rows of width " +
                     std::to_string(x.size(-1)));
  const std::int64_t rows = in > 0 ? x.numel() / in : 0;
  const bool few = rows <= kMaxPackedRows && x.scalar_type() == torch::kFloat32 && x.device().is_cpu();
  const auto integers = few && !is_training() && !at::GradMode::is_enabled()
                            ? children()
                            : std::vector<std::shared_ptr<torch::nn::Module>>{};
  const bool quantized = !integers.empty();
  const auto weights = few && !quantized ? packed() : nullptr;
  if (!weights && !quantized) {
    const torch::Tensor y = linear(x, weight, bias);
    return activation == Activation::kNone ? y : activate(y, activation);
  }
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(0);
  const torch::Tensor from = x.contiguous();
  torch::Tensor out = torch::empty(shape, x.options());
  PackedProduct product{from.data_ptr<float>(), in, out.data_ptr<float>(), weight.size(0), rows};
  product.bias = bias_data();
  product.activation = activation;
  if (quantized)
    multiply(static_cast<const QuantizedWeights&>(*integers.front()).matrix, product);
  else
    multiply(*weights, product);
  return out;
}

std::optional<RowMap> RowMap::of(const Linear& linear) {
  LinearImpl& map = *linear.ptr();
  if (!infers_on_cpu(map)) return std::nullopt;
  RowMap rows;
  rows.bias_ = map.bias_data();
  if (auto integers = map.children(); integers.empty()) {
    rows.packed_ = map.packed();
  } else {
    rows.integers_ = &static_cast<const QuantizedWeights&>(*integers.front()).matrix;
    rows.keeps_integers_ = std::move(integers.front());
  }
  return rows;
}

void RowMap::multiply(PackedProduct product) const {
  product.bias = bias_;
  if (integers_ != nullptr)
    seq2seq::multiply(*integers_, product);
  else
    seq2seq::multiply(*packed_, product);
}

}  // namespace kgwalk::seq2seq
