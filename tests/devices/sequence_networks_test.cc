// The networks of the sequence tasks: loss, gradients and an update on both devices.
#include <gtest/gtest.h>

#include "runtime/tensor/int64_tensor.h"
#include "seq2seq/models/albert.h"
#include "seq2seq/models/ctc_attention.h"
#include "seq2seq/models/pointer_generator.h"
#include "seq2seq/models/transformer_language_model.h"
#include "seq2seq/models/wav2vec2.h"
#include "seq2seq/tasks/batching.h"
#include "seq2seq/tasks/grouped_net.h"
#include "seq2seq/tasks/recognition/task.h"
#include "seq2seq/tasks/teaching.h"
#include "seq2seq/tasks/understanding/alignment.h"
#include "seq2seq/tasks/understanding/head.h"
#include "tests/devices/on_both.h"

namespace kgwalk::seq2seq {
namespace {

using kgwalk::testing::expect_alike;
using kgwalk::testing::expect_same_update;
using kgwalk::testing::second_device;
using torch::Tensor;

constexpr int kPieces = 19;

StackOptions small_stack() {
  StackOptions options;
  options.layers = 2;
  options.width = 16;
  options.heads = 2;
  options.ffn_width = 24;
  options.dropout = options.attention_dropout = 0;
  return options;
}

EncoderDecoderOptions small_model() {
  EncoderDecoderOptions options;
  options.encoder = options.decoder = small_stack();
  options.max_length = 16;
  return options;
}

const std::vector<std::vector<int>> kSources{{3, 4, 5, 6, 2}, {7, 8, 2}},
    kTargets{{9, 10, 2}, {11, 12, 13, 2}};

std::vector<const std::vector<int>*> pointers(const std::vector<std::vector<int>>& rows) {
  std::vector<const std::vector<int>*> list;
  for (const std::vector<int>& row : rows) list.push_back(&row);
  return list;
}

struct Variant {
  const char* name;
  std::function<void(EncoderDecoderOptions&)> apply;
};

const Variant kVariants[] = {
    {"plain", [](EncoderDecoderOptions&) {}},
    {"learned positions, normalized",
     [](EncoderDecoderOptions& o) {
       o.positions = PositionKind::kLearned;
       o.normalize_embeddings = o.output_bias = true;
       o.encoder.norm = o.decoder.norm = "post";
     }},
    {"hi-attention",
     [](EncoderDecoderOptions& o) {
       o.encoder.hi = o.decoder.hi = {1, 1, "concat_eq6"};
       o.decoder.hi_memory = {2, 1, "concat_eq9"};
     }},
    {"TASA", [](EncoderDecoderOptions& o) { o.encoder.tasa.mode = o.decoder.tasa.mode = "dense"; }},
    {"relative positions",
     [](EncoderDecoderOptions& o) { o.encoder.relative_positions = o.decoder.relative_positions = true; }},
    {"groups of layers",
     [](EncoderDecoderOptions& o) { o.encoder.group_layers = o.decoder.group_layers = 1; }}};

TEST(OnBothDevices, AnEncoderDecoderLearnsAndSearchesTheSame) {
  const Padded source = pad_rows(pointers(kSources));
  const Teaching target = teaching_of(pointers(kTargets), 1);
  for (const Variant& variant : kVariants) {
    EncoderDecoderOptions options = small_model();
    variant.apply(options);
    const auto make = [&] { return EncoderDecoder(options, kPieces); };
    expect_same_update(
        make,
        [&](EncoderDecoder& model) {
          return model->loss(model->encode(source.ids, source.keep), target, 0.1).loss;
        },
        variant.name);
    std::vector<Tensor> scores;
    for (const torch::Device device : {torch::Device(torch::kCPU), second_device()}) {
      const torch::NoGradGuard no_grad;
      torch::manual_seed(4);
      EncoderDecoder model = make();
      move_to(*model, device);
      model->eval();
      const EncodedSource encoded = model->encode(source.ids, source.keep);
      DecoderState state = model->start(encoded);
      (void)model->step(torch::tensor({1, 1}, torch::kInt64), state);
      state.reorder(torch::tensor({0, 0, 1}, torch::kInt64));
      scores.push_back(torch::log_softmax(model->step(torch::tensor({9, 10, 11}, torch::kInt64), state), 1));
    }
    expect_alike(scores[0], scores[1], std::string(variant.name) + ", search");
  }
}

TEST(OnBothDevices, TwoPassesAndGroupsOfHeadsLearnTheSame) {
  const Padded source = pad_rows(pointers({kSources[0], kSources[1], kSources[0], kSources[1]}));
  const Teaching target = teaching_of(pointers({kTargets[0], kTargets[1], kTargets[0], kTargets[1]}), 1);
  expect_same_update([] { return EncoderDecoder(small_model(), kPieces); },
                     [&](EncoderDecoder& model) {
                       return model->paired_loss(model->encode(source.ids, source.keep), target, 0.1, 1).loss;
                     },
                     "two passes");
  GroupedHeadsOptions heads;
  heads.groups = 2;
  expect_same_update(
      [&] {
        const EncoderDecoder model(small_model(), kPieces);
        return GroupedNet(heads, model.ptr(), *model);
      },
      [&](GroupedNet& net) {
        net->observe(true);
        auto& model = dynamic_cast<EncoderDecoderImpl&>(*net->model);
        StepResult result{model.loss(model.encode(source.ids, source.keep), target, 0).loss, 1,
                          Json::object()};
        net->add_loss(result);
        return result.loss;
      },
      "groups of heads");
}

TEST(OnBothDevices, APointerGeneratorLearnsAndSpeaksTheSame) {
  PointerGeneratorOptions options;
  options.transformer = small_model();
  options.speakers = 3;
  PointedSource source;
  const Padded ids = pad_rows(pointers(kSources));
  source.ids = ids.ids;
  source.keep = ids.keep;
  source.copies = pad_rows(pointers({{3, 4, 19, 6, -1}, {20, 8, -1}})).ids;
  source.speakers = pad_rows(pointers({{1, 1, 2, 2, 0}, {3, 3, 0}})).ids;
  source.extra = 2;
  const Teaching target = teaching_of(pointers({{9, 19, 2}, {11, 20, 13, 2}}), 1);
  const auto make = [&] { return PointerGenerator(options, kPieces, 0); };
  expect_same_update(
      make,
      [&](PointerGenerator& model) { return model->loss(model->encode(source), target, 0.1, 0.5).loss; },
      "pointer-generator");
  std::vector<Tensor> scores;
  for (const torch::Device device : {torch::Device(torch::kCPU), second_device()}) {
    const torch::NoGradGuard no_grad;
    torch::manual_seed(4);
    PointerGenerator model = make();
    move_to(*model, device);
    model->eval();
    const EncodedPointedSource encoded = model->encode(source);
    PointedState state = model->start(encoded);
    scores.push_back(model->step(torch::tensor({1, 1}, torch::kInt64), state));
    scores.push_back(model->attention(encoded, target));
  }
  expect_alike(scores[0].exp(), scores[2].exp(), "next pieces");
  expect_alike(scores[1], scores[3], "what is copied");
}

TEST(OnBothDevices, ALanguageModelLearnsTheSame) {
  TransformerLanguageModelOptions options;
  options.decoder = small_stack();
  options.vocabulary.cutoffs = {6, 12};
  options.vocabulary.divide = 2;
  const Tensor words = torch::tensor({3, 7, 14, 2, 18, 5, 9, 1, 13, 4}, torch::kInt64).view({2, 5});
  expect_same_update([&] { return TransformerLanguageModel(options, kPieces); },
                     [&](TransformerLanguageModel& model) {
                       const Tensor states = model->forward(words.narrow(1, 0, 4)).flatten(0, 1);
                       return model->vocabulary->loss(states, words.narrow(1, 1, 4).reshape({-1})).loss;
                     },
                     "language model");
}

TEST(OnBothDevices, ARecognizerLearnsTheSame) {
  torch::manual_seed(9);
  const std::vector<Tensor> features{torch::randn({24, 8}), torch::randn({17, 8})};
  const SpeechBatch batch = pad_features(features);
  const std::vector<std::vector<int>> units{{4, 5}, {6}};
  const SpeechTargets targets = targets_of(pointers(units));
  for (const bool streams : {false, true}) {
    CtcAttentionOptions options;
    options.subsampling.channels = 3;
    options.encoder = options.decoder = small_stack();
    options.encoder.conformer = {.macaron = true, .kernel = 3, .causal = streams};
    options.positions = streams ? AddedPositions::kNone : AddedPositions::kSinusoidal;
    options.encoder.relative_positions = streams;
    options.chunk = streams ? 2 : 0;
    expect_same_update([&] { return CtcAttention(options, 8, 1, 9); },
                       [&](CtcAttention& model) {
                         return model->loss(model->encode(batch.x, batch.lengths), targets, 0.1).loss;
                       },
                       streams ? "recognizer that streams" : "recognizer");
  }
}

Wav2Vec2Options small_speech() {
  Wav2Vec2Options options;
  options.conv_dim = {6, 6};
  options.conv_kernel = {10, 4};
  options.conv_stride = {5, 4};
  options.num_conv_pos_embeddings = 4;
  options.num_conv_pos_embedding_groups = 2;
  options.hidden_size = 8;
  options.num_hidden_layers = 1;
  options.num_attention_heads = 2;
  options.intermediate_size = 12;
  options.hidden_dropout = options.attention_dropout = options.activation_dropout = 0;
  return options;
}

TEST(OnBothDevices, ASpeechEncoderAndItsHeadsLearnTheSame) {
  torch::manual_seed(9);
  SpeechInput input;
  input.samples = torch::randn({2, 200});
  input.lengths = torch::tensor({200, 140}, torch::kInt64);
  input.hide = torch::zeros({2, small_speech().frames(200)}, torch::kBool);
  input.hide.select(1, 1).fill_(true);
  for (const char* norm : {"group", "layer"}) {
    Wav2Vec2Options options = small_speech();
    options.feat_extract_norm = norm;
    expect_same_update([&] { return Wav2Vec2(options); },
                       [&](Wav2Vec2& model) {
                         const SpeechOutput out = model->forward(input);
                         return pooled_units({out.states, out.keep, {}}).square().sum();
                       },
                       std::string("speech encoder, norm by ") + norm);
  }
  const Tensor frames = torch::randn({2, 5, 3, 8}), lengths = torch::tensor({5, 3}, torch::kInt64);
  HeadOptions head;
  head.task = HeadKind::kSlots;
  head.width = head.recurrent = 6;
  head.dropout = 0;
  expect_same_update(
      [&] { return UnderstandingHead(head, 3, 8, 4); },
      [&](UnderstandingHead& model) { return -model->tag(frames, lengths).select(2, 1).sum(); },
      "head for slots");
}

TEST(OnBothDevices, AMaskedLanguageModelLearnsTheSame) {
  AlbertOptions options;
  options.vocab_size = kPieces;
  options.embedding_size = 8;
  options.hidden_size = 16;
  options.num_hidden_layers = 2;
  options.num_attention_heads = 2;
  options.intermediate_size = 24;
  options.max_position_embeddings = 8;
  options.hidden_dropout_prob = options.attention_probs_dropout_prob = 0;
  const Padded rows = pad_rows(pointers(kSources));
  Tensor labels = torch::full_like(rows.ids, -100);
  labels[0][1] = 7;
  labels[1][0] = 9;
  expect_same_update([&] { return AlbertForMaskedLm(options); },
                     [&](AlbertForMaskedLm& model) {
                       return model->loss({rows.ids, rows.keep, {}}, labels);
                     },
                     "masked language model");
}

}  // namespace
}  // namespace kgwalk::seq2seq
