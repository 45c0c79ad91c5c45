// The metrics of PAD and its spans against a second reading of the paper, simple twins, and padding.
#include <gtest/gtest.h>

#include <algorithm>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "runtime/tensor/torch.h"
#include "seq2seq/attention/significance.h"
#include "seq2seq/tasks/understanding/alignment.h"
#include "seq2seq/tasks/understanding/spans.h"
#include "tests/seq2seq/golden_readings.h"
#include "tests/seq2seq/gradient_check.h"
#include "tests/seq2seq/tasks/understanding/model_folder.h"

namespace kgwalk::seq2seq {
namespace {

using testing::largest_difference;
using testing::tensor_of;
using torch::Tensor;

// On the values of tests/golden/make_pad.py, and on another's.
class PadGolden : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    golden = read_json_file(GetParam())["case"];
    length = golden["options"]["length"].get<std::int64_t>();
  }
  [[nodiscard]] Tensor input(const char* name) const { return tensor_of(golden["inputs"][name]); }
  [[nodiscard]] Tensor expected(const char* name) const { return tensor_of(golden["expected"][name]); }
  Json golden;
  std::int64_t length = 0;
};

// A trace with these logits [L, H, T, T], of heads one column wide, so that nothing is scaled.
AttentionTrace trace_of(const Tensor& logits) {
  AttentionTrace trace;
  for (std::int64_t l = 0; l < logits.size(0); ++l) {
    trace.layers.emplace_back();
    trace.layers.back().inner_width = logits.size(1);
    trace.layers.back().logits = logits[l].unsqueeze(0);
  }
  return trace;
}

INSTANTIATE_TEST_SUITE_P(Readings, PadGolden, ::testing::ValuesIn(testing::all_readings("pad.json")),
                         testing::reading_name);

TEST_P(PadGolden, SignificanceLeavesPaddingOut) {
  const Tensor logits = input("attention_logits");  // [L, H, T, T], padded
  const Tensor keep = torch::arange(logits.size(3)).lt(length).unsqueeze(0);
  const Tensor prior = significance_of(trace_of(logits), keep, SignificanceLayers::kAll)[0];
  EXPECT_LT(largest_difference(prior.narrow(0, 0, length), expected("significance")), 1e-10);
  EXPECT_EQ(prior.narrow(0, length, logits.size(3) - length).abs().sum().item<double>(), 0);
}

TEST_P(PadGolden, AlignmentsAndSpansEqualTheReading) {
  const Units speech{input("speech").unsqueeze(0), {}, expected("significance").unsqueeze(0)};
  const Units text{input("text").unsqueeze(0), {}, {}};
  EXPECT_NEAR(local_alignment(speech, text).item<double>(), expected("local_loss").item<double>(), 1e-10);
  EXPECT_NEAR(global_alignment(pooled_units({speech.states, {}, {}}), pooled_units(text)).item<double>(),
              expected("global_mean_l1").item<double>(), 1e-10);
  SpanOptions options;
  options.base_scale = golden["options"]["xi"].get<int>();
  const SpanPools pools = aggregate_spans(speech, options);
  const Tensor anchors = expected("anchors");
  const std::size_t scales = options.widths.size();
  ASSERT_EQ(pools.spans[0].size(), static_cast<std::size_t>(anchors.size(0)) * scales);
  for (std::int64_t k = 0; k < anchors.size(0); ++k)
    EXPECT_EQ(pools.spans[0][static_cast<std::size_t>(k) * scales].anchor,
              static_cast<std::int64_t>(anchors[k].item<double>()));
  EXPECT_LT(largest_difference(pools.units.states[0], expected("span_pool").flatten(0, 1)), 1e-6);
  EXPECT_NEAR(local_alignment(pools.units, text).item<double>(), expected("span_local_loss").item<double>(),
              1e-7);
}

TEST(Significance, WorksInSinglePrecisionWithPadding) {
  torch::manual_seed(2);
  const Tensor logits = torch::randn({2, 1, 5, 5}), keep = torch::arange(5).lt(3).unsqueeze(0);
  const Tensor prior = significance_of(trace_of(logits), keep, SignificanceLayers::kAll)[0];
  const Tensor alone =
      significance_of(trace_of(logits.narrow(2, 0, 3).narrow(3, 0, 3)), {}, SignificanceLayers::kAll)[0];
  EXPECT_LT(largest_difference(prior.narrow(0, 0, 3), alone), 1e-6);
}

// Two pairs of different lengths, padded with numbers that must not matter.
struct PaddedPair {
  Units speech, text;
  std::int64_t frames[2] = {9, 6}, tokens[2] = {4, 3};
  PaddedPair() {
    torch::manual_seed(11);
    speech = padded(frames, 9);
    text = padded(tokens, 4);
  }
  static Units padded(const std::int64_t (&lengths)[2], std::int64_t longest) {
    Units units{torch::randn({2, longest, 5}, torch::kFloat64), torch::zeros({2, longest}, torch::kBool),
                torch::rand({2, longest}, torch::kFloat64)};
    for (int b = 0; b < 2; ++b) units.keep[b].narrow(0, 0, lengths[b]).fill_(true);
    units.weights = restrict_prior(units.weights, units.keep);
    return units;
  }
  static Units alone(const Units& units, int b, std::int64_t length, bool weighted) {
    Units one{units.states.narrow(0, b, 1).narrow(1, 0, length), {}, {}};
    if (weighted) one.weights = units.weights.narrow(0, b, 1).narrow(1, 0, length);
    return one;
  }
};

TEST(Alignment, PaddedPairsGiveTheMeanOfThePairsAlone) {
  const PaddedPair pair;
  for (const bool weighted : {false, true}) {
    Units speech = pair.speech, text = pair.text;
    if (!weighted) speech.weights = text.weights = Tensor();
    SpanOptions options;
    options.anchors = weighted ? "significance" : "even";
    double global = 0, local = 0, spans = 0;
    for (int b = 0; b < 2; ++b) {
      const Units s = PaddedPair::alone(speech, b, pair.frames[b], weighted);
      const Units t = PaddedPair::alone(text, b, pair.tokens[b], weighted);
      global += global_alignment(pooled_units(s), pooled_units(t)).item<double>() / 2;
      local += local_alignment(s, t).item<double>() / 2;
      spans += local_alignment(aggregate_spans(s, options).units, t).item<double>() / 2;
    }
    EXPECT_NEAR(global_alignment(pooled_units(speech), pooled_units(text)).item<double>(), global, 1e-10);
    EXPECT_NEAR(local_alignment(speech, text).item<double>(), local, 1e-10);
    EXPECT_NEAR(local_alignment(aggregate_spans(speech, options).units, text).item<double>(), spans, 1e-7);
  }
}

TEST(Alignment, EqualWeightsAreNoWeights) {
  const PaddedPair pair;
  Units text = pair.text;
  const Tensor equal = text.keep.to(torch::kFloat64);
  text.weights = equal / equal.sum(1, true);
  const double with = local_alignment(pair.speech, text).item<double>();
  text.weights = Tensor();
  EXPECT_NEAR(local_alignment(pair.speech, text).item<double>(), with, 1e-12);
}

TEST(Alignment, GradientsReachTheSpeechOnly) {
  const PaddedPair pair;
  Tensor states = pair.speech.states.clone().requires_grad_(true);
  Tensor prior = pair.speech.weights.clone().requires_grad_(true);
  const Units speech{states, pair.speech.keep, prior};
  testing::expect_gradients_match({{"speech", states}}, [&] {
    return torch::stack({global_alignment(pooled_units(speech), pooled_units(pair.text)),
                         local_alignment(speech, pair.text),
                         local_alignment(aggregate_spans(speech, SpanOptions{}).units, pair.text)});
  });
  EXPECT_FALSE(prior.grad().defined());
}

TEST(Alignment, OtherWidthsAreRefused) {
  const Units speech{torch::zeros({1, 3, 4}), {}, {}}, text{torch::zeros({1, 2, 5}), {}, {}};
  EXPECT_THROW((void)local_alignment(speech, text), ShapeError);
  EXPECT_THROW((void)global_alignment(pooled_units(speech), pooled_units(text)), ShapeError);
  EXPECT_THROW((void)aggregate_spans(speech, SpanOptions{}), ShapeError);  // no prior to choose anchors by
}

// Algorithm 2 line by line.
std::vector<std::int64_t> anchors_of_the_paper(const std::vector<float>& prior, int xi) {
  std::vector<std::int64_t> sorted(prior.size()), anchors;
  for (std::size_t i = 0; i < prior.size(); ++i) sorted[i] = static_cast<std::int64_t>(i);
  std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) {
    return prior[static_cast<std::size_t>(a)] > prior[static_cast<std::size_t>(b)];
  });
  for (const std::int64_t id : sorted)
    if (std::all_of(anchors.begin(), anchors.end(),
                    [&](std::int64_t e) { return static_cast<double>(std::abs(id - e)) > xi / 2.0; }))
      anchors.push_back(id);
  return anchors;
}

TEST(Spans, AnchorsEqualTheAlgorithmAsPrinted) {
  Random random(17);
  for (int round = 0; round < 200; ++round) {
    std::vector<float> prior(1 + random.below(40));
    for (float& p : prior) p = static_cast<float>(random.below(12)) / 12;  // with ties
    const int xi = static_cast<int>(1 + random.below(9));
    EXPECT_EQ(significant_anchors(prior, xi), anchors_of_the_paper(prior, xi)) << "xi " << xi;
  }
}

TEST(Spans, EvenAnchorsAndClippedSpans) {
  EXPECT_EQ(even_anchors(10, 4), (std::vector<std::int64_t>{1, 5, 8}));
  SpanOptions options;
  options.widths = {0.5, 2};
  const std::vector<std::int64_t> anchors{1};
  const std::vector<SpeechSpan> spans = spans_around(anchors, 6, options);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0].begin, 0);
  EXPECT_EQ(spans[0].end, 4);
  EXPECT_EQ(spans[1].end, 6);
  options.widths = {};
  EXPECT_THROW(validate(options), ConfigError);
}

}  // namespace
}  // namespace kgwalk::seq2seq
