// The fixtures hold what spm_encode and spm_decode say (fixtures/make.sh).
#include "seq2seq/text/sentencepiece.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kgwalk/error.h"
#include "runtime/random.h"
#include "tests/seq2seq/text/test_files.h"

namespace kgwalk::seq2seq {
namespace {

using test::fixture;
using test::join;
using test::lines_of;

class Fixture : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::string name(const char* ending) const { return std::string(GetParam()) + ending; }
};

TEST_P(Fixture, EncodesAndDecodesAsTheOriginal) {
  const SentencePiece model = SentencePiece::load(fixture(name(".model")));
  const auto lines = lines_of(fixture("lines.txt"));
  const auto pieces = lines_of(fixture(name(".pieces")));
  const auto ids = lines_of(fixture(name(".ids")));
  const auto text = lines_of(fixture(name(".text")));
  ASSERT_EQ(lines.size(), 13u);
  ASSERT_EQ(pieces.size(), lines.size());
  ASSERT_EQ(ids.size(), lines.size());
  ASSERT_EQ(text.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Encoding encoding = model.encode(lines[i]);
    EXPECT_EQ(join(encoding.pieces), pieces[i]) << lines[i];
    EXPECT_EQ(join(encoding.ids), ids[i]) << lines[i];
    EXPECT_EQ(model.decode(encoding.ids), text[i]) << lines[i];
  }
}

// A damaged file is refused or, where only a score or a letter changed, still safe to use.
TEST_P(Fixture, DamagedFilesNeverCrash) {
  const std::string whole = read_file(fixture(name(".model")));
  Random random(7);
  int refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = whole;
    for (std::uint64_t i = 0, count = 1 + random.below(3); i < count; ++i) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.next());
    }
    try {
      const SentencePiece model(bytes);
      const Encoding encoding = model.encode("The orchestra played, \xff I'd say…");
      ASSERT_EQ(encoding.ids.size(), encoding.pieces.size());
      (void)model.decode(encoding.ids);
    } catch (const FormatError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_P(Fixture, CutFilesAreRefused) {
  const std::string whole = read_file(fixture(name(".model")));
  // Every cut that is not between two fields of the outermost message is noticed; those lose the trainer's
  // settings or the rules, which come last, or pieces, which the trainer's settings do not count.
  int refused = 0, cuts = 0;
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    ++cuts;
    try {
      const SentencePiece model(whole.substr(0, size));
    } catch (const FormatError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, cuts * 3 / 4);
  EXPECT_THROW(SentencePiece(""), FormatError);
  EXPECT_THROW(SentencePiece("not a model at all"), FormatError);
}

INSTANTIATE_TEST_SUITE_P(Models, Fixture, ::testing::Values("unigram", "bpe", "keep", "dialogue"),
                         [](const auto& param) { return std::string(param.param); });

TEST(SentencePiece, KnowsItsSpecialPieces) {
  const SentencePiece model = SentencePiece::load(fixture("unigram.model"));
  const SpecialIds special = model.special();
  EXPECT_EQ(special.pad, 0);
  EXPECT_EQ(special.unk, 1);
  EXPECT_EQ(special.cls, 2);
  EXPECT_EQ(special.sep, 3);
  EXPECT_EQ(special.mask, 4);
  EXPECT_EQ(special.bos, -1);
  EXPECT_TRUE(model.is_control(2));
  EXPECT_FALSE(model.is_control(1));
  EXPECT_EQ(model.find("no such piece"), std::nullopt);
  EXPECT_EQ(model.find("<unk>"), 1);
  EXPECT_THROW((void)model.piece(model.size()), ConfigError);
  EXPECT_THROW((void)model.decode(std::vector<int>{-1}), ConfigError);
}

TEST(SentencePiece, ControlPiecesInTextAreOrdinaryText) {
  const SentencePiece model = SentencePiece::load(fixture("unigram.model"));
  for (const int id : model.encode("a [CLS] b [MASK]").ids) EXPECT_FALSE(model.is_control(id));
}

// Every segmentation of `text` with its weight P^exponent, by trying all cuts.
void add_segmentations(const SentencePiece& model, std::string_view text, double exponent, double log_weight,
                       const std::vector<std::string>& pieces, std::map<std::string, double>& weights) {
  if (text.empty()) weights[join(pieces)] = std::exp(log_weight);
  for (std::size_t length = 1; length <= text.size(); ++length) {
    const std::string piece(text.substr(0, length));
    const auto id = model.find(piece);
    if (!id) continue;
    std::vector<std::string> longer = pieces;
    longer.push_back(piece);
    add_segmentations(model, text.substr(length), exponent, log_weight + exponent * model.score(*id), longer,
                      weights);
  }
}

TEST(SentencePiece, SamplesSegmentationsByTheirProbability) {
  const SentencePiece model = SentencePiece::load(fixture("unigram.model"));
  const std::string text = "the other";
  constexpr double kExponent = 0.4;
  std::map<std::string, double> weights;
  add_segmentations(model, model.normalize(text), kExponent, 0, {}, weights);
  ASSERT_GT(weights.size(), 8u);
  double sum = 0;
  for (const auto& [pieces, weight] : weights) sum += weight;
  constexpr int kDraws = 20'000;
  std::map<std::string, int> drawn;
  Random random(5);
  for (int i = 0; i < kDraws; ++i) ++drawn[join(model.sample(text, kExponent, random).pieces)];
  for (const auto& [pieces, times] : drawn) EXPECT_TRUE(weights.contains(pieces)) << pieces;
  for (const auto& [pieces, weight] : weights) {
    const double expected = kDraws * weight / sum;
    EXPECT_NEAR(drawn[pieces], expected, 5 * std::sqrt(expected) + 1) << pieces;
  }
  for (const std::string& line : lines_of(fixture("lines.txt"))) {
    const Encoding best = model.encode(line), sharp = model.sample(line, 1000, random);
    EXPECT_EQ(sharp.ids, best.ids) << line;
    const Encoding even = model.sample(line, 0.1, random);
    EXPECT_EQ(model.decode_pieces(even.pieces), model.decode_pieces(best.pieces)) << line;
  }
}

TEST(SentencePiece, SamplesMergesOfAPairEncoding) {
  const SentencePiece model = SentencePiece::load(fixture("bpe.model"));
  Random random(5);
  for (const std::string& line : lines_of(fixture("lines.txt"))) {
    EXPECT_EQ(model.sample(line, 0, random).ids, model.encode(line).ids) << line;
    EXPECT_EQ(model.decode_pieces(model.sample(line, 0.3, random).pieces),
              model.decode_pieces(model.encode(line).pieces))
        << line;
  }
  EXPECT_GT(model.sample("the other", 1, random).ids.size(), model.encode("the other").ids.size());
}

TEST(SentencePiece, SavedFileIsTheLoadedOne) {
  const test::TempFolder folder;
  const SentencePiece model = SentencePiece::load(fixture("bpe.model"));
  model.save(folder.path());
  const SentencePiece again = SentencePiece::load(folder.path() / "sentencepiece.model");
  EXPECT_EQ(again.bytes(), model.bytes());
  EXPECT_EQ(again.checksum(), model.checksum());
  EXPECT_NE(again.checksum(), SentencePiece::load(fixture("keep.model")).checksum());
}

}  // namespace
}  // namespace kgwalk::seq2seq
