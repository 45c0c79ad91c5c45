#include "walker/config.h"

#include "runtime/presets.h"

namespace kgwalk::walker {

extern const std::span<const Preset> kPresets;  // walker/presets/*.json

void WalkerConfig::check(Problems& problems) const {
  if (encoder.width != decoder.width)
    problems.add("encoder.width",
                 "must equal decoder.width, since the decoder attends to the encoders' states");
  if (search.max_hops > max_hops)
    problems.add("search.max_hops", "is longer than max_hops, the longest path the walker learns");
  if (model == WalkerKind::kScorer && text.word_width == 0)
    problems.add("text.word_width", "must be above 0 for the scorer, which hears nothing but words");
  if (scoring.feature_hidden > 0 && !scoring.features)
    problems.add("scoring.feature_hidden", "needs scoring.features");
  if (metapath.distance_width > 0 && !goal_visible)
    problems.add("metapath.distance_width", "needs goal_visible (stage 2)");
  if ((scoring.goal_width == 0) != (scoring.goal_rank == 0))
    problems.add("scoring.goal_rank", "goes with scoring.goal_width: both or none are above 0");
  if (scoring.goal && scoring.goal_rank == 0 && (metapath.distance_width == 0 || !goal_visible))
    problems.add("scoring.goal",
                 "needs metapath.distance_width above 0 and goal_visible, or tables of its own "
                 "(scoring.goal_width and goal_rank)");
  const bool compares = model == WalkerKind::kHitkg || model == WalkerKind::kScorer;
  if (scoring.goal && (!compares || scoring.separate || metapath.head))
    problems.add("scoring.goal",
                 "goes with models hitkg and scorer, neither scoring.separate nor metapath.head");
  if (text.pooled && (model != WalkerKind::kScorer || !text.states))
    problems.add("text.pooled", "goes with model scorer and text.states");
  if (text.trained_layers > 0 && (model != WalkerKind::kHitkg || !text.states))
    problems.add("text.trained_layers", "goes with model hitkg and text.states");
  if (text.trained_layers > 0 && listen.on && listen.text)
    problems.add("text.trained_layers", "does not go with listen.text, which reads the whole frozen encoder");
  if (scoring.goal_exact && !scoring.goal) problems.add("scoring.goal_exact", "needs scoring.goal");
  if (scoring.separate && loss.parallel)
    problems.add("loss.parallel", "does not go with scoring.separate, whose scores are no distribution");
}

Json preset(std::string_view name) { return preset_of(kPresets, name, "walker preset"); }

std::vector<std::string> preset_names() { return preset_names_of(kPresets); }

}  // namespace kgwalk::walker
