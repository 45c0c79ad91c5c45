#include "seq2seq/tasks/recognition/config.h"

namespace kgwalk::seq2seq {

void SpeechSearchOptions::check(Problems& problems) const {
  if (nbest > beam) problems.add("nbest", "is more than beam");
  if (method == SpeechSearch::kCtcGreedy && nbest > 1)
    problems.add("nbest", "the best path is one; use ctc_beam");
}

int RecognitionConfig::feature_width() const {
  if (input == SpeechInputKind::kSound) return features.width();
  return (spectrum > 0 ? spectrum : features.cepstra) * (1 + features.deltas);
}

void RecognitionConfig::check(Problems& problems) const {
  if (search.method == SpeechSearch::kJoint && !model.attends())
    problems.add("search.method", "'joint' needs a decoder; use ctc_beam or ctc_greedy");
  if (spectrum > 0 && input == SpeechInputKind::kSound)
    problems.add("spectrum", "is for files of cepstra; sound has features.kind");
  const bool bands = input == SpeechInputKind::kSound
                         ? features.kind == FeatureKind::kFbank && !features.energy && !features.pitch
                         : spectrum > 0;
  if (spec_augment.vocal_tract > 0 && !bands)
    problems.add(
        "spec_augment.vocal_tract",
        "warps frequencies, which needs bands alone: features.kind fbank without energy and pitch, or "
        "spectrum for files of cepstra");
  if (speeds.empty()) problems.add("speeds", "is empty; [1] leaves the speed as it is");
  for (const double speed : speeds)
    if (!(speed >= 0.25 && speed <= 4)) problems.add("speeds", "must be from 0.25 to 4");
}

}  // namespace kgwalk::seq2seq
