#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "embeddings/links/ranking.h"
#include "embeddings/vectors/quantized_table.h"
#include "embeddings/vectors/simd.h"
#include "kgwalk/error.h"
#include "runtime/parallel.h"

namespace kgwalk::embeddings {
namespace {

using simd::F16;

using Count = QuantizedTable::Count;

// A right answer; `result` is where its rank goes.
struct Answer {
  EntityId entity;
  double* result;
};

// One question with all its right answers: they share every distance that is measured.
struct RankedQuestion {
  EntityId given;
  RelationId relation;
  Side side;
  std::span<const Answer> answers;
};

// Questions of one thread: points, exact distances of the right entities, and the final exact comparisons.
class Batch {
 public:
  Batch(const EmbeddingModel& model, const AnswerIndex& known, int size)
      : points(size, model.entities.dim()),
        model_(model),
        known_(known),
        counts_(static_cast<std::size_t>(size)),
        exact_(static_cast<std::size_t>(model.entities.rows())),
        measured_(static_cast<std::size_t>(model.entities.rows()), 0) {}

  void start(std::span<const RankedQuestion> questions) {
    counts.clear();
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const RankedQuestion& q = questions[i];
      float* point = points.row(static_cast<std::int64_t>(i));
      model_.question(q.given, q.relation, q.side, point);
      counts_[i].assign(q.answers.size(), Count{});
      for (std::size_t a = 0; a < q.answers.size(); ++a)
        distances_to(model_.measure, point, model_.entities, std::span(&q.answers[a].entity, 1),
                     &counts_[i][a].distance);
      counts.emplace_back(counts_[i]);
    }
  }

  // Measures the unsure entities, takes the other known answers out again and writes the ranks.
  void finish(std::span<const RankedQuestion> questions) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const RankedQuestion& q = questions[i];
      ++question_;
      const float* point = points.row(static_cast<std::int64_t>(i));
      const std::span<const EntityId> filtered = known_.lookup(q.given, q.relation, q.side);
      measure(point, filtered);
      for (std::size_t a = 0; a < q.answers.size(); ++a) {
        const Count& count = counts_[i][a];
        measure(point, count.unsure);
        std::int64_t nearer = count.nearer, ties = 0;
        for (const EntityId e : count.unsure) {
          nearer += exact_[e] < count.distance;
          ties += exact_[e] == count.distance;
        }
        for (const EntityId e : filtered) {
          nearer -= exact_[e] < count.distance;
          ties -= exact_[e] == count.distance;
        }
        // The right entity was counted as a tie with itself, and taken out again if it is a known answer.
        if (!std::binary_search(filtered.begin(), filtered.end(), q.answers[a].entity)) --ties;
        *q.answers[a].result = 1.0 + static_cast<double>(nearer) + 0.5 * static_cast<double>(ties);
      }
    }
  }

  Matrix points;
  std::vector<std::span<Count>> counts;  // of each question, one an answer

 private:
  // Distances of those not yet measured for the question at hand into exact_.
  void measure(const float* point, std::span<const EntityId> ids) {
    missing_.clear();
    for (const EntityId e : ids) {
      if (measured_[e] == question_) continue;
      measured_[e] = question_;
      missing_.push_back(e);
    }
    distance_.resize(missing_.size());
    distances_to(model_.measure, point, model_.entities, missing_, distance_.data());
    for (std::size_t k = 0; k < missing_.size(); ++k) exact_[missing_[k]] = distance_[k];
  }

  const EmbeddingModel& model_;
  const AnswerIndex& known_;
  std::vector<std::vector<Count>> counts_;
  std::vector<float> exact_;             // [E] of the question at hand
  std::vector<std::uint32_t> measured_;  // [E] number of the question that exact_ is of
  std::uint32_t question_ = 0;
  std::vector<EntityId> missing_;
  std::vector<float> distance_;
};

std::int64_t count_answers(std::span<const RankedQuestion> questions) {
  std::int64_t sum = 0;
  for (const RankedQuestion& q : questions) sum += static_cast<std::int64_t>(q.answers.size());
  return sum;
}

void rank_l1(const EmbeddingModel& model, const QuantizedTable& table, const AnswerIndex& known,
             std::span<const RankedQuestion> questions, Progress& progress) {
  constexpr std::size_t kQueries = QuantizedTable::kQueries;
  Batch batch(model, known, kQueries);
  std::vector<QuantizedTable::Query> queries;
  QuantizedTable::Workspace space;
  for (std::size_t begin = 0; begin < questions.size(); begin += kQueries) {
    const auto part = questions.subspan(begin, std::min(kQueries, questions.size() - begin));
    batch.start(part);
    queries.clear();
    for (std::size_t i = 0; i < part.size(); ++i)
      queries.push_back(table.quantize(batch.points.row(static_cast<std::int64_t>(i))));
    table.compare(queries, batch.counts, space);
    batch.finish(part);
    progress.add(count_answers(part));
  }
}

// What the estimate of a distance from an entity adds to the product with it, lowered and raised by the bound
// on its error.
struct Limits {
  std::vector<float> low, high;
  float factor;  // of the products: -2 for squared lengths, -1 where the product is the measure
  float bound;   // relative to the sum of both squared lengths
};

// |fl(|q|^2 + |e|^2 - 2 q.e) - |q - e|^2| <= bound (|q|^2 + |e|^2): each of the three sums of `dim` products
// has relative error dim 2^-24, and 2 |q||e| <= |q|^2 + |e|^2. Sixteen more units cover the few operations
// around them. Where the product itself is the measure, the same bound covers the errors of the estimate and
// of the exact sum, which are two such sums of at most |q||e|.
Limits limits_of(const EmbeddingModel& model) {
  const Matrix& entities = model.entities;
  const bool product = model.measure == Measure::kProduct;
  Limits out{{}, {}, product ? -1.0F : -2.0F, static_cast<float>(entities.dim() + 16) * 0x1.0p-23F};
  for (std::int64_t i = 0; i < entities.rows(); ++i) {
    const float length = squared_length(entities.row(i), entities.stride());
    if (!std::isfinite(length))
      throw NumericError("an embedding entry is not finite; ranks would be meaningless");
    const float whole = product ? 0.0F : length;
    out.low.push_back(whole - length * out.bound);
    out.high.push_back(whole + length * out.bound);
  }
  out.low.resize(static_cast<std::size_t>(padded(static_cast<int>(entities.rows()))), INFINITY);
  out.high.resize(out.low.size(), INFINITY);
  return out;
}

// Compares one row of products with the limits: nearer below `sure`, open up to `open`.
void compare_products(const float* products, const Limits& limits, std::int64_t first, std::int64_t count,
                      float sure, float open, Count& out) {
  for (std::int64_t k = 0; k < count; k += kLane) {
    const F16 p = simd::load(products + k);
    const auto maybe = simd::load(limits.low.data() + first + k) + p <= open;
    if (!simd::any(maybe)) continue;
    const auto nearer = simd::load(limits.high.data() + first + k) + p < sure;
    for (std::int64_t lane = 0; lane < std::min<std::int64_t>(kLane, count - k); ++lane) {
      if (nearer[lane])
        ++out.nearer;
      else if (maybe[lane])
        out.unsure.push_back(static_cast<EntityId>(first + k + lane));
    }
  }
}

void rank_by_products(const EmbeddingModel& model, const Limits& limits, const AnswerIndex& known,
                      std::span<const RankedQuestion> questions, Progress& progress) {
  constexpr int kQueries = 64;
  constexpr std::int64_t kEntities = 1024;
  Batch batch(model, known, kQueries);
  Matrix products(kQueries, kEntities);
  const int stride = model.entities.stride();
  for (std::size_t begin = 0; begin < questions.size(); begin += kQueries) {
    const auto part = questions.subspan(begin, std::min<std::size_t>(kQueries, questions.size() - begin));
    batch.start(part);
    for (std::int64_t first = 0; first < model.entities.rows(); first += kEntities) {
      const std::int64_t of_table = std::min(kEntities, model.entities.rows() - first);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(part.size()),
                  static_cast<int>(of_table), model.entities.dim(), limits.factor, batch.points.data(),
                  stride, model.entities.row(first), stride, 0.0F, products.data(), products.stride());
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i);
        const double own = squared_length(batch.points.row(row), stride);
        for (Count& count : batch.counts[i]) {
          const double d = count.distance;
          const double squared = model.measure == Measure::kL2 ? d * d : d;
          const double rest = model.measure == Measure::kProduct ? squared : squared - own;
          // 1e-6 covers the rounding of the exact distances themselves and of their roots.
          const double slack = 1e-6 * std::abs(squared) + static_cast<double>(limits.bound) * own;
          compare_products(products.row(row), limits, first, of_table, static_cast<float>(rest - slack),
                           static_cast<float>(rest + slack), count);
        }
      }
    }
    batch.finish(part);
    progress.add(count_answers(part));
  }
}

// The answers wanted, those of a question together.
class Questions {
 public:
  Questions(std::span<const Triple> triples, std::vector<TripleRanks>& out) {
    std::vector<Item> items;
    items.reserve(2 * triples.size());
    for (std::size_t i = 0; i < triples.size(); ++i) {
      const Triple& t = triples[i];
      items.push_back({{0, t.relation, t.tail}, {t.head, &out[i].head}});
      items.push_back({{1, t.relation, t.head}, {t.tail, &out[i].tail}});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    answers_.reserve(items.size());
    for (const Item& item : items) answers_.push_back(item.answer);
    for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
      const auto& [side, relation, given] = items[begin].key;
      while (end < items.size() && items[end].key == items[begin].key) ++end;
      all_.push_back({given, relation, side == 0 ? Side::kHead : Side::kTail,
                      std::span(answers_).subspan(begin, end - begin)});
    }
  }
  [[nodiscard]] std::span<const RankedQuestion> part(std::int64_t first, std::int64_t last) const {
    return std::span(all_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(all_.size()); }

 private:
  struct Item {
    std::tuple<int, RelationId, EntityId> key;  // side, relation, entity given
    Answer answer;
  };
  std::vector<Answer> answers_;
  std::vector<RankedQuestion> all_;
};

}  // namespace

std::vector<TripleRanks> ranks(const EmbeddingModel& model, std::span<const Triple> triples,
                               const AnswerIndex& known, Reporter& reporter) {
  std::vector<TripleRanks> out(triples.size());
  const Questions questions(triples, out);
  const auto progress = reporter.start("ranking", 2 * static_cast<std::int64_t>(triples.size()), "ranks");
  if (model.measure == Measure::kL1) {
    const QuantizedTable table(model.entities);
    parallel_for(questions.size(), 64, [&](std::int64_t first, std::int64_t last) {
      rank_l1(model, table, known, questions.part(first, last), *progress);
    });
  } else {
    const Limits limits = limits_of(model);
    parallel_for(questions.size(), 64, [&](std::int64_t first, std::int64_t last) {
      rank_by_products(model, limits, known, questions.part(first, last), *progress);
    });
  }
  return out;
}

}  // namespace kgwalk::embeddings
