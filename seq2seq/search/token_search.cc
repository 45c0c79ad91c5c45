#include "seq2seq/search/token_search.h"

#include <algorithm>
#include <limits>

#include "kgwalk/error.h"
#include "runtime/tensor/device.h"
#include "seq2seq/kernels/cross_entropy.h"
#include "seq2seq/search/beam_search.h"

namespace kgwalk::seq2seq {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::vector<std::int64_t> pieces_of(const std::vector<BeamNode>& nodes, std::int32_t node) {
  std::vector<std::int64_t> pieces;
  for (; nodes[static_cast<std::size_t>(node)].parent >= 0;
       node = nodes[static_cast<std::size_t>(node)].parent)
    pieces.push_back(nodes[static_cast<std::size_t>(node)].choice);
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

// Pieces that would complete an n-gram that `pieces` already holds are set to minus infinity.
void forbid_repeats(const std::vector<std::int64_t>& pieces, std::size_t n, float* scores) {
  if (pieces.size() + 1 < n) return;
  const auto tail = pieces.end() - static_cast<std::ptrdiff_t>(n - 1);
  for (std::size_t i = 0; i + n <= pieces.size(); ++i)
    if (std::equal(tail, pieces.end(), pieces.begin() + static_cast<std::ptrdiff_t>(i)))
      scores[pieces[i + n - 1]] = kNever;
}

class Expander {
 public:
  Expander(const TokenSearchTask& task, const TokenSearchOptions& options, const ScoreStep& step)
      : task_(task), options_(options), step_(step) {}

  BeamChoices operator()(std::span<const LiveHypothesis> live, const std::vector<BeamNode>& nodes) {
    const auto rows = static_cast<std::int64_t>(live.size());
    const torch::Tensor pieces = torch::empty({rows}, torch::kInt64), parents = torch::empty_like(pieces);
    for (std::int64_t i = 0; i < rows; ++i) {
      const LiveHypothesis& h = live[static_cast<std::size_t>(i)];
      pieces.data_ptr<std::int64_t>()[i] =
          h.previous < 0 ? task_.start_piece : nodes[static_cast<std::size_t>(h.node)].choice;
      parents.data_ptr<std::int64_t>()[i] = h.previous < 0 ? h.group : h.previous;
    }
    const torch::Tensor scores = on_processor(step_(pieces, parents));  // [N, V]
    if (scores.dim() != 2 || scores.size(0) != rows || scores.scalar_type() != torch::kFloat32)
      throw ShapeError("token search: the model must score " + std::to_string(rows) + " rows in float32");
    const std::int64_t width = scores.size(1);
    found_.resize(live.size());
    // A row is normalized and searched while it lies in the cache.
#pragma omp parallel for schedule(static) if (rows * width > kSerial)
    for (std::int64_t i = 0; i < rows; ++i)
      choose(live[static_cast<std::size_t>(i)], nodes,
             {scores.data_ptr<float>() + i * width, static_cast<std::size_t>(width)},
             found_[static_cast<std::size_t>(i)]);
    BeamChoices choices;
    choices.offsets.push_back(0);
    for (std::size_t i = 0; i < live.size(); ++i) append(found_[i], choices);
    return choices;
  }

 private:
  static constexpr std::int64_t kSerial = 16384;  // fewer scores are not worth a second thread

  struct Found {
    float end = kNever, normalizer = 0;                // log p = score - normalizer
    std::vector<std::pair<std::int64_t, float>> best;  // pieces and scores
  };

  // A hypothesis gives its group at most `beam` of the next ones, so that more of its pieces need
  // not be told.
  void choose(const LiveHypothesis& h, const std::vector<BeamNode>& nodes, std::span<float> scores,
              Found& found) const {
    found.normalizer = task_.final_scores ? 0 : log_sum_exp(scores);
    if (task_.guard != nullptr) task_.guard->forbid(h.group, pieces_of(nodes, h.node), scores);
    found.end = scores[static_cast<std::size_t>(task_.end_piece)];
    scores[static_cast<std::size_t>(task_.end_piece)] = kNever;
    for (const std::int64_t piece : task_.never) scores[static_cast<std::size_t>(piece)] = kNever;
    if (options_.no_repeat_ngram > 0)
      forbid_repeats(pieces_of(nodes, h.node), static_cast<std::size_t>(options_.no_repeat_ngram),
                     scores.data());
    found.best.clear();
    if (nodes[static_cast<std::size_t>(h.node)].steps < task_.limits[static_cast<std::size_t>(h.group)])
      largest_columns(scores, static_cast<std::size_t>(options_.beam), found.best);
  }

  void append(const Found& found, BeamChoices& choices) const {
    choices.tokens.push_back(task_.end_piece);
    choices.log_probs.push_back(found.end - found.normalizer);
    for (const auto& [piece, score] : found.best) {
      choices.tokens.push_back(piece);
      choices.log_probs.push_back(score - found.normalizer);
    }
    choices.endings.push_back(task_.end_piece);
    choices.offsets.push_back(static_cast<std::int64_t>(choices.tokens.size()));
  }

  const TokenSearchTask& task_;
  const TokenSearchOptions& options_;
  const ScoreStep& step_;
  std::vector<Found> found_;  // of the rows of a step
};

}  // namespace

std::vector<std::vector<FoundSequence>> search_tokens(const TokenSearchTask& task,
                                                      const TokenSearchOptions& options,
                                                      const ScoreStep& step) {
  validate(options, "search");
  if (options.nbest > options.beam)
    throw ConfigError("search.nbest is " + std::to_string(options.nbest) + ", more than search.beam, " +
                      std::to_string(options.beam));
  BeamOptions beam;
  beam.width = options.beam;
  // A group at its limit is told to end: every hypothesis ends within max_steps.
  beam.max_steps = task.limits.empty() ? 1 : *std::max_element(task.limits.begin(), task.limits.end());
  beam.min_steps = std::min(options.min_pieces, beam.max_steps);
  beam.length_penalty = options.length_penalty;
  beam.max_finished = options.beam;
  beam.finish_at_max = false;
  beam.endings_compete = true;
  beam.stop_early = true;
  Expander expander(task, options, step);
  const BeamResult result =
      beam_search(static_cast<std::int32_t>(task.limits.size()), beam,
                  [&](std::span<const LiveHypothesis> live, const std::vector<BeamNode>& nodes) {
                    return expander(live, nodes);
                  });
  std::vector<std::vector<FoundSequence>> found(task.limits.size());
  for (std::size_t g = 0; g < found.size(); ++g)
    for (const FinishedHypothesis& h : result.finished[g]) {
      if (found[g].size() == static_cast<std::size_t>(options.nbest)) break;
      found[g].push_back({pieces_of(result.nodes, h.node), h.log_prob, h.score, h.ended});
    }
  return found;
}

}  // namespace kgwalk::seq2seq
