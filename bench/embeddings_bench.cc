// Targets P1, P2, P4 and P9: TransE by triples and by questions, filtered exact ranks, rank-64 distance
// factors, each beside a peer in the same run: eager LibTorch (P1, P2, P9) and the plain evaluator (P4). Same
// dimensions, type, negatives, threads and BLAS; equal results are checked before a pair is measured.
//
// Data: FB15k-237 under KGWALK_DATA; otherwise random triples of the same counts (said in
// the output). Threads: KGWALK_BENCH_THREADS, default 2.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>

#include "embeddings/distance/low_rank.h"
#include "embeddings/links/question_trainer.h"
#include "embeddings/links/ranking.h"
#include "embeddings/links/triple_trainer.h"
#include "kgwalk/distances.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/link_prediction.h"
#include "kgwalk/threads.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "runtime/tensor/torch_threads.h"

namespace kgwalk::embeddings {
namespace {

using torch::Tensor;

const LinkDataset& data() {
  static const LinkDataset loaded = [] {
    const char* given = std::getenv("KGWALK_DATA");
    const std::filesystem::path folder = std::filesystem::path(given == nullptr ? "" : given) / "FB15k-237";
    if (given != nullptr && std::filesystem::exists(folder / "train.txt"))
      return LinkDataset::load(folder / "train.txt", folder / "valid.txt", folder / "test.txt");
    std::fprintf(stderr, "FB15k-237 is absent: random triples of the same counts instead\n");
    LinkDataset out;
    out.entities.resize(14541);
    out.relations.resize(237);
    Random random(1);
    for (auto& [split, count] : {std::pair{&out.train, 272115}, {&out.valid, 17535}, {&out.test, 20466}})
      for (int i = 0; i < count; ++i)
        split->push_back({static_cast<EntityId>(random.below(14541)),
                          static_cast<RelationId>(random.below(237)),
                          static_cast<EntityId>(random.below(14541))});
    return out;
  }();
  return loaded;
}

Tensor tensor_of(const Matrix& m) {
  Tensor out = torch::empty({m.rows(), m.dim()});
  for (std::int64_t i = 0; i < m.rows(); ++i)
    std::copy(m.row(i), m.row(i) + m.dim(), out.data_ptr<float>() + i * m.dim());
  return out;
}

template <class Get>
Tensor ids_of(std::span<const Triple> triples, Get get) {
  std::vector<std::int64_t> ids;
  for (const Triple& t : triples) ids.push_back(static_cast<std::int64_t>(get(t)));
  return torch::tensor(ids, torch::kInt64);
}

// Both tables with sparse gradients and plain descent: the usual eager program.
struct Eager {
  Tensor entities, relations;
  explicit Eager(const EmbeddingModel& model)
      : entities(tensor_of(model.entities).requires_grad_()),
        relations(tensor_of(model.relations).requires_grad_()) {}
  static Tensor rows(const Tensor& table, const Tensor& ids) {
    return torch::embedding(table, ids, /*padding_idx=*/-1, /*scale_grad_by_freq=*/false, /*sparse=*/true);
  }
  void descend(const Tensor& loss, double rate) {
    const auto gradients = torch::autograd::grad({loss}, {entities, relations});
    const torch::NoGradGuard guard;
    entities.add_(gradients[0], -rate);
    relations.add_(gradients[1], -rate);
  }
};

// Runs a check of equal results before the first benchmark of its pair.
void once(void (*check)()) {
  static std::vector<void (*)()> done;
  if (std::find(done.begin(), done.end(), check) != done.end()) return;
  done.push_back(check);
  check();
}

// ---- P1: margin loss, one corrupted triple, L1, width 100.

constexpr double kRate1 = 0.001;

EmbeddingConfig config1() {
  EmbeddingConfig config;
  config.dim = 100;
  config.norm = "l1";
  config.loss = "margin";
  config.sampling = "per_triple";
  config.optimizer = "sgd";
  config.margin = 2;
  config.initial = 0.05;
  return config;
}

double eager_epoch1(Eager& model, std::span<const Triple> triples, std::int64_t batch, Random& random) {
  const auto n = static_cast<std::int64_t>(triples.size());
  std::vector<Triple> order(triples.begin(), triples.end());
  random.shuffle(std::span(order));
  const auto span = std::span<const Triple>(order);
  const Tensor heads = ids_of(span, [](const Triple& t) { return t.head; });
  const Tensor relations = ids_of(span, [](const Triple& t) { return t.relation; });
  const Tensor tails = ids_of(span, [](const Triple& t) { return t.tail; });
  double total = 0;
  for (std::int64_t i = 0; i < n; i += batch) {
    const std::int64_t end = std::min(n, i + batch);
    const Tensor h = heads.slice(0, i, end), t = tails.slice(0, i, end);
    const Tensor other = torch::randint(model.entities.size(0), {end - i}, torch::kInt64);
    const Tensor side = torch::rand({end - i}) < 0.5;
    const Tensor eh = Eager::rows(model.entities, h), et = Eager::rows(model.entities, t);
    const Tensor er = Eager::rows(model.relations, relations.slice(0, i, end));
    const Tensor eo = Eager::rows(model.entities, other);
    const Tensor pick = side.unsqueeze(1);
    const Tensor good = (eh + er - et).abs().sum(1);
    const Tensor bad = (torch::where(pick, eo, eh) + er - torch::where(pick, et, eo)).abs().sum(1);
    const Tensor loss = (2.0 + good - bad).clamp_min(0).sum();
    total += loss.item<double>();
    model.descend(loss, kRate1);
  }
  return total / static_cast<double>(n);
}

// The draws differ and a batch moves later than single triples do: with small batches and a small rate
// both means agree.
void check1() {
  const EmbeddingConfig config = config1();
  const std::span<const Triple> part(data().train.data(), 40000);
  EmbeddingModel model = EmbeddingModel::random(config, 14541, 237);
  Eager eager(model);
  TripleTrainer trainer(config, model, part);
  Random random(1);
  for (int epoch = 0; epoch < 2; ++epoch) {
    const double ours = trainer.epoch(epoch, static_cast<float>(kRate1)) / static_cast<double>(part.size());
    const double theirs = eager_epoch1(eager, part, 64, random);
    std::fprintf(stderr, "P1: mean loss of epoch %d: %.4f, eager %.4f\n", epoch + 1, ours, theirs);
    if (std::abs(ours - theirs) > 0.02 * theirs) {
      std::fprintf(stderr, "P1: not the same training\n");
      std::exit(1);
    }
  }
}

void P1_triples(benchmark::State& state) {
  once(check1);
  const EmbeddingConfig config = config1();
  EmbeddingModel model = EmbeddingModel::random(config, 14541, 237);
  TripleTrainer trainer(config, model, data().train);
  int epoch = 0;
  for (auto _ : state) benchmark::DoNotOptimize(trainer.epoch(epoch++, static_cast<float>(kRate1)));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(data().train.size()));
}

void P1_eager(benchmark::State& state) {
  once(check1);
  EmbeddingModel model = EmbeddingModel::random(config1(), 14541, 237);
  Eager eager(model);
  Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(eager_epoch1(eager, data().train, 4096, random));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(data().train.size()));
}

// ---- P2: L1, 256 shared negatives, width 200, cross-entropy of the answer among them.

constexpr int kBatch2 = 512;

EmbeddingConfig config2() {
  EmbeddingConfig config;
  config.dim = 200;
  config.norm = "l1";
  config.negatives = 256;
  config.batch = kBatch2;
  config.group_answers = false;
  config.correction = 0;
  config.optimizer = "sgd";
  config.initial = 0.05;
  return config;
}

struct Batch2 {
  std::vector<Question> questions;
  std::vector<EntityId> negatives;
  Tensor heads, relations, tails, others;
};

Batch2 batch2(std::size_t number) {
  static const float one = 1.0F;
  const auto& train = data().train;
  Batch2 out;
  const std::span<const Triple> part(train.data() + number * kBatch2 % (train.size() - kBatch2), kBatch2);
  for (const Triple& t : part)
    out.questions.push_back({t.head, t.relation, Side::kTail, std::span(&t.tail, 1), std::span(&one, 1), {}});
  Random random(number);
  std::vector<bool> taken(14541, false);
  while (out.negatives.size() < 256) {
    const auto e = static_cast<EntityId>(random.below(14541));
    if (!taken[e]) out.negatives.push_back(e);
    taken[e] = true;
  }
  out.heads = ids_of(part, [](const Triple& t) { return t.head; });
  out.relations = ids_of(part, [](const Triple& t) { return t.relation; });
  out.tails = ids_of(part, [](const Triple& t) { return t.tail; });
  const std::vector<std::int64_t> others(out.negatives.begin(), out.negatives.end());
  out.others = torch::tensor(others, torch::kInt64);
  return out;
}

double eager_step2(Eager& model, const Batch2& batch) {
  const Tensor point =
      Eager::rows(model.entities, batch.heads) + Eager::rows(model.relations, batch.relations);
  const Tensor near = (point - Eager::rows(model.entities, batch.tails)).abs().sum(1, true);
  const Tensor far = torch::cdist(point, Eager::rows(model.entities, batch.others), 1.0);
  const Tensor logits = -torch::cat({near, far}, 1);
  const Tensor loss = (torch::logsumexp(logits, 1) - logits.select(1, 0)).sum();
  model.descend(loss, 0.1 / kBatch2);
  return loss.item<double>();
}

void check2() {
  const EmbeddingConfig config = config2();
  EmbeddingModel model = EmbeddingModel::random(config, 14541, 237);
  Eager eager(model);
  QuestionTrainer trainer(config, model);
  for (std::size_t i = 0; i < 3; ++i) {
    const Batch2 batch = batch2(i);
    const double ours = trainer.step(batch.questions, batch.negatives, 0.1F);
    const double theirs = eager_step2(eager, batch);
    // From equal tables one step must agree entry by entry. After it, roundings let single signs of
    // differences near zero flip, each worth a whole step of one entry: from there on the tables agree
    // in the mean.
    const Tensor gap = (tensor_of(model.entities) - eager.entities.detach()).abs();
    const double apart = i == 0 ? gap.max().item<double>() : gap.mean().item<double>();
    if (std::abs(ours - theirs) > 1e-4 * theirs || apart > (i == 0 ? 1e-6 : 1e-8)) {
      std::fprintf(stderr, "P2, step %zu: loss %.6f, eager %.6f, tables %.2g apart\n", i + 1, ours, theirs,
                   apart);
      std::exit(1);
    }
  }
}

void P2_questions(benchmark::State& state) {
  once(check2);
  const EmbeddingConfig config = config2();
  EmbeddingModel model = EmbeddingModel::random(config, 14541, 237);
  QuestionTrainer trainer(config, model);
  std::vector<Batch2> batches;
  for (std::size_t i = 0; i < 64; ++i) batches.push_back(batch2(i));
  std::size_t next = 0;
  for (auto _ : state) {
    const Batch2& batch = batches[next++ % batches.size()];
    benchmark::DoNotOptimize(trainer.step(batch.questions, batch.negatives, 0.1F));
  }
  state.SetItemsProcessed(state.iterations() * kBatch2);
}

void P2_eager(benchmark::State& state) {
  once(check2);
  Eager eager(EmbeddingModel::random(config2(), 14541, 237));
  std::vector<Batch2> batches;
  for (std::size_t i = 0; i < 64; ++i) batches.push_back(batch2(i));
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(eager_step2(eager, batches[next++ % batches.size()]));
  state.SetItemsProcessed(state.iterations() * kBatch2);
}

// ---- P4: filtered exact ranks, L1, width 50, after a short training.

const EmbeddingModel& trained4() {
  static const EmbeddingModel model = [] {
    EmbeddingConfig config = config1();
    config.dim = 50;
    EmbeddingModel made = EmbeddingModel::random(config, 14541, 237);
    TripleTrainer trainer(config, made, data().train);
    for (int epoch = 0; epoch < 20; ++epoch) trainer.epoch(epoch, 0.01F);
    return made;
  }();
  return model;
}

const AnswerIndex& known4() {
  static const AnswerIndex index({data().train, data().valid, data().test});
  return index;
}

void check4() {
  const std::span<const Triple> part(data().test.data(), 1500);
  const auto fast = ranks(trained4(), part, known4());
  if (fast != plain_ranks(trained4(), part, known4())) {
    std::fprintf(stderr, "P4: the fast ranks are not the plain ones\n");
    std::exit(1);
  }
  std::fprintf(stderr, "P4: MRR of the ranked tables %.3f\n", summarize(fast).both.mrr);
}

void P4_ranks(benchmark::State& state) {
  once(check4);
  for (auto _ : state) benchmark::DoNotOptimize(ranks(trained4(), data().test, known4()));
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(data().test.size()));
}

void P4_plain(benchmark::State& state) {
  once(check4);
  const std::span<const Triple> part(data().test.data(), 2000);
  for (auto _ : state) benchmark::DoNotOptimize(plain_ranks(trained4(), part, known4()));
  state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(part.size()));
}

// ---- P9: rank-64 factors of the matrix of all distances.

struct Distances {
  std::int64_t n = 0;
  float absent = 0;
  std::vector<graph::Distance> bytes;
};

const Distances& distances9() {
  static const Distances made = [] {
    std::vector<graph::NamedTriple> triples;
    for (const Triple& t : data().train)
      triples.push_back({std::to_string(t.head), std::to_string(t.relation), std::to_string(t.tail)});
    const auto graph = graph::KnowledgeGraph::from_triples(triples);
    Distances out{static_cast<std::int64_t>(graph.num_connected()), 0, {}};
    std::vector<graph::EntityId> all(graph.num_connected());
    std::iota(all.begin(), all.end(), 0U);
    out.bytes = graph::distance_rows(graph, all);
    for (const graph::Distance d : out.bytes)
      if (d != graph::kUnreachable) out.absent = std::max(out.absent, static_cast<float>(d) + 1);
    return out;
  }();
  return made;
}

ByteMatrix matrix9() {
  const Distances& d = distances9();
  return {d.n, d.absent, [&d](const ByteMatrix::Visit& visit) {
            for (std::int64_t first = 0; first < d.n; first += 512) {
              const std::int64_t rows = std::min<std::int64_t>(512, d.n - first);
              visit(first, {d.bytes.data() + first * d.n, static_cast<std::size_t>(rows * d.n)});
            }
          }};
}

constexpr LowRankOptions kOptions9{.rank = 64, .oversampling = 10, .power_iterations = 1, .seed = 1};

// The same algorithm as eager code on the matrix as floats: products, QR, and the SVD of the small factor.
std::pair<Tensor, Tensor> eager9(const Tensor& m) {
  Tensor basis = torch::randn({m.size(0), 74});
  for (int pass = 0; pass < 2; ++pass) basis = std::get<0>(torch::linalg_qr(m.matmul(basis), "reduced"));
  const auto [u, s, v] = torch::linalg_svd(basis.t().matmul(m), /*full_matrices=*/false);
  const Tensor root = s.slice(0, 0, 64).sqrt();
  return {basis.matmul(u.slice(1, 0, 64)) * root, v.slice(0, 0, 64).t() * root};
}

Tensor floats9() {
  const Distances& d = distances9();
  Tensor m = torch::empty({d.n, d.n});
  float* out = m.data_ptr<float>();
  for (std::size_t i = 0; i < d.bytes.size(); ++i)
    out[i] = d.bytes[i] == graph::kUnreachable ? d.absent : static_cast<float>(d.bytes[i]);
  return m;
}

void report9(const char* name, const Tensor& m, const Tensor& left, const Tensor& right, double& rmse) {
  double squares = 0, exact = 0;
  for (std::int64_t i = 0; i < m.size(0); i += 1024) {
    const Tensor part = m.slice(0, i, std::min<std::int64_t>(m.size(0), i + 1024));
    const Tensor guess = left.slice(0, i, i + part.size(0)).matmul(right.t());
    squares += (guess - part).square().sum(torch::kFloat64).item<double>();
    exact += (guess.round() == part).sum().item<double>();
  }
  const double count = static_cast<double>(m.numel());
  rmse = std::sqrt(squares / count);
  std::fprintf(stderr, "P9 %s: RMSE %.4f, %.2f %% exact after rounding\n", name, rmse, 100 * exact / count);
}

void check9() {
  const torch::NoGradGuard guard;
  const Tensor m = floats9();
  const LowRankFactors ours = randomized_svd(matrix9(), kOptions9);
  const auto [left, right] = eager9(m);
  double rmse_ours = 0, rmse_eager = 0;
  report9("ours ", m, tensor_of(ours.left), tensor_of(ours.right), rmse_ours);
  report9("eager", m, left, right, rmse_eager);
  if (rmse_ours > 1.01 * rmse_eager) {
    std::fprintf(stderr, "P9: our error is larger\n");
    std::exit(1);
  }
}

void P9_factors(benchmark::State& state) {
  once(check9);
  const ByteMatrix m = matrix9();
  for (auto _ : state) benchmark::DoNotOptimize(randomized_svd(m, kOptions9));
}

void P9_eager(benchmark::State& state) {
  once(check9);
  const torch::NoGradGuard guard;
  const Tensor m = floats9();
  for (auto _ : state) benchmark::DoNotOptimize(eager9(m));
}

BENCHMARK(P1_triples)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P1_eager)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P2_questions)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P2_eager)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P4_ranks)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P4_plain)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P9_factors)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(P9_eager)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace kgwalk::embeddings

int main(int argc, char** argv) {
  const char* threads = std::getenv("KGWALK_BENCH_THREADS");
  kgwalk::set_torch_threads(threads ? std::atoi(threads) : 2);
  kgwalk::seed_torch(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
