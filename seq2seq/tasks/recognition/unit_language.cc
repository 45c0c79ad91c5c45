#include "seq2seq/tasks/recognition/unit_language.h"

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "runtime/tensor/int64_tensor.h"
#include "seq2seq/models/ctc_attention.h"
#include "seq2seq/tasks/batching.h"

namespace kgwalk::seq2seq {

using torch::Tensor;

UnitLanguage::UnitLanguage(const std::filesystem::path& path, const SpeechUnits& units) {
  const LanguageModel model = LanguageModel::open(path);
  const WordVocabulary& vocabulary = model.vocabulary();
  model_ = model.model();
  line_end_ = vocabulary.line_end();
  std::vector<std::int64_t> words;
  std::string missing;
  for (int id = 0; id < units.size(); ++id) {
    const std::int64_t word = id == kEndUnit ? line_end_ : vocabulary.id_of(units.unit(id));
    const bool counts = id != kBlankUnit && id != kUnknownUnit && id != kStartUnit;
    if (counts && word == vocabulary.unknown())
      missing += (missing.empty() ? "'" : ", '") + units.unit(id) + "'";
    words.push_back(word);
  }
  if (!missing.empty())
    throw ConfigError(path.string() + ": does not know these units of the recognizer: " + missing +
                      "; train it on text in the same units (units.text in the recognizer's run)");
  words_ = torch::tensor(words, torch::kInt64);
}

Tensor UnitLanguage::step(const Tensor& ids, DecoderState& state) const {
  const Tensor words = state.length == 0 ? torch::full_like(ids, line_end_) : words_.index_select(0, ids);
  return on_processor(model_->step(words.unsqueeze(1), state)).index_select(1, words_);
}

std::vector<std::vector<float>> UnitLanguage::after(std::span<const std::vector<int>> prefixes) const {
  const torch::NoGradGuard no_grad;
  std::vector<std::vector<int>> rows;
  const auto* words = words_.data_ptr<std::int64_t>();
  for (const std::vector<int>& prefix : prefixes) {
    rows.push_back({static_cast<int>(line_end_)});
    for (const int unit : prefix) rows.back().push_back(static_cast<int>(words[unit]));
  }
  std::vector<const std::vector<int>*> pointers;
  for (const std::vector<int>& row : rows) pointers.push_back(&row);
  // Causal: what stands behind a row's end does not reach its last word.
  const Tensor states = model_->forward(pad_rows(pointers).ids);  // [N, T, D]
  std::vector<std::int64_t> last;                                 // of each row, in [N T]
  for (std::size_t i = 0; i < rows.size(); ++i)
    last.push_back(static_cast<std::int64_t>(i) * states.size(1) + static_cast<std::int64_t>(rows[i].size()) -
                   1);
  const Tensor ends = states.flatten(0, 1).index_select(0, int64_tensor(last, states.device()));    // [N, D]
  const Tensor scores = on_processor(model_->vocabulary->log_probs(ends)).index_select(1, words_);  // [N, V]
  std::vector<std::vector<float>> found;
  for (std::int64_t i = 0; i < scores.size(0); ++i) {
    const float* row = scores.data_ptr<float>() + i * scores.size(1);
    found.emplace_back(row, row + scores.size(1));
  }
  return found;
}

}  // namespace kgwalk::seq2seq
