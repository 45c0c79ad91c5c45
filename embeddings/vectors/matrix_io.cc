#include "embeddings/vectors/matrix_io.h"

#include <cstring>

#include "kgwalk/error.h"

namespace kgwalk::embeddings {

std::vector<float> dense(const Matrix& m) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(m.rows()) * static_cast<std::size_t>(m.dim()));
  for (std::int64_t i = 0; i < m.rows(); ++i) out.insert(out.end(), m.row(i), m.row(i) + m.dim());
  return out;
}

void MatrixWriter::add(const std::string& name, const Matrix& m) {
  if (m.rows() == 0) return;
  values_.push_back(dense(m));
  const auto* bytes = reinterpret_cast<const char*>(values_.back().data());
  views_[name] = {DType::kF32, {m.rows(), m.dim()}, {bytes, values_.back().size() * sizeof(float)}};
}

void MatrixWriter::write(const std::filesystem::path& file,
                         const std::map<std::string, std::string>& metadata) const {
  write_safetensors(file, views_, metadata);
}

void read_matrix(const SafetensorsFile& file, const std::string& name, Matrix& out) {
  if (out.rows() == 0) return;
  const std::optional<TensorView> view = file.find(name);
  if (!view || view->dtype != DType::kF32 || view->shape != std::vector<std::int64_t>{out.rows(), out.dim()})
    throw FormatError("table '" + name + "' should be F32 [" + std::to_string(out.rows()) + ", " +
                      std::to_string(out.dim()) + "] in the checkpoint, and is not");
  const std::size_t row_bytes = static_cast<std::size_t>(out.dim()) * sizeof(float);
  for (std::int64_t i = 0; i < out.rows(); ++i)
    std::memcpy(out.row(i), view->bytes.data() + static_cast<std::size_t>(i) * row_bytes, row_bytes);
}

}  // namespace kgwalk::embeddings
