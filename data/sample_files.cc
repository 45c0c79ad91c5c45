#include "data/sample_files.h"

#include <map>
#include <nlohmann/json.hpp>

namespace kgwalk::sample {
namespace {

using Json = nlohmann::ordered_json;

// Blanks after ',' and ':' and escapes for all that is not ASCII, as in the official files.
std::string spaced(const Json& json) {
  std::string text;
  if (json.is_array()) {
    for (const Json& item : json) text += (text.empty() ? "" : ", ") + spaced(item);
    return "[" + text + "]";
  }
  if (json.is_object()) {
    for (const auto& [key, item] : json.items()) {
      text += (text.empty() ? "" : ", ") + Json(key).dump(-1, ' ', true) + ": " + spaced(item);
    }
    return "{" + text + "}";
  }
  return json.dump(-1, ' ', true);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of("\",\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// The sentence that the annotation tool shows for a hop.
std::string rendering(const std::string& head, const std::string& relation, const std::string& tail) {
  static const std::map<std::string, std::string, std::less<>> kVerbs = {
      {"starred_actors", " is starring "},
      {"~starred_actors", " starred in "},
      {"directed_by", " is directed by "},
      {"~directed_by", " directed "},
      {"written_by", " is written by "},
      {"~written_by", " wrote "},
      {"has_genre", " has genre "},
      {"~has_genre", " has examples: "},
      {"is-a", " is a/an "},
      {"~is-a", " has example: "},
      {"release_year", " was released "},
      {"~release_year", " was the year that released "}};
  const auto found = kVerbs.find(relation);
  if (found != kVerbs.end()) return head + found->second + tail;
  return head + " : `" + relation + "`: " + tail;
}

// [score, [[h, r, t], ...], rendering]; the score is minus the number of hops.
Json path_json(const FactGraph& graph, const Path& path) {
  Json hops = Json::array();
  std::string text;
  for (std::size_t i = 0; i < path.relations.size(); ++i) {
    const std::string& head = graph.name(path.vertices[i]);
    const std::string& relation = graph.relation_name(path.relations[i]);
    const std::string& tail = graph.name(path.vertices[i + 1]);
    hops.push_back({head, relation, tail});
    text += (text.empty() ? "" : ". ") + rendering(head, relation, tail);
  }
  return Json::array({-static_cast<int>(path.relations.size()), std::move(hops), text});
}

Json message_json(const FactGraph& graph, const Message& message) {
  const char* sender = message.from_user ? "user" : "assistant";
  Json json;
  if (message.type == Message::Type::kChat) {
    json["message"] = message.text;
    json["type"] = "chat";
    json["sender"] = sender;
    return json;
  }
  const bool is_path = message.type == Message::Type::kPath;
  json["metadata"] = is_path ? Json{{"path", path_json(graph, message.path)}} : Json{{"text", message.text}};
  json["type"] = "action";
  json["sender"] = sender;
  json["action_id"] = is_path ? "kgwalk/choose_path" : "meta_thread/send_meta_message";
  return json;
}

std::string rating_text(const int (&stars)[2]) {
  if (stars[0] == 0) return "{}";
  Json json;
  json["dialog_rating"] = std::to_string(stars[0]);
  json["other_agent_rating"] = std::to_string(stars[1]);
  return spaced(json);
}

}  // namespace

std::string triples_text(const FactGraph& graph) {
  std::string text;
  for (int head = 0; head < graph.num_entities(); ++head) {
    for (const FactEdge& edge : graph.edges(head)) {
      text +=
          graph.name(head) + '\t' + graph.relation_name(edge.relation) + '\t' + graph.name(edge.tail) + '\n';
    }
  }
  return text;
}

std::string entities_text(const FactGraph& graph) {
  std::string text;
  for (int entity = 0; entity < graph.num_entities(); ++entity) text += graph.name(entity) + '\n';
  return text;
}

std::string relations_text(const FactGraph& graph) {
  std::string text;
  for (int relation = 0; relation < graph.num_relations(); ++relation)
    text += graph.relation_name(relation) + '\n';
  return text;
}

std::string dialogues_csv(const FactGraph& graph, std::span<const Dialogue> dialogues) {
  std::string text = "Messages,User Rating,Assistant Rating\n";
  for (const Dialogue& dialogue : dialogues) {
    Json messages = Json::array();
    for (const Message& message : dialogue.messages) messages.push_back(message_json(graph, message));
    text += csv_field(spaced(messages)) + ',' + csv_field(rating_text(dialogue.ratings[0])) + ',' +
            csv_field(rating_text(dialogue.ratings[1])) + '\n';
  }
  return text;
}

}  // namespace kgwalk::sample
