// The search over pieces against all sequences written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kgwalk/error.h"
#include "seq2seq/search/token_search.h"

namespace kgwalk::seq2seq {
namespace {

using torch::Tensor;

constexpr std::int64_t kPieces = 5;  // 0 start, 1 end, 2 .. 4 words
constexpr int kLimit = 3;

// Scores that depend on the last piece and the position alone, so that sequences can be scored
// without a state.
struct Chain {
  Tensor table;  // [kLimit + 1, kPieces, kPieces]
  explicit Chain(std::uint64_t seed) {
    torch::manual_seed(seed);
    table = torch::randn({kLimit + 1, kPieces, kPieces}) * 2;
  }
  // log p(next | last, position), start never chosen but in the normalizer.
  [[nodiscard]] double log_prob(std::int64_t at, std::int64_t last, std::int64_t next) const {
    return torch::log_softmax(table[at][last], 0)[next].item<double>();
  }
  [[nodiscard]] ScoreStep step() {
    position = 0;
    return [this](const Tensor& pieces, const Tensor&) { return table[position++].index_select(0, pieces); };
  }
  std::int64_t position = 0;
};

struct Scored {
  std::vector<std::int64_t> pieces;
  double log_prob = 0;
};

void enumerate(const Chain& chain, std::vector<std::int64_t>& prefix, double log_prob,
               std::vector<Scored>& all) {
  const auto position = static_cast<std::int64_t>(prefix.size());
  const std::int64_t last = prefix.empty() ? 0 : prefix.back();
  all.push_back({prefix, log_prob + chain.log_prob(position, last, 1)});
  if (position == kLimit) return;
  for (std::int64_t next = 2; next < kPieces; ++next) {
    prefix.push_back(next);
    enumerate(chain, prefix, log_prob + chain.log_prob(position, last, next), all);
    prefix.pop_back();
  }
}

TEST(TokenSearch, WideBeamsFindTheBestOfAllSequences) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Chain chain(seed);
    std::vector<Scored> all;
    std::vector<std::int64_t> prefix;
    enumerate(chain, prefix, 0, all);
    for (const double penalty : {0.0, 1.0}) {
      const auto score = [&](const Scored& s) {
        return s.log_prob / std::pow((5.0 + static_cast<double>(s.pieces.size())) / 6, penalty);
      };
      std::stable_sort(all.begin(), all.end(),
                       [&](const Scored& a, const Scored& b) { return score(a) > score(b); });
      TokenSearchOptions options;
      options.beam = 40;
      options.nbest = 5;
      options.length_penalty = penalty;
      const auto found = search_tokens({0, 1, {0}, {kLimit, kLimit}}, options, chain.step());
      ASSERT_EQ(found.size(), 2u);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(found[0][i].pieces, all[i].pieces) << "seed " << seed << ", hypothesis " << i;
        EXPECT_NEAR(found[0][i].score, score(all[i]), 1e-4);
        EXPECT_EQ(found[1][i].pieces, found[0][i].pieces);
        EXPECT_TRUE(found[0][i].ended);
      }
    }
  }
}

TEST(TokenSearch, NoNGramComesTwice) {
  // Piece 2 is always the likeliest and the end never comes by itself.
  const ScoreStep step = [](const Tensor& pieces, const Tensor&) {
    return torch::tensor({-9.0f, -50.0f, 3.0f, 2.0f, 1.0f}).repeat({pieces.size(0), 1});
  };
  TokenSearchOptions options;
  options.beam = 3;
  options.length_penalty = 0;
  const auto plain = search_tokens({0, 1, {0}, {8}}, options, step);
  EXPECT_EQ(plain[0][0].pieces, std::vector<std::int64_t>(8, 2));
  options.no_repeat_ngram = 2;
  const auto pieces = search_tokens({0, 1, {0}, {8}}, options, step)[0][0].pieces;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
    for (std::size_t j = i + 1; j + 1 < pieces.size(); ++j)
      EXPECT_FALSE(pieces[i] == pieces[j] && pieces[i + 1] == pieces[j + 1]) << i << " and " << j;
}

TEST(TokenSearch, AnEndingIsTakenOnlyWhereItIsAmongTheBest) {
  // Going on is always a little likelier than ending, so that the greedy sentence is the longest, though the
  // empty one is the likeliest.
  const ScoreStep step = [](const Tensor& pieces, const Tensor&) {
    return torch::tensor({-9.0f, 1.0f, 1.1f, -3.0f, -3.0f}).repeat({pieces.size(0), 1});
  };
  TokenSearchOptions options;
  options.beam = 1;
  options.length_penalty = 0;
  EXPECT_EQ(search_tokens({0, 1, {0}, {5}}, options, step)[0][0].pieces, std::vector<std::int64_t>(5, 2));
  options.beam = 2;
  EXPECT_TRUE(search_tokens({0, 1, {0}, {5}}, options, step)[0][0].pieces.empty());
}

TEST(TokenSearch, LimitsAreEachGroupsOwn) {
  const ScoreStep step = [](const Tensor& pieces, const Tensor&) {
    return torch::tensor({-9.0f, -1.0f, 3.0f, -2.0f, -2.0f}).repeat({pieces.size(0), 1});
  };
  TokenSearchOptions options;
  options.beam = 1;
  options.length_penalty = 4;  // long hypotheses win
  const auto found = search_tokens({0, 1, {0}, {2, 6}}, options, step);
  EXPECT_EQ(found[0][0].pieces.size(), 2u);
  EXPECT_EQ(found[1][0].pieces.size(), 6u);
  options.nbest = 2;
  EXPECT_THROW((void)search_tokens({0, 1, {0}, {2}}, options, step), ConfigError);
}

// Lets word 3 follow word 2 alone, and the end word 3.
class OnlyPairs : public PieceGuard {
 public:
  void forbid(std::int32_t group, std::span<const std::int64_t> pieces,
              std::span<float> scores) const override {
    if (group != 0) return;
    const bool after_two = !pieces.empty() && pieces.back() == 2;
    if (!after_two) scores[3] = -std::numeric_limits<float>::infinity();
    if (pieces.empty() || pieces.back() != 3) scores[1] = -std::numeric_limits<float>::infinity();
  }
};

TEST(TokenSearch, AGuardChoosesAmongSequencesWithoutChangingTheirScores) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Chain chain(seed);
    std::vector<Scored> all;
    std::vector<std::int64_t> prefix;
    enumerate(chain, prefix, 0, all);
    std::erase_if(all, [](const Scored& s) {
      for (std::size_t i = 0; i < s.pieces.size(); ++i)
        if (s.pieces[i] == 3 && (i == 0 || s.pieces[i - 1] != 2)) return true;
      return s.pieces.empty() || s.pieces.back() != 3;
    });
    const auto best = std::max_element(
        all.begin(), all.end(), [](const Scored& a, const Scored& b) { return a.log_prob < b.log_prob; });
    const OnlyPairs guard;
    TokenSearchOptions options;
    options.beam = 100;
    options.length_penalty = 0;
    TokenSearchTask task{0, 1, {0}, {kLimit}};
    task.guard = &guard;
    const auto found = search_tokens(task, options, chain.step())[0][0];
    EXPECT_EQ(found.pieces, best->pieces) << seed;
    EXPECT_NEAR(found.log_prob, best->log_prob, 1e-4) << seed;
  }
}

}  // namespace
}  // namespace kgwalk::seq2seq
