#include "server/doors/api.h"

#include <string>

#include "kgwalk/error.h"
#include "server/doors/answers.h"
#include "server/doors/operations.h"
#include "server/doors/schemas.h"
#include "server/http/problem.h"
#include "server/schema.h"
#include "server/state/actions.h"
#include "server/state/standing.h"

namespace kgwalk::server {
namespace {

constexpr int kMaxBatch = 100;

// One at a time; when it is done, later requests see what it did.
Json write(ModelShelf& models, const Operation& operation, Json input, const std::string& writer) {
  if (writer.empty())
    throw Refusal(403,
                  "'" + std::string(operation.name) +
                      "' needs a key that may write (Authorization: Bearer KEY); the operator of the server "
                      "gives them out with --edit-keys");
  input["author"] = writer;
  const std::string name = input["model"].get<std::string>();
  const std::lock_guard alone(models.writing());
  Json out = operation.run(*models.get(name), input);
  out["problems"] = models.renew([](const Model& model) { return model.is_behind(); });
  out["served"] = !models.get(name)->is_behind();
  return out;
}

Json run(ModelShelf& models, const Operation& operation, const Json& given, const std::string& writer) {
  const Json input = fitted(input_with_model(operation), given, operation.name);
  if (operation.writes) return write(models, operation, input, writer);
  return operation.run(*models.get(input["model"].get_ref<const std::string&>()), input);
}

void add_operation(Router& router, ModelShelf& models, const Operation& operation) {
  Route route{.method = "POST",
              .path = "/api/v1/" + std::string(operation.name),
              .handler =
                  [&models, &operation](const Request& request) {
                    return Response::of(run(models, operation, request.json(), request.writer));
                  },
              .summary = std::string(operation.summary),
              .input = input_with_model(operation),
              .output = operation.output()};
  router.add(route);
  if (!operation.plain) return;
  route.method = "GET";
  route.handler = [&models, &operation](const Request& request) {
    return Response::of(
        run(models, operation, from_query(input_with_model(operation), request.query), request.writer));
  };
  router.add(std::move(route));
}

Json batch_input() {
  const Json one = object_schema(
      {{"operation", {{"type", "string"}, {"description", "Name of an operation."}}},
       {"input", {{"type", "object"}, {"description", "As it takes it."}, {"default", Json::object()}}}},
      {"operation"});
  return object_schema(
      {{"requests", {{"type", "array"}, {"items", one}, {"minItems", 1}, {"maxItems", kMaxBatch}}}},
      {"requests"});
}

Json answer_one(ModelShelf& models, const Json& asked) {
  return outcome_of([&] {
    const std::string name = asked["operation"].get<std::string>();
    const Operation* operation = operation_named(name);
    if (operation == nullptr) throw Refusal(404, "there is no operation '" + name + "'");
    if (operation->writes) throw Refusal(403, "'" + name + "' is asked alone, not in a batch");
    return run(models, *operation, asked["input"], "");
  });
}

void add_batch(Router& router, ModelShelf& models) {
  router.add({.method = "POST",
              .path = "/api/v1/batch",
              .handler =
                  [&models](const Request& request) {
                    const Json input = fitted(batch_input(), request.json(), "batch");
                    Json results = Json::array();
                    for (const Json& asked : input["requests"]) results.push_back(answer_one(models, asked));
                    return Response::of({{"results", std::move(results)}});
                  },
              .summary = "Several operations at once; each has its own status.",
              .input = batch_input(),
              .output = batch_answer()});
}

Json create_input() {
  return object_schema({{"model", model_schema()},
                        {"seed", number_schema("Of what the simulated user says.", 0, 2'000'000'000, 1)},
                        {"from", optional_entity("Entity to begin at.")},
                        {"goal", optional_entity("Entity to lead to.")}});
}

Response create(Sessions& sessions, const Request& request) {
  const Json input = fitted(create_input(), request.json(), "session");
  const std::string id =
      sessions.create(input["model"].get<std::string>(), input["seed"].get<std::uint64_t>());
  for (const char* first : {"from", "goal"})
    if (!input[first].get_ref<const std::string&>().empty()) (void)sessions.turn(id, {{first, input[first]}});
  Response response = Response::of(sessions.view(id), 201);
  response.headers.emplace_back("Location", "sessions/" + id);
  return response;
}

// The parts of a turn in the order in which they are known, so that a page can draw them as they come.
void write_turn(Sink& sink, const Json& turn) {
  const std::string& reply = turn["reply"].get_ref<const std::string&>();
  for (std::size_t begin = 0; begin < reply.size();) {
    const std::size_t end = std::min(reply.find('\n', begin), reply.size() - 1) + 1;
    if (!sink.send(event_text("reply", {{"text", reply.substr(begin, end - begin)}}))) return;
    begin = end;
  }
  sink.send(event_text("turn", turn));
}

Response turn(Sessions& sessions, const Request& request) {
  const std::string id = request.parts.at("id");
  const Json action = fitted(object_schema(action_properties()), request.json(), "turn");
  if (!request.accepts("text/event-stream")) return Response::of(sessions.turn(id, action));
  const std::string said =
      action_text(action);  // what is wrong with it is told with a status, before the stream
  (void)sessions.view(id);
  Response response{.type = "text/event-stream"};
  response.stream = [&sessions, id, action, said](const std::shared_ptr<Sink>& sink) {
    sink->send(event_text("say", {{"text", said}}));
    try {
      write_turn(*sink, sessions.turn(id, action));
    } catch (const std::exception& error) {
      const Failure failure = failure_of(error);
      sink->send(event_text("problem", {{"status", failure.status}, {"detail", failure.detail}}));
    }
  };
  return response;
}

Response listen(Sessions& sessions, const Request& request) {
  const std::string id = request.parts.at("id");
  const Json now = sessions.view(id);
  Response response{.type = "text/event-stream"};
  response.stream = [&sessions, id, now](const std::shared_ptr<Sink>& sink) {
    sink->send(event_text("session", now));
    sessions.events().listen(id, sink);
  };
  return response;
}

Json rewind_input() {
  return object_schema({{"turns",
                         {{"type", "integer"},
                          {"description", "Turns that stay; the later ones are as if never said."},
                          {"minimum", 0},
                          {"maximum", 1'000'000}}}},
                       {"turns"});
}

void add_sessions(Router& router, Sessions& sessions) {
  const auto id = [](const Request& request) { return request.parts.at("id"); };
  const std::string path = "/api/v1/sessions/{id}";
  router.add({"POST", "/api/v1/sessions", [&sessions](const Request& r) { return create(sessions, r); },
              "Begin a conversation. Its id is in the answer; who knows it may go on with it.",
              create_input(), session_answer()});
  router.add({"GET", path, [&sessions, id](const Request& r) { return Response::of(sessions.view(id(r))); },
              "A conversation: what was said, and where it stands.", nullptr, session_answer()});
  router.add({"DELETE", path,
              [&sessions, id](const Request& r) {
                sessions.remove(id(r));
                return Response{.status = 204, .type = ""};
              },
              "Forget a conversation."});
  router.add({"POST", path + "/turns", [&sessions](const Request& r) { return turn(sessions, r); },
              "One turn. With Accept: text/event-stream its parts come as events: say, reply (lines), turn.",
              object_schema(action_properties()), turn_answer()});
  router.add({"POST", path + "/rewind",
              [&sessions, id](const Request& r) {
                const Json input = fitted(rewind_input(), r.json(), "rewind");
                return Response::of(sessions.rewind(id(r), input["turns"].get<std::size_t>()));
              },
              "Take a conversation back to what it was after some of its turns, to go on from there.",
              rewind_input(), session_answer()});
  router.add({"GET", path + "/transcript",
              [&sessions, id](const Request& r) { return Response::of(sessions.transcript(id(r))); },
              "What was said and walked, turn by turn.", nullptr, transcript_answer()});
  router.add({.method = "GET",
              .path = path + "/events",
              .handler = [&sessions](const Request& r) { return listen(sessions, r); },
              .summary = "Events of a conversation as they happen: session (as it stands), then each turn.",
              .type = "text/event-stream"});
}

Json stateless_input() {
  Json properties = action_properties();
  properties["model"] = model_schema();
  properties["seed"] = number_schema("Of what the simulated user says.", 0, 2'000'000'000, 1);
  properties["state"] = {{"type", {"object", "null"}},
                         {"description", "The state that the last turn gave; null: a new conversation."},
                         {"default", nullptr}};
  return object_schema(std::move(properties));
}

// The state goes in and out; nothing is kept here.
Response stateless_turn(ModelShelf& models, const Request& request) {
  const Json input = fitted(stateless_input(), request.json(), "turn");
  const auto model = models.get(input["model"].get_ref<const std::string&>());
  Conversation conversation = model->conversation(input["seed"].get<std::uint64_t>());
  try {
    if (!input["state"].is_null()) conversation.recall(input["state"]);
  } catch (const FormatError& error) {
    throw Refusal(400, error.what());
  }
  Json action = input;
  for (const char* other : {"model", "seed", "state"}) action.erase(other);
  const Conversation::Reply reply = act(conversation, action);
  Json out = {
      {"say", action_text(action)}, {"said", said(reply)}, {"reply", shown(reply)}, {"over", reply.over}};
  out.update(standing_as_json(conversation.standing()));
  out["state"] = conversation.memory();
  return Response::of(out);
}

// What is served, without loading it.
void add_models(Router& router, ModelShelf& models) {
  router.add(
      {.method = "GET",
       .path = "/api/v1/models",
       .handler =
           [&models](const Request&) {
             Json list = Json::array();
             for (const ModelSource& source : models.sources())
               list.push_back({{"model", source.name}, {"about", source.about}, {"license", source.license}});
             return Response::of({{"models", std::move(list)}});
           },
       .summary = "The models that are served; the first is taken where a request names none.",
       .output = models_answer()});
}

}  // namespace

void add_api(Router& router, ModelShelf& models, Sessions& sessions) {
  for (const Operation& operation : operations()) add_operation(router, models, operation);
  add_batch(router, models);
  add_models(router, models);
  add_sessions(router, sessions);
  router.add({"POST", "/api/v1/turn", [&models](const Request& r) { return stateless_turn(models, r); },
              "One turn without a conversation kept here: the state goes in and the new one comes out.",
              stateless_input(), stateless_turn_answer()});
}

}  // namespace kgwalk::server
