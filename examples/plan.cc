// The embedded planner in twenty lines: plan DATABASE RUN ENTITY [UTTERANCE]
#include <iostream>

#include "kgwalk/error.h"
#include "kgwalk/planner.h"

int main(int argc, char** argv) try {
  if (argc < 4) {
    std::cerr << "usage: plan DATABASE RUN ENTITY [UTTERANCE]\n";
    return 2;
  }
  const auto planner = kgwalk::Planner::open(argv[1], argv[2]);
  kgwalk::PlanRequest request{.start = argv[3], .k = 5};
  if (argc > 4) request.history = {{"user", argv[4]}};
  for (const auto& path : planner.plan(request))
    std::cout << path.log_prob << "  " << path.to_string() << '\n';
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
