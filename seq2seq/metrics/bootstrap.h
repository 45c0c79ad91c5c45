// Bootstrap intervals of a corpus score and the paired bootstrap test of two systems (Koehn, EMNLP 2004),
// with sacreBLEU's form of the p value. Torch-free.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kgwalk/error.h"
#include "runtime/random.h"

namespace kgwalk::seq2seq {

struct BootstrapInterval {
  double score = 0, low = 0, high = 0;  // 95 %
};

struct PairedBootstrap {
  BootstrapInterval baseline, system;
  BootstrapInterval difference;  // system - baseline
  // Two-sided: how often the resampled difference is as far from its mean as the real one is from zero; 1
  // for equal scores.
  double p_value = 1;
};

namespace bootstrap_detail {

inline BootstrapInterval interval_of(double score, std::vector<double> scores) {
  std::sort(scores.begin(), scores.end());
  const std::size_t cut = scores.size() / 40;
  return {score, scores[cut], scores[scores.size() - cut - 1]};
}

template <class Counts>
Counts sum_of(std::span<const Counts> segments, std::span<const std::size_t> chosen) {
  Counts sum;
  for (const std::size_t i : chosen) sum += segments[i];
  return sum;
}

}  // namespace bootstrap_detail

// segments: additive counts of each segment (BleuCounts, ChrfCounts); score: counts -> number. Both systems
// are resampled by the same segments. ConfigError when there are none or their numbers differ.
template <class Counts>
PairedBootstrap paired_bootstrap(std::span<const Counts> baseline, std::span<const Counts> system,
                                 const std::function<double(const Counts&)>& score, int samples,
                                 std::uint64_t seed) {
  if (baseline.size() != system.size() || baseline.empty() || samples < 1)
    throw ConfigError("a paired bootstrap needs two systems with the same segments, and at least one sample");
  Random random(seed);
  std::vector<std::size_t> chosen(baseline.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  const double real_baseline =
      score(bootstrap_detail::sum_of(baseline, std::span<const std::size_t>(chosen)));
  const double real_system = score(bootstrap_detail::sum_of(system, std::span<const std::size_t>(chosen)));
  std::vector<double> of_baseline, of_system, gains, differences;
  double mean = 0;
  for (int s = 0; s < samples; ++s) {
    for (std::size_t& i : chosen) i = static_cast<std::size_t>(random.below(baseline.size()));
    of_baseline.push_back(score(bootstrap_detail::sum_of(baseline, std::span<const std::size_t>(chosen))));
    of_system.push_back(score(bootstrap_detail::sum_of(system, std::span<const std::size_t>(chosen))));
    gains.push_back(of_system.back() - of_baseline.back());
    differences.push_back(std::fabs(gains.back()));
    mean += differences.back() / samples;
  }
  const double real = std::fabs(real_system - real_baseline);
  const auto above = std::count_if(differences.begin(), differences.end(),
                                   [&](double difference) { return difference - mean > real; });
  PairedBootstrap result;
  result.baseline = bootstrap_detail::interval_of(real_baseline, std::move(of_baseline));
  result.system = bootstrap_detail::interval_of(real_system, std::move(of_system));
  result.difference = bootstrap_detail::interval_of(real_system - real_baseline, std::move(gains));
  if (real > 0) result.p_value = static_cast<double>(above + 1) / static_cast<double>(samples + 1);
  return result;
}

}  // namespace kgwalk::seq2seq
