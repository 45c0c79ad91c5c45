#include "dialogue/text/text_states.h"

#include <gtest/gtest.h>

#include "dialogue/text/name_states.h"
#include "kgwalk/edits.h"
#include "kgwalk/error.h"
#include "tests/dialogue/test_world.h"

namespace kgwalk::dialogue {
namespace {

using graph::Chat;
using graph::Speaker;

class TextStatesTest : public ::testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(1); }

  std::vector<std::span<const Chat>> contexts() const {
    return {std::span(talk_).first(1), std::span(talk_).first(3), std::span(talk_).first(1), {}};
  }
  TextStates load(const std::shared_ptr<const TextEncoder>& encoder, const StateCache& cache = {}) {
    return TextStates::load(encoder, contexts(), cache, warnings_);
  }
  const std::vector<Chat> talk_{{Speaker::kUser, "Do you like the film?"},
                                {Speaker::kAssistant, "I like the music."},
                                {Speaker::kUser, "The orchestra played for two hours, I think."}};
  test::Warnings warnings_;
};

// What the network says about one sequence alone.
torch::Tensor alone(const TextEncoder& encoder, std::span<const Chat> context) {
  const std::vector<TokenSequence> one{encoder.tokens().context(context)};
  torch::Tensor states;
  encoder.encode(one, [&](auto, const torch::Tensor& out, const torch::Tensor&) { states = out[0].clone(); });
  return states;  // [T, D]
}

TEST_F(TextStatesTest, BatchesHoldEachContextsOwnStatesAndZeroPadding) {
  const auto encoder = test::make_encoder(3);
  const TextStates states = load(encoder);
  const std::vector<std::size_t> order{1, 3, 0};
  const TextBatch batch = states.batch(order);
  ASSERT_EQ(batch.states.dim(), 3);
  for (std::int64_t row = 0; row < 3; ++row) {
    const torch::Tensor want = alone(*encoder, contexts()[order[static_cast<std::size_t>(row)]]);
    const std::int64_t length = want.size(0);
    const torch::Tensor got = batch.states[row].narrow(0, 0, length);
    // float16 holds 11 bits.
    EXPECT_TRUE(torch::allclose(got, want, 1e-3, 1e-3)) << row;
    EXPECT_EQ(batch.states[row].narrow(0, length, batch.states.size(1) - length).abs().sum().item<float>(),
              0);
    EXPECT_EQ(batch.keep[row].sum().item<std::int64_t>(), length);
    EXPECT_TRUE(batch.keep[row].narrow(0, 0, length).all().item<bool>());
    EXPECT_EQ(batch.ids[row][length - 1].item<int>(), encoder->tokens().special().sep);
  }
  EXPECT_EQ(batch.age[0][1].item<int>(), 2);
  EXPECT_EQ(batch.age[1][0].item<int>(), 255);
}

TEST_F(TextStatesTest, EqualContextsAreComputedOnce) {
  const TextStates states = load(test::make_encoder(3));
  EXPECT_EQ(states.report().contexts, 4u);
  EXPECT_EQ(states.report().distinct, 3u);
  const std::vector<std::size_t> first{0}, third{2};
  EXPECT_TRUE(torch::equal(states.batch(first).states, states.batch(third).states));
}

TEST_F(TextStatesTest, TruncationIsCountedAndReported) {
  const TextStates states = load(test::make_encoder(3, 16));
  EXPECT_EQ(states.report().cut_contexts, 1u);
  EXPECT_GT(states.report().cut_pieces, 0u);
  EXPECT_EQ(states.num_tokens(1), 16u);
  ASSERT_EQ(warnings_.lines.size(), 1u);
  EXPECT_NE(warnings_.lines[0].find("1 of 3 contexts are longer than the 16 pieces"), std::string::npos)
      << warnings_.lines[0];
}

class CacheTest : public TextStatesTest {
 protected:
  void SetUp() override {
    TextStatesTest::SetUp();
    database_ = test::make_database(folder_.path());
  }
  graph::Store open() { return graph::Store::open(database_, graph::Store::Mode::kReadWrite); }
  test::TempFolder folder_;
  std::filesystem::path database_;
};

TEST_F(CacheTest, ASecondRunReadsTheSameStates) {
  const auto encoder = test::make_encoder(3);
  const std::vector<std::size_t> all{0, 1, 2, 3};
  torch::Tensor before;
  {
    graph::Store store = open();
    const TextStates first = load(encoder, {&store, &store, "train"});
    EXPECT_FALSE(first.report().from_cache);
    before = first.batch(all).states;
  }
  const graph::Store store = graph::Store::open(database_, graph::Store::Mode::kReadOnly);
  const TextStates second = load(encoder, {&store, nullptr, "train"});
  EXPECT_TRUE(second.report().from_cache);
  EXPECT_TRUE(torch::equal(second.batch(all).states, before));
}

TEST_F(CacheTest, OtherWeightsOrTextsAreNeverMixedUp) {
  graph::Store store = open();
  const StateCache cache{&store, &store, "train"};
  (void)load(test::make_encoder(3), cache);
  const auto other = test::make_encoder(4);
  const TextStates states = load(other, cache);
  EXPECT_FALSE(states.report().from_cache);
  const std::vector<std::size_t> one{1};
  EXPECT_TRUE(torch::allclose(states.batch(one).states[0], alone(*other, contexts()[1]), 1e-3, 1e-3));
  EXPECT_TRUE(load(other, cache).report().from_cache);
  // Same encoder, other texts of the same lengths.
  std::vector<Chat> swapped{{Speaker::kAssistant, talk_[0].text}};
  const std::vector<std::span<const Chat>> changed{swapped, contexts()[1], {}};
  EXPECT_FALSE(TextStates::load(other, changed, cache).report().from_cache);
}

TEST_F(CacheTest, AValueOfTheWrongSizeIsReportedAndComputedAnew) {
  graph::Store store = open();
  const StateCache cache{&store, &store, "train"};
  const auto encoder = test::make_encoder(3);
  (void)load(encoder, cache);
  const Json meta = store.blob_meta("text_states/train").value();
  std::string bytes = store.get_blob("text_states/train").value();
  store.put_blob("text_states/train", std::string_view(bytes).substr(2), meta);
  EXPECT_FALSE(load(encoder, cache).report().from_cache);
  ASSERT_EQ(warnings_.lines.size(), 1u);
  EXPECT_NE(warnings_.lines[0].find("computed anew"), std::string::npos);
  EXPECT_TRUE(load(encoder, cache).report().from_cache);
}

TEST_F(CacheTest, NameStatesAreMeansOfTheNamesPieces) {
  graph::Store store = open();
  const auto graph = store.load_graph();
  const auto encoder = test::make_encoder(3);
  const StateCache cache{&store, &store, ""};
  const NameStates names = load_name_states(*encoder, graph, cache);
  EXPECT_FALSE(names.from_cache);
  ASSERT_EQ(names.entities.size(0), graph.num_entities());
  ASSERT_EQ(names.relations.size(0), graph.num_relations());
  const graph::EntityId mill = graph.find_entity("The Mill").value();
  const std::vector<TokenSequence> one{encoder->tokens().text("The Mill")};
  encoder->encode(one, [&](auto, const torch::Tensor& states, const torch::Tensor&) {
    const torch::Tensor inner = states[0].narrow(0, 1, states.size(1) - 2);
    EXPECT_TRUE(torch::allclose(names.entities[mill].to(torch::kFloat32), inner.mean(0), 2e-3, 2e-3));
  });
  const graph::RelationId relation = graph.find_relation("written_by").value();
  const graph::RelationId inverse = graph.inverse(relation);
  EXPECT_TRUE(torch::equal(names.relations[relation], names.relations[inverse]));
  EXPECT_EQ(names.inverse[relation], 0);
  EXPECT_EQ(names.inverse[inverse], 1);
  EXPECT_TRUE(load_name_states(*encoder, graph, cache).from_cache);
  EXPECT_FALSE(load_name_states(*test::make_encoder(4), graph, cache).from_cache);
}

TEST_F(CacheTest, NamesThatEditsBroughtAreReadAnewAndTheOthersAreKept) {
  const auto encoder = test::make_encoder(3);
  {
    graph::Store store = open();
    (void)load_name_states(*encoder, store.load_graph(), {&store, &store, ""});
  }
  const std::filesystem::path path = open().path();
  const std::vector<graph::EditOperation> operations = {
      {.kind = graph::EditOperation::Kind::kRename, .names = {"The Mill", "The Old Mill"}},
      {.kind = graph::EditOperation::Kind::kAdd,
       .names = {"A New Mill", "written_by", "The Old Mill"},
       .make_new = true}};
  (void)graph::edit(path, operations, {.author = "ada"});
  graph::Store store = open();
  const auto graph = store.load_graph();
  const NameStates kept = load_name_states(*encoder, graph, {&store, nullptr, ""});
  const NameStates anew = load_name_states(*encoder, graph, {nullptr, &store, ""});
  EXPECT_TRUE(kept.from_cache);
  EXPECT_FALSE(anew.from_cache);
  ASSERT_EQ(kept.entities.size(0), graph.num_entities());
  EXPECT_TRUE(
      torch::allclose(kept.entities.to(torch::kFloat32), anew.entities.to(torch::kFloat32), 2e-3, 2e-3));
  EXPECT_TRUE(
      torch::allclose(kept.relations.to(torch::kFloat32), anew.relations.to(torch::kFloat32), 2e-3, 2e-3));
  EXPECT_TRUE(load_name_states(*encoder, graph, {&store, nullptr, ""}).from_cache);
}

TEST(RelationWords, ReadLikeText) {
  EXPECT_EQ(relation_words("~written_by").words, "written by");
  EXPECT_TRUE(relation_words("~written_by").inverse);
  EXPECT_EQ(relation_words("is-a").words, "is-a");
  EXPECT_FALSE(relation_words("is-a").inverse);
}

TEST(TextEncoder, ChecksumsTellWeightsApartAndFoldersLoad) {
  const test::TempFolder folder;
  const auto tokenizer = test::make_tokenizer();
  torch::manual_seed(9);
  const seq2seq::Albert model(test::small_albert(tokenizer->size()));
  seq2seq::save_albert(model, folder.path());
  tokenizer->save(folder.path());
  const auto loaded = TextEncoder::load(folder.path());
  EXPECT_EQ(loaded->checksum(), TextEncoder(model, tokenizer, torch::kCPU).checksum());
  EXPECT_NE(loaded->checksum(), test::make_encoder(3)->checksum());
  std::filesystem::remove(folder.path() / "spiece.model");
  EXPECT_THROW((void)TextEncoder::load(folder.path()), FormatError);
}

TEST(TextEncoder, AVocabularyLargerThanTheTableIsRefused) {
  const auto tokenizer = test::make_tokenizer();
  const seq2seq::Albert model(test::small_albert(tokenizer->size() - 1));
  EXPECT_THROW(TextEncoder(model, tokenizer, torch::kCPU), FormatError);
}

}  // namespace
}  // namespace kgwalk::dialogue
