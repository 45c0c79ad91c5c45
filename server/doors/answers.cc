#include "server/doors/answers.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace kgwalk::server {
namespace {

Json text() { return {{"type", "string"}}; }
Json whole() { return {{"type", "integer"}, {"minimum", 0}}; }
Json number() { return {{"type", "number"}}; }
// From 0 to 1, but for rounding: no bounds, which clients would hold it to.
Json share() { return {{"type", "number"}}; }
Json truth() { return {{"type", "boolean"}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json or_null(Json schema) {
  schema["type"] = {schema["type"], "null"};
  return schema;
}

Json told(Json schema, const char* description) {
  schema["description"] = description;
  return schema;
}

// All properties are there, but for `sometimes`.
Json answer(Json properties, std::initializer_list<std::string_view> sometimes = {}) {
  Json required = Json::array();
  for (const auto& property : properties.items())
    if (std::find(sometimes.begin(), sometimes.end(), property.key()) == sometimes.end())
      required.push_back(property.key());
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

Json hop() { return answer({{"head", text()}, {"relation", text()}, {"tail", text()}}); }

Json weighed_hop() {
  Json schema = hop();
  schema["properties"]["probability"] = share();
  schema["required"].push_back("probability");
  return schema;
}

Json kind() { return told(text(), "Film, person and so on; empty where nothing tells it."); }

Json entity_found() {
  return answer({{"entity", text()}, {"edges", told(whole(), "Inverses included.")}, {"kind", kind()}});
}

Json label() { return told(text(), "The relation in everyday words."); }

Json likely(const char* name) { return list_of(answer({{name, text()}, {"probability", share()}})); }

Json answered() {
  return answer(
      {{"kind", {{"type", "string"}, {"enum", {"nothing asked", "one", "list", "yes", "no", "not said"}}}},
       {"asked", told(share(), "That a fact is asked for.")},
       {"missing", told(share(), "That the graph does not say it.")},
       {"heard", likely("relation")},
       {"entities", likely("entity")},
       {"claim", text()},
       {"fact", told(list_of(text()), "Head, relation, tail of what decides.")},
       {"has", list_of(text())}},
      {"claim", "fact", "has"});
}

Json path() {
  return answer({{"hops", list_of(weighed_hop())},
                 {"log_prob", number()},
                 {"probability", share()},
                 {"stop_probability", share()},
                 {"distance_to_goal", or_null(whole())}},
                {"distance_to_goal"});
}

Json branch() {
  return answer({{"at", text()},
                 {"prefix", list_of(weighed_hop())},
                 {"stop_probability", share()},
                 {"num_candidates", whole()},
                 {"candidates", told(list_of(weighed_hop()), "The likeliest of them.")}});
}

Json plan_properties() {
  const Json utterance = answer({{"speaker", text()}, {"text", text()}});
  return {{"start", text()},
          {"goal", text()},
          {"start_to_goal", or_null(whole())},
          {"goal_note", text()},
          {"answer", answered()},
          {"starts", likely("entity")},
          {"history", list_of(utterance)},
          {"paths", told(list_of(path()), "Most probable first.")}};
}

// Without goal, to a walker that does not listen, from a start that was given.
Json plan_of(Json properties) {
  return answer(std::move(properties), {"goal", "start_to_goal", "goal_note", "answer", "starts"});
}

Json whole_plan() {
  Json properties = plan_properties();
  properties["branches"] = told(list_of(branch()), "What was weighed at each point.");
  return plan_of(std::move(properties));
}

// Where a conversation stands.
Json standing_properties() {
  return {{"at", told(or_null(text()), "Entity stood on.")},
          {"goal", or_null(text())},
          {"distance", told(or_null(whole()), "Hops of a shortest path to the goal.")},
          {"offered", told(list_of(text()), "Entities that a number picks from.")},
          {"taken", told(or_null(whole()), "Which path of the plan was walked, from 0.")},
          {"steps", told(whole(), "That can be taken back.")},
          {"plan", or_null(whole_plan())},
          {"answered", told(or_null({{"type", "object"}}),
                            "Of a question that was answered as a form: as /query answers, the first rows, "
                            "and the probability that this was asked.")}};
}

Json with(Json properties, const Json& more) {
  properties.update(more);
  return answer(std::move(properties));
}

Json said_text() { return told(text(), "The assistant's sentence alone."); }

Json turn_properties() {
  return {{"say", text()},
          {"said", said_text()},
          {"reply", told(text(), "The same with what is shown below it, for a terminal.")},
          {"over", told(truth(), "The conversation has ended.")}};
}

}  // namespace

Json search_answer() {
  Json found = entity_found();
  found["properties"]["fit"] = {{"type", "string"}, {"enum", {"same", "begins", "word begins", "near"}}};
  found["required"].push_back("fit");
  return answer({{"entities", list_of(std::move(found))}});
}

Json neighborhood_answer() {
  const Json group = answer(
      {{"relation", text()}, {"label", label()}, {"total", whole()}, {"neighbors", list_of(entity_found())}});
  return answer({{"entity", text()}, {"kind", kind()}, {"edges", whole()}, {"groups", list_of(group)}});
}

Json distance_answer() {
  return answer(
      {{"distance", told(or_null(whole()), "Null: no path joins them.")}, {"path", or_null(list_of(hop()))}});
}

Json fact_answer() {
  return answer({{"head", text()},
                 {"relation", text()},
                 {"tail", text()},
                 {"known", told(truth(), "The graph holds it.")},
                 {"sources", told(list_of(text()),
                                  "Files that the graph was made from; none for what it does not hold.")},
                 {"license", text()}});
}

Json stats_answer() {
  return answer({{"model", text()},
                 {"about", text()},
                 {"license", text()},
                 {"entities", whole()},
                 {"connected_entities", whole()},
                 {"relations", told(whole(), "Inverses included.")},
                 {"edges", told(whole(), "Inverses included.")},
                 {"graph_checksum", text()},
                 {"heads_for_goals", truth()},
                 {"transcribes", truth()},
                 {"welcome", text()}});
}

Json introduction_answer() {
  return answer({{"model", text()},
                 {"about", text()},
                 {"license", text()},
                 {"entities", whole()},
                 {"facts", whole()},
                 {"heads_for_goals", told(truth(), "Goals can be set.")},
                 {"kinds", list_of(answer({{"kind", text()},
                                           {"entities", whole()},
                                           {"examples", told(list_of(text()), "Those with most edges.")}}))},
                 {"questions", told(list_of(answer({{"question", text()}, {"answer", text()}})), "Tried.")},
                 {"goals", told(list_of(answer({{"from", text()}, {"goal", text()}, {"hops", whole()}})),
                                "Walks that were led there.")}});
}

Json relations_answer() {
  return answer(
      {{"relations", list_of(answer({{"relation", text()}, {"label", label()}, {"facts", whole()}}))}});
}

Json models_answer() {
  return answer({{"models", list_of(answer({{"model", text()}, {"about", text()}, {"license", text()}}))}});
}

Json ask_answer() { return with({{"said", said_text()}, {"reply", text()}}, standing_properties()); }

Json plan_answer() { return plan_of(plan_properties()); }

Json explain_answer() {
  Json schema = whole_plan();
  schema["properties"]["text"] = told(text(), "The same for people.");
  schema["required"].push_back("text");
  return schema;
}

Json lead_answer() {
  const Json turn = answer({{"said", text()},
                            {"hop", weighed_hop()},
                            {"distance_to_goal", whole()},
                            {"stop_probability", share()},
                            {"num_candidates", whole()},
                            {"candidates", list_of(weighed_hop())},
                            {"answers", told(truth(), "The hop answers a question.")},
                            {"on_from", told(text(), "Entity that the walk goes on from.")}});
  return answer({{"start", text()},
                 {"goal", text()},
                 {"start_to_goal", whole()},
                 {"turns_allowed", whole()},
                 {"seed", whole()},
                 {"reached", truth()},
                 {"distance_left", whole()},
                 {"turns", list_of(turn)}});
}

Json connect_answer() {
  const Json joining = answer({{"hops", list_of(hop())},
                               {"log_prob", number()},
                               {"reason", told(text(), "Why it is telling.")},
                               {"text", text()}});
  const Json link =
      answer({{"from", text()}, {"to", text()}, {"distance", or_null(whole())}, {"paths", list_of(joining)}});
  return answer({{"links", list_of(link)}});
}

Json complete_answer() {
  const Json fact = answer({{"head", text()},
                            {"relation", text()},
                            {"tail", text()},
                            {"distance", told(number(), "By the embedding: the less, the likelier.")},
                            {"known", told(truth(), "The graph holds it.")}});
  return answer({{"answers", list_of(fact)}});
}

Json query_answer() {
  const Json row =
      answer({{"name", text()}, {"value", told(text(), "What it was ordered or compared by.")}}, {"value"});
  const Json fact = answer({{"head", text()}, {"relation", text()}, {"tail", text()}});
  return answer({{"said", told(text(), "A sentence or two.")},
                 {"words", told(text(), "The form and what came out, exactly.")},
                 {"form", told({{"type", "object"}}, "The form as json.")},
                 {"sparql", told(or_null(text()), "The same as SPARQL 1.1 over what kgwalk export writes.")},
                 {"no_sparql", told(text(), "Why SPARQL has no words for it.")},
                 {"answer", told({{"type", "object"}}, "Exactly, with numbers, truth and what was cut.")},
                 {"rows", told(list_of(row), "The entities told.")},
                 {"evidence", told(list_of(fact), "What the first of them rests on.")}},
                {"no_sparql"});
}

Json retrieve_answer() {
  const Json fact = answer(
      {{"head", text()}, {"relation", text()}, {"tail", text()}, {"weight", share()}, {"source", text()}});
  return answer({{"text", told(text(), "A line a fact, for a prompt.")},
                 {"tokens", told(whole(), "Of the text, estimated.")},
                 {"cut", told(truth(), "Facts were left out for want of tokens.")},
                 {"entities", told(list_of(text()), "Named in the question.")},
                 {"facts", list_of(fact)}});
}

Json edits_answer() {
  Json record = answer({{"edit", told(whole(), "Its number.")},
                        {"author", text()},
                        {"time", told(text(), "As RFC 3339 has it.")},
                        {"what", told(text(), "In a line.")},
                        {"facts_added", whole()},
                        {"facts_retracted", whole()},
                        {"new_entities", whole()},
                        {"new_relations", whole()},
                        {"other_changes", told(whole(), "Of names, other names and descriptions.")},
                        {"unchanged", told(whole(), "What was so already.")},
                        {"undoes", told(whole(), "The edit that it takes back.")},
                        {"undone_by", told(whole(), "The edit that takes it back.")}},
                       {"undoes", "undone_by"});
  return answer({{"last", told(whole(), "Number of the last edit; 0: there is none.")},
                 {"served", told(whole(), "Number of the last edit that answers rest on.")},
                 {"edits", list_of(std::move(record))}});
}

Json edit_answer() {
  return answer({{"edit", told(whole(), "Number of this edit; 0: nothing was to be changed.")},
                 {"facts_added", whole()},
                 {"facts_retracted", whole()},
                 {"new_entities", whole()},
                 {"new_relations", whole()},
                 {"other_changes", told(whole(), "Of names, other names and descriptions.")},
                 {"unchanged", told(whole(), "What was so already.")},
                 {"notes", told(list_of(text()), "On what was so already, the first 20.")},
                 {"served", told(truth(), "Whether answers rest on the changed graph from now on.")},
                 {"problems", told(list_of(text()), "Why a model cannot be opened on the changed graph.")}});
}

Json batch_answer() {
  const Json one =
      answer({{"status", whole()},
              {"output", told({{"type", "object"}}, "What the operation answers; of status 200.")},
              {"title", text()},
              {"detail", text()}},
             {"output", "title", "detail"});
  return answer({{"results", told(list_of(one), "In the order asked.")}});
}

Json turn_answer() {
  Json properties = turn_properties();
  properties["turns"] = whole();
  return with(std::move(properties), standing_properties());
}

Json stateless_turn_answer() {
  Json properties = turn_properties();
  properties["state"] = told({{"type", "object"}}, "To be sent with the next turn.");
  return with(std::move(properties), standing_properties());
}

Json session_answer() {
  Json entry = turn_properties();
  const Json standing = standing_properties();
  for (const char* name : {"at", "goal", "distance", "taken", "steps", "answered"})
    entry[name] = standing[name];
  return with({{"id", text()}, {"model", text()}, {"log", list_of(answer(std::move(entry), {"steps"}))}},
              standing);
}

Json transcript_answer() {
  return answer({{"id", text()},
                 {"model", text()},
                 {"goal", or_null(text())},
                 {"turns", told(list_of({{"type", "object"}}), "As docs/guides/responses.md tells.")}});
}

}  // namespace kgwalk::server
