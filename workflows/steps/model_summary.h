// The summary of a model as a page.
#pragma once

#include <filesystem>

#include "kgwalk/workflows.h"

namespace kgwalk {

// As a page of Markdown.
void write_summary(const std::filesystem::path& page, const ModelSummary& summary);

}  // namespace kgwalk
