#include "embeddings/links/ranking.h"

#include "runtime/parallel.h"

namespace kgwalk::embeddings {
namespace {

double plain_rank(const EmbeddingModel& model, const Triple& triple, Side side, const AnswerIndex& known,
                  Matrix& point, std::vector<float>& distance) {
  const EntityId given = side == Side::kTail ? triple.head : triple.tail;
  const EntityId right = side == Side::kTail ? triple.tail : triple.head;
  model.question(given, triple.relation, side, point.row(0));
  distances_to_range(model.measure, point.row(0), model.entities, 0, model.entities.rows(), distance.data());
  std::vector<char> filtered(distance.size(), 0);
  for (const EntityId e : known.lookup(given, triple.relation, side)) filtered[e] = 1;
  std::int64_t nearer = 0;
  std::int64_t ties = 0;
  for (std::size_t e = 0; e < distance.size(); ++e) {
    if (e == right || filtered[e]) continue;
    nearer += distance[e] < distance[right];
    ties += distance[e] == distance[right];
  }
  return 1.0 + static_cast<double>(nearer) + 0.5 * static_cast<double>(ties);
}

void add(RankMetrics& m, double rank) {
  m.mean_rank += rank;
  m.mrr += 1.0 / rank;
  m.hits1 += rank <= 1.0;
  m.hits3 += rank <= 3.0;
  m.hits10 += rank <= 10.0;
  ++m.count;
}

void divide(RankMetrics& m) {
  if (m.count == 0) return;
  const double share = 1.0 / static_cast<double>(m.count);
  for (double* x : {&m.mean_rank, &m.mrr, &m.hits1, &m.hits3, &m.hits10}) *x *= share;
}

}  // namespace

std::vector<TripleRanks> plain_ranks(const EmbeddingModel& model, std::span<const Triple> triples,
                                     const AnswerIndex& known) {
  std::vector<TripleRanks> out(triples.size());
  parallel_for(static_cast<std::int64_t>(triples.size()), 1, [&](std::int64_t first, std::int64_t last) {
    Matrix point(1, model.entities.dim());
    std::vector<float> distance(static_cast<std::size_t>(model.entities.rows()));
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      out[i] = {plain_rank(model, triples[i], Side::kHead, known, point, distance),
                plain_rank(model, triples[i], Side::kTail, known, point, distance)};
  });
  return out;
}

RankReport summarize(std::span<const TripleRanks> ranks) {
  RankReport report;
  for (const TripleRanks& r : ranks) {
    add(report.head, r.head);
    add(report.tail, r.tail);
    add(report.both, r.head);
    add(report.both, r.tail);
  }
  for (RankMetrics* m : {&report.both, &report.head, &report.tail}) divide(*m);
  return report;
}

Json RankMetrics::to_json() const {
  return {{"mr", mean_rank}, {"mrr", mrr},        {"hits@1", hits1},
          {"hits@3", hits3}, {"hits@10", hits10}, {"ranks", count}};
}

Json RankReport::to_json() const {
  return {{"both", both.to_json()}, {"head", head.to_json()}, {"tail", tail.to_json()}};
}

}  // namespace kgwalk::embeddings
