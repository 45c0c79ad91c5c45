// What a packed model is about, what it can be asked and how it answers, for a page that a person reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::cli {

struct SummaryRequest {
  std::filesystem::path model;        // packed
  double seconds = 0;                 // that everything took; 0 = not told
  std::vector<std::string> ask = {};  // questions to answer too
  const StopFlag* stop = nullptr;
};

struct ModelSummary {
  std::string title, text;  // the same in plain lines and in `json`
  Json json = Json::object();
};

// How often it is right is measured by new questions in the wordings learned, and by wordings that nothing is
// learned from (planner/exam/apart_exam.h). Errors of opening the model.
[[nodiscard]] ModelSummary summarize_model(const SummaryRequest& request, Reporter& reporter);

// As a page of Markdown.
void write_summary(const std::filesystem::path& page, const ModelSummary& summary);

}  // namespace kgwalk::cli
