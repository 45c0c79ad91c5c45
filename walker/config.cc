#include "walker/config.h"

#include "runtime/error.h"
#include "runtime/text.h"

namespace kgwalk::walker {
namespace detail {
extern const std::pair<const char*, const char*> kPresets[];  // generated from walker/presets/*.json
extern const int kNumPresets;
}  // namespace detail

void WalkerConfig::check(Problems& problems) const {
  if (encoder.width != decoder.width)
    problems.add("encoder.width",
                 "must equal decoder.width, since the decoder attends to the encoders' states");
  if (search.max_hops > max_hops)
    problems.add("search.max_hops", "is longer than max_hops, the longest path the walker learns");
  if (model == "scorer" && text.word_width == 0)
    problems.add("text.word_width", "must be above 0 for the scorer, which hears nothing but words");
  if (scoring.feature_hidden > 0 && !scoring.features)
    problems.add("scoring.feature_hidden", "needs scoring.features");
  if (metapath.distance_width > 0 && !goal_visible)
    problems.add("metapath.distance_width", "needs goal_visible (stage 2)");
  if (scoring.goal && (metapath.distance_width == 0 || !goal_visible))
    problems.add("scoring.goal", "needs metapath.distance_width above 0 and goal_visible (stage 2)");
  if (scoring.goal && (model != "hitkg" || scoring.separate || metapath.head))
    problems.add("scoring.goal", "goes with model hitkg and MetaPaths [relation; tail; distance] alone");
  if (scoring.goal_exact && !scoring.goal) problems.add("scoring.goal_exact", "needs scoring.goal");
  if (scoring.separate && loss.parallel)
    problems.add("loss.parallel", "does not go with scoring.separate, whose scores are no distribution");
}

Json preset(std::string_view name) {
  for (int i = 0; i < detail::kNumPresets; ++i)
    if (name == detail::kPresets[i].first)
      return Json::parse(detail::kPresets[i].second, nullptr, true, true);
  const std::vector<std::string> names = preset_names();
  throw ConfigError("there is no walker preset '" + std::string(name) + "'" + did_you_mean(name, names));
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (int i = 0; i < detail::kNumPresets; ++i) names.emplace_back(detail::kPresets[i].first);
  return names;
}

}  // namespace kgwalk::walker
