// Decoding step by step equals decoding at once, through beams, ragged beams and dropped examples.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/cache.h"
#include "seq2seq/layers/decoder.h"
#include "seq2seq/layers/encoder.h"
#include "tests/seq2seq/golden.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using torch::Tensor;

StackOptions step_options(const std::string& norm, const std::string& combine, int history, int width = 32) {
  StackOptions options;
  options.layers = 3;
  options.width = width;
  options.heads = 4;
  options.ffn_width = 48;
  options.norm = norm;
  options.hi = {history, 1, combine};
  options.hi_memory = {history, 2, combine};
  return options;
}

// An encoder with its trace and a plain second memory, three examples of different lengths.
struct Scene {
  explicit Scene(const StackOptions& options) : decoder(options, std::vector<int>{options.layers, 0}) {
    TransformerEncoder encoder(options);
    encoder->eval();
    decoder->eval();
    keep = torch::tensor({{1, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 0}}).to(torch::kBool);
    other_keep = torch::tensor({{1, 1, 1}, {1, 1, 0}, {0, 0, 0}}).to(torch::kBool);
    other = torch::randn({3, 3, options.width});
    states = encoder(torch::randn({3, 4, options.width}), keep, &trace);
  }
  // Memories of the given examples, repeated as often as they occur.
  [[nodiscard]] std::vector<Memory> memories(const std::vector<std::int64_t>& examples,
                                             AttentionTrace& own) const {
    const Tensor index = torch::tensor(examples, torch::kInt64);
    own = trace;
    for (TraceEntry& entry : own.layers) entry.packed = entry.packed.index_select(0, index);
    return {{states.index_select(0, index), keep.index_select(0, index), &own},
            {other.index_select(0, index), other_keep.index_select(0, index), nullptr}};
  }
  [[nodiscard]] Tensor whole(const Tensor& x, const Tensor& keep_target,
                             const std::vector<std::int64_t>& examples) {
    AttentionTrace own;
    const std::vector<Memory> list = memories(examples, own);
    return decoder(x, list, AttentionMasks{keep_target, {}, true});
  }
  TransformerDecoder decoder;
  AttentionTrace trace;
  Tensor states, keep, other, other_keep;
};

TEST(Incremental, StepsEqualTheWholeForEveryOption) {
  const torch::NoGradGuard guard;
  for (const char* norm : {"pre", "post", "end"})
    for (const char* combine : {"concat_eq9", "concat_eq6", "sum"})
      for (const int history : {0, 2}) {
        torch::manual_seed(1);
        Scene scene(step_options(norm, combine, history));
        const Tensor x = torch::randn({3, 6, 32});
        Tensor keep = torch::ones({3, 6}, torch::kBool);
        keep.select(1, 1).fill_(false);  // the masked goal
        const Tensor whole = scene.whole(x, keep, {0, 1, 2});
        AttentionTrace own;
        DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
        std::vector<Tensor> parts{scene.decoder->step(x.narrow(1, 0, 3), state, keep.narrow(1, 0, 3))};
        for (std::int64_t t = 3; t < 6; ++t) parts.push_back(scene.decoder->step(x.narrow(1, t, 1), state));
        EXPECT_EQ(state.length, 6);
        EXPECT_LT(largest_difference(torch::cat(parts, 1), whole), 1e-5)
            << norm << " " << combine << " " << history;
      }
}

TEST(Incremental, TheFastPathEqualsTheTrainingPath) {
  for (const char* norm : {"pre", "post", "end"}) {
    torch::manual_seed(2);
    Scene scene(step_options(norm, "concat_eq9", 1));
    const Tensor x = torch::randn({3, 4, 32});
    Tensor fast;
    {
      const torch::NoGradGuard guard;
      AttentionTrace own;
      DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
      std::vector<Tensor> parts;
      for (std::int64_t t = 0; t < 4; ++t) parts.push_back(scene.decoder->step(x.narrow(1, t, 1), state));
      fast = torch::cat(parts, 1);
    }
    const Tensor slow = scene.whole(x, {}, {0, 1, 2});  // gradients on: LibTorch's products
    EXPECT_TRUE(slow.requires_grad());
    EXPECT_LT(largest_difference(fast, slow.detach()), 1e-5) << norm;
  }
}

TEST(Incremental, BeamsOfAnyNumberContinueTheirParents) {
  const torch::NoGradGuard guard;
  torch::manual_seed(3);
  Scene scene(step_options("pre", "concat_eq9", 2));
  const Tensor first = torch::randn({3, 2, 32});
  AttentionTrace own;
  DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
  (void)scene.decoder->step(first, state);
  // Two beams each, then one, none and three.
  const std::vector<std::vector<std::int64_t>> reorders{{0, 0, 1, 1, 2, 2}, {1, 4, 5, 4}};
  std::vector<Tensor> history(3);
  for (std::int64_t b = 0; b < 3; ++b) history[static_cast<std::size_t>(b)] = first[b];
  std::vector<std::int64_t> examples{0, 1, 2};
  for (const std::vector<std::int64_t>& parents : reorders) {
    state.reorder(torch::tensor(parents, torch::kInt64));
    std::vector<Tensor> next;
    std::vector<std::int64_t> owners;
    const Tensor x = torch::randn({static_cast<std::int64_t>(parents.size()), 1, 32});
    for (std::size_t r = 0; r < parents.size(); ++r) {
      next.push_back(
          torch::cat({history[static_cast<std::size_t>(parents[r])], x[static_cast<std::int64_t>(r)]}, 0));
      owners.push_back(examples[static_cast<std::size_t>(parents[r])]);
    }
    history = next;
    examples = owners;
    const Tensor y = scene.decoder->step(x, state);
    const Tensor whole = scene.whole(torch::stack(history), {}, examples);
    EXPECT_LT(largest_difference(y.squeeze(1), whole.select(1, -1)), 1e-5);
  }
  EXPECT_EQ(state.row_offsets, (std::vector<std::int64_t>{0, 1, 1, 4}));
  // Examples are let go; the others go on.
  state.select_examples(torch::tensor({std::int64_t{2}}));
  EXPECT_EQ(state.rows(), 3);
  const Tensor x = torch::randn({3, 1, 32});
  std::vector<Tensor> kept;
  for (std::int64_t r = 0; r < 3; ++r)
    kept.push_back(torch::cat({history[static_cast<std::size_t>(r + 1)], x[r]}, 0));
  const Tensor whole = scene.whole(torch::stack(kept), {}, {2, 2, 2});
  EXPECT_LT(largest_difference(scene.decoder->step(x, state).squeeze(1), whole.select(1, -1)), 1e-5);
}

TEST(Incremental, CopiesOfAStateAreIndependent) {
  const torch::NoGradGuard guard;
  torch::manual_seed(4);
  Scene scene(step_options("post", "sum", 1));
  AttentionTrace own;
  DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
  (void)scene.decoder->step(torch::randn({3, 2, 32}), state);
  DecoderState copy = state;
  const Tensor a = torch::randn({3, 1, 32}), b = torch::randn({3, 1, 32});
  const Tensor wanted = scene.decoder->step(a, copy);
  DecoderState again = state;
  (void)scene.decoder->step(b, state);
  EXPECT_TRUE(torch::equal(scene.decoder->step(a, again), wanted));
  EXPECT_EQ(state.length, 3);
}

TEST(Incremental, RefusesRowsOutOfOrder) {
  const torch::NoGradGuard guard;
  Scene scene(step_options("pre", "sum", 0));
  AttentionTrace own;
  DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
  (void)scene.decoder->step(torch::randn({3, 1, 32}), state);
  EXPECT_THROW(state.reorder(torch::tensor({std::int64_t{1}, std::int64_t{0}})), ShapeError);
  EXPECT_THROW(state.reorder(torch::tensor({std::int64_t{3}})), ShapeError);
  EXPECT_THROW((void)scene.decoder->step(torch::randn({2, 1, 32}), state), ShapeError);
}

// Planners share one module: the first call packs the weights while others may be reading them.
TEST(Incremental, StepsOfSeveralThreadsOnOneModuleAgree) {
  torch::manual_seed(5);
  Scene scene(step_options("pre", "concat_eq9", 1));
  const Tensor x = torch::randn({3, 2, 32});
  std::vector<Tensor> results(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] {
      const torch::NoGradGuard guard;  // the guard is a thread's own
      AttentionTrace own;
      DecoderState state = scene.decoder->start(scene.memories({0, 1, 2}, own));
      results[i] = scene.decoder->step(x, state);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& result : results) EXPECT_TRUE(torch::equal(result, results[0]));
}

TEST(KeyValueCache, GrowsAndReordersWithoutLosingPositions) {
  KeyValueCache cache;
  std::vector<Tensor> all;
  for (int t = 0; t < 20; ++t) {
    all.push_back(torch::randn({2, 1, 6}));
    cache.append(all.back());
  }
  EXPECT_TRUE(torch::equal(cache.entry().packed.narrow(1, 0, 20), torch::cat(all, 1)));
  cache.reorder(torch::tensor({1, 1, 0}, torch::kInt64));
  EXPECT_EQ(cache.rows(), 3);
  EXPECT_TRUE(torch::equal(cache.entry().packed.narrow(1, 0, 20)[2], torch::cat(all, 1)[0]));
  EXPECT_THROW(cache.append(torch::randn({2, 1, 6})), ShapeError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
