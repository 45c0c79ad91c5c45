// train_responder(): the response model.
#include <fmt/format.h>

#include "dialogue/presets.h"
#include "dialogue/response/config.h"
#include "dialogue/response/training.h"
#include "kgwalk/training.h"
#include "runtime/text.h"
#include "workflows/configured.h"
#include "workflows/training/trained.h"

namespace kgwalk {

Trained train_responder(const TrainResponderOptions& options, Reporter& reporter, const StopFlag& stop) {
  dialogue::ResponseTrainOptions train;
  train.config = with_preset<dialogue::ResponseConfig>(
      options.settings, [](const std::string& name) { return dialogue::preset("respond", name); });
  train.database = options.database;
  train.run = options.run;
  train.seed = options.seed;
  const dialogue::ResponseTrainReport report = dialogue::train_responder(train, reporter, stop);
  const seq2seq::PairTrainReport& training = report.training;
  Trained trained = trained_in(options.run, training.training);
  trained.model = training.model;
  trained.text = fmt::format(
      "{} pieces, {} weights; {}\nmodel: {}\n{} paths and {} answers; {} sentences left out for their names; "
      "{} names are ordinary words\n",
      with_commas(training.vocabulary), with_commas(training.parameters.all), training.training.summary(),
      training.model.string(), with_commas(report.paths), with_commas(report.answers),
      with_commas(report.unfaithful), with_commas(report.ordinary));
  trained.json = report.to_json();
  return trained;
}

}  // namespace kgwalk
