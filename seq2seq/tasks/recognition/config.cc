#include "seq2seq/tasks/recognition/config.h"

namespace kgwalk::seq2seq {

void SpeechSearchOptions::check(Problems& problems) const {
  if (nbest > beam) problems.add("nbest", "is more than beam");
  if (method == "ctc_greedy" && nbest > 1) problems.add("nbest", "the best path is one; use ctc_beam");
}

int RecognitionConfig::feature_width() const {
  return input == "sound" ? features.width() : features.cepstra * (1 + features.deltas);
}

void RecognitionConfig::check(Problems& problems) const {
  if (search.method == "joint" && !model.attends())
    problems.add("search.method", "'joint' needs a decoder; use ctc_beam or ctc_greedy");
  if (speeds.empty()) problems.add("speeds", "is empty; [1] leaves the speed as it is");
  for (const double speed : speeds)
    if (!(speed >= 0.25 && speed <= 4)) problems.add("speeds", "must be from 0.25 to 4");
}

}  // namespace kgwalk::seq2seq
