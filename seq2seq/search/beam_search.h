// The one beam search: over tokens of a fixed vocabulary (translation, summaries) and over ragged
// choices (the edges of a graph) alike. Torch-free; the model is a callback that gives log-probabilities
// of the next choices.
//
// Groups are independent searches advanced together (the sentences or examples of a batch), so that the model
// sees all live hypotheses of the batch in one call.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kgwalk::seq2seq {

struct BeamOptions {
  int width = 25;                 // live hypotheses kept a group after each step
  int max_steps = 2;              // choices taken at most, the ending one not counted
  int min_steps = 1;              // endings before this many choices are refused
  double length_penalty = 0;      // score = log_prob / ((5 + steps) / 6)^length_penalty
  std::int64_t max_finished = 0;  // finished hypotheses kept a group, the best ones; 0 = all
  // A hypothesis with max_steps choices counts as finished without an ending choice (a walk stops there with
  // probability one); otherwise it is dropped unless nothing else in its group has finished.
  bool finish_at_max = true;
  // An ending finishes a hypothesis only where it is among the `width` likeliest choices of its group at that
  // step, as machine translation has it (and so that a width of one is greedy); otherwise every ending does.
  bool endings_compete = false;
  // A group ends as soon as max_finished hypotheses beat every live one.
  bool stop_early = false;
};

// One choice on top of a parent; chains of nodes are hypotheses.
struct BeamNode {
  std::int32_t group = 0;
  std::int32_t parent = -1;  // index into BeamResult::nodes; -1 for the empty hypothesis
  std::int64_t choice =
      -1;                  // token, or place in the ragged segment of the parent; -1 for the empty hypothesis
  double log_prob = 0;     // of all choices so far
  std::int32_t steps = 0;  // choices so far, the ending one not counted
};

// What the model gives for the live hypotheses, in their order: segment i is [offsets[i], offsets[i + 1]).
struct BeamChoices {
  std::vector<std::int64_t> offsets;  // [N + 1]
  std::vector<float> log_probs;       // [offsets.back()]; -infinity = not allowed
  std::vector<std::int64_t> tokens;   // [offsets.back()], or empty: the choice is its place in the segment
  std::vector<std::int64_t> endings;  // [N] choice that ends hypothesis i, -1 = none
};

// A live hypothesis as the callback sees it. `previous` is its parent's place among the live hypotheses of
// the step before (-1 at the first step), by which caches are reordered.
struct LiveHypothesis {
  std::int32_t node = 0;
  std::int32_t group = 0;
  std::int32_t previous = -1;
};

struct FinishedHypothesis {
  std::int32_t node = 0;  // the last choice (an ending choice has no node of its own)
  bool ended = false;     // by an ending choice
  double log_prob = 0;    // the ending choice included
  double score = 0;       // after the length penalty
};

struct BeamResult {
  std::vector<BeamNode> nodes;
  std::vector<std::vector<FinishedHypothesis>>
      finished;  // a list a group, best score first; ties in order of creation

  // Choices from the first to `node`.
  [[nodiscard]] std::vector<std::int64_t> choices_of(std::int32_t node) const;
};

// Called once a step with all live hypotheses of all groups (never empty), in ascending order of group.
using BeamExpand = std::function<BeamChoices(std::span<const LiveHypothesis>, const std::vector<BeamNode>&)>;

// ShapeError when the callback's answer does not fit the live hypotheses; ConfigError for impossible options.
[[nodiscard]] BeamResult beam_search(std::int32_t num_groups, const BeamOptions& options,
                                     const BeamExpand& expand);

}  // namespace kgwalk::seq2seq
