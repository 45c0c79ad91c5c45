// safetensors files without torch: strict reader over a memory map, atomic writer.
//
// Format: 8 bytes little-endian header length, json header {name: {dtype, shape, data_offsets}}, data. The
// reader checks header length, json, dtype, shape times size against offsets, bounds, overlaps and holes, and
// reports every problem found in one FormatError.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kgwalk {

enum class DType { kF32, kF64, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };
[[nodiscard]] std::size_t size_of(DType dtype);
[[nodiscard]] std::string_view name_of(DType dtype);  // "F32", ...

struct TensorView {
  DType dtype;
  std::vector<std::int64_t> shape;
  std::string_view bytes;  // row-major, little-endian; borrowed
};

class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  // Of bytes that outlive this object; `name` stands for them in errors.
  [[nodiscard]] static SafetensorsFile of_bytes(std::string_view bytes, const std::string& name);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&&) noexcept;

  [[nodiscard]] std::vector<std::string> names() const;  // sorted
  // nullopt when there is no such tensor. Views live as long as this object.
  [[nodiscard]] std::optional<TensorView> find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const;

 private:
  struct Impl;
  explicit SafetensorsFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Writes atomically: wide types first, then in name order, so that every tensor is aligned to its type.
// ShapeError when shape and bytes disagree.
void write_safetensors(const std::filesystem::path& path, const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace kgwalk
