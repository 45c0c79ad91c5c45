// kgwalk connect: the most telling paths between entities.
#include "kgwalk/connect.h"
#include "cli/frame/command.h"
#include "cli/frame/model_choice.h"
#include "cli/frame/print.h"
#include "kgwalk/planner.h"

namespace kgwalk::cli {
namespace {

struct ConnectOptions {
  ModelChoice model;
  std::vector<std::string> say;
  ConnectRequest request;
};

void run_connect(ConnectOptions options, const Common& common) {
  options.model.take_model(options.request.entities, 2);
  if (const auto& named = options.request.entities; named.size() < 2)
    throw CLI::ValidationError("two or more entities are joined, and " +
                               (named.empty() ? "none is named" : "'" + named.front() + "' alone is named"));
  options.model.resolve(common);
  const Planner planner =
      Planner::open(options.model.database, options.model.run, {.threads = 0, .text = options.model.text});
  ConnectRequest request = options.request;
  for (const std::string& said : options.say) request.history.push_back({"user", said});
  Json json = Json::array();
  for (const Link& link : connect(planner, request)) {
    print("{} and {}: {}\n", link.from, link.to,
          link.distance ? hops_as_text(*link.distance) : "no path joins them");
    Json paths = Json::array();
    for (const ConnectingPath& path : link.paths) {
      print("  {}\n      {}\n", path.to_string(), path.reason);
      Json hops = Json::array();
      for (const NamedHop& hop : path.hops) hops.push_back({hop.head, hop.relation, hop.tail});
      paths.push_back({{"hops", std::move(hops)}, {"log_prob", path.log_prob}, {"reason", path.reason}});
    }
    json.push_back({{"from", link.from},
                    {"to", link.to},
                    {"distance", link.distance ? Json(*link.distance) : Json(nullptr)},
                    {"paths", std::move(paths)}});
  }
  common.write_json(json);
}

Verb add_connect(CLI::App& app, Common& common) {
  auto options = std::make_shared<ConnectOptions>();
  options->model.add_options(app, false);
  app.add_option("entities", options->request.entities, "[MODEL], then names of two or more entities")
      ->required();
  app.add_option("--say", options->say, "what the user said, oldest first; repeatable")
      ->allow_extra_args(false);
  app.add_option("--k", options->request.k, "paths of each link")->capture_default_str();
  app.add_option("--detour", options->request.detour, "hops more than a shortest path has")
      ->capture_default_str();
  app.add_option("--beam", options->request.beam, "partial paths kept in the search")->capture_default_str();
  return [options, &common] { run_connect(*options, common); };
}

const Registration kConnectCommand({.name = "connect",
                                    .help = "the most telling paths between entities",
                                    .example = "films.tar.zst \"Iron Man\" \"Sherlock Holmes\"",
                                    .add = add_connect,
                                    .group = Group::kUse,
                                    .place = 5,
                                    .computes = Computes::kNetworks});

}  // namespace
}  // namespace kgwalk::cli
