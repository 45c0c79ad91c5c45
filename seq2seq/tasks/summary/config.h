// What a summarizer is, how it is trained and how it searches. Presets: seq2seq/presets/summarize_*.json.
#pragma once

#include "runtime/run_manifest.h"
#include "seq2seq/models/pointer_generator.h"
#include "seq2seq/tasks/pair_task.h"
#include "seq2seq/tasks/pieces.h"

namespace kgwalk::seq2seq {

inline constexpr RunKind kSummaryRun{.name = "task-summarize",
                                     .command = "task summarize train",
                                     .parts = {"summary"},
                                     .sources = {"pillars_of", "from"}};

struct SummaryConfig : PairConfig {
  PointerGeneratorOptions model;
  PieceOptions vocabulary;
  double coverage = 0;
  int coverage_from = 0;
  double speaker_coverage = 0;
  template <class F>
  void fields(F& f) {
    f("model", model, "Encoder, decoder and copying.");
    f("vocabulary", vocabulary, "Pieces.");
    f("coverage", coverage, "Weight of the coverage loss; 0 means none.").range(0, 1000);
    f("coverage_from", coverage_from, "Number of passes before the coverage loss counts.").range(0, 1e6);
    f("speaker_coverage", speaker_coverage,
      "Weight of how well speakers are covered in choosing among hypotheses.")
        .range(0, 1000);
    PairConfig::fields(f);
  }
  void check(Problems& problems) const;  // coverage needs copying
};

}  // namespace kgwalk::seq2seq
