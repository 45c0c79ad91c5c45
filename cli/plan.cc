// kgwalk plan: the k best paths from an entity, given what was said.
#include <fstream>
#include <iostream>

#include "cli/commands.h"
#include "runtime/error.h"
#include "runtime/files.h"
#include "runtime/tensor/torch_threads.h"
#include "walker/plan_format.h"
#include "walker/planner.h"

namespace kgwalk::cli {
namespace {

struct PlanOptions {
  std::string database;
  std::string run;
  std::string text;
  std::string from;
  std::string goal;
  std::vector<std::string> say;
  std::string format = "text";
  std::string out;
  int k = 5;
  int beam = 25;
  int max_hops = 2;
};

// "user: text" or "assistant: text"; without a prefix the speakers alternate, the user first.
std::vector<Utterance> parse_history(const std::vector<std::string>& say) {
  std::vector<Utterance> history;
  for (const std::string& text : say) {
    const bool user_next = history.empty() || history.back().speaker == "assistant";
    Utterance utterance{user_next ? "user" : "assistant", text};
    for (const char* speaker : {"user", "assistant"}) {
      const std::string prefix = std::string(speaker) + ":";
      if (!text.starts_with(prefix)) continue;
      const std::size_t start = text.find_first_not_of(' ', prefix.size());
      utterance = {speaker, start == std::string::npos ? "" : text.substr(start)};
    }
    history.push_back(std::move(utterance));
  }
  return history;
}

void run_plan(const PlanOptions& options, const Common& common) {
  const Planner planner = Planner::open(options.database, options.run, {.threads = 0, .text = options.text});
  PlanRequest request;
  request.history = parse_history(options.say);
  request.start = options.from;
  if (!options.goal.empty()) request.goal = options.goal;
  request.k = options.k;
  request.beam = options.beam;
  request.max_hops = options.max_hops;
  const Plan plan = planner.explain(request);
  const std::string text = format_plan(plan, options.format);
  if (options.out.empty()) {
    std::cout << text;
  } else {
    write_file_atomically(options.out, text);
  }
  common.write_json(Json::parse(plan_as_json(plan)));
}

}  // namespace

Verb add_plan(CLI::App& app, Common& common) {
  auto options = std::make_shared<PlanOptions>();
  app.add_option("--db", options->database, "database made by 'kgwalk ingest'")->required();
  app.add_option("--run", options->run, "run folder made by 'kgwalk train'")->required();
  app.add_option("--text", options->text, "folder of the text encoder, when it has moved since training");
  app.add_option("--from", options->from, "entity to walk from")->required();
  app.add_option("--goal", options->goal, "entity to come nearer to; distances to it are shown");
  app.add_option("--say", options->say,
                 "what was said, oldest first, once for each utterance; 'user: ...' or 'assistant: ...', "
                 "otherwise the "
                 "speakers alternate and the user begins")
      ->allow_extra_args(false);
  app.add_option("--k", options->k, "paths wanted")->capture_default_str();
  app.add_option("--beam", options->beam, "beam width")->capture_default_str();
  app.add_option("--max-hops", options->max_hops, "longest path")->capture_default_str();
  app.add_option("--format", options->format, "text, json, dot or html")
      ->check(CLI::IsMember({"text", "json", "dot", "html"}))
      ->capture_default_str();
  app.add_option("--out", options->out, "write to this file instead of standard output");
  return [options, &common] { run_plan(*options, common); };
}

}  // namespace kgwalk::cli
