#include "dialogue/response/comparison.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "dialogue/response/retrieval.h"
#include "runtime/stopwatch.h"

namespace kgwalk::dialogue {
namespace {

class Comparer {
 public:
  Comparer(std::span<const ResponseExample> examples, const NameChecker& checker,
           const ComparisonOptions& options, Reporter& reporter)
      : examples_(examples), checker_(checker), options_(options), reporter_(reporter) {
    for (const ResponseExample& example : examples) messages_.push_back(example.message);
  }

  void add(const std::string& system, std::vector<std::string> texts) {
    result_.systems.push_back(score_responses(system, texts, examples_, checker_, options_.scoring));
    result_.texts.push_back(std::move(texts));
  }
  void add(const std::string& system, const std::function<std::string(const ResponseExample&)>& say) {
    const auto progress = reporter_.start(system, static_cast<std::int64_t>(examples_.size()), "sentences");
    std::vector<std::string> texts;
    for (const ResponseExample& example : examples_) {
      texts.push_back(say(example));
      progress->add(1);
    }
    add(system, std::move(texts));
  }
  // Its processor time.
  double add(const std::string& system, const ResponseModel& model, double& by_wordings) {
    reporter_.info("decoding " + std::to_string(messages_.size()) + " sentences: " + system);
    const Stopwatch watch;
    std::vector<std::string> texts;
    result_.sure.clear();
    for (SpokenMessage& spoken : model.say(messages_, options_.batch)) {
      result_.sure.push_back(spoken.sure);
      by_wordings += spoken.by_wordings;
      texts.push_back(std::move(spoken.text));
    }
    const double seconds = watch.processor_seconds();
    by_wordings /= static_cast<double>(messages_.size());
    add(system, std::move(texts));
    return seconds;
  }
  void add_model(ResponseModel& model) {
    double nothing = 0;
    const ResponseConfig config = model.config();
    model.set_search(config.search, false, config.needed, config.least_sure);
    result_.seconds_free = add("model, any names", model, nothing);
    model.set_search(config.search, true, config.needed, config.least_sure);
    result_.seconds_constrained = add("model", model, result_.by_wordings);
    time(model);
    model.set_search(config.search, config.constrained, config.needed, config.least_sure);
    result_.perplexity = model.perplexity(examples_);
  }
  Comparison take() { return std::move(result_); }

 private:
  void time(const ResponseModel& model) {
    std::vector<double> times;
    for (std::size_t i = 0; i < std::min(options_.timed, messages_.size()); ++i) {
      const Stopwatch watch;
      (void)model.say(messages_[i]);
      times.push_back(1000 * watch.seconds());
    }
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    result_.median_ms = times[times.size() / 2];
    result_.p99_ms = times[(times.size() * 99) / 100];
  }

  std::span<const ResponseExample> examples_;
  const NameChecker& checker_;
  const ComparisonOptions& options_;
  Reporter& reporter_;
  std::vector<Message> messages_;
  Comparison result_;
};

}  // namespace

Json Comparison::to_json() const {
  Json json = {{"perplexity", perplexity},     {"by_wordings", by_wordings},
               {"median_ms", median_ms},       {"p99_ms", p99_ms},
               {"seconds_free", seconds_free}, {"seconds_constrained", seconds_constrained}};
  for (const ResponseScores& scores : systems) json["systems"].push_back(scores.to_json());
  return json;
}

Comparison compare_responses(std::span<const ResponseExample> examples,
                             std::span<const ResponseExample> learned, ResponseModel* model,
                             const NameChecker& checker, const ComparisonOptions& options,
                             Reporter& reporter) {
  Comparer comparer(examples, checker, options, reporter);
  comparer.add("people", [](const ResponseExample& example) { return example.text; });
  const TemplateSpeaker wordings;
  for (std::size_t i = 0; i < kComparedWordings; ++i)
    comparer.add("wording " + std::to_string(i + 1), [&](const ResponseExample& example) {
      return wordings.say(example.message, {i, i});
    });
  const RetrievalVoice retrieval(learned);
  comparer.add("retrieval", [&](const ResponseExample& example) { return retrieval.say(example.message); });
  if (model != nullptr) comparer.add_model(*model);
  return comparer.take();
}

}  // namespace kgwalk::dialogue
