#include "tests/devices/second_device.h"

#include <ATen/EmptyTensor.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <sys/mman.h>
#include <torch/library.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR >= 2
#include <ATen/detail/PrivateUse1HooksInterface.h>
#endif

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace kgwalk::testing {
namespace {

using at::Tensor;

std::atomic<std::int64_t> operations{0};

// ---- memory ----

constexpr std::size_t kAddresses = std::size_t{1} << 40;  // addresses cost nothing: none is backed by memory

// A pointer into pages that may be neither read nor written; what lies there is kept elsewhere, in the
// context.
void* next_address(std::size_t bytes) {
  static char* const begin = static_cast<char*>(
      ::mmap(nullptr, kAddresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  static std::atomic<std::size_t> used{0};
  TORCH_CHECK(begin != MAP_FAILED, "the second device got no addresses");
  const std::size_t at = used.fetch_add((bytes + 63) / 64 * 64 + 64);
  TORCH_CHECK(at + bytes <= kAddresses, "the second device is out of addresses");
  return begin + at;
}

struct Memory final : at::Allocator {
#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 3)
  at::DataPtr allocate(std::size_t bytes) const override { return made(bytes); }
#else
  at::DataPtr allocate(std::size_t bytes) override { return made(bytes); }
  void copy_data(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) const override {
    TORCH_CHECK(false, "the second device copies tensors, not bytes");
  }
#endif
  static at::DataPtr made(std::size_t bytes) {
    if (bytes == 0) return {nullptr, nullptr, &std::free, second_device()};
    return {next_address(bytes), std::malloc(bytes), &std::free, second_device()};
  }
};

Memory memory;

bool is_here(const Tensor& x) { return x.device().type() == c10::DeviceType::PrivateUse1; }

// The same memory as a tensor of the processor.
Tensor on_host(const Tensor& x) {
  if (!is_here(x)) return x;
  char* const base = static_cast<char*>(x.storage().data_ptr().get_context());
  if (base == nullptr) return at::empty(x.sizes(), x.options().device(at::kCPU));
  return at::from_blob(base + x.storage_offset() * static_cast<std::int64_t>(x.element_size()), x.sizes(),
                       x.strides(), x.options().device(at::kCPU));
}

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

// ---- operations that cannot fall back: they make or reshape tensors, or move them ----

Tensor empty(at::IntArrayRef size, c10::optional<at::ScalarType> type, c10::optional<at::Layout> /*layout*/,
             c10::optional<at::Device> /*device*/, c10::optional<bool> /*pin*/,
             c10::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &memory, kKeys, c10::dtype_or_default(type), format);
}

Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, c10::optional<at::ScalarType> type,
                     c10::optional<at::Layout> /*layout*/, c10::optional<at::Device> /*device*/,
                     c10::optional<bool> /*pin*/) {
  return at::detail::empty_strided_generic(size, stride, &memory, kKeys, c10::dtype_or_default(type));
}

Tensor copy_from(const Tensor& from, const Tensor& to, bool /*non_blocking*/) {
  on_host(to).copy_(on_host(from));
  return to;
}

const Tensor& resized(const Tensor& x, at::IntArrayRef size, c10::optional<at::MemoryFormat> /*format*/) {
  x.unsafeGetTensorImpl()->set_sizes_contiguous(size);
  const std::size_t bytes = static_cast<std::size_t>(x.numel()) * x.element_size();
  const c10::Storage& storage = x.storage();
  if (storage.nbytes() < bytes) {
    storage.unsafeGetStorageImpl()->set_data_ptr(Memory::made(bytes));
    storage.unsafeGetStorageImpl()->set_nbytes(bytes);
  }
  return x;
}

Tensor copy_from_and_resize(const Tensor& from, const Tensor& to) {
  if (from.sizes() != to.sizes()) resized(to, from.sizes(), c10::nullopt);
  return copy_from(from, to, false);
}

Tensor convolution(const Tensor& x, const Tensor& weight, const c10::optional<Tensor>& bias,
                   at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                   at::IntArrayRef output_padding, std::int64_t groups) {
  c10::optional<Tensor> own_bias;
  if (bias.has_value() && bias->defined()) own_bias = on_host(*bias);
  return at::convolution(on_host(x), on_host(weight), own_bias, stride, padding, dilation, transposed,
                         output_padding, groups)
      .to(second_device());
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(const Tensor& grad, const Tensor& x,
                                                        const Tensor& weight, at::IntArrayRef stride,
                                                        at::IntArrayRef padding, at::IntArrayRef dilation,
                                                        bool transposed, at::IntArrayRef output_padding,
                                                        std::int64_t groups, std::array<bool, 3> wanted) {
  const std::int64_t sizes[] = {grad.size(1)};
  const auto [grad_x, grad_weight, grad_bias] =
      at::convolution_backward(on_host(grad), on_host(x), on_host(weight), at::IntArrayRef(sizes), stride,
                               padding, dilation, transposed, output_padding, groups, wanted);
  const auto there = [](const Tensor& own) { return own.defined() ? own.to(second_device()) : own; };
  return {there(grad_x), there(grad_weight), there(grad_bias)};
}

// LibTorch 2 asks devices of extensions for a fused cell, which the processor does not have.
std::tuple<Tensor, Tensor, Tensor> lstm_cell(const Tensor& input, const Tensor& hidden, const Tensor& cell,
                                             const c10::optional<Tensor>& input_bias,
                                             const c10::optional<Tensor>& hidden_bias) {
  Tensor gates = input + hidden;  // [B, 4 D]
  for (const c10::optional<Tensor>* bias : {&input_bias, &hidden_bias})
    if (bias->has_value() && (*bias)->defined()) gates = gates + **bias;
  const std::vector<Tensor> part = gates.chunk(4, 1);  // in, forget, cell, out
  const Tensor next = part[1].sigmoid() * cell + part[0].sigmoid() * part[2].tanh();
  return {part[3].sigmoid() * next.tanh(), next, gates};
}

// ---- all others: the processor's, where all tensors lie on this device ----

struct Places {
  bool here = false, elsewhere = false;
  void add(const Tensor& x) {
    if (!x.defined()) return;
    here = here || is_here(x);
    elsewhere = elsewhere || (x.dim() > 0 && !is_here(x));  // numbers come along
  }
};

struct Silent final : c10::WarningHandler {
#if TORCH_VERSION_MAJOR < 2
  void process(const c10::SourceLocation& /*where*/, const std::string& /*message*/,
               bool /*as_is*/) override {}
};
namespace warnings = c10::Warning;
#else
  void process(const c10::Warning& /*warning*/) override {}
};
namespace warnings = c10::WarningUtils;
#endif

void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  ++operations;
  Places places;
  for (const c10::IValue& value : torch::jit::last(stack, op.schema().arguments().size())) {
    if (value.isTensor()) places.add(value.toTensor());
    if (value.isTensorList())
      for (const Tensor& x : value.toTensorVector()) places.add(x);
    if (value.isOptionalTensorList())
      for (const c10::optional<Tensor>& x : value.toOptionalTensorList().vec())
        if (x.has_value()) places.add(*x);
  }
  TORCH_CHECK(!(places.here && places.elsewhere),
              "a tensor was left on another device: ", c10::toString(op.operator_name()));
  // Results are written into empty tensors, which LibTorch warns of each time.
  Silent silent;
  const warnings::WarningHandlerGuard guard(&silent);
  at::native::cpu_fallback(op, stack);
}

// ---- streams, of which there are none ----

struct Guard final : c10::impl::DeviceGuardImplInterface {
  [[nodiscard]] c10::DeviceType type() const override { return c10::DeviceType::PrivateUse1; }
  [[nodiscard]] c10::Device exchangeDevice(c10::Device /*to*/) const override { return second_device(); }
  [[nodiscard]] c10::Device getDevice() const override { return second_device(); }
  void setDevice(c10::Device /*to*/) const override {}
  void uncheckedSetDevice(c10::Device /*to*/) const noexcept override {}
  [[nodiscard]] c10::Stream getStream(c10::Device device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  [[nodiscard]] c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
  [[nodiscard]] c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

#if TORCH_VERSION_MAJOR >= 2
// Not all of LibTorch 2 have all of these.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const { return true; }
  bool isAvailable() const { return true; }
  bool hasPrimaryContext(c10::DeviceIndex /*device*/) const { return true; }
};
const bool kHooked = [] {
  static Hooks hooks;
  c10::register_privateuse1_backend(kSecondDevice);
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();
#endif

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("_copy_from", &copy_from);
  m.impl("_copy_from_and_resize", &copy_from_and_resize);
  m.impl("resize_", &resized);
  m.impl("as_strided", &at::native::as_strided_tensorimpl);
  m.impl("view", &at::native::view);
  m.impl("unfold", &at::native::unfold);
  m.impl("_reshape_alias", &at::native::_reshape_alias);
  m.impl("convolution_overrideable", &convolution);
  m.impl("convolution_backward_overrideable", &convolution_backward);
}

TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, m) { m.impl("_thnn_fused_lstm_cell", &lstm_cell); }

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fall_back>()); }

}  // namespace

std::int64_t operations_on_second_device() { return operations; }

namespace {

// oneDNN's gradient of gelu is wrong in LibTorch 1.13 where what comes in is not contiguous (our own kernels
// are taken on the processor, LibTorch's operations are those of the second device).
const bool kWithoutOneDnn = [] {
  at::globalContext().setUserEnabledMkldnn(false);
  return true;
}();

}  // namespace

}  // namespace kgwalk::testing
