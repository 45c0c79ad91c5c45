#include "seq2seq/kernels/products.h"

#include "kgwalk/error.h"
#include "seq2seq/kernels/bf16_product.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

bool rounds(const Tensor& a, Precision precision) {
  return precision == Precision::kBf16 && a.scalar_type() == torch::kFloat32 && a.device().is_cpu();
}

Bf16Factor factor(const Tensor& x) { return {x.data_ptr<float>(), x.stride(0), x.stride(1)}; }

Bf16Product rounded(Tensor& out, const Tensor& a, const Tensor& b) {
  if (a.size(1) != b.size(0) || out.size(0) != a.size(0) || out.size(1) != b.size(1))
    throw ShapeError("a product of [" + std::to_string(a.size(0)) + ", " + std::to_string(a.size(1)) +
                     "] and [" + std::to_string(b.size(0)) + ", " + std::to_string(b.size(1)) + "]");
  return {a.size(0), b.size(1), a.size(1), factor(a), factor(b), out.data_ptr<float>(), out.stride(0)};
}

}  // namespace

Tensor product(const Tensor& a, const Tensor& b, Precision precision) {
  if (!rounds(a, precision)) return torch::mm(a, b);
  Tensor out = torch::empty({a.size(0), b.size(1)}, a.options());
  multiply(rounded(out, a, b));
  return out;
}

void product_into(Tensor& out, const Tensor& a, const Tensor& b, const Tensor& bias, Precision precision) {
  if (rounds(a, precision)) {
    Bf16Product p = rounded(out, a, b);
    if (bias.defined() && bias.numel() != p.n)
      throw ShapeError("a bias of " + std::to_string(bias.numel()) + " for " + std::to_string(p.n) +
                       " columns");
    p.bias = bias.defined() ? bias.data_ptr<float>() : nullptr;
    multiply(p);
  } else if (bias.defined()) {
    torch::addmm_out(out, bias, a, b);
  } else {
    torch::mm_out(out, a, b);
  }
}

void add_product(Tensor& sum, const Tensor& a, const Tensor& b, Precision precision) {
  if (!rounds(a, precision)) {
    sum.addmm_(a, b);
    return;
  }
  Bf16Product p = rounded(sum, a, b);
  p.accumulate = true;
  multiply(p);
}

}  // namespace kgwalk::seq2seq
