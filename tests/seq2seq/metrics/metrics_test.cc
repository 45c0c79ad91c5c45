// Metrics against the values that their references publish in their own tests and against values worked
// out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "kgwalk/error.h"
#include "seq2seq/metrics/bleu.h"
#include "seq2seq/metrics/bootstrap.h"
#include "seq2seq/metrics/porter.h"
#include "seq2seq/metrics/rouge.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {
namespace {

using Words = std::vector<std::string>;

double bleu(const Words& hypotheses, const Words& references, BleuOptions options = {}) {
  return corpus_bleu(hypotheses, references, options).score;
}

TEST(BleuWords, FollowMteval13a) {
  EXPECT_EQ(bleu_words("Hello, world!", BleuTokenizer::k13a, false), (Words{"Hello", ",", "world", "!"}));
  EXPECT_EQ(bleu_words("3.5-4 it's (a) 1,000.", BleuTokenizer::k13a, false),
            (Words{"3.5", "-", "4", "it's", "(", "a", ")", "1,000", "."}));
  EXPECT_EQ(bleu_words("&quot;A&amp;B&quot; well-known", BleuTokenizer::k13a, true),
            (Words{"\"", "a", "&", "b", "\"", "well-known"}));
  EXPECT_EQ(bleu_words("a..b", BleuTokenizer::k13a, false), (Words{"a", ".", ".", "b"}));
  EXPECT_EQ(bleu_words("Größe.\xC2\xA0Ä", BleuTokenizer::k13a, true), (Words{"größe", ".", "ä"}));
}

TEST(BleuWords, OtherTokenizers) {
  EXPECT_EQ(bleu_words(" a,b  c ", BleuTokenizer::kNone, false), (Words{"a,b", "c"}));
  EXPECT_EQ(bleu_words("aé b", BleuTokenizer::kChar, false), (Words{"a", "é", "b"}));
  EXPECT_THROW((void)parse_bleu_tokenizer("moses"), ConfigError);
}

// By hand: 1-grams 4/5 ..., written out in the comments.
TEST(Bleu, MatchesValuesByHand) {
  EXPECT_NEAR(bleu({"this is a test"}, {"this is a test"}), 100, 1e-9);
  // 3/4, 2/3 ... wait for no 4-gram: 1-grams 3 of 4, 2-grams 2 of 3, 3-grams 1 of 2, 4-grams 0 of 1 ->
  // 1/2 of 1.
  EXPECT_NEAR(bleu({"this is a fest"}, {"this is a test"}),
              100 * std::pow(3.0 / 4 * 2.0 / 3 * 0.5 * 0.5, 0.25), 1e-9);
  EXPECT_EQ(bleu({"this is a fest"}, {"this is a test"}, {.smooth = false}), 0);
  // Two orders without a match: 1/2 and 1/4 matches. Two words of "a b x y" match, one pair.
  EXPECT_NEAR(bleu({"a b x y"}, {"a b c d"}),
              100 * std::pow(2.0 / 4 * 1.0 / 3 * (0.5 / 2) * (0.25 / 1), 0.25), 1e-9);
  // Clipping and the brevity penalty exp(1 - 4/3).
  EXPECT_NEAR(bleu({"a a a"}, {"a a b c"}, {.effective_order = true}),
              100 * std::exp(1 - 4.0 / 3) * std::pow(2.0 / 3 * 1.0 / 2 * (0.5 / 1), 1.0 / 3), 1e-9);
  EXPECT_EQ(bleu({""}, {"a b"}), 0);
}

// The statistics and score of sacreBLEU's own test of scoring.
TEST(Bleu, MatchesSacrebleusTestOfScoring) {
  BleuCounts counts;
  counts.correct = {9, 7, 5, 3};
  counts.total = {10, 8, 6, 4};
  counts.hypothesis_length = counts.reference_length = 11;
  EXPECT_NEAR(bleu_of(counts, {}).score, 83.75922397, 1e-7);
}

TEST(Bleu, SumsSegmentsBeforeScoring) {
  const Words hypotheses{"the cat sat on the mat", "a dog"},
      references{"the cat sat on a mat", "a big dog ran"};
  BleuCounts counts = bleu_counts(hypotheses[0], references[0], {});
  counts += bleu_counts(hypotheses[1], references[1], {});
  EXPECT_EQ(counts.correct, (std::array<std::int64_t, 4>{7, 3, 2, 1}));
  EXPECT_EQ(counts.total, (std::array<std::int64_t, 4>{8, 6, 4, 3}));
  EXPECT_EQ(bleu(hypotheses, references), bleu_of(counts, {}).score);
  EXPECT_THROW((void)bleu({"a"}, {}), ConfigError);
}

TEST(Bleu, PrintsItsSignatureAndDetails) {
  EXPECT_EQ(bleu_signature({.lower = true}), "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.0.0");
  EXPECT_EQ(bleu_signature({.tokenizer = BleuTokenizer::kChar, .smooth = false}),
            "nrefs:1|case:mixed|eff:no|tok:char|smooth:none|version:2.0.0");
  EXPECT_EQ(corpus_bleu(Words{"a b c d"}, Words{"a b c d"}, {}).details(),
            "100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)");
}

// Values of sacreBLEU's test_chrf.py (beta 3).
TEST(Chrf, MatchesSacrebleusTests) {
  const auto chrf = [](const std::string& hypothesis, const std::string& reference, ChrfOptions options) {
    return corpus_chrf(Words{hypothesis}, Words{reference}, options);
  };
  const ChrfOptions eps{.beta = 3, .eps_smoothing = true}, effective{.beta = 3};
  const ChrfOptions spaces{.beta = 3, .white_space = true};
  EXPECT_NEAR(chrf("aa", "ab", eps), 8.3333, 1e-4);
  EXPECT_NEAR(chrf("a", "a", eps), 16.6667, 1e-4);
  EXPECT_NEAR(chrf("a b c", "abc", eps), 50, 1e-4);
  EXPECT_NEAR(chrf("", "ref", eps), 0, 1e-4);
  EXPECT_NEAR(chrf("aa", "ab", effective), 25, 1e-4);
  EXPECT_NEAR(chrf("a b c", "a b c", effective), 100, 1e-4);
  const std::string risk =
      "risk assessment must be made of those who are qualified and expertise in the sector - these are the "
      "scientists .";
  const std::string expert =
      "risk assessment has to be undertaken by those who are qualified and expert in that area - that is the "
      "scientists .";
  EXPECT_NEAR(chrf(" " + risk, expert, eps), 63.361730, 1e-4);
  EXPECT_NEAR(chrf(risk, expert, spaces), 65.2414427, 1e-4);
  EXPECT_NEAR(chrf(" Die    Beziehung zwischen  Obama und Netanjahu ist nicht gerade  freundlich. ",
                   "Das Verhältnis zwischen Obama und Netanyahu ist nicht gerade freundschaftlich.", eps),
              64.1302698, 1e-4);
  EXPECT_NEAR(chrf("Nebo prostě nemají vybavení, které by jim pomohlo, uvedli lékaři.",
                   "A někdy nemáme ani potřebný materiál, abychom jim pomohli, popsali lékaři.",
                   {.eps_smoothing = true}),
              31.22557079, 1e-4);
  EXPECT_EQ(chrf_signature({}), "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.0.0");
}

TEST(Porter, StemsAsPublishedWithTheExtensions) {
  const std::pair<const char*, const char*> cases[] = {{"caresses", "caress"},
                                                       {"ponies", "poni"},
                                                       {"ties", "tie"},
                                                       {"cats", "cat"},
                                                       {"feed", "feed"},
                                                       {"agreed", "agre"},
                                                       {"plastered", "plaster"},
                                                       {"motoring", "motor"},
                                                       {"conflated", "conflat"},
                                                       {"sized", "size"},
                                                       {"hopping", "hop"},
                                                       {"falling", "fall"},
                                                       {"filing", "file"},
                                                       {"happy", "happi"},
                                                       {"sky", "sky"},
                                                       {"relational", "relat"},
                                                       {"rational", "ration"},
                                                       {"digitizer", "digit"},
                                                       {"operator", "oper"},
                                                       {"feudalism", "feudal"},
                                                       {"hopefulness", "hope"},
                                                       {"triplicate", "triplic"},
                                                       {"electrical", "electr"},
                                                       {"goodness", "good"},
                                                       {"adjustment", "adjust"},
                                                       {"adoption", "adopt"},
                                                       {"effective", "effect"},
                                                       {"probate", "probat"},
                                                       {"rate", "rate"},
                                                       {"cease", "ceas"},
                                                       {"controlling", "control"},
                                                       {"roll", "roll"},
                                                       {"dying", "die"},
                                                       {"succeed", "succeed"},
                                                       {"died", "die"},
                                                       {"studied", "studi"}};
  for (const auto& [word, stem] : cases) EXPECT_EQ(porter_stem(word), stem) << word;
}

TEST(Rouge, MatchesRougeScoresTests) {
  EXPECT_DOUBLE_EQ(rouge_scores("testing one two", "testing", false).rouge1.f1, 0.5);
  EXPECT_DOUBLE_EQ(rouge_scores("testing one two", "testing", false).rouge1.recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(rouge_scores("testing one two", "testing one", false).rouge2.f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(rouge_scores("testing one two", "testing two", false).rouge_l.f1, 0.8);
  EXPECT_EQ(rouge_scores("testing one two", "", false).rouge_l.f1, 0);
  EXPECT_EQ(rouge_scores("w1 w2", "/", false).rouge1.f1, 0);
  // Stemming makes these equal; short words stay.
  EXPECT_EQ(rouge_scores("The cats were running", "the cat were ran", true).rouge1.f1, 0.75);
  EXPECT_EQ(rouge_scores("Café!", "caf", false).rouge1.f1, 1);
}

TEST(Rouge, SummaryLevelMatchesRougeScoresTests) {
  const RougeScore two = rouge_scores("w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", false).rouge_lsum;
  EXPECT_DOUBLE_EQ(two.recall, 0.8);
  EXPECT_DOUBLE_EQ(two.precision, 0.4);
  EXPECT_NEAR(two.f1, 0.5333, 1e-4);
  for (const char* nothing : {"", "/", "\n\n"}) {
    EXPECT_EQ(rouge_scores("w1 w2 w3 w4 w5", nothing, false).rouge_lsum.f1, 0);
    EXPECT_EQ(rouge_scores(nothing, "w1", false).rouge_lsum.f1, 0);
  }
  // Sentences in another order cost the form for whole texts, not this one.
  const RougeScores turned = rouge_scores("a b c\nd e f", "d e f\na b c", false);
  EXPECT_DOUBLE_EQ(turned.rouge_l.f1, 0.5);
  EXPECT_DOUBLE_EQ(turned.rouge_lsum.f1, 1);
  // A word found in two sentences counts as often as both texts have it.
  EXPECT_DOUBLE_EQ(rouge_scores("a b\na c", "a x y", false).rouge_lsum.recall, 0.25);
}

TEST(Rouge, SentencesBecomeLines) {
  EXPECT_EQ(sentences_as_lines("Ann comes.  \"Really?\" (Yes!) at 3.15 pm"),
            "Ann comes.\n\"Really?\"\n(Yes!)\nat 3.15 pm");
  EXPECT_EQ(sentences_as_lines("one\ntwo. "), "one\ntwo.\n");
  EXPECT_EQ(sentences_as_lines(""), "");
}

TEST(Rouge, MeanIsOverPairs) {
  const Words targets{"a b", "c d"}, predictions{"a b", "x y"};
  EXPECT_DOUBLE_EQ(mean_rouge(targets, predictions, false).rouge1.f1, 0.5);
  EXPECT_DOUBLE_EQ(mean_rouge(targets, predictions, false).rouge_lsum.f1, 0.5);
  EXPECT_THROW((void)mean_rouge(targets, Words{"a"}, false), ConfigError);
}

TEST(Bootstrap, TellsABetterSystemFromAnEqualOne) {
  std::vector<BleuCounts> good, bad;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const std::string reference = "a b c d e f g h " + std::to_string(i);
    const std::string fair = "a b c d e f g h " + std::to_string(random.below(2) ? i : -1);
    const std::string poor = "a b c x e f y h " + std::to_string(random.below(2) ? i : -1);
    good.push_back(bleu_counts(fair, reference, {}));
    bad.push_back(bleu_counts(poor, reference, {}));
  }
  const std::function<double(const BleuCounts&)> score = [](const BleuCounts& c) {
    return bleu_of(c, {}).score;
  };
  const auto test = [&](const std::vector<BleuCounts>& a, const std::vector<BleuCounts>& b) {
    return paired_bootstrap<BleuCounts>(a, b, score, 300, 1);
  };
  EXPECT_LT(test(bad, good).p_value, 0.01);
  EXPECT_EQ(test(good, good).p_value, 1);
  EXPECT_LT(test(bad, good).system.low, test(bad, good).system.score);
  EXPECT_GT(test(bad, good).system.low, test(bad, good).baseline.high);
}

}  // namespace
}  // namespace kgwalk::seq2seq
