#include "graph/ingest/dialogue_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "graph/ingest/lines.h"
#include "graph/ingest/table_rows.h"
#include "graph/names.h"
#include "kgwalk/error.h"

namespace kgwalk::graph {
namespace {

const std::string* text_at(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : it->get_ptr<const std::string*>();
}

// One row's list of messages as a dialogue.
class RowReader {
 public:
  RowReader(const KnowledgeGraph& graph, ProblemLog& log, DialogueCounts& counts)
      : graph_(graph), log_(log), counts_(counts) {}

  [[nodiscard]] Dialogue read(const Json& messages, std::size_t line) {
    line_ = line;
    Dialogue dialogue{line, {}};
    for (std::size_t i = 0; i < messages.size(); ++i) {
      where_ = "message " + std::to_string(i + 1) + ": ";
      if (auto event = read_event(messages[i])) dialogue.events.push_back(std::move(*event));
    }
    return dialogue;
  }

 private:
  void skip(Reason reason, const std::string& why) { log_.skip(line_, reason, where_ + why); }

  std::optional<DialogueEvent> read_event(const Json& message) {
    if (!message.is_object()) return skip(Reason::kMessage, "not a json object"), std::nullopt;
    const std::string* type = text_at(message, "type");
    const std::string* sender = text_at(message, "sender");
    if (!type || !sender || (*sender != "user" && *sender != "assistant"))
      return skip(Reason::kMessage, "needs \"type\" and \"sender\" (user or assistant)"), std::nullopt;
    const Speaker speaker = *sender == "user" ? Speaker::kUser : Speaker::kAssistant;
    if (*type == "chat") return read_chat(message, speaker);
    const std::string* action = text_at(message, "action_id");
    if (*type == "action" && action && *action == "meta_thread/send_meta_message") {
      ++counts_.side_talk;
      return std::nullopt;
    }
    if (*type == "action" && action && *action == "kgwalk/choose_path") return read_path(message, speaker);
    return skip(Reason::kMessage,
                "type '" + *type + "'" + (action ? " with action '" + *action + "'" : "") + " is not known"),
           std::nullopt;
  }

  std::optional<DialogueEvent> read_chat(const Json& message, Speaker speaker) {
    const std::string* text = text_at(message, "message");
    if (!text) return skip(Reason::kMessage, "a chat without \"message\""), std::nullopt;
    ++counts_.messages;
    return Chat{speaker, *text};
  }

  static const Json* hops_of(const Json& message) {
    const auto metadata = message.find("metadata");
    if (metadata == message.end() || !metadata->is_object()) return nullptr;
    const auto path = metadata->find("path");
    if (path == metadata->end() || !path->is_array() || path->size() < 2 || !(*path)[1].is_array())
      return nullptr;
    const Json& hops = (*path)[1];
    const auto is_hop = [](const Json& hop) {
      return hop.is_array() && hop.size() == 3 &&
             std::all_of(hop.begin(), hop.end(), [](const Json& name) { return name.is_string(); });
    };
    return !hops.empty() && std::all_of(hops.begin(), hops.end(), is_hop) ? &hops : nullptr;
  }

  std::optional<Triple> resolve(const Json& hop) {
    const auto& head = hop[0].get_ref<const std::string&>();
    const auto& relation = hop[1].get_ref<const std::string&>();
    const auto& tail = hop[2].get_ref<const std::string&>();
    const auto h = graph_.find_entity(head);
    const auto r = graph_.find_relation(relation);
    const auto t = graph_.find_entity(tail);
    if (h && r && t && graph_.has_edge({*h, *r, *t})) return Triple{*h, *r, *t};
    skip(Reason::kUnknownTriple,
         "the path's triple '" + head + "', '" + relation + "', '" + tail + "' is not in the graph");
    return std::nullopt;
  }

  std::optional<DialogueEvent> read_path(const Json& message, Speaker speaker) {
    const Json* hops = hops_of(message);
    if (!hops)
      return skip(Reason::kPathShape, "metadata.path is not [score, [[head, relation, tail], ...], text]"),
             std::nullopt;
    WalkedPath path{speaker, {}};
    for (const Json& hop : *hops) {
      const std::optional<Triple> triple = resolve(hop);
      if (!triple) return std::nullopt;
      if (!path.hops.empty() && path.hops.back().tail != triple->head)
        return skip(Reason::kBrokenChain, "the path does not chain: a hop ends at '" +
                                              std::string(graph_.entity_name(path.hops.back().tail)) +
                                              "', the next starts at '" +
                                              std::string(graph_.entity_name(triple->head)) + "'"),
               std::nullopt;
      path.hops.push_back(*triple);
    }
    count(path);
    return path;
  }

  void count(const WalkedPath& path) {
    ++counts_.paths;
    counts_.hops += path.hops.size();
    ++(path.hops.size() == 1   ? counts_.one_hop_paths
       : path.hops.size() == 2 ? counts_.two_hop_paths
                               : counts_.longer_paths);
    counts_.annotation_only_paths += std::any_of(path.hops.begin(), path.hops.end(),
                                                 [&](const Triple& t) { return graph_.annotation_only(t); });
  }

  const KnowledgeGraph& graph_;
  ProblemLog& log_;
  DialogueCounts& counts_;
  std::size_t line_ = 0;
  std::string where_;
};

// A message of JSON Lines in the form of the csv: the path before the chat, as OpenDialKG has them.
void append_message(const Json& given, Json& messages) {
  if (!given.is_object()) return messages.push_back(given);  // told as any other bad message
  const Json sender = given.value("speaker", Json());
  if (given.contains("path") && !given["path"].is_null())
    messages.push_back({{"type", "action"},
                        {"action_id", "kgwalk/choose_path"},
                        {"sender", sender},
                        {"metadata", {{"path", {0.0, given["path"], ""}}}}});
  messages.push_back({{"type", "chat"}, {"sender", sender}, {"message", given.value("text", Json())}});
}

// A dialogue a line: {"messages": [{"speaker", "text", "path"}, ...]}.
void read_dialogue_lines(std::string_view bytes, std::size_t max_line_bytes, const KnowledgeGraph& graph,
                         ProblemLog& log, const ShelfOf& shelf_of, const StopFlag& stop) {
  LineReader lines(bytes, max_line_bytes, log);
  std::unordered_set<std::uint64_t> seen;
  for (std::string_view line; lines.next(line);) {
    if (stop.requested()) throw Stopped("the ingestion was stopped; nothing was written");
    if (line.find_first_not_of(" \t") == line.npos) continue;
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("messages") || !json["messages"].is_array()) {
      log.skip(lines.number(), Reason::kJson,
               "not a json object with a list \"messages\" (docs/reference/formats/dialogues.md)");
      continue;
    }
    Json messages = Json::array();
    for (const Json& message : json["messages"]) append_message(message, messages);
    const std::string text = messages.dump(-1, ' ', false, Json::error_handler_t::replace);
    const DialogueShelf shelf = shelf_of(text);
    if (!seen.insert(hash_bytes(text)).second) ++shelf.counts.duplicates;
    shelf.dialogues.push_back(RowReader(graph, log, shelf.counts).read(messages, lines.number()));
    ++shelf.counts.dialogues;
  }
  log.finish();
}

// The column of Messages; DataError when the header has none.
std::size_t messages_column(const std::vector<std::string>& header, const ProblemLog& log) {
  const auto found = std::find(header.begin(), header.end(), "Messages");
  if (found == header.end())
    throw DataError(
        log.file(), 1,
        "the csv header has no column Messages; is this a dialogue file of OpenDialKG, or of JSON Lines?");
  return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

void read_dialogues(std::string_view bytes, std::size_t max_row_bytes, const KnowledgeGraph& graph,
                    ProblemLog& log, const ShelfOf& shelf_of, const StopFlag& stop) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first != bytes.npos && bytes[first] == '{')
    return read_dialogue_lines(bytes, max_row_bytes, graph, log, shelf_of, stop);
  TableRows rows(bytes, {.max_row_bytes = max_row_bytes}, log);
  std::vector<std::string> fields;
  if (!rows.next(fields))
    throw DataError(log.file(), 0, "the file is empty; expected a csv with a column Messages, or JSON Lines");
  const std::size_t column = messages_column(fields, log);
  rows.expect(fields.size());
  std::unordered_set<std::uint64_t> seen;
  while (rows.next(fields)) {
    if (stop.requested()) throw Stopped("the ingestion was stopped; nothing was written");
    const Json messages = Json::parse(fields[column], nullptr, false);
    if (!messages.is_array()) {
      log.skip(rows.line(), Reason::kJson, "column Messages is not a json list");
      continue;
    }
    const DialogueShelf shelf = shelf_of(fields[column]);
    // Equal rows are counted and kept: two crowd workers may well have been given the same.
    if (!seen.insert(hash_bytes(fields[column])).second) ++shelf.counts.duplicates;
    shelf.dialogues.push_back(RowReader(graph, log, shelf.counts).read(messages, rows.line()));
    ++shelf.counts.dialogues;
  }
  log.finish();
}

DialogueCounts read_dialogues(std::string_view bytes, std::size_t max_row_bytes, const KnowledgeGraph& graph,
                              ProblemLog& log, std::vector<Dialogue>& out, const StopFlag& stop) {
  DialogueCounts counts;
  const auto only = [&](std::string_view) { return DialogueShelf{counts, out}; };
  read_dialogues(bytes, max_row_bytes, graph, log, ShelfOf(only), stop);
  return counts;
}

}  // namespace kgwalk::graph
