#include "embeddings/distance/low_rank.h"

#include <cblas.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"
#include "runtime/parallel.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kTileColumns = 1024;
constexpr std::int64_t kGramRows = 2048;
constexpr std::int64_t kBlockRows = 125;  // of M, a thread at a time

void to_floats(const std::uint8_t* bytes, std::int64_t count, float absent, float* out) {
  for (std::int64_t j = 0; j < count; ++j) {
    const auto value = static_cast<float>(static_cast<int>(bytes[j]));
    out[j] = bytes[j] == ByteMatrix::kAbsent ? absent : value;
  }
}

// Rows [first, first + count) of y = M x, from these rows of M.
void multiply_rows(const ByteMatrix& m, const std::uint8_t* rows, std::int64_t first, std::int64_t count,
                   const Matrix& x, Matrix& y) {
  std::vector<float> tile(static_cast<std::size_t>(count * kTileColumns));
  for (std::int64_t column = 0; column < m.n; column += kTileColumns) {
    const std::int64_t width = std::min(kTileColumns, m.n - column);
    for (std::int64_t i = 0; i < count; ++i)
      to_floats(rows + i * m.n + column, width, m.absent, tile.data() + i * kTileColumns);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(count), x.dim(),
                static_cast<int>(width), 1.0F, tile.data(), kTileColumns, x.row(column), x.stride(),
                column == 0 ? 0.0F : 1.0F, y.row(first), y.stride());
  }
}

// Calls fn(rows, first, count) for blocks of rows of M, side by side on all threads.
template <class Fn>
void for_blocks(const ByteMatrix& m, Fn&& fn) {
  m.stream([&](std::int64_t first_row, std::span<const std::uint8_t> rows) {
    const auto count = static_cast<std::int64_t>(rows.size()) / m.n;
    parallel_for(count, 50, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; i += kBlockRows)
        fn(rows.data() + i * m.n, first_row + i, std::min(kBlockRows, last - i));
    });
  });
}

// y = M x. With byte products x is rounded to `planes` signed bytes an entry.
void multiply(const ByteMatrix& m, const Matrix& x, int planes, Matrix& y) {
  const bool absent_is_a_byte =
      m.absent >= 0 && m.absent < ByteMatrix::kAbsent && m.absent == std::floor(m.absent);
  if (!ByteFactor::available() || !absent_is_a_byte) {
    for_blocks(m, [&](const std::uint8_t* rows, std::int64_t first, std::int64_t count) {
      multiply_rows(m, rows, first, count, x, y);
    });
    return;
  }
  const ByteFactor factor(x, planes);
  const auto absent = static_cast<std::uint8_t>(m.absent);
  for_blocks(m, [&](const std::uint8_t* rows, std::int64_t first, std::int64_t count) {
    factor.multiply(rows, count, absent, y, first);
  });
}

RowMajor chunk_of(const Matrix& y, std::int64_t first, std::int64_t last) {
  RowMajor out(last - first, y.dim());
  for (std::int64_t i = first; i < last; ++i)
    for (int j = 0; j < y.dim(); ++j) out(i - first, j) = y.row(i)[j];
  return out;
}

// Calls fn(first, last) for chunks of rows, chunks side by side on all threads.
template <class Fn>
void for_chunks(std::int64_t n, Fn&& fn) {
  const std::int64_t chunks = (n + kGramRows - 1) / kGramRows;
  parallel_for(chunks, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t c = first; c < last; ++c) fn(c, c * kGramRows, std::min(n, (c + 1) * kGramRows));
  });
}

// y^T y in double precision; chunks are added in order, so that threads do not change the result.
Eigen::MatrixXd gram(const Matrix& y) {
  std::vector<Eigen::MatrixXd> parts(static_cast<std::size_t>((y.rows() + kGramRows - 1) / kGramRows));
  for_chunks(y.rows(), [&](std::int64_t c, std::int64_t first, std::int64_t last) {
    const RowMajor chunk = chunk_of(y, first, last);
    Eigen::MatrixXd& part = parts[static_cast<std::size_t>(c)];
    part.resize(y.dim(), y.dim());
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, y.dim(), static_cast<int>(last - first), 1.0,
                chunk.data(), y.dim(), 0.0, part.data(), y.dim());
  });
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(y.dim(), y.dim());
  for (const Eigen::MatrixXd& part : parts) sum += part.triangularView<Eigen::Lower>().toDenseMatrix();
  return sum.selfadjointView<Eigen::Lower>();
}

// out = y * map, computed in double; out may be y when map is square.
void transform(const Matrix& y, const Eigen::MatrixXd& map, Matrix& out) {
  for_chunks(y.rows(), [&](std::int64_t, std::int64_t first, std::int64_t last) {
    const RowMajor chunk = chunk_of(y, first, last);
    RowMajor result(last - first, map.cols());
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(last - first),
                static_cast<int>(map.cols()), y.dim(), 1.0, chunk.data(), y.dim(), map.data(),
                static_cast<int>(map.rows()), 0.0, result.data(), static_cast<int>(map.cols()));
    for (std::int64_t i = first; i < last; ++i)
      for (int j = 0; j < out.dim(); ++j) out.row(i)[j] = static_cast<float>(result(i - first, j));
  });
}

struct Spectrum {
  Eigen::MatrixXd vectors;  // columns, by descending value
  Eigen::VectorXd roots;    // square roots of the eigenvalues; those lost in rounding are 0
};

Spectrum spectrum_of(const Eigen::MatrixXd& gram_matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram_matrix);
  Spectrum out{solver.eigenvectors().rowwise().reverse(),
               solver.eigenvalues().reverse().cwiseMax(0.0).cwiseSqrt()};
  const double floor = 1e-6 * out.roots(0);
  for (Eigen::Index i = 0; i < out.roots.size(); ++i)
    if (out.roots(i) <= floor) out.roots(i) = 0;
  return out;
}

// vectors * diag(roots^power), with 0 for vanished roots; the first `columns` columns.
Eigen::MatrixXd scaled(const Spectrum& s, double power, int columns) {
  Eigen::MatrixXd out = s.vectors.leftCols(columns);
  for (int j = 0; j < columns; ++j) out.col(j) *= s.roots(j) > 0 ? std::pow(s.roots(j), power) : 0.0;
  return out;
}

// Columns of y become orthonormal (those of a smaller rank zero). Twice, since the first pass loses digits in
// the ratio of the largest to the smallest direction.
void orthonormalize(Matrix& y) {
  for (int pass = 0; pass < 2; ++pass) transform(y, scaled(spectrum_of(gram(y)), -1.0, y.dim()), y);
}

// Subspace iteration: basis becomes an orthonormal basis of nearly the dominant subspace. `image` is scratch.
void search(const ByteMatrix& m, const LowRankOptions& options, Matrix& basis, Matrix& image) {
  Random random(options.seed, 0);
  for (std::int64_t i = 0; i < m.n; ++i)
    for (int j = 0; j < basis.dim(); ++j) basis.row(i)[j] = static_cast<float>(random.normal());
  for (int pass = 0; pass <= options.power_iterations; ++pass) {
    multiply(m, basis, 1, image);  // any start will do, and one that is nearly the basis nearly as well
    std::swap(basis, image);
    orthonormalize(basis);
  }
}

}  // namespace

LowRankFactors randomized_svd(const ByteMatrix& m, const LowRankOptions& options) {
  if (options.rank < 1 || options.rank > m.n)
    throw ConfigError("rank " + std::to_string(options.rank) + " must be from 1 to the number of vertices, " +
                      std::to_string(m.n));
  const auto width = static_cast<int>(std::min<std::int64_t>(m.n, options.rank + options.oversampling));
  Matrix basis(m.n, width);
  Matrix image(m.n, width);
  if (width == m.n) {  // the whole space: nothing to search for
    for (int i = 0; i < width; ++i) basis.row(i)[i] = 1.0F;
  } else {
    search(m, options, basis, image);
  }
  multiply(m, basis, 3, image);  // image = M Q = V S Z^T, so M ~ Q Q^T M = (Q Z) S V^T
  const Spectrum s = spectrum_of(gram(image));
  LowRankFactors out{Matrix(m.n, options.rank), Matrix(m.n, options.rank), {}};
  transform(basis, scaled(s, 0.5, options.rank), out.left);
  transform(image, scaled(s, -0.5, options.rank), out.right);
  out.singular.assign(s.roots.data(), s.roots.data() + options.rank);
  return out;
}

}  // namespace kgwalk::embeddings
