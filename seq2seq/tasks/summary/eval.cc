#include "seq2seq/tasks/summary/eval.h"

#include "kgwalk/error.h"
#include "seq2seq/metrics/rouge.h"
#include "seq2seq/metrics/words.h"

namespace kgwalk::seq2seq {
namespace {

struct RougeSums {
  RougeF1 sums{};
  std::int64_t pairs = 0;
  RougeSums& operator+=(const RougeSums& other) {
    for (std::size_t m = 0; m < sums.size(); ++m) sums[m] += other.sums[m];
    pairs += other.pairs;
    return *this;
  }
  [[nodiscard]] double mean(std::size_t metric) const {
    return pairs > 0 ? 100 * sums[metric] / static_cast<double>(pairs) : 0;
  }
};

std::vector<RougeSums> sums_of(const std::vector<SummaryExample>& examples,
                               const std::vector<std::string>& summaries, bool stem) {
  std::vector<RougeSums> list;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const RougeScores scores =
        rouge_scores(sentences_as_lines(examples[i].summary), sentences_as_lines(summaries[i]), stem);
    list.push_back({{scores.rouge1.f1, scores.rouge2.f1, scores.rouge_l.f1, scores.rouge_lsum.f1}, 1});
  }
  return list;
}

std::array<PairedBootstrap, kRougeNames.size()> tests_of(const std::vector<RougeSums>& baseline,
                                                         const std::vector<RougeSums>& system,
                                                         const SummaryEvalOptions& options) {
  std::array<PairedBootstrap, kRougeNames.size()> tests;
  for (std::size_t m = 0; m < tests.size(); ++m) {
    const std::function<double(const RougeSums&)> score = [m](const RougeSums& s) { return s.mean(m); };
    tests[m] = paired_bootstrap<RougeSums>(baseline, system, score, options.samples, options.seed);
  }
  return tests;
}

RougeF1 of_rule(const std::vector<SummaryExample>& examples, LeadRule rule, bool stem) {
  std::vector<std::string> summaries;
  for (const SummaryExample& example : examples)
    summaries.push_back(lead_summary(parse_dialogue(example.dialogue), rule, 3));
  RougeSums total;
  for (const RougeSums& sums : sums_of(examples, summaries, stem)) total += sums;
  RougeF1 means;
  for (std::size_t m = 0; m < means.size(); ++m) means[m] = total.mean(m);
  return means;
}

}  // namespace

Json SummaryEvalReport::to_json() const {
  Json json = {{"dialogues", decoding.hypotheses.size()},
               {"stem", stem},
               {"cut", decoding.cut},
               {"seconds", decoding.seconds},
               {"processor_seconds", decoding.processor_seconds},
               {"dialogues_per_second", decoding.per_second()}};
  for (std::size_t m = 0; m < rouge.size(); ++m) {
    json[kRougeNames[m]] = json_of(rouge[m]);
    if (against_baseline) json["against_baseline"][kRougeNames[m]] = json_of((*against_baseline)[m]);
    for (const auto& [name, scores] : rules) json["rules"][name][kRougeNames[m]] = scores[m];
  }
  return json;
}

SummaryEvalReport evaluate_summaries(const Summarizer& summarizer,
                                     const std::vector<SummaryExample>& examples,
                                     const SummaryEvalOptions& options, Reporter& reporter) {
  if (examples.empty()) throw ConfigError("there is no dialogue to summarize");
  check_baseline(options.baseline, examples.size());
  std::vector<std::string> dialogues;
  for (const SummaryExample& example : examples) dialogues.push_back(example.dialogue);
  SummaryEvalReport report;
  report.stem = options.stem;
  report.decoding = decode_all(dialogues, "summarizing", reporter, [&](std::span<const std::string> part) {
    return summarizer.summarize(part, options.batch);
  });
  const std::vector<RougeSums> sums = sums_of(examples, report.decoding.hypotheses, options.stem);
  const auto alone = tests_of(sums, sums, options);
  for (std::size_t m = 0; m < alone.size(); ++m) report.rouge[m] = alone[m].system;
  if (options.baseline)
    report.against_baseline = tests_of(sums_of(examples, *options.baseline, options.stem), sums, options);
  report.rules = {{"first three turns", of_rule(examples, LeadRule::kFirst, options.stem)},
                  {"longest three turns", of_rule(examples, LeadRule::kLongest, options.stem)}};
  return report;
}

}  // namespace kgwalk::seq2seq
