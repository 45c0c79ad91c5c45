// What a packed model is about, what it can be asked and how it answers, for a page that a person reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kgwalk/json.h"
#include "kgwalk/progress.h"

namespace kgwalk::cli {

struct SummaryRequest {
  std::filesystem::path model;  // packed
  std::filesystem::path
      answered;        // answers to questions kept back, of 'kgwalk eval questions --questions F --output'
  double seconds = 0;  // that everything took; 0 = not told
  std::vector<std::string> ask;  // questions to answer too
};

struct ModelSummary {
  std::string title, text;  // the same in plain lines and in `json`
  Json json = Json::object();
};

// Errors of opening the model and of reading the file.
[[nodiscard]] ModelSummary summarize_model(const SummaryRequest& request, Reporter& reporter);

// As a page of Markdown.
void write_summary(const std::filesystem::path& page, const ModelSummary& summary);

}  // namespace kgwalk::cli
