#include "dialogue/response/evaluation.h"

#include <functional>
#include <set>
#include <utility>

#include "kgwalk/error.h"
#include "seq2seq/metrics/bleu.h"
#include "seq2seq/metrics/rouge.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::dialogue {
namespace {

constexpr std::size_t kShownWrong = 10;

struct RougeLSum {
  double sum = 0;
  std::int64_t count = 0;
  RougeLSum& operator+=(const RougeLSum& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

template <class Counts>
seq2seq::BootstrapInterval interval(const std::vector<Counts>& counts,
                                    const std::function<double(const Counts&)>& score,
                                    const ResponseScoring& scoring) {
  return seq2seq::paired_bootstrap<Counts>(counts, counts, score, scoring.samples, scoring.seed).system;
}

void score_likeness(std::span<const std::string> texts, std::span<const ResponseExample> examples,
                    const ResponseScoring& scoring, ResponseScores& scores) {
  std::vector<seq2seq::BleuCounts> bleu;
  std::vector<seq2seq::ChrfCounts> chrf;
  std::vector<RougeLSum> rouge;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bleu.push_back(seq2seq::bleu_counts(texts[i], examples[i].text, {}));
    chrf.push_back(seq2seq::chrf_counts(texts[i], examples[i].text, {}));
    rouge.push_back({seq2seq::rouge_scores(examples[i].text, texts[i], true).rouge_l.f1, 1});
  }
  scores.bleu = interval<seq2seq::BleuCounts>(
      bleu, [](const auto& c) { return seq2seq::bleu_of(c, {}).score; }, scoring);
  scores.chrf = interval<seq2seq::ChrfCounts>(
      chrf, [](const auto& c) { return seq2seq::chrf_of(c, {}); }, scoring);
  scores.rouge_l = interval<RougeLSum>(
      rouge, [](const RougeLSum& c) { return c.count > 0 ? 100 * c.sum / static_cast<double>(c.count) : 0; },
      scoring);
}

void score_variety(std::span<const std::string> texts, ResponseScores& scores) {
  std::set<std::string> ones, twos;
  std::size_t num_ones = 0, num_twos = 0;
  for (const std::string& text : texts) {
    const std::vector<std::string> words = seq2seq::bleu_words(text, seq2seq::BleuTokenizer::k13a, true);
    for (std::size_t i = 0; i < words.size(); ++i) {
      ones.insert(words[i]);
      if (i > 0) twos.insert(words[i - 1] + ' ' + words[i]);
    }
    num_ones += words.size();
    num_twos += words.empty() ? 0 : words.size() - 1;
  }
  const auto share = [](std::size_t part, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  };
  scores.distinct_1 = share(ones.size(), num_ones);
  scores.distinct_2 = share(twos.size(), num_twos);
}

void score_names(std::span<const std::string> texts, std::span<const ResponseExample> examples,
                 const NameChecker& checker, ResponseScores& scores) {
  std::size_t named = 0, names = 0, all_named = 0, wrong = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const NameVerdict verdict = checker.check(texts[i], examples[i].message);
    named += verdict.named.size();
    names += verdict.named.size() + verdict.missing.size();
    all_named += verdict.missing.empty();
    if (verdict.wrong.empty()) continue;
    ++wrong;
    if (scores.wrong_examples.size() < kShownWrong)
      scores.wrong_examples.push_back("[" + verdict.wrong.front() + "] " + texts[i]);
  }
  const auto count = static_cast<double>(texts.size());
  scores.named = names == 0 ? 0 : static_cast<double>(named) / static_cast<double>(names);
  scores.all_named = static_cast<double>(all_named) / count;
  scores.wrong = static_cast<double>(wrong) / count;
}

Json interval_json(const seq2seq::BootstrapInterval& found) {
  return {{"score", found.score}, {"low", found.low}, {"high", found.high}};
}

}  // namespace

Json ResponseScores::to_json() const {
  return {{"system", system},
          {"sentences", sentences},
          {"bleu", interval_json(bleu)},
          {"chrf", interval_json(chrf)},
          {"rouge_l", interval_json(rouge_l)},
          {"distinct_1", distinct_1},
          {"distinct_2", distinct_2},
          {"named", named},
          {"all_named", all_named},
          {"wrong", wrong},
          {"wrong_examples", wrong_examples}};
}

ResponseScores score_responses(std::string system, std::span<const std::string> texts,
                               std::span<const ResponseExample> examples, const NameChecker& checker,
                               const ResponseScoring& scoring) {
  if (texts.empty() || texts.size() != examples.size())
    throw ConfigError("scoring needs a sentence for each message, and at least one; there are " +
                      std::to_string(texts.size()) + " for " + std::to_string(examples.size()));
  ResponseScores scores;
  scores.system = std::move(system);
  scores.sentences = static_cast<std::int64_t>(texts.size());
  score_likeness(texts, examples, scoring, scores);
  score_variety(texts, scores);
  score_names(texts, examples, checker, scores);
  return scores;
}

}  // namespace kgwalk::dialogue
