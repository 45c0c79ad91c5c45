#include "embeddings/distance/neighbor_sketch.h"

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "embeddings/vectors/simd.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;
using simd::U16;

constexpr int kBlocks = NeighborSketch::kWidth / kLane;
static_assert(NeighborSketch::kWidth % kLane == 0);

// Lanes are negated where their bit is set.
F16 with_signs(F16 x, std::uint16_t bits) {
  alignas(64) static constexpr std::uint32_t kShifts[] = {31, 30, 29, 28, 27, 26, 25, 24,
                                                          23, 22, 21, 20, 19, 18, 17, 16};
  U16 shifts;
  std::memcpy(&shifts, kShifts, sizeof shifts);
  return simd::from_bits(simd::bits(x) ^ (((U16{} + std::uint32_t{bits}) << shifts) & 0x80000000U));
}

void draw_signs(graph::EntityId x, std::uint64_t seed, std::span<std::uint16_t> signs) {
  Random random(seed, x);
  for (std::uint16_t& bits : signs) bits = static_cast<std::uint16_t>(random.next());
}

}  // namespace

NeighborSketch::NeighborSketch(const graph::KnowledgeGraph& graph, std::uint64_t seed)
    : rows_(graph.num_connected(), kWidth), norms_(graph.num_connected()), signs_(graph.num_connected()) {
  const auto n = static_cast<std::int64_t>(graph.num_connected());
  std::vector<float> weights(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(static)
  for (std::int64_t x = 0; x < n; ++x) {
    const auto id = static_cast<graph::EntityId>(x);
    const auto degree = static_cast<double>(graph.neighbors(id).size());
    draw_signs(id, seed, signs_[id]);
    weights[id] = degree > 0 ? static_cast<float>(1 / std::sqrt(degree * kWidth)) : 0;
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t a = 0; a < n; ++a) {
    const auto id = static_cast<graph::EntityId>(a);
    F16 sums[kBlocks] = {};
    for (const graph::EntityId x : graph.neighbors(id))
      for (std::size_t b = 0; b < kBlocks; ++b) sums[b] += with_signs(simd::splat(weights[x]), signs_[x][b]);
    F16 squares{};
    for (const F16& sum : sums) squares += sum * sum;
    norms_[id] = std::sqrt(simd::sum(squares));
    const float scale = norms_[id] > 0 ? 1 / norms_[id] : 0;
    for (int b = 0; b < kBlocks; ++b) simd::store(rows_.row(a) + b * kLane, sums[b] * simd::splat(scale));
  }
}

std::span<const float> NeighborSketch::direction(graph::EntityId a) const {
  static constexpr std::array<float, kWidth> kNothing{};  // of entities without an edge
  return a < norms_.size() ? rows_.values(a) : std::span<const float>(kNothing);
}

float NeighborSketch::adjacency(graph::EntityId a, graph::EntityId b) const {
  if (a >= norms_.size() || b >= norms_.size()) return 0;
  const float* row = rows_.row(a);
  F16 sum{};
  for (std::size_t i = 0; i < kBlocks; ++i) sum += with_signs(simd::load(row + i * kLane), signs_[b][i]);
  return simd::sum(sum) / std::sqrt(static_cast<float>(kWidth));
}

}  // namespace kgwalk::embeddings
