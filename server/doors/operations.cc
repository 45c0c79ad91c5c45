#include "server/doors/operations.h"

#include "graph/entity_named.h"
#include "kgwalk/connect.h"
#include "kgwalk/knowledge_graph.h"
#include "kgwalk/plan_formats.h"
#include "planner/queries/answers_as_json.h"
#include "planner/queries/names.h"
#include "server/doors/answers.h"
#include "server/doors/edit_operations.h"
#include "server/doors/schemas.h"
#include "server/http/problem.h"
#include "server/state/standing.h"

namespace kgwalk::server {
namespace {

constexpr double kQuerySeconds = 5;

std::string text_of(const Json& input, const char* name) { return input[name].get<std::string>(); }

Json search_input() {
  return object_schema({{"text",
                         {{"type", "string"},
                          {"description", "The beginning of a name or of a word in it."},
                          {"maxLength", 1000}}},
                        {"count", number_schema("Entities wanted at most.", 1, 100, 10)}},
                       {"text"});
}

Json search(const Model& model, const Json& input) {
  return search_json(model.explorer().search(text_of(input, "text"), input["count"].get<std::size_t>()));
}

Json neighborhood_input() {
  return object_schema(
      {{"entity", entity_schema("Name of the entity.")},
       {"relation", optional_entity("Only this relation; empty: all.")},
       {"per_relation", number_schema("Neighbors of each relation.", 1, 1000, 8)},
       {"skip", number_schema("Neighbors of each relation left out before them.", 0, 1'000'000'000, 0)}},
      {"entity"});
}

Json neighborhood(const Model& model, const Json& input) {
  const Neighborhood around =
      model.explorer().around({.entity = text_of(input, "entity"),
                               .relation = text_of(input, "relation"),
                               .per_relation = input["per_relation"].get<std::size_t>(),
                               .skip = input["skip"].get<std::size_t>()});
  Json groups = Json::array();
  for (const NeighborGroup& group : around.groups) {
    Json tails = Json::array();
    for (const EntityFound& tail : group.tails) tails.push_back(found_json(tail));
    groups.push_back({{"relation", group.relation},
                      {"label", group.label},
                      {"total", group.total},
                      {"neighbors", std::move(tails)}});
  }
  return {{"entity", around.entity},
          {"kind", around.kind},
          {"edges", around.edges},
          {"groups", std::move(groups)}};
}

Json distance_input() {
  return object_schema(
      {{"from", entity_schema("Name of an entity.")}, {"to", entity_schema("Name of an entity.")}},
      {"from", "to"});
}

Json distance(const Model& model, const Json& input) {
  return way_json(model.explorer().way(text_of(input, "from"), text_of(input, "to")));
}

Json fact_input() {
  return object_schema({{"head", entity_schema("Name of an entity.")},
                        {"relation", entity_schema("Name of a relation, in either direction.")},
                        {"tail", entity_schema("Name of an entity.")}},
                       {"head", "relation", "tail"});
}

Json fact(const Model& model, const Json& input) {
  const graph::KnowledgeGraph& graph = model.planner().graph();
  const graph::Triple triple{graph::entity_named(graph, text_of(input, "head")),
                             relation_named(graph, text_of(input, "relation")),
                             graph::entity_named(graph, text_of(input, "tail"))};
  Json out = hop_json(forward_hop(graph, triple));
  out["known"] = graph.has_edge(triple);
  out["sources"] = out["known"] ? Json(model.files()) : Json::array();
  out["license"] = model.source().license;
  return out;
}

Json nothing_input() { return object_schema(Json::object()); }

Json stats(const Model& model, const Json& /*input*/) { return model.facts(); }

Json introduction(const Model& model, const Json& /*input*/) {
  const graph::KnowledgeGraph& graph = model.planner().graph();
  Json out = model.introduction();
  out.update({{"model", model.source().name},
              {"about", model.source().about},
              {"license", model.source().license},
              {"entities", graph.num_connected()},
              {"facts", graph.num_edges() / 2},
              {"heads_for_goals", model.planner().stage() == Planner::Stage::kTwo}});
  return out;
}

Json relations_input() {
  return object_schema({{"count", number_schema("Relations wanted at most.", 1, 100'000, 1000)}});
}

Json relations(const Model& model, const Json& input) {
  Json list = Json::array();
  for (const RelationCount& found : model.explorer().relations(input["count"].get<std::size_t>()))
    list.push_back({{"relation", found.relation}, {"label", found.label}, {"facts", found.facts}});
  return {{"relations", std::move(list)}};
}

Json plan_input() {
  const Json hop = object_schema(
      {{"head", entity_schema("")}, {"relation", entity_schema("")}, {"tail", entity_schema("")}},
      {"head", "relation", "tail"});
  const Json path = {{"type", "array"}, {"items", hop}, {"maxItems", 100}};
  return object_schema(
      {{"history", history_schema()},
       {"walked",
        {{"type", "array"},
         {"description", "Paths of earlier turns."},
         {"items", path},
         {"maxItems", 1000},
         {"default", Json::array()}}},
       {"start",
        optional_entity("Entity to walk from; empty: a walker that listens chooses it from what was said.")},
       {"goal", optional_entity("Entity to come nearer to; empty: none.")},
       {"k", number_schema("Paths wanted.", 1, 1000, 5)},
       {"beam", number_schema("Partial paths kept in the search.", 1, 1000, 25)},
       {"max_hops", number_schema("Longest path.", 1, kMaxPathHops, 2)}});
}

PlanRequest plan_request(const Json& input) {
  PlanRequest request{.history = history_of(input["history"]), .start = text_of(input, "start")};
  for (const Json& path : input["walked"]) {
    std::vector<NamedHop>& hops = request.walked.emplace_back();
    for (const Json& hop : path)
      hops.push_back({text_of(hop, "head"), text_of(hop, "relation"), text_of(hop, "tail")});
  }
  if (!text_of(input, "goal").empty()) request.goal = text_of(input, "goal");
  request.k = input["k"];
  request.beam = input["beam"];
  request.max_hops = input["max_hops"];
  return request;
}

Json plan(const Model& model, const Json& input) {
  Plan found = model.planner().explain(plan_request(input));
  found.branches.clear();  // much to write, and not asked for
  Json out = plan_json(found);
  out.erase("branches");
  return out;
}

Json explain(const Model& model, const Json& input) {
  const Plan found = model.planner().explain(plan_request(input));
  Json out = plan_json(found);
  out["text"] = plan_as_text(found);
  return out;
}

Json lead_input() {
  return object_schema({{"start", entity_schema("Entity to begin at.")},
                        {"goal", entity_schema("Entity to lead to.")},
                        {"turns", number_schema("Hops at most.", 1, 100, 10)},
                        {"shown", number_schema("Candidates told a turn.", 1, 100, 10)},
                        {"seed", number_schema("Of what the simulated user says.", 0, 2'000'000'000, 1)},
                        {"say",
                         {{"type", "array"},
                          {"description", "What the user says, turn by turn."},
                          {"items", {{"type", "string"}, {"maxLength", 10000}}},
                          {"maxItems", 100},
                          {"default", Json::array()}}}},
                       {"start", "goal"});
}

Json lead(const Model& model, const Json& input) {
  return Json::parse(
      trajectory_as_json(model.guide().lead({.start = text_of(input, "start"),
                                             .goal = text_of(input, "goal"),
                                             .turns = input["turns"],
                                             .say = input["say"].get<std::vector<std::string>>(),
                                             .shown = input["shown"],
                                             .seed = input["seed"]})));
}

Json connect_input() {
  return object_schema({{"entities",
                         {{"type", "array"},
                          {"description", "Names of two or more entities."},
                          {"items", entity_schema("")},
                          {"minItems", 2},
                          {"maxItems", kMaxConnected}}},
                        {"k", number_schema("Paths of each link.", 1, 32, 3)},
                        {"detour", number_schema("Hops more than a shortest path has.", 0, 4, 2)},
                        {"history", history_schema()}},
                       {"entities"});
}

Json connect_run(const Model& model, const Json& input) {
  return links_json(
      kgwalk::connect(model.planner(), {.entities = input["entities"].get<std::vector<std::string>>(),
                                        .k = input["k"],
                                        .detour = input["detour"],
                                        .history = history_of(input["history"])}));
}

Json complete_input() {
  return object_schema(
      {{"head", optional_entity("Head of the fact; empty: asked for.")},
       {"relation", optional_entity("Relation of the fact; empty: asked for.")},
       {"tail", optional_entity("Tail of the fact; empty: asked for.")},
       {"k", number_schema("Answers wanted.", 1, 1000, 10)},
       {"known",
        {{"type", "boolean"},
         {"description", "Whether facts that the graph holds are answered too."},
         {"default", true}}},
       {"having_relation", optional_entity("Only entities with an out-edge of this relation.")},
       {"having_entity", optional_entity("And only those with it to this entity.")}});
}

Json complete_run(const Model& model, const Json& input) {
  return completions_json(model.completer().complete({.head = text_of(input, "head"),
                                                      .relation = text_of(input, "relation"),
                                                      .tail = text_of(input, "tail"),
                                                      .k = input["k"],
                                                      .known = input["known"],
                                                      .having_relation = text_of(input, "having_relation"),
                                                      .having_entity = text_of(input, "having_entity")}));
}

Json query_input() {
  return object_schema(
      {{"form",
        {{"type", {"object", "null"}},
         {"description",
          "The form as json: {\"count\": {\"step\": RELATION, \"from\": NAME}} and others; null: in sparql."},
         {"default", nullptr}}},
       {"sparql", optional_entity("The form as SPARQL, SELECT or ASK; empty: in form.")},
       {"rows",
        number_schema("Entities told at most; how many there are is told all the same.", 1, 10'000, 100)}});
}

Json query(const Model& model, const Json& input) {
  const Querier& querier = model.querier();
  return querier.to_json(querier.answer({.form = input["form"].is_null() ? "" : input["form"].dump(),
                                         .sparql = text_of(input, "sparql"),
                                         .rows = input["rows"].get<std::size_t>(),
                                         .seconds = kQuerySeconds}));
}

Json retrieve_input() {
  return object_schema(
      {{"question", entity_schema("The question.")},
       {"history", history_schema()},
       {"tokens", number_schema("Budget of the text, in tokens of a language model.", 16, 100'000, 400)},
       {"k", number_schema("Paths from each entity that is named.", 1, 100, 8)},
       {"max_hops", number_schema("Longest path.", 1, kMaxPathHops, 2)}},
      {"question"});
}

Json retrieve_run(const Model& model, const Json& input) {
  return retrieved_json(model.retriever().retrieve({.question = text_of(input, "question"),
                                                    .history = history_of(input["history"]),
                                                    .tokens = input["tokens"],
                                                    .k = input["k"],
                                                    .max_hops = input["max_hops"]}));
}

Json ask_input() {
  return object_schema(
      {{"question", entity_schema("What the user says; it should name an entity of the graph.")},
       {"goal", optional_entity("Entity to lead the talk to; empty: none.")}},
      {"question"});
}

Json ask(const Model& model, const Json& input) {
  Conversation conversation = model.conversation(1);
  std::string before;
  if (!text_of(input, "goal").empty()) before = shown(conversation.answer("/goal " + text_of(input, "goal")));
  const Conversation::Reply reply = conversation.answer(text_of(input, "question"));
  Json out = {{"said", said(reply)}, {"reply", before + shown(reply)}};
  out.update(standing_as_json(conversation.standing()));
  return out;
}

const Operation kOperations[] = {
    {"search", "Find entities of the knowledge graph by the beginning of their name or of a word in it.",
     true, search_input, search_answer, search},
    {"neighborhood", "What an entity is joined to, relation by relation.", true, neighborhood_input,
     neighborhood_answer, neighborhood},
    {"distance", "How many hops two entities lie apart, and a shortest path.", true, distance_input,
     distance_answer, distance},
    {"fact", "Whether the graph holds a fact, how it reads forward, and what it was taken from.", true,
     fact_input, fact_answer, fact},
    {"stats", "What the graph holds and what the walker can do.", true, nothing_input, stats_answer, stats},
    {"introduction",
     "What a newcomer is shown: what the graph is about, questions that are answered, goals that are "
     "reached.",
     true, nothing_input, introduction_answer, introduction},
    {"relations", "The relations of the graph in everyday words, those with most facts first.", true,
     relations_input, relations_answer, relations},
    {"ask",
     "Say something that names an entity, or ask about it: the reply, where the walk goes, and what was "
     "weighed.",
     true, ask_input, ask_answer, ask},
    {"plan", "The paths that a speaker would naturally turn to next, most probable first.", false, plan_input,
     plan_answer, plan},
    {"explain", "The same with what was weighed at each point.", false, plan_input, explain_answer, explain},
    {"lead", "A whole walk to a goal, one hop a turn.", false, lead_input, lead_answer, lead},
    {"connect", "The most telling paths between two or more entities, each with a reason.", false,
     connect_input, connect_answer, connect_run},
    {"complete", "The likeliest head, relation or tail of a fact with one part missing.", true,
     complete_input, complete_answer, complete_run},
    {"query",
     "Ask the graph exactly, by a form as json or by SPARQL: which, how many, first or last by a value, "
     "compared, "
     "whether; with the sentence, the facts it rests on, and the same as SPARQL.",
     false, query_input, query_answer, query},
    {"retrieve",
     "Facts that bear on a question, as text for a language model's prompt, each with its source.", false,
     retrieve_input, retrieve_answer, retrieve_run},
    {"edits", "The last changes of the graph, oldest first: by whom, when and what.", true, edits_input,
     edits_answer, edits},
    {.name = "edit",
     .summary =
         "Change the graph, all operations or none, or take an edit back by its number; later requests see "
         "it. Needs a key that may write.",
     .plain = false,
     .input = edit_input,
     .output = edit_answer,
     .run = edit,
     .writes = true}};

}  // namespace

std::span<const Operation> operations() { return kOperations; }

Json outcome_of(const std::function<Json()>& run) {
  try {
    return {{"status", 200}, {"output", run()}};
  } catch (const std::exception& error) {
    const Failure failure = failure_of(error);
    return {{"status", failure.status}, {"title", reason_of(failure.status)}, {"detail", failure.detail}};
  }
}

const Operation* operation_named(std::string_view name) {
  for (const Operation& operation : kOperations)
    if (operation.name == name) return &operation;
  return nullptr;
}

Json input_with_model(const Operation& operation) {
  Json schema = operation.input();
  schema["properties"]["model"] = model_schema();
  return schema;
}

}  // namespace kgwalk::server
