// kgwalk plan: the k best paths from an entity, given what was said, or a whole trajectory to a goal.
#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "cli/frame/shard_options.h"
#include "cli/use/plan_requests.h"
#include "dialogue/linking/entity_linker.h"
#include "kgwalk/conversation.h"
#include "kgwalk/error.h"
#include "kgwalk/guide.h"
#include "kgwalk/plan_formats.h"
#include "kgwalk/planner.h"
#include "kgwalk/responder.h"
#include "kgwalk/store.h"
#include "runtime/files.h"

namespace kgwalk::cli {
namespace {

struct PlanOptions {
  ModelChoice model;
  std::string from;
  std::string goal;
  std::vector<std::string> say;
  std::string format = "text";
  std::string out;
  std::string speak;  // empty: by wordings on a page, nobody elsewhere
  int k = 5;
  int beam = 25;
  int max_hops = 2;
  int turns = 0;  // 0 = paths of one turn
  std::string requests;
  Shards shards;
};

// "user: text" or "assistant: text"; without a prefix the speakers alternate, the user first. With --turns
// only the user speaks.
std::vector<Utterance> parse_history(const PlanOptions& options) {
  std::vector<Utterance> history;
  for (const std::string& text : options.say) {
    const bool user_next = options.turns > 0 || history.empty() || history.back().speaker == "assistant";
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

void show(const PlanOptions& options, const std::string& text) {
  if (options.out.empty()) {
    print_text(text);
  } else {
    write_file_atomically(options.out, text);
  }
}

// Who says what was planned; null = nobody.
std::shared_ptr<const Responder> responder_of(const PlanOptions& options) {
  const Choice<Speech> speech = !options.speak.empty()     ? Choice<Speech>(options.speak)
                                : options.format == "html" ? Choice<Speech>(Speech::kTemplates)
                                                           : Choice<Speech>(Speech::kNone);
  if (speech == Speech::kNone) return nullptr;
  if (speech == Speech::kTemplates) return std::make_shared<const Responder>(Responder::by_wordings());
  if (options.model.responder.empty())
    throw CLI::ValidationError("--speak model needs --responder, a run of 'kgwalk respond train'");
  return std::make_shared<const Responder>(Responder::open(options.model.database, options.model.responder));
}

void run_trajectory(const PlanOptions& options, const Common& common) {
  if (options.from.empty()) throw CLI::ValidationError("--turns needs --from");
  TrajectoryRequest request{.start = options.from, .goal = options.goal, .turns = options.turns};
  for (Utterance& utterance : parse_history(options)) {
    if (utterance.speaker != "user") throw CLI::ValidationError("with --turns only the user speaks");
    request.say.push_back(std::move(utterance.text));
  }
  request.shown = options.beam;
  request.seed = common.seed;
  const Guide guide = Guide::open({.database = options.model.database,
                                   .run = options.model.run,
                                   .simulator = options.model.simulator,
                                   .text = options.model.text,
                                   .other_graph = options.model.other_graph,
                                   .responder = responder_of(options)});
  const Trajectory trajectory = guide.lead(request);
  show(options, format_trajectory(trajectory, options.format));
  common.write_json(Json::parse(trajectory_as_json(trajectory)));
}

// Names in what was said that the graph does not have, with those that are near, as a chat offers them.
std::string nearest_to_said(const ModelChoice& model, const std::vector<Utterance>& history,
                            const graph::KnowledgeGraph& graph) {
  const graph::Store store = graph::Store::open(model.database, graph::Store::Mode::kReadOnly);
  const auto linker = dialogue::EntityLinker::open(store, graph);
  std::string told;
  for (const Utterance& utterance : history)
    for (const dialogue::UnknownName& unknown :
         linker.link(utterance.text, dialogue::LinkContext{}).unknown) {
      told += fmt::format("; the graph has no '{}'", unknown.text);
      for (std::size_t i = 0; i < unknown.nearest.size(); ++i)
        told += fmt::format("{}'{}'", i == 0 ? ", did you mean " : ", ", unknown.nearest[i]);
      if (!unknown.nearest.empty()) told += "?";
    }
  return told;
}

Plan planned(const Planner& planner, const PlanRequest& request, const ModelChoice& model) {
  try {
    return planner.explain(request);
  } catch (const ConfigError& error) {
    if (!request.start.empty() || request.history.empty()) throw;
    throw ConfigError(error.what() + nearest_to_said(model, request.history, planner.graph()));
  }
}

void run_plan(PlanOptions options, const Common& common) {
  options.model.resolve(common);
  if (!options.requests.empty())
    return answer_plan_requests({options.model, options.requests, options.out, options.shards}, common);
  if (is_sharded(options.shards)) throw CLI::ValidationError("--shard cuts the lines of --requests");
  if (options.turns > 0) return run_trajectory(options, common);
  const ModelChoice& model = options.model;
  const Planner planner = Planner::open(model.database, model.run,
                                        {.threads = 0, .text = model.text, .other_graph = model.other_graph});
  PlanRequest request;
  request.history = parse_history(options);
  request.start = options.from;
  if (!options.goal.empty()) request.goal = options.goal;
  request.k = options.k;
  request.beam = options.beam;
  request.max_hops = options.max_hops;
  Plan plan = planned(planner, request, model);
  if (const auto responder = responder_of(options)) plan.sentence = responder->say(plan);
  show(options, format_plan(plan, options.format));
  common.write_json(Json::parse(plan_as_json(plan)));
}

Verb add_plan(CLI::App& app, Common& common) {
  auto options = std::make_shared<PlanOptions>();
  options->model.add_options(app, true);
  options->model.add_other_graph(app);
  CLI::Option* from =
      app.add_option("--from", options->from,
                     "entity to walk from; without it a walker that listens chooses it from what was said");
  CLI::Option* goal =
      app.add_option("--goal", options->goal, "entity to come nearer to; distances to it are shown");
  CLI::Option* say =
      app.add_option("--say", options->say,
                     "what was said, oldest first, once for each utterance; 'user: ...' or 'assistant: "
                     "...', otherwise the speakers alternate and the user begins")
          ->allow_extra_args(false);
  CLI::Option* k = app.add_option("--k", options->k, "paths wanted")->capture_default_str();
  app.add_option("--beam", options->beam, "beam width; with --turns, candidates kept a turn")
      ->capture_default_str();
  CLI::Option* max_hops =
      app.add_option("--max-hops", options->max_hops, "longest path")->capture_default_str();
  CLI::Option* turns =
      app.add_option(
             "--turns", options->turns,
             "a whole trajectory to the goal, one hop a turn, at most this many; --say gives what the "
             "user says turn by turn")
          ->check(CLI::Range(1, kMaxTurns))
          ->needs(goal)
          ->excludes(k)
          ->excludes(max_hops);
  app.add_option("--simulator", options->model.simulator,
                 "with --turns: run of 'kgwalk simulator train' that speaks for the user after --say, or "
                 "'wordings'")
      ->needs(turns);
  app.add_option(
         "--speak", options->speak,
         "what the assistant says of it, by templates, model or none (on a page templates, elsewhere none)")
      ->check(CLI::IsMember(Choice<Speech>::names()));
  app.add_option("--responder", options->model.responder,
                 "run of 'kgwalk respond train': what speaks with --speak model");
  app.add_option("--format", options->format, "text, json, dot or html")
      ->check(CLI::IsMember({"text", "json", "dot", "html"}))
      ->capture_default_str();
  app.add_option("--out", options->out, "write to this file instead of standard output")
      ->check(output_file());
  app.add_option("--requests", options->requests,
                 "file of requests, or - for standard input, each a line of json as POST /api/v1/plan takes "
                 "it; the answers are lines of json in the same order")
      ->excludes(from)
      ->excludes(goal)
      ->excludes(say)
      ->excludes(turns);
  add_shards(app, options->shards);
  return [options, &common] { run_plan(*options, common); };
}

const Registration kPlanCommand(
    {.name = "plan",
     .help = "plan paths from an entity, or a trajectory to a goal",
     .example = "films.tar.zst --from \"Iron Man\" --say \"Do you like Iron Man?\"",
     .add = add_plan,
     .group = Group::kUse,
     .place = 2,
     .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
