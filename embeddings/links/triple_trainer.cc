#include "embeddings/links/triple_trainer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <unordered_set>

#include "embeddings/vectors/simd.h"
#include "runtime/config.h"
#include "runtime/parallel.h"
#include "runtime/random.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

// Four rows of one comparison, before and after the update.
struct Rows {
  float* head;
  float* relation;
  float* tail;
  float* other;  // replaces head or tail
  bool corrupt_head;
};

struct Draw {
  Triple triple;
  EntityId other;
  bool corrupt_head;
};

void prefetch_row(const float* row, int stride) {
  for (int j = 0; j < stride; j += kLane) __builtin_prefetch(row + j, 1);
}

// Distances of the true and the corrupted triple in one pass over the rows.
template <bool kL1>
std::array<float, 2> distances(const Rows& rows, int stride) {
  const float* bad_head = rows.corrupt_head ? rows.other : rows.head;
  const float* bad_tail = rows.corrupt_head ? rows.tail : rows.other;
  F16 good{};
  F16 bad{};
  for (int j = 0; j < stride; j += kLane) {
    const F16 r = simd::load(rows.relation + j);
    const F16 a = simd::load(rows.head + j) + r - simd::load(rows.tail + j);
    const F16 b = simd::load(bad_head + j) + r - simd::load(bad_tail + j);
    good += kL1 ? simd::abs(a) : a * a;
    bad += kL1 ? simd::abs(b) : b * b;
  }
  const float g = simd::sum(good);
  const float b = simd::sum(bad);
  return kL1 ? std::array{g, b} : std::array{std::sqrt(g), std::sqrt(b)};
}

template <bool kL1>
F16 direction(F16 difference, float rate) {
  // Zero differences (the padding) must not move: their sign counts as 0.
  if constexpr (kL1)
    return simd::select(difference == 0.0F, F16{}, simd::flip_sign(simd::splat(rate), difference));
  return rate * difference;
}

// One descent step on d(true) - d(corrupted).
template <bool kL1>
void descend(const Rows& rows, int stride, float rate, std::array<float, 2> d) {
  const float good_rate = kL1 ? rate : rate / std::max(d[0], 1e-6F);
  const float bad_rate = kL1 ? rate : rate / std::max(d[1], 1e-6F);
  for (int j = 0; j < stride; j += kLane) {
    const F16 h = simd::load(rows.head + j);
    const F16 r = simd::load(rows.relation + j);
    const F16 t = simd::load(rows.tail + j);
    const F16 o = simd::load(rows.other + j);
    const F16 bad = rows.corrupt_head ? o + r - t : h + r - o;
    const F16 g = direction<kL1>(h + r - t, good_rate);
    const F16 b = direction<kL1>(bad, bad_rate);
    simd::store(rows.relation + j, r - g + b);
    simd::store(rows.head + j, rows.corrupt_head ? h - g : h - g + b);
    simd::store(rows.tail + j, rows.corrupt_head ? t + g - b : t + g);
    simd::store(rows.other + j, rows.corrupt_head ? o + b : o - b);
  }
}

template <bool kL1>
double train_range(EmbeddingModel& model, std::span<const Triple> triples,
                   std::span<const std::uint32_t> head_chance, float margin, float rate, Random random) {
  constexpr std::size_t kAhead = 8;  // draws made, and rows fetched, ahead of their use
  std::array<Draw, kAhead> ring{};
  const int stride = model.entities.stride();
  const auto num_entities = static_cast<std::uint64_t>(model.entities.rows());
  const auto draw = [&](std::size_t i) {
    const std::uint64_t bits = random.next();
    const Triple& t = triples[i];
    const auto other = static_cast<EntityId>(((bits & 0xFFFFFFFFU) * num_entities) >> 32);
    ring[i % kAhead] = {t, other, (bits >> 32) < head_chance[t.relation]};
    prefetch_row(model.entities.row(t.head), stride);
    prefetch_row(model.entities.row(t.tail), stride);
    prefetch_row(model.entities.row(other), stride);
  };
  for (std::size_t i = 0; i < std::min(kAhead, triples.size()); ++i) draw(i);
  double total = 0;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const Draw d = ring[i % kAhead];
    if (i + kAhead < triples.size()) draw(i + kAhead);
    if (d.other == (d.corrupt_head ? d.triple.head : d.triple.tail)) continue;  // not corrupted at all
    const Rows rows{model.entities.row(d.triple.head), model.relations.row(d.triple.relation),
                    model.entities.row(d.triple.tail), model.entities.row(d.other), d.corrupt_head};
    const std::array<float, 2> distance = distances<kL1>(rows, stride);
    const float loss = margin + distance[0] - distance[1];
    if (loss <= 0) continue;
    total += loss;
    descend<kL1>(rows, stride, rate, distance);
  }
  return total;
}

// The permutation of Random::shuffle. Places are drawn ahead, so that what is swapped has come from memory by
// then: a fifth of an epoch was waiting for it.
void shuffle(std::span<Triple> items, Random random) {
  constexpr std::size_t kAhead = 32;
  std::array<std::size_t, kAhead> places{};
  const auto draw = [&](std::size_t i) {
    places[i % kAhead] = random.below(i);
    __builtin_prefetch(items.data() + places[i % kAhead], 1);
  };
  const std::size_t n = items.size();
  for (std::size_t i = n; i > 1 && n - i < kAhead; --i) draw(i);
  for (std::size_t i = n; i > 1; --i) {
    std::swap(items[i - 1], items[places[i % kAhead]]);
    if (i > kAhead + 1) draw(i - kAhead);
  }
}

// Share of corruptions that replace the head, in 2^-32: tails per head against heads per tail.
std::vector<std::uint32_t> head_chances(const EmbeddingConfig& config, std::span<const Triple> triples,
                                        std::size_t num_relations) {
  std::vector<std::uint32_t> chance(num_relations, 1U << 31);
  if (config.corruption == EmbeddingCorruption::kUniform) return chance;
  std::vector<std::size_t> heads(num_relations), tails(num_relations);
  const AnswerIndex index({triples});
  for (std::size_t g = 0; g < index.num_groups(); ++g)
    ++(index.group(g).side == Side::kTail ? heads : tails)[index.group(g).relation];
  // tph = triples / heads, hpt = triples / tails, so tph / (tph + hpt) = tails / (heads + tails).
  for (std::size_t r = 0; r < num_relations; ++r)
    if (heads[r] + tails[r] > 0)
      chance[r] = static_cast<std::uint32_t>(4294967295.0 * static_cast<double>(tails[r]) /
                                             static_cast<double>(heads[r] + tails[r]));
  return chance;
}

}  // namespace

TripleTrainer::TripleTrainer(const EmbeddingConfig& config, EmbeddingModel& model,
                             std::span<const Triple> triples)
    : config_(config),
      model_(model),
      given_(triples),
      head_chance_(head_chances(config, triples, static_cast<std::size_t>(model.relations.rows()))) {
  validate(config_);
}

double TripleTrainer::epoch(int epoch, float learning_rate) {
  triples_.assign(given_.begin(), given_.end());
  shuffle(triples_, Random(config_.seed, 2 * static_cast<std::uint64_t>(epoch) + 1));
  const auto margin = static_cast<float>(config_.margin);
  const int parts = num_threads();
  std::vector<double> losses(static_cast<std::size_t>(parts));
  const auto n = static_cast<std::int64_t>(triples_.size());
  parallel_for(parts, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p) {
      const std::span<const Triple> part(triples_.data() + n * p / parts,
                                         triples_.data() + n * (p + 1) / parts);
      const Random random(config_.seed ^ (0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(p + 1)),
                          2 * static_cast<std::uint64_t>(epoch) + 2);
      losses[static_cast<std::size_t>(p)] =
          model_.measure == Measure::kL1
              ? train_range<true>(model_, part, head_chance_, margin, learning_rate, random)
              : train_range<false>(model_, part, head_chance_, margin, learning_rate, random);
    }
  });
  double total = 0;
  for (const double loss : losses) total += loss;
  return total;
}

}  // namespace kgwalk::embeddings
