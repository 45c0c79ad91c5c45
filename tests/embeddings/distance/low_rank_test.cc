#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "embeddings/distance/distance_factors.h"
#include "embeddings/distance/low_rank.h"
#include "embeddings/distance/sampled_factors.h"
#include "kgwalk/distances.h"
#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

graph::KnowledgeGraph random_graph(int vertices, int edges, int parts, std::uint64_t seed) {
  Random random(seed);
  std::vector<graph::NamedTriple> triples;
  for (int i = 0; i < edges; ++i) {
    const auto a = static_cast<int>(random.below(static_cast<std::uint64_t>(vertices)));
    auto b = static_cast<int>(random.below(static_cast<std::uint64_t>(vertices)));
    b = b - b % parts + a % parts;  // same remainder: `parts` components at least
    if (a != b) triples.push_back({"v" + std::to_string(a), "r", "v" + std::to_string(b)});
  }
  return graph::KnowledgeGraph::from_triples(triples);
}

Eigen::MatrixXd matrix_of(const graph::KnowledgeGraph& graph, double absent) {
  const auto n = static_cast<Eigen::Index>(graph.num_connected());
  std::vector<graph::EntityId> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<graph::EntityId>(i);
  const std::vector<graph::Distance> rows = graph::distance_rows(graph, all);
  Eigen::MatrixXd out(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const graph::Distance d = rows[static_cast<std::size_t>(i * n + j)];
      out(i, j) = d == graph::kUnreachable ? absent : d;
    }
  return out;
}

Eigen::MatrixXd product(const LowRankFactors& f) {
  Eigen::MatrixXd left(f.left.rows(), f.left.dim()), right(f.right.rows(), f.right.dim());
  for (Eigen::Index i = 0; i < left.rows(); ++i)
    for (Eigen::Index j = 0; j < left.cols(); ++j) {
      left(i, j) = f.left.row(i)[j];
      right(i, j) = f.right.row(i)[j];
    }
  return left * right.transpose();
}

class Graphs : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Graphs, FactorsComeCloseToTheFullSvd) {
  const auto [edges, parts, rank] = GetParam();
  const graph::KnowledgeGraph graph = random_graph(300, edges, parts, 3);
  DistanceFactorsConfig config;
  config.rank = rank;
  config.oversampling = 20;
  config.power_iterations = 4;
  config.sample_vertices = 20;
  const DistanceFactors result = factorize_distances(graph, config);
  const Eigen::MatrixXd m = matrix_of(graph, result.report.absent);
  EXPECT_EQ(m.maxCoeff(), result.report.absent_share > 0 ? result.report.absent : result.report.longest);
  // The singular values of a symmetric matrix are the sizes of its eigenvalues.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m, Eigen::EigenvaluesOnly);
  Eigen::VectorXd singular = solver.eigenvalues().cwiseAbs();
  std::sort(singular.data(), singular.data() + singular.size(), std::greater<>());
  double lost = 0;
  for (Eigen::Index i = rank; i < singular.size(); ++i) lost += std::pow(singular(i), 2);
  const double best = std::sqrt(lost) / m.norm();
  const double reached = (m - product(result.factors)).norm() / m.norm();
  EXPECT_NEAR(result.report.relative_error, reached, 1e-5);  // the report's error is the true one
  EXPECT_GE(reached, best - 1e-6);
  EXPECT_LE(reached, 1.01 * best + 1e-6);
  for (int i = 0; i < rank / 4; ++i)
    EXPECT_NEAR(result.factors.singular[static_cast<std::size_t>(i)] / singular(i), 1.0, 5e-3);
}

INSTANTIATE_TEST_SUITE_P(All, Graphs,
                         testing::Values(std::tuple{900, 1, 20}, std::tuple{900, 3, 20},
                                         std::tuple{350, 2, 40}));

TEST(LowRank, FullRankGivesEveryDistanceBack) {
  const graph::KnowledgeGraph graph = random_graph(60, 120, 2, 5);
  DistanceFactorsConfig config;
  config.rank = static_cast<int>(graph.num_connected());
  config.sample_vertices = 50;
  const DistanceFactors result = factorize_distances(graph, config);
  const Eigen::MatrixXd m = matrix_of(graph, result.report.absent);
  EXPECT_LT((m - product(result.factors)).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_EQ(result.report.order_agreement, 1.0);
  EXPECT_EQ(result.report.exact_share, 1.0);
}

// Against double precision, at sizes around those of tiles, panels, blocks of rows and groups of four.
TEST(LowRank, ByteProductsAreAsExactAsTheirPlanes) {
  Random random(7);
  for (const auto& [n, columns, count] :
       {std::tuple{1, 1, 1}, {5, 3, 4}, {63, 16, 7}, {2048, 17, 6}, {2051, 90, 11}, {4099, 33, 5}}) {
    Matrix x(n, columns);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j)
        x.row(i)[j] = static_cast<float>(random.normal()) * (j == 1 ? 0.0F : 1.0F);
    std::vector<std::uint8_t> rows(static_cast<std::size_t>(count * n));
    for (std::uint8_t& byte : rows) byte = static_cast<std::uint8_t>(random.below(12));
    rows[0] = ByteMatrix::kAbsent;
    for (int planes = 1; planes <= 3; ++planes) {
      Matrix y(count + 2, columns);
      ByteFactor(x, planes).multiply(rows.data(), count, 254, y, 1);
      // Entries of x are below 5 and off by 5 / 254^planes at most, the one byte of 254 apart bytes are below
      // 12: five deviations of a random walk of n steps, and single precision's own.
      const double bound = (100 * std::sqrt(n) + 1300) / std::pow(254.0, planes) + 1e-3 * std::sqrt(n);
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < columns; ++j) {
          double sum = 0;
          for (int k = 0; k < n; ++k) {
            const std::uint8_t byte = rows[static_cast<std::size_t>(i * n + k)];
            sum += (byte == ByteMatrix::kAbsent ? 254.0 : byte) * x.row(k)[j];
          }
          ASSERT_NEAR(y.row(i + 1)[j], sum, bound) << n << ' ' << columns << ' ' << planes;
        }
      EXPECT_EQ(y.row(0)[0], 0);
      EXPECT_EQ(y.row(count + 1)[0], 0);
    }
  }
}

// A complete graph's matrix is J - I; a pair of vertices has rank 2: the subspace is wider than the rank.
TEST(LowRank, TakesMatricesOfSmallerRankThanAsked) {
  const ByteMatrix ones{5, 0, [](const ByteMatrix::Visit& visit) {
                          const std::vector<std::uint8_t> row(5, 3);
                          for (std::int64_t i = 0; i < 5; ++i) visit(i, row);
                        }};
  const LowRankFactors f = randomized_svd(ones, {.rank = 3, .oversampling = 2});
  EXPECT_NEAR(f.singular[0], 15.0, 1e-4);
  EXPECT_EQ(f.singular[1], 0.0);
  EXPECT_LT((product(f) - Eigen::MatrixXd::Constant(5, 5, 3.0)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_THROW((void)randomized_svd(ones, {.rank = 6}), ConfigError);
}

// f(i) + f(j) has rank two, and one of its eigenvalues is negative.
TEST(SampledFactors, GiveAMatrixOfTheirRankBack) {
  constexpr std::int64_t n = 5000;  // more than one tile of columns
  const auto f = [](std::int64_t i) { return static_cast<std::uint8_t>(i * i % 101); };
  const std::vector<std::uint32_t> sources{3, 17, 40, 41, 900, 1203, 4000, 4999};
  std::vector<std::uint8_t> rows;
  for (const std::uint32_t i : sources)
    for (std::int64_t j = 0; j < n; ++j) rows.push_back(static_cast<std::uint8_t>(f(i) + f(j)));
  const LowRankFactors found = factors_of_rows(sources, rows, n, 255, {.rank = 2, .oversampling = 2});
  double worst = 0;
  for (std::int64_t i = 0; i < n; i += 7)
    for (std::int64_t j = 0; j < n; j += 11) {
      double sum = 0;
      for (int k = 0; k < 2; ++k) sum += static_cast<double>(found.left.row(i)[k]) * found.right.row(j)[k];
      worst = std::max(worst, std::abs(sum - (f(i) + f(j))));
    }
  EXPECT_LT(worst, 0.02);
  EXPECT_THROW((void)factors_of_rows(sources, rows, n, 255, {.rank = 6, .oversampling = 4}), ConfigError);
}

TEST(SampledFactors, OfDistancesComeNearThoseOfAllRows) {
  const graph::KnowledgeGraph graph = random_graph(900, 2200, 1, 5);
  DistanceFactorsConfig config;
  config.rank = 24;
  config.oversampling = 16;
  config.sample_vertices = 100;
  const DistanceFactors all = factorize_distances(graph, config);
  config.rows = 300;
  const DistanceFactors some = factorize_distances(graph, config);
  EXPECT_EQ(all.report.rows, 0);
  EXPECT_EQ(some.report.rows, 300);
  const Eigen::MatrixXd m = matrix_of(graph, some.report.absent);
  const double reached = (m - product(some.factors)).norm() / m.norm();
  EXPECT_LT(reached, 1.1 * all.report.relative_error);
  EXPECT_NEAR(some.report.relative_error, reached, 0.15 * reached);  // as 64 other rows tell it
  EXPECT_GT(some.report.order_agreement, all.report.order_agreement - 0.02);
}

TEST(SampledFactors, AreTheDefaultForLargeGraphsOnly) {
  EXPECT_EQ(DistanceFactorsConfig{}.rows_of(100'000), 0);
  EXPECT_EQ(DistanceFactorsConfig{.rank = 64}.rows_of(100'001), 1024);
  EXPECT_EQ(DistanceFactorsConfig{.rank = 256}.rows_of(1'000'000), 4096);
  EXPECT_EQ(DistanceFactorsConfig{.rows = 50}.rows_of(50), 0);
}

}  // namespace
}  // namespace kgwalk::embeddings
