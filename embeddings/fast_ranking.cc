#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "embeddings/quantized_table.h"
#include "embeddings/ranking.h"
#include "embeddings/simd.h"
#include "runtime/error.h"
#include "runtime/threads.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

// One question with its right answer; `result` is where its rank goes.
struct Item {
  EntityId given;
  RelationId relation;
  Side side;
  EntityId right;
  double* result;
};

// What the estimate has settled about one item.
struct Count {
  float distance = 0;       // of the right entity, exact
  std::int64_t nearer = 0;  // proven
  std::vector<EntityId> unsure;
};

// Items of one thread: points, exact distances of the right entities, and the final exact comparisons.
class Batch {
 public:
  Batch(const TransEModel& model, const AnswerIndex& known, int size)
      : points(size, model.entities.dim()),
        counts(static_cast<std::size_t>(size)),
        model_(model),
        known_(known) {}

  void start(std::span<const Item> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      float* point = points.row(static_cast<std::int64_t>(i));
      model_.question(items[i].given, items[i].relation, items[i].side, point);
      counts[i].nearer = 0;
      counts[i].unsure.clear();
      distances_to(model_.norm, point, model_.entities, std::span(&items[i].right, 1), &counts[i].distance);
    }
  }

  // Measures the unsure entities, takes the other known answers out again and writes the ranks. Neighbouring
  // items with the same question share the distances of their known answers.
  void finish(std::span<const Item> items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      const float* point = points.row(static_cast<std::int64_t>(i));
      std::int64_t nearer = counts[i].nearer;
      std::int64_t ties = 0;
      measure(point, counts[i].unsure);
      for (const float d : distance_) {
        nearer += d < counts[i].distance;
        ties += d == counts[i].distance;
      }
      const std::span<const EntityId> filtered = known_.lookup(item.given, item.relation, item.side);
      measure(point, filtered);
      for (const float d : distance_) {
        nearer -= d < counts[i].distance;
        ties -= d == counts[i].distance;
      }
      // The right entity was counted as a tie with itself, and taken out again if it is a known answer.
      if (!std::binary_search(filtered.begin(), filtered.end(), item.right)) --ties;
      *item.result = 1.0 + static_cast<double>(nearer) + 0.5 * static_cast<double>(ties);
    }
  }

  Matrix points;
  std::vector<Count> counts;

 private:
  void measure(const float* point, std::span<const EntityId> ids) {
    distance_.resize(ids.size());
    distances_to(model_.norm, point, model_.entities, ids, distance_.data());
  }

  const TransEModel& model_;
  const AnswerIndex& known_;
  std::vector<float> distance_;
};

void rank_l1(const TransEModel& model, const QuantizedTable& table, const AnswerIndex& known,
             std::span<const Item> items, Progress& progress) {
  Batch batch(model, known, 4);
  for (std::size_t begin = 0; begin < items.size(); begin += 4) {
    const std::span<const Item> part = items.subspan(begin, std::min<std::size_t>(4, items.size() - begin));
    batch.start(part);
    QuantizedTable::Query query[4];
    for (std::size_t i = 0; i < part.size(); ++i)
      query[i] = table.quantize(batch.points.row(static_cast<int>(i)));
    auto& c = batch.counts;
    if (part.size() == 4) {
      std::int64_t nearer[4] = {};
      table.compare4({&query[0], &query[1], &query[2], &query[3]},
                     {c[0].distance, c[1].distance, c[2].distance, c[3].distance}, nearer,
                     {&c[0].unsure, &c[1].unsure, &c[2].unsure, &c[3].unsure});
      for (int i = 0; i < 4; ++i) c[static_cast<std::size_t>(i)].nearer = nearer[i];
    } else {
      for (std::size_t i = 0; i < part.size(); ++i)
        table.compare(query[i], c[i].distance, c[i].nearer, c[i].unsure);
    }
    batch.finish(part);
    progress.add(static_cast<std::int64_t>(part.size()));
  }
}

// Squared lengths of all entities, lowered and raised by the bound on the estimate's error.
struct Lengths {
  std::vector<float> low, high;
  float bound;  // relative to the sum of both squared lengths
};

// |fl(|q|^2 + |e|^2 - 2 q.e) - |q - e|^2| <= bound (|q|^2 + |e|^2): each of the three sums of `dim` products
// has relative error dim 2^-24, and 2 |q||e| <= |q|^2 + |e|^2. Sixteen more units cover the few operations
// around them.
Lengths lengths_of(const Matrix& entities) {
  Lengths out{{}, {}, static_cast<float>(entities.dim() + 16) * 0x1.0p-23F};
  for (std::int64_t i = 0; i < entities.rows(); ++i) {
    const float length = squared_length(entities.row(i), entities.stride());
    if (!std::isfinite(length))
      throw NumericError("an embedding entry is not finite; ranks would be meaningless");
    out.low.push_back(length * (1.0F - out.bound));
    out.high.push_back(length * (1.0F + out.bound));
  }
  out.low.resize(static_cast<std::size_t>(padded(static_cast<int>(entities.rows()))), INFINITY);
  out.high.resize(out.low.size(), INFINITY);
  return out;
}

// Compares one row of products -2 q.e with the limits: nearer below `sure`, open up to `open`.
void compare_products(const float* products, const Lengths& lengths, std::int64_t first, std::int64_t count,
                      float sure, float open, Count& out) {
  for (std::int64_t k = 0; k < count; k += kLane) {
    const F16 p = simd::load(products + k);
    const auto maybe = simd::load(lengths.low.data() + first + k) + p <= open;
    if (!simd::any(maybe)) continue;
    const auto nearer = simd::load(lengths.high.data() + first + k) + p < sure;
    for (std::int64_t lane = 0; lane < std::min<std::int64_t>(kLane, count - k); ++lane) {
      if (nearer[lane])
        ++out.nearer;
      else if (maybe[lane])
        out.unsure.push_back(static_cast<EntityId>(first + k + lane));
    }
  }
}

void rank_l2(const TransEModel& model, const Lengths& lengths, const AnswerIndex& known,
             std::span<const Item> items, Progress& progress) {
  constexpr int kQueries = 64;
  constexpr std::int64_t kEntities = 1024;
  Batch batch(model, known, kQueries);
  Matrix products(kQueries, kEntities);
  const int stride = model.entities.stride();
  for (std::size_t begin = 0; begin < items.size(); begin += kQueries) {
    const std::span<const Item> part =
        items.subspan(begin, std::min<std::size_t>(kQueries, items.size() - begin));
    batch.start(part);
    for (std::int64_t first = 0; first < model.entities.rows(); first += kEntities) {
      const std::int64_t count = std::min(kEntities, model.entities.rows() - first);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(part.size()),
                  static_cast<int>(count), model.entities.dim(), -2.0F, batch.points.data(), stride,
                  model.entities.row(first), stride, 0.0F, products.data(), products.stride());
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        const double own = squared_length(batch.points.row(row), stride);
        const double d = batch.counts[i].distance;
        const double squared = model.norm == Norm::kL2 ? d * d : d;
        // 1e-6 covers the rounding of the exact distances themselves and of their roots.
        const double slack = 1e-6 * squared + static_cast<double>(lengths.bound) * own;
        compare_products(products.row(row), lengths, first, count, static_cast<float>(squared - own - slack),
                         static_cast<float>(squared - own + slack), batch.counts[i]);
      }
    }
    batch.finish(part);
    progress.add(static_cast<std::int64_t>(part.size()));
  }
}

std::vector<Item> items_of(std::span<const Triple> triples, std::vector<TripleRanks>& out) {
  std::vector<Item> items;
  items.reserve(2 * triples.size());
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const Triple& t = triples[i];
    items.push_back({t.tail, t.relation, Side::kHead, t.head, &out[i].head});
    items.push_back({t.head, t.relation, Side::kTail, t.tail, &out[i].tail});
  }
  return items;
}

}  // namespace

std::vector<TripleRanks> ranks(const TransEModel& model, std::span<const Triple> triples,
                               const AnswerIndex& known, Reporter& reporter) {
  std::vector<TripleRanks> out(triples.size());
  const std::vector<Item> items = items_of(triples, out);
  const auto progress = reporter.start("ranking", static_cast<std::int64_t>(items.size()), "ranks");
  const auto part_of = [&items](std::int64_t first, std::int64_t last) {
    return std::span(items).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  };
  const auto count = static_cast<std::int64_t>(items.size());
  if (model.norm == Norm::kL1) {
    const QuantizedTable table(model.entities);
    parallel_for(count, 64, [&](std::int64_t first, std::int64_t last) {
      rank_l1(model, table, known, part_of(first, last), *progress);
    });
  } else {
    const Lengths lengths = lengths_of(model.entities);
    parallel_for(count, 64, [&](std::int64_t first, std::int64_t last) {
      rank_l2(model, lengths, known, part_of(first, last), *progress);
    });
  }
  return out;
}

}  // namespace kgwalk::embeddings
