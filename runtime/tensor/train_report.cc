#include "runtime/tensor/train_report.h"

#include <cstdio>

#include "runtime/tensor/trainer.h"
#include "runtime/text.h"

namespace kgwalk {

std::string in_brief(const Json& metrics) {
  std::string text;
  for (const auto& item : metrics.items())
    if (item.value().is_number()) {
      char number[32];
      std::snprintf(number, sizeof number, "%.4g", item.value().get<double>());
      text += (text.empty() ? "" : ", ") + item.key() + " " + number;
    }
  return text;
}

Json TrainReport::to_json() const {
  return {{"steps", steps},       {"epochs", epochs},   {"best_step", best_step},
          {"best", best_metrics}, {"seconds", seconds}, {"processor_seconds", processor_seconds}};
}

std::string TrainReport::summary() const {
  return with_commas(steps) + " updates in " + std::to_string(epochs) + " epochs, " +
         format_duration(seconds) + " (" + format_duration(processor_seconds) +
         " of processor time); best at update " + with_commas(best_step) + ": " + in_brief(best_metrics);
}

}  // namespace kgwalk
