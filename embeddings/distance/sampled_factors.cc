#include "embeddings/distance/sampled_factors.h"

#include <cblas.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kgwalk/error.h"

namespace kgwalk::embeddings {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajorD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kTileColumns = 4096;
constexpr double kLeastRoot = 1e-6;  // beside the largest: what is below is rounding

// The rows as floats, some columns at a time.
class Columns {
 public:
  Columns(std::span<const std::uint8_t> rows, std::int64_t count, std::int64_t n, float absent)
      : rows_(rows), count_(count), n_(n), absent_(absent) {}

  [[nodiscard]] float at(std::int64_t row, std::int64_t column) const {
    const std::uint8_t byte = rows_[static_cast<std::size_t>(row * n_ + column)];
    return byte == ByteMatrix::kAbsent ? absent_ : static_cast<float>(byte);
  }
  // fn(tile, first): tile [count, width] of the columns from `first`.
  template <class Fn>
  void for_tiles(Fn&& fn) const {
    for (std::int64_t first = 0; first < n_; first += kTileColumns) {
      RowMajorF tile(count_, std::min(kTileColumns, n_ - first));
      for (std::int64_t i = 0; i < count_; ++i)
        for (std::int64_t j = 0; j < tile.cols(); ++j) tile(i, j) = at(i, first + j);
      fn(tile, first);
    }
  }

 private:
  std::span<const std::uint8_t> rows_;
  std::int64_t count_, n_;
  float absent_;
};

// C C^T in double precision, in which sums of products of bytes are exact: a root of its eigenvalues is known
// to half as many digits as they are.
MatrixXd gram_of(const Columns& columns, int m) {
  MatrixXd sum = MatrixXd::Zero(m, m);
  RowMajorD part(m, m);
  columns.for_tiles([&](const RowMajorF& tile, std::int64_t) {
    const RowMajorD exact = tile.cast<double>();
    cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, m, static_cast<int>(exact.cols()), 1.0, exact.data(),
                static_cast<int>(exact.cols()), 0.0, part.data(), m);
    sum += part.triangularView<Eigen::Lower>().toDenseMatrix();
  });
  return sum.selfadjointView<Eigen::Lower>();
}

// What turns the columns of C into the factor: left = C^T map, right = left with the signs of the
// eigenvalues.
struct Map {
  MatrixXd map;    // [m, rank]
  VectorXd eigen;  // [rank], by falling size
};

Map map_of(const MatrixXd& gram, const MatrixXd& square, int directions, int rank) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(gram);
  const VectorXd roots = spectrum.eigenvalues().reverse().head(directions).cwiseMax(0.0).cwiseSqrt();
  const MatrixXd u = spectrum.eigenvectors().rowwise().reverse().leftCols(directions);
  VectorXd inverse = roots;
  for (double& root : inverse) root = root > kLeastRoot * roots(0) ? 1 / root : 0;
  const MatrixXd to_q = u * inverse.asDiagonal();  // Q = C^T to_q
  const MatrixXd q = square * to_q;                // the sources' rows of Q
  // B q^T = diag(roots) u^T in least squares.
  const MatrixXd solved = q.completeOrthogonalDecomposition().solve(u * roots.asDiagonal());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> core((solved + solved.transpose()) / 2);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(directions));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(core.eigenvalues()(a)) > std::abs(core.eigenvalues()(b));
  });
  Map out{MatrixXd(gram.rows(), rank), VectorXd(rank)};
  for (int j = 0; j < rank; ++j) {
    const Eigen::Index at = order[static_cast<std::size_t>(j)];
    out.eigen(j) = core.eigenvalues()(at);
    out.map.col(j) = std::sqrt(std::abs(out.eigen(j))) * (to_q * core.eigenvectors().col(at));
  }
  return out;
}

}  // namespace

LowRankFactors factors_of_rows(std::span<const std::uint32_t> sources, std::span<const std::uint8_t> rows,
                               std::int64_t n, float absent, const LowRankOptions& options) {
  const auto m = static_cast<int>(sources.size());
  const int directions = options.rank + options.oversampling;
  if (options.rank < 1 || directions > m)
    throw ConfigError("factors of rank " + std::to_string(options.rank) + " need " +
                      std::to_string(directions) + " sampled rows or more, not " + std::to_string(m));
  const Columns columns(rows, m, n, absent);
  MatrixXd square(m, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) square(i, j) = columns.at(i, sources[static_cast<std::size_t>(j)]);
  const Map map = map_of(gram_of(columns, m), square, directions, options.rank);
  const RowMajorF single = map.map.cast<float>();
  LowRankFactors out{Matrix(n, options.rank), Matrix(n, options.rank), {}};
  columns.for_tiles([&](const RowMajorF& tile, std::int64_t first) {
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, static_cast<int>(tile.cols()), options.rank, m, 1.0F,
                tile.data(), static_cast<int>(tile.cols()), single.data(), options.rank, 0.0F,
                out.left.row(first), out.left.stride());
  });
  for (std::int64_t v = 0; v < n; ++v)
    for (int j = 0; j < options.rank; ++j)
      out.right.row(v)[j] = map.eigen(j) < 0 ? -out.left.row(v)[j] : out.left.row(v)[j];
  for (const double value : map.eigen) out.singular.push_back(std::abs(value));
  return out;
}

}  // namespace kgwalk::embeddings
