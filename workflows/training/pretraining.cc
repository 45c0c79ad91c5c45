// pretrain_text(): a small text encoder from the dialogues of a database.
#include <fmt/format.h>

#include "dialogue/presets.h"
#include "dialogue/pretraining/pretrain_text.h"
#include "kgwalk/store.h"
#include "kgwalk/training.h"
#include "runtime/text.h"
#include "workflows/configured.h"
#include "workflows/training/trained.h"

namespace kgwalk {

Trained pretrain_text(const PretrainTextOptions& options, Reporter& reporter, const StopFlag& stop) {
  const std::string& preset = options.settings.preset;
  const auto config =
      with_values(options.settings, dialogue::pretrain_preset(preset.empty() ? "default" : preset));
  const auto store = graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
  const auto graph = store.load_graph();
  const dialogue::PretrainTextReport report =
      dialogue::pretrain_text(store, graph, config, options.run, options.seed, reporter, stop);
  Trained trained = trained_in(options.run, report.training);
  trained.model = report.encoder;
  const Json& dev = report.training.best_metrics;
  trained.text = fmt::format(
      "vocabulary {} pieces, {} parameters, {} training windows of {} pieces\n"
      "masked pieces of the held-out dialogues: loss {:.3f}, perplexity {:.1f}, accuracy {:.1f} %\n"
      "{}\nencoder: {}\n",
      with_commas(report.vocabulary), with_commas(report.parameters), with_commas(report.train_sequences),
      with_commas(report.train_tokens), dev.value("loss", 0.0), dev.value("perplexity", 0.0),
      100 * dev.value("accuracy", 0.0), report.training.summary(), report.encoder.string());
  trained.json = report.to_json();
  return trained;
}

}  // namespace kgwalk
