// Sound heard bit by bit gives what the whole of it gives, as soon as the chunks allow it.
#include "seq2seq/tasks/recognition/stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "runtime/tensor/tensor_io.h"
#include "runtime/tensor/torch_threads.h"
#include "seq2seq/tasks/model_folder.h"
#include "tests/seq2seq/golden.h"
#include "tests/temp_folder.h"

namespace kgwalk::seq2seq {
namespace {

constexpr int kRate = 8000;

RecognitionConfig config_of(int deltas, int left_chunks) {
  RecognitionConfig config;
  config.features.rate = kRate;
  config.features.bands = 8;
  config.features.deltas = deltas;
  config.utterance_norm = "none";
  config.units.kind = "characters";
  config.search.method = "ctc_beam";
  CtcAttentionOptions& model = config.model;
  model.subsampling.channels = 4;
  model.encoder.layers = 2;
  model.encoder.width = 16;
  model.encoder.heads = 2;
  model.encoder.ffn_width = 32;
  model.encoder.dropout = 0;
  model.encoder.relative_positions = true;
  model.encoder.conformer.macaron = true;
  model.encoder.conformer.kernel = 5;
  model.encoder.conformer.causal = true;
  model.decoder.layers = 0;
  model.decoder.width = 16;
  model.positions = "none";
  model.ctc_weight = 1;
  model.chunk = 4;
  model.left_chunks = left_chunks;
  return config;
}

Recognizer recognizer_of(const RecognitionConfig& config) {
  torch::manual_seed(5);
  const std::vector<std::string> transcripts{"abc def ghi"};
  SpeechUnits units = SpeechUnits::make(transcripts, config.units, {});
  CtcAttention model(config.model, config.feature_width(), config.feature_groups(), units.size());
  // Frames that differ enough for a text of many units.
  model->set_normalization(torch::full({config.feature_width()}, 5.0F),
                           torch::full({config.feature_width()}, 3.0F));
  const torch::NoGradGuard no_grad;
  model->ctc->weight.mul_(6);
  return {config, std::move(model), std::move(units)};
}

std::vector<float> sweep(double seconds) {
  Random random(4);
  std::vector<float> samples;
  for (int i = 0; i < static_cast<int>(kRate * seconds); ++i) {
    const double t = static_cast<double>(i) / kRate;
    samples.push_back(
        static_cast<float>(0.3 * std::sin(2000 * t * (1 + std::sin(7 * t))) + 0.02 * random.normal()));
  }
  return samples;
}

TEST(SpeechStream, HearsWhatTheWholeSoundSaysForPiecesOfAnySize) {
  for (const int deltas : {0, 2})
    for (const int left_chunks : {0, 1, 2}) {
      const Recognizer recognizer = recognizer_of(config_of(deltas, left_chunks));
      const std::vector<float> samples = sweep(6.3);
      const std::vector<Sound> whole{{kRate, samples}};
      const Transcription expected = recognizer.transcribe(whole).front();
      ASSERT_GT(expected.best().text.size(), 5u) << "else there is nothing to compare";
      for (const std::size_t piece : {77u, 800u, 9000u, 100000u}) {
        SpeechStream stream(recognizer);
        std::string before;
        for (std::size_t i = 0; i < samples.size(); i += piece) {
          stream.hear(std::span(samples).subspan(i, std::min(piece, samples.size() - i)));
          EXPECT_EQ(stream.text().substr(0, before.size()), before) << "settled text stays";
          before = stream.text();
          // The frames after the chunk's first one, the frame's own length, and the differences'.
          const double latency =
              (recognizer.config().model.latency_frames() + 2 * deltas) * 0.01 + 0.025 + 1e-9;
          EXPECT_GE(stream.settled_s() + latency, stream.heard_s());
        }
        const Transcription found = stream.finish();
        EXPECT_EQ(found.best().text, expected.best().text) << deltas << ' ' << left_chunks << ' ' << piece;
        EXPECT_NEAR(found.best().score, expected.best().score, 1e-3);
        ASSERT_EQ(found.best().words.size(), expected.best().words.size());
        EXPECT_EQ(found.best().words.back().end_s, expected.best().words.back().end_s);
        EXPECT_NEAR(found.seconds, expected.seconds, 1e-9);
        EXPECT_THROW(stream.hear(samples), ConfigError) << "it is finished";
      }
    }
}

TEST(SpeechStream, ThePublicStreamSaysTheSameAndOutlivesAMove) {
  const Recognizer made = recognizer_of(config_of(0, 1));
  const test::TempFolder folder;
  write_model_folder(folder / "model", kRecognitionRun, to_json_of(made.config()), state_of(*made.model()),
                     {made.units().file_name(), made.units().bytes()});
  kgwalk::Recognizer opened = kgwalk::Recognizer::open(folder / "model");
  const std::vector<float> samples = sweep(3);
  const std::string expected = opened.transcribe(samples, kRate).best().text;
  ASSERT_GT(expected.size(), 2u) << "else there is nothing to compare";
  auto stream = opened.stream();
  stream.hear(std::span(samples).first(samples.size() / 2));
  const kgwalk::Recognizer moved = std::move(opened);
  stream.hear(std::span(samples).subspan(samples.size() / 2));
  EXPECT_NEAR(stream.heard_s(), 3, 1e-6);
  EXPECT_LT(stream.settled_s(), stream.heard_s());
  EXPECT_EQ(expected.substr(0, stream.text().size()), stream.text());
  EXPECT_EQ(stream.finish().best().text, expected);
  EXPECT_THROW(stream.hear(samples), ConfigError) << "it is finished";
}

TEST(SpeechStream, OfNothingAndOfSilenceHasNoText) {
  const Recognizer recognizer = recognizer_of(config_of(0, 1));
  SpeechStream nothing(recognizer), brief(recognizer), silent(recognizer);
  EXPECT_EQ(nothing.finish().note, kTooShort);
  brief.hear(std::vector<float>(50, 0.1F));
  EXPECT_EQ(brief.finish().note, kTooShort);
  silent.hear(std::vector<float>(kRate, 0.0F));
  EXPECT_EQ(silent.finish().note, kSilence);
}

TEST(SpeechStream, RefusesWhatNeedsTheWholeUtterance) {
  const auto refused = [](const std::function<void(RecognitionConfig&)>& change) {
    RecognitionConfig config = config_of(0, 1);
    change(config);
    const Recognizer recognizer = recognizer_of(config);
    EXPECT_THROW(SpeechStream{recognizer}, ConfigError);
  };
  refused([](RecognitionConfig& c) { c.model.chunk = c.model.left_chunks = 0; });
  refused([](RecognitionConfig& c) { c.utterance_norm = "mean"; });
  refused([](RecognitionConfig& c) { c.model.positions = "sinusoidal"; });
  refused([](RecognitionConfig& c) { c.input = "features"; });
}

}  // namespace
}  // namespace kgwalk::seq2seq
