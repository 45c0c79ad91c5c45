// The one page of a recipe: tables of the evaluations, curves of the trainings, answers and a walk.
#pragma once

#include <filesystem>
#include <string>

#include "kgwalk/progress.h"

namespace kgwalk {

struct RecipePage {
  std::string title;
  std::filesystem::path folder;  // of the recipe: results, runs, answered.jsonl
  std::filesystem::path model;   // packed
  double seconds = 0;
};

// Html that needs no other file. IoError and FormatError where something that the recipe made cannot be read.
void write_recipe_page(const std::filesystem::path& page, const RecipePage& what, Reporter& reporter,
                       const StopFlag& stop);

}  // namespace kgwalk
