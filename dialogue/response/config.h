// What a response model is, how it is trained and how it speaks. Presets: dialogue/presets/respond_*.json.
#pragma once

#include <string>
#include <vector>

#include "dialogue/response/source.h"
#include "runtime/run_manifest.h"
#include "seq2seq/tasks/summary/config.h"

namespace kgwalk::dialogue {

inline constexpr RunKind kResponseRun{
    .name = "task-respond", .command = "respond train", .parts = {"response"}};

// The model is the summarizer's pointer-generator, whose speakers are the names to be said.
struct ResponseConfig : seq2seq::SummaryConfig {
  std::vector<std::string> train_splits = {};
  std::string dev_split = "dev";
  int questions = 6000;
  int worded = 0;
  bool faithful = true;
  bool constrained = true;
  Choice<NeededNames> needed = NeededNames::kAll;
  Choice<FactsAs> facts = FactsAs::kWalked;
  double least_sure = 0;
  template <class F>
  void fields(F& f) {
    seq2seq::SummaryConfig::fields(f);
    f("train_splits", train_splits,
      "Splits of dialogues to learn from; none means those that begin with train.");
    f("dev_split", dev_split, "Split of dialogues to measure the training by.");
    f("questions", questions, "Number of generated questions whose answers are learned from too.")
        .range(0, 1e7);
    f("worded", worded,
      "How often every path of the dialogues is also learned from as wordings say it, half of the times with "
      "nothing said before, so that facts are seen told the right way round more often than people did.")
        .range(0, 100);
    f("faithful", faithful,
      "Only sentences that name the end of their path, and no entity beside path and context, are learned "
      "from.");
    f("constrained", constrained,
      "No other names than those of the path and the context are said, and the needed ones are.");
    f("needed", needed,
      "Names of the path that a sentence has to say: all, those that were not said before, or none.");
    f("facts", facts,
      "How the model reads the facts of a path: as walked, or forward, as the relation of the graph has "
      "them.");
    f("least_sure", least_sure,
      "Geometric mean of the probabilities of its pieces that a sentence must have; wordings say what is "
      "less "
      "likely, since a model that is not sure babbles.")
        .range(0, 1);
  }
};

}  // namespace kgwalk::dialogue
