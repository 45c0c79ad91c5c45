// Plans a second from several threads of one planner, for scripts/measure_python.py, which does the same from
// Python. Usage: plan_threads DATABASE RUN THREADS PLANS. Each thread computes with one thread of its own.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "kgwalk/knowledge_graph.h"
#include "kgwalk/planner.h"
#include "kgwalk/threads.h"

namespace {

// Entities in the order of their ids, again from the first when there are no more.
void plan_all(const kgwalk::Planner& planner, int threads, int plans) {
  const kgwalk::graph::KnowledgeGraph& graph = planner.graph();
  std::atomic<int> next{0};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      kgwalk::set_num_threads(1);
      for (int i = next++; i < plans; i = next++) {
        const auto id = static_cast<kgwalk::graph::EntityId>(i) % graph.num_connected();
        (void)planner.plan({.start = std::string(graph.entity_name(id))});
      }
    });
  for (std::thread& worker : workers) worker.join();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::cerr << "usage: plan_threads DATABASE RUN THREADS PLANS\n";
    return 2;
  }
  const auto planner = kgwalk::Planner::open(argv[1], argv[2], {.threads = 1});
  const int threads = std::atoi(argv[3]), plans = std::atoi(argv[4]);
  plan_all(planner, threads, plans / 4 + 1);
  const auto began = std::chrono::steady_clock::now();
  plan_all(planner, threads, plans);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  std::cout << plans / wall.count() << '\n';
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
