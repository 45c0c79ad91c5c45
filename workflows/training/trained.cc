#include "workflows/training/trained.h"

#include "runtime/run_folder.h"
#include "runtime/tensor/trainer.h"

namespace kgwalk {

Trained trained_in(const std::filesystem::path& run, const TrainReport& report) {
  Trained trained;
  trained.run = run;
  trained.steps = report.steps;
  trained.epochs = report.epochs;
  trained.best_step = report.best_step;
  trained.best = report.best_metrics;
  trained.seconds = report.seconds;
  trained.processor_seconds = report.processor_seconds;
  trained.text = report.summary() + "\nrun folder: " + run.string() + "\n";
  trained.json = report.to_json();
  return trained;
}

void keep_training(Trained& trained, const RunKind& kind) {
  trained.json["run"] = trained.run.string();
  RunFolder::open(trained.run, kind).write_result("training", trained.json);
}

}  // namespace kgwalk
