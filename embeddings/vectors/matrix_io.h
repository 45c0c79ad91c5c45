// Tables in safetensors files: dense rows without padding.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "embeddings/vectors/matrix.h"
#include "runtime/safetensors.h"

namespace kgwalk::embeddings {

/// Row-major copy without padding, [rows, dim].
[[nodiscard]] std::vector<float> dense(const Matrix& m);

/// Collects tables and writes them to one file. Empty tables are left out.
class MatrixWriter {
 public:
  void add(const std::string& name, const Matrix& m);
  void write(const std::filesystem::path& file, const std::map<std::string, std::string>& metadata) const;

 private:
  std::deque<std::vector<float>> values_;
  std::map<std::string, TensorView> views_;
};

/// Fills `out`, whose shape says what is expected; FormatError otherwise. An empty table reads nothing.
void read_matrix(const SafetensorsFile& file, const std::string& name, Matrix& out);

}  // namespace kgwalk::embeddings
