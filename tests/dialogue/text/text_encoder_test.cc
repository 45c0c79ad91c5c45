#include "dialogue/text/text_encoder.h"

#include <gtest/gtest.h>

#include "kgwalk/error.h"
#include "kgwalk/text_embedder.h"
#include "tests/dialogue/test_world.h"
#include "tests/seq2seq/tasks/understanding/model_folder.h"

namespace kgwalk::dialogue {
namespace {

using torch::Tensor;

// A made-up BERT in Hugging Face's format and what tests/golden/make_text_encoder.py says of some texts.
class GoldenEncoder {
 public:
  GoldenEncoder()
      : json(read_json_file(std::filesystem::path(KGWALK_SOURCE_DIR) / "tests/golden/text_encoder.json")),
        folder("kgwalk_text_encoder") {
    Json config = json["options"];
    config["model_type"] = "bert";
    folder.write(config, seq2seq::testing::weights_of(json["weights"]));
    std::string vocabulary;
    for (const auto& piece : json["vocabulary"]) vocabulary += piece.get<std::string>() + "\n";
    folder.write("vocab.txt", vocabulary);
    for (const auto& text : json["texts"]) texts.push_back(text["text"].get<std::string>());
  }
  [[nodiscard]] std::vector<TokenSequence> sequences(const TextEncoder& encoder) const {
    std::vector<TokenSequence> list;
    for (const std::string& text : texts) list.push_back(encoder.tokens().text(text));
    return list;
  }
  Json json;
  seq2seq::testing::Folder folder;
  std::vector<std::string> texts;
};

std::vector<Tensor> states_of(const TextEncoder& encoder, std::span<const TokenSequence> sequences) {
  std::vector<Tensor> list(sequences.size());
  encoder.encode(sequences, [&](auto places, const Tensor& states, const Tensor& keep) {
    for (std::size_t b = 0; b < places.size(); ++b) {
      const auto row = static_cast<std::int64_t>(b);
      list[places[b]] = states[row].narrow(0, 0, keep[row].sum().template item<std::int64_t>()).clone();
    }
  });
  return list;
}

TEST(TextEncoderGolden, PiecesAndStatesEqualTheReference) {
  const GoldenEncoder golden;
  const auto encoder = TextEncoder::load(golden.folder.path());
  const std::vector<TokenSequence> sequences = golden.sequences(*encoder);
  const std::vector<Tensor> states = states_of(*encoder, sequences);
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const Json& want = golden.json["texts"][i];
    EXPECT_EQ(sequences[i].ids, want["ids"].get<std::vector<std::int32_t>>()) << golden.texts[i];
    const Tensor expected = seq2seq::testing::tensor_of(want["states"], torch::kFloat32);
    ASSERT_EQ(states[i].sizes(), expected.sizes());
    EXPECT_LT((states[i] - expected).abs().max().item<float>(), 1e-5) << golden.texts[i];
    const std::span one(sequences.data() + i, 1);
    EXPECT_LT((states_of(*encoder, one)[0] - expected).abs().max().item<float>(), 1e-5) << "alone";
  }
}

TEST(TextEncoderGolden, VectorsOfTextsAreMeansOfStates) {
  const GoldenEncoder golden;
  const std::vector<EmbeddedText> vectors = TextEmbedder::open(golden.folder.path()).embed(golden.texts);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto expected = golden.json["texts"][i]["vector"].get<std::vector<float>>();
    ASSERT_EQ(vectors[i].vector.size(), expected.size());
    for (std::size_t c = 0; c < expected.size(); ++c)
      EXPECT_NEAR(vectors[i].vector[c], expected[c], 1e-5) << golden.texts[i];
  }
}

TEST(TextEncoderGolden, EightBitWeightsStayNear) {
  const GoldenEncoder golden;
  const auto exact = TextEncoder::load(golden.folder.path()),
             rounded = TextEncoder::load(golden.folder.path(), torch::kCPU, TextWeights::kInt8);
  EXPECT_EQ(rounded->checksum(), exact->checksum());
  EXPECT_NE(rounded->states_checksum(), exact->states_checksum()) << "states are kept apart";
  const std::vector<TokenSequence> sequences = golden.sequences(*exact);
  const std::vector<Tensor> a = states_of(*exact, sequences), b = states_of(*rounded, sequences);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_GT((a[i] - b[i]).abs().max().item<float>(), 1e-5) << "it is another product";
    EXPECT_GT(torch::cosine_similarity(a[i].mean(0), b[i].mean(0), 0).item<float>(), 0.995)
        << golden.texts[i];
  }
}

TEST(TextEncoderFolder, IsReadStrictly) {
  const GoldenEncoder golden;
  NamedTensors weights = seq2seq::testing::weights_of(golden.json["weights"]);
  weights.erase("encoder.layer.0.output.dense.weight");
  write_tensors(golden.folder.path() / "model.safetensors", weights);
  const std::string message =
      seq2seq::testing::message_of<FormatError>([&] { (void)TextEncoder::load(golden.folder.path()); });
  EXPECT_NE(message.find("missing encoder.layer.0.output.dense.weight [24, 40]"), std::string::npos)
      << message;
}

// BERT with a SentencePiece vocabulary: the kind of network is told by config.json, not by the vocabulary.
TEST(TextEncoderFolder, EitherNetworkTakesEitherVocabulary) {
  const test::TempFolder folder;
  const auto tokenizer = test::make_tokenizer();
  seq2seq::BertOptions options;
  options.vocab_size = tokenizer->size();
  options.hidden_size = 16;
  options.num_hidden_layers = 1;
  options.num_attention_heads = 2;
  options.intermediate_size = 24;
  options.max_position_embeddings = 32;
  torch::manual_seed(4);
  const seq2seq::Bert model(options);
  seq2seq::save_bert(model, folder.path());
  tokenizer->save(folder.path());
  const auto loaded = TextEncoder::load(folder.path());
  EXPECT_EQ(loaded->checksum(), TextEncoder(model, tokenizer, torch::kCPU).checksum());

  const GoldenEncoder golden;
  seq2seq::save_albert(
      seq2seq::Albert(test::small_albert(static_cast<int>(golden.json["vocabulary"].size()))),
      golden.folder.path());
  EXPECT_EQ(TextEncoder::load(golden.folder.path())->width(), 32);
}

}  // namespace
}  // namespace kgwalk::dialogue
