// From a graph's files to answers: trains a model in FOLDER, or goes on where a call before was stopped, and
// asks it: train FOLDER QUESTION FILE...
#include <iostream>

#include "kgwalk/conversation.h"
#include "kgwalk/error.h"
#include "kgwalk/packed_model.h"
#include "kgwalk/progress.h"
#include "kgwalk/workflows.h"

int main(int argc, char** argv) try {
  if (argc < 4) {
    std::cerr << "usage: train FOLDER QUESTION FILE...\n";
    return 2;
  }
  kgwalk::QuickstartOptions options;
  options.folder = argv[1];
  for (int i = 3; i < argc; ++i) options.graph.triples.emplace_back(argv[i]);

  kgwalk::SignalGuard signals;  // Ctrl-C keeps what a training has reached
  const auto reporter = kgwalk::make_console_reporter({});
  kgwalk::WorkflowObserver observer;
  observer.begins = [](const kgwalk::WorkflowStep& step) {
    std::cout << (step.done ? "done before: " : "") << step.title << '\n';
  };
  const auto made = kgwalk::quickstart(options, observer, *reporter, signals.stop());
  std::cout << made.summary.text << '\n';

  const auto model = kgwalk::PackedModel::open(made.model);
  auto talk = kgwalk::Conversation::open(model.database, model.run, {.text = model.text, .trace = false});
  std::cout << argv[2] << '\n' << talk.answer(argv[2]).said << '\n';
} catch (const kgwalk::Interrupted& saved) {
  std::cerr << saved.what() << "; the same call goes on\n";
  return 130;
} catch (const kgwalk::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
