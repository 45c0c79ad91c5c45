#include <gtest/gtest.h>

#include <cmath>

#include "embeddings/vectors/quantized_table.h"
#include "embeddings/vectors/score_kernels.h"
#include "embeddings/vectors/simd.h"
#include "tests/embeddings/fixtures.h"

namespace kgwalk::embeddings {
namespace {

double reference(Measure norm, const float* a, const float* b, int dim) {
  double sum = 0;
  for (int j = 0; j < dim; ++j) {
    const double d = static_cast<double>(a[j]) - b[j];
    sum += norm == Measure::kL1 ? std::abs(d) : d * d;
  }
  return norm == Measure::kL2 ? std::sqrt(sum) : sum;
}

TEST(Kernels, ExponentialIsAccurateOverItsWholeRange) {
  for (float x = 0; x > -86.9F; x -= 0.0137F) {
    const double exact = std::exp(static_cast<double>(x));
    EXPECT_NEAR(simd::exp_nonpositive(x) / exact, 1.0, 4e-7) << x;
  }
  EXPECT_EQ(simd::exp_nonpositive(0.0F), 1.0F);
  EXPECT_EQ(simd::exp_nonpositive(-1e30F), 0.0F);
}

TEST(Kernels, DistancesEqualADoubleLoopForEveryNormAndWidth) {
  Random random(1);
  for (const int dim : {1, 15, 16, 17, 50, 100}) {
    const Matrix table = random_matrix(37, dim, random);
    const Matrix query = random_matrix(1, dim, random);
    const std::vector<EntityId> ids{36, 0, 5, 5};
    for (const Measure norm : {Measure::kL1, Measure::kL2, Measure::kL2Squared}) {
      std::vector<float> all(37), some(ids.size());
      distances_to_range(norm, query.row(0), table, 0, 37, all.data());
      distances_to(norm, query.row(0), table, ids, some.data());
      for (int i = 0; i < 37; ++i)
        EXPECT_NEAR(all[static_cast<std::size_t>(i)], reference(norm, query.row(0), table.row(i), dim), 1e-4);
      for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(some[i], all[ids[i]]);  // the same bits
    }
  }
}

TEST(Kernels, BlockedL1DistancesEqualTheSingleOnes) {
  Random random(2);
  for (const auto& [queries, points, dim] : {std::array{1, 1, 3}, {5, 64, 20}, {11, 150, 33}}) {
    const Matrix q = random_matrix(queries, dim, random);
    const Matrix p = random_matrix(points, dim, random);
    Matrix transposed(dim, points);
    for (int k = 0; k < points; ++k)
      for (int j = 0; j < dim; ++j) transposed.row(j)[k] = p.row(k)[j];
    Matrix out(queries, points);
    l1_distances(q, 0, queries, transposed, out);
    for (int i = 0; i < queries; ++i)
      for (int k = 0; k < points; ++k)
        EXPECT_NEAR(out.row(i)[k], reference(Measure::kL1, q.row(i), p.row(k), dim), 1e-4);
  }
}

TEST(Kernels, L1GradientsEqualWeightedSignsAndLeavePaddingZero) {
  Random random(3);
  const int queries = 13, points = 21, dim = 35;
  const Matrix q = random_matrix(queries, dim, random);
  const Matrix p = random_matrix(points, dim, random);
  const Matrix c = random_matrix(queries, points, random);
  Matrix gq(queries, dim), gp(points, dim);
  l1_gradients(q, queries, p, c, 0, q.stride() / kLane, gq, gp);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < q.stride(); ++j) {
      double expected = 0;
      for (int k = 0; k < points && j < dim; ++k)
        expected += c.row(i)[k] * (q.row(i)[j] > p.row(k)[j] ? 1 : -1);
      EXPECT_NEAR(gq.row(i)[j], expected, 1e-4);
    }
  for (int k = 0; k < points; ++k)
    for (int j = 0; j < q.stride(); ++j) {
      double expected = 0;
      for (int i = 0; i < queries && j < dim; ++i)
        expected -= c.row(i)[k] * (q.row(i)[j] > p.row(k)[j] ? 1 : -1);
      EXPECT_NEAR(gp.row(k)[j], expected, 1e-4);
    }
}

// The filter of the fast L1 ranking: what it calls nearer is nearer, and what it leaves out is not.
TEST(Kernels, QuantizedBoundsNeverContradictExactDistances) {
  Random random(4);
  for (const int dim : {1, 8, 50, 61}) {
    const std::int64_t rows = 203;
    const Matrix table = random_matrix(rows, dim, random);
    Matrix query = random_matrix(1, dim, random);
    for (int j = 0; j < dim; ++j) query.row(0)[j] *= 2.0F;  // outside the table's range too
    const QuantizedTable quantized(table);
    std::vector<float> exact(static_cast<std::size_t>(rows));
    distances_to_range(Measure::kL1, query.row(0), table, 0, rows, exact.data());
    // All answers at once, of one query and of the last of four.
    const std::vector<QuantizedTable::Query> queries(4, quantized.quantize(query.row(0)));
    for (const std::size_t num_queries : {std::size_t{1}, std::size_t{4}}) {
      std::vector<std::vector<QuantizedTable::Count>> counts(num_queries);
      std::vector<std::span<QuantizedTable::Count>> spans;
      QuantizedTable::Workspace space;
      for (std::size_t q = 0; q < num_queries; ++q) {
        for (const float limit : exact) counts[q].push_back({limit, 0, {}});
        spans.emplace_back(counts[q]);
      }
      quantized.compare(std::span(queries).first(num_queries), spans, space);
      for (const QuantizedTable::Count& count : counts.back()) {
        std::int64_t nearer = count.nearer, equal = 0;
        for (const std::uint32_t e : count.unsure) {
          nearer += exact[e] < count.distance;
          equal += exact[e] == count.distance;
        }
        const float limit = count.distance;
        EXPECT_EQ(nearer, std::count_if(exact.begin(), exact.end(), [&](float d) { return d < limit; }));
        EXPECT_EQ(equal, std::count(exact.begin(), exact.end(), limit));
      }
    }
  }
}

}  // namespace
}  // namespace kgwalk::embeddings
