// kgwalk entities: what is known of an entity, which one a text means, and entities that are one.
#include "kgwalk/entities.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/frame/command.h"
#include "cli/frame/print.h"
#include "dialogue/linking/entity_linker.h"
#include "graph/entity_named.h"
#include "kgwalk/error.h"
#include "kgwalk/graph_details.h"
#include "kgwalk/store.h"
#include "kgwalk/values.h"
#include "runtime/input_bytes.h"

namespace kgwalk::cli {
namespace {

constexpr std::size_t kMostNames = 20;  // types or aliases shown

struct EntitiesOptions {
  std::string database, name, text, cases;
  std::vector<std::string> before, merges;
  bool duplicates = false;
  graph::DuplicateOptions search;
  std::size_t facts = 20;
};

graph::Store open_store(const EntitiesOptions& options) {
  return graph::Store::open(options.database, graph::Store::Mode::kReadOnly);
}

Json fact_json(const graph::KnowledgeGraph& graph, graph::EntityId head, std::uint64_t number) {
  const graph::GraphDetails& details = graph::details(graph);
  const graph::Edge& edge = graph.edge(number);
  Json json = {{"head", graph.entity_name(head)},
               {"relation", graph.relation_name(edge.relation)},
               {"tail", graph.entity_name(edge.tail)}};
  if (const auto weight = details.given_weight(number)) json["weight"] = *weight;
  if (const auto sources = details.sources(number); !sources.empty()) json["sources"] = sources;
  for (const std::span<const graph::Qualifier> statement : details.qualifiers(number)) {
    Json said = Json::array();
    for (const graph::Qualifier& each : statement)
      said.push_back({graph.relation_name(each.relation), graph.entity_name(each.value)});
    json["qualifiers"].push_back(std::move(said));
  }
  return json;
}

void print_fact(const Json& fact) {
  std::string line = "  -[" + fact["relation"].get<std::string>() + "]-> " + fact["tail"].get<std::string>();
  if (fact.contains("weight")) line += fmt::format("  weight {}", fact["weight"].get<float>());
  for (const Json& statement : fact.value("qualifiers", Json::array())) {
    std::string all;
    for (const Json& said : statement)
      all += (all.empty() ? "" : ", ") + said[0].get<std::string>() + ' ' + said[1].get<std::string>();
    line += " (" + all + ")";
  }
  if (fact.contains("sources")) {
    std::string all;
    for (const Json& source : fact["sources"]) all += (all.empty() ? "" : ", ") + source.get<std::string>();
    line += " [" + all + "]";
  }
  print_text(line + "\n");
}

void show(const EntitiesOptions& options, const Common& common) {
  const graph::Store store = open_store(options);
  const graph::KnowledgeGraph graph = store.load_graph();
  const graph::GraphDetails& details = graph::details(graph);
  const graph::EntityId entity = graph::entity_named(graph, options.name);
  Json json = {{"name", graph.entity_name(entity)},
               {"id", details.id(entity).empty() ? graph.entity_name(entity) : details.id(entity)},
               {"types", Json::array()},
               {"aliases", details.aliases(entity)},
               {"edges", graph.out_edges(entity).size()},
               {"facts", Json::array()}};
  for (const graph::EntityId type : graph::types_of(graph, entity))
    json["types"].push_back(graph.entity_name(type));
  if (const auto values = graph::Values::load(store)) {
    if (const auto text = values->description(entity); !text.empty()) json["description"] = text;
    for (const graph::Value& value : values->of(entity)) json["values"].push_back({value.name, value.text});
  }
  print("{}\n", json["name"].get<std::string>());
  print("id           {}\n", json["id"].get<std::string>());
  for (const char* list : {"types", "aliases"})
    if (!json[list].empty()) {
      std::string all;
      const std::size_t shown = std::min(json[list].size(), kMostNames);
      for (std::size_t i = 0; i < shown; ++i) all += (i > 0 ? ", " : "") + json[list][i].get<std::string>();
      if (shown < json[list].size()) all += fmt::format(", and {} more", counted(json[list].size() - shown));
      print("{:<12} {}\n", list, all);
    }
  if (json.contains("description")) print("description  {}\n", json["description"].get<std::string>());
  for (const Json& value : json.value("values", Json::array()))
    print("value        {}: {}\n", value[0].get<std::string>(), value[1].get<std::string>());
  print("edges        {}\n", counted(json["edges"]));
  for (const graph::Edge& edge : graph.out_edges(entity)) {
    if (json["facts"].size() == options.facts) break;
    json["facts"].push_back(fact_json(graph, entity, graph.number_of(edge)));
    print_fact(json["facts"].back());
  }
  common.write_json(json);
}

Json mention_json(const graph::KnowledgeGraph& graph, const dialogue::LinkedMention& mention) {
  constexpr std::size_t kShown = 8;
  Json json = {{"text", mention.text}, {"sure", mention.sure}, {"entities", Json::array()}};
  for (const graph::EntityId entity : mention.entities)
    if (json["entities"].size() < kShown) json["entities"].push_back(graph.entity_name(entity));
  json["count"] = mention.entities.size();
  return json;
}

void link(const EntitiesOptions& options, const Common& common) {
  const graph::Store store = open_store(options);
  const graph::KnowledgeGraph graph = store.load_graph();
  const auto linker = dialogue::EntityLinker::open(store, graph);
  dialogue::LinkContext context;
  context.earlier.assign(options.before.begin(), options.before.end());
  const dialogue::LinkedText linked = linker.link(options.text, context);
  Json json = {{"mentions", Json::array()}};
  for (const dialogue::LinkedMention& mention : linked.mentions) {
    json["mentions"].push_back(mention_json(graph, mention));
    print("{}: {}{}\n", mention.text, graph.entity_name(mention.entities.front()),
          mention.sure ? "" : fmt::format(", one of {}: to be asked back", mention.entities.size()));
  }
  for (const dialogue::UnknownName& unknown : linked.unknown)
    print("{}: not in the graph; near it is {}\n", unknown.text, unknown.nearest.front());
  if (linked.mentions.empty() && linked.unknown.empty()) print_text("nothing is named\n");
  common.write_json(json);
}

// A line of --cases.
struct Case {
  std::string kind, right, text;
  std::vector<std::string> before;
};

std::vector<Case> read_cases(const std::string& file) {
  std::istringstream in(read_input(file));
  std::vector<Case> cases;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (fields.size() < 3)
      throw DataError(file, number, "expected kind, id and text, and what was said before, between tabs");
    cases.push_back({fields[0], fields[1], fields[2], {fields.begin() + 3, fields.end()}});
  }
  return cases;
}

struct CaseCounts {
  std::size_t cases = 0, right = 0, asked = 0;
};

// Whether a case came out right; `asked`: the linker would ask back.
bool judge(const graph::KnowledgeGraph& graph, const dialogue::EntityLinker& linker, const Case& given,
           bool& asked) {
  dialogue::LinkContext context;
  context.earlier.assign(given.before.begin(), given.before.end());
  const bool open = given.right == "?";
  const auto found = open ? std::nullopt : graph.find_entity(given.right);
  if (!open && !found) throw ConfigError("'" + given.right + "' is not in the graph");
  const graph::EntityId right = found.value_or(0);
  const dialogue::LinkedText linked = linker.link(given.text, context);
  for (const dialogue::LinkedMention& mention : linked.mentions) {
    const auto& all = mention.entities;
    if (open ? all.size() < 2 : std::find(all.begin(), all.end(), right) == all.end()) continue;
    asked = !mention.sure;
    return open ? asked : mention.sure && all.front() == right;
  }
  return false;
}

void measure(const EntitiesOptions& options, const Common& common) {
  const graph::Store store = open_store(options);
  const graph::KnowledgeGraph graph = store.load_graph();
  const auto linker = dialogue::EntityLinker::open(store, graph);
  std::map<std::string, CaseCounts> counts;
  Json wrong = Json::array();
  for (const Case& given : read_cases(options.cases)) {
    CaseCounts& of = counts[given.kind];
    bool asked = false;
    ++of.cases;
    if (judge(graph, linker, given, asked))
      ++of.right;
    else
      wrong.push_back(
          {{"kind", given.kind}, {"right", given.right}, {"text", given.text}, {"before", given.before}});
    of.asked += asked ? 1 : 0;
  }
  Json json = {{"kinds", Json::object()}, {"wrong", wrong}};
  for (const auto& [kind, of] : counts) {
    print("{:<10} {} of {} right, {:.1f} %; asked back {} times\n", kind, of.right, of.cases,
          100.0 * static_cast<double>(of.right) / static_cast<double>(of.cases), of.asked);
    json["kinds"][kind] = {{"cases", of.cases}, {"right", of.right}, {"asked_back", of.asked}};
  }
  common.write_json(json);
}

void propose(const EntitiesOptions& options, const Common& common) {
  const graph::KnowledgeGraph graph = open_store(options).load_graph();
  Json json = Json::array();
  for (const graph::Duplicate& pair : graph::find_duplicates(graph, options.search)) {
    print("{} = {}: {}\n", graph.entity_name(pair.a), graph.entity_name(pair.b), pair.reason);
    json.push_back({{"a", graph.entity_name(pair.a)},
                    {"b", graph.entity_name(pair.b)},
                    {"common", pair.common},
                    {"reason", pair.reason}});
  }
  if (json.empty()) print_text("no two entities have a name and a neighbor in common\n");
  common.write_json({{"duplicates", json}});
}

// "A=B"; names may have an '=' of their own.
std::pair<std::string, std::string> parse_merge(const graph::KnowledgeGraph& graph, const std::string& text) {
  std::vector<std::pair<std::string, std::string>> ways;
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1))
    ways.emplace_back(text.substr(0, at), text.substr(at + 1));
  if (ways.empty()) throw CLI::ValidationError("--merge", "'" + text + "' is not A=B");
  for (const auto& [a, b] : ways)
    if (graph.find_entity(a) && graph.find_entity(b)) return {a, b};
  const auto& [a, b] = ways.front();
  (void)graph::entity_named(graph, a);
  (void)graph::entity_named(graph, b);
  return ways.front();
}

void merge(const EntitiesOptions& options, Common& common) {
  std::vector<std::pair<std::string, std::string>> pairs;
  {
    const graph::KnowledgeGraph graph = open_store(options).load_graph();
    for (const std::string& text : options.merges) pairs.push_back(parse_merge(graph, text));
  }
  const graph::MergeReport report =
      graph::merge_entities(options.database, pairs, *common.reporter, *common.stop);
  print("merged      {} entities; {} edges are {} now\n", counted(report.merged),
        counted(report.edges_before), counted(report.edges_after));
  for (const std::string& table : report.dropped_tables) print("left out    {}: make it anew\n", table);
  common.write_json({{"merged", report.merged},
                     {"edges_before", report.edges_before},
                     {"edges_after", report.edges_after},
                     {"dropped_tables", report.dropped_tables}});
}

void run(const EntitiesOptions& options, Common& common) {
  const int asked = (options.name.empty() ? 0 : 1) + (options.text.empty() ? 0 : 1) +
                    (options.cases.empty() ? 0 : 1) + (options.duplicates ? 1 : 0) +
                    (options.merges.empty() ? 0 : 1);
  if (asked != 1)
    throw CLI::ValidationError("entities", "give one of NAME, --link, --cases, --duplicates and --merge");
  if (!options.name.empty()) return show(options, common);
  if (!options.text.empty()) return link(options, common);
  if (!options.cases.empty()) return measure(options, common);
  if (options.duplicates) return propose(options, common);
  merge(options, common);
}

Verb add_entities(CLI::App& app, Common& common) {
  auto options = std::make_shared<EntitiesOptions>();
  app.add_option("--db", options->database, "database made by kgwalk ingest")->required();
  app.add_option("name", options->name, "an entity by name or id: what is known of it");
  app.add_option("--facts", options->facts, "facts of it that are shown")->capture_default_str();
  app.add_option("--link", options->text, "a text: which entities it means");
  app.add_option("--before", options->before, "what was said before it; repeatable, oldest first")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--cases", options->cases,
                 "texts with the entity that is meant, to be measured: kind, id or ?, text, "
                 "what was said before, between tabs")
      ->check(CLI::ExistingFile);
  app.add_flag("--duplicates", options->duplicates,
               "pairs of entities that are likely one, each with its reason");
  app.add_option("--count", options->search.count, "pairs at most")->capture_default_str();
  app.add_option("--min-common", options->search.min_common, "neighbors that a pair has in common at least")
      ->capture_default_str();
  app.add_option("--merge", options->merges, "A=B: B becomes A, in the database itself; repeatable")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return [options, &common] { run(*options, common); };
}

const Registration kEntitiesCommand(
    {.name = "entities",
     .help = "what is known of an entity, which one a text means, and entities that are one",
     .example = "--db films.db \"Iron Man\"",
     .add = add_entities,
     .group = Group::kGraph,
     .place = 3});

}  // namespace
}  // namespace kgwalk::cli
