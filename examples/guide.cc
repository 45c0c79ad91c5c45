// Leading a dialogue to a goal: guide DATABASE RUN START GOAL [WHAT THE USER SAYS]...
#include <iostream>

#include "kgwalk/error.h"
#include "kgwalk/guide.h"

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::cerr << "usage: guide DATABASE RUN START GOAL [WHAT THE USER SAYS]...\n";
    return 2;
  }
  const auto guide = kgwalk::Guide::open({.database = argv[1], .run = argv[2]});  // a run of stage 2
  kgwalk::TrajectoryRequest request{.start = argv[3], .goal = argv[4], .turns = 8};
  request.say.assign(argv + 5, argv + argc);
  const auto trajectory = guide.lead(request);
  for (const auto& turn : trajectory.turns)
    std::cout << turn.hop.head << " -[" << turn.hop.relation << "]-> " << turn.hop.tail << "   "
              << turn.distance_to_goal << " to goal\n";
  return trajectory.reached() ? 0 : 3;
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
