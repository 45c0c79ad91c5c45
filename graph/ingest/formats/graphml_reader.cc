#include "graph/ingest/formats/graphml_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/ingest/formats/entity_table.h"
#include "graph/ingest/formats/id_map.h"
#include "graph/ingest/formats/json_tree.h"
#include "graph/ingest/formats/named_facts.h"
#include "graph/ingest/formats/table_columns.h"
#include "graph/ingest/formats/xml_stream.h"
#include "graph/ingest/iri_names.h"
#include "graph/values/literal.h"
#include "kgwalk/error.h"
#include "runtime/text.h"

namespace kgwalk::graph {
namespace {

constexpr std::string_view kLinked = "linked to";
constexpr std::size_t kTellEvery = 1024;  // nodes and edges

// What a <key> declares of the <data> with its id.
struct GraphMlKey {
  std::string name, of;                  // attr.name; node, edge, all ...
  std::string_view datatype = {};        // of xsd; empty: text
  bool is_list = false;                  // of Neo4j: a text of JSON
  std::optional<std::string> otherwise;  // <default>
};

std::string_view datatype_of(std::string_view type) {
  if (type == "boolean") return "http://www.w3.org/2001/XMLSchema#boolean";
  if (type == "int" || type == "long") return "http://www.w3.org/2001/XMLSchema#integer";
  if (type == "float" || type == "double") return "http://www.w3.org/2001/XMLSchema#double";
  return {};
}

struct GraphMlNode {
  TermKind kind = TermKind::kId;
  std::string text;
  std::string language = {}, datatype = {};
  [[nodiscard]] Term term() const { return {kind, text, language, datatype}; }
};

// A node or edge while it is open.
struct OpenElement {
  std::string id, source, target, label;  // of its tag
  std::size_t line = 0;
  std::string drawn;  // the label that yEd draws
  std::vector<std::pair<const GraphMlKey*, std::string>> data = {};

  [[nodiscard]] const std::string* find(std::string_view name) const {
    for (const auto& [key, text] : data)
      if (key->name == name) return &text;
    return nullptr;
  }
  // The first of these that there is.
  [[nodiscard]] const std::string* find_any(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
      for (const auto& [key, text] : data)
        if (!text.empty() && !invalid_utf8_at(key->name) && fold_name(key->name) == name) return &text;
    return nullptr;
  }
};

class GraphMlReading {
 public:
  GraphMlReading(const InputText& text, StatementSink& sink)
      : text_(text), log_(text.log), sink_(sink), xml_(text.bytes) {}

  void run() {
    using Event = XmlStream::Event;
    Event event = xml_.next();
    if (event == Event::kBegin && xml_.name() != "graphml")
      throw DataError(log_.file(), xml_.line(),
                      "is XML, but no GraphML: its first element is '" + std::string(xml_.name()) + "'");
    if (event == Event::kBroken)
      throw DataError(log_.file(), xml_.line(), "is no GraphML: " + xml_.problem());
    for (; event != Event::kFinished && event != Event::kBroken; event = xml_.next()) {
      if (event == Event::kBegin) begin();
      if (event == Event::kEnd) end();
      if (event == Event::kText && in_data_) take_text();
    }
    if (event == Event::kBroken)
      log_.skip(xml_.line(), Reason::kSyntax, xml_.problem() + "; what stands behind this line is lost");
    give_waiting();
    tell();
  }

 private:
  void begin() {
    const std::string_view name = xml_.name();
    if (name == "key") return begin_key();
    if (name == "graph") return begin_graph();
    if (name == "node" || name == "edge") return begin_element(name == "node");
    if (name == "data") return begin_data();
    if (name == "default" && key_ != nullptr) in_data_ = true;
    if (name == "hyperedge")
      log_.skip(xml_.line(), Reason::kSyntax, "a hyperedge, which is not read; write it as edges");
    drawn_ = name == "NodeLabel" || name == "EdgeLabel";
  }

  void begin_key() {
    const std::string id = xml_.attribute("id").value_or("");
    GraphMlKey key{xml_.attribute("attr.name").value_or(id), xml_.attribute("for").value_or("all"),
                   datatype_of(xml_.attribute("attr.type").value_or("")),
                   xml_.attribute("attr.list").has_value(), std::nullopt};
    // What yEd draws is no property; the label within it is.
    if (xml_.attribute("yfiles.type")) key.name.clear();
    key_ = &(keys_[id] = std::move(key));
    text_of_data_.clear();
  }

  // Kgwalk's own: entities without an id are known by their names, which are all different.
  void begin_graph() {
    const auto of_edge = keys_.find("relation"), of_node = keys_.find("name");
    is_own_ = xml_.attribute("id") == "kg" && of_edge != keys_.end() && of_edge->second.of == "edge" &&
              of_node != keys_.end() && of_node->second.of == "node";
    if (!open_.empty() && !given_.back() && open_.back().source.empty())
      give_node();  // the group that the graph lies in
  }

  void begin_element(bool is_node) {
    OpenElement element;
    element.line = xml_.line();
    const auto attribute = [&](const char* name) { return xml_.attribute(name).value_or(""); };
    element.id = attribute("id");
    element.label = attribute(is_node ? "labels" : "label");
    element.source = attribute("source");
    element.target = attribute("target");
    open_.push_back(std::move(element));
    given_.push_back(false);
  }

  void begin_data() {
    text_of_data_.clear();
    const auto key = keys_.find(xml_.attribute("key").value_or(""));
    data_key_ = key == keys_.end() ? nullptr : &key->second;
    in_data_ = !open_.empty() && data_key_ != nullptr;
    drawn_ = false;
  }

  void take_text() {
    if (data_key_ == nullptr || !data_key_->name.empty()) text_of_data_ += xml_.text();
    if (drawn_ && !open_.empty() && open_.back().drawn.empty()) open_.back().drawn = name_text(xml_.text());
  }

  void end() {
    const std::string_view name = xml_.name();
    drawn_ = false;
    if (name == "default" && key_ != nullptr && in_data_) {
      key_->otherwise = std::exchange(text_of_data_, {});
      in_data_ = false;
    }
    if (name == "key") key_ = nullptr;
    if (name == "data" && in_data_) end_data();
    if (name != "node" && name != "edge") return;
    if (open_.empty()) return;
    if (name == "edge")
      give_edge(open_.back());
    else if (!given_.back())
      give_node();
    open_.pop_back();
    given_.pop_back();
    if (++num_given_ % kTellEvery == 0) sink_.at(xml_.position());
  }

  void end_data() {
    in_data_ = false;
    if (data_key_->name.empty()) return;
    if (text_of_data_.size() > text_.max_line_bytes) {
      log_.skip(open_.back().line, Reason::kLongLine,
                "the text of '" + data_key_->name.substr(0, 60) + "' has " +
                    std::to_string(text_of_data_.size()) + " bytes; at most " +
                    std::to_string(text_.max_line_bytes) + " are taken");
      return;
    }
    open_.back().data.emplace_back(data_key_, std::exchange(text_of_data_, {}));
  }

  // The data that the keys give to all that have none.
  void add_defaults(OpenElement& element, std::string_view of) const {
    for (const auto& [id, key] : keys_)
      if (key.otherwise && (key.of == of || key.of == "all") && element.find(key.name) == nullptr)
        element.data.emplace_back(&key, *key.otherwise);
  }

  void give_node() {
    OpenElement& node = open_.back();
    given_.back() = true;
    if (node.id.empty()) return log_.skip(node.line, Reason::kEmptyName, "a node without an id");
    add_defaults(node, "node");
    const std::string* name = node.find_any({"name", "label", "title"});
    const std::string shown = name != nullptr ? *name : node.drawn;
    const GraphMlNode known = known_by(node, shown);
    nodes_[node.id] = known;
    if (known.kind == TermKind::kLiteral) return;
    if (!sink_.mention(known.term(), node.line)) return;
    if (known.kind != TermKind::kName && !shown.empty()) sink_.name(known.term(), shown, node.line);
    for_each_type(node.label, [&](std::string_view type) { give_type(known, type, node.line); });
    for (const auto& [key, text] : node.data)
      if (&text != name && key->name != "id" && !text.empty()) give_property(known, *key, text, node.line);
  }

  [[nodiscard]] GraphMlNode known_by(const OpenElement& node, const std::string& name) const {
    const std::string* id = node.find("id");
    if (id != nullptr && id->starts_with('"')) {
      if (const auto literal = split_literal(*id))
        return {TermKind::kLiteral, literal->text, std::string(literal->language),
                std::string(literal->datatype)};
    }
    if (id == nullptr && is_own_ && !name.empty()) return {TermKind::kName, name};
    if (id == nullptr) {
      // A number is one of its file alone.
      const bool made_up = node.id.starts_with('n') && is_number(std::string_view(node.id).substr(1));
      return {TermKind::kId, made_up ? text_.blank_prefix + node.id : node.id};
    }
    const Term term = term_of_id(*id);
    const bool blank = term.kind == TermKind::kBlank;
    return {term.kind, (blank ? text_.blank_prefix : std::string()) + std::string(term.text)};
  }

  // ":Person:Actor" of Neo4j.
  template <class Handle>
  static void for_each_type(std::string_view labels, Handle&& handle) {
    while (!labels.empty()) {
      const std::size_t end = std::min(labels.find(':'), labels.size());
      if (end > 0) handle(labels.substr(0, end));
      labels.remove_prefix(std::min(end + 1, labels.size()));
    }
  }

  void give_type(const GraphMlNode& node, std::string_view type, std::size_t line) {
    const std::string id = "label/" + std::string(type);  // no id of a node
    (void)sink_.add({node.term(), {TermKind::kIri, kRdfType, {}, {}}, {TermKind::kIri, id, {}, {}}}, line);
  }

  void give_property(const GraphMlNode& node, const GraphMlKey& key, const std::string& text,
                     std::size_t line) {
    if (key.name == "labels") {
      if (open_.back().label.empty())
        for_each_type(text, [&](std::string_view type) { give_type(node, type, line); });
      return;
    }
    if (key.name == "type" || key.name == "types") return give_type(node, text, line);
    const auto add = [&](std::string_view value) {
      const bool python = key.datatype.ends_with("boolean") && (value == "True" || value == "False");
      if (python) value = value == "True" ? "true" : "false";
      if (!value.empty())
        (void)sink_.add(
            {node.term(), {TermKind::kName, key.name, {}, {}}, {TermKind::kLiteral, value, {}, key.datatype}},
            line);
    };
    JsonNode list;
    JsonProblem ignored;
    if (!key.is_list || !parse_json(text, list, ignored) || !list.is_array()) return add(text);
    for (const JsonNode& item : list.items)
      add(item.is_boolean() ? std::string_view(item.kind == JsonNode::Kind::kTrue ? "true" : "false")
                            : std::string_view(item.text));
  }

  void give_edge(OpenElement& edge) {
    add_defaults(edge, "edge");
    if (nodes_.contains(edge.source) && nodes_.contains(edge.target)) return give_fact(edge);
    waiting_.push_back(std::move(edge));  // nodes may come behind their edges
  }

  void give_fact(const OpenElement& edge) {
    const auto head = nodes_.find(edge.source), tail = nodes_.find(edge.target);
    if (head == nodes_.end() || tail == nodes_.end())
      return log_.skip(
          edge.line, Reason::kUnknownNode,
          "the file has no node '" + (head == nodes_.end() ? edge.source : edge.target) + "' for this edge");
    const std::string* said = edge.find_any({"relation", "label", "type", "predicate", "name"});
    const std::string relation = said != nullptr       ? *said
                                 : !edge.label.empty() ? edge.label
                                 : !edge.drawn.empty() ? edge.drawn
                                                       : std::string(kLinked);
    num_unlabeled_ += relation == kLinked;
    // The inverse of a fact about a literal is none that RDF has; the literal's text stands for it.
    const GraphMlNode subject = head->second.kind == TermKind::kLiteral
                                    ? GraphMlNode{TermKind::kName, head->second.text}
                                    : head->second;
    const std::string* relation_id = is_own_ ? edge.find("relation_id") : nullptr;
    const std::string* written = is_own_ ? edge.find("literal") : nullptr;
    const auto literal = written == nullptr ? std::nullopt : split_literal(*written);
    Statement statement{
        subject.term(),
        relations_.term(relation_id == nullptr ? std::string_view() : *relation_id, relation, edge.line),
        literal ? Term{TermKind::kLiteral, literal->text, literal->language, literal->datatype}
                : tail->second.term()};
    std::string_view sources;
    for (const auto& [key, text] : edge.data) {
      const bool is_weight = key->name == (is_own_ ? "weight" : text_.options.weight_column);
      const bool is_source = key->name == (is_own_ ? "source" : text_.options.source_column);
      if (is_source) sources = text;
      if (is_weight) statement.weight = weight_in(text);
      if (is_weight && !statement.weight)
        return log_.skip(edge.line, Reason::kBadWeight,
                         "the weight '" + text.substr(0, 60) + "' is no number of 0 or more");
      const bool is_used =
          is_weight || is_source || &text == said || &text == relation_id || &text == written;
      if (!is_used) ++left_out_[key->name];
    }
    do {  // kgwalk writes several sources as one text
      const std::size_t end = is_own_ ? sources.find("; ") : std::string_view::npos;
      statement.source = sources.substr(0, end);
      (void)sink_.add(statement, edge.line);
      sources.remove_prefix(end == std::string_view::npos ? sources.size() : end + 2);
    } while (!sources.empty());
  }

  void give_waiting() {
    for (const OpenElement& edge : waiting_) give_fact(edge);
  }

  void tell() const {
    const auto number = [](std::size_t count) { return with_commas(static_cast<long long>(count)); };
    if (num_unlabeled_ > 0)
      log_.note(number(num_unlabeled_) + " edges have no label; their relation is '" + std::string(kLinked) +
                "'");
    std::string list;
    for (const auto& [name, count] : left_out_)
      list += (list.empty() ? "'" : ", '") + name + "' (" + number(count) + ")";
    if (!list.empty()) log_.note("data of edges is left out: " + list);
  }

  const InputText& text_;
  ProblemLog& log_;
  StatementSink& sink_;
  XmlStream xml_;
  std::map<std::string, GraphMlKey, std::less<>> keys_;  // by id
  GraphMlKey* key_ = nullptr;                            // that is open
  const GraphMlKey* data_key_ = nullptr;                 // of the data that are open
  std::vector<OpenElement> open_;                        // nodes lie in each other
  std::vector<bool> given_;                              // which of them were handed on already
  bool in_data_ = false, drawn_ = false, is_own_ = false;
  std::string text_of_data_;
  std::unordered_map<std::string, GraphMlNode> nodes_;  // by the id in the tag
  std::vector<OpenElement> waiting_;
  NamedRelations relations_{sink_};
  std::map<std::string, std::size_t> left_out_;
  std::size_t num_unlabeled_ = 0, num_given_ = 0;
};

}  // namespace

void read_graphml(const InputText& text, StatementSink& sink) {
  GraphMlReading(text, sink).run();
  text.counts.lines = lines_of(text.bytes);
}

}  // namespace kgwalk::graph
