#include "seq2seq/tasks/language/task.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kgwalk/error.h"
#include "runtime/files.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

void LanguageConfig::check(Problems& problems) const {
  if (eval_stride > eval_window) problems.add("eval_stride", "is more than eval_window");
  if (eval_window > window && model.positions == AddedPositions::kSinusoidal)
    problems.add("eval_window", "is " + std::to_string(eval_window) +
                                    ", training saw positions up to window = " + std::to_string(window) +
                                    " alone: set it to that at most, or model.positions=none and "
                                    "model.decoder.relative_positions=true");
}

Tensor windows_of(std::span<const std::int64_t> stream, std::span<const std::int64_t> begins,
                  std::int64_t length) {
  const Tensor rows = torch::empty({static_cast<std::int64_t>(begins.size()), length}, torch::kInt64);
  for (std::size_t r = 0; r < begins.size(); ++r)
    std::copy_n(stream.begin() + begins[r], length,
                rows.data_ptr<std::int64_t>() + static_cast<std::int64_t>(r) * length);
  return rows;
}

std::vector<float> sliding_log_probs(TransformerLanguageModel& model, const WordVocabulary& vocabulary,
                                     std::span<const std::int64_t> stream, const LanguageConfig& config) {
  const torch::NoGradGuard no_grad;
  const auto count = static_cast<std::int64_t>(stream.size());
  std::vector<float> told;
  std::vector<std::int64_t> words{vocabulary.line_end()};  // what the first word follows
  words.insert(words.end(), stream.begin(), stream.end());
  // A window reads words [begin, begin + length) and tells the `told` last of those one further.
  struct Window {
    std::int64_t begin, length, told;
  };
  std::vector<Window> windows;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t step = windows.empty() ? config.eval_window : config.eval_stride;
    const std::int64_t end = std::min(done + step, count);
    const std::int64_t begin = std::max<std::int64_t>(0, end - config.eval_window);
    windows.push_back({begin, end - begin, end - done});
    done = end;
  }
  for (std::size_t at = 0; at < windows.size();) {
    std::vector<std::int64_t> begins, rows, gold;
    const std::int64_t length = windows[at].length;
    for (; at < windows.size() && windows[at].length == length &&
           begins.size() < static_cast<std::size_t>(config.rows);
         ++at) {
      for (std::int64_t t = length - windows[at].told; t < length; ++t) {
        rows.push_back(static_cast<std::int64_t>(begins.size()) * length + t);
        gold.push_back(words[static_cast<std::size_t>(windows[at].begin + t + 1)]);
      }
      begins.push_back(windows[at].begin);
    }
    const Tensor states = model->forward(windows_of(words, begins, length)).flatten(0, 1);
    const Tensor found = on_processor(model->vocabulary->gold_log_probs(
        states.index_select(0, int64_tensor(rows, states.device())), torch::tensor(gold, torch::kInt64)));
    told.insert(told.end(), found.data_ptr<float>(), found.data_ptr<float>() + found.numel());
  }
  return told;
}

LanguageTask::LanguageTask(const LanguageConfig& config, TransformerLanguageModel model,
                           const WordVocabulary& vocabulary, std::vector<std::int64_t> train,
                           std::vector<std::int64_t> dev)
    : config_(config),
      vocabulary_(vocabulary),
      model_(std::move(model)),
      train_(std::move(train)),
      dev_(std::move(dev)),
      net_(config.heads, model_.ptr(), *model_) {
  if (static_cast<std::int64_t>(train_.size()) < 2 * config.window)
    throw ConfigError("the training text has " + std::to_string(train_.size()) +
                      " words, fewer than two windows of " + std::to_string(config.window));
  if (dev_.empty()) throw ConfigError("the development text is empty");
}

std::int64_t LanguageTask::begin_epoch(int /*epoch*/, Random& random) {
  starts_.clear();
  const auto first = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(config_.window)));
  for (std::int64_t begin = first; begin + config_.window < static_cast<std::int64_t>(train_.size());
       begin += config_.window)
    starts_.push_back(begin);
  random.shuffle(std::span(starts_));
  return (static_cast<std::int64_t>(starts_.size()) + config_.rows - 1) / config_.rows;
}

StepResult LanguageTask::step(std::int64_t batch) {
  const auto from = static_cast<std::size_t>(batch) * static_cast<std::size_t>(config_.rows);
  const auto begins = std::span(starts_).subspan(
      from, std::min(static_cast<std::size_t>(config_.rows), starts_.size() - from));
  const Tensor words = windows_of(train_, begins, config_.window + 1);  // [B, T + 1]
  net_->observe(true);
  const Tensor states = model_->forward(words.narrow(1, 0, config_.window)).flatten(0, 1);
  const ProjectionLoss loss =
      model_->vocabulary->loss(states, words.narrow(1, 1, config_.window).reshape({-1}));
  const auto weight = static_cast<double>(states.size(0));
  StepResult result{loss.loss / weight, weight, {{"nll", loss.nll / weight}}};
  net_->add_loss(result);
  return result;
}

Json LanguageTask::evaluate() {
  net_->observe(true);
  const std::vector<float> told = sliding_log_probs(model_, vocabulary_, dev_, config_);
  const double mean = std::accumulate(told.begin(), told.end(), 0.0) / static_cast<double>(told.size());
  Json json = {{"perplexity", std::exp(-mean)}};
  net_->describe_into(json);
  json["score"] = mean;
  return json;
}

void LanguageTask::save_extra(const std::filesystem::path& folder) const {
  write_file_atomically(folder / "words.txt", vocabulary_.bytes());
}

}  // namespace kgwalk::seq2seq
