#include "seq2seq/tasks/understanding/teacher.h"

#include <algorithm>
#include <cmath>

#include "kgwalk/error.h"
#include "runtime/checksum.h"
#include "runtime/run_folder.h"
#include "runtime/tensor/device.h"
#include "seq2seq/models/bert.h"
#include "seq2seq/tasks/batching.h"

namespace kgwalk::seq2seq {

using torch::Tensor;
namespace fs = std::filesystem;

Teacher Teacher::open(const fs::path& path) {
  // Runs of several kinds keep a text encoder, some of them made by floors above this one; what lies in its
  // folder says whether it is one.
  const bool run = RunFolder::is_run(path);
  const fs::path folder = run ? path / "encoder" : path;
  if (run && !fs::exists(folder))
    throw FormatError(path.string() + ": this run holds no encoder, or its training has not finished");
  TokenEncoder model = load_token_encoder(folder);  // says first what the folder holds
  Teacher teacher(std::move(model), load_tokenizer(folder));
  const SpecialIds special = teacher.tokenizer_->special();
  if (special.cls < 0 || special.sep < 0)
    throw FormatError(folder.string() + ": its vocabulary has no [CLS] or no [SEP]");
  if (teacher.tokenizer_->size() > teacher.model_->shape().vocabulary)
    throw FormatError(folder.string() + ": the vocabulary has " + std::to_string(teacher.tokenizer_->size()) +
                      " pieces, the weights are for " + std::to_string(teacher.model_->shape().vocabulary));
  return teacher;
}

Teacher::Teacher(TokenEncoder model, std::unique_ptr<Tokenizer> tokenizer)
    : model_(std::move(model)), tokenizer_(std::move(tokenizer)) {
  model_->eval();
  move_to(*model_, compute_device());
}

std::string Teacher::checksum() const {
  Checksum sum;
  sum.add(checksum_of(state_of(*model_)) + tokenizer_->checksum());
  return sum.hex();
}

std::vector<TaughtText> Teacher::teach(std::span<const std::string> texts, SignificanceLayers layers) const {
  const torch::NoGradGuard no_grad;
  const SpecialIds special = tokenizer_->special();
  const auto limit = static_cast<std::size_t>(model_->shape().max_length) - 2;
  std::vector<TaughtText> taught;
  for (const std::string& text : texts) {
    Encoding encoding = tokenizer_->encode(text);
    if (encoding.ids.empty()) throw ConfigError("a text to align speech with has no pieces: '" + text + "'");
    encoding.ids.resize(std::min(encoding.ids.size(), limit));
    encoding.pieces.resize(encoding.ids.size());
    std::vector<std::int64_t> row{special.cls};
    row.insert(row.end(), encoding.ids.begin(), encoding.ids.end());
    row.push_back(special.sep);
    AttentionTrace trace;
    trace.keep_logits = true;
    const Tensor ids = torch::tensor(row, torch::kInt64).unsqueeze(0);  // [1, n + 2]
    const Tensor states = model_->forward({ids, {}, {}}, false, &trace).states[0].to(torch::kCPU);
    const auto n = static_cast<std::int64_t>(encoding.ids.size());
    Tensor inner = torch::zeros({1, n + 2}, torch::kBool);
    inner.narrow(1, 1, n).fill_(true);
    const Tensor prior = restrict_prior(on_processor(significance_of(trace, {}, layers)), inner)[0];
    taught.push_back({std::move(encoding.pieces), std::move(encoding.ids), states.narrow(0, 1, n).clone(),
                      prior.narrow(0, 1, n).clone(), states[0].clone()});
  }
  return taught;
}

std::vector<double> inverse_document_frequencies(std::span<const TaughtText> texts) {
  int size = 0;
  for (const TaughtText& text : texts)
    for (const int id : text.ids) size = std::max(size, id + 1);
  std::vector<double> seen(static_cast<std::size_t>(size));
  for (const TaughtText& text : texts) {
    std::vector<int> distinct = text.ids;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const int id : distinct) ++seen[static_cast<std::size_t>(id)];
  }
  for (double& count : seen) count = std::log(static_cast<double>(texts.size()) / std::max(1.0, count));
  return seen;
}

}  // namespace kgwalk::seq2seq
